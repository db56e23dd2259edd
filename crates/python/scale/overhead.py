"""Measures what Spark costs on top of the scan: the processor time of a job over much mail, minus that of a job over one empty unit.

usage: overhead.py COMMAND DIRECTORY [MAILBOX]

The mail is MAILBOX, or 100 MB of generated mail. It is linked under enough names to reach BYTES in total (an environment
variable; default: 20 GB); the links use no disk space. Fails if Spark takes more than three times as long as the command takes to
write the same records as JSON Lines, or if the Parquet files don't contain them.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys

import duckdb
import pyarrow

import urlsift

BYTES = int(os.environ.get("BYTES", 20_000_000_000))
MOST = 3.0
JOB = pathlib.Path(__file__).with_name("job.py")


def write_mail(path):
    """Writes mail with one URL in 5 KB, as in list mail."""
    filling = "words and more words of a letter\n" * 145
    with open(path, "w") as file:
        for n in range(20_000):
            file.write(
                f"From joe@host.dom Thu Dec  1 10:00:00 1994\nFrom: joe@host.dom\nDate: 1 Dec 1994 10:00:00 +0000\n"
                f"Message-ID: <{n}@host.dom>\nSubject: {n}\n\n"
                f"See <URL:http://host{n % 99}.dom/{n}> .\n{filling}"
            )


def spent_on_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def scan(command, paths):
    """Returns the number of records that the command writes and its processor time in seconds."""
    before = spent_on_children()
    with subprocess.Popen([command, "scan", "--format", "jsonl", *paths], stdout=subprocess.PIPE) as running:
        # The last line is the summary, so it is not counted.
        lines = -1
        while block := running.stdout.read(1 << 20):
            lines += block.count(b"\n")
    assert running.returncode == 0
    return lines, spent_on_children() - before


def job(directory, name, units):
    """Runs the Spark job over these units and returns its output."""
    listed = directory / f"{name}.jsonl"
    listed.write_text("".join(json.dumps(unit) + "\n" for unit in units))
    arguments = [sys.executable, JOB, "local[2]", listed, directory / name]
    with open(directory / f"{name}.log", "w") as log:
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
        done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=log, env=environment, check=True, start_new_session=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    command, directory, *mailbox = sys.argv[1:]
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True)
    first = directory / "mail.0"
    if mailbox:
        os.symlink(os.path.abspath(mailbox[0]), first)
    else:
        write_mail(first)
    paths = [first, *(directory / f"mail.{n}" for n in range(1, BYTES // first.stat().st_size))]
    for path in paths[1:]:
        os.symlink(first.absolute(), path)

    lines, own = scan(command, paths)
    cut = urlsift.units(str(first))
    empty = {**cut[0], "end": 0, "context_end": 0}
    nothing = job(directory, "nothing", [empty])
    told = job(directory, "all", [{**unit, "path": str(path)} for path in paths for unit in cut])
    spark = told["cpu"] - nothing["cpu"]
    print(
        f"{len(paths) * first.stat().st_size / 1e9:.1f} GB, {told['rows']} records: the command {own:.1f} s of processor time, "
        f"Spark {spark:.1f} s beside {nothing['cpu']:.1f} s for one empty unit: {spark / own:.2f} times"
    )

    written = f"read_parquet('{directory}/all/*.parquet')"
    columns = duckdb.sql(f"SELECT * FROM {written}")
    expected = duckdb.from_arrow(pyarrow.schema(urlsift.schema()).empty_table())
    assert (columns.columns, columns.types) == (expected.columns, expected.types), columns
    assert duckdb.sql(f"SELECT count(*), count(url) FROM {written}").fetchall() == [(lines, lines)], (told, lines)
    if nothing["rows"] or spark > MOST * own:
        sys.exit(f"more than {MOST} times what the command takes, or records of an empty unit: {nothing}")


main()
