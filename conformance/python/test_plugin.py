"""Tests of the comparison and the plugin."""

import json
import os

import pytest

import urlsift_conformance

pytest_plugins = ["pytester"]
HERE = os.path.dirname(os.path.abspath(__file__))

with open(os.path.join(HERE, "..", "scoring.json"), encoding="utf-8") as f:
    SCORING = json.load(f)


@pytest.mark.parametrize("scoring", SCORING, ids=[s["name"] for s in SCORING])
def test_answers_are_judged_as_in_the_other_languages(scoring):
    run = urlsift_conformance._run
    case = run.Case(scoring["case"], 1)
    found = [((u["start"], u["end"]), u.get("url") or case.data[u["start"]:u["end"]].decode()) for u in scoring["found"]]
    missing, extra, _ = run.judge(case, found)
    assert (len(missing), len(extra)) == (scoring["missing"], scoring["extra"])


def test_plugin_runs_cases_and_knows_failures(pytester):
    pytester.makepyfile("""
        import pytest
        pytest_plugins = ["urlsift_conformance"]

        @pytest.mark.conformance(levels=[7], known_failures="known.txt")
        def test_conformance(conformance_case):
            conformance_case.check([])
    """)
    run = urlsift_conformance._run
    failing = [case.id for case in run.load_cases([7], None, False) if run.judge(case, [])[0]]
    pytester.path.joinpath("known.txt").write_text("".join(f"{name}: finds nothing\n" for name in failing[:1]))
    result = pytester.runpytest("-p", "no:cacheprovider")
    passing = len(run.load_cases([7], None, False)) - len(failing)
    result.assert_outcomes(passed=passing, xfailed=len(failing[:1]), failed=max(0, len(failing) - 1))
