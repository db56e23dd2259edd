"""The examples of the READMEs run and print the output shown."""

import contextlib
import io
import re

import pytest

from conftest import ROOT


@pytest.mark.parametrize("path", ["README.md", "crates/python/README.md", "docs/src/guides/python.md"])
def test_examples(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    text = (ROOT / path).read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert blocks, path
    for block in blocks:
        expected = re.findall(r"# prints (.*)", block)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(block, {})
        for line in expected:
            assert line in printed.getvalue(), (line, printed.getvalue())
