//! The marks that mail programs put before quoted lines.

use super::blank::{first_blank_len, line_start};
use super::comment::comment_leader;
use crate::Rejoin;
use crate::limits::MAX_LINE;
use crate::table::table;
use crate::text::blank;
use urlsift_core::Span;

/// The maximum number of letters before a `>` that count as the initials of the quoted author.
const MAX_INITIALS: usize = 4;

/// Counts the quote marks `>` that the line at byte `line` starts with (`( ?>)*`), up to `max`.
/// Returns their number, and the offset after the last one.
pub(crate) fn skip_marks(text: &[u8], line: usize, max: usize) -> (usize, usize) {
    let (mut count, mut at) = (0, line);
    while count < max {
        let mark = at + usize::from(text.get(at) == Some(&b' '));
        if text.get(mark) != Some(&b'>') {
            break;
        }
        at = mark + 1;
        count += 1;
    }
    (count, at)
}

/// Returns the number of quote marks before byte `at` on the line that starts at byte `line`. A `>`
/// that closes a wrapper from the line before is not a quote mark.
pub(crate) fn quote_depth(text: &[u8], line: usize, at: usize) -> usize {
    let (count, _) = skip_marks(text.get(..at).unwrap_or(text), line, usize::MAX);
    if count > 0 && closes_wrapper(text, line) { count - 1 } else { count }
}

/// True if a wrapper that opened on an earlier, unquoted line is still open at the start of `line`.
/// The first `>` on that line then closes the wrapper.
///
/// Only the nearest `<` counts, and the `>` at the start of its line count as quote marks. So the
/// answer depends only on the last few lines.
fn closes_wrapper(text: &[u8], line: usize) -> bool {
    let from = line.saturating_sub(MAX_LINE);
    let Some(open) = memchr::memrchr2(b'<', b'>', &text[from..line]).map(|at| from + at) else {
        return false;
    };
    if text[open] != b'<' {
        return false;
    }
    let unquoted = line_start(text, open).is_some_and(|start| skip_marks(text, start, 1).0 == 0);
    unquoted && opens_wrapper(text, open) && !has_blank_line(text, open, line)
}

/// True if the `<` at byte `open` looks like the start of a wrapper, because a word and a colon
/// follow it.
fn opens_wrapper(text: &[u8], open: usize) -> bool {
    let rest = text.get(open + 1..text.len().min(open + 1 + 80)).unwrap_or_default();
    let rest = rest.trim_ascii_start();
    let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    word > 1 && rest[word..].trim_ascii_start().first() == Some(&b':')
}

/// True if there is a blank line between the bytes `from` and `to`.
fn has_blank_line(text: &[u8], from: usize, to: usize) -> bool {
    let mut at = from;
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &text[at..to]) {
        at += found;
        at += blank::line_break_len_at(text, at);
        let next = blank::skip_blanks_on_line(text, at, urlsift_core::Charset::Utf8);
        if next < to && blank::line_break_len_at(text, next) > 0 {
            return true;
        }
    }
    false
}

/// The quote marks before a wrapper's first line, which may be repeated before its further lines.
#[derive(Clone, Debug)]
pub(crate) struct Marks<'t> {
    /// The number of `>` marks, as [`skip_marks`] counts them.
    depth: usize,
    /// The marks after those: marks of other kinds, or marks after more than one space.
    other: Vec<&'t [u8]>,
}

impl<'t> Marks<'t> {
    /// Returns the quote marks at the start of the line that contains byte `at`, up to that byte.
    /// If `rejoin` is off, only `>` counts as a mark.
    pub(crate) fn marks_before(text: &'t [u8], at: usize, rejoin: Rejoin) -> Self {
        let Some(line) = line_start(text, at) else {
            return Self { depth: 0, other: Vec::new() };
        };
        let depth = quote_depth(text, line, at);
        let mut other = Vec::new();
        let mut from = skip_marks(text, line, depth).1;
        if rejoin > Rejoin::Off {
            let head = text.get(..at).unwrap_or(text);
            while let Some(mark) = mark_at(head, from) {
                other.push(&text[mark.range()]);
                from = mark.end;
            }
        }
        Self { depth, other }
    }

    /// True if the line that starts at byte `line` has fewer `>` marks than the wrapper's first
    /// line.
    pub(crate) fn are_lost(&self, text: &[u8], line: usize) -> bool {
        skip_marks(text, line, self.depth).0 < self.depth
    }

    /// Returns the offset after those marks of the wrapper's first line that are repeated at the
    /// start of the line at byte `line`.
    pub(crate) fn skip_repeated(&self, text: &[u8], line: usize) -> usize {
        let mut at = skip_marks(text, line, self.depth).1;
        for mark in &self.other {
            match mark_at(text, at) {
                Some(found) if text[found.range()] == **mark => at = found.end,
                _ => break,
            }
        }
        at
    }
}

/// Returns the span of the mark at byte `from`, after any blanks, or `None` if there is none. A
/// mark is a quote mark, or a `:` or `#` before a blank.
fn mark_at(text: &[u8], from: usize) -> Option<Span> {
    let rest = text.get(from..)?;
    let blanks = rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let start = from + blanks;
    let len = match &rest[blanks..] {
        [b'*', b' ' | b'\t', ..] => 1,
        [b'/', b'*', b' ' | b'\t', ..] => return Some(Span::new(start + 1, start + 2)),
        rest => mark_len(rest).max(comment_leader(rest).len()),
    };
    (len > 0).then(|| Span::new(start, start + len))
}

/// Returns the length in bytes of the quote mark that `text` starts with, or 0 if there is none. A
/// quote mark is `>`, `|`, `›`, `»`, or initials in capitals before a `>`.
pub(crate) fn mark_len(text: &[u8]) -> usize {
    match text {
        [b'>' | b'|', ..] => 1,
        [0xC2, 0xBB, ..] => "»".len(),
        [0xE2, 0x80, 0xBA, ..] => "›".len(),
        [b'A'..=b'Z', ..] => {
            let initials =
                text.iter().take(MAX_INITIALS).take_while(|b| b.is_ascii_uppercase()).count();
            if text.get(initials) == Some(&b'>') { initials + 1 } else { 0 }
        }
        _ => 0,
    }
}

/// The quote marks and the indentation with which a line starts. All lengths are in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Margin {
    /// The number of quote marks in the margin.
    pub(crate) depth: usize,
    /// The length of the quote marks and the blanks before and between them.
    pub(crate) marks: usize,
    /// The length of the whole margin, including the indentation.
    pub(crate) len: usize,
}

/// Returns the margin of `line`: its quote marks, and the indentation after them.
pub(crate) fn margin_of(line: &[u8]) -> Margin {
    let mut margin = Margin::default();
    let mut rest = line;
    loop {
        while let [b' ' | b'\t', after @ ..] = rest {
            rest = after;
        }
        let [first, ..] = rest else { break };
        if !MAY_CONTINUE_MARGIN[usize::from(*first)] {
            break;
        }
        let (blank, mark) = (first_blank_len(rest), mark_len(rest));
        if blank + mark == 0 {
            break;
        }
        rest = &rest[blank + mark..];
        if mark > 0 {
            margin.depth += 1;
            margin.marks = line.len() - rest.len();
        }
    }
    Margin { len: line.len() - rest.len(), ..margin }
}

/// True for each byte, other than a space or tab, that may start the next part of a margin: a quote
/// mark (`>`, `|`, or initials as in `JD>`), or a character outside US-ASCII (`»`, `›` or a
/// NO-BREAK SPACE).
static MAY_CONTINUE_MARGIN: [bool; 256] =
    table!(|byte| matches!(byte, b'>' | b'|' | b'A'..=b'Z' | 0x80..));

/// Returns the start of the line that contains byte `end`, if only spaces and `>` are between them.
/// Otherwise returns `None`.
pub(crate) fn skip_marks_back(text: &[u8], end: usize) -> Option<usize> {
    let mut at = end;
    while let Some(before) = at.checked_sub(1) {
        match text.get(before)? {
            b' ' | b'>' => at = before,
            b'\n' | b'\r' => return Some(at),
            _ => return None,
        }
    }
    Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quote_depth_is_the_number_of_marks() {
        let depth_at = |text: &[u8], at| quote_depth(text, line_start(text, at).unwrap(), at);
        assert_eq!(depth_at(b"> > x", 4), 2);
        assert_eq!(depth_at(b">> x", 3), 2);
        assert_eq!(depth_at(b" >x", 2), 1);
        assert_eq!(depth_at(b"  > x", 4), 0);
        assert_eq!(depth_at(b"a\n> x", 4), 1);
        assert_eq!(depth_at(b"<URL:http://h/a\n> x", 18), 0);
        assert_eq!(depth_at(b"> <URL:http://h/a\n> x", 20), 1);
        assert_eq!(depth_at(b"a <b\n> x", 7), 1);
    }
}
