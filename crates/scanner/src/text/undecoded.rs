//! Quoted-printable that nobody decoded: its soft breaks and escapes in the text of a URL.
//!
//! A soft break is an equals sign at the end of a line, and a URL may also be broken after an
//! equals sign of its own. So the text must contain signs that only quoted-printable has. A URL
//! with a query must contain an encoded equals sign itself, because a wrong guess would decode the
//! values of the query (`id=40` to `id@`).

use super::blank::{line_break_len_at, line_start};
use super::line::{line_at, line_end_above, lines_after, lines_before};
use super::quote::margin_of;
use urlsift_core::Span;

/// The maximum length of a line in quoted-printable, with the `=` of its soft break (RFC 2045,
/// section 6.7).
const MAX_ENCODED_LINE: usize = 76;
/// The minimum length of a line that was broken because the next character didn't fit. That
/// character may be an escape of three bytes.
const MIN_FULL_LINE: usize = MAX_ENCODED_LINE - 3;

/// True if the `=` at the end of the line `start..end` is a soft break of quoted-printable, and not
/// part of the URL. `url` is the URL so far, with the `=`. Call this only if [`may_break_softly`]
/// returned true for `url`.
pub(crate) fn is_soft_break(text: &[u8], url: &[u8], start: usize, end: usize) -> bool {
    let below = end + line_break_len_at(text, end);
    let (next, _) = line_at(text, below);
    let tail =
        next[margin_of(next).len..].split(|byte| is_token_end(*byte)).next().unwrap_or_default();
    let has_query = url.contains(&b'?');
    let shows_itself = contains_encoded_equals(url);
    if has_query && !shows_itself && !contains_encoded_equals(tail) {
        return false;
    }
    let line = &text[start..end];
    let body = &line[margin_of(line).len..];
    // The equals sign of a path is hardly ever its own.
    let min_width = if has_query { MAX_ENCODED_LINE } else { MIN_FULL_LINE };
    let is_full = |width: usize| (min_width..=MAX_ENCODED_LINE).contains(&width);
    if is_full(line.len()) || is_full(body.len()) {
        return true;
    }
    let mut own = Signs::default();
    own.add(body);
    let mut signs = Signs::default();
    if let Some(end) = line_end_above(text, start) {
        signs.add_part(text, lines_before(text, end));
    }
    signs.add_part(text, lines_after(text, below));
    let is_likely = signs.proves || ((shows_itself || !has_query) && signs.has_soft_break);
    is_likely && (shows_itself || !(signs.contradicts || own.contradicts))
}

/// True if the `=` right before byte `end`, after the `//` of a scheme, is a soft break, and a host
/// starts the next line.
pub(crate) fn starts_after_soft_break(text: &[u8], end: usize) -> bool {
    let len = line_break_len_at(text, end);
    let (next, _) = line_at(text, end + len);
    let is_host = len > 0 && next.get(margin_of(next).len).is_some_and(u8::is_ascii_alphanumeric);
    is_host && line_start(text, end).is_some_and(|start| is_soft_break(text, b"=", start, end))
}

/// True if the escape `=20` or `=09` at the end of a URL is a blank at the end of a line of
/// quoted-printable. `end` is the end of the URL in the text, and `url` is the URL with the escape.
/// Other lines around must show the encoding.
pub(crate) fn ends_with_encoded_blank(text: &[u8], url: &[u8], end: usize) -> bool {
    let is_blank = url.ends_with(b"=20") || url.ends_with(b"=09");
    if !is_blank || url.contains(&b'?') || line_break_len_at(text, end) == 0 {
        return false;
    }
    let mut signs = Signs::default();
    if let Some(above) = line_start(text, end).and_then(|start| line_end_above(text, start)) {
        signs.add_part(text, lines_before(text, above));
    }
    signs.add_part(text, lines_after(text, end + line_break_len_at(text, end)));
    signs.proves && !signs.contradicts
}

/// True if `byte` ends a token, because it is a blank or a bracket around a URL.
const fn is_token_end(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'<' | b'>' | b'"')
}

/// True if the text contains an equals sign encoded in quoted-printable (`=3D`), as every query in
/// such text does.
fn contains_encoded_equals(text: &[u8]) -> bool {
    memchr::memchr_iter(b'=', text).any(|at| matches!(text[at + 1..], [b'3', b'D' | b'd', ..]))
}

/// True if a part of a mail message starts or ends at this line, so that the lines after it may be
/// in another encoding.
fn is_part_boundary(line: &[u8]) -> bool {
    matches!(line, [b'-', b'-', byte, ..] if byte.is_ascii_alphanumeric())
        || line.get(..8).is_some_and(|name| name.eq_ignore_ascii_case(b"content-"))
}

/// The evidence that the lines around a break are, or are not, encoded in quoted-printable.
#[derive(Clone, Copy, Debug, Default)]
struct Signs {
    /// True if a line has an escape that only quoted-printable contains, or a soft break and the
    /// greatest possible length.
    proves: bool,
    /// True if a line has a soft break.
    has_soft_break: bool,
    /// True if a line can't be quoted-printable.
    contradicts: bool,
}

impl Signs {
    /// Adds the signs in `lines`, up to the boundary of a part of the message.
    fn add_part(&mut self, text: &[u8], lines: impl Iterator<Item = Span>) {
        let texts = lines.map(|line| &text[line.range()]).map(|line| &line[margin_of(line).len..]);
        texts.take_while(|line| !is_part_boundary(line)).for_each(|line| self.add(line));
    }

    /// Adds the signs in `line`.
    fn add(&mut self, line: &[u8]) {
        self.contradicts |= line.len() > MAX_ENCODED_LINE;
        let mut last_escape = None;
        for at in memchr::memchr_iter(b'=', line) {
            let rest = &line[at + 1..];
            if rest.is_empty() {
                self.has_soft_break = true;
                self.proves |= (MIN_FULL_LINE..=MAX_ENCODED_LINE).contains(&line.len());
                break;
            }
            let Some(byte) = decode_hex_digits(rest) else {
                self.contradicts = true;
                return;
            };
            let is_chained = last_escape.is_some_and(|last: usize| last + 3 == at);
            let is_proof = byte == b'=' || (matches!(byte, b' ' | b'\t') && rest.len() == 2);
            self.proves |= is_proof || (byte >= 0x80 && is_chained);
            last_escape = Some(at);
        }
    }
}

/// Returns the byte that the two hexadecimal digits at the start of `digits` encode. Returns `None`
/// if there are no such digits, or if the byte is a control character that text doesn't contain.
fn decode_hex_digits(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    let byte = u8::try_from(digit(0)? << 4 | digit(1)?).ok()?;
    matches!(byte, b'\t' | b'\r' | b'\n' | b' '..=b'~' | 0x80..).then_some(byte)
}

/// True if the line ends with a soft break of quoted-printable: with one `=`, not two.
pub(crate) fn ends_with_soft_break(line: &[u8]) -> bool {
    line.ends_with(b"=") && !line.ends_with(b"==")
}

/// The encoding of the text around a URL, as shown by the line breaks inside the URL. In
/// quoted-printable text that was not decoded, a line that ends in `=` continues on the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// No break has shown the encoding yet.
    Unknown,
    /// The URL continued over a soft break of quoted-printable, so it is encoded.
    QuotedPrintable,
    /// An equals sign before a break is part of the URL, so the URL is not encoded.
    Plain,
}

impl Encoding {
    /// Returns the encoding (quoted-printable or none) that the breaks in the URL show, including a
    /// further break. `url` is the URL up to that break. `is_soft` is true if an equals sign was
    /// dropped at the break.
    pub(crate) fn after_break(self, url: &[u8], is_soft: bool) -> Self {
        match self {
            _ if is_soft => Self::QuotedPrintable,
            Self::Unknown if url.ends_with(b"=") => Self::Plain,
            known => known,
        }
    }
}

/// True if `url` may continue after a soft break of quoted-printable.
///
/// `encoding` is the encoding that earlier breaks in the URL showed. If it is unknown, every other
/// equals sign of the URL must start an escape with two hexadecimal digits (`=3D`).
pub(crate) fn may_break_softly(url: &[u8], encoding: Encoding) -> bool {
    match encoding {
        Encoding::Unknown => {}
        Encoding::QuotedPrintable => return url.ends_with(b"="),
        Encoding::Plain => return false,
    }
    let is_escape = |at: usize| {
        url.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    ends_with_soft_break(url) && memchr::memchr_iter(b'=', &url[..url.len() - 1]).all(is_escape)
}
