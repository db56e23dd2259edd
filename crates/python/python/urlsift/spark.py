"""Finds URLs of files and columns in Spark through Arrow. Needs pyspark 4.1 or later."""

import pyarrow
from pyspark.sql.functions import arrow_udf
from pyspark.sql.pandas.types import from_arrow_schema, from_arrow_type

from . import Scanner, StaleUnit, error_batch, scan_unit_batches, schema

PARQUET_OPTIONS = {"compression": "zstd", "parquet.enable.dictionary": "false"}
"""The options with which Spark writes records fastest: `scan_units(df).write.options(**PARQUET_OPTIONS).parquet(out)`.

Dictionaries cost a look-up for each value. zstd compresses repeated values just as well, and the files are smaller than with the defaults.
"""


def scan_units(df, on_error="raise", *, open=None, **options):
    """Scans the units in the rows of a DataFrame. Returns a DataFrame of records with the columns of `urlsift schema urls`.

    Each row is a unit, with the fields that `urlsift units` prints: `spark.read.json("units.jsonl")`. open is a function that
    opens a file on the worker, like `fsspec.open`. By default, a file that can't be read or has changed since its units were
    listed raises an error that fails the task, and Spark retries it. With on_error="row", the error is a row with `error`
    after the records before it. The options are those of Scanner.
    """
    if on_error not in ("raise", "row"):
        raise ValueError(f"on_error: {on_error!r} is neither 'raise' nor 'row'")

    def scan(batches):
        scanner = Scanner(**options)
        for batch in batches:
            for row in batch.to_pylist():
                unit = {key: value for key, value in row.items() if value is not None}
                try:
                    for found in scan_unit_batches(unit, open=open, scanner=scanner):
                        yield pyarrow.record_batch(found)
                except (StaleUnit, OSError) as error:
                    if on_error == "raise":
                        raise
                    yield error_batch(unit, str(error))

    return df.mapInArrow(scan, from_arrow_schema(schema()))


def find(column, **options):
    """Finds the URLs in each value of a column of strings or bytes: an array of structs with url, start, end, form, valid and normalized.

    The options are those of Scanner. Null stays null.
    """
    empty = pyarrow.array(Scanner().find_column(pyarrow.array([], pyarrow.string()), normalized=True))
    scanner = Scanner(**options)

    def of(texts: pyarrow.Array) -> pyarrow.Array:
        return pyarrow.array(scanner.find_column(texts, normalized=True))

    return arrow_udf(of, from_arrow_type(empty.type))(column)


class UrlRecords:
    """A mixin for CCSparkJob of cc-pyspark, whose process_record scans a web archive record. List it before CCSparkJob.

    Yields a pair for each URL found: the URL of the page, and the normalized URL.
    """

    scanner = None

    def process_record(self, record):
        if record.rec_type not in ("response", "conversion"):
            return
        if self.scanner is None:
            self.scanner = Scanner()
        kind = record.rec_headers.get_header("Content-Type") or ""
        if record.rec_type == "response":
            if record.http_headers is None:
                return
            kind = record.http_headers.get_header("Content-Type") or ""
        kind = kind.split(";")[0].strip().lower()
        if kind and not kind.startswith("text/") and not kind.endswith(("+xml", "/xml", "/json")):
            return
        page = record.rec_headers.get_header("WARC-Target-URI")
        name = "page.html" if "html" in kind else "page.txt"
        for found in self.scanner.scan(record.content_stream().read(), name=name, errors="collect"):
            yield page, found.normalized or found.url
