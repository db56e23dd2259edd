"""Splits files into units, and reads and scans units of local and remote files."""

import os
from builtins import open as open_file
from datetime import datetime

from ._urlsift import _LONG, Scanner, _cut


class StaleUnit(Exception):
    """A file has changed since its units were listed. Its attributes are path, start and end."""

    def __init__(self, unit, message):
        super().__init__(f"unit.stale: {message}")
        self.path, self.start, self.end = unit["path"], unit.get("start", 0), unit.get("end")


def _state(path, handle):
    """Returns the size, modification time and version of a file, as far as the file system knows them."""
    if hasattr(handle, "fs") and hasattr(handle, "path"):
        info = handle.fs.info(handle.path)
        changed = info.get("mtime", info.get("LastModified"))
        state = {"size": info.get("size")}
        if isinstance(changed, datetime):
            state["mtime_ns"] = _of_seconds(changed.timestamp())
        elif changed is not None:
            state["mtime_ns"] = _of_seconds(changed)
        if info.get("ETag"):
            state["etag"] = info["ETag"]
        return state
    found = os.stat(path)
    return {"size": found.st_size, "mtime_ns": found.st_mtime_ns}


def _of_seconds(seconds):
    # Floats are not precise to nanoseconds, so times are rounded to microseconds.
    return round(seconds * 1_000_000) * 1000


def _differ(key, then, now, is_rounded):
    """True if an attribute of a file has changed. With is_rounded, times are compared to the microsecond."""
    if then is None or now is None:
        return False
    return abs(then - now) >= 1000 if key == "mtime_ns" and is_rounded else then != now


def units(path, /, *, open=None, size=16 << 20, **options):
    """Splits one file into units of at least size bytes. Returns dicts as `urlsift units` prints them.

    open is a function that opens the file, like `fsspec.open`: `units("s3://bucket/a.mbox.gz", open=fsspec.open)`. The
    file is read once, from start to end. The options are those of Scanner. Raises any error of opening and reading the file.
    """
    path = os.fspath(path)
    handle = (open or open_file)(path, "rb")
    state = _state(path, handle)
    with handle as file:
        found = _cut(file, path, size, **options)
    return [{**unit, **state} for unit in found]


def _opened(unit, open):
    """Opens the file of a unit. Raises StaleUnit if the file has changed since its units were listed."""
    handle = (open or open_file)(unit["path"], "rb")
    state = _state(unit["path"], handle)
    for key in ("size", "mtime_ns", "etag"):
        then, now = unit.get(key), state.get(key)
        if _differ(key, then, now, is_rounded=open is not None):
            raise StaleUnit(unit, f"{key} was {then} and is {now}: list the units again")
    return handle


def _stored(unit):
    """Returns the byte range (start, end) to read for a unit, or (None, None) for the whole file."""
    kind = "context" if unit.get("raw_start") is None else "raw"
    return tuple(unit.get(f"{kind}_{side}") for side in ("start", "end"))


def _must_reach(unit, size, end):
    """Raises StaleUnit if the file ends before the unit."""
    if size < end:
        raise StaleUnit(unit, f"it ends at byte {size}: list the units again")


def read_unit(unit, /, *, open=None):
    """Returns the bytes that are needed to scan a unit, read from its file. Raises StaleUnit if the file has changed since its units were listed."""
    start, end = _stored(unit)
    with _opened(unit, open) as file:
        if start is None or end is None:
            return file.read()
        file.seek(start)
        data = file.read(end - start)
    _must_reach(unit, start + len(data), end)
    return data


def scan_unit(unit, /, *, open=None, scanner=None):
    """Scans a unit of the file that it names. Returns the records as a Batch.

    A unit of up to 64 MiB is read as a whole if it is compressed or open is given. Other units are read in pieces, and memory
    use is limited to a piece, or a message or page of up to 64 MiB. In this case, the object that open returns must have seek().
    Raises StaleUnit, and any error of opening and reading the file.
    """
    scanner = scanner or Scanner()
    # For a local file, many small reads are cheap, and the pieces stay in the processor's cache.
    if _is_short(unit) and (open or unit.get("raw_start") is not None):
        return scanner.scan_batch(read_unit(unit, open=open), name=unit["path"], unit=unit)
    with _opened(unit, open) as file:
        return scanner._scan_file(_source(unit, file, open), unit)


def scan_unit_batches(unit, /, *, open=None, scanner=None):
    """Scans a unit like scan_unit(), but yields batches: one Batch for a unit of up to 64 MiB, and batches of 8,192 rows for
    larger units, so that not all records are in memory at once. A read error is raised after the records before it.
    """
    if _is_short(unit):
        yield scan_unit(unit, open=open, scanner=scanner)
        return
    with _opened(unit, open) as file:
        yield from (scanner or Scanner())._scan_file_batches(_source(unit, file, open), unit)


def _is_short(unit):
    """True if a unit is at most 64 MiB, and can be read as a whole."""
    start, end = unit.get("context_start"), unit.get("context_end")
    return start is not None and end is not None and end - start <= _LONG


def _source(unit, file, open):
    """Returns the source for reading a unit in pieces: the path of a local file, which is read without Python, or a file object."""
    start, end = _stored(unit)
    if start is not None and end is not None:
        _must_reach(unit, file.seek(0, os.SEEK_END), end)
    return file if open else unit["path"]


def schema():
    """Returns the columns of `urlsift schema urls` as a pyarrow.Schema."""
    import pyarrow

    return pyarrow.schema(Scanner().scan_batch(b""))


def error_batch(unit, message, /):
    """Returns a pyarrow.RecordBatch with one row whose column `error` is message, for a unit that could not be scanned."""
    import pyarrow

    columns = schema()
    row = {field.name: [] if pyarrow.types.is_list(field.type) else None for field in columns}
    row.update(path=unit["path"], start=unit.get("start"), end=unit.get("end"), error=message)
    return pyarrow.RecordBatch.from_pylist([row], schema=columns)
