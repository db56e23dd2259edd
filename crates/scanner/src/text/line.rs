//! Lines: their boundaries, comment leaders and widths in columns.

use super::blank::{line_break_len_at, trim_blanks_at_end};
use super::comment::comment_leader;
use super::quote::margin_of;
use crate::limits::{MAX_GAP, MAX_LINE};
use urlsift_core::Span;

/// The minimum width of a line that counts as filled up to the right margin, in columns.
pub(crate) const MIN_FULL_WIDTH: usize = 60;
/// The number of bytes before and after a break that are read to find how the text is wrapped.
pub(crate) const LAYOUT_REACH: usize = 4096;
/// The maximum number of lines that are read before and after a break to find how the text is
/// wrapped.
pub(crate) const LAYOUT_LINES: usize = 40;

/// The length below which text is searched byte by byte. A vectorized search costs as much as
/// twenty bytes.
const MAX_BYTEWISE: usize = 24;

/// Returns the offset of the first of `bytes` that equals one of the two bytes `either`, or `None`
/// if there is none.
pub(crate) fn find_either(either: [u8; 2], bytes: &[u8]) -> Option<usize> {
    let [a, b] = either;
    if bytes.len() < MAX_BYTEWISE {
        return bytes.iter().position(|byte| *byte == a || *byte == b);
    }
    memchr::memchr2(a, b, bytes)
}

/// Returns the part before byte `end` of the line that contains this byte. Of a longer part,
/// returns only the last [`MAX_LINE`] bytes.
pub(crate) fn line_before(text: &[u8], end: usize) -> &[u8] {
    let floor = end.saturating_sub(MAX_LINE);
    let head = text.get(floor..end).unwrap_or_default();
    &head[memchr::memrchr2(b'\n', b'\r', head).map_or(0, |at| at + 1)..]
}

/// Returns the line that starts at byte `start`, and the start of the next line. Of a line longer
/// than [`MAX_LINE`] bytes, returns only these bytes, and the offset after them.
pub(crate) fn line_at(text: &[u8], start: usize) -> (&[u8], usize) {
    let rest = text.get(start..).unwrap_or_default();
    let rest = &rest[..rest.len().min(MAX_LINE)];
    let len = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    (&rest[..len], start + len + line_break_len_at(rest, len))
}

/// True if `byte` can be the first one after the text of a line: a blank, a line break, or a
/// backslash, which may be a continuation mark.
pub(crate) const fn may_end_line(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\\')
}

/// Returns the offset of the line break after byte `end`, if only blanks come between them and
/// another line follows. Otherwise returns `None`. A backslash at `end` is skipped, since it may be
/// a continuation mark.
#[inline(always)]
pub(crate) fn line_end_after_blanks(text: &[u8], end: usize) -> Option<usize> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let mut at = end + usize::from(*text.get(end)? == b'\\');
    if is_blank(text.get(at)?) {
        at += text[at..].iter().take(MAX_GAP).take_while(|byte| is_blank(byte)).count();
    }
    let len = line_break_len_at(text, at);
    (len > 0 && at + len < text.len()).then_some(at)
}

/// True if the line at `start..end` is inside a block comment (`/* … */`) each of whose lines
/// starts with an asterisk.
pub(crate) fn is_in_block_comment(text: &[u8], start: usize, end: usize) -> bool {
    let own = |line: Span| {
        let line = &text[line.range()];
        &line[margin_of(line).len..]
    };
    let opens = |line: &[u8]| line.starts_with(b"/*");
    let is_inner = |line: &[u8]| line.first() == Some(&b'*') && !line.starts_with(b"*/");
    let line = own(Span::new(start, end));
    opens(line)
        || is_inner(line)
            && line_end_above(text, start).is_some_and(|end| {
                lines_before(text, end).map(own).find(|line| !is_inner(line)).is_some_and(opens)
            })
}

/// True if the line that starts at byte `start` is in a diff. Either its text, from byte
/// `text_start` on, starts with the mark of a changed line, or the header of a hunk is above.
pub(crate) fn is_in_diff(text: &[u8], start: usize, text_start: usize) -> bool {
    let is_header = |line: Span| {
        let line = &text[line.range()];
        let line = &line[margin_of(line).len..];
        [&b"@@ -"[..], b"+++ ", b"diff --git "].iter().any(|header| line.starts_with(header))
    };
    matches!(text.get(text_start), Some(b'+' | b'-'))
        || line_end_above(text, start).is_some_and(|end| lines_before(text, end).any(is_header))
}

/// Returns the leader of the comment that `text`, a line before a URL, ends with. The comment may
/// follow code (`x = 1; // see`). Returns an empty slice if there is none.
pub(crate) fn trailing_comment_leader(text: &[u8]) -> &[u8] {
    let whole = comment_leader(text);
    if !whole.is_empty() || find_either([b'/', b'#'], text).is_none() {
        return whole;
    }
    let leader_after_code = |leader: &'static [u8]| {
        let ends = leader.len() - 1;
        let last = memchr::memrchr_iter(leader[ends], text).find_map(|at| {
            let from = at.checked_sub(ends)?;
            (text[from..].starts_with(leader) && text.get(at + 1) == Some(&b' ')).then_some(from)
        });
        last.is_some_and(|at| trim_blanks_at_end(&text[..at]).len() < at).then_some(leader)
    };
    leader_after_code(b"//").or_else(|| leader_after_code(b"#")).unwrap_or_default()
}

/// True if each byte is one column wide when printed, so that the width equals the length.
pub(crate) fn is_byte_per_column(bytes: &[u8]) -> bool {
    if bytes.len() < MAX_BYTEWISE {
        return bytes.iter().all(|byte| byte.is_ascii() && *byte != b'\t');
    }
    bytes.is_ascii() && memchr::memchr(b'\t', bytes).is_none()
}

/// Returns the width of `bytes`, which start a line, in columns. Tab stops are eight columns apart.
pub(crate) fn width_in_columns(bytes: &[u8]) -> usize {
    if is_byte_per_column(bytes) {
        return bytes.len();
    }
    bytes.iter().fold(0, |column, byte| match byte {
        b'\t' => column / 8 * 8 + 8,
        0x80..=0xBF => column, // the second and later bytes of a character
        _ => column + 1,
    })
}

/// Returns the end of the line above the line that starts at `start`, or `None` if there is no line
/// above.
pub(crate) fn line_end_above(text: &[u8], start: usize) -> Option<usize> {
    let head = text.get(..start)?;
    let head = head
        .strip_suffix(b"\r\n")
        .or_else(|| head.strip_suffix(b"\n"))
        .or_else(|| head.strip_suffix(b"\r"));
    head.map(<[u8]>::len)
}

/// Returns the spans of the lines that end at or before byte `end`, nearest first. Only lines that
/// start within [`LAYOUT_REACH`] bytes of `end` are included.
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
        end = line_end_above(text, floor + at + 1);
        Some(Span::new(floor + at + 1, stop))
    })
    .take(LAYOUT_LINES)
}

/// Returns the spans of the lines from byte `start` on, in order. A line must start at `start`.
/// Only lines that end within [`LAYOUT_REACH`] bytes of `start` are included.
pub(crate) fn lines_after(text: &[u8], start: usize) -> impl Iterator<Item = Span> {
    let ceiling = text.len().min(start + LAYOUT_REACH);
    let last = ceiling == text.len();
    let mut start = Some(start);
    std::iter::from_fn(move || {
        let from = start?;
        let window = text.get(from..ceiling)?;
        if let Some(at) = memchr::memchr2(b'\n', b'\r', window) {
            start = Some(from + at + line_break_len_at(text, from + at));
            Some(Span::new(from, from + at))
        } else {
            start = None;
            (last && !window.is_empty()).then(|| Span::new(from, ceiling))
        }
    })
    .take(LAYOUT_LINES)
}
