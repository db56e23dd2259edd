//! Where URLs stand in text.
//!
//! The scanner finds URLs in running text of any kind: wrapped as the Appendix of RFC 1738 has it
//! (`<URL:...>`), bracketed, prefixed or bare, broken over lines, quoted in mail, between CJK text. It
//! says where each one stands, byte for byte, and which bytes inside it are layout. Whether a URL is
//! any good is another question, which `urlsift-core` answers ([`verdict`]): a URL's extent is found
//! with a wide grammar and judged afterwards, so that a bad URL is reported as it stands and not as a
//! good stump of itself.
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
//! | a text | [`Scanner::find_iter`], [`Scanner::find_str`] |
//! | a text that the iterator shall hold | [`Scanner::find_owned`] |
//! | a text of which more is known: its charset, the soft breaks of `format=flowed` | [`Scanner::find`] with an [`Input`] |
//! | a text in chunks, a reader | [`Scanner::stream`], [`Scanner::read_from`] |
//! | a text to share out over threads | [`Scanner::find_within`], [`safe_cut`] |
//! | a value of markup or of a header field | [`Scanner::attribute`] |
//!
//! Time is linear in the text, whatever it holds; a candidate without breaks allocates nothing; the
//! scanner reads no files, prints nothing, starts no threads, and no text makes it panic.
//!
//! # The rules
//!
//! In the examples what is found stands between two `|`. The cases behind each rule are the
//! sentences in `corpus/text/`, which the tests run whole, in chunks of every size, with CRLF, and
//! quoted.
//!
//! ## What starts a URL
//!
//! - **A scheme and `//`**, in any case, and then what looks like a host: `|http://h.dom/|`,
//!   `|FTP://joe:pw@h.dom/|`, `|file:///etc/motd|`, not `http://...` or `http://,`. A scheme that
//!   nobody knows needs two letters and a letter or digit behind the slashes: `|foo://h.dom|`, not
//!   `c://dir`. One that was meant to be a known one is told apart ([`NearMiss::MisspeltScheme`]).
//! - **`mailto:` and an address**, **`news:` and a group with a dot or a Message-ID**:
//!   `|mailto:joe@h.dom|`, `|news:comp.lang.c|`, not `news:nothing happened`. But under `rfc1738` and `cern1994` also
//!   **`mid:` and a Message-ID**, and a Message-ID in its brackets: `|news:<1@h.dom|>`. Other schemes go without
//!   `//` only where the user named them ([`Builder::scheme`]), in brackets, or as a whole value.
//! - **Anything may stand before it** that is no letter, digit, `+`, `-` or `.`: `見|http://h.dom/|`,
//!   `x:|http://h.dom/|`. Digits and dots before the scheme's first letter are none of it
//!   (`1|http://h.dom/|`). Letters glued to a scheme of RFC 1738 or `https` are cut off
//!   (`see|http://h.dom/|`), before `http`, `https` and `ftp` digits, dots and hyphens, too
//!   (`x-|http://h.dom/|`, `|svn+http://h.dom/|`), unless the profile is `rfc1738` or `cern1994`. Leaders and what is left of undecoded quoted-printable are cut off, too
//!   (`Net.....|http://h.dom|`, `href=3D|http://h.dom|`).
//! - **`URL:` right before it**, blanks between allowed, makes the form [`Form::Prefixed`]:
//!   `URL: |http://h.dom/|`. `URL` itself is never a scheme, and neither is any word before another
//!   colon: `HTTP::Request`, `12:30:`, `BEGIN:VCALENDAR`, `C:\dir`.
//! - **Escape sequences of ISO-2022** end in a letter that is no part of a scheme.
//!
//! ## What ends a bare URL
//!
//! - Blanks and control characters of every kind (ASCII, NO-BREAK SPACE, ZERO WIDTH SPACE, soft
//!   hyphen, directional marks), `< > " { } | \ ^`, the backquote, brackets but those of an IPv6
//!   address, and the entities `&lt;` `&gt;` `&quot;`.
//! - **Closing punctuation** `. , ; : ! ? '` at its end, the genitive's `'s`, and brackets that
//!   nothing opened: `|http://h.dom/a|).`, `|http://h.dom/a_(b)|`, `|http://h.dom|'s`.
//! - **Four or more of one of** `= - _ * ~ #` at its end, which are a line across the page, and hyphens behind a host.
//! - **Bars and square brackets** where they separate or hold a footnote: `[|http://h.dom/a| text]`, a table's row,
//!   `|http://h.dom/a|[1]`. Else, under `web` and `rfc3986`, they are characters of it that should not be there, so that
//!   no valid URL is left of a longer bad one: `file:///C|/dir`.
//! - **What opened before it decides what closes it**: `(|http://h.dom/a|)b`, `'|http://h.dom/a|','b'`,
//!   ``` ``|http://h.dom/a|'' ```; but `|http://h.dom/a)b|`. This is all that Markdown's
//!   `[t](|http://h.dom/|)`, TeX's `\url{|http://h.dom/|}` and reStructuredText need.
//! - **Marks of emphasis** when they are paired: `*|http://h.dom/|*`, `_|http://h.dom/|_`,
//!   `**|http://h.dom/|**`, `#|http://h.dom/|#`; but `|http://h.dom/a_|`.
//! - **Another URL glued to it** by a comma, of a classic scheme also by a semicolon, a bar, a bracket or a quote:
//!   `|s3://h/a|,|s3://h/b|`, `(|http://h.dom/a|)(|http://h.dom/b|)`. After anything else a URL
//!   within a URL is part of it: `|http://h.dom/?u=http://x.dom/|`.
//! - **Characters outside US-ASCII** under `rfc1738` and `rfc3986`. Under `web` a letter or mark goes on
//!   (`|http://h.dom/café|`), unless it is of a script written without blanks (Han, kana, hangul):
//!   that goes on only right behind a delimiter, or behind another one that did
//!   (`|http://h.dom/wiki/日本|`, `|http://h.dom/index.html|を`). Punctuation and symbols stop, and so does a
//!   byte that is not valid in the text's charset.
//! - **65,536 bytes**; what is longer is cut, and says so ([`Candidate::is_truncated`]).
//!
//! Whether a bare URL goes on behind a line break is decided on evidence: see [`Rejoin`].
//!
//! ## Wrappers
//!
//! - `<URL:...>` holds any scheme; `<...>` without the prefix a known one and what must follow it, or
//!   an unknown one and `://`. Mail addresses, Message-IDs, markup, templates of C++ and redirections
//!   are none: `<joe@h.dom>`, `<a href="...">`, `<dav:prop>`.
//! - **White space inside is layout**, wherever it stands (also inside the scheme, an escape, `;type=`,
//!   or before the colon), and nothing else is dropped: `<URL:|ht` newline `tp://h.dom/a.|>.`
//! - **A wrapper ends at its `>`**, at most 4,096 bytes on. A `<`, a blank line, or the text's end
//!   before it make the bracket plain text, and what is inside is found as if it were bare.
//! - **Quote marks** before its further lines are layout, as many `>` as the line of the opening
//!   bracket has. A deeper one, or one where that line has none, is the closing bracket. Unless
//!   [`Rejoin::Off`], so are the marks `|`, `:`, `#`, `›`, `»`, initials (`JD>`) and indented ones, if
//!   they are the same.
//! - **Page furniture** (blank lines, a footer, a form feed, a header) is passed over, unless
//!   [`Rejoin::Off`]: [`JoinKind::PageBreak`].
//! - **Several URLs in one wrapper** start at a blank and `URL:`, or at a blank on the same line and a
//!   known scheme with `://`. A line break alone does not start another.
//! - **A line break right after a hyphen** is ambiguous: the hyphen may be the URL's or the
//!   typesetter's. It is kept, unless the same URL stands unbroken nearby without it, and
//!   [`Candidate::readings`] gives the others.
//!
//! ## On request
//!
//! - [`Builder::schemeless`]: `|www.h.dom/a|`, `|ftp.h.dom|`: three labels or more, not within another
//!   name. [`Candidate::url`] is what is written.
//! - [`Builder::locators`]: `|ftp.uu.net:/pub/x|`, `|/joe@h.dom:/pub/x|`. [`Candidate::url`] is the ftp URL
//!   that is meant.
//! - [`Builder::near_misses`]: what is nearly a URL: see [`NearMiss`].
//!
//! # Cutting
//!
//! What is found never depends on how a text was cut into chunks or ranges, because it is a matter of
//! the bytes nearby and never of all the text before: see [`BEFORE`] and [`AFTER`]. Four things make it
//! so. A wrapper holds no `<` but its own. The end of a bare URL's extent is the same for every place
//! within it. The tail behind a line break holds no URL of its own, so a place depends on one line
//! break before it and no more. And in one endless word a URL starts where none could have started in
//! the 64 KiB before it.

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
pub use crate::candidate::{Candidate, Form, Grade, JoinKind, NearMiss, Seam, verdict};
pub use crate::found::Found;
pub use crate::input::Input;
pub use crate::limits::{AFTER, BEFORE, NEARBY};
pub use crate::options::{Engine, Rejoin};
pub use crate::owned::{FoundIter, FoundReader};
pub use crate::pass::Candidates;
pub use crate::pass::State;
#[doc(hidden)]
pub use crate::rejoin::learning::{BreakEvidence, break_evidence, break_weights};
pub use crate::scanner::{Builder, Scanner};
pub use crate::scheme::meant_scheme;
pub use crate::stream::{Sink, Stream, Within, safe_cut};
pub use crate::text::host::dotted_len;
