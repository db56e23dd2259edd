"""A pytest plugin that runs the conformance suite for URL extraction on your code.

In a test module, with this directory in `pythonpath`:

    import my_tool

    pytest_plugins = ["urlsift_conformance"]

    @pytest.mark.conformance(levels=[1, 2, 7], known_failures="known-failures.txt")
    def test_conformance(conformance_case):
        conformance_case.check(my_tool.find(conformance_case.text))

`check` accepts pairs of start and end, or triples with the URL. Offsets are those of `text`, in
characters; with `check(..., offsets="utf-8")` they count bytes. A file of known failures has lines of
`ID: reason`; these cases are expected to fail, and an error is reported if one passes.
"""

import importlib.machinery
import importlib.util
import os

import pytest

_PATH = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "run")
_loader = importlib.machinery.SourceFileLoader("urlsift_conformance_run", _PATH)
_run = importlib.util.module_from_spec(importlib.util.spec_from_loader(_loader.name, _loader))
_loader.exec_module(_run)


class ConformanceCase:
    """A case as a test sees it."""

    def __init__(self, case):
        self._case = case
        self.id, self.title, self.level, self.tags = case.id, case.title, case.level, case.tags
        # The input. For a few cases of level 6 that aren't UTF-8, `text` has one character per byte.
        self.data = case.data
        self.text = case.text if case.text is not None else case.data.decode("latin-1")
        self.is_message = case.level == 6
        self.has_any_scheme = case.level == 5

    def check(self, found, offsets="code-points"):
        """Fails the test, with the URLs underlined, unless `found` is a right answer."""
        convert = _run.to_bytes(self._case, offsets)
        urls = []
        for start, end, *url in found:
            span = convert(start), convert(end)
            urls.append((span, url[0] if url else self.data[span[0]:span[1]].decode("utf-8", "replace")))
        missing, extra, _ = _run.judge(self._case, urls)
        if missing or extra:
            lines = [f"{self.id} (level {self.level}): {self.title}", *_run.carets(self._case, missing, extra)]
            pytest.fail("\n".join([*lines, f"  why: {self._case.why}"]), pytrace=False)


def pytest_configure(config):
    config.addinivalue_line("markers", "conformance(levels, known_failures): cases for the fixture conformance_case")


def pytest_generate_tests(metafunc):
    """Runs a test that uses `conformance_case` once for each case."""
    if "conformance_case" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("conformance")
    options = marker.kwargs if marker else {}
    known = {}
    if options.get("known_failures"):
        directory = os.path.dirname(str(metafunc.definition.path))
        with open(os.path.join(directory, options["known_failures"]), encoding="utf-8") as f:
            lines = [line.strip() for line in f]
        known = dict(map(str.strip, (line + ":").split(":", 1)) for line in lines if line and not line.startswith("#"))
    cases = []
    for case in _run.load_cases(options.get("levels"), None, False):
        marks = [pytest.mark.xfail(reason=known[case.id].rstrip(":"), strict=True)] if case.id in known else []
        cases.append(pytest.param(ConformanceCase(case), id=case.id, marks=marks))
    metafunc.parametrize("conformance_case", cases)
