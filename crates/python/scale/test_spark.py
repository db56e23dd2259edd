"""Spark over units: the counts equal those of a single scan, even if workers and files fail."""

import json
import os
import shutil
import signal
import sys

import pytest

import urlsift

pyarrow = pytest.importorskip("pyarrow")
pyspark = pytest.importorskip("pyspark")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("there is no Java", allow_module_level=True)

import urlsift.spark  # noqa: E402

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


@pytest.fixture(scope="module")
def spark():
    session = (
        pyspark.sql.SparkSession.builder.master("local[2, 3]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    yield session
    session.stop()


def message(n, body):
    return (
        f"From joe@host.dom Thu Dec  1 10:00:00 {1990 + n % 9}\nDate: 1 Dec {1990 + n % 9} 10:00:00 +0000\n"
        f"Message-ID: <{n}@host.dom>\nSubject: {n}\n\nSee http://host{n % 3}.dom/{n} .\n{body}\n"
    )


@pytest.fixture
def mailbox(tmp_path):
    path = tmp_path / "a.mbox"
    # One message, and thus its unit, is as long as all others together.
    bodies = ("http://long.dom/x\n" * 20_000 if n == 700 else "words and words\n" * 9 for n in range(2000))
    path.write_text("".join(message(n, body) for n, body in enumerate(bodies)))
    return str(path)


def frame(spark, units, tmp_path, partitions=6):
    path = tmp_path / "units.jsonl"
    path.write_text("".join(json.dumps(unit) + "\n" for unit in units))
    return spark.read.json(str(path)).repartition(partitions)


def key(row):
    return (row["start"], row["url"], row["message_id"], row["line"])


def expected(path):
    batch = urlsift.Scanner().scan_batch(open(path, "rb").read(), name=path)
    return sorted(map(key, pyarrow.record_batch(batch).to_pylist()))


def found(df):
    return sorted(map(key, df.select("start", "url", "message_id", "line").collect()))


def test_counts_are_those_of_a_single_scan(spark, mailbox, tmp_path):
    units = urlsift.units(mailbox, size=50_000)
    assert len(units) > 5
    df = urlsift.spark.scan_units(frame(spark, units, tmp_path))
    assert found(df) == expected(mailbox)
    # The schema survives Spark and Parquet, and DuckDB can read it.
    out = str(tmp_path / "out")
    df.write.options(**urlsift.spark.PARQUET_OPTIONS).parquet(out)
    assert spark.read.parquet(out).schema == df.schema
    duckdb = pytest.importorskip("duckdb")
    sql = f"SELECT count(*) FROM read_parquet('{out}/*.parquet') WHERE error IS NULL AND date >= '1990-01-01'"
    assert duckdb.connect().execute(sql).fetchone()[0] == len(expected(mailbox))
    by_year = df.selectExpr("year(date) AS year", "host").groupBy("year", "host").count().collect()
    assert sum(row["count"] for row in by_year) == len(expected(mailbox))
    assert {row["year"] for row in by_year} == set(range(1990, 1999))


def test_find_is_a_function_of_a_column(spark):
    df = spark.createDataFrame([("see http://a.dom/é now",), (None,), ("nothing",)], "text string")
    rows = df.select(urlsift.spark.find("text").alias("urls")).collect()
    assert [row["urls"] and row["urls"][0]["url"] for row in rows] == ["http://a.dom/é", None, []]


def test_a_flaky_file_is_tried_again(spark, mailbox, tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()

    def flaky(path, mode):
        mark = marks / str(len(os.listdir(marks)))
        if len(os.listdir(marks)) < 2:
            mark.touch()
            raise OSError("the network is gone")
        return open(path, mode)

    df = urlsift.spark.scan_units(frame(spark, urlsift.units(mailbox, size=50_000), tmp_path, 2), open=flaky)
    found_rows = df.select("start", "url", "message_id", "line").collect()
    assert sorted(map(key, found_rows)) == expected(mailbox)
    assert len(os.listdir(marks)) == 2


def test_a_worker_that_is_killed_leaves_no_row_twice(spark, mailbox, tmp_path):
    mark = tmp_path / "killed"

    def deadly(path, mode):
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return open(path, mode)

    df = urlsift.spark.scan_units(frame(spark, urlsift.units(mailbox, size=50_000), tmp_path), open=deadly)
    assert found(df) == expected(mailbox) and mark.exists()


@pytest.mark.parametrize("change", ["missing", "stale"])
def test_what_cannot_be_scanned_raises_or_is_a_row(spark, mailbox, tmp_path, change):
    units = urlsift.units(mailbox, size=50_000)
    if change == "missing":
        units.append({**units[0], "path": str(tmp_path / "none")})
    else:
        with open(mailbox, "r+") as file:
            file.write(message(0, "put in front"))
            file.seek(0, os.SEEK_END)
            file.write("x")
    df = frame(spark, units, tmp_path)
    with pytest.raises(Exception, match="none" if change == "missing" else "unit.stale"):
        urlsift.spark.scan_units(df).count()
    rows = urlsift.spark.scan_units(df, on_error="row").where("error IS NOT NULL").collect()
    assert len(rows) == (1 if change == "missing" else len(units))
    assert all(row["url"] is None and row["end"] is not None and row["joins"] == [] for row in rows)
    assert {row["start"] for row in rows} <= {unit["start"] for unit in units}


def test_arguments():
    with pytest.raises(ValueError, match="on_error"):
        urlsift.spark.scan_units(None, on_error="ignore")
