"""find returns the same matches as in the other languages: see corpus/bindings."""

import json

import pytest

import urlsift


def cases(corpus):
    return json.loads((corpus / "bindings/find.json").read_text(encoding="utf-8"))


def value_of(text):
    return {"true": True}.get(text, text)


def compared(match, key, positions):
    fields = ("url", "form", "valid", "normalized", "href", "scheme", "host")
    return {key: positions, **{field: getattr(match, field) for field in fields}}


@pytest.mark.parametrize("key", ["characters", "bytes"])
def test_matches_are_those_of_other_languages(corpus, key):
    count = 0
    for case in cases(corpus):
        text = case["text"] if key == "characters" else case["text"].encode()
        options = {name: value_of(value) for name, value in case.get("options", {}).items()}
        found = [compared(match, key, [match.start, match.end]) for match in urlsift.find(text, **options)]
        others = {"bytes", "characters", "utf16"} - {key}
        expected = [{name: value for name, value in match.items() if name not in others} for match in case["matches"]]
        assert found == expected, case["why"]
        count += 1
    assert count >= 36
