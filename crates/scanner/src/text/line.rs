//! Lines as a reader sees them: what quotes and indents them, and how wide they are.

use super::blank::{blank_len, line_break_at, trim_end};
use super::quote::margin;
use crate::limits::{MAX_GAP, MAX_LINE};
use urlsift_core::Span;

/// A line that is not as long as this reaches no margin, in columns.
pub(crate) const SHORTEST_FULL: usize = 60;
/// At most so many bytes before and after a break are looked at to learn how the text is wrapped.
pub(crate) const LAYOUT_REACH: usize = 4096;
/// At most so many lines of them, on either side.
pub(crate) const LAYOUT_LINES: usize = 40;

/// What is shorter is gone through byte by byte: a search by vectors costs as much as twenty bytes.
const SHORT: usize = 24;

/// Where the first of the two bytes stands.
pub(crate) fn find(wanted: [u8; 2], bytes: &[u8]) -> Option<usize> {
    let [a, b] = wanted;
    if bytes.len() < SHORT {
        return bytes.iter().position(|byte| *byte == a || *byte == b);
    }
    memchr::memchr2(a, b, bytes)
}

/// The line that ends at byte `end`, cut at the greatest length looked at.
pub(crate) fn line_before(text: &[u8], end: usize) -> &[u8] {
    let floor = end.saturating_sub(MAX_LINE);
    let head = text.get(floor..end).unwrap_or_default();
    &head[memchr::memrchr2(b'\n', b'\r', head).map_or(0, |at| at + 1)..]
}

/// The line that starts here, cut at the greatest length looked at, and where the next one starts.
pub(crate) fn line_at(text: &[u8], start: usize) -> (&[u8], usize) {
    let rest = text.get(start..).unwrap_or_default();
    let rest = &rest[..rest.len().min(MAX_LINE)];
    let len = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    (&rest[..len], start + len + line_break_at(rest, len))
}

/// If only blanks follow on the line from byte `end` on, behind a backslash that may say that the line goes on, and a
/// further line does: where it breaks.
#[inline(always)]
pub(crate) fn end_behind(text: &[u8], end: usize) -> Option<usize> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let mut at = end + usize::from(*text.get(end)? == b'\\');
    if is_blank(text.get(at)?) {
        at += text[at..].iter().take(MAX_GAP).take_while(|byte| is_blank(byte)).count();
    }
    let len = line_break_at(text, at);
    (len > 0 && at + len < text.len()).then_some(at)
}

/// What comments start with. Longer ones come before their beginnings.
const LEADERS: [&[u8]; 12] =
    [b"///", b"//!", b"//", b".\\\"", b"##", b"#", b"%%", b"%", b";;", b";", b"--", b":"];

/// The leader of the comment that the text is, if it is one: a blank follows it.
pub(crate) fn leader(text: &[u8]) -> &[u8] {
    if !matches!(text.first(), Some(b'/' | b'.' | b'#' | b'%' | b';' | b':' | b'-')) {
        return &[];
    }
    LEADERS
        .iter()
        .find(|leader| text.starts_with(leader) && blank_len(&text[leader.len()..]) > 0)
        .map_or(&[], |leader| leader)
}

/// Whether the line at `start..end` stands in a block comment whose lines start with asterisks.
pub(crate) fn is_in_block_comment(text: &[u8], start: usize, end: usize) -> bool {
    let own = |line: Span| {
        let line = &text[line.range()];
        &line[margin(line).len..]
    };
    let opens = |line: &[u8]| line.starts_with(b"/*");
    let is_inner = |line: &[u8]| line.first() == Some(&b'*') && !line.starts_with(b"*/");
    let line = own(Span::new(start, end));
    opens(line)
        || is_inner(line)
            && above(text, start).is_some_and(|end| {
                lines_before(text, end).map(own).find(|line| !is_inner(line)).is_some_and(opens)
            })
}

/// The leader of the comment that the text ends in, which may stand behind code.
pub(crate) fn comment(text: &[u8]) -> &[u8] {
    let whole = leader(text);
    if !whole.is_empty() || find([b'/', b'#'], text).is_none() {
        return whole;
    }
    let behind = |leader: &'static [u8]| {
        let ends = leader.len() - 1;
        let last = memchr::memrchr_iter(leader[ends], text).find_map(|at| {
            let from = at.checked_sub(ends)?;
            (text[from..].starts_with(leader) && text.get(at + 1) == Some(&b' ')).then_some(from)
        });
        last.is_some_and(|at| trim_end(&text[..at]).len() < at).then_some(leader)
    };
    behind(b"//").or_else(|| behind(b"#")).unwrap_or_default()
}

/// Whether each byte takes one column.
pub(crate) fn is_even(bytes: &[u8]) -> bool {
    if bytes.len() < SHORT {
        return bytes.iter().all(|byte| byte.is_ascii() && *byte != b'\t');
    }
    bytes.is_ascii() && memchr::memchr(b'\t', bytes).is_none()
}

/// The number of columns that the bytes take from the start of a line on.
pub(crate) fn columns(bytes: &[u8]) -> usize {
    if is_even(bytes) {
        return bytes.len();
    }
    bytes.iter().fold(0, |column, byte| match byte {
        b'\t' => column / 8 * 8 + 8,
        0x80..=0xBF => column, // the second and later bytes of a character
        _ => column + 1,
    })
}

/// The end of the line above the one that starts here.
pub(crate) fn above(text: &[u8], start: usize) -> Option<usize> {
    let head = text.get(..start)?;
    let head = head
        .strip_suffix(b"\r\n")
        .or_else(|| head.strip_suffix(b"\n"))
        .or_else(|| head.strip_suffix(b"\r"));
    head.map(<[u8]>::len)
}

/// The lines that end at or before `end`, nearest first, as far as the reach goes. A line whose
/// start is out of reach is not among them.
pub(crate) fn lines_before(text: &[u8], end: usize) -> impl Iterator<Item = Span> {
    let floor = end.saturating_sub(LAYOUT_REACH);
    let mut end = Some(end);
    std::iter::from_fn(move || {
        let stop = end?;
        let window = text.get(floor..stop)?;
        let Some(at) = memchr::memrchr2(b'\n', b'\r', window) else {
            end = None;
            return (floor == 0).then(|| Span::new(0, stop));
        };
        end = above(text, floor + at + 1);
        Some(Span::new(floor + at + 1, stop))
    })
    .take(LAYOUT_LINES)
}

/// The lines from `start`, the first byte of one, onwards, as far as the reach goes. A line whose
/// end is out of reach is not among them.
pub(crate) fn lines_after(text: &[u8], start: usize) -> impl Iterator<Item = Span> {
    let ceiling = text.len().min(start + LAYOUT_REACH);
    let last = ceiling == text.len();
    let mut start = Some(start);
    std::iter::from_fn(move || {
        let from = start?;
        let window = text.get(from..ceiling)?;
        if let Some(at) = memchr::memchr2(b'\n', b'\r', window) {
            start = Some(from + at + line_break_at(text, from + at));
            Some(Span::new(from, from + at))
        } else {
            start = None;
            (last && !window.is_empty()).then(|| Span::new(from, ceiling))
        }
    })
    .take(LAYOUT_LINES)
}

/// Whether the text around a line is quoted-printable that was not decoded: other lines end in `=`
/// too, or hold an encoded space or equals sign.
pub(crate) fn is_quoted_printable(text: &[u8], start: usize, end: usize) -> bool {
    let shows = |line: Span| {
        let line = &text[line.range()];
        ends_softly(line)
            || line.ends_with(b"=20")
            || memchr::memchr_iter(b'=', line).any(|at| line[at + 1..].starts_with(b"3D"))
    };
    let below = end + line_break_at(text, end);
    above(text, start).is_some_and(|end| lines_before(text, end).any(shows))
        || lines_after(text, below).any(shows)
}

/// Whether the line ends as quoted-printable breaks lines.
pub(crate) fn ends_softly(line: &[u8]) -> bool {
    line.ends_with(b"=") && !line.ends_with(b"==")
}

/// What the breaks that a URL came over tell of quoted-printable that was not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Nothing yet.
    Unknown,
    /// One of them was soft, so that the URL is encoded.
    QuotedPrintable,
    /// An equals sign before one of them is the URL's own, so that it is not.
    Plain,
}

impl Encoding {
    /// What is known behind more layout, before which that much of the URL stands; `is_soft`: whether an equals sign
    /// was dropped with it.
    pub(crate) fn behind(self, url: &[u8], is_soft: bool) -> Self {
        match self {
            _ if is_soft => Self::QuotedPrintable,
            Self::Unknown if url.ends_with(b"=") => Self::Plain,
            told => told,
        }
    }
}

/// Whether a URL that ends so may go on behind a soft break of quoted-printable. Where it came over one before, each
/// equals sign at a line's end is another; else no other equals sign in it is without the two digits that make an escape.
pub(crate) fn may_break_softly(url: &[u8], encoding: Encoding) -> bool {
    match encoding {
        Encoding::Unknown => {}
        Encoding::QuotedPrintable => return url.ends_with(b"="),
        Encoding::Plain => return false,
    }
    let is_escape = |at: usize| {
        url.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    ends_softly(url) && memchr::memchr_iter(b'=', &url[..url.len() - 1]).all(is_escape)
}
