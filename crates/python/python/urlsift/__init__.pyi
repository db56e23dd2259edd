"""Finds and validates URLs in text, mail and mail archives.

Positions count characters in a str and bytes in bytes, from 0, like Python's own indices.
"""

import builtins
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, final

from typing_extensions import Buffer, Self, Unpack

__version__: str

Dialect: TypeAlias = Literal[
    "plain", "markdown", "mdx", "rst", "asciidoc", "org", "mediawiki", "texinfo", "html", "jupyter",
    "c", "go", "javascript", "json", "python", "rust", "shell",
]

# options: begin (written by URLSIFT_UPDATE=1 cargo test -p urlsift-records --test option_pages)
Input: TypeAlias = Literal[
    "auto", "text", "mail", "html", "markdown", "rst", "asciidoc", "json", "jsonl", "xml", "tex", "man",
    "ipynb", "ics", "po", "binary"
]
Profile: TypeAlias = Literal[
    "rfc1738", "cern1994", "rfc3986", "web"
]
Malformed: TypeAlias = Literal[
    "skip", "include", "only"
]
Form: TypeAlias = Literal[
    "wrapped", "bracketed", "prefixed", "bare", "attribute", "schemeless", "locator", "relative",
    "email", "host"
]
Forms: TypeAlias = Literal[
    "wrapped", "bracketed", "prefixed", "bare", "attribute", "schemeless", "locator", "relative",
    "email", "host", "+wrapped", "+bracketed", "+prefixed", "+bare", "+attribute", "+schemeless",
    "+locator", "+relative", "+email", "+host"
]
Without: TypeAlias = Literal[
    "body", "quote", "attribution", "signature", "footer", "chrome", "header", "attribute"
]
Rejoin: TypeAlias = Literal[
    "off", "certain", "likely"
]
Headers: TypeAlias = Literal[
    "none", "urls", "all"
]
WebRecords: TypeAlias = Literal[
    "pages", "all"
]
Undated: TypeAlias = Literal[
    "drop", "keep"
]
With: TypeAlias = Literal[
    "domain", "tld", "port", "from_domain", "from_hash", "from", "subject", "link_text"
]
Unwrap: TypeAlias = Literal[
    "replace"
]

class TextOptions(TypedDict, total=False):
    """The options of find()."""

    # Validate URLs against web, rfc3986, rfc1738 or cern1994 (default: web)
    profile: Profile
    # Report invalid URLs: skip, include or only (default: skip)
    malformed: Malformed
    # Report only URLs of these schemes
    scheme: str | Iterable[str]
    # Report only URLs whose host matches, e.g. `*.w3.org` or `!localhost`
    host: str | Iterable[str]
    # Report only URLs of hosts in these domains, e.g. `w3.org`
    domain: str | Iterable[str]
    # Report only URLs that match, e.g. `*.pdf` or `!*cgi-bin*`
    url: str | Iterable[str]
    # Report only URLs in these forms; `+FORM` adds to the default
    form: Forms | Iterable[Forms]
    # Join URLs across line breaks: off, certain or likely (default: likely)
    rejoin: Rejoin
    # Show passwords as `***`
    mask_passwords: bool
    # Show passwords and tokens as `***`
    mask_secrets: bool

class Options(TextOptions, total=False):
    """The options of Scanner and scan()."""

    # Read the input as this format (default: auto)
    input: Input
    # In JSON Lines, scan only the text in this field of each record
    text_field: str
    # In JSON Lines, read the date of a record from this field
    date_field: str
    # In JSON Lines, read the identifier of a record from this field
    id_field: str
    # Use this charset for text that doesn't declare one
    encoding: str
    # Stop unpacking a compressed file beyond this size (default: 100x)
    max_expand: int | str | None
    # Refuse xz and zst files that need a larger window than this (default: 128M)
    max_window: int | str
    # Skip URLs in these places: quote, signature, footer, …
    without: Without | Iterable[Without]
    # Also find relative links of HTML, and resolve them
    resolve: bool
    # Find defanged URLs, such as `hxxp://h[.]dom/`, and restore them
    refang: bool
    # Scan these header fields of messages: none, urls or all (default: urls)
    headers: Headers
    # Scan these records of web archives: pages or all (default: pages)
    web_records: WebRecords
    # Scan only messages from this date on, e.g. `1994-12`
    since: str
    # Scan only messages up to this date, inclusive
    until: str
    # Drop or keep messages without a valid date if dates are restricted (default: drop)
    undated: Undated
    # Scan only articles in newsgroups that match, e.g. `comp.*`
    newsgroup: str | Iterable[str]
    # Scan only messages of mailing lists that match, e.g. `*.w3.org`
    list: str | Iterable[str]
    # Scan only messages from these senders, e.g. `*@w3.org`
    sender: str | Iterable[str]
    # Scan only messages whose subject matches, e.g. `*announce*`
    subject: str | Iterable[str]
    # Add these fields to records: domain, tld, port, from_domain, …
    with_: With | Iterable[With]
    # Add the target of links that a mail gateway or tracker rewrote
    unwrap: bool | Unwrap
    # Use this key for the hashes of `--with from_hash`
    hash_key: Buffer

# options: end

Place: TypeAlias = Without

@final
class Match:
    """A URL that find() found in a text."""

    @property
    def url(self) -> str: ...
    @property
    def url_bytes(self) -> bytes | None: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def form(self) -> Form: ...
    @property
    def valid(self) -> bool: ...
    @property
    def normalized(self) -> str: ...
    @property
    def href(self) -> str: ...
    @property
    def scheme(self) -> str: ...
    @property
    def host(self) -> str | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Matches(Iterator[Match]):
    """An iterator over the matches of a text, in text order."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Match: ...

@final
class Report:
    """A violation or a finding: a fault in a URL, or a doubtful part of it."""

    @property
    def code(self) -> str: ...
    @property
    def level(self) -> Literal["info", "warning"] | None: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def rfc(self) -> int: ...
    @property
    def section(self) -> str: ...
    @property
    def message(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...

@final
class Parsed:
    """The result of parsing one URL."""

    @property
    def input(self) -> str: ...
    @property
    def valid(self) -> bool: ...
    @property
    def profile(self) -> Profile: ...
    @property
    def scheme(self) -> str | None: ...
    @property
    def components(self) -> dict[str, Any] | None: ...
    @property
    def semantics(self) -> dict[str, Any] | None: ...
    @property
    def violations(self) -> list[Report]: ...
    @property
    def findings(self) -> list[Report]: ...
    @property
    def host(self) -> str | None: ...
    @property
    def normalized(self) -> str | None: ...
    def to_dict(self) -> dict[str, Any]: ...

@final
class Scanner:
    """Scans many texts with the same options. Can be pickled and shared by threads."""

    def __new__(cls, **options: Unpack[Options]) -> Self: ...
    def find(self, text: str | Buffer, /) -> Matches: ...
    def scan(
        self,
        source: str | PathLike[str] | Buffer | SupportsRead,
        /,
        *,
        name: str | None = None,
        errors: Literal["raise", "collect"] = "raise",
    ) -> Records: ...
    def scan_table(
        self, source: str | PathLike[str] | Buffer | SupportsRead, /, *, name: str | None = None
    ) -> Table: ...
    def scan_batch(
        self, data: Buffer, /, *, name: str = "-", unit: tuple[int, int] | dict[str, Any] | None = None
    ) -> Batch: ...
    def find_column(self, column: ArrowArray | ArrowStream, /, *, normalized: bool = False) -> Column: ...
    def scan_column(self, column: ArrowArray | ArrowStream, /) -> Column: ...

def find(text: str | Buffer, /, **options: Unpack[TextOptions]) -> Matches:
    """Finds the URLs of a text, lazily and in text order."""
def parse(
    url: str | Buffer,
    /,
    *,
    profile: Profile = "web",
    reference: bool = False,
    mask_passwords: bool = False,
    mask_secrets: bool = False,
) -> Parsed:
    """Splits one URL into components and reports every violation. Does not raise for an invalid URL."""
def scan(
    source: str | PathLike[str] | Buffer | SupportsRead,
    /,
    *,
    name: str | None = None,
    errors: Literal["raise", "collect"] = "raise",
    **options: Unpack[Options],
) -> Records:
    """Scans one file, given as a path, bytes or a file object, and yields its records lazily."""
def lint(
    text: str | Buffer,
    /,
    *,
    dialect: Dialect = "plain",
    profile: Profile = "web",
    rejoin: Rejoin = "likely",
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
    scheme: str | Iterable[str] | None = None,
    strict: bool = False,
    mask_secrets: bool = False,
) -> list[Diagnostic]:
    """Lints the URLs of a text. Returns diagnostics in text order."""

class ArrowArray(Protocol):
    """An object with the Arrow PyCapsule interface for an array."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class ArrowStream(Protocol):
    """An object with the Arrow PyCapsule interface for a stream."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Batch:
    """The records of one file or unit as a record batch, for Arrow libraries."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __len__(self) -> int: ...

@final
class Column:
    """A column with the results for each value of another column, as lists, for Arrow libraries."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __len__(self) -> int: ...

@final
class Table:
    """The records of a file as a stream of record batches, for Arrow libraries. Can be read only once."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class SupportsRead(Protocol):
    """A file object that is open in binary mode."""

    def read(self, size: int, /) -> Buffer: ...

@final
class Records(Iterator[Record]):
    """An iterator over the records of a file, in file order."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Record: ...
    @property
    def errors(self) -> list[dict[str, str]]: ...
    @property
    def summary(self) -> dict[str, int] | None: ...

class ScanError(Exception):
    """An error in a scanned file or an archive member."""

    path: str
    member: str | None
    message: str

@final
class Record:
    """A URL in a file: the record of `urlsift scan`, with the same fields."""

    @property
    def path(self) -> str: ...
    @property
    def path_bytes(self) -> bytes | None: ...
    @property
    def member(self) -> str | None: ...
    @property
    def member_bytes(self) -> bytes | None: ...
    @property
    def url(self) -> str: ...
    @property
    def url_bytes(self) -> bytes | None: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def form(self) -> Form: ...
    @property
    def scheme(self) -> str | None: ...
    @property
    def host(self) -> str | None: ...
    @property
    def host_bytes(self) -> bytes | None: ...
    @property
    def fragment(self) -> str | None: ...
    @property
    def fragment_bytes(self) -> bytes | None: ...
    @property
    def profile(self) -> Profile: ...
    @property
    def valid(self) -> bool: ...
    @property
    def violations(self) -> list[Report]: ...
    @property
    def findings(self) -> list[Report]: ...
    @property
    def joins(self) -> list[Join]: ...
    @property
    def readings(self) -> list[str]: ...
    @property
    def readings_bytes(self) -> list[bytes] | None: ...
    @property
    def quote_depth(self) -> int: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def decoded(self) -> list[str]: ...
    @property
    def approximate(self) -> bool: ...
    @property
    def html(self) -> str | None: ...
    @property
    def link_text(self) -> str | None: ...
    @property
    def link_text_bytes(self) -> bytes | None: ...
    @property
    def normalized(self) -> str | None: ...
    @property
    def normalized_bytes(self) -> bytes | None: ...
    @property
    def domain(self) -> str | None: ...
    @property
    def tld(self) -> str | None: ...
    @property
    def port(self) -> int | None: ...
    @property
    def target(self) -> str | None: ...
    @property
    def target_bytes(self) -> bytes | None: ...
    @property
    def resolved(self) -> str | None: ...
    @property
    def resolved_bytes(self) -> bytes | None: ...
    @property
    def place(self) -> Place: ...
    @property
    def header_name(self) -> str | None: ...
    @property
    def header_name_bytes(self) -> bytes | None: ...
    @property
    def message(self) -> Message | None: ...
    @property
    def page(self) -> Page | None: ...
    @staticmethod
    def from_json(line: str) -> Record: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...

@final
class Page:
    """The web archive record that contains the URL."""

    @property
    def uri(self) -> str | None: ...
    @property
    def uri_bytes(self) -> bytes | None: ...
    @property
    def date(self) -> str | None: ...
    @property
    def id(self) -> str | None: ...
    @property
    def id_bytes(self) -> bytes | None: ...
    @property
    def type(self) -> str: ...
    @property
    def type_bytes(self) -> bytes | None: ...
    @property
    def cut(self) -> list[str]: ...

@final
class Message:
    """The message that contains the URL."""

    @property
    def id(self) -> str | None: ...
    @property
    def id_bytes(self) -> bytes | None: ...
    @property
    def date(self) -> str | None: ...
    @property
    def date_source(self) -> str | None: ...
    @property
    def date_raw(self) -> str | None: ...
    @property
    def date_raw_bytes(self) -> bytes | None: ...
    @property
    def newsgroups(self) -> builtins.list[str]: ...
    @property
    def newsgroups_bytes(self) -> builtins.list[bytes] | None: ...
    @property
    def list(self) -> str | None: ...
    @property
    def list_bytes(self) -> bytes | None: ...
    @property
    def in_reply_to(self) -> str | None: ...
    @property
    def in_reply_to_bytes(self) -> bytes | None: ...
    @property
    def from_domain(self) -> str | None: ...
    @property
    def from_domain_bytes(self) -> bytes | None: ...
    @property
    def from_hash(self) -> str | None: ...
    @property
    def from_(self) -> str | None: ...
    @property
    def from_bytes(self) -> bytes | None: ...
    @property
    def subject(self) -> str | None: ...
    @property
    def subject_bytes(self) -> bytes | None: ...
    @property
    def part(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def cut(self) -> builtins.list[str]: ...

@final
class Join:
    """A line break, with the quote marks and spaces around it, that was removed from a URL."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def grade(self) -> Literal["certain", "likely"]: ...
    @property
    def evidence(self) -> list[str]: ...

@final
class Diagnostic:
    """A problem that lint() found. Passwords are masked as `***` in its strings."""

    @property
    def code(self) -> str: ...
    @property
    def level(self) -> Literal["info", "warning", "error"]: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def line_hash(self) -> str: ...
    @property
    def url(self) -> str | None: ...
    @property
    def message(self) -> str: ...
    @property
    def rfc(self) -> int | None: ...
    @property
    def section(self) -> str | None: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def help(self) -> str | None: ...
    @property
    def fix(self) -> Fix | None: ...
    def to_dict(self) -> dict[str, Any]: ...

@final
class Fix:
    """The edits that fix a problem."""

    @property
    def applicability(self) -> Literal["safe", "unsafe", "display"]: ...
    @property
    def edits(self) -> list[Edit]: ...
    def to_dict(self) -> dict[str, Any]: ...

@final
class Edit:
    """An edit: replace the range from start to end with text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def text(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...

class StaleUnit(Exception):
    """A file has changed since its units were listed."""

    path: str
    start: int
    end: int | None
    def __init__(self, unit: dict[str, Any], message: str) -> None: ...

def units(
    path: str | PathLike[str], /, *, open: Any = None, size: int = 16777216, **options: Unpack[Options]
) -> list[dict[str, Any]]:
    """Splits a file into units of at least size bytes, which can be scanned independently."""

def read_unit(unit: dict[str, Any], /, *, open: Any = None) -> bytes:
    """Returns the bytes that are needed to scan a unit, read from its file."""

def scan_unit(unit: dict[str, Any], /, *, open: Any = None, scanner: Scanner | None = None) -> Batch:
    """Reads and scans a unit. Returns the records as one Batch."""

def scan_unit_batches(
    unit: dict[str, Any], /, *, open: Any = None, scanner: Scanner | None = None
) -> Iterator[Batch]:
    """Reads and scans a unit, and yields the records in batches, so that memory is bounded."""

def schema() -> Any:
    """Returns the columns of `urlsift schema urls` as a pyarrow.Schema."""

def error_batch(unit: dict[str, Any], message: str, /) -> Any:
    """Returns a pyarrow.RecordBatch with one row that reports an error, for a unit that could not be scanned."""
