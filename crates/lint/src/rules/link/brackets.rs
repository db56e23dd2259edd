//! Finds the lines, brackets and parentheses around an offset.

use super::{Links, MAX_LINE_LEN};
use memchr::memmem;

impl<'a> Links<'a> {
    /// Returns the bytes from offset `at` to the end of its line.
    pub(super) fn rest_of_line(&self, at: usize) -> &'a [u8] {
        let rest = self.text.get(at..).unwrap_or_default();
        let rest = &rest[..rest.len().min(MAX_LINE_LEN)];
        &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())]
    }

    /// Returns the bytes from the start of the line to offset `at`, and the offset at which they
    /// start.
    pub(super) fn start_of_line_to(&self, at: usize) -> (&'a [u8], usize) {
        let from = at.saturating_sub(MAX_LINE_LEN);
        let head = &self.text[from..at];
        let start = memchr::memrchr(b'\n', head).map_or(from, |end| from + end + 1);
        (&self.text[start..at], start)
    }

    /// Returns the offset of the opening bracket that matches the closing bracket at offset
    /// `close`. Returns `None` if the line contains none. `pair` is the opening and the closing
    /// bracket.
    pub(super) fn matching_open_bracket(&self, close: usize, pair: [u8; 2]) -> Option<usize> {
        let (line, start) = self.start_of_line_to(close);
        let mut depth = 0;
        for (at, &b) in line.iter().enumerate().rev() {
            if b == pair[1] {
                depth += 1;
            } else if b == pair[0] {
                if depth == 0 {
                    let is_escaped = at > 0 && line[at - 1] == b'\\';
                    return (!is_escaped).then_some(start + at);
                }
                depth -= 1;
            }
        }
        None
    }

    /// True if the paragraph has an open parenthesis before offset `at`.
    pub(super) fn is_in_parentheses(&self, at: usize) -> bool {
        let from = at.saturating_sub(MAX_LINE_LEN);
        let head = &self.text[from..at];
        let head = &head[memmem::rfind(head, b"\n\n").unwrap_or(0)..];
        let mut depth = 0_usize;
        for b in head {
            match b {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        depth > 0 || memmem::find(head, "\u{ff08}".as_bytes()).is_some()
    }

    /// True if the paragraph has a closing bracket after offset `at` that closes none of the
    /// brackets opened after `at`. `pair` is the opening and the closing bracket.
    pub(super) fn closes_bracket_in_paragraph(&self, at: usize, pair: [u8; 2]) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let rest = &rest[..rest.len().min(MAX_LINE_LEN)];
        let rest = &rest[..memmem::find(rest, b"\n\n").unwrap_or(rest.len())];
        let mut depth = 0_usize;
        for &b in rest {
            if b == pair[0] {
                depth += 1;
            } else if b == pair[1] {
                if depth == 0 {
                    return true;
                }
                depth -= 1;
            }
        }
        false
    }

    /// True if the byte before offset `at` ends a word, so that a bracket at `at` is part of a
    /// program, such as an index.
    pub(super) fn is_after_word(&self, at: usize) -> bool {
        let ends_word = |b: u8| b.is_ascii_alphanumeric() || b"])".contains(&b);
        // An underscore at the start of a word is emphasis.
        let at = at - usize::from(at > 1 && self.text[at - 1] == b'_');
        self.byte_before(at).is_some_and(|b| ends_word(b) || b == b'_')
    }
}
