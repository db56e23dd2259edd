"""A DuckDB function that finds the URLs of texts."""

import pyarrow

from . import Scanner

_FIELDS = ["url", "start", "end", "form", "normalized"]


def register(connection, name="urlsift_find", **options):
    """Registers an SQL function: urlsift_find(text) returns LIST(STRUCT(url, start, end, form, normalized)). The options are those of Scanner."""
    scanner = Scanner(**options)

    def find(texts):
        if isinstance(texts, pyarrow.ChunkedArray):
            texts = texts.combine_chunks()
        lists = pyarrow.array(scanner.find_column(texts, normalized=True))
        items = pyarrow.StructArray.from_arrays([lists.values.field(field) for field in _FIELDS], _FIELDS)
        return pyarrow.ListArray.from_arrays(lists.offsets, items, mask=lists.is_null())

    kind = "STRUCT(url VARCHAR, start BIGINT, \"end\" BIGINT, form VARCHAR, normalized VARCHAR)[]"
    connection.create_function(name, find, ["VARCHAR"], kind, type="arrow")
