"""Units of files, wherever these are: cut, read and scanned."""

import os
from builtins import open as open_file
from datetime import datetime

from ._urlsift import _LONG, Scanner, _cut


class StaleUnit(Exception):
    """A file is not the one that was cut: its attributes are path, start and end."""

    def __init__(self, unit, message):
        super().__init__(f"unit.stale: {message}")
        self.path, self.start, self.end = unit["path"], unit.get("start", 0), unit.get("end")


def _state(path, handle):
    """What the file system says of a file: its size, when it was changed, its version."""
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
    # A float holds no nanoseconds.
    return round(seconds * 1_000_000) * 1000


def _differ(key, then, now, is_rounded):
    """Whether a file changed, by what is known of it then and now. A time may have been rounded to microseconds."""
    if then is None or now is None:
        return False
    return abs(then - now) >= 1000 if key == "mtime_ns" and is_rounded else then != now


def units(path, /, *, open=None, size=16 << 20, **options):
    """The units of one file, of at least size bytes: dicts as `urlsift units` prints them.

    open is what opens it, as `fsspec.open` does: `units("s3://bucket/a.mbox.gz", open=fsspec.open)`. The file is read once,
    from front to end. The options are those of Scanner. Raises what opening and reading it raise.
    """
    path = os.fspath(path)
    handle = (open or open_file)(path, "rb")
    state = _state(path, handle)
    with handle as file:
        found = _cut(file, path, size, **options)
    return [{**unit, **state} for unit in found]


def _opened(unit, open):
    """What opens the file of a unit. Raises StaleUnit if it is not the one that was cut."""
    handle = (open or open_file)(unit["path"], "rb")
    state = _state(unit["path"], handle)
    for key in ("size", "mtime_ns", "etag"):
        then, now = unit.get(key), state.get(key)
        if _differ(key, then, now, is_rounded=open is not None):
            raise StaleUnit(unit, f"{key} was {then} and is {now}: list the units again")
    return handle


def _stored(unit):
    """From where to where a unit is read in its file; None if that is all of it."""
    kind = "context" if unit.get("raw_start") is None else "raw"
    return tuple(unit.get(f"{kind}_{side}") for side in ("start", "end"))


def _must_reach(unit, size, end):
    if size < end:
        raise StaleUnit(unit, f"it ends at byte {size}: list the units again")


def read_unit(unit, /, *, open=None):
    """The bytes that a unit is scanned with, of the file that it names. Raises StaleUnit if the file is not the one that was cut."""
    start, end = _stored(unit)
    with _opened(unit, open) as file:
        if start is None or end is None:
            return file.read()
        file.seek(start)
        data = file.read(end - start)
    _must_reach(unit, start + len(data), end)
    return data


def scan_unit(unit, /, *, open=None, scanner=None):
    """The records of a unit, of the file that it names, as a Batch. A unit up to 64 MiB that open gives, or that is packed, is read at
    once; of others no more is held than a piece, or a message or page of up to 64 MiB: what open gives must have seek() then. Raises
    StaleUnit, and what opening and reading raise.
    """
    scanner = scanner or Scanner()
    # A local file costs nothing to be asked often, and pieces stay in the processor's cache.
    if _is_short(unit) and (open or unit.get("raw_start") is not None):
        return scanner.scan_batch(read_unit(unit, open=open), name=unit["path"], unit=unit)
    with _opened(unit, open) as file:
        return scanner._scan_file(_source(unit, file, open), unit)


def scan_unit_batches(unit, /, *, open=None, scanner=None):
    """The records of a unit as scan_unit gives them, batch by batch: of a unit up to 64 MiB one Batch, of others such of 8,192 rows
    as they are found, so that they need not be held all at once. What cannot be read is raised behind what was found before.
    """
    if _is_short(unit):
        yield scan_unit(unit, open=open, scanner=scanner)
        return
    with _opened(unit, open) as file:
        yield from (scanner or Scanner())._scan_file_batches(_source(unit, file, open), unit)


def _is_short(unit):
    """Whether a unit is read at once."""
    start, end = unit.get("context_start"), unit.get("context_end")
    return start is not None and end is not None and end - start <= _LONG


def _source(unit, file, open):
    """What a unit is read from piece by piece: a local file needs no Python."""
    start, end = _stored(unit)
    if start is not None and end is not None:
        _must_reach(unit, file.seek(0, os.SEEK_END), end)
    return file if open else unit["path"]


def schema():
    """The columns of `urlsift schema urls`, as a pyarrow.Schema."""
    import pyarrow

    return pyarrow.schema(Scanner().scan_batch(b""))


def error_batch(unit, message, /):
    """A pyarrow.RecordBatch of one row with `error`, for a unit that could not be scanned."""
    import pyarrow

    columns = schema()
    row = {field.name: [] if pyarrow.types.is_list(field.type) else None for field in columns}
    row.update(path=unit["path"], start=unit.get("start"), end=unit.get("end"), error=message)
    return pyarrow.RecordBatch.from_pylist([row], schema=columns)
