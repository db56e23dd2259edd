"""The namespace `urlsift` for Polars expressions and series: `import urlsift.polars`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars
import pyarrow

from . import Scanner

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import Options


def _find(series: polars.Series, options: Options) -> polars.Series:
    found = pyarrow.array(Scanner(**options).find_column(series.to_arrow(), normalized=True))
    return polars.Series(series.name, found)


@polars.api.register_series_namespace("urlsift")
class UrlsOfSeries:
    def __init__(self, series: polars.Series) -> None:
        self._series = series

    def find(self, **options: Unpack[Options]) -> polars.Series:
        """Finds the URLs of each text: a list of structs with url, start, end, form, valid and normalized.

        The options are those of Scanner. Null stays null.
        """
        return _find(self._series, options)


@polars.api.register_expr_namespace("urlsift")
class UrlsOfExpr:
    def __init__(self, expr: polars.Expr) -> None:
        self._expr = expr

    def find(self, **options: Unpack[Options]) -> polars.Expr:
        """Finds the URLs of each text: a list of structs with url, start, end, form, valid and normalized.

        The options are those of Scanner. Null stays null.
        """
        empty = _find(polars.Series("", [], dtype=polars.String), options)
        return self._expr.map_batches(lambda series: _find(series, options), return_dtype=empty.dtype)
