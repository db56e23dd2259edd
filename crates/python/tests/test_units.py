"""Units, each scanned with nothing but its own bytes, and what is said of a file that changed."""

import gzip
import json
import os
import random
import subprocess

import pytest

import urlsift

pyarrow = pytest.importorskip("pyarrow")


def rows(batch):
    return pyarrow.record_batch(batch).to_pylist()


def mailbox(messages):
    random.seed(messages)
    one = "From joe@host.dom Thu Dec  1 10:00:00 1994\nSubject: {0}\n\nSee <URL:http://host.dom/\n {0}>\n{1}\n"
    return "".join(one.format(n, "words of a line\n" * random.randrange(40)) for n in range(messages)).encode()


def text(lines):
    return "".join(f"line {n}, http://host.dom/{n}?{'a' * (n % 70)} and\n" for n in range(lines)).encode()


def stored(whole, piece):
    if not piece:
        return whole
    return b"".join(gzip.compress(whole[at : at + piece]) for at in range(0, len(whole), piece))


@pytest.mark.parametrize("whole", [mailbox(3000), text(30_000)], ids=["mail", "text"])
@pytest.mark.parametrize("piece", [0, 5_000, 60_000])
def test_units_are_the_whole_with_their_bytes_alone(tmp_path, whole, piece):
    raw = stored(whole, piece)
    path = str(tmp_path / "file")
    (tmp_path / "file").write_bytes(raw)
    expected = rows(urlsift.Scanner().scan_batch(raw, name=path))
    for size in [100_000, random.randrange(1, 700_000)]:
        units = urlsift.units(path, size=size)
        assert size > 500_000 or len(units) > 2
        random.shuffle(units)
        found = [row for unit in units for row in rows(urlsift.scan_unit(json.loads(json.dumps(unit))))]
        assert sorted(found, key=lambda row: row["start"]) == expected


def test_the_command_lists_what_the_wheel_scans(tmp_path, command):
    path = str(tmp_path / "a.mbox")
    (tmp_path / "a.mbox").write_bytes(mailbox(2000))
    listed = subprocess.run([command, "units", path, "--size", "50000"], stdout=subprocess.PIPE, check=True)
    units = [json.loads(line) for line in listed.stdout.splitlines()]
    assert len(units) > 3
    found = [row["url"] for unit in units for row in rows(urlsift.scan_unit(unit))]
    assert found == [record.url for record in urlsift.scan(path)]


def test_a_file_that_changed_is_told(tmp_path):
    path = tmp_path / "a.mbox"
    path.write_bytes(mailbox(500))
    unit = urlsift.units(path, size=20_000)[1]
    before = os.stat(path)
    path.write_bytes(b"x" + path.read_bytes()[1:])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    with pytest.raises(urlsift.StaleUnit, match="unit.stale: mtime_ns") as caught:
        urlsift.scan_unit(unit)
    assert (caught.value.path, caught.value.start, caught.value.end) == (str(path), unit["start"], unit["end"])
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(urlsift.StaleUnit, match="size"):
        urlsift.read_unit(unit)
    del unit["size"], unit["mtime_ns"]
    assert rows(urlsift.scan_unit(unit))
    # Bytes of another length.
    (row,) = rows(urlsift.Scanner().scan_batch(b"x", unit=unit))
    assert row["error"].startswith("unit.stale: ") and (row["start"], row["end"]) == (unit["start"], unit["end"])
    (row,) = urlsift.error_batch(unit, "gone").to_pylist()
    assert (row["url"], row["error"], row["start"], row["joins"]) == (None, "gone", unit["start"], [])


class Opened:
    """A local file as fsspec opens it: of its time no more is known than seconds in a float."""

    def __init__(self, path, mode):
        self.fs, self.path, self.file = self, path, open(path, mode)

    def info(self, path):
        found = os.stat(path)
        return {"size": found.st_size, "mtime": found.st_mtime}

    def __enter__(self):
        return self.file

    def __exit__(self, *_):
        self.file.close()


@pytest.mark.parametrize("nanoseconds", [0, 1, 499, 500, 999, 123_456_789, 999_999_999])
def test_a_file_that_did_not_change_is_read_however_it_is_opened(tmp_path, nanoseconds):
    path = tmp_path / "a"
    path.write_bytes(b"see http://host.dom/a\n")
    time = 1_700_000_000_000_000_000 + nanoseconds
    os.utime(path, ns=(time, time))
    for lister, reader in [(None, Opened), (Opened, Opened), (None, None)]:
        (unit,) = urlsift.units(path, open=lister)
        assert urlsift.read_unit(unit, open=reader) == path.read_bytes()
    os.utime(path, ns=(time, time + 2_000))
    with pytest.raises(urlsift.StaleUnit, match="unit.stale: mtime_ns"):
        urlsift.read_unit(unit, open=Opened)


def test_arguments_are_named():
    with pytest.raises(ValueError, match="unit: it has no path"):
        urlsift.Scanner().scan_batch(b"", unit={})
    with pytest.raises(ValueError, match="list the units again"):
        urlsift.Scanner().scan_batch(b"", unit={"path": "a", "start": 4, "end": 9})
    with pytest.raises(TypeError, match="unit"):
        urlsift.Scanner().scan_batch(b"", unit=3)
    with pytest.raises(FileNotFoundError):
        urlsift.units("/none/at/all")
