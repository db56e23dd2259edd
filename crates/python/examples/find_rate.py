"""What find costs in Python, beside the scanner in Rust and other packages.

    cargo build --release --example find_rate
    python examples/find_rate.py FILE [BYTES]

Reads .url, .start and .end of every match of BYTES of text (100 MB), made of FILE said over and over. Medians of seven
runs, one of each in turn. All read the same text: as bytes, and as a str, once with what is not ASCII, in which
characters are counted, and once with question marks instead. Rust reads its UTF-8.
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
# How much of the text those read that take a million times as long.
SHARE = 200


def of_wheel(text):
    for match in urlsift.find(text):
        # Each by itself: said in one, they would be made a tuple of.
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
        # A str keeps its UTF-8 once that was asked for.
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
