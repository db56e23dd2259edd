"""Units of files, wherever these are: cut, read and scanned."""

import os
from builtins import open as open_file
from datetime import datetime

from ._urlsift import Scanner, _cut


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


def read_unit(unit, /, *, open=None):
    """The bytes that a unit is scanned with, of the file that it names. Raises StaleUnit if the file is not the one that was cut."""
    handle = (open or open_file)(unit["path"], "rb")
    state = _state(unit["path"], handle)
    for key in ("size", "mtime_ns", "etag"):
        then, now = unit.get(key), state.get(key)
        if _differ(key, then, now, is_rounded=open is not None):
            raise StaleUnit(unit, f"{key} was {then} and is {now}: list the units again")
    packed = unit.get("raw_start") is not None
    start, end = (unit.get(f"{'raw' if packed else 'context'}_{side}") for side in ("start", "end"))
    with handle as file:
        if start is None or end is None:
            return file.read()
        file.seek(start)
        data = file.read(end - start)
    if len(data) < end - start:
        raise StaleUnit(unit, f"it ends at byte {start + len(data)}: list the units again")
    return data


def scan_unit(unit, /, *, open=None, scanner=None):
    """The records of a unit, of the file that it names, as a Batch. Raises StaleUnit, and what opening and reading raise."""
    return (scanner or Scanner()).scan_batch(read_unit(unit, open=open), name=unit["path"], unit=unit)


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
