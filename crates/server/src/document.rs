//! The text of an open document, with conversion between byte offsets and the editor's positions
//! (line and column).

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use std::cell::Cell;
use std::ops;
use urlsift_core::Span;

/// The unit in which the client counts columns: bytes of UTF-8 or code units of UTF-16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    #[default]
    Utf16,
}

impl Encoding {
    /// Returns the encoding to use with a client that supports the encodings `offered`: UTF-8 if
    /// possible, otherwise UTF-16.
    pub(crate) fn negotiate<'a>(mut offered: impl Iterator<Item = &'a str>) -> Self {
        if offered.any(|name| name == Self::Utf8.protocol_name()) {
            Self::Utf8
        } else {
            Self::Utf16
        }
    }

    /// Returns the protocol's name of the encoding.
    pub(crate) fn protocol_name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
        }
    }

    /// Returns the length of `text` in this unit.
    fn width_of(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 if text.is_ascii() => text.len(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }
}

/// A text with an index of its lines. Lines end after LF, CRLF or CR.
#[derive(Debug, Default)]
pub(crate) struct Text {
    content: String,
    starts: Vec<usize>,
    /// A cache of the last computed position: line, byte offset and column.
    last: Cell<(usize, usize, usize)>,
}

impl Text {
    pub(crate) fn new(text: String) -> Self {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes)
            .filter(|&at| bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
        let starts = std::iter::once(0).chain(ends.map(|at| at + 1)).collect();
        Self { starts, content: text, last: Cell::default() }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.content
    }

    /// Converts a position (line and column) to a byte offset. `encoding` is the unit of the
    /// column. Positions after the end of a line or of the text are clamped to that end. A position
    /// inside a character becomes the character's start.
    pub(crate) fn offset_of_position(&self, position: Position, encoding: Encoding) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let Some(&start) = self.starts.get(line) else { return self.content.len() };
        let end = self.starts.get(line.saturating_add(1)).copied().unwrap_or(self.content.len());
        let line = self.content[start..end].trim_end_matches(['\n', '\r']);
        let target_column = usize::try_from(position.character).unwrap_or(usize::MAX);
        let mut column = 0;
        for (at, c) in line.char_indices() {
            column += match encoding {
                Encoding::Utf8 => c.len_utf8(),
                Encoding::Utf16 => c.len_utf16(),
            };
            if column > target_column {
                return start + at;
            }
        }
        start + line.len()
    }

    /// Converts a byte offset to a position (line and column). `encoding` is the unit of the
    /// column. Takes linear time in the distance from the last converted offset, or from the start
    /// of the line if the last one was on another line.
    pub(crate) fn position_of_offset(&self, offset: usize, encoding: Encoding) -> Position {
        let at = self.content.floor_char_boundary(offset);
        let line = self.starts.partition_point(|&start| start <= at).saturating_sub(1);
        let (last_line, last_at, last_column) = self.last.get();
        let (from, column) = if last_line == line {
            (last_at, last_column)
        } else {
            (self.starts.get(line).copied().unwrap_or(0), 0)
        };
        let column = if at >= from {
            column + encoding.width_of(&self.content[from..at])
        } else {
            column - encoding.width_of(&self.content[at..from])
        };
        self.last.set((line, at, column));
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Position { line: number(line), character: number(column) }
    }

    /// Converts a byte span of the text to a range of the protocol.
    pub(crate) fn to_lsp_range(&self, span: Span, encoding: Encoding) -> Range {
        let start = self.position_of_offset(span.start, encoding);
        Range { start, end: self.position_of_offset(span.end, encoding) }
    }

    /// Converts a range of the protocol to a byte range of the text. If the range ends before it
    /// starts, the ends are swapped.
    pub(crate) fn byte_range(&self, range: Range, encoding: Encoding) -> ops::Range<usize> {
        let (a, b) = (
            self.offset_of_position(range.start, encoding),
            self.offset_of_position(range.end, encoding),
        );
        a.min(b)..a.max(b)
    }

    /// Returns the text after a change by the user, which replaces a range or the whole text.
    #[must_use]
    pub(crate) fn with_change(
        mut self,
        change: TextDocumentContentChangeEvent,
        encoding: Encoding,
    ) -> Self {
        let Some(range) = change.range else { return Self::new(change.text) };
        let bytes = self.byte_range(range, encoding);
        self.content.replace_range(bytes, &change.text);
        Self::new(self.content)
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoding, Text};
    use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
    use urlsift_core::Span;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn positions_are_counted_as_editors_do() {
        let text = Text::new("a\u{1f600}b\r\nc\rd\n".to_owned());
        for (encoding, column) in [(Encoding::Utf16, 3), (Encoding::Utf8, 5)] {
            assert_eq!(text.position_of_offset(5, encoding), at(0, column));
            assert_eq!(text.offset_of_position(at(0, column), encoding), 5);
            assert_eq!(text.offset_of_position(at(0, 2), encoding), 1, "within a character");
            assert_eq!(text.position_of_offset(3, encoding), at(0, 1));
        }
        let utf16 = Encoding::Utf16;
        assert_eq!(
            text.to_lsp_range(Span::new(8, 11), utf16),
            Range { start: at(1, 0), end: at(2, 1) }
        );
        assert_eq!(text.offset_of_position(at(0, 99), utf16), 6);
        assert_eq!(text.offset_of_position(at(3, 99), utf16), 12);
        assert_eq!(text.offset_of_position(at(u32::MAX, u32::MAX), utf16), 12);
        assert_eq!(text.position_of_offset(99, utf16), at(3, 0));
    }

    #[test]
    fn changes_outside_the_text_are_clamped() {
        let change = |range, text: &str| TextDocumentContentChangeEvent {
            range,
            range_length: None,
            text: text.to_owned(),
        };
        let utf16 = Encoding::Utf16;
        let text = Text::new("ab\ncd".to_owned());
        let text =
            text.with_change(change(Some(Range { start: at(1, 1), end: at(0, 1) }), "x"), utf16);
        assert_eq!(text.as_str(), "axd");
        let text =
            text.with_change(change(Some(Range { start: at(7, 0), end: at(9, 9) }), "!"), utf16);
        assert_eq!(text.as_str(), "axd!");
        assert_eq!(text.with_change(change(None, "y"), utf16).as_str(), "y");
    }
}
