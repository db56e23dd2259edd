//! Prints the lines that contain URLs, with context lines, in the format of ripgrep.

use super::rendered::{Note, Rendered};
use super::style::Style;
use super::text::{self, Place, RESET};
use crate::args::Context;
use memchr::{memchr, memchr_iter, memrchr};
use std::borrow::Cow;
use std::ops::Range;
use urlsift_records::write::visible::escape_invisible_bytes;
use urlsift_records::{FileName, UrlRecord};

/// The maximum length of a line, and of the lines that are kept as context before a URL, in bytes.
/// Longer lines are split.
const MAX_LINE_LEN: usize = 1 << 20;

/// The separator between groups of consecutive lines.
pub(super) const GROUP_END: &[u8] = b"--\n";

/// The escape sequence that starts the color of a URL.
const MARK: &[u8] = b"\x1b[1;31m";

/// The position of a URL in a file, for printing the lines that contain it.
#[derive(Clone, Debug)]
struct Mark {
    /// The span of the URL.
    span: Range<u64>,
    /// The parts of the span that don't belong to the URL, e.g. line breaks within it.
    gaps: Vec<Range<u64>>,
}

/// A printer of the lines of one file that contain URLs. Pass the bytes of the file to
/// [`FileLines::push_bytes`] in pieces, in order. Before each piece, pass the URLs that start in it
/// to [`FileLines::add_url`].
#[derive(Clone, Debug, Default)]
pub(crate) struct FileLines {
    /// The URLs whose lines haven't been printed yet.
    marks: Vec<Mark>,
    /// The bytes of the file that may still be printed.
    kept: Vec<u8>,
    /// The offset of `kept` in the file.
    base: u64,
    /// The end of the last line that was printed.
    printed: u64,
    /// The number of context lines that must still be printed after the last printed line.
    after: u64,
    /// True if a line was printed.
    has_printed: bool,
    /// An offset in the file, and the number of line breaks before it.
    counted: (u64, u64),
}

impl FileLines {
    /// Adds a URL, so that the lines that contain it will be printed.
    pub(crate) fn add_url(&mut self, record: &UrlRecord<'_>) {
        let span = record.span.start..record.span.end;
        let gaps = record.joins.iter().map(|join| join.span.start..join.span.end).collect();
        self.marks.push(Mark { span, gaps });
    }

    /// Adds the next bytes of the file. Prints the lines that are complete, including their context
    /// lines.
    pub(crate) fn push_bytes(
        &mut self,
        style: &Style,
        file: &FileName,
        bytes: &[u8],
        rendered: &mut Rendered,
    ) {
        self.kept.extend_from_slice(bytes);
        self.marks.sort_by_key(|mark| mark.span.start);
        self.render_complete_lines(style, file, false, rendered);
        self.discard_printed_bytes(style);
    }

    /// Prints the remaining lines. Call this after the last bytes of the file. Afterwards, the
    /// state is ready for another file.
    pub(crate) fn finish_file(&mut self, style: &Style, file: &FileName, rendered: &mut Rendered) {
        self.render_complete_lines(style, file, true, rendered);
        *self = Self::default();
    }

    /// Converts an offset in the file to an index of `kept`. An offset before or after the kept
    /// bytes becomes the nearest index.
    fn index_of_offset(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX).min(self.kept.len())
    }

    /// Converts an index of `kept` to the offset in the file.
    fn offset_of_index(&self, at: usize) -> u64 {
        self.base + at as u64
    }

    /// Returns the index in `kept` after the line that contains index `from`. `at_file_end` is true
    /// if `kept` ends at the end of the file. Returns `None` if the line may continue in the bytes
    /// that follow.
    fn line_end(&self, from: usize, at_file_end: bool) -> Option<usize> {
        let rest = &self.kept[from..self.kept.len().min(from + MAX_LINE_LEN)];
        match memchr(b'\n', rest) {
            Some(at) => Some(from + at + 1),
            None if rest.len() == MAX_LINE_LEN || at_file_end => Some(from + rest.len()),
            None => None,
        }
    }

    /// Returns the start of a line as an index in `kept`. The line is `lines_before` lines before
    /// the one that contains index `at`.
    fn line_start(&self, at: usize, lines_before: u64) -> usize {
        let first = self.index_of_offset(self.printed).max(at.saturating_sub(MAX_LINE_LEN)).min(at);
        let mut start = at;
        for number in 0..=lines_before {
            // The line break before this line is not part of it.
            let end = if number == 0 { start } else { start.saturating_sub(1).max(first) };
            start = memrchr(b'\n', &self.kept[first..end]).map_or(first, |at| first + at + 1);
            if start == first {
                break;
            }
        }
        start
    }

    /// Renders each line with a URL whose context lines have all been read. `at_file_end` is true
    /// if `kept` ends at the end of the file.
    fn render_complete_lines(
        &mut self,
        style: &Style,
        file: &FileName,
        at_file_end: bool,
        rendered: &mut Rendered,
    ) {
        let Some(context) = style.lines else { return };
        let mut done = 0;
        loop {
            let next = self.marks.get(done).map(|mark| mark.span.clone());
            let from = self.index_of_offset(self.printed);
            if self.after > 0 && from < self.kept.len() {
                let Some(end) = self.line_end(from, at_file_end) else { break };
                if next.as_ref().is_none_or(|span| self.index_of_offset(span.start) >= end) {
                    self.render_line(style, file, from..end, None, rendered);
                    self.after -= 1;
                    continue;
                }
            }
            let Some(span) = next else { break };
            if span.end <= self.printed {
                done += 1;
                continue;
            }
            let start = self.line_start(self.index_of_offset(span.start.max(self.printed)), 0);
            let kept_end = self.offset_of_index(self.kept.len());
            // Several URLs may share a line, so a group of lines ends after the last of them.
            let (mut end, mut upto) = (start, done);
            while let Some(mark) = self.marks.get(upto)
                && (upto == done || self.index_of_offset(mark.span.start) < end)
            {
                let is_whole = at_file_end || mark.span.end <= kept_end;
                let until = self.index_of_offset(mark.span.end);
                while !is_whole || end < until {
                    let Some(next_line) = self.line_end(end, at_file_end).filter(|_| is_whole)
                    else {
                        self.marks.drain(..done);
                        return;
                    };
                    end = next_line;
                }
                upto += 1;
            }
            let group = self.line_start(start, context.before);
            // Groups are separated only if context lines are printed.
            if context != Context::default()
                && (self.offset_of_index(group) > self.printed || !self.has_printed)
            {
                if self.has_printed {
                    rendered.bytes.extend_from_slice(GROUP_END);
                } else {
                    rendered.add_note(Note::Group { at: rendered.bytes.len() });
                }
            }
            let marks = self.marks[done..upto].to_vec();
            let mut at = group;
            while at < end {
                let line = at..self.line_end(at, true).map_or(end, |line| line.min(end));
                at = line.end;
                let is_found = line.start >= start;
                self.render_line(style, file, line, is_found.then_some(&marks), rendered);
            }
            (done, self.after) = (upto, context.after);
        }
        self.marks.drain(..done);
    }

    /// Renders one line, the bytes `line` of `kept`. `marks` are the URLs to highlight in the line,
    /// or `None` for a context line.
    fn render_line(
        &mut self,
        style: &Style,
        file: &FileName,
        line: Range<usize>,
        marks: Option<&Vec<Mark>>,
        rendered: &mut Rendered,
    ) {
        let start = self.offset_of_index(line.start);
        let is_numbered = style.line || style.has_line_numbers_in_links();
        let number = is_numbered.then(|| self.line_breaks_before(start) + 1);
        let first = marks.and_then(|marks| {
            let end = self.offset_of_index(line.end);
            marks.iter().find(|mark| mark.span.end > start && mark.span.start < end)
        });
        let column = first.map(|mark| mark.span.start.saturating_sub(start) + 1);
        let out = &mut rendered.bytes;
        let between = if marks.is_some() { b':' } else { b'-' };
        text::write_position(
            style,
            out,
            file,
            Place { line: number, column, offset: start },
            between,
        );
        let mut bytes = &self.kept[line.clone()];
        bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        if style.terminal {
            bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        }
        let mut at = 0;
        let within = |offset: u64| {
            usize::try_from(offset.saturating_sub(start)).unwrap_or(usize::MAX).min(bytes.len())
        };
        for mark in marks.into_iter().flatten().filter(|_| style.color) {
            let ends = mark.gaps.iter().map(|gap| gap.start).chain([mark.span.end]);
            let starts = [mark.span.start].into_iter().chain(mark.gaps.iter().map(|gap| gap.end));
            for (from, to) in starts.zip(ends) {
                let (from, to) = (within(from).max(at), within(to));
                if from < to {
                    push_piece(style, out, &bytes[at..from]);
                    out.extend_from_slice(MARK);
                    push_piece(style, out, &bytes[from..to]);
                    out.extend_from_slice(RESET);
                    at = to;
                }
            }
        }
        push_piece(style, out, &bytes[at..]);
        out.push(b'\n');
        (self.printed, self.has_printed) = (self.offset_of_index(line.end), true);
    }

    /// Returns the number of line breaks before a file offset. Call this with ascending offsets,
    /// since it counts from the previous one.
    fn line_breaks_before(&mut self, offset: u64) -> u64 {
        let (at, breaks) = self.counted;
        let between = &self.kept[self.index_of_offset(at)..self.index_of_offset(offset)];
        self.counted = (offset, breaks + memchr_iter(b'\n', between).count() as u64);
        self.counted.1
    }

    /// Discards the bytes in `kept` that can't be printed any more, neither as context nor as a
    /// line with a URL.
    fn discard_printed_bytes(&mut self, style: &Style) {
        let before = style.lines.unwrap_or_default().before;
        let end = self
            .marks
            .first()
            .map_or(self.kept.len(), |mark| self.index_of_offset(mark.span.start));
        let keep = self.line_start(end, before);
        if style.line || style.has_line_numbers_in_links() {
            let keep = self.offset_of_index(keep);
            self.line_breaks_before(keep.max(self.counted.0));
        }
        self.kept.drain(..keep);
        self.base += keep as u64;
        if self.kept.capacity() > 4 * MAX_LINE_LEN {
            self.kept.shrink_to(2 * MAX_LINE_LEN);
        }
    }
}

/// Appends a piece of a line to `out`. Control characters are escaped if the output is a terminal.
fn push_piece(style: &Style, out: &mut Vec<u8>, piece: &[u8]) {
    let shown =
        if style.terminal { escape_invisible_bytes(piece, &['\t']) } else { Cow::Borrowed(piece) };
    out.extend_from_slice(&shown);
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_records::FileName;

    /// Returns the output for `text` with a URL at `span`. The text is passed in pieces of `size`
    /// bytes.
    fn printed(style: &Style, text: &[u8], span: Range<u64>, size: usize) -> Vec<u8> {
        let (mut lines, mut rendered, file) =
            (FileLines::default(), Rendered::default(), FileName::new("a"));
        for (number, piece) in text.chunks(size).enumerate() {
            if usize::try_from(span.start).unwrap() / size == number {
                lines.marks.push(Mark { span: span.clone(), gaps: Vec::new() });
            }
            lines.push_bytes(style, &file, piece, &mut rendered);
        }
        lines.finish_file(style, &file, &mut rendered);
        rendered.bytes
    }

    #[test]
    fn escape_sequences_are_shown_on_a_terminal() {
        let lines = Some(Context { before: 1, after: 1 });
        let style = Style { lines, terminal: true, color: true, ..Style::default() };
        let text = b"\x1b]0;x\x07\r\n\tsee http://h/\xe2\x80\xae \x9b2J\r\n\xff";
        let expected =
            b"\\x1b]0;x\\x07\n\tsee \x1b[1;31mhttp://h/\\u{202e}\x1b[0m \\x9b2J\n\\xff\n";
        for size in 1..=text.len() {
            let printed = printed(&style, text, 13..25, size);
            assert_eq!(printed.escape_ascii().to_string(), expected.escape_ascii().to_string());
        }
    }

    #[test]
    fn pipe_gets_the_bytes_of_the_file() {
        let style = Style { lines: Some(Context::default()), ..Style::default() };
        let text = b"one\r\n\x1b http://h/ \xff\r\nthree";
        assert_eq!(printed(&style, text, 7..16, 5), b"\x1b http://h/ \xff\r\n");
    }
}
