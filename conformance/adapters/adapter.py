"""Reads requests, writes answers and locates links in the text, for the adapters in Python."""

import base64
import functools
import html.entities
import json
import os
import re
import sys
from importlib.metadata import version

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemes.json"), encoding="utf-8") as _file:
    SCHEMES = json.load(_file)


def serve(find, about):
    """Answers all requests on stdin. `find(request, text)` returns a list of (start, end, url).

    `about` describes the library; its key `package` names the distribution whose version is reported.
    """
    package = about.pop("package", None)
    if package:
        about["version"] = version(package)
    about.setdefault("offsets", "code-points")
    if "--about" in sys.argv:
        print(json.dumps(about))
        return
    for line in sys.stdin:
        request = json.loads(line)
        found = find(request, text_of(request))
        urls = [{"start": start, "end": end, "url": url} for start, end, url in found]
        print(json.dumps({"id": request["id"], "urls": urls}))


def text_of(request):
    """Returns the text of a request. Bytes become one code point each, so that offsets stay the same."""
    return request["text"] if "text" in request else base64.b64decode(request["bytes"]).decode("latin-1")


def locate(text, urls):
    """Returns (start, end, url) of URLs whose offsets a library doesn't report.

    `urls` has one list for each URL, of ways in which the library may have changed it, in the order of
    the text. A URL may be written with the escapes of HTML, Markdown or quoted-printable. One that
    isn't found has the offsets 0 and 0, which match no expected URL and don't count as an error.
    """
    out, at = [], 0
    for candidates in urls:
        found = (0, 0, candidates[0])
        for url in candidates:
            places = [m.span() for m in spelled(url).finditer(text) if not any(s < m.end() and m.start() < e for s, e, _ in out)]
            if places:
                # The best place is after the last URL, and isn't the start of a longer word.
                start, end = min(places, key=lambda p: (p[0] < at, text[p[1]:p[1] + 1].isalnum(), p))
                found = start, end, url
                break
        at = max(at, found[1])
        out.append(found)
    return out


@functools.cache
def spelled(url):
    """Returns a pattern for the ways in which a URL can be written in mail, HTML and Markdown."""
    letters = []
    for c in url:
        ways = [re.escape(c), f"&#0*{ord(c)};", f"&#[xX]0*{ord(c):x};", f"&#[xX]0*{ord(c):X};"]
        ways += [f"&{name}" for name in NAMES.get(c, [])]
        if c.isascii() and not c.isalnum():
            ways.append(re.escape("\\" + c))
        for charset in ("utf-8", "latin-1"):
            ways.append("".join(f"(?i:={b:02x})" for b in c.encode(charset, "replace")))
        letters.append(f"(?:{'|'.join(ways)})")
    return re.compile("(?:=[ \\t]*\\r?\\n)?".join(letters))


# The entities of ASCII characters that may be in a URL.
NAMES = {chr(point): [name + ";"] for point, name in html.entities.codepoint2name.items() if point < 128}
