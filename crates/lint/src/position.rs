//! Converts byte offsets to lines and columns.

use core::cell::Cell;
use unicode_segmentation::UnicodeSegmentation;
use urlsift_archive::utf16_mark_is_big_endian;
use urlsift_core::{Span, mask_spans};
use urlsift_records::write::visible::is_printable_ascii;

/// The line and column of an offset in a text. The column is given in several units. All numbers
/// are 1-based.
///
/// ```
/// use urlsift_lint::Lines;
/// let text = "été\nö here";
/// let place = Lines::new(text.as_bytes()).position(9);
/// assert_eq!((place.line, place.column, place.utf16), (2, 4, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// The line number.
    pub line: usize,
    /// The column, in bytes.
    pub column: usize,
    /// The column, in UTF-16 code units, as in editors and SARIF.
    pub utf16: usize,
}

/// An index of the lines of a text, for converting offsets to lines and columns.
///
/// A line ends after LF or CRLF. In a text without any LF, a line ends after CR.
///
/// ```
/// use urlsift_lint::Lines;
/// let lines = Lines::new(b"one\r\n\ttwo\n");
/// assert_eq!((lines.line_count(), lines.line_number(6)), (3, 2));
/// assert_eq!((lines.line_start(2), lines.line_end(2), lines.line_bytes(2)), (5, 9, &b"\ttwo"[..]));
/// assert_eq!(lines.display_column(6), 9);
/// assert_eq!(lines.position(6).column, 2);
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t [u8],
    starts: Vec<usize>,
    /// A cache of positions on one line, the latest first. Each is a line number, an offset, and
    /// the number of UTF-16 code units before the offset in the line.
    last: Cell<[(usize, usize, usize); 3]>,
}

/// The number of bytes before and after an offset that are part of the hash of its line.
const HASHED: usize = 128;

/// The minimum distance between the older cached positions, in bytes.
const STEP: usize = 4096;

impl<'t> Lines<'t> {
    /// Creates an index of the lines of `text`. Takes linear time.
    pub fn new(text: &'t [u8]) -> Self {
        let mut starts = vec![0];
        let feed = if text.contains(&b'\n') { b'\n' } else { b'\r' };
        starts.extend(memchr::memchr_iter(feed, text).map(|at| at + 1));
        Self { text, starts, last: Cell::default() }
    }

    /// Returns the 1-based number of the line that contains offset `at`. Takes logarithmic time.
    pub fn line_number(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start <= at)
    }

    /// Returns the offset of the first byte of line `line` (1-based). Returns the length of the
    /// text if there are fewer lines.
    pub fn line_start(&self, line: usize) -> usize {
        line.checked_sub(1).and_then(|i| self.starts.get(i)).copied().unwrap_or(self.text.len())
    }

    /// Returns the offset of the end of line `line` (1-based), before its line break.
    pub fn line_end(&self, line: usize) -> usize {
        let start = self.line_start(line);
        let mut end = self.starts.get(line).copied().unwrap_or(self.text.len());
        while end > start && matches!(self.text[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        end
    }

    /// Returns the bytes of line `line` (1-based), not including its line break.
    pub fn line_bytes(&self, line: usize) -> &'t [u8] {
        self.text.get(self.line_start(line)..self.line_end(line)).unwrap_or_default()
    }

    /// Returns the number of lines. The text after the last line break counts as a line, even if it
    /// is empty.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the line and the byte column of offset `at`, both 1-based. An offset beyond the end
    /// of the text counts as the end. Takes logarithmic time.
    ///
    /// ```
    /// assert_eq!(urlsift_lint::Lines::new(b"one\ntwo").line_and_column(5), (2, 2));
    /// ```
    pub fn line_and_column(&self, at: usize) -> (usize, usize) {
        let at = at.min(self.text.len());
        let line = self.line_number(at);
        (line, at - self.line_start(line) + 1)
    }

    /// Returns the position of offset `at`: its line, and its column in several units. An offset
    /// beyond the end of the text counts as the end.
    ///
    /// Calls with ascending or nearly ascending offsets take linear time in total, because the last
    /// positions are cached. Other calls take time linear in the length of the line up to `at`.
    pub fn position(&self, at: usize) -> Position {
        let at = at.min(self.text.len());
        let line = self.line_number(at);
        let start = self.line_start(line);
        if utf16_mark_is_big_endian(self.text).is_some() {
            return Position { line, column: at - start + 1, utf16: (at - start) / 2 + 1 };
        }
        let bytes = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
        let [near, mid, far] = self.last.get();
        let is_before = |place: &(usize, usize, usize)| place.0 == line && place.1 <= at;
        let known = [near, mid, far].into_iter().find(is_before).unwrap_or((line, start, 0));
        let units = if near.0 == line
            && at < near.1
            && let Ok(back) = std::str::from_utf8(bytes(at, near.1))
        {
            near.2 - utf16_len(back.as_bytes())
        } else {
            known.2 + utf16_len(bytes(known.1, at))
        };
        let place = (line, at, units);
        self.last.set(if known != near {
            [place, known, known]
        } else if at - mid.1 >= STEP {
            [place, near, mid]
        } else {
            [place, mid, far]
        });
        Position { line, column: at - start + 1, utf16: units + 1 }
    }

    /// Returns a hash of the line that contains offset `at`. It identifies the line in a baseline.
    ///
    /// The hash doesn't change if the line is moved or indented, and is the same on every machine.
    /// In a long line, only the 128 bytes before and after `at` are hashed. Passwords, whose spans
    /// are in `secrets`, are masked first.
    ///
    /// ```
    /// use urlsift_lint::Lines;
    /// let hash = |text: &str| Lines::new(text.as_bytes()).line_hash(text.len() - 2, &[]);
    /// assert_eq!(hash("one\ntwo\n"), hash("zero\none\n  two\n"));
    /// assert_ne!(hash("one\ntwo\n"), hash("one\nTwo\n"));
    /// ```
    pub fn line_hash(&self, at: usize, secrets: &[Span]) -> String {
        let at = at.min(self.text.len());
        let line = self.line_number(at);
        let start = self.line_start(line).max(at.saturating_sub(HASHED));
        let end = self.line_end(line).min(at.saturating_add(HASHED)).max(start);
        let first = secrets.partition_point(|secret| secret.end <= start);
        let near = secrets[first..].iter().take_while(|secret| secret.start < end);
        let inside = near.map(|it| Span::new(it.start.max(start) - start, it.end.min(end) - start));
        let shown = mask_spans(&self.text[start..end], &inside.collect::<Vec<_>>()).into_owned();
        // FNV-1a.
        let hash = shown.trim_ascii().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        format!("{hash:016x}")
    }

    /// Returns the 1-based screen column of offset `at`. Wide characters count as two columns, and
    /// tabs advance to the next multiple of eight.
    ///
    /// Takes time linear in the length of the line up to `at`.
    pub fn display_column(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        let start = self.line_start(self.line_number(at));
        display_width(self.text.get(start..at).unwrap_or_default()) + 1
    }
}

/// Returns the number of UTF-16 code units that `bytes` takes. A run of invalid UTF-8 counts as
/// one.
fn utf16_len(bytes: &[u8]) -> usize {
    if bytes.is_ascii() {
        return bytes.len();
    }
    let units = |chunk: std::str::Utf8Chunk<'_>| {
        let valid: usize = chunk.valid().chars().map(char::len_utf16).sum();
        valid + usize::from(!chunk.invalid().is_empty())
    };
    bytes.utf8_chunks().map(units).sum()
}

/// Returns the width of `bytes` in screen columns. A run of invalid UTF-8 has the width of one
/// replacement character.
fn display_width(bytes: &[u8]) -> usize {
    if is_printable_ascii(bytes) {
        return bytes.len();
    }
    let mut columns = 0;
    for chunk in bytes.utf8_chunks() {
        for grapheme in chunk.valid().graphemes(true) {
            if grapheme == "\t" {
                columns = columns / 8 * 8 + 8;
            } else {
                columns += grapheme_width(grapheme);
            }
        }
        columns += usize::from(!chunk.invalid().is_empty());
    }
    columns
}

/// Returns the width of a grapheme cluster in screen columns, which is that of its first character.
pub(crate) fn grapheme_width(grapheme: &str) -> usize {
    match grapheme.chars().next() {
        None
        | Some(
            '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{feff}',
        ) => 0,
        Some(base) if is_wide(base) => 2,
        Some(_) => 1,
    }
}

/// True if `c` takes two screen columns, as East Asian Wide and Fullwidth characters do (Unicode
/// Standard Annex 11).
fn is_wide(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0x33ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff
        | 0xa000..=0xa4cf | 0xa960..=0xa97f | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f
        | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1f64f | 0x1f900..=0x1f9ff
        | 0x20000..=0x3fffd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_after_every_kind_of_line_break() {
        for (text, starts) in [
            ("a\nb\n", vec![0, 2, 4]),
            ("a\r\nb", vec![0, 3]),
            ("a\rb", vec![0, 2]),
            ("a\rb\nc", vec![0, 4]),
            ("", vec![0]),
        ] {
            let lines = Lines::new(text.as_bytes());
            assert_eq!(lines.starts, starts, "{text:?}");
            assert_eq!(lines.line_bytes(1), &text.as_bytes()[..lines.line_end(1)]);
        }
        assert_eq!(Lines::new(b"ab\r\ncd").line_bytes(1), b"ab");
        assert_eq!(Lines::new(b"ab\r\ncd").line_bytes(7), b"");
    }

    #[test]
    fn columns_are_counted_in_all_units() {
        let text = "x\tå日e\u{301}😀|".as_bytes();
        let at = text.len() - 1;
        let lines = Lines::new(text);
        for _ in 0..2 {
            assert_eq!(lines.position(at), Position { line: 1, column: at + 1, utf16: 9 });
            assert_eq!(lines.position(2), Position { line: 1, column: 3, utf16: 3 });
        }
        assert_eq!(lines.display_column(at), 15);
        assert_eq!(Lines::new(b"\xff\xfe|").display_column(2), 3);
        assert_eq!(Lines::new(b"ab").position(99).column, 3);
    }
}
