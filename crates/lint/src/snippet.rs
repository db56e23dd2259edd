//! Formats diagnostics like a compiler, with the source lines and carets under the faulty bytes.
//!
//! Columns are screen columns: each grapheme cluster counts with its width. Control characters,
//! bidirectional formatting characters and invalid bytes are written as escapes, and passwords as
//! `***`. Long lines are cut to the part around the fault, so that the size of the output is
//! bounded. A text with a UTF-16 byte order mark is decoded.

use crate::diagnostic::{Diagnostic, citation_pieces};
use crate::position::{Lines, grapheme_width};
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use urlsift_archive::utf16_mark_is_big_endian;
use urlsift_core::{Level, Span};
use urlsift_records::write::visible::{escape_invisible, is_printable_ascii};

/// The maximum number of lines shown for one URL.
const MAX_LINES: usize = 12;
/// The maximum number of screen columns shown for one line.
const MAX_COLUMNS: usize = 120;
/// The number of bytes before a fault that are formatted to fill these columns.
const MAX_BEFORE: usize = 128;
/// The number of bytes after a fault that are formatted to fill these columns.
const MAX_AFTER: usize = 384;

/// A formatter for the diagnostics of one text in the style of a compiler, with the source lines
/// and marks under them.
///
/// ```
/// use urlsift_lint::snippet::Snippets;
/// use urlsift_lint::{Config, Lines, lint};
/// let text = b"At http:/www.host.dom/ now.";
/// let lines = Lines::new(text);
/// let mut out = String::new();
/// Snippets::new("a.txt", text, &lines, &[], false).write(&mut out, &lint(text, &Config::default())[0]);
/// assert!(out.starts_with("error[scheme.single-slash]: ") && out.contains("--> a.txt:1:"));
/// ```
pub struct Snippets<'t> {
    path: &'t str,
    text: &'t [u8],
    lines: &'t Lines<'t>,
    secrets: &'t [Span],
    color: bool,
}

/// A mark under a displayed line, which covers the columns in `from..to`. Columns are 0-based.
struct Mark<'d> {
    from: usize,
    to: usize,
    primary: bool,
    label: &'d str,
}

impl<'t> Snippets<'t> {
    /// Creates a formatter for the diagnostics of `text`. `path` is the file name to display.
    /// `secrets` are the spans to mask, in order. If `color` is true, the output contains ANSI
    /// colors.
    pub fn new(
        path: &'t str,
        text: &'t [u8],
        lines: &'t Lines<'t>,
        secrets: &'t [Span],
        color: bool,
    ) -> Self {
        Self { path, text, lines, secrets, color }
    }

    /// Appends one diagnostic to `out`, with the source lines and the marks under them, and an
    /// empty line at the end.
    pub fn write(&self, out: &mut String, diagnostic: &Diagnostic) {
        let level = diagnostic.level;
        let code = diagnostic.code;
        let place = self.lines.position(diagnostic.span.start);
        self.push_styled(out, level_style(level), &[level.name(), "[", code, "]"]);
        out.push_str(": ");
        self.push_styled(out, BOLD, &[&escape_invisible(&diagnostic.message)]);
        let shown = self.shown_lines(diagnostic);
        let last = shown.last().copied().unwrap_or(place.line);
        let gutter = last.checked_ilog10().unwrap_or(0) as usize + 1;
        self.begin_line(out, gutter, "-->");
        let [mut line, mut column] = [itoa::Buffer::new(), itoa::Buffer::new()];
        let (line, column) = (line.format(place.line), column.format(place.column));
        out.extend([" ", &escape_invisible(self.path), ":", line, ":", column]);
        self.begin_line(out, gutter + 1, "|");
        let mut before = None;
        for line in shown {
            if before.is_some_and(|before| before + 1 < line) {
                self.begin_line(out, 0, "...");
            }
            before = Some(line);
            self.write_source_line(out, line, gutter, diagnostic);
        }
        self.begin_line(out, gutter + 1, "|");
        let mut say = |name: &str, words: &[&str]| {
            self.begin_line(out, gutter + 1, "=");
            out.push(' ');
            self.push_styled(out, BOLD, &[name]);
            out.push_str(": ");
            out.extend(words.iter().copied());
        };
        for note in &diagnostic.notes {
            say("note", &[&escape_invisible(note)]);
        }
        if let Some(help) = &diagnostic.help {
            say("help", &[&escape_invisible(help)]);
        }
        let mut number = itoa::Buffer::new();
        let source = citation_pieces(diagnostic.rfc, diagnostic.section, &mut number);
        let between = if diagnostic.rfc.is_none() { "" } else { "; " };
        let [rfc, number, before, section] = source;
        say("rule", &[rfc, number, before, section, between, "`urlsift explain ", code, "`"]);
        out.push_str("\n\n");
    }

    /// Returns the 1-based numbers of the source lines to display for a diagnostic, in ascending
    /// order.
    fn shown_lines(&self, diagnostic: &Diagnostic) -> Vec<usize> {
        let lines_of = |span: Span| {
            let first = self.lines.line_number(span.start);
            let last = self.lines.line_number(span.end.saturating_sub(1).max(span.start));
            first..=last.min(first + MAX_LINES)
        };
        let mut shown: Vec<usize> = lines_of(diagnostic.span).collect();
        for label in &diagnostic.labels {
            if shown.len() > 2 * MAX_LINES {
                break;
            }
            shown.extend(lines_of(label.span));
        }
        shown.sort_unstable();
        shown.dedup();
        shown
    }

    /// Appends the source line with number `line`, and the marks of `diagnostic` under it. `gutter`
    /// is the width of the column with the line numbers.
    fn write_source_line(
        &self,
        out: &mut String,
        line: usize,
        gutter: usize,
        diagnostic: &Diagnostic,
    ) {
        let (start, end) = (self.lines.line_start(line), self.lines.line_end(line));
        let label = diagnostic.label.to_text();
        let others = diagnostic.labels.iter().map(|l| (l.span, false, l.text.as_str()));
        let spans = std::iter::once((diagnostic.span, true, &*label)).chain(others);
        let here = |span: &Span| {
            let from = span.start.clamp(start, end);
            let to = span.end.clamp(from, end);
            let touches = if span.is_empty() {
                span.start == from
            } else {
                span.start < end.max(start + 1) && span.end > start
            };
            touches.then_some(Span::new(from, to))
        };
        let places = spans.filter_map(|(span, primary, label)| {
            // The label is displayed on the last line of a mark.
            let ends = || span.end <= end || self.lines.line_number(span.end - 1) == line;
            here(&span).map(|place| (place, primary, if ends() { label } else { "" }))
        });
        let focus = places.clone().find(|place| place.1).or_else(|| places.clone().next());
        let focus = focus.map_or(Span::new(start, start), |place| place.0);
        let row = Row::new(self.text, Span::new(start, end), focus, self.secrets);
        out.push('\n');
        let mut number = itoa::Buffer::new();
        let number = number.format(line);
        push_spaces(out, gutter - number.len());
        self.push_styled(out, BLUE, &[number]);
        out.push(' ');
        self.push_styled(out, BLUE, &["|"]);
        out.extend([" ", row.text.trim_end()]);
        let marks = places.map(|(place, primary, label)| {
            let mut from = place.start;
            // The indentation of a continuation line is layout.
            if place.start == start && self.text.get(start).is_some_and(u8::is_ascii_whitespace) {
                let content = self.text.get(place.range()).unwrap_or_default();
                from += content.len() - content.trim_ascii_start().len();
                from = from.min(place.end);
            }
            let (from, to) = (row.column_of_offset(from), row.column_of_offset(place.end));
            Mark { from, to: to.max(from + 1), primary, label }
        });
        self.write_marks(out, gutter, &marks.collect::<Vec<_>>(), diagnostic.level);
    }

    /// Appends the marks under a source line: a row of carets and dashes with the last label, and a
    /// row for each label that doesn't fit there. `gutter` is the width of the column with the line
    /// numbers.
    fn write_marks(&self, out: &mut String, gutter: usize, marks: &[Mark<'_>], level: Level) {
        let width = marks.iter().map(|mark| mark.to).max().unwrap_or(0);
        if width == 0 {
            return;
        }
        let mut cells = vec![b' '; width];
        for mark in marks.iter().filter(|mark| !mark.primary) {
            cells[mark.from..mark.to].fill(b'-');
        }
        for mark in marks.iter().filter(|mark| mark.primary) {
            cells[mark.from..mark.to].fill(b'^');
        }
        let cells = String::from_utf8(cells).unwrap_or_default();
        let rightmost = marks.iter().filter(|mark| !mark.label.is_empty()).max_by_key(|m| m.to);
        let inline = rightmost.filter(|mark| mark.to == width);
        let mut row = |words: &[&str]| {
            self.begin_line(out, gutter + 1, "|");
            out.push(' ');
            self.push_styled(out, level_style(level), words);
        };
        match inline {
            Some(mark) => row(&[&cells, " ", &escape_invisible(mark.label)]),
            None => row(&[&cells]),
        }
        for mark in marks.iter().filter(|mark| !mark.label.is_empty()) {
            if !inline.is_some_and(|inline| std::ptr::eq(inline, mark)) {
                row(&[&" ".repeat(mark.from), &escape_invisible(mark.label)]);
            }
        }
    }

    /// Ends the current line, and starts a new one with `blanks` spaces and `sign`.
    fn begin_line(&self, out: &mut String, blanks: usize, sign: &str) {
        out.push('\n');
        push_spaces(out, blanks);
        self.push_styled(out, BLUE, &[sign]);
    }

    /// Appends `words`. If colors are on, they have the ANSI style `style`.
    fn push_styled(&self, out: &mut String, style: &str, words: &[&str]) {
        if self.color {
            out.extend(["\x1b[", style, "m"]);
        }
        out.extend(words.iter().copied());
        if self.color {
            out.push_str("\x1b[0m");
        }
    }
}

/// Appends `many` spaces.
fn push_spaces(out: &mut String, mut many: usize) {
    const BLANKS: &str = "                                ";
    while many > 0 {
        let some = many.min(BLANKS.len());
        out.push_str(&BLANKS[..some]);
        many -= some;
    }
}

const BOLD: &str = "1";
const BLUE: &str = "1;34";

/// Returns the ANSI style in which a level is displayed.
const fn level_style(level: Level) -> &'static str {
    match level {
        Level::Error => "1;31",
        Level::Warning => "1;33",
        Level::Info => "1;36",
    }
}

/// A line of the file as it is displayed. A long line is cut to the part around the fault.
struct Row<'t> {
    text: Cow<'t, str>,
    /// The offset in the text and the column of each piece of the line. Empty if each byte from
    /// `start` on takes one column.
    columns: Vec<(usize, usize)>,
    start: usize,
    end: usize,
}

impl<'t> Row<'t> {
    /// Formats the line whose span is `line`, with secrets masked. A long line is cut to the part
    /// around `focus`, the span of the fault.
    fn new(text: &'t [u8], line: Span, focus: Span, secrets: &[Span]) -> Self {
        if let Some(row) = Self::from_short_ascii_line(text, line, secrets) {
            return row;
        }
        let from = focus.start.saturating_sub(MAX_BEFORE).max(line.start);
        let to = (focus.end.min(focus.start + MAX_AFTER) + MAX_AFTER).min(line.end);
        // The pieces around the fault.
        let mut pieces: Vec<Piece<'_>> = Vec::with_capacity(to.saturating_sub(from));
        let is_big = utf16_mark_is_big_endian(text);
        let mut at = if is_big.is_some() { from.next_multiple_of(2) } else { from };
        while at < to {
            let next = secrets.partition_point(|secret| secret.end <= at);
            let secret = secrets.get(next).filter(|secret| secret.start < to);
            if let Some(secret) = secret.filter(|secret| secret.start <= at) {
                if pieces.last().is_none_or(|(_, shown, _)| shown != "***") {
                    pieces.push((at, Cow::Borrowed("***"), 3));
                }
                at = secret.end.min(to);
                continue;
            }
            let stop = secret.map_or(to, |secret| secret.start);
            let bytes = text.get(at..stop).unwrap_or_default();
            match is_big {
                Some(is_big) => push_utf16_pieces(bytes, at, is_big, &mut pieces),
                None => push_pieces(bytes, at, &mut pieces),
            }
            at = stop;
        }
        let center = pieces.partition_point(|piece| piece.0 < focus.start);
        let (mut first, mut last, mut used) = (center, center, 0);
        // A third of the columns is before the fault, and the rest after it. A line that fits is
        // shown completely.
        let fits = pieces.iter().map(|piece| piece.2).sum::<usize>() <= MAX_COLUMNS;
        let before = if fits { MAX_COLUMNS } else { MAX_COLUMNS / 3 };
        while first > 0 && used + pieces[first - 1].2 <= before {
            first -= 1;
            used += pieces[first].2;
        }
        while last < pieces.len() && used + pieces[last].2 <= MAX_COLUMNS {
            used += pieces[last].2;
            last += 1;
        }
        let (mut shown, mut columns, mut end) = (String::new(), Vec::new(), 0);
        let cut = first > 0 || from > line.start;
        if cut {
            shown.push_str("...");
            end = 3;
        }
        for (at, piece, width) in &pieces[first..last] {
            columns.push((*at, end));
            shown.push_str(piece);
            end += width;
        }
        if last < pieces.len() || to < line.end {
            shown.push_str("...");
        }
        Self { text: Cow::Owned(shown), columns, start: 0, end }
    }

    /// Formats a short line of printable US-ASCII without secrets, which needs no escaping. This is
    /// a fast path for [`Row::new`]. Returns `None` for all other lines.
    fn from_short_ascii_line(text: &'t [u8], line: Span, secrets: &[Span]) -> Option<Self> {
        let bytes = text.get(line.range()).filter(|bytes| bytes.len() <= MAX_COLUMNS)?;
        let next = secrets.partition_point(|secret| secret.end <= line.start);
        if utf16_mark_is_big_endian(text).is_some()
            || !is_printable_ascii(bytes)
            || secrets.get(next).is_some_and(|secret| secret.start < line.end)
        {
            return None;
        }
        let text = Cow::Borrowed(str::from_utf8(bytes).ok()?);
        Some(Self { text, columns: Vec::new(), start: line.start, end: bytes.len() })
    }

    /// Returns the 0-based column at which the byte at offset `at` of the text is displayed.
    fn column_of_offset(&self, at: usize) -> usize {
        if self.columns.is_empty() {
            return at.saturating_sub(self.start).min(self.end);
        }
        let next = self.columns.partition_point(|&(start, _)| start < at);
        match self.columns.get(next) {
            Some(&(_, column)) => column,
            None => self.end,
        }
    }
}

/// A grapheme cluster or byte of a line: its offset in the text, its displayed form, and its width
/// in columns.
type Piece<'t> = (usize, Cow<'t, str>, usize);

/// Splits `bytes` into grapheme clusters and appends them to `pieces` in their displayed form.
/// `base` is the offset of `bytes` in the text. Invalid bytes become escapes.
fn push_pieces<'t>(bytes: &'t [u8], base: usize, pieces: &mut Vec<Piece<'t>>) {
    let mut at = base;
    for chunk in bytes.utf8_chunks() {
        for grapheme in chunk.valid().graphemes(true) {
            let (shown, columns) = displayed_grapheme(grapheme);
            pieces.push((at, shown, columns));
            at += grapheme.len();
        }
        for byte in chunk.invalid() {
            pieces.push((at, Cow::Owned(format!("\\x{byte:02x}")), 4));
            at += 1;
        }
    }
}

/// Appends pieces like [`push_pieces`], for a text in UTF-16. `is_big` is true if it is big-endian.
fn push_utf16_pieces(bytes: &[u8], base: usize, is_big: bool, pieces: &mut Vec<Piece<'_>>) {
    let unit = if is_big { u16::from_be_bytes } else { u16::from_le_bytes };
    let units = bytes.as_chunks().0.iter().map(|bytes| unit(*bytes));
    let text: String =
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    let mut at = base;
    for grapheme in text.graphemes(true) {
        // Carriage returns and the byte order mark are not displayed.
        if grapheme != "\r" && grapheme != "\u{feff}" {
            let (shown, columns) = displayed_grapheme(grapheme);
            pieces.push((at, Cow::Owned(shown.into_owned()), columns));
        }
        at += 2 * grapheme.encode_utf16().count();
    }
}

/// Returns a grapheme cluster as it is displayed, with invisible characters escaped. Also returns
/// its width in columns.
fn displayed_grapheme(grapheme: &str) -> (Cow<'_, str>, usize) {
    if grapheme == "\t" {
        return (Cow::Borrowed("    "), 4);
    }
    let shown = escape_invisible(grapheme);
    let columns = if shown == grapheme { grapheme_width(grapheme) } else { shown.len() };
    (shown, columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &[u8], span: (usize, usize), secrets: &[Span]) -> String {
        let mut diagnostic = Diagnostic::new("a.b", Level::Warning, Span::new(span.0, span.1));
        diagnostic.message = "it is wrong".into();
        diagnostic.label = "here".into();
        let lines = Lines::new(text);
        let mut out = String::new();
        Snippets::new("f", text, &lines, secrets, false).write(&mut out, &diagnostic);
        out
    }

    #[test]
    fn broken_url_is_marked_on_each_line() {
        let text = b"x\nsee http://h/a-\n    b/c now\n";
        assert_eq!(
            shown(text, (6, 25), &[]),
            "warning[a.b]: it is wrong
 --> f:2:5
  |
2 | see http://h/a-
  |     ^^^^^^^^^^^
3 |     b/c now
  |     ^^^ here
  |
  = rule: `urlsift explain a.b`

"
        );
    }

    #[test]
    fn carets_are_below_the_fault_after_wide_and_masked_text() {
        let text = "中e\u{301}\x1b\u{202e}u:pw@h|".as_bytes();
        let at = text.len() - 1;
        let password = Span::new(at - 4, at - 2);
        let out = shown(text, (at, at + 1), &[password]);
        assert!(out.contains("1 | 中e\u{301}\\x1b\\u{202e}u:***@h|\n"), "{out}");
        assert!(out.contains(&format!("\n  | {}^ here\n", " ".repeat(2 + 1 + 4 + 8 + 7))), "{out}");
    }

    #[test]
    fn utf_16_is_decoded() {
        for (order, mark) in
            [(u16::to_le_bytes as fn(u16) -> [u8; 2], "le"), (u16::to_be_bytes, "be")]
        {
            let of = |text: &str| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
            let before = of("\u{feff}first\r\n\u{1f4dc} é ");
            let text = [&before[..], &of("htp://h\r\nlast")].concat();
            let out = shown(&text, (before.len(), before.len() + 14), &[]);
            assert!(
                out.contains("\n2 | \u{1f4dc} é htp://h\n  |      ^^^^^^^ here\n"),
                "{mark}: {out}"
            );
            let place = Lines::new(&text).position(before.len());
            assert_eq!((place.line, place.utf16), (2, 6), "{mark}");
        }
    }

    #[test]
    fn long_lines_are_cut() {
        let text = [&[b'a'; 5000][..], b"|", &[b'b'; 5000]].concat();
        let out = shown(&text, (5000, 5001), &[]);
        assert!(out.len() < 600 && out.contains(":1:5001"), "{out}");
        assert!(out.contains(&format!("\n  | {}^ here", " ".repeat(43))), "{out}");
    }
}
