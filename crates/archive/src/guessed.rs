//! Decodes the text around a URL from a guessed charset, or from ISO-2022-JP.
//!
//! Text without a declared charset is scanned as UTF-8, so a URL ends at a byte that isn't valid
//! UTF-8, or at an escape sequence. Only the text around such a URL is decoded again, so all other
//! text costs nothing.

use crate::decode::charset::{decode_char_by_char, ends_url};
use crate::decode::derived::Decoded;
use crate::decode::guess::guess_charset;
use crate::decode::iso2022::{self, Family};
use crate::decode::layer::Layer;
use crate::decode::maps::Maps;
use crate::dialect::Dialect;
use crate::document::{Document, DocumentKind, Origin};
use crate::opaque::OpaqueBlocks;
use core::ops::Range;
use memchr::{memchr, memchr2_iter};
use urlsift_core::{Breaks, Charset, Span, SpanMap};

/// The number of bytes on each side of a URL that are used for a guess.
const REACH: usize = 1024;

/// The number of bytes on each side of a URL that are decoded together with the URL.
const CONTEXT: usize = 512;

/// The maximum length of a URL that is decoded, in bytes.
const MAX_LEN: usize = 4096;

/// A part of a document that was decoded from a guessed charset: see
/// [`Document::guess_charset_at`].
#[derive(Debug)]
pub struct GuessedText {
    text: Vec<u8>,
    map: SpanMap,
    breaks: Breaks,
    layers: Vec<Layer>,
    start: usize,
}

impl<'a> Document<'a> {
    /// Returns a document for `text`, a plain text that needs no decoding. `base` is the offset of
    /// `text` in the file.
    pub fn of_plain_text(text: &'a [u8], base: u64, charset: Charset) -> Self {
        const BREAKS: &Breaks = &Breaks::new();
        const MAPS: Maps<'static> = Maps::identity();
        Document {
            text,
            breaks: BREAKS,
            kind: DocumentKind::Text(Dialect::Plain),
            charset,
            origin: Origin {
                base,
                message: None,
                web: None,
                part: "",
                page: None,
                is_chrome: false,
                quotations: &[],
                decoded: &[],
                item: b"",
                bases: &[],
            },
            maps: MAPS,
            source: text,
            shift: 0,
            opaque: OpaqueBlocks::default(),
            tags: None,
            after: &[],
        }
    }

    /// Guesses the charset of the text around `found`, a URL in [`Document::text`], and decodes
    /// that text. Call this method for a URL that contains a byte that is not valid UTF-8, or that
    /// ends right before such a byte. The guess is based on the letters within 1,024 bytes on both
    /// sides of the URL. If an escape sequence of ISO-2022-JP follows the URL, no guess is needed.
    ///
    /// Returns `None` if the guess is uncertain, if the byte is not a letter, or if the URL is
    /// longer than 4,096 bytes.
    ///
    /// ```
    /// use urlsift_archive::Document;
    /// use urlsift_core::{Charset, Span};
    ///
    /// let text = b"Siehe http://h.dom/f\xE4lle f\xFCr mehr";
    /// let document = Document::of_plain_text(text, 0, Charset::Utf8);
    /// let guessed = document.guess_charset_at(Span::new(6, 20)).unwrap();
    /// let decoded = guessed.as_document(&document);
    /// assert_eq!(decoded.text, "Siehe http://h.dom/fälle für mehr".as_bytes());
    /// assert_eq!(guessed.start(), 6);
    /// assert_eq!(decoded.to_unit_span(Span::new(6, 26)), Span::new(6, 25));
    /// ```
    pub fn guess_charset_at(&self, found: Span) -> Option<GuessedText> {
        let url = found.start..self.word_end(found.end);
        if url.len() > MAX_LEN {
            return None;
        }
        if self.text.get(url.end..).is_some_and(iso2022::starts_with_kanji_designation) {
            let range = self.range_in_iso2022(&url);
            let decode = |text: &[u8], at| iso2022::decode_shifted(text, Family::Jp, at);
            return self.decoded_text(range, url.start, Layer::Iso2022Jp, decode);
        }
        let range = self.range_around(&url);
        // `text` may be only the value of an attribute. `source` also has the letters around it.
        let within = self.shift + url.start..self.shift + url.end;
        let from = within.start.saturating_sub(REACH);
        let around = self.source.get(from..self.source.len().min(within.end + REACH))?;
        let encoding = guess_charset(around, &(within.start - from..within.end - from))?;
        let decode = |text: &[u8], at| decode_char_by_char(text, encoding, at);
        self.decoded_text(range, url.start, Layer::SingleByte, decode)
    }

    /// Returns the text at `range`, decoded with `decode` from the charset of `layer`. `url` is the
    /// offset of the URL. The second argument of `decode` is the offset of its text in the map's
    /// source.
    fn decoded_text(
        &self,
        range: Range<usize>,
        url: usize,
        layer: Layer,
        decode: impl Fn(&[u8], usize) -> Decoded,
    ) -> Option<GuessedText> {
        let text = self.text.get(range.clone())?;
        let made = decode(text, self.shift + range.start);
        let breaks = self.moved_breaks(range.start, text, &made.text);
        let start = decode(text.get(..url - range.start)?, 0).text.len();
        let layers = [self.origin.decoded, &[layer]].concat();
        Some(GuessedText { text: made.text, map: made.map, breaks, layers, start })
    }

    /// Returns the end of the word that contains byte `at` of the text.
    fn word_end(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        let rest = rest.get(..=MAX_LEN).unwrap_or(rest);
        at + rest.iter().position(|byte| ends_url(*byte)).unwrap_or(rest.len())
    }

    /// Returns the range of the text to decode: the URL at `url`, and [`CONTEXT`] bytes on each
    /// side. The range starts with the first whole line within these bytes, if there is one.
    fn range_around(&self, url: &Range<usize>) -> Range<usize> {
        let from = url.start.saturating_sub(CONTEXT);
        let before = self.text.get(from..url.start).unwrap_or_default();
        let line = if from == 0 { None } else { memchr(b'\n', before) };
        line.map_or(from, |at| from + at + 1)..self.text.len().min(url.end + CONTEXT)
    }

    /// Returns the range of the text to decode from ISO-2022-JP: the same as
    /// [`Document::range_around`], except that it starts at a line or at the URL, where the text is
    /// in US-ASCII. It contains the rest of the URL's line, up to [`MAX_LEN`] bytes.
    fn range_in_iso2022(&self, url: &Range<usize>) -> Range<usize> {
        let Range { start, end } = self.range_around(url);
        let is_line = start == 0 || self.text.get(start - 1) == Some(&b'\n');
        let rest = self.text.get(url.end..).unwrap_or_default();
        let rest = rest.get(..MAX_LEN).unwrap_or(rest);
        let line_end = url.end + memchr(b'\n', rest).unwrap_or(rest.len());
        (if is_line { start } else { url.start })..end.max(line_end)
    }

    /// Returns the breaks in `text`, the part of the document that starts at byte `from`. Their
    /// offsets are converted to offsets in `made`, the decoded form of this part.
    fn moved_breaks(&self, from: usize, text: &[u8], made: &[u8]) -> Breaks {
        let ends = memchr2_iter(b'\r', b'\n', text).zip(memchr2_iter(b'\r', b'\n', made));
        let mut breaks = Breaks::new();
        for (at, moved) in ends.filter(|_| !self.breaks.is_empty()) {
            if let Some(kind) = self.breaks.kind_at(from + at) {
                breaks.push(moved, kind);
            }
        }
        breaks
    }
}

impl GuessedText {
    /// Returns the decoded text as a document to scan. `document` is the document that contains the
    /// undecoded text.
    pub fn as_document<'d>(&'d self, document: &'d Document<'_>) -> Document<'d> {
        Document {
            text: &self.text,
            breaks: &self.breaks,
            kind: document.kind,
            charset: Charset::Utf8,
            origin: Origin { decoded: &self.layers, ..document.origin },
            maps: document.maps.with_inner_map(&self.map),
            source: &self.text,
            shift: 0,
            opaque: OpaqueBlocks::default(),
            tags: None,
            after: document.after,
        }
    }

    /// Returns the start offset, in the decoded text, of the URL for which the charset was guessed.
    pub fn start(&self) -> usize {
        self.start
    }
}
