"""find: offsets, laziness, threads and arguments."""

import copy
import gc
import pickle
import sys
import threading
import types

import pytest

import urlsift

WRAPPED = "Read <URL:http://host.dom/a/\n   b.html>, and (ftp://ftp.host.dom/pub/)."


def test_the_fields_of_a_match():
    first, second = urlsift.find(WRAPPED)
    assert (first.url, first.form, first.valid) == ("http://host.dom/a/b.html", "wrapped", True)
    assert WRAPPED[first.start : first.end] == "http://host.dom/a/\n   b.html"
    assert (second.url, second.start, second.end) == ("ftp://ftp.host.dom/pub/", 46, 69)
    assert repr(second) == "Match('ftp://ftp.host.dom/pub/', 46..69, bare)"
    (found,) = urlsift.find("HTTP://Host.Dom:80/%7ejoe")
    assert (found.url, found.normalized) == ("HTTP://Host.Dom:80/%7ejoe", "http://host.dom/~joe")
    with pytest.raises(AttributeError):
        found.url = "x"


def test_positions_count_characters_of_str_and_bytes_of_bytes():
    text = "é😀 http://host.dom/é/日本 𝔘 <URL:http://host.dom/a\n b> ﬁn http://host.dom/c"
    in_str = list(urlsift.find(text))
    in_bytes = list(urlsift.find(text.encode()))
    assert [m.url for m in in_str] == [m.url for m in in_bytes]
    assert [m.url for m in in_str] == ["http://host.dom/é/日本", "http://host.dom/ab", "http://host.dom/c"]
    for wide, narrow in zip(in_str, in_bytes):
        assert text[wide.start : wide.end].encode() == text.encode()[narrow.start : narrow.end]


def test_positions_in_long_texts_of_all_widths():
    for filler in ["plain ", "naïve ", "日本語 ", "😀😀 "]:
        text = "".join(f"{filler * 50}http://host.dom/{i} {filler}\n" for i in range(3000))
        found = list(urlsift.find(text))
        assert len(found) == 3000
        assert all(text[m.start : m.end] == m.url for m in found)


def test_a_lone_surrogate_is_one_character_and_part_of_no_url():
    text = "\udc80 http://host.dom/a\ud800b 😀\udfff http://host.dom/c"
    first, second = urlsift.find(text)
    assert [text[m.start : m.end] for m in (first, second)] == [first.url, second.url]
    assert (first.url, second.url) == ("http://host.dom/a", "http://host.dom/c")
    (broken,) = urlsift.find("<URL:http://host.dom/\ud800>", malformed="only")
    assert (broken.start, broken.end, broken.valid) == (5, 22, False)
    assert broken.url_bytes == b"http://host.dom/\xed\xa0\x80"


def test_bytes_that_are_not_utf8():
    (found,) = urlsift.find(b"\xff <URL:http://host.dom/\xe9>", malformed="include")
    assert (found.url, found.url_bytes) == ("http://host.dom/\ufffd", b"http://host.dom/\xe9")
    assert (found.start, found.end, found.normalized) == (7, 24, found.url)
    (plain,) = urlsift.find(b"http://host.dom/")
    assert plain.url_bytes is None


def test_what_has_the_buffer_of_bytes():
    text = b"at http://host.dom/a"
    for given in [text, bytearray(text), memoryview(text), memoryview(b"x" + text)[1:]]:
        assert [m.start for m in urlsift.find(given)] == [3]


def test_options():
    text = "http://host.dom/~joe http://host..dom/ www.host.dom/a htp://h.dom/ ftp://host.dom/"
    urls = lambda **options: [m.url.split("//")[-1] for m in urlsift.find(text, **options)]
    assert urls() == ["host.dom/~joe", "host.dom/"]
    assert urls(profile="rfc1738") == ["host.dom/"]
    assert urls(malformed="only") == ["host..dom/", "h.dom/"]
    assert urls(malformed="include") == ["host.dom/~joe", "host..dom/", "h.dom/", "host.dom/"]
    assert urls(scheme="ftp") == urls(scheme=["FTP"]) == ["host.dom/"]
    assert urls(form="schemeless") == ["www.host.dom/a"]
    # Like in scan, URLs without a scheme are skipped if schemes are selected.
    locator = "at ftp.host.dom:/a and ftp://host.dom/b"
    assert [m.url for m in urlsift.find(locator, form="+locator", scheme="ftp")] == ["ftp://host.dom/b"]
    assert len(list(urlsift.find(locator, form="+locator"))) == 2
    names = "joe@host.dom or www.w3.org, not README.md, http://host.dom/"
    found = lambda **options: [(m.url, m.form, m.normalized) for m in urlsift.find(names, **options)]
    url = ("http://host.dom/", "bare", "http://host.dom/")
    assert found(form="+email") == [("joe@host.dom", "email", "joe@host.dom"), url]
    assert found(form="+host") == [("www.w3.org", "host", "www.w3.org"), url]
    assert found(form=["email", "host"]) == found(form="+email,host")[:2]
    (masked,) = urlsift.find("http://joe:secret@host.dom/", mask_passwords=True)
    assert masked.url == "http://joe:***@host.dom/"


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (TypeError, "text must be str or bytes, not int", lambda: urlsift.find(1)),
        (TypeError, "text must be str or bytes, not NoneType", lambda: urlsift.find(None)),
        (ValueError, "profile: 'rfc': write one of rfc1738, ", lambda: urlsift.find("", profile="rfc")),
        (TypeError, "profile must be str, not int", lambda: urlsift.find("", profile=1738)),
        (TypeError, r"find\(\) got an unexpected keyword argument 'colour'", lambda: urlsift.find("", colour=1)),
        (ValueError, "scheme: 'a b': `a b` is not a scheme", lambda: urlsift.find("", scheme=["a b"])),
        (TypeError, "scheme must be str or an iterable of str, not int", lambda: urlsift.find("", scheme=7)),
        (TypeError, "form must be str, not int", lambda: urlsift.find("", form=[7])),
        (ValueError, "since: ", lambda: urlsift.Scanner(since="tomorrow")),
        (TypeError, "hash_key must be bytes, not int", lambda: urlsift.Scanner(hash_key=5)),
        (TypeError, r"Scanner\(\) got an unexpected", lambda: urlsift.Scanner(colour=1)),
    ],
)
def test_errors_name_the_argument(error, message, call):
    with pytest.raises(error, match=message):
        call()


def test_it_is_lazy():
    text = "http://host.dom/a " * 2_000_000
    matches = urlsift.find(text)
    assert iter(matches) is matches
    first = next(matches)
    assert (first.start, next(matches).start) == (0, 18)
    del text
    gc.collect()
    assert next(matches).url == "http://host.dom/a"


def test_a_scanner_can_be_pickled():
    scanner = urlsift.Scanner(profile="rfc1738", malformed="only", scheme=("http", "ftp"))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        copy = pickle.loads(pickle.dumps(scanner, protocol))
        assert repr(copy) == repr(scanner)
        assert [m.url for m in copy.find("http://host..dom/ ftp://h.dom/")] == ["http://host..dom/"]
    assert repr(urlsift.Scanner()) == "Scanner()"


def test_many_scanners_in_many_objects():
    class Holder:
        def __init__(self, i):
            self.padding = b"x" * i
            self.scanner = urlsift.Scanner(profile=["web", "rfc1738", "rfc3986", "cern1994"][i % 4])

    holders = [Holder(i) for i in range(400)]
    holders = holders[::3] + [Holder(i) for i in range(100)]
    matches = [holder.scanner.find("see http://host.dom/a ") for holder in holders]
    assert all([m.url for m in found] == ["http://host.dom/a"] for found in matches)


def test_threads_share_a_scanner():
    scanner = urlsift.Scanner()
    text = ("Prose and prose. " * 20 + "http://host.dom/é\n") * 3000
    counts, before = [], threading.active_count()

    def count():
        counts.append(sum(1 for _ in scanner.find(text)))

    threads = [threading.Thread(target=count) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert counts == [3000] * 8 and threading.active_count() == before


def test_the_lock_is_let_go_while_a_text_is_read():
    text = b"a:b " * 8_000_000
    ticks, done = 0, threading.Event()

    def read():
        list(urlsift.find(text))
        done.set()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        thread = threading.Thread(target=read)
        thread.start()
        while not done.wait(0.001):
            ticks += 1
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert ticks > 0


def test_everything_has_a_docstring():
    for name, thing in vars(urlsift).items():
        if name.startswith("_") or isinstance(thing, types.ModuleType):
            continue
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else ():
            assert member.startswith("_") or value.__doc__, f"{name}.{member}"


def test_match_describes_its_link():
    [http, mailto] = urlsift.find("HTTP://Joe@Host.dom:80/a mailto:joe@host.dom")
    assert (http.href, http.scheme, http.host) == (http.url, "http", "Host.dom")
    assert (mailto.scheme, mailto.host) == ("mailto", None)
    [name] = urlsift.find("www.host.dom/a", form="+schemeless")
    assert (name.href, name.scheme, name.host) == ("http://www.host.dom/a", "http", "www.host.dom")
    [locator] = urlsift.find("at ftp.host.dom:/pub/a", form="+locator")
    assert (locator.href, locator.scheme, locator.host) == ("ftp://ftp.host.dom/pub/a", "ftp", "ftp.host.dom")
    [malformed] = urlsift.find("http://h..dom/", malformed="only")
    assert malformed.host is None


def test_matches_are_values():
    text = "a http://host.dom/a <URL:http://host.dom/b> http://host.dom/a"
    first, wrapped, last = urlsift.find(text)
    assert [first, wrapped, last] == list(urlsift.find(text))
    assert len({first, wrapped, last, *urlsift.find(text)}) == 3
    assert first != last and first != "http://host.dom/a"
    assert pickle.loads(pickle.dumps(wrapped)) == wrapped
    [bytes_match] = urlsift.find(b"http://host.dom/\xff", malformed="include")
    assert pickle.loads(pickle.dumps(bytes_match)) == bytes_match
    assert copy.copy(first) == first
