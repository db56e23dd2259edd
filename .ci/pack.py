"""Packs a directory with the same bytes each time. Usage: pack.py DIRECTORY OUTPUT

OUTPUT ends in .tar.gz or .zip, and its names start with that of the directory, or in .tar, which has
the contents of the directory. The names are sorted, all files have the time in SOURCE_DATE_EPOCH,
and no owner is recorded.
"""

import contextlib
import gzip
import os
import pathlib
import sys
import tarfile
import time
import zipfile

directory, output = map(pathlib.Path, sys.argv[1:])
epoch = int(os.environ["SOURCE_DATE_EPOCH"])
parent = directory if output.suffix == ".tar" else directory.parent
paths = sorted(path for path in directory.rglob("*") if path.is_file())


def mode(path):
    return 0o755 if path.stat().st_mode & 0o100 else 0o644


if output.suffix == ".zip":
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in paths:
            name = path.relative_to(parent).as_posix()
            entry = zipfile.ZipInfo(name, time.gmtime(epoch)[:6])
            entry.external_attr = (0o100000 | mode(path)) << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
else:
    with open(output, "wb") as raw, contextlib.ExitStack() as stack:
        packed = raw
        if output.suffix == ".gz":
            packed = stack.enter_context(gzip.GzipFile("", "wb", 9, raw, mtime=epoch))
        archive = stack.enter_context(tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT))
        for path in paths:
            entry = tarfile.TarInfo(path.relative_to(parent).as_posix())
            entry.mtime = epoch
            if path.is_symlink():
                entry.type, entry.mode, entry.linkname = tarfile.SYMTYPE, 0o777, os.readlink(path)
                archive.addfile(entry)
                continue
            entry.size, entry.mode = path.stat().st_size, mode(path)
            with open(path, "rb") as file:
                archive.addfile(entry, file)
