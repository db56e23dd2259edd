"""Checks that the wheel and the Rust library return the same records as the command, field by field, for every file below a folder.

    cargo build -p urlsift-records --features serde,unpack --example records
    python identity.py COMMAND RECORDS FOLDER...

COMMAND is urlsift, RECORDS the example built above, which prints records as Rust returns them. Options are tested pairwise: each
value of an option is combined with each value of every other. Prints what was compared; exits with 1 at the first difference.
"""

import gzip
import itertools
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import urlsift

AXES = {
    "rejoin": ["likely", "certain", "off"],
    "profile": ["web", "rfc1738", "rfc3986", "cern1994"],
    "input": ["auto", "mail", "text", "html", "markdown", "rst", "json", "xml", "tex", "man", "ipynb"],
    "malformed": ["skip", "include", "only"],
    "headers": ["urls", "all", "none"],
}


def pairwise(axes):
    """Returns a small set of combinations that pairs each value of an option with each value of every other."""
    names = list(axes)
    pairs = {
        frozenset([(a, x), (b, y)])
        for a, b in itertools.combinations(names, 2)
        for x in axes[a]
        for y in axes[b]
    }
    every = [dict(zip(names, values)) for values in itertools.product(*axes.values())]
    covers = lambda row: {frozenset(pair) for pair in itertools.combinations(row.items(), 2)}
    rows = []
    while pairs:
        rows.append(max(every, key=lambda row: len(covers(row) & pairs)))
        pairs -= covers(rows[-1])
    return rows


def files_of(folder):
    if os.path.isfile(folder):
        return [str(folder)]
    found = [os.path.join(d, name) for d, _, names in os.walk(folder) for name in names]
    found = (path for path in found if os.path.isfile(path) and not os.path.islink(path))
    return sorted(found)


def by_command(command, folder, options):
    """Returns the records of the command by path, and its summary."""
    arguments = [f"--{name}={value}" for name, value in options.items()]
    run = subprocess.run(
        [command, "scan", "--format=jsonl", "--hidden", "--no-ignore", *arguments, str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    records, summary = {}, None
    for line in run.stdout.splitlines():
        record = json.loads(line)
        if record["type"] == "summary":
            summary = record
        else:
            records.setdefault(record["path"], []).append(record)
    return records, summary


def by_values(records, paths, options):
    """Returns the records that a Rust program gets from the library, by path."""
    run = subprocess.run(
        [records, *(f"{name}={value}" for name, value in options.items())],
        input="".join(f"{path}\n" for path in paths).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    found = {}
    for line in run.stdout.splitlines():
        record = json.loads(line)
        found.setdefault(record["path"], []).append(record)
    return found


def of_attributes(record, like):
    """Returns a record's fields, read as attributes, in the shape of `like`."""
    told = {}
    for name, value in like.items():
        if name == "type":
            told[name] = value
        elif name in ("message", "page") and isinstance(value, dict):
            told[name] = of_attributes(getattr(record, name), value)
        elif name in ("violations", "findings"):
            told[name] = [report.to_dict() for report in getattr(record, name)]
        elif name == "joins":
            keys = ("start", "end", "kind", "grade", "evidence")
            told[name] = [{key: getattr(join, key) for key in keys} for join in record.joins]
        elif name.endswith("_bytes"):
            told[name] = in_base64(getattr(record, name))
        else:
            told[name] = getattr(record, name)
    return told


def in_base64(value):
    from base64 import b64encode

    return [in_base64(item) for item in value] if isinstance(value, list) else b64encode(value).decode()


def compare(command, records, folder, options, attributes=True):
    """Compares all files below a folder. Returns the number of files and of records."""
    expected, summary = by_command(command, folder, options)
    scanner = urlsift.Scanner(**options)
    files = files_of(folder)
    values = by_values(records, files, options)
    for path in files:
        told = [record for record in expected.get(path, []) if record["type"] == "url"]
        for index, pair in enumerate(itertools.zip_longest(values.get(path, []), told)):
            if pair[0] != pair[1]:
                raise AssertionError(f"{path} {options}: record {index}\n Rust    {pair[0]}\n command {pair[1]}")

    def scan(path):
        told = expected.get(path, [])
        found = scanner.scan(path, errors="collect")
        records = [record for record in told if record["type"] == "url"]
        for index, record in enumerate(found):
            dict_ = record.to_dict()
            if index >= len(records) or dict_ != records[index]:
                other = records[index] if index < len(records) else None
                raise AssertionError(f"{path} {options}: record {index}\n wheel   {dict_}\n command {other}")
            if attributes and of_attributes(record, dict_) != dict_:
                raise AssertionError(f"{path}: attributes of record {index}: {dict_}")
        # Messages differ, because they name options or arguments to change.
        place = lambda errors: [{**error, "message": ""} for error in errors]
        errors = place(record for record in told if record["type"] == "error")
        if found.summary["urls"] != len(records) or place(found.errors) != errors:
            raise AssertionError(f"{path} {options}: {found.summary} {found.errors}, {len(records)} {errors}")
        return found.summary

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        sums = list(pool.map(scan, files))
    for name in ("bytes", "messages", "urls", "malformed", "truncated"):
        total = sum(one[name] for one in sums)
        assert total == summary[name], (options, name, total, summary[name])
    return len(files), summary["urls"]


def pack(folder, target):
    """Packs copies of the files as gz and, where it is installed, zst, and all of them as tar and zip."""
    import tarfile
    import zipfile

    try:
        from compression.zstd import compress as zstd
    except ImportError:
        try:
            import pyarrow

            zstd = lambda data: pyarrow.compress(data, "zstd", asbytes=True)
        except ImportError:
            zstd = None
    with tarfile.open(target / "all.tar", "w") as tar, zipfile.ZipFile(target / "all.zip", "w") as zip_:
        for number, path in enumerate(files_of(folder)):
            data = Path(path).read_bytes()
            name = f"{number}-{os.path.basename(path)}"
            (target / f"{name}.gz").write_bytes(gzip.compress(data, 1, mtime=0))
            if zstd:
                (target / f"{name}.zst").write_bytes(zstd(data))
            tar.add(path, name)
            zip_.write(path, name, zipfile.ZIP_DEFLATED)
    return zstd is not None


def main(command, records, *folders):
    for folder in folders:
        total = 0
        for options in pairwise(AXES):
            files, count = compare(command, records, folder, options)
            total += count
            print(f"{folder}: {files} files, {count} records equal: {options}", flush=True)
        with tempfile.TemporaryDirectory() as target:
            if not pack(folder, Path(target)):
                print("zst: left out, for there is neither compression.zstd nor pyarrow")
            files, count = compare(command, records, target, {"malformed": "include"})
            print(f"{folder}: {files} packed files, {count} records equal", flush=True)
            total += count
        print(f"{folder}: {total} records in all")


if __name__ == "__main__":
    main(*sys.argv[1:])
