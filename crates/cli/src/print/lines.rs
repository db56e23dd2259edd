//! Lines of files with the URLs in them marked, and those around them, as ripgrep prints them.

use super::sheet::{Note, Sheet};
use super::style::Style;
use super::text::{self, Place, RESET};
use crate::args::Context;
use memchr::{memchr, memchr_iter, memrchr};
use std::borrow::Cow;
use std::ops::Range;
use urlsift_records::write::visible::clean_bytes;
use urlsift_records::{FileName, UrlRecord};

/// The most bytes of a line that are one line here, and that are kept of lines that may be printed before a URL.
const LONGEST: usize = 1 << 20;

/// What stands between lines that do not follow each other.
pub(super) const GROUP_END: &[u8] = b"--\n";

const MARK: &[u8] = b"\x1b[1;31m";

/// A URL as it stands in the file: from its first byte to its last, and the layout between them.
#[derive(Clone, Debug)]
struct Mark {
    span: Range<u64>,
    gaps: Vec<Range<u64>>,
}

/// The lines of a file that comes piece by piece, each piece behind the URLs that start in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileLines {
    /// The URLs whose lines were not printed yet.
    marks: Vec<Mark>,
    /// The bytes of the file from `base` on that may still be printed.
    held: Vec<u8>,
    base: u64,
    /// The end of the last line that was printed.
    printed: u64,
    /// How many lines are still to be printed behind it.
    after: u64,
    /// Whether a line was printed.
    has_printed: bool,
    /// The number of line breaks before a place.
    counted: (u64, u64),
}

impl FileLines {
    /// Marks a URL.
    pub(crate) fn mark(&mut self, record: &UrlRecord<'_>) {
        let span = record.span.start..record.span.end;
        let gaps = record.joins.iter().map(|join| join.span.start..join.span.end).collect();
        self.marks.push(Mark { span, gaps });
    }

    /// Takes the next bytes of the file, and prints the lines that are whole.
    pub(crate) fn bytes(
        &mut self,
        style: &Style,
        file: &FileName,
        bytes: &[u8],
        sheet: &mut Sheet,
    ) {
        self.held.extend_from_slice(bytes);
        self.marks.sort_by_key(|mark| mark.span.start);
        self.print(style, file, false, sheet);
        self.forget(style);
    }

    /// Prints what is left at the end of the file.
    pub(crate) fn end(&mut self, style: &Style, file: &FileName, sheet: &mut Sheet) {
        self.print(style, file, true, sheet);
        *self = Self::default();
    }

    /// A place in the file as one in the bytes that are held.
    fn within(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX).min(self.held.len())
    }

    fn offset(&self, at: usize) -> u64 {
        self.base + at as u64
    }

    /// Behind the line that the byte at `from` stands in, if its end is known.
    fn line_end(&self, from: usize, last: bool) -> Option<usize> {
        let rest = &self.held[from..self.held.len().min(from + LONGEST)];
        match memchr(b'\n', rest) {
            Some(at) => Some(from + at + 1),
            None if rest.len() == LONGEST || last => Some(from + rest.len()),
            None => None,
        }
    }

    /// Where the line starts that holds the byte at `at`, or that many lines before it.
    fn line_start(&self, at: usize, lines_before: u64) -> usize {
        let first = self.within(self.printed).max(at.saturating_sub(LONGEST)).min(at);
        let mut start = at;
        for number in 0..=lines_before {
            // The break at the end of the line before is none of this line's.
            let end = if number == 0 { start } else { start.saturating_sub(1).max(first) };
            start = memrchr(b'\n', &self.held[first..end]).map_or(first, |at| first + at + 1);
            if start == first {
                break;
            }
        }
        start
    }

    fn print(&mut self, style: &Style, file: &FileName, last: bool, sheet: &mut Sheet) {
        let Some(context) = style.lines else { return };
        let mut done = 0;
        loop {
            let next = self.marks.get(done).map(|mark| mark.span.clone());
            let from = self.within(self.printed);
            if self.after > 0 && from < self.held.len() {
                let Some(end) = self.line_end(from, last) else { break };
                if next.as_ref().is_none_or(|span| self.within(span.start) >= end) {
                    self.line(style, file, from..end, None, sheet);
                    self.after -= 1;
                    continue;
                }
            }
            let Some(span) = next else { break };
            if span.end <= self.printed {
                done += 1;
                continue;
            }
            let start = self.line_start(self.within(span.start.max(self.printed)), 0);
            let held_end = self.offset(self.held.len());
            // The lines of all URLs that share one.
            let (mut end, mut upto) = (start, done);
            while let Some(mark) = self.marks.get(upto)
                && (upto == done || self.within(mark.span.start) < end)
            {
                let is_whole = last || mark.span.end <= held_end;
                let until = self.within(mark.span.end);
                while !is_whole || end < until {
                    let Some(behind) = self.line_end(end, last).filter(|_| is_whole) else {
                        self.marks.drain(..done);
                        return;
                    };
                    end = behind;
                }
                upto += 1;
            }
            let group = self.line_start(start, context.before);
            // Without lines around them, lines are no groups.
            if context != Context::default()
                && (self.offset(group) > self.printed || !self.has_printed)
            {
                if self.has_printed {
                    sheet.bytes.extend_from_slice(GROUP_END);
                } else {
                    sheet.notes.push(Note::Group { at: sheet.bytes.len() });
                }
            }
            let marks = self.marks[done..upto].to_vec();
            let mut at = group;
            while at < end {
                let line = at..self.line_end(at, true).map_or(end, |line| line.min(end));
                at = line.end;
                let is_found = line.start >= start;
                self.line(style, file, line, is_found.then_some(&marks), sheet);
            }
            (done, self.after) = (upto, context.after);
        }
        self.marks.drain(..done);
    }

    /// Prints one line: with what is marked in it, or as one beside those.
    fn line(
        &mut self,
        style: &Style,
        file: &FileName,
        line: Range<usize>,
        marks: Option<&Vec<Mark>>,
        sheet: &mut Sheet,
    ) {
        let start = self.offset(line.start);
        let is_numbered = style.line || style.links_to_lines();
        let number = is_numbered.then(|| self.breaks_before(start) + 1);
        let first = marks.and_then(|marks| {
            let end = self.offset(line.end);
            marks.iter().find(|mark| mark.span.end > start && mark.span.start < end)
        });
        let column = first.map(|mark| mark.span.start.saturating_sub(start) + 1);
        let out = &mut sheet.bytes;
        let between = if marks.is_some() { b':' } else { b'-' };
        text::place(style, out, file, Place { line: number, column, offset: start }, between);
        let mut bytes = &self.held[line.clone()];
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
                    put(style, out, &bytes[at..from]);
                    out.extend_from_slice(MARK);
                    put(style, out, &bytes[from..to]);
                    out.extend_from_slice(RESET);
                    at = to;
                }
            }
        }
        put(style, out, &bytes[at..]);
        out.push(b'\n');
        (self.printed, self.has_printed) = (self.offset(line.end), true);
    }

    /// The number of line breaks before a place, which is not before the last one that was asked for.
    fn breaks_before(&mut self, offset: u64) -> u64 {
        let (at, breaks) = self.counted;
        let between = &self.held[self.within(at)..self.within(offset)];
        self.counted = (offset, breaks + memchr_iter(b'\n', between).count() as u64);
        self.counted.1
    }

    /// Forgets what is not printed any more, whatever comes.
    fn forget(&mut self, style: &Style) {
        let before = style.lines.unwrap_or_default().before;
        let end = self.marks.first().map_or(self.held.len(), |mark| self.within(mark.span.start));
        let keep = self.line_start(end, before);
        if style.line || style.links_to_lines() {
            let keep = self.offset(keep);
            self.breaks_before(keep.max(self.counted.0));
        }
        self.held.drain(..keep);
        self.base += keep as u64;
        if self.held.capacity() > 4 * LONGEST {
            self.held.shrink_to(2 * LONGEST);
        }
    }
}

/// A piece of a line: without commands to a terminal.
fn put(style: &Style, out: &mut Vec<u8>, piece: &[u8]) {
    let shown = if style.terminal { clean_bytes(piece, &['\t']) } else { Cow::Borrowed(piece) };
    out.extend_from_slice(&shown);
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_records::FileName;

    /// What is printed of a text with a URL at that place, which comes in pieces of so many bytes.
    fn printed(style: &Style, text: &[u8], span: Range<u64>, size: usize) -> Vec<u8> {
        let (mut lines, mut sheet, file) =
            (FileLines::default(), Sheet::default(), FileName::new("a"));
        for (number, piece) in text.chunks(size).enumerate() {
            if usize::try_from(span.start).unwrap() / size == number {
                lines.marks.push(Mark { span: span.clone(), gaps: Vec::new() });
            }
            lines.bytes(style, &file, piece, &mut sheet);
        }
        lines.end(style, &file, &mut sheet);
        sheet.bytes
    }

    #[test]
    fn a_terminal_gets_no_commands() {
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
    fn a_pipe_gets_the_bytes_of_the_file() {
        let style = Style { lines: Some(Context::default()), ..Style::default() };
        let text = b"one\r\n\x1b http://h/ \xff\r\nthree";
        assert_eq!(printed(&style, text, 7..16, 5), b"\x1b http://h/ \xff\r\n");
    }
}
