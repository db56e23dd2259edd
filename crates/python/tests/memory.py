"""Fails if memory grows in CALLS calls of a function, after CALLS / 2 calls as a warm-up.

    python tests/memory.py [CALLS]

Needs Linux, to read the resident memory, and pyarrow for the functions for columns.
"""

import gc
import json
import pickle
import sys
import time
from pathlib import Path

import urlsift

# The maximum growth of the resident memory, in bytes.
MAX_GROWTH = 5_000_000
PAGE = 4096

TEXT = "See <URL:http://host.dom/a> and http://Host.dom/%7eb."
MAIL = b"From: joe@host.dom\nSubject: x\n\nsee http://host.dom/\n> and <URL:ftp://h.dom/a>\n"
SCANNER = urlsift.Scanner(input="mail")
RECORD = json.dumps(next(SCANNER.scan(MAIL)).to_dict())


def attributes(_):
    match = list(urlsift.find(TEXT))[1]
    return match.url, match.normalized, match.href, match.scheme, match.host, hash(match), repr(match)


def diagnostics(_):
    [diagnostic] = urlsift.lint("See [it](http//host.dom/).", dialect="markdown")
    return diagnostic.to_dict(), diagnostic.fix.edits[0].start


def errors(_):
    for call in (lambda: urlsift.find(7), lambda: urlsift.Scanner(profile="rfc9"), lambda: urlsift.Record.from_json("{")):
        try:
            call()
        except (TypeError, ValueError):
            pass


def records(_):
    record = next(urlsift.scan(MAIL, input="mail", with_="port"))
    return record.url, record.message.date, record.to_dict()


FUNCTIONS = {
    "find": lambda _: list(urlsift.find(TEXT)),
    "find in bytes": lambda _: list(urlsift.find(TEXT.encode())),
    "find, not read to the end": lambda _: next(urlsift.find(TEXT)),
    "find with options": lambda i: list(urlsift.find(TEXT, scheme=f"s{i % 100}")),
    "Match": attributes,
    "Scanner": lambda _: urlsift.Scanner(profile="rfc3986"),
    "Scanner.find": lambda _: list(SCANNER.find(TEXT)),
    "Scanner.scan": lambda _: list(SCANNER.scan(MAIL)),
    "Scanner.scan_batch": lambda _: len(SCANNER.scan_batch(MAIL)),
    "Scanner.scan_table": lambda _: SCANNER.scan_table(MAIL).__arrow_c_stream__(),
    "scan": records,
    "lint": diagnostics,
    "parse": lambda _: urlsift.parse("ftp://u@h.dom/%7ea;type=i").to_dict(),
    "parse, not valid": lambda _: urlsift.parse("http://h..dom/").violations[0].code,
    "pickle": lambda _: pickle.loads(pickle.dumps(next(urlsift.find(TEXT)))),
    "Record.from_json": lambda _: urlsift.Record.from_json(RECORD).url,
    "errors": errors,
}


def columns():
    import pyarrow

    texts = pyarrow.array([TEXT, None, "no URL"])
    mails = pyarrow.array([MAIL])
    return {
        "Scanner.find_column": lambda _: pyarrow.array(SCANNER.find_column(texts, normalized=True)),
        "Scanner.scan_column": lambda _: pyarrow.array(SCANNER.scan_column(mails)),
    }


def resident():
    gc.collect()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE


def main(calls=1_000_000):
    functions = dict(FUNCTIONS)
    try:
        functions |= columns()
    except ImportError:
        print("== left out: find_column and scan_column: there is no pyarrow")
    has_grown = False
    for name, call in functions.items():
        for i in range(calls // 2):
            call(i)
        before, begin = resident(), time.perf_counter()
        for i in range(calls):
            call(i)
        grown, took = resident() - before, time.perf_counter() - begin
        print(f"{name}: {calls} calls, {took * 1000:.0f} ms, {grown} bytes more", flush=True)
        has_grown |= grown > MAX_GROWTH
    return int(has_grown)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
