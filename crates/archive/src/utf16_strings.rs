//! Strings in UTF-16 amid other bytes: what programs, documents and dumps of Windows hold.
//!
//! A string is a run of letters, and of what US-ASCII prints. It is found by a mark, a character of US-ASCII that what is
//! looked for holds (a URL its colon), because in UTF-16 that stands between two NULs in either byte order.

use crate::decode::charset;
use crate::decode::layer::Layer;
use crate::decode::maps::Maps;
use crate::dialect::Dialect;
use crate::document::{Document, DocumentKind, Origin};
use crate::opaque::OpaqueBlocks;
use core::ops::Range;
use memchr::{memchr, memchr_iter, memchr3_iter};
use urlsift_core::{Breaks, Charset, SpanMap};

/// A string in UTF-16, and its place.
///
/// ```
/// use urlsift_archive::{Utf16Marks, utf16_strings};
/// use urlsift_core::{FileSpan, Span};
/// let raw = b"\x90\0a\0t\0 \0f\0t\0p\0:\0/\0/\0h\0\0\0\x90";
/// let mut texts = Vec::new();
/// utf16_strings(raw, 0..raw.len(), 0..raw.len(), 100, Utf16Marks::Colon, &mut |string| {
///     let document = string.document();
///     assert_eq!(document.locate(Span::new(3, 6)), FileSpan { start: 108, end: 114 });
///     texts.push(document.text.to_vec());
/// });
/// assert_eq!(texts, [b"at ftp://h"]);
/// ```
#[derive(Debug)]
pub struct Utf16String {
    text: Vec<u8>,
    map: SpanMap,
    /// The offset in the file of the bytes that the map leads to.
    base: u64,
    is_cut: bool,
}

/// What shows a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Utf16Marks {
    /// A colon, as in a URL.
    Colon,
    /// A colon, a full stop or an `@`, as in hosts and addresses.
    Names,
}

impl Utf16String {
    /// The string as a text to be scanned.
    pub fn document(&self) -> Document<'_> {
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
                decoded: &[Layer::Utf16],
                bases: &[],
            },
            maps: Maps::of(&self.map),
            shift: 0,
            opaque: OpaqueBlocks::default(),
            tags: None,
        }
    }

    /// Whether it may go on behind the bytes that were to be looked at.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// Hands over the strings in UTF-16, in either byte order, that have one of the `marks` in `bytes[marked]`, in their
/// order. None reaches out of `bytes[bounds]`; `base` is the offset in the file of the first of the bytes.
///
/// Linear in `bounds`; memory for one string at a time.
pub fn utf16_strings(
    bytes: &[u8],
    marked: Range<usize>,
    bounds: Range<usize>,
    base: u64,
    marks: Utf16Marks,
    sink: &mut dyn FnMut(Utf16String),
) {
    let from = marked.start.min(bytes.len());
    let searched = bytes.get(from..marked.end.min(bytes.len())).unwrap_or_default();
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
        // The mark is no part of the last string, and stands between two NULs.
        let is_nul = |at| bytes.raw.get(at) == Some(&0);
        if at <= bytes.from || !is_nul(at - 1) || !is_nul(at + 1) {
            return;
        }
        let little = Run::around(&mut bytes, at, false);
        let big = Run::around(&mut bytes, at - 1, true);
        let run = if big.is_more_likely_than(&little, base) { big } else { little };
        let raw = bytes.raw.get(run.range.clone()).unwrap_or_default();
        let made = charset::utf16(raw, run.big, run.range.start);
        bytes.from = run.range.end;
        let is_cut = run.end == End::Unseen && goes_on;
        sink(Utf16String { text: made.text, map: made.map, base, is_cut });
    };
    match marks {
        Utf16Marks::Colon => memchr_iter(b':', searched).for_each(&mut string),
        Utf16Marks::Names => memchr3_iter(b':', b'.', b'@', searched).for_each(&mut string),
    }
}

/// Bytes that hold strings.
struct Bytes<'b> {
    raw: &'b [u8],
    /// Where the next string may start.
    from: usize,
    /// Of each byte order the end that was looked for last. The next mark may stand in the same run, where the last one was
    /// part of a string in the other byte order.
    little_end: RunEnd,
    big_end: RunEnd,
}

/// Where a run ends, looked for from `from` on.
#[derive(Clone, Copy, Default)]
struct RunEnd {
    from: usize,
    at: usize,
    by: End,
}

impl Bytes<'_> {
    /// The unit at that place.
    fn unit(&self, at: usize, big: bool) -> Option<u16> {
        let unit = *self.raw.get(at..)?.first_chunk()?;
        (at >= self.from)
            .then(|| if big { u16::from_be_bytes(unit) } else { u16::from_le_bytes(unit) })
    }

    /// The length of the character that starts at that place, if it may be part of a string.
    fn next(&self, at: usize, big: bool) -> Option<usize> {
        let unit = self.unit(at, big)?;
        if is_of_string(unit) {
            return Some(2);
        }
        let low = self.unit(at + 2, big).filter(|_| is_high(unit))?;
        is_letter_of(unit, low).then_some(4)
    }

    /// The length of the character that ends at that place.
    fn before(&self, at: usize, big: bool) -> Option<usize> {
        let unit = self.unit(at.checked_sub(2)?, big)?;
        if is_of_string(unit) {
            return Some(2);
        }
        let high = self.unit(at.checked_sub(4)?, big)?;
        is_letter_of(high, unit).then_some(4)
    }

    /// Where the run ends that has a character at `from`.
    fn end(&mut self, from: usize, big: bool) -> RunEnd {
        let known = if big { self.big_end } else { self.little_end };
        if (known.from..known.at).contains(&from) && (known.at - from).is_multiple_of(2) {
            return known;
        }
        let mut at = from;
        while let Some(len) = self.next(at, big) {
            at += len;
        }
        let by = match self.unit(at, big) {
            Some(0) => End::Nul,
            Some(_) => End::Other,
            None => End::Unseen,
        };
        let end = RunEnd { from, at, by };
        *(if big { &mut self.big_end } else { &mut self.little_end }) = end;
        end
    }
}

const fn is_high(unit: u16) -> bool {
    matches!(unit, 0xD800..=0xDBFF)
}

/// Whether the two are a pair that stands for a letter.
fn is_letter_of(high: u16, low: u16) -> bool {
    let c = char::decode_utf16([high, low]).next().and_then(Result::ok);
    is_high(high) && c.is_some_and(char::is_alphanumeric)
}

/// Whether a unit is a character of a string: blanks, what US-ASCII prints, and letters with what is set above them.
/// What is left out beside US-ASCII ends a URL as well.
///
/// No letters are those whose lower half is 0 or 1: programs for .NET have a mark, 0 or 1, and the next string's length
/// between two strings.
fn is_of_string(unit: u16) -> bool {
    match unit {
        0x09 | 0x20..=0x7E | 0x300..=0x36F => true,
        0..0xA0 => false,
        _ => unit & 0xFF > 1 && char::from_u32(unit.into()).is_some_and(char::is_alphanumeric),
    }
}

/// The characters around a mark, as one byte order has them.
struct Run {
    range: Range<usize>,
    big: bool,
    /// How many characters of US-ASCII stand right before the mark.
    ascii_before: usize,
    end: End,
}

/// What ends a run.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum End {
    /// Something that is no character of a string.
    #[default]
    Other,
    /// The end of what was to be looked at.
    Unseen,
    Nul,
}

impl Run {
    /// The run around the unit at `at`, which is a mark.
    fn around(bytes: &mut Bytes<'_>, at: usize, big: bool) -> Self {
        let end = bytes.end(at, big);
        let (mut start, mut ascii_before, mut is_ascii) = (at, 0, true);
        while let Some(len) = bytes.before(start, big) {
            start -= len;
            is_ascii &= bytes.unit(start, big).is_some_and(|unit| unit < 0x80);
            ascii_before += usize::from(is_ascii);
        }
        Self { range: start..end.at, big, ascii_before, end: end.by }
    }

    /// Whether this reading of the bytes is more likely the one that was meant. Of US-ASCII alone, with a NUL on both
    /// sides, both are the same but for one byte.
    ///
    /// The wrong one takes half of the first character for something else, unless a NUL stands before it; or else half of the
    /// last, if that is none of US-ASCII. Most strings stand at even offsets, and most are little-endian.
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

    /// The strings in those bytes, each with its place.
    fn strings(bytes: &[u8], base: u64) -> Vec<(String, u64, u64)> {
        let mut all = Vec::new();
        let whole = 0..bytes.len();
        utf16_strings(bytes, whole.clone(), whole, base, Utf16Marks::Colon, &mut |string| {
            let document = string.document();
            let span = document.locate(Span::new(0, document.text.len()));
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
    fn either_byte_order_at_any_offset() {
        for text in
            ["see http://h.dom/a", "http://h.dom/Köln", "http://h.dom/тест", "http://h.dom/𐐷x"]
        {
            for (before, behind) in [
                (&b"\x07\x07"[..], &b"\0\0\x90"[..]),
                (b"\0\0", b"\0\0\0"),
                (b"", b""),
                (b"\x07", b"\xFF\xFF"),
            ] {
                for encoded in [little(text), big(text)] {
                    // What is as likely in the other byte order stands at an even offset.
                    let base = u64::from(before.len() % 2 == 1);
                    let start = base + before.len() as u64;
                    let raw = [before, &encoded, behind].concat();
                    let found = strings(&raw, base);
                    let [(found, from, to)] = &found[..] else { panic!("{found:?}") };
                    assert_eq!((&**found, *from), (text, start), "{before:?}");
                    assert_eq!(*to, start + encoded.len() as u64);
                }
            }
        }
    }

    #[test]
    fn strings_of_dot_net_stay_apart() {
        // Each has its length before it, and behind it a byte that says whether it is more than plain.
        let mut heap = vec![0];
        let texts = ["http://h.dom/", "http://a-b.dom/x", "ftp://h.dom/'"];
        for text in texts {
            let is_more = text.contains(['-', '\'']);
            heap.push(u8::try_from(2 * text.len() + 1).unwrap());
            heap.extend(little(text));
            heap.push(u8::from(is_more));
        }
        let found: Vec<_> = strings(&heap, 0).into_iter().map(|(text, ..)| text).collect();
        assert_eq!(found, texts);
    }

    #[test]
    fn what_is_no_string() {
        for raw in [
            &b"a text: of one byte a character"[..],
            b"\0:\0",
            b"\0:",
            b":\0",
            b"x\0:",
            b"\0\0\0\0:",
            b"",
        ] {
            assert!(strings(raw, 0).iter().all(|(text, ..)| text == ":"), "{raw:?}");
        }
        // A colon of a text with a NUL on one side.
        assert_eq!(strings(b"\0http://h.dom/\0", 0), []);
    }

    #[test]
    fn none_reaches_out_of_its_bounds() {
        let raw = little("aaaa b:cccc d:eeee");
        let mut found = Vec::new();
        let mut sink = |string: Utf16String| {
            found.push((String::from_utf8_lossy(&string.text).into_owned(), string.is_cut));
        };
        utf16_strings(&raw, 8..30, 4..20, 0, Utf16Marks::Colon, &mut sink);
        utf16_strings(&raw, 0..12, 0..36, 0, Utf16Marks::Colon, &mut sink);
        utf16_strings(&raw, 12..14, 0..40, 0, Utf16Marks::Colon, &mut sink);
        utf16_strings(b"h\0.\0d\0\0\0", 0..8, 0..8, 0, Utf16Marks::Names, &mut sink);
        let expected = [("aa b:ccc", true), ("aaaa b:cccc d:eeee", false), ("h.d", false)];
        assert_eq!(found, expected.map(|(text, is_cut)| (text.to_owned(), is_cut)));
    }
}
