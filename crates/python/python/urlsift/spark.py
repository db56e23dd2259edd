"""URLs of files and columns in Spark, by Arrow: pyspark 4.1 or later."""

import pyarrow
from pyspark.sql.functions import arrow_udf
from pyspark.sql.pandas.types import from_arrow_schema, from_arrow_type

from . import Scanner, StaleUnit, error_batch, scan_unit_batches, schema

PARQUET_OPTIONS = {"compression": "zstd", "parquet.enable.dictionary": "false"}
"""How Spark writes records at the least cost: `scan_units(df).write.options(**PARQUET_OPTIONS).parquet(out)`.

For the dictionary of a column each value is looked up, and zstd finds what repeats itself as well: the files are smaller than by default.
"""


def scan_units(df, on_error="raise", *, open=None, **options):
    """The records of the units that the rows of a DataFrame are, one each, with the columns of `urlsift schema urls`.

    The rows have the fields that `urlsift units` prints: `spark.read.json("units.jsonl")`. open is what opens a file where the
    worker runs, as `fsspec.open` does. What cannot be read, and a file that is not the one that was cut, raises and so fails
    the task, which Spark tries again; with on_error="row" it is a row with `error`, behind
    those that were found before. The options are those of Scanner.
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
    """The URLs of each value of a column of texts or bytes: an array of structures with url, start, end, form and valid.

    The options are those of Scanner. Null stays null.
    """
    empty = pyarrow.array(Scanner().find_column(pyarrow.array([], pyarrow.string())))
    scanner = Scanner(**options)

    def of(texts: pyarrow.Array) -> pyarrow.Array:
        return pyarrow.array(scanner.find_column(texts))

    return arrow_udf(of, from_arrow_type(empty.type))(column)


class UrlRecords:
    """What cc-pyspark calls for each record of a web archive: mix it in before CCSparkJob, or inherit its process_record.

    Gives a pair for each URL: that of the page, and the URL as it is compared.
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
