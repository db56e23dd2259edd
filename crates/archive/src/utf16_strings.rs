//! Finds UTF-16 strings in binary data, such as Windows programs, documents and dumps.
//!
//! A string is a run of letters and printable US-ASCII characters. The search looks for a *mark*,
//! an ASCII character that the strings of interest contain, such as the colon of a URL. In UTF-16,
//! a mark is between two NULs in either byte order.

use crate::decode::charset;
use crate::decode::layer::Layer;
use crate::decode::maps::Maps;
use crate::dialect::Dialect;
use crate::document::{Document, DocumentKind, Origin};
use crate::opaque::OpaqueBlocks;
use core::ops::Range;
use memchr::{memchr, memchr_iter, memchr3_iter};
use urlsift_core::{Breaks, Charset, SpanMap};

/// A UTF-16 string found by [`find_utf16_strings`]: its text, and a map to the file.
///
/// ```
/// use urlsift_archive::{Utf16Marks, find_utf16_strings};
/// use urlsift_core::{FileSpan, Span};
/// let raw = b"\x90\0a\0t\0 \0f\0t\0p\0:\0/\0/\0h\0\0\0\x90";
/// let mut texts = Vec::new();
/// find_utf16_strings(raw, 0..raw.len(), 0..raw.len(), 100, Utf16Marks::Colon, &mut |string| {
///     let document = string.as_document();
///     assert_eq!(document.to_file_span(Span::new(3, 6)), FileSpan { start: 108, end: 114 });
///     texts.push(document.text.to_vec());
/// });
/// assert_eq!(texts, [b"at ftp://h"]);
/// ```
#[derive(Debug)]
pub struct Utf16String {
    text: Vec<u8>,
    map: SpanMap,
    /// The offset in the file of the bytes that the map refers to.
    base: u64,
    is_cut: bool,
}

/// The marks to search for. A UTF-16 string is only found if it contains at least one of these
/// characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Utf16Marks {
    /// A colon, as in a URL.
    Colon,
    /// A colon, a full stop or an `@`, as in hosts and addresses.
    Names,
}

impl Utf16String {
    /// Returns the string as a document to scan.
    pub fn as_document(&self) -> Document<'_> {
        const BREAKS: &Breaks = &Breaks::new();
        Document {
            text: &self.text,
            breaks: BREAKS,
            kind: DocumentKind::Text(Dialect::Plain),
            charset: Charset::Utf8,
            origin: Origin {
                base: self.base,
                message: None,
                web: None,
                part: "",
                page: None,
                is_chrome: false,
                quotations: &[],
                decoded: &[Layer::Utf16],
                item: b"",
                bases: &[],
            },
            source: &self.text,
            maps: Maps::from_map(&self.map),
            shift: 0,
            opaque: OpaqueBlocks::default(),
            tags: None,
            after: &[],
        }
    }

    /// True if the string may continue after the bytes that were searched.
    pub fn may_continue(&self) -> bool {
        self.is_cut
    }
}

/// Finds the UTF-16 strings, in either byte order, that contain one of `marks` in
/// `bytes[mark_range]`. Sends them to `sink` in order. No string extends outside `bytes[bounds]`.
/// `base` is the offset in the file of `bytes[0]`.
///
/// Takes time linear in the length of `bounds`, and memory for one string at a time.
pub fn find_utf16_strings(
    bytes: &[u8],
    mark_range: Range<usize>,
    bounds: Range<usize>,
    base: u64,
    marks: Utf16Marks,
    sink: &mut dyn FnMut(Utf16String),
) {
    let from = mark_range.start.min(bytes.len());
    let searched = bytes.get(from..mark_range.end.min(bytes.len())).unwrap_or_default();
    if memchr(0, searched).is_none() {
        return;
    }
    let goes_on = bounds.end <= bytes.len();
    let mut bytes = Bytes {
        raw: bytes.get(..bounds.end).unwrap_or(bytes),
        from: bounds.start,
        little_end: RunEnd::default(),
        big_end: RunEnd::default(),
    };
    let mut string = |at: usize| {
        let at = from + at;
        // The mark is not part of the last string, and is between two NULs.
        let is_nul = |at| bytes.raw.get(at) == Some(&0);
        if at <= bytes.from || !is_nul(at - 1) || !is_nul(at + 1) {
            return;
        }
        let little = StringRun::run_around(&mut bytes, at, false);
        let big = StringRun::run_around(&mut bytes, at - 1, true);
        let run = if big.is_more_likely_than(&little, base) { big } else { little };
        let raw = bytes.raw.get(run.range.clone()).unwrap_or_default();
        let made = charset::decode_utf16(raw, run.big, run.range.start);
        bytes.from = run.range.end;
        let is_cut = run.end == End::Unseen && goes_on;
        sink(Utf16String { text: made.text, map: made.map, base, is_cut });
    };
    match marks {
        Utf16Marks::Colon => memchr_iter(b':', searched).for_each(&mut string),
        Utf16Marks::Names => memchr3_iter(b':', b'.', b'@', searched).for_each(&mut string),
    }
}

/// The bytes in which strings are searched for, and the state of the search.
struct Bytes<'b> {
    raw: &'b [u8],
    /// The offset from which the next string may start.
    from: usize,
    /// The last run end found in little-endian order. The next mark may be in the same run if the
    /// last mark was part of a big-endian string.
    little_end: RunEnd,
    /// The last run end found in big-endian order.
    big_end: RunEnd,
}

/// The end of a run of string characters, cached for the next mark in the same run. The search for
/// the end started at `from`.
#[derive(Clone, Copy, Default)]
struct RunEnd {
    from: usize,
    at: usize,
    /// The reason why the run ends.
    by: End,
}

impl Bytes<'_> {
    /// Returns the code unit at offset `at`, in big-endian order if `is_big_endian` is true.
    /// Returns `None` if it is outside the bytes to search.
    fn code_unit(&self, at: usize, is_big_endian: bool) -> Option<u16> {
        let unit = *self.raw.get(at..)?.first_chunk()?;
        (at >= self.from).then(|| {
            if is_big_endian { u16::from_be_bytes(unit) } else { u16::from_le_bytes(unit) }
        })
    }

    /// Returns the length in bytes of the UTF-16 character that starts at offset `at`, in
    /// big-endian order if `is_big_endian` is true. Returns `None` if the character can't be part
    /// of a string.
    fn char_len_at(&self, at: usize, is_big_endian: bool) -> Option<usize> {
        let unit = self.code_unit(at, is_big_endian)?;
        if is_string_unit(unit) {
            return Some(2);
        }
        let low = self.code_unit(at + 2, is_big_endian).filter(|_| is_high_surrogate(unit))?;
        is_letter_pair(unit, low).then_some(4)
    }

    /// Returns the length in bytes of the UTF-16 character that ends at offset `at`, in big-endian
    /// order if `is_big_endian` is true. Returns `None` if the character can't be part of a string.
    fn char_len_before(&self, at: usize, is_big_endian: bool) -> Option<usize> {
        let unit = self.code_unit(at.checked_sub(2)?, is_big_endian)?;
        if is_string_unit(unit) {
            return Some(2);
        }
        let high = self.code_unit(at.checked_sub(4)?, is_big_endian)?;
        is_letter_pair(high, unit).then_some(4)
    }

    /// Returns the end of the run of string characters that contains offset `from`. Uses the last
    /// result for this byte order if it is the same run.
    fn run_end(&mut self, from: usize, is_big_endian: bool) -> RunEnd {
        let known = if is_big_endian { self.big_end } else { self.little_end };
        if (known.from..known.at).contains(&from) && (known.at - from).is_multiple_of(2) {
            return known;
        }
        let mut at = from;
        while let Some(len) = self.char_len_at(at, is_big_endian) {
            at += len;
        }
        let by = match self.code_unit(at, is_big_endian) {
            Some(0) => End::Nul,
            Some(_) => End::Other,
            None => End::Unseen,
        };
        let end = RunEnd { from, at, by };
        *(if is_big_endian { &mut self.big_end } else { &mut self.little_end }) = end;
        end
    }
}

/// True if the code unit is the first of a surrogate pair.
const fn is_high_surrogate(unit: u16) -> bool {
    matches!(unit, 0xD800..=0xDBFF)
}

/// True if the code units `high` and `low` are a surrogate pair for a letter or digit.
fn is_letter_pair(high: u16, low: u16) -> bool {
    let c = char::decode_utf16([high, low]).next().and_then(Result::ok);
    is_high_surrogate(high) && c.is_some_and(char::is_alphanumeric)
}

/// True if a code unit can be part of a string: a tab or space, printable US-ASCII, or a letter or
/// combining mark. The excluded characters outside US-ASCII also end a URL.
///
/// Code units whose lower byte is 0 or 1 are excluded. Between two strings, .NET programs have a
/// flag byte of 0 or 1 and the length of the next string. These two bytes would look like a letter.
fn is_string_unit(unit: u16) -> bool {
    match unit {
        0x09 | 0x20..=0x7E | 0x300..=0x36F => true,
        0..0xA0 => false,
        _ => unit & 0xFF > 1 && char::from_u32(unit.into()).is_some_and(char::is_alphanumeric),
    }
}

/// A run of UTF-16 string characters around a mark (a colon, a full stop or an `@`), decoded in one
/// byte order.
struct StringRun {
    range: Range<usize>,
    big: bool,
    /// The number of consecutive US-ASCII characters directly before the mark.
    ascii_before: usize,
    end: End,
}

/// The reason why a run of printable characters ends.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum End {
    /// A character that can't be part of a string.
    #[default]
    Other,
    /// The end of the bytes to search.
    Unseen,
    /// A NUL.
    Nul,
}

impl StringRun {
    /// Returns the run around the mark at offset `mark_offset`, in big-endian order if
    /// `is_big_endian` is true.
    fn run_around(bytes: &mut Bytes<'_>, mark_offset: usize, is_big_endian: bool) -> Self {
        let end = bytes.run_end(mark_offset, is_big_endian);
        let (mut start, mut ascii_before, mut is_ascii) = (mark_offset, 0, true);
        while let Some(len) = bytes.char_len_before(start, is_big_endian) {
            start -= len;
            is_ascii &= bytes.code_unit(start, is_big_endian).is_some_and(|unit| unit < 0x80);
            ascii_before += usize::from(is_ascii);
        }
        Self { range: start..end.at, big: is_big_endian, ascii_before, end: end.by }
    }

    /// True if this run is more likely text than `other`, the run around the same mark in the other
    /// byte order. `base` is the offset in the file of the searched bytes. For a string of US-ASCII
    /// with a NUL on both sides, both byte orders give the same string, shifted by a byte.
    ///
    /// The wrong order misreads half of the first character, unless a NUL precedes it, or half of
    /// the last one, if that is not US-ASCII. Most strings start at even offsets, and most are
    /// little-endian.
    fn is_more_likely_than(&self, other: &Self, base: u64) -> bool {
        let likelihood = |run: &Self| {
            let is_even = (base + run.range.start as u64).is_multiple_of(2);
            (run.ascii_before, run.end == End::Nul, is_even, !run.big)
        };
        likelihood(self) > likelihood(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::Span;

    /// Returns the text of each UTF-16 string found in `bytes`, with its start and end in the file.
    /// `base` is the file offset of `bytes`.
    fn found_strings(bytes: &[u8], base: u64) -> Vec<(String, u64, u64)> {
        let mut all = Vec::new();
        let whole = 0..bytes.len();
        find_utf16_strings(bytes, whole.clone(), whole, base, Utf16Marks::Colon, &mut |string| {
            let document = string.as_document();
            let span = document.to_file_span(Span::new(0, document.text.len()));
            all.push((str::from_utf8(document.text).unwrap().to_owned(), span.start, span.end));
        });
        all
    }

    fn little(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    fn big(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    }

    #[test]
    fn strings_are_found_in_either_byte_order_at_any_offset() {
        for text in
            ["see http://h.dom/a", "http://h.dom/Köln", "http://h.dom/тест", "http://h.dom/𐐷x"]
        {
            for (before, after) in [
                (&b"\x07\x07"[..], &b"\0\0\x90"[..]),
                (b"\0\0", b"\0\0\0"),
                (b"", b""),
                (b"\x07", b"\xFF\xFF"),
            ] {
                for encoded in [little(text), big(text)] {
                    // A string that is equally likely in the other byte order must be at an even
                    // offset.
                    let base = u64::from(before.len() % 2 == 1);
                    let start = base + before.len() as u64;
                    let raw = [before, &encoded, after].concat();
                    let found = found_strings(&raw, base);
                    let [(found, from, to)] = &found[..] else { panic!("{found:?}") };
                    assert_eq!((&**found, *from), (text, start), "{before:?}");
                    assert_eq!(*to, start + encoded.len() as u64);
                }
            }
        }
    }

    #[test]
    fn adjacent_dot_net_strings_are_separate() {
        // Each string follows its length. The byte after it is a flag for special characters.
        let mut heap = vec![0];
        let texts = ["http://h.dom/", "http://a-b.dom/x", "ftp://h.dom/'"];
        for text in texts {
            let is_more = text.contains(['-', '\'']);
            heap.push(u8::try_from(2 * text.len() + 1).unwrap());
            heap.extend(little(text));
            heap.push(u8::from(is_more));
        }
        let found: Vec<_> = found_strings(&heap, 0).into_iter().map(|(text, ..)| text).collect();
        assert_eq!(found, texts);
    }

    #[test]
    fn single_byte_text_is_not_a_string() {
        for raw in [
            &b"a text: of one byte a character"[..],
            b"\0:\0",
            b"\0:",
            b":\0",
            b"x\0:",
            b"\0\0\0\0:",
            b"",
        ] {
            assert!(found_strings(raw, 0).iter().all(|(text, ..)| text == ":"), "{raw:?}");
        }
        // A colon in a single-byte text with a NUL on one side.
        assert_eq!(found_strings(b"\0http://h.dom/\0", 0), []);
    }

    #[test]
    fn strings_stay_within_bounds() {
        let raw = little("aaaa b:cccc d:eeee");
        let mut found = Vec::new();
        let mut sink = |string: Utf16String| {
            found.push((String::from_utf8_lossy(&string.text).into_owned(), string.is_cut));
        };
        find_utf16_strings(&raw, 8..30, 4..20, 0, Utf16Marks::Colon, &mut sink);
        find_utf16_strings(&raw, 0..12, 0..36, 0, Utf16Marks::Colon, &mut sink);
        find_utf16_strings(&raw, 12..14, 0..40, 0, Utf16Marks::Colon, &mut sink);
        find_utf16_strings(b"h\0.\0d\0\0\0", 0..8, 0..8, 0, Utf16Marks::Names, &mut sink);
        let expected = [("aa b:ccc", true), ("aaaa b:cccc d:eeee", false), ("h.d", false)];
        assert_eq!(found, expected.map(|(text, is_cut)| (text.to_owned(), is_cut)));
    }
}
