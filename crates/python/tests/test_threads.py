"""Threads that use the same objects at once. Most of this can only fail without the interpreter's lock."""

import subprocess
import sys
import sysconfig
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import urlsift

THREADS = 8
TEXT = "".join(f"Prose, é, and <URL:http://host.dom/{i}/a-\n b.html>.\n" for i in range(2000))
MAIL = b"From: joe@host.dom\nSubject: x\n\n" + TEXT.encode()


def in_threads(work):
    """Returns what `work` returns in each of several threads, which start at the same time."""
    barrier = threading.Barrier(THREADS)

    def start(_):
        barrier.wait()
        return work()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(start, range(THREADS)))


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has the lock")
def test_importing_the_module_does_not_enable_the_lock():
    code = "import sys, urlsift; print(sys._is_gil_enabled())"
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("False\n", "")


def test_all_methods_of_a_shared_scanner():
    scanner = urlsift.Scanner(headers="none")

    def work():
        found = [(m.url, m.start, m.end, m.normalized, m.host) for m in scanner.find(TEXT)]
        records = [r.to_dict() for r in scanner.scan(MAIL, name="a.mbox")]
        faults = [d.to_dict() for d in urlsift.lint(TEXT)]
        return found, records, faults, len(scanner.scan_batch(MAIL)), repr(scanner)

    first, *others = in_threads(work)
    assert len(first[0]) == len(first[1]) == first[3] == 2000
    assert all(other == first for other in others)


def test_the_first_call_of_all_threads():
    # `find` and `scan` share a default scanner, which the first call creates. A Scanner creates
    # its scan for tables on first use.
    code = """
import threading, urlsift
barrier, counts = threading.Barrier(8), []
scanner = urlsift.Scanner()
def work():
    barrier.wait()
    counts.append((len(list(urlsift.find("http://h.dom/"))), len(list(urlsift.scan(b"http://h.dom/"))), len(scanner.scan_batch(b"http://h.dom/"))))
threads = [threading.Thread(target=work) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert counts == [(1, 1, 1)] * 8, counts
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("start", [urlsift.find, lambda text: urlsift.scan(text.encode())])
def test_a_shared_iterator_loses_and_repeats_nothing(start):
    matches = start(TEXT)

    def work():
        urls = []
        while True:
            try:
                urls.append(next(matches).url)
            except StopIteration:
                return urls
            except RuntimeError:  # another thread is in the iterator
                continue

    urls = [url for part in in_threads(work) for url in part]
    assert sorted(urls) == sorted(m.url for m in start(TEXT))


def test_matches_and_records_are_read_by_all_threads():
    match, record = next(urlsift.find(TEXT)), next(urlsift.scan(MAIL))

    def work():
        return [
            (match.url, match.normalized, match.href, hash(match), repr(match), record.to_dict(), hash(record), record.message.subject)
            for _ in range(200)
        ]

    first, *others = in_threads(work)
    assert all(other == first for other in others)


def test_a_buffer_that_changes_during_the_call():
    buffer = bytearray(TEXT.encode())
    done = threading.Event()

    def write():
        while not done.is_set():
            for i in range(0, len(buffer), 97):
                buffer[i] = 0x20 if buffer[i] != 0x20 else 0x41

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(20):
            for match in urlsift.find(buffer):
                assert 0 <= match.start < match.end <= len(buffer)
    finally:
        done.set()
        thread.join()
