"""Compares the speed of find in Python with that of the scanner in Rust and of other packages.

    cargo build --release --example find_rate
    python examples/find_rate.py FILE [BYTES]

Reads .url, .start and .end of every match in BYTES of text (100 MB), which repeats FILE. Prints medians of seven
interleaved runs. All read the same text: as bytes, as a str with non-ASCII characters, in which characters are
counted, and as a str with question marks in their place. Rust reads UTF-8.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import urlsift

RUNS = 7
# The divisor of the text length for packages that are far slower.
SHARE = 200


def of_wheel(text):
    for match in urlsift.find(text):
        # Separate statements, because one statement would create a tuple.
        match.url
        match.start
        match.end


def timed(call, *given):
    begin = time.perf_counter()
    call(*given)
    return time.perf_counter() - begin


def in_threads(call, text, number):
    threads = [threading.Thread(target=call, args=(text,)) for _ in range(number)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]


def main(path, size=100_000_000):
    given = pathlib.Path(path).read_bytes()
    string = (given * (int(size) // len(given) + 1))[: int(size)].decode("utf-8", "replace")
    text, ascii = string.encode(), string.encode("ascii", "replace").decode()
    short = string[: len(string) // SHARE]
    target = pathlib.Path(__file__).parents[1] / "target"
    program = next(target.glob("*/examples/find_rate"), target / "release/examples/find_rate")
    with tempfile.NamedTemporaryFile() as file:
        file.write(text)
        file.flush()

        def of_rust(threads):
            run = subprocess.run([program, file.name, str(threads)], stdout=subprocess.PIPE, check=True)
            return float(run.stdout.split()[0])

        ways = {
            "Rust": (lambda: of_rust(1), 1),
            "wheel, bytes": (lambda: timed(of_wheel, text), 1),
            "wheel, str": (lambda: timed(of_wheel, string), 1),
            "wheel, str of ASCII": (lambda: timed(of_wheel, ascii), 1),
            "Rust, 2 threads": (lambda: of_rust(2), 2),
            "wheel, bytes, 2 threads": (lambda: timed(in_threads, of_wheel, text, 2), 2),
            "wheel, str, 2 threads": (lambda: timed(in_threads, of_wheel, string, 2), 2),
        }
        try:
            from linkify_it import LinkifyIt

            linkify = LinkifyIt()
            ways["linkify-it-py"] = (lambda: timed(linkify.match, short), 1 / SHARE)
        except ImportError:
            print("linkify-it-py: left out, for it is not installed")
        try:
            from urlextract import URLExtract

            extractor = URLExtract()
            ways["urlextract"] = (lambda: timed(lambda: list(extractor.gen_urls(short))), 1 / SHARE)
        except ImportError:
            print("urlextract: left out, for it is not installed")
        # Warm up: a str caches its UTF-8 after the first use.
        [of_wheel(it) for it in (text, string, ascii)]
        times = {name: [] for name in ways}
        for _ in range(RUNS):
            for name, (way, _) in ways.items():
                times[name].append(way())
    median = {name: statistics.median(taken) for name, taken in times.items()}
    print(f"{len(text)} bytes, {sum(1 for _ in urlsift.find(text))} URLs")
    for name, (_, texts) in ways.items():
        rate = len(text) * texts / median[name] / 1e6
        per_text = median[name] / texts / median["Rust"]
        print(f"{name:25} {median[name]:9.4f} s {rate:10.2f} MB/s, {per_text:.2f} times Rust's time")


if __name__ == "__main__":
    main(*sys.argv[1:])
