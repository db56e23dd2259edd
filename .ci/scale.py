"""Scans a WET and a WARC of 100 MB: checks the results, and the speed compared with plain text of the same bodies.

usage: scale.py COMMAND DIRECTORY
"""

import json
import os
import resource
import subprocess
import sys

# The minimum speed of each, relative to plain text. Plain text that is only counted runs at memory
# speed, and in HTML every tag must be read (docs/src/guides/spark.md).
LEAST = {"a.wet": 0.5, "a.warc": 0.3}
SIZE = 100_000_000
WORDS = "words of running text that a page holds between its links and the end of a line\n"


def body(number):
    urls = "".join(f"see http://host{number % 97}.dom/{number}/{k} now\n{WORDS * 12}" for k in range(number % 9 + 1))
    return urls


def record(kind, number, content_type, block):
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://page.dom/{number}\r\n"
        f"WARC-Date: 2024-05-01T10:20:30Z\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
        f"WARC-Refers-To: http://container.dom/{number}\r\n"
        f"Content-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head + block + "\r\n\r\n"


def wet(number):
    return record("conversion", number, "text/plain", body(number))


def warc(number):
    page = "<html><body><p>" + body(number).replace("\n", "<br>\n") + "</body></html>"
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: <http://container.dom/>\r\n\r\n{page}"
    return record("response", number, "application/http; msgtype=response", answer)


def write(path, make):
    number = size = 0
    with open(path, "w", newline="") as file:
        while size < SIZE:
            size += file.write(make(number))
            number += 1
    return number


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def rate(command, path):
    """Megabytes a second of processor time, which does not depend on what else the machine does."""
    best = 1e9
    for _ in range(5):
        start = spent()
        subprocess.run([command, "scan", "-j1", "-c", path], stdout=subprocess.DEVNULL, check=True)
        best = min(best, spent() - start)
    return os.path.getsize(path) / best / 1e6


def main():
    command, directory = sys.argv[1:]
    plain = os.path.join(directory, "plain.txt")
    write(plain, body)
    reference = rate(command, plain)
    print(f"plain text: {reference:.0f} MB/s")
    bad = []
    for name, make in (("a.wet", wet), ("a.warc", warc)):
        path = os.path.join(directory, name)
        pages = write(path, make)
        seen, urls = set(), 0
        scan = subprocess.Popen([command, "scan", "--format", "jsonl", path], stdout=subprocess.PIPE)
        for line in scan.stdout:
            found = json.loads(line)
            if found["type"] != "url":
                continue
            urls += 1
            number = found["page"]["uri"].removeprefix("http://page.dom/")
            if found["page"]["id"] != f"urn:uuid:{number}" or f".dom/{number}/" not in found["url"]:
                bad.append(found)
            seen.add(number)
        scan.wait()
        expected = sum(number % 9 + 1 for number in range(pages))
        speed = rate(command, path)
        print(f"{name}: {urls} URLs of {expected} on {len(seen)} of {pages} pages, {speed:.0f} MB/s, {speed / reference:.2f} of plain text")
        if urls != expected or len(seen) != pages or speed < LEAST[name] * reference:
            bad.append(name)
        os.remove(path)
    if bad:
        sys.exit(f"wrong: {bad[:3]}")


main()
