"""URLs of texts in DuckDB."""

import pyarrow

from . import Scanner, parse

_TYPE = pyarrow.list_(
    pyarrow.struct(
        [
            ("url", pyarrow.string()),
            ("start", pyarrow.int64()),
            ("end", pyarrow.int64()),
            ("form", pyarrow.string()),
            ("normalized", pyarrow.string()),
        ]
    )
)


def register(connection, name="urlsift_find", **options):
    """Adds a function: urlsift_find(text) → LIST(STRUCT(url, start, end, form, normalized)). The options are those of Scanner."""
    scanner = Scanner(**options)
    profile = options.get("profile", "web")

    def find(texts):
        if isinstance(texts, pyarrow.ChunkedArray):
            texts = texts.combine_chunks()
        lists = pyarrow.array(scanner.find_column(texts)).to_pylist()
        for found in lists:
            for one in found or ():
                one.pop("valid")
                told = parse(one["url"], profile=profile, reference=True)
                one["normalized"] = told.normalized if told.valid else one["url"]
        return pyarrow.array(lists, _TYPE)

    kind = "STRUCT(url VARCHAR, start BIGINT, \"end\" BIGINT, form VARCHAR, normalized VARCHAR)[]"
    connection.create_function(name, find, ["VARCHAR"], kind, type="arrow")
