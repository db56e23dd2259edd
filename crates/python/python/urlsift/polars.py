"""The namespace `urlsift` for Polars expressions and series: `import urlsift.polars`."""

import polars
import pyarrow

from . import Scanner


def _find(series, options):
    return polars.from_arrow(pyarrow.array(Scanner(**options).find_column(series.to_arrow()))).rename(series.name)


@polars.api.register_series_namespace("urlsift")
class UrlsOfSeries:
    def __init__(self, series):
        self._series = series

    def find(self, **options):
        """Finds the URLs of each text: a list of structs with url, start, end, form and valid. The options are those of Scanner."""
        return _find(self._series, options)


@polars.api.register_expr_namespace("urlsift")
class UrlsOfExpr:
    def __init__(self, expr):
        self._expr = expr

    def find(self, **options):
        """Finds the URLs of each text: a list of structs with url, start, end, form and valid. The options are those of Scanner."""
        empty = _find(polars.Series("", [], dtype=polars.String), options)
        return self._expr.map_batches(lambda series: _find(series, options), return_dtype=empty.dtype)
