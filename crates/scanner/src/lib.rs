//! Finds URLs in free text.
//!
//! The scanner finds URLs in running text of any kind: wrapped as in the Appendix of RFC 1738
//! (`<URL:...>`), bracketed, prefixed or bare, broken over lines, quoted in mail, or between CJK
//! text. It reports the exact byte range of each URL, and which bytes in this range are layout:
//! line breaks, indentation and quote marks that are not part of the URL.
//!
//! The scanner doesn't decide whether a URL is valid: `urlsift-core` does ([`validate_found`]). It
//! finds the extent of a URL with a permissive grammar and leaves the check for later. So a bad URL
//! is reported in full, not as a shorter, valid part of it.
//!
//! ```
//! use urlsift_scanner::{Form, Scanner};
//!
//! let scanner = Scanner::builder().build();
//! let text = b"It is at <URL:ftp://info.cern.ch/pub/www/doc;\n   type=d>, and (http://h.dom/a_(b)).";
//! let found: Vec<_> = scanner.find_iter(text).collect();
//!
//! assert_eq!(&*found[0].url(), b"ftp://info.cern.ch/pub/www/doc;type=d");
//! assert_eq!((found[0].form(), found[0].seams().len()), (Form::Wrapped, 1));
//! assert_eq!(&*found[1].url(), b"http://h.dom/a_(b)");
//! assert_eq!(&text[found[1].span().range()], b"http://h.dom/a_(b)");
//! ```
//!
//! | you have | call |
//! |---|---|
//! | a text in memory | [`Scanner::find_iter`], [`Scanner::find_str`] |
//! | a text that the iterator should own | [`Scanner::find_owned`] |
//! | a text whose charset or soft breaks (`format=flowed`) you know | [`Scanner::find`] with an [`Input`] |
//! | a text in chunks, or a reader | [`Scanner::stream`], [`Scanner::read_from`] |
//! | a text to split among threads | [`Scanner::find_within`], [`safe_cut`] |
//! | a value from markup or a header field | [`Scanner::read_attribute`] |
//! | a plain text to show as HTML with links | [`Scanner::autolink`] |
//!
//! The matches are [`Candidate`]s: URLs, and with some options other strings, that were found but
//! not validated. A *wrapper* is a pair of angle brackets around a URL, a *bare* URL has neither a
//! wrapper nor the prefix `URL:`, and a [`Seam`] is a break inside a URL that was joined.
//!
//! The time is linear in the length of the text, for any text. A candidate without line breaks
//! allocates nothing. The scanner reads no files, prints nothing and starts no threads, and no text
//! makes it panic.
//!
//! # The rules
//!
//! In the examples, the matches are between two `|`. The test cases for each rule are in
//! `corpus/text/`. The tests run each of them whole, in chunks of every size, with CRLF, and
//! quoted.
//!
//! ## What starts a URL
//!
//! - **A scheme and `//`**, in any case, followed by something that looks like a host:
//!   `|http://h.dom/|`, `|FTP://joe:pw@h.dom/|`, `|file:///etc/motd|`, not `http://...` or
//!   `http://,`. An unknown scheme needs at least two letters, and a letter or digit after the
//!   slashes: `|foo://h.dom|`, not `c://dir`. A misspelled known scheme is reported as
//!   [`NearMiss::MisspeltScheme`].
//! - **`mailto:` and an address**, and **`news:` and a group with a dot or a Message-ID**:
//!   `|mailto:joe@h.dom|`, `|news:comp.lang.c|`, not `news:nothing happened`. Except under
//!   `rfc1738` and `cern1994`, also **`mid:` and a Message-ID**, and `news:` and a Message-ID in
//!   angle brackets: `|news:<1@h.dom|>`. Other schemes are found without `//` only if you name them
//!   ([`Builder::scheme`]), in brackets, or as a whole value.
//! - **Any character may come before it**, except a letter, digit, `+`, `-` or `.`:
//!   `見|http://h.dom/|`, `x:|http://h.dom/|`. Digits and dots before the scheme's first letter are
//!   not part of it (`1|http://h.dom/|`). Unless the profile is `rfc1738` or `cern1994`, text glued
//!   to a scheme is cut off: letters before a scheme of RFC 1738 or `https` (`see|http://h.dom/|`),
//!   and also digits, dots and hyphens before `http`, `https` and `ftp` (`x-|http://h.dom/|`,
//!   `|svn+http://h.dom/|`). So are leader dots (as in a table of contents) and the remains of
//!   undecoded quoted-printable (`Net.....|http://h.dom|`, `href=3D|http://h.dom|`).
//! - **`URL:` before it**, with optional blanks after the colon, makes the form [`Form::Prefixed`]:
//!   `URL: |http://h.dom/|`. `URL` itself is never a scheme, and neither is a word before any other
//!   colon: `HTTP::Request`, `12:30:`, `BEGIN:VCALENDAR`, `C:\dir`.
//! - **Escape sequences of ISO-2022** end in a letter, which is not part of the scheme after it.
//!
//! ## What ends a bare URL
//!
//! - **Blanks and control characters** of every kind (ASCII, NO-BREAK SPACE, ZERO WIDTH SPACE, soft
//!   hyphen, directional marks), `< > " { } | \ ^`, the backquote, brackets other than those of an
//!   IPv6 address, and the entities `&lt;` `&gt;` `&quot;`.
//! - **Closing punctuation** `. , ; : ! ? '` at the end, the possessive `'s`, and closing brackets
//!   without an opening one: `|http://h.dom/a|).`, `|http://h.dom/a_(b)|`, `|http://h.dom|'s`.
//! - **Four or more of the same character** out of `= - _ * ~ #` at the end, which are a rule
//!   across the page, and hyphens after a host.
//! - **Bars** that separate: `[|http://h.dom/a| text]`, a row of a table. Otherwise, under `web`
//!   and `rfc3986`, they are part of the URL, so that no valid URL is cut out of a longer bad one:
//!   `file:///C|/dir`.
//! - **Square brackets** that contain a label, a footnote's number, a closing tag or another URL:
//!   `|http://h.dom/a|[the page]`, `|http://h.dom/a|[1]`, `|http://h.dom/a|[/url]`. Under `web` and
//!   `rfc3986`, brackets that close within the word are part of the URL if more of it follows, in a
//!   value of a query, or right after `/`, `:` or `=`: `|http://h.dom/?ids[]=1|`,
//!   `|http://h.dom/a[1].jpg|`, `|ftp://h.dom/disk:[dir.sub]|`. A word in brackets right after the
//!   host's slash is a label: `|http://h.dom/|[example]`. In AsciiDoc ([`Input::labels`]) brackets
//!   always end the URL.
//! - **The closing bracket or quote whose opening one comes before the URL**:
//!   `(|http://h.dom/a|)b`, `'|http://h.dom/a|','b'`,
//!   ``` ``|http://h.dom/a|'' ```; but `|http://h.dom/a)b|`. This is all that Markdown's
//!   `[t](|http://h.dom/|)`, TeX's `\url{|http://h.dom/|}` and reStructuredText need.
//! - **Paired emphasis marks**: `*|http://h.dom/|*`, `_|http://h.dom/|_`, `**|http://h.dom/|**`,
//!   `#|http://h.dom/|#`; but `|http://h.dom/a_|`.
//! - **Another URL glued to it** by a comma, or, if its scheme is one of RFC 1738 or `https`, also
//!   by a semicolon, a bar, a bracket or a quote: `|s3://h/a|,|s3://h/b|`,
//!   `(|http://h.dom/a|)(|http://h.dom/b|)`. After any other character, a URL within a URL is part
//!   of it: `|http://h.dom/?u=http://x.dom/|`.
//! - **Characters outside US-ASCII**, under `rfc1738` and `rfc3986`. Under `web` a letter or mark
//!   continues the URL (`|http://h.dom/café|`), unless it is of a script written without spaces
//!   (Han, kana, hangul). A character of such a script continues it only right after a delimiter,
//!   or after another such character that continued it (`|http://h.dom/wiki/日本|`,
//!   `|http://h.dom/index.html|を`). So does a symbol or emoji (`|http://h.dom/?utf8=✓&q=x|`); in the
//!   host it continues the URL if a dot and a letter follow (`|http://i❤.ws/|`). Punctuation ends the
//!   URL, and so does a byte that is not valid in the text's charset. If the byte may be a letter
//!   in another charset, the URL is marked as truncated.
//! - **Terminal escapes and formatting codes of mIRC** end a URL that is formatted as a whole.
//!   Inside a URL they are layout: [`JoinKind::Ansi`].
//! - **65,536 bytes**: a longer URL is cut there and marked as truncated
//!   ([`Candidate::is_truncated`]).
//!
//! The scanner weighs evidence to decide whether a bare URL continues after a line break: see
//! [`Rejoin`].
//!
//! ## Wrappers
//!
//! - `<URL:...>` may contain any scheme. `<...>` without the prefix needs a known scheme followed
//!   by what it requires, or an unknown one and `://`. Mail addresses, Message-IDs, markup, C++
//!   templates and redirections are not wrappers: `<joe@h.dom>`, `<a href="...">`, `<dav:prop>`.
//! - **White space inside is layout**, anywhere (also inside the scheme, an escape or `;type=`, or
//!   before the colon). Nothing else is dropped: `<URL:|ht` newline `tp://h.dom/a.|>.`
//! - **A wrapper ends at its `>`**, at most 4,096 bytes after the `<`. If another `<`, a blank line
//!   or the end of the text comes first, the bracket is plain text, and the text after it is
//!   scanned for bare URLs.
//! - **Quote marks** before its later lines are layout, up to as many `>` as before the line with
//!   the opening bracket. A further `>`, or one where that line has none, is the closing bracket.
//!   Unless [`Rejoin::Off`], the marks `|`, `:`, `#`, `›`, `»`, initials (`JD>`) and indented marks
//!   are layout, too, if they are the same as on the first line.
//! - **Page furniture** (blank lines, a footer, a form feed, a header) is skipped, unless
//!   [`Rejoin::Off`]: [`JoinKind::PageBreak`].
//! - **Another URL in the same wrapper** starts after a blank with `URL:`, or after a blank on the
//!   same line with a known scheme and `://`. A line break alone doesn't start one.
//! - **A hyphen right before a line break** is ambiguous: it may belong to the URL or come from the
//!   typesetter. It is kept, unless the same URL occurs nearby, unbroken and without the hyphen.
//!   [`Candidate::readings`] returns the alternatives.
//!
//! ## On request
//!
//! - [`Builder::schemeless`]: `|www.h.dom/a|`, `|ftp.h.dom|`: hosts of three labels or more, not
//!   within another name. [`Candidate::url`] returns them as written.
//! - [`Builder::locators`]: `|ftp.uu.net:/pub/x|`, `|/joe@h.dom:/pub/x|`. [`Candidate::url`]
//!   returns the equivalent ftp URL.
//! - [`Builder::near_misses`]: strings that are almost URLs: see [`NearMiss`].
//!
//! # Cutting
//!
//! The matches never depend on how a text was cut into chunks or ranges. Each depends only on
//! nearby bytes, never on all the text before it: see [`BEFORE`] and [`AFTER`]. Four rules ensure
//! this:
//!
//! - A wrapper contains no `<` but its own.
//! - The extent of a bare URL has the same end for every start within it.
//! - The continuation of a URL after a line break contains no start of another URL. So a match
//!   depends on one line break before it at most.
//! - In one endless word, a URL can start only where no other could have started in the 64 KiB
//!   before it.

mod autolink;
mod candidate;
mod extent;
mod fast;
mod found;
mod input;
mod limits;
mod options;
mod owned;
mod pairs;
mod pass;
mod read;
mod rejoin;
mod scanner;
mod scheme;
mod simd;
mod stream;
mod table;
mod text;
mod trigger;

pub use crate::candidate::quote_depths::QuoteDepths;
pub use crate::candidate::{
    Candidate, Form, Grade, JoinEvidence, JoinEvidenceSet, JoinKind, NearMiss, Seam, validate_found,
};
pub use crate::found::Found;
pub use crate::input::Input;
pub use crate::limits::{AFTER, BEFORE, NEARBY};
pub use crate::options::{Engine, Rejoin};
pub use crate::owned::{FoundIter, FoundReader};
pub use crate::pass::Candidates;
pub use crate::pass::State;
pub use crate::rejoin::learning::{BreakEvidence, break_evidence, break_weights};
pub use crate::scanner::{Builder, Scanner};
pub use crate::scheme::corrected_scheme;
pub use crate::stream::{Sink, Stream, Within, safe_cut};
pub use crate::text::host::dotted_host_len;
// The types in the signatures above, so that callers don't have to depend on `urlsift-core`.
pub use urlsift_core::{
    Breaks, Charset, Code, FileSpan, Profile, Report, Span, SpanMap, Url, Violation,
};

/// The examples of the README, which are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
