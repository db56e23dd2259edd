"""lint: diagnostics and fixes of one text."""

import json
import pickle
import subprocess

import pytest

import urlsift

TEXT = "😀 [x](http//host.dom/) and é <URL:http://www.host.dom:80/a b>.\n"


def test_positions_count_what_the_text_is_made_of():
    wide = urlsift.lint(TEXT, dialect="markdown")
    narrow = urlsift.lint(TEXT.encode(), dialect="markdown")
    assert [d.code for d in wide] == [d.code for d in narrow]
    assert "scheme.no-colon" in [d.code for d in wide]
    for a, b in zip(wide, narrow):
        assert TEXT[a.start : a.end].encode() == TEXT.encode()[b.start : b.end]
        assert (a.line, a.column) == (1, a.start + 1) and b.column == b.start + 1
        if a.fix:
            for x, y in zip(a.fix.edits, b.fix.edits):
                assert TEXT[x.start : x.end].encode() == TEXT.encode()[y.start : y.end]


def test_a_fix_mends():
    (found,) = urlsift.lint("see http//www.cern.ch/ now")
    assert (found.level, found.fix.applicability, found.url is not None) == ("error", "safe", True)
    text = "see http//www.cern.ch/ now"
    for edit in reversed(found.fix.edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    assert text == "see http://www.cern.ch/ now" and urlsift.lint(text) == []


def test_rules_are_chosen():
    codes = lambda **options: {d.code for d in urlsift.lint("http://www.cern.ch:80/ and http//www.cern.ch/", **options)}
    assert codes(select="port.") == {"port.default"}
    assert "port.default" not in codes(ignore=["port."])
    with pytest.raises(ValueError, match="select: there is no rule `prt`"):
        codes(select="prt")
    with pytest.raises(ValueError, match="dialect: 'x' is not one of 'plain'"):
        codes(dialect="x")


def test_the_command_says_the_same(command, corpus, tmp_path):
    endings = {".md": "markdown", ".rst": "rst", ".txt": "plain"}
    compared = 0
    for path in sorted(corpus.rglob("*")):
        # With a configuration, the command also reads other files.
        if path.suffix not in endings or any((parent / "urlsift.toml").exists() for parent in path.parents):
            continue
        for strict in (False, True):
            dialect = endings[path.suffix]
            arguments = ["--format=jsonl", "--quiet", "--input=" + dialect.replace("plain", "text")]
            run = subprocess.run(
                [command, "lint", *arguments, *(["--strict"] if strict else []), str(path)],
                stdout=subprocess.PIPE,
                cwd=tmp_path,
            )
            told = [r for r in map(json.loads, run.stdout.splitlines()) if r["type"] == "diagnostic"]
            for record in told:
                del record["type"], record["path"]
            found = urlsift.lint(path.read_bytes(), dialect=dialect, strict=strict)
            assert [d.to_dict() for d in found] == told, path
            compared += len(told)
    assert compared > 15


def test_secrets_are_hidden():
    text = "http://joe:sesame@host.dom:80/?token=8fd1a6c03b7e4d25"
    shown = lambda **options: repr([vars_of(d) for d in urlsift.lint(text, **options)])
    vars_of = lambda found: (found.url, found.message, found.help, found.notes)
    assert "sesame" not in shown() and "8fd1" in shown()
    assert "sesame" not in shown(mask_secrets=True) and "8fd1" not in shown(mask_secrets=True)


def test_diagnostics_can_be_pickled_compared_and_hashed():
    found = urlsift.lint("http://www.cern.ch:80/ and http//www.cern.ch/ and http://www.cern.ch:99999/")
    assert any(d.fix for d in found) and any(d.fix is None for d in found)
    copies = pickle.loads(pickle.dumps(found))
    assert copies == found and {*copies} == {*found} and len({*found}) == len(found)
    assert [d.to_dict() for d in copies] == [d.to_dict() for d in found]
    assert found[0] != found[1] and found[0] != found[0].code
