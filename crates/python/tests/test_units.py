"""Units: each is scanned from its own bytes only, and changed files are reported."""

import gzip
import json
import os
import random
import shutil
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
    # Bytes of the wrong length.
    (row,) = rows(urlsift.Scanner().scan_batch(b"x", unit=unit))
    assert row["error"].startswith("unit.stale: ") and (row["start"], row["end"]) == (unit["start"], unit["end"])
    (row,) = urlsift.error_batch(unit, "gone").to_pylist()
    assert (row["url"], row["error"], row["start"], row["joins"]) == (None, "gone", unit["start"], [])


class Opened:
    """A local file as opened by fsspec, whose modification time is a float in seconds."""

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
    with pytest.raises(ValueError, match="unit: missing path"):
        urlsift.Scanner().scan_batch(b"", unit={})
    with pytest.raises(ValueError, match="list the units again"):
        urlsift.Scanner().scan_batch(b"", unit={"path": "a", "start": 4, "end": 9})
    with pytest.raises(TypeError, match="unit"):
        urlsift.Scanner().scan_batch(b"", unit=3)
    with pytest.raises(FileNotFoundError):
        urlsift.units("/none/at/all")


# A URL in base64, `see http://host.dom/a and so on`, and filler lines.
ENCODED = b"c2VlIGh0dHA6Ly9ob3N0LmRvbS9hIGFuZCBzbyBvbgoK\n" + b"YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4\n" * 51_000
LONG = b"Subject: long\nContent-Transfer-Encoding: base64\n\n" + ENCODED * 42 + b"\n"
SHORT = b"From a Thu Dec  1 10:00:00 1994\nSubject: short\n\nhttp://host.dom/b\n\n"
MAILBOX = SHORT * 3 + b"From b Thu Dec  1 11:00:00 1994\n" + LONG + SHORT * 2


class Asked:
    """A file object that records the sizes of its reads."""

    def __init__(self, path, mode):
        self.file, self.sizes, self.is_broken = open(path, mode), [], False

    def seekable(self):
        return True

    def seek(self, *place):
        return self.file.seek(*place)

    def read(self, size=-1):
        self.sizes.append(size)
        if self.is_broken and len(self.sizes) > 20:
            raise ConnectionError("gone")
        return self.file.read(size)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


@pytest.fixture(scope="module")
def long_files(tmp_path_factory):
    """Writes a long message, alone and in a mailbox, compressed and not. Returns the folder."""
    directory = tmp_path_factory.mktemp("long")
    (directory / "a.mbox").write_bytes(MAILBOX)
    (directory / "a.eml").write_bytes(LONG)
    (directory / "a.mbox.gz").write_bytes(gzip.compress(MAILBOX[: -len(SHORT) * 2], 1) + gzip.compress(SHORT * 2, 1))
    yield directory
    shutil.rmtree(directory)



@pytest.mark.parametrize("name", ["a.mbox", "a.eml", "a.mbox.gz"])
def test_a_unit_with_a_long_message_is_read_piece_by_piece(long_files, command, name):
    path = str(long_files / name)
    ran = [command, "scan", "--format", "jsonl", "--max-expand", "1G", "--with", "subject", path]
    lines = subprocess.run(ran, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    records = [record for record in map(json.loads, lines) if record["type"] == "url"]
    assert len(records) == (42 if name == "a.eml" else 47)
    expected = [(record["url"], record["start"], record["end"], record["line"]) for record in records]
    scanner = urlsift.Scanner(max_expand=1 << 30)
    listed = urlsift.units(path, size=1000, max_expand=1 << 30)
    assert len(listed) > 1 or name == "a.eml"
    files = []

    def opened(path, mode):
        files.append(Asked(path, mode))
        return files[-1]

    for open_ in (None, opened):
        found = [urlsift.scan_unit(unit, open=open_, scanner=scanner) for unit in listed]
        found = [row for batch in found for row in rows(batch)]
        assert [(row["url"], row["start"], row["end"], row["line"]) for row in found] == expected
        batches = [batch for unit in listed for batch in urlsift.scan_unit_batches(unit, open=open_, scanner=scanner)]
        assert [row for batch in batches for row in rows(batch)] == found
    asked = [size for file in files for size in file.sizes]
    assert asked and 0 < min(asked) and max(asked) <= 8 << 20
    # Records from a path, a file object and bytes, compressed or not, are the same.
    found = [(row.url, row.start, row.end, row.line) for row in scanner.scan(path)]
    assert found == expected
    with open(path, "rb") as file:
        found = [(row.url, row.start, row.end, row.line) for row in scanner.scan(file, name=path)]
    assert found == expected


def test_what_a_file_object_raises_is_raised(long_files):
    (unit,) = urlsift.units(str(long_files / "a.eml"))

    def opened(path, mode):
        file = Asked(path, mode)
        file.is_broken = True
        return file

    with pytest.raises(ConnectionError, match="gone"):
        urlsift.scan_unit(unit, open=opened)
    with pytest.raises(ConnectionError, match="gone"):
        list(urlsift.scan_unit_batches(unit, open=opened))
    del unit["size"], unit["mtime_ns"]
    unit["end"] += 1
    unit["context_end"] += 1
    with pytest.raises(urlsift.StaleUnit, match="it ends at byte"):
        urlsift.scan_unit(unit)


def test_many_records_of_a_long_unit_come_in_batches(tmp_path):
    text = "".join(f"http://host.dom/{n}/{'a' * 180} and\n" for n in range(340_000)).encode()
    assert len(text) > 64 << 20
    (tmp_path / "a.txt").write_bytes(text)
    (unit,) = urlsift.units(str(tmp_path / "a.txt"), size=1 << 30)
    batches = urlsift.scan_unit_batches(unit)
    assert len(next(batches)) == 8192
    counts = [len(batch) for batch in batches]
    assert set(counts[:-1]) == {8192} and sum(counts) + 8192 == 340_000
    # An iterator that is not exhausted leaves nothing running.
    batches = urlsift.scan_unit_batches(unit)
    next(batches)
    batches.close()
