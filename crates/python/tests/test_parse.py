"""parse: components, violations and masking of one URL."""

import pickle

import pytest

import urlsift


def test_parts_and_meaning():
    parsed = urlsift.parse("ftp://u@h.dom/%2Fa/b;type=i", profile="rfc1738")
    assert parsed.valid and (parsed.scheme, parsed.profile) == ("ftp", "rfc1738")
    assert parsed.components["user"] == "u" and parsed.components["password"] is None
    assert parsed.components["cwd"] == ["%2Fa"] and parsed.components["typecode"] == "i"
    assert parsed.semantics["commands"][0] == "USER u"
    assert parsed.violations == [] and parsed.normalized == "ftp://u@h.dom/%2Fa/b;type=i"
    assert parsed.to_dict()["type"] == "parse" and parsed.to_dict()["components"] == parsed.components


def test_what_is_wrong():
    parsed = urlsift.parse("http://host..dom/")
    (violation,) = parsed.violations
    assert not parsed.valid and parsed.components is None and parsed.normalized is None
    assert (violation.code, violation.level, violation.start) == ("host.label", None, 12)
    assert violation.rfc and violation.section and violation.message
    assert parsed.to_dict()["violations"] == [violation.to_dict()]
    assert repr(parsed) == "Parsed('http://host..dom/', not valid)"


def test_positions_count_characters_of_str():
    for url, width in [("http://😀é.dom/a b", 1), ("http://😀é.dom/a b".encode(), None)]:
        found = {v.code: v for v in urlsift.parse(url).violations}
        at = url.index(" " if width else b" ")
        assert any(v.start <= at < v.end for v in found.values()), found


def test_references_and_passwords():
    assert not urlsift.parse("http://host.dom/#a", profile="rfc1738").valid
    assert urlsift.parse("http://host.dom/#a", profile="rfc1738", reference=True).valid
    parsed = urlsift.parse("http://joe:secret@host.dom/", mask_passwords=True)
    assert "secret" not in repr(parsed.to_dict())
    url = "http://joe:secret@host.dom/?token=8fd1a6c03b7e4d25"
    assert "8fd1" in repr(urlsift.parse(url, mask_passwords=True).to_dict())
    masked = repr(urlsift.parse(url, mask_secrets=True).to_dict())
    assert "8fd1" not in masked and "secret@" not in masked


def test_errors_name_the_argument():
    with pytest.raises(TypeError, match="url must be str or bytes, not list"):
        urlsift.parse([])
    with pytest.raises(ValueError, match="profile: 'x' is not one of"):
        urlsift.parse("http:", profile="x")
    assert not urlsift.parse("\ud800").valid and not urlsift.parse("").valid


def test_results_can_be_pickled_compared_and_hashed():
    wrong, right = urlsift.parse("http://host..dom/"), urlsift.parse("HTTP://Host.dom:80/")
    for parsed in (wrong, right, urlsift.parse("mailto:a@b.org"), urlsift.parse(b"http://h.dom/\xe9")):
        copy = pickle.loads(pickle.dumps(parsed))
        assert copy == parsed and hash(copy) == hash(parsed) and copy.to_dict() == parsed.to_dict()
        assert (copy.violations, copy.findings) == (parsed.violations, parsed.findings)
    assert wrong != right and right != urlsift.parse("http://host.dom/") and right != "HTTP://Host.dom:80/"
    assert (right.host, right.scheme, right.normalized) == ("Host.dom", "http", "http://host.dom/")
    assert wrong.host is None and urlsift.parse("mailto:a@b.org").host is None
