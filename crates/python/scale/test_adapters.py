"""The adapters, each with the real library. Tests of libraries that are not installed are skipped and reported."""

import io
import json

import pytest

import urlsift

pyarrow = pytest.importorskip("pyarrow")

TEXT = "See http://host.dom/é and <URL:ftp://f.dom/a> now"
URLS = ["http://host.dom/é", "ftp://f.dom/a"]


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    import urlsift.duckdb

    connection = duckdb.connect()
    urlsift.duckdb.register(connection)
    connection.execute("CREATE TABLE t AS SELECT * FROM (VALUES (?), ('nothing'), ('HTTP://HOST.dom:80/')) v(text)", [TEXT])
    found = connection.execute("SELECT urlsift_find(text) FROM t").fetchall()
    assert [one["url"] for one in found[0][0]] == URLS
    assert TEXT[found[0][0][0]["start"] : found[0][0][0]["end"]] == URLS[0]
    assert found[1][0] == [] and found[2][0][0]["normalized"] == "http://host.dom/"
    null = connection.execute("SELECT urlsift_find(t) FROM (VALUES ('http://a.dom'), (NULL), ('http://b.dom/')) v(t)").fetchall()
    assert [row[0] and row[0][0]["normalized"] for row in null] == ["http://a.dom/", None, "http://b.dom/"]
    flat = "SELECT u.normalized FROM (SELECT unnest(urlsift_find(text)) AS u FROM t)"
    assert len(connection.execute(flat).fetchall()) == 3


def test_polars():
    polars = pytest.importorskip("polars")
    import urlsift.polars

    frame = polars.DataFrame({"text": [TEXT, None, "nothing"]})
    found = frame.with_columns(urls=polars.col("text").urlsift.find())
    assert [one["url"] for one in found["urls"][0]] == URLS
    assert found["urls"].to_list()[1:] == [None, []]
    lazy = frame.lazy().select(polars.col("text").urlsift.find(scheme="ftp").alias("u")).collect()
    assert [one["url"] for one in lazy["u"][0]] == URLS[1:]
    assert frame["text"].urlsift.find().to_list() == found["urls"].to_list()


def test_duckdb_and_polars_return_the_same_columns():
    duckdb = pytest.importorskip("duckdb")
    polars = pytest.importorskip("polars")
    import urlsift.duckdb
    import urlsift.polars

    connection = duckdb.connect()
    urlsift.duckdb.register(connection)
    [(found,)] = connection.execute("SELECT urlsift_find(?)", [TEXT]).fetchall()
    assert found == polars.Series([TEXT]).urlsift.find()[0].to_list()
    assert list(found[0]) == ["url", "start", "end", "form", "valid", "normalized"]


def test_pandas():
    pandas = pytest.importorskip("pandas")
    table = pyarrow.table({"u": pyarrow.array(urlsift.Scanner().find_column(pyarrow.array([TEXT])))})
    assert isinstance(table.to_pandas(), pandas.DataFrame)


def test_datatrove():
    pytest.importorskip("datatrove")
    from datatrove.data import Document

    from urlsift.datatrove import UrlExtractor, UrlMasker

    documents = [Document(text=TEXT, id="1"), Document(text="nothing", id="2")]
    extracted = list(UrlExtractor().run(documents))
    assert [one["url"] for one in extracted[0].metadata["urls"]] == URLS
    assert extracted[1].metadata["urls"] == []
    masked = list(UrlMasker(mask="[URL]").run(documents))
    assert masked[0].text == "See [URL] and <URL:[URL]> now" and masked[1].text == "nothing"


def web_archive():
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href='http://a.dom/'>http://b.dom/</a>"
    out = io.BytesIO()
    warcio = pytest.importorskip("warcio")
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    assert warcio
    writer = WARCWriter(out, gzip=True)
    for number in range(50):
        head, body = page.split(b"\r\n\r\n")
        headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        uri = f"http://page.dom/{number}"
        writer.write_record(writer.create_warc_record(uri, "response", io.BytesIO(body), http_headers=headers))
        uri = f"http://text.dom/{number}"
        text = io.BytesIO(b"see http://c.dom/ now" * number)
        kind = "text/plain"
        writer.write_record(writer.create_warc_record(uri, "conversion", text, warc_content_type=kind))
    return out.getvalue()


def test_warcio_and_fastwarc_see_the_same_records():
    pytest.importorskip("warcio")
    fastwarc = pytest.importorskip("fastwarc.warc")
    from warcio.archiveiterator import ArchiveIterator

    from urlsift.spark import UrlRecords

    raw = web_archive()
    records = list(urlsift.scan(raw, name="a.warc.gz"))
    ours = {}
    for record in records:
        ours.setdefault((record.page.uri, record.page.id), []).append(record.normalized or record.url)
    theirs, job = {}, UrlRecords()
    for record in ArchiveIterator(io.BytesIO(raw)):
        uri = record.rec_headers.get_header("WARC-Target-URI")
        found = [url for _, url in job.process_record(record)]
        if found:
            theirs[uri, record.rec_headers.get_header("WARC-Record-ID").strip("<>")] = found
    assert ours == theirs
    fast = {
        (record.headers["WARC-Target-URI"], record.record_id.strip("<>"))
        for record in fastwarc.ArchiveIterator(io.BytesIO(raw))
    }
    assert set(ours) <= fast
    # Each record of the unit list starts where a record does.
    import gzip

    whole = gzip.decompress(raw)
    for unit in urlsift._cut(io.BytesIO(raw), "a.warc.gz", 1):
        assert whole[unit["start"] :].startswith(b"WARC/1.")


def test_memory_and_local_files_by_fsspec(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    lines = "".join(f"http://host.dom/{n}\n" for n in range(20_000)).encode()
    (tmp_path / "a").write_bytes(lines)
    with fsspec.open("memory://a/b.txt", "wb") as file:
        file.write(lines)
    for path in [f"file://{tmp_path}/a", "memory://a/b.txt"]:
        units = urlsift.units(path, open=fsspec.open, size=100_000)
        assert len(units) > 2
        found = [
            row["url"]
            for unit in units
            for row in pyarrow.record_batch(urlsift.scan_unit(unit, open=fsspec.open)).to_pylist()
        ]
        assert found == lines.decode().split()
    with fsspec.open("memory://a/b.txt", "wb") as file:
        file.write(lines[1:])
    with pytest.raises(urlsift.StaleUnit):
        urlsift.scan_unit(units[0], open=fsspec.open)


def test_s3(monkeypatch):
    moto = pytest.importorskip("moto.server")
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("s3fs")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    server = moto.ThreadedMotoServer(port=0)
    server.start()
    host, port = server.get_host_and_port()
    fs = {"endpoint_url": f"http://{host}:{port}", "use_listings_cache": False}

    def opened(path, mode):
        return fsspec.open(path, mode, **fs)

    try:
        lines = "".join(f"http://host.dom/{n}\n" for n in range(20_000)).encode()
        store = fsspec.filesystem("s3", **fs)
        store.mkdir("bucket")
        with opened("s3://bucket/a.txt", "wb") as file:
            file.write(lines)
        units = urlsift.units("s3://bucket/a.txt", open=opened, size=100_000)
        assert len(units) > 2 and all(unit["etag"] for unit in units)
        found = [
            row["url"]
            for unit in units
            for row in pyarrow.record_batch(urlsift.scan_unit(unit, open=opened)).to_pylist()
        ]
        assert found == lines.decode().split()
        with opened("s3://bucket/a.txt", "wb") as file:
            file.write(lines[::-1])
        store.invalidate_cache()
        with pytest.raises(urlsift.StaleUnit):
            urlsift.scan_unit(units[0], open=opened)
    finally:
        server.stop()


def test_the_list_is_json(tmp_path):
    (tmp_path / "a").write_bytes(b"http://host.dom/\n")
    (unit,) = urlsift.units(tmp_path / "a")
    assert json.loads(json.dumps(unit)) == unit
