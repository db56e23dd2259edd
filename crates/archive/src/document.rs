//! One scannable text, and the way back from it to the raw file.

use crate::{Message, opaque, verify};
use core::cell::OnceCell;
use urlsift_core::{Break, FileSpan, MapBuilder, Span, SpanMap};

/// The markup that a text is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Running text.
    #[default]
    Plain,
    /// Markdown.
    Markdown,
    /// reStructuredText.
    Rst,
    /// HTML source, tags and all (the inside of a comment, say).
    Html,
}

/// What kind of text a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind<'a> {
    /// Text to look for URLs in.
    Text(Dialect),
    /// The whole value of an HTML attribute that may hold a URL, without the white space around
    /// it. The name is `element/attribute` in lower case, such as `a/href`.
    Attribute(&'a str),
    /// A text in HTML source that is no URL by itself but may speak of one: the value of another
    /// attribute (`input/value`, `a/onclick`), or, by its element alone, a `script`, a `style` or a
    /// declaration (`!doctype`).
    Mention(&'a str),
    /// The value of a header field, folds and comments included; the name is as written.
    Header(&'a [u8]),
}

/// How a document's bytes above 7F are to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Charset {
    /// UTF-8, or unlabelled: a byte that is not valid in UTF-8 is no letter.
    #[default]
    Utf8,
    /// A superset of US-ASCII of one byte a character, left as it is.
    EightBit,
}

/// Where a document comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The offset in the file of the unit that was read.
    pub base: u64,
    /// The innermost message around the document, in mail and news.
    pub message: Option<&'a Message<'a>>,
    /// The number of the part within that message, as IMAP counts (`"1"`, `"2.1"`); the header has
    /// number `"0"`, that of a part `"2.0"`. Empty outside mail.
    pub part: &'a str,
    /// The HTML page that the document was taken from, by its number among the pages of the walk.
    /// The documents of one page overlap: see [`documents`](crate::documents) on order.
    pub page: Option<u64>,
    /// What was undone between the raw bytes and the text, outermost first. It concerns those
    /// spans that were not copied: see [`Document::layers`].
    pub decoded: &'a [&'static str],
}

/// A text to be scanned.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The text: a slice of the raw bytes wherever these can be scanned as they are.
    pub text: &'a [u8],
    /// Its line breaks about which the format says something, sorted. In a `format=flowed` part
    /// these are all its breaks; the text keeps them, and the quote marks and the stuffing blank
    /// after them (RFC 3676 §4.4, §4.5).
    pub breaks: &'a [Break],
    /// What kind of text it is.
    pub kind: Kind<'a>,
    /// How its bytes above 7F are to be read.
    pub charset: Charset,
    /// Where it comes from.
    pub origin: Origin<'a>,
    pub(crate) map: &'a SpanMap,
    /// The offset of `text` in the text that `map` maps.
    pub(crate) shift: usize,
    pub(crate) opaque: OnceCell<Vec<Span>>,
}

/// What stands between a span of a document and its raw bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layers<'a> {
    /// What must be undone in the raw bytes to see the text; empty where they show it.
    pub decoded: &'a [&'static str],
    /// Whether the raw span only covers the text, because a raw byte holds parts of several
    /// (base64), or because the charset was converted.
    pub approximate: bool,
}

impl<'a> Document<'a> {
    /// The place in the file of `found`, a span of [`Document::text`]: the smallest that covers
    /// its bytes, with whatever was dropped between them.
    pub fn locate(&self, found: Span) -> FileSpan {
        FileSpan::based(self.origin.base, self.source(found))
    }

    /// As [`Document::locate`], within the unit that was read.
    pub fn source(&self, found: Span) -> Span {
        self.map.source(found.shifted(self.shift))
    }

    /// The map from the text to the unit that was read. Free where the text is a slice of it, else
    /// linear in the runs of the map: to look up single spans, use [`Document::source`].
    pub fn span_map(&self) -> SpanMap {
        if self.shift == 0 {
            self.map.clone()
        } else {
            SpanMap::cut_from(self.shift).over(self.map)
        }
    }

    /// The stretches of `found` that were copied from the unit byte for byte, as pairs of a span
    /// of the text and one of the unit.
    pub fn pieces(&self, found: Span) -> impl Iterator<Item = (Span, Span)> {
        let shift = self.shift;
        self.map
            .pieces(found.shifted(shift))
            .map(move |(text, source)| (Span::new(text.start - shift, text.end - shift), source))
    }

    /// Whether the unit shows `found` byte for byte.
    pub fn is_verbatim(&self, found: Span) -> bool {
        self.map.is_verbatim(found.shifted(self.shift))
    }

    /// What must be undone to see `found` in its raw bytes: nothing where these show it.
    pub fn layers(&self, found: Span) -> Layers<'a> {
        if self.origin.decoded.is_empty() || self.is_verbatim(found) {
            return Layers::default();
        }
        Layers { decoded: self.origin.decoded, approximate: self.is_approximate(found) }
    }

    /// Whether a layer that cannot be undone byte by byte lies over `found`.
    fn is_approximate(&self, found: Span) -> bool {
        let ascii = self.text.get(found.range()).is_some_and(<[u8]>::is_ascii);
        !self
            .origin
            .decoded
            .iter()
            .all(|layer| verify::is_exact(layer) || ascii && verify::is_transparent(layer))
    }

    /// Whether `found` lies in a block that is no text: uuencode, yEnc, `BinHex`, PGP armour. What
    /// a scan finds there is chance. The blocks are looked for at the first call only, in time
    /// linear in the text, so that texts without finds cost nothing.
    ///
    /// A line of printable ASCII with a small letter in it is in no such block that could show a
    /// URL (uuencode has capitals only, yEnc uses all bytes, the alphabets of the others lack the
    /// colon), so for most finds not even that is done.
    pub fn is_opaque(&self, found: Span) -> bool {
        if opaque::is_plain(self.text, found.start) {
            return false;
        }
        let blocks = self.opaque.get_or_init(|| match self.kind {
            Kind::Text(_) if self.origin.message.is_some() => opaque::blocks(self.text),
            _ => Vec::new(),
        });
        let at = blocks.partition_point(|block| block.end <= found.start);
        blocks.get(at).is_some_and(|block| block.start < found.end)
    }
}

/// A text, and the map to what it was made from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoded {
    pub text: Vec<u8>,
    pub map: SpanMap,
}

/// A derived text in the making: text and map grow together. Positions are given within the slice
/// that is decoded, and mapped to where that slice stands.
#[derive(Debug, Default)]
pub(crate) struct Derived {
    pub text: Vec<u8>,
    map: MapBuilder,
    base: usize,
}

impl Derived {
    /// `base`: where the slice to be decoded starts in the text that the map leads to.
    pub(crate) fn new(bytes: usize, base: usize) -> Self {
        Self::within(Vec::with_capacity(bytes), base)
    }

    /// The same in the memory of an old text, whose bytes are forgotten.
    pub(crate) fn within(mut text: Vec<u8>, base: usize) -> Self {
        text.clear();
        Self { text, map: MapBuilder::new(), base }
    }

    /// Copies `source[from..to]`.
    #[inline]
    pub(crate) fn copy(&mut self, source: &[u8], from: usize, to: usize) {
        if let Some(bytes) = source.get(from..to) {
            self.text.extend_from_slice(bytes);
            self.map.copied(self.base + from, bytes.len());
        }
    }

    /// Puts `bytes` in the place of the source span `from..to`.
    #[inline]
    pub(crate) fn replace(&mut self, bytes: &[u8], from: usize, to: usize) {
        self.text.extend_from_slice(bytes);
        self.map.replaced(Span::new(self.base + from, self.base + to), bytes.len());
    }

    /// Puts one character of `bytes` in the place of the source span `from..to`; like characters
    /// in a row share one run of the map.
    #[inline]
    pub(crate) fn character(&mut self, bytes: &[u8], from: usize, to: usize) {
        self.text.extend_from_slice(bytes);
        let source = Span::new(self.base + from, self.base + to);
        match (u8::try_from(source.len()), u8::try_from(bytes.len())) {
            (Ok(wide), Ok(narrow)) if narrow > 0 => {
                self.map.groups(source, wide, bytes.len(), narrow);
            }
            _ => self.map.replaced(source, bytes.len()),
        }
    }

    /// Accounts for `len` bytes that were appended to the text already, decoded from the groups at
    /// `from..to`: `narrow` bytes from every `wide`.
    #[inline]
    pub(crate) fn groups(&mut self, from: usize, to: usize, wide: u8, len: usize, narrow: u8) {
        self.map.groups(Span::new(self.base + from, self.base + to), wide, len, narrow);
    }

    pub(crate) fn finish(self) -> Decoded {
        Decoded { text: self.text, map: self.map.finish() }
    }
}
