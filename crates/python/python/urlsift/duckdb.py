"""A DuckDB function that finds the URLs of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow

from . import Scanner

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from duckdb import DuckDBPyConnection

    from . import Options

_TYPE = 'STRUCT(url VARCHAR, start BIGINT, "end" BIGINT, form VARCHAR, valid BOOLEAN, normalized VARCHAR)[]'


def register(connection: DuckDBPyConnection, name: str = "urlsift_find", **options: Unpack[Options]) -> None:
    """Registers an SQL function: urlsift_find(text) returns a list of structs with url, start, end, form, valid and normalized.

    The options are those of Scanner. NULL stays NULL.
    """
    scanner = Scanner(**options)

    def find(texts: pyarrow.Array | pyarrow.ChunkedArray) -> pyarrow.Array:
        if isinstance(texts, pyarrow.ChunkedArray):
            texts = texts.combine_chunks()
        return pyarrow.array(scanner.find_column(texts, normalized=True))

    connection.create_function(name, find, ["VARCHAR"], _TYPE, type="arrow")  # type: ignore[call-overload,unused-ignore]
