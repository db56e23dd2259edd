"""scan: sources, record fields and errors."""

import ast
import gc
import gzip
import io
import json
import pickle
import threading

import pytest

import urlsift
from conftest import ROOT

MAIL = b"""From: joe@host.dom
Subject: x http://host.dom/s
Message-ID: <1@host.dom>
Newsgroups: comp.a,comp.b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

See http://host.dom/caf=C3=A9 and http://host..dom/
"""


def urls(records):
    return [record.url for record in records]


def test_one_source_in_all_ways(tmp_path):
    path = tmp_path / "a.eml"
    path.write_bytes(MAIL)
    expected = [r.to_dict() | {"path": "x"} for r in urlsift.scan(path, name="x")]
    assert len(expected) == 2
    sources = [str(path), MAIL, bytearray(MAIL), memoryview(MAIL), io.BytesIO(MAIL), open(path, "rb", buffering=0)]
    for source in sources:
        assert [r.to_dict() for r in urlsift.scan(source, name="x")] == expected
    assert [r.path for r in urlsift.scan(path)] == [str(path)] * 2
    assert [r.path for r in urlsift.scan(MAIL)] == ["-"] * 2


def test_records_can_be_pickled_compared_and_hashed(corpus):
    mail = b"From: a@h.dom\nMessage-ID: <1@h.dom>\nDate: 1 Dec 1994 10:00 GMT\n\n> http://h.dom/a-\n> b.html\n"
    count = 0
    for source in (mail, b"http://h.dom/\xe9 http://h.dom/\xe9", *corpus.rglob("*.eml")):
        records = list(urlsift.scan(source, malformed="include"))
        copies = pickle.loads(pickle.dumps(records))
        assert copies == records and {*copies} == {*records} and len({*records}) == len(records)
        for copy, record in zip(copies, records):
            assert copy.to_dict() == record.to_dict() and urlsift.Record.from_json(record.to_json()) == record
            for part in (record.message, record.page, *record.joins, *record.findings, *record.violations):
                other = pickle.loads(pickle.dumps(part))
                assert other == part and hash(other) == hash(part)
            count += 1
    assert count > 5 and records[0] != records[0].url


def test_errors_in_the_json_of_a_record():
    line = next(urlsift.scan(b"http://h.dom/")).to_json()
    for wrong in ("", "{}", line[:-1], line.replace('"start":0', '"start":-1'), line.replace("bare", "bear")):
        with pytest.raises(ValueError, match="line: "):
            urlsift.Record.from_json(wrong)


def test_the_fields_of_a_record():
    subject, found, wrong = urlsift.scan(MAIL, malformed="include", with_=["from", "domain"])
    assert (subject.place, subject.header_name) == ("header", "Subject")
    assert (found.url, found.line, found.column, found.form) == ("http://host.dom/café", 8, 5, "bare")
    assert found.decoded == ["quoted-printable"] and found.approximate is False and found.truncated is False
    assert MAIL[found.start : found.end] == b"http://host.dom/caf=C3=A9"
    assert found.valid and found.violations == [] and found.readings == [found.url]
    assert [v.code for v in wrong.violations] == ["host.label"] and wrong.host is None
    message = found.message
    assert (message.id, message.newsgroups) == ("<1@host.dom>", ["comp.a", "comp.b"])
    assert message.from_ == getattr(message, "from") == "joe@host.dom"
    assert message.subject is None and message.cut == [] and message == wrong.message
    assert (found.domain, found.tld, found.member, found.target) == ("host.dom", None, None, None)
    assert json.loads(found.to_json()) == found.to_dict()
    assert repr(found) == f"Record('http://host.dom/café', {found.start}..{found.end})"
    (broken,) = urlsift.scan(b"<URL:http://host.dom/a\n b>")
    (join,) = broken.joins
    assert (join.start, join.end, join.kind, join.grade) == (22, 24, "wrapper", "certain")


def test_texts_that_are_not_utf8():
    (record,) = urlsift.scan(b"<URL:http://host.dom/\xff\xfe>", malformed="only", name="a")
    assert record.url_bytes == b"http://host.dom/\xff\xfe" and record.readings_bytes == [record.url_bytes]
    assert record.url == "http://host.dom/\ufffd\ufffd" and record.path_bytes is None


def test_all_fields_are_attributes_with_documentation_and_in_the_stub():
    stub = ast.parse((ROOT / "crates/python/python/urlsift/__init__.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    for name, thing in vars(urlsift).items():
        if isinstance(thing, type):
            told = {node.name for node in classes[name].body if isinstance(node, ast.FunctionDef)}
            own = {m for m in vars(thing) if not m.startswith("_") and m != "from"}
            assert own <= told | {"__init__"} and {m for m in told if not m.startswith("_")} <= own, name
        elif callable(thing) and not name.startswith("_"):
            assert name in functions, name
    assert urlsift.Record.line.__doc__.startswith("The line that contains `start`. In lines from 1")
    schema = (ROOT / "docs/schema").glob("scan*.json")
    for path in schema:
        assert "quote_depth" in path.read_text()


def test_a_large_file_object_is_read_as_records_are_asked_for():
    class Endless(io.RawIOBase):
        asked = 0

        def read(self, size=-1):
            assert size > 0
            self.asked += 1
            return b"see http://host.dom/a now\n" * (size // 26 + 1)

    source = Endless()
    records = urlsift.scan(source, input="text")
    assert urls(next(records) for _ in range(1000)) == ["http://host.dom/a"] * 1000
    assert source.asked < 1000
    before = threading.active_count()
    del records
    gc.collect()
    assert threading.active_count() <= before


def test_errors_of_file_objects_are_their_own():
    class Broken:
        def read(self, size):
            raise RuntimeError("out of paper")

    with pytest.raises(RuntimeError, match="out of paper"):
        list(urlsift.scan(Broken()))
    with pytest.raises(TypeError, match="source must be open in binary mode"):
        list(urlsift.scan(io.StringIO("http://host.dom/")))


def test_errors_name_the_argument(tmp_path):
    for call, error, message in [
        (lambda: urlsift.scan(7), TypeError, "source must be a path, bytes or a file object, not int"),
        (lambda: urlsift.scan(b"", errors="ignore"), ValueError, "errors: 'ignore' is not one of 'raise', 'collect'"),
        (lambda: urlsift.scan(b"", name=7), TypeError, "name must be str, not int"),
        (lambda: urlsift.scan(b"", input="pdf"), ValueError, "input: 'pdf': write one of auto"),
    ]:
        with pytest.raises(error, match=message):
            call()
    with pytest.raises(FileNotFoundError) as caught:
        urlsift.scan(tmp_path / "none")
    assert caught.value.filename == str(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        urlsift.scan(tmp_path)


def test_the_summary_comes_at_the_end():
    records = urlsift.scan(MAIL)
    assert records.summary is None and records.errors == []
    list(records)
    assert records.summary == {"bytes": len(MAIL), "messages": 1, "urls": 2, "malformed": 1, "truncated": 0}
    assert list(records) == []


def test_find_and_scan_agree_on_plain_texts(corpus):
    packed = (".gz", ".bz2", ".xz", ".zst", ".lz4", ".lz", ".Z", ".zip", ".tar")
    for path in sorted(corpus.rglob("*")):
        if path.is_file() and path.suffix not in packed:
            text = path.read_bytes()
            try:
                text.decode()
            except UnicodeDecodeError:
                continue  # scan() guesses the charset of such a text, and find() doesn't
            for options in [{}, {"malformed": "include", "form": "+schemeless,locator"}, {"profile": "rfc1738"}]:
                found = [(m.url, m.start, m.end, m.form, m.valid) for m in urlsift.find(text, **options)]
                scanned = urlsift.scan(text, input="text", **options)
                records = [(r.url, r.start, r.end, r.form, r.valid) for r in scanned]
                assert found == records, path
                normal = [r.normalized or r.url for r in urlsift.scan(text, input="text", **options)]
                assert [m.normalized for m in urlsift.find(text, **options)] == normal, path


def test_scans_in_threads():
    scanner = urlsift.Scanner(headers="all")
    counts = []
    work = lambda: counts.append(sum(1 for _ in scanner.scan(MAIL)))
    threads = [threading.Thread(target=work) for _ in range(16)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert counts == [2] * 16


def test_what_is_packed_and_cut_off(tmp_path):
    whole = gzip.compress(b"see http://host.dom/a\n" * 20000)
    assert len(urls(urlsift.scan(whole))) == 20000
    records, found = urlsift.scan(whole[: len(whole) // 2], name="a.gz"), []
    with pytest.raises(urlsift.ScanError, match="a.gz: the compressed data end early") as caught:
        for record in records:
            found.append(record.url)
    assert (caught.value.path, caught.value.member) == ("a.gz", None)
    assert 0 < len(found) < 20000 and list(records) == []
    collected = urlsift.scan(whole[: len(whole) // 2], errors="collect")
    assert urls(collected) == found and collected.errors[0]["path"] == "-"


def test_what_expands_too_far():
    bomb = gzip.compress(b"http://host.dom/a " * 100000)
    with pytest.raises(urlsift.ScanError, match="max_expand allows more"):
        list(urlsift.scan(bomb, max_expand=1000))
    assert len(list(urlsift.scan(bomb, max_expand=None))) == 100000
    assert len(list(urlsift.scan(bomb, max_expand="4G"))) == 100000
    with pytest.raises(TypeError, match="max_expand must be int, str or None, not list"):
        urlsift.scan(bomb, max_expand=[])


@pytest.mark.parametrize("in_thread", [False, True])
def test_a_panic_is_an_exception(in_thread, capfd):
    with pytest.raises(BaseException, match="as it was asked for") as caught:
        list(urlsift._panic(in_thread))
    assert caught.type.__name__ == "PanicException"
    assert "as it was asked for" in capfd.readouterr().err
    assert urls(urlsift.scan(MAIL))


def test_defanged_urls_are_found_as_what_they_were():
    text = b"At hxxp://host[.]dom/a, they say."
    (record,) = urlsift.scan(text, refang=True)
    assert (record.url, text[record.start : record.end]) == ("http://host.dom/a", b"hxxp://host[.]dom/a")
    assert not list(urlsift.scan(text))
