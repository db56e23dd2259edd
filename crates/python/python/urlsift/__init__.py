from . import _urlsift
from ._units import StaleUnit, error_batch, read_unit, scan_unit, scan_unit_batches, schema, units
from ._urlsift import *  # noqa: F403
from ._urlsift import __version__, _cut, _panic

__doc__ = _urlsift.__doc__
