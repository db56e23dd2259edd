"""All options of the library exist, and each has an effect: see corpus/options.json."""

import base64
import inspect
import json
import re

import pytest

import urlsift


def keyword(name):
    return "with_" if name == "with" else name


def cases(corpus):
    for case in json.loads((corpus / "options.json").read_text(encoding="utf-8")):
        data = base64.b64decode(case["base64"]) if "base64" in case else case["text"].encode()
        base = {keyword(name): value for name, value in case.get("base", {}).items()}
        name, value = keyword(case["option"]), case["value"]
        value = {"true": True, "false": False}.get(value, value)
        value = value.encode() if name == "hash_key" else value
        yield name, value, base, data, case.get("name", "-")


def told(data, name, options):
    records = urlsift.scan(data, name=name, errors="collect", **options)
    return [record.to_dict() for record in records], records.errors


def test_every_option_changes_the_records(corpus):
    for option, value, base, data, name in cases(corpus):
        assert told(data, name, base) != told(data, name, {**base, option: value}), option


def test_find_has_the_options_that_change_its_matches(corpus):
    found = lambda data, **options: [(m.url, m.form, m.valid) for m in urlsift.find(data, **options)]
    count = 0
    for option, value, _, data, _ in cases(corpus):
        try:
            matches = found(data, **{option: value})
        except (TypeError, ValueError) as error:
            assert "no effect on plain text" in str(error) or option == "hash_key"
            continue
        assert matches != found(data), option
        count += 1
    assert count >= 6


def test_every_option_is_documented_and_declared(corpus):
    stubs = inspect.getsourcefile(urlsift)[:-3] + ".pyi"
    with open(stubs, encoding="utf-8") as file:
        declared = set(re.findall(r"^    (\w+): ", re.search(r"class TextOptions.*?# options: end", file.read(), re.S)[0], re.M))
    assert declared == {option for option, *_ in cases(corpus)}
    for option in declared:
        assert f"- {option}" in urlsift.Scanner.__doc__


def test_with_is_with_an_underscore():
    with pytest.raises(TypeError, match="unexpected keyword argument 'with'"):
        urlsift.Scanner(**{"with": "port"})
