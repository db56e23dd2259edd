"""Tables and columns passed through the Arrow PyCapsule interface to the libraries that support it."""

import pytest

import urlsift

MAIL = b"""From joe Thu Dec  1 10:00:00 1994
From: joe@host.dom
Message-ID: <1@host.dom>
Date: Thu, 1 Dec 1994 10:00:00 +0000

<URL:ftp://host.dom/a-
 b> and http://www.host.co.uk/

From ann Thu Dec  1 11:00:00 1994
From: ann@host.dom
Message-ID: <2@host.dom>

http://host.dom/c
"""
SECOND = MAIL.index(b"From ann")
TEXTS = ["é 😀 http://host.dom/a", None, "", "x http://host.dom/b http://host.dom/c"]
FOUND = [["http://host.dom/a"], None, [], ["http://host.dom/b", "http://host.dom/c"]]


def urls(lists):
    return [None if found is None else [one["url"] for one in found] for found in lists]


def test_pyarrow():
    pa = pytest.importorskip("pyarrow")
    scanner = urlsift.Scanner()
    batch = pa.record_batch(scanner.scan_batch(MAIL, name="a.mbox"))
    records = list(urlsift.scan(MAIL, name="a.mbox", with_=["domain", "tld", "port", "from_domain", "from_hash"]))
    assert batch.schema.metadata[b"urlsift.schema"] == b"1"
    assert batch.schema.field("date").type == pa.timestamp("us", "UTC")
    rows = batch.to_pylist()
    assert len(rows) == len(records) == 3
    for row, record in zip(rows, records):
        for name in ("path", "url", "start", "end", "line", "column", "form", "scheme", "host", "domain", "tld", "place"):
            assert row[name] == getattr(record, name), name
        assert row["message_id"] == record.message.id and row["from_domain"] == record.message.from_domain
        assert row["error"] is None and row["readings"] == record.readings[1:]
        assert [j["kind"] for j in row["joins"]] == [j.kind for j in record.joins]
    table = pa.table(scanner.scan_table(MAIL, name="a.mbox"))
    assert table.to_pylist() == rows and table.schema == batch.schema
    column = pa.array(scanner.find_column(pa.array(TEXTS)))
    assert urls(column.to_pylist()) == FOUND
    assert column[0].as_py()[0] == {"url": "http://host.dom/a", "start": 4, "end": 21, "form": "bare", "valid": True}
    assert TEXTS[0][4:21] == "http://host.dom/a"
    texts = pa.array(["At HTTP://Host.DOM:80 and www.host.dom", None])
    scanner = urlsift.Scanner(form="+schemeless")
    column = pa.array(scanner.find_column(texts, normalized=True))
    assert [(one["url"], one["normalized"]) for one in column[0].as_py()] == [
        (one.url, one.normalized) for one in scanner.find(texts[0].as_py())
    ] == [("HTTP://Host.DOM:80", "http://host.dom/"), ("www.host.dom", "www.host.dom")]
    assert column[1].as_py() is None


def test_columns_of_all_types():
    pa = pytest.importorskip("pyarrow")
    scanner = urlsift.Scanner()
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        assert urls(pa.array(scanner.find_column(pa.array(TEXTS, kind))).to_pylist()) == FOUND
    data = [None if text is None else text.encode() for text in TEXTS]
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
        found = pa.array(scanner.find_column(pa.array(data, kind))).to_pylist()
        assert urls(found) == FOUND and found[0][0]["start"] == 8
    chunks = pa.chunked_array([TEXTS[:1], TEXTS[1:3], TEXTS[3:]])
    assert urls(pa.array(scanner.find_column(chunks)).to_pylist()) == FOUND
    sliced = pa.array(TEXTS)[2:]
    assert urls(pa.array(scanner.find_column(sliced)).to_pylist()) == FOUND[2:]
    with pytest.raises(ValueError, match="column: a column of Int64"):
        scanner.find_column(pa.array([1]))
    with pytest.raises(TypeError, match="column must be a column of Arrow"):
        scanner.find_column(["http://host.dom/"])


def test_files_in_a_column():
    pa = pytest.importorskip("pyarrow")
    column = urlsift.Scanner().scan_column(pa.array([MAIL, None, b"", b"http://host.dom/"], pa.binary()))
    found = pa.array(column).to_pylist()
    assert [None if one is None else len(one) for one in found] == [3, None, 0, 1]
    assert found[0][2]["message_id"] == "<2@host.dom>" and found[3][0]["path"] == "-"


def test_units_are_the_whole():
    pa = pytest.importorskip("pyarrow")
    scanner = urlsift.Scanner(headers="all")
    whole = pa.record_batch(scanner.scan_batch(MAIL)).to_pylist()
    parts = [scanner.scan_batch(MAIL, unit=unit) for unit in [(0, SECOND), (SECOND, len(MAIL))]]
    assert [row for part in parts for row in pa.record_batch(part).to_pylist()] == whole
    with pytest.raises(ValueError, match="unit: 5 to 4 is outside of"):
        scanner.scan_batch(MAIL, unit=(5, 4))
    with pytest.raises(TypeError, match="data must be bytes, not str"):
        scanner.scan_batch("http://host.dom/")


def test_what_goes_wrong_is_a_row(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import gzip

    cut = gzip.compress(MAIL * 100)[:-300]
    for rows in [
        pa.table(urlsift.Scanner().scan_table(cut, name="a.gz")).to_pylist(),
        pa.record_batch(urlsift.Scanner().scan_batch(cut, name="a.gz")).to_pylist(),
    ]:
        (error,) = [row for row in rows if row["error"]]
        assert error["url"] is None and error["path"] == "a.gz" and "end early" in error["error"]
    table = urlsift.Scanner().scan_table(MAIL)
    pa.table(table)
    with pytest.raises(RuntimeError, match="this table was already read"):
        pa.table(table)


def test_a_long_stream_comes_in_batches():
    pa = pytest.importorskip("pyarrow")
    text = b"http://host.dom/a\n" * 50000
    reader = pa.RecordBatchReader.from_stream(urlsift.Scanner().scan_table(text))
    sizes = [batch.num_rows for batch in reader]
    assert sum(sizes) == 50000 and max(sizes) <= 8192


def test_polars():
    pl = pytest.importorskip("polars")
    scanner = urlsift.Scanner()
    frame = pl.DataFrame(scanner.scan_table(MAIL))
    assert frame["url"].to_list() == ["ftp://host.dom/a-b", "http://www.host.co.uk/", "http://host.dom/c"]
    found = pl.Series(scanner.find_column(pl.Series(TEXTS)))
    assert urls(found.to_list()) == FOUND


def test_pandas():
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    scanner = urlsift.Scanner()
    frame = pa.table(scanner.scan_table(MAIL)).to_pandas()
    assert isinstance(frame, pd.DataFrame) and list(frame["message_id"]) == ["<1@host.dom>"] * 2 + ["<2@host.dom>"]
    if hasattr(pd.DataFrame, "from_arrow"):
        assert list(pd.DataFrame.from_arrow(scanner.scan_table(MAIL))["url"]) == list(frame["url"])
    series = pd.Series(TEXTS, dtype=pd.ArrowDtype(pa.string()))
    # Before pandas 3, Series lacks the interface, so pyarrow converts it.
    column = series if hasattr(series, "__arrow_c_stream__") else pa.array(series)
    assert urls(pa.array(scanner.find_column(column)).to_pylist()) == FOUND


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    urls = urlsift.Scanner().scan_table(MAIL)
    counts = duckdb.sql("SELECT host, count(*) FROM urls WHERE error IS NULL GROUP BY host ORDER BY host").fetchall()
    assert counts == [("host.dom", 2), ("www.host.co.uk", 1)]


def test_columns_of_other_layouts():
    pa = pytest.importorskip("pyarrow")
    scanner = urlsift.Scanner()
    strings = pa.array(TEXTS)
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3, 4], pa.int32()), strings)
    for column in (strings.dictionary_encode(), strings.cast(pa.large_utf8()), strings.cast(pa.string_view()), runs):
        assert urls(pa.array(scanner.find_column(column)).to_pylist()) == FOUND, column.type
        assert urls(pa.array(scanner.scan_column(column)).to_pylist()) == FOUND, column.type
    # The positions in a dictionary's strings count characters, too.
    [[first], *_] = pa.array(scanner.find_column(strings.dictionary_encode())).to_pylist()
    assert first["start"] == 4
    nothing = pa.nulls(2)
    assert pa.array(scanner.find_column(nothing)).to_pylist() == [None, None]
    assert pa.array(scanner.scan_column(nothing)).to_pylist() == [None, None]
    with pytest.raises(ValueError, match="column"):
        scanner.find_column(pa.array([1, 2]).dictionary_encode())


def test_columns_of_nulls():
    scanner = urlsift.Scanner()
    pl = pytest.importorskip("polars")
    for column in (pl.Series([None, None]), pl.Series([], dtype=pl.Null)):
        assert pl.Series(scanner.find_column(column)).to_list() == [None] * len(column)
        assert pl.Series(scanner.scan_column(column)).to_list() == [None] * len(column)


def test_categories():
    pl = pytest.importorskip("polars")
    scanner = urlsift.Scanner()
    for dtype in (pl.Categorical, pl.Enum([text for text in TEXTS if text is not None])):
        assert urls(pl.Series(scanner.find_column(pl.Series(TEXTS, dtype=dtype))).to_list()) == FOUND, dtype
