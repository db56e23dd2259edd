//! Documents: texts to scan, each with a map from its offsets to the raw file.

use crate::decode::layer::Layer;
use crate::decode::maps::Maps;
use crate::dialect::Dialect;
use crate::message::Message;
use crate::opaque::OpaqueBlocks;
use crate::web::WebPage;
use core::fmt;
use core::ops::ControlFlow::{self, Continue};
use core::ops::Range;
use urlsift_core::{Breaks, Charset, FileSpan, Span};

/// The kind of text in a document, such as running text or the value of an HTML attribute.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, DocumentKind, Options, documents};
///
/// let mut links = Vec::new();
/// documents(b"<a href=' http://host.dom/ '>b</a>", Container::Html, 0, &Options::default(), &mut |document| {
///     if let DocumentKind::Attribute(name) = document.kind {
///         links.push((name.to_owned(), document.text.to_vec()));
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(links, [("a/href".to_owned(), b"http://host.dom/".to_vec())]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentKind<'a> {
    /// Running text that may contain URLs, in this markup.
    Text(Dialect),
    /// The whole value of an HTML attribute that may be a URL, without surrounding white space. The
    /// name is `element/attribute` in lower case, such as `a/href`.
    Attribute(&'a str),
    /// The whole value of a link destination in Markdown, reStructuredText or another markup
    /// language, or of an HTML attribute in such a text.
    Destination,
    /// Text in HTML source that may contain URLs: the value of another attribute (`input/value`,
    /// `a/onclick`), or the content of a `script`, a `style` or a declaration (`!doctype`). The
    /// name is `element/attribute`, or only the element.
    Mention(&'a str),
    /// The value of a header field, including folds and comments. The name is as written.
    Header(&'a [u8]),
    /// The start of a message, sent before the other documents of the message. Its text is empty.
    /// Its part number is that of the enclosing part, or empty for a top-level message. Only sent
    /// with [`Options::starts`](crate::Options::starts).
    Message,
}

/// The origin of a document: the unit, message and part that contain it, and the layers that were
/// decoded. A *unit* is the file, or the range of it, that was passed to
/// [`documents`](crate::documents).
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, DocumentKind, Options, documents};
///
/// let raw = b"From: joe@host.dom\nMessage-ID: <1@host.dom>\n\nHello\n";
/// documents(raw, Container::Message, 0, &Options::default(), &mut |document| {
///     if let DocumentKind::Text(_) = document.kind {
///         let origin = document.origin;
///         assert_eq!((origin.part, origin.base), ("1", 0));
///         assert_eq!(origin.message.and_then(|message| message.id()), Some(&b"<1@host.dom>"[..]));
///         assert!(origin.decoded.is_empty() && origin.page.is_none());
///     }
///     ControlFlow::Continue(())
/// });
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Origin<'a> {
    /// The offset in the file of the unit that contains the document.
    pub base: u64,
    /// The innermost message that contains the document, in mail and news.
    pub message: Option<&'a Message<'a>>,
    /// The web archive record that contains the document.
    pub web: Option<&'a WebPage<'a>>,
    /// The name of the item that contains the document, in a file whose texts can't be located in
    /// its bytes: an attachment in a file of Outlook, or a page of a PDF file (`page 3`). The names of items inside each other are joined by
    /// `!/`, outermost first. Empty elsewhere.
    pub item: &'a [u8],
    /// The number of the part in the message, as in IMAP (`"1"`, `"2.1"`). The header of the
    /// message has the number `"0"`, the header of part 2 has `"2.0"`. Empty outside mail.
    pub part: &'a str,
    /// The number of the HTML page that contains the document, counted over the walk. Documents of
    /// one page overlap: see [`documents`](crate::documents) on order.
    pub page: Option<u64>,
    /// True if list software wrote the document: it is outside of the message on a page of a mail
    /// archive, e.g. in the links to other messages.
    pub is_chrome: bool,
    /// The ranges of the unit that are quotations in an HTML page, in order: see
    /// [`Document::is_in_html_quotation`].
    pub(crate) quotations: &'a [Range<usize>],
    /// The layers decoded between the raw bytes and the text, outermost first. For the layers of a
    /// single span, which may have been copied byte for byte, see [`Document::layers`].
    pub decoded: &'a [Layer],
    /// The base URLs for relative links, outermost first: the URL of the web archive record,
    /// `Content-Base` and `Content-Location` of the message and its parts, and the page's `<base
    /// href>`. Each may be relative to those before it. Only set with
    /// [`Options::bases`](crate::Options::bases).
    pub bases: &'a [&'a [u8]],
}

/// A text to scan for URLs, with its kind, charset and origin, and a map to the raw bytes.
/// [`documents`](crate::documents) sends documents to a callback.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, DocumentKind, Layer, Options, documents};
/// use urlsift_core::Span;
///
/// let raw = b"From: joe@host.dom\nContent-Transfer-Encoding: base64\n\naHR0cDovL2hvc3QuZG9tLw==\n";
/// documents(raw, Container::Message, 0, &Options::default(), &mut |document| {
///     if let DocumentKind::Text(_) = document.kind {
///         assert_eq!(document.text, b"http://host.dom/");
///         let host = Span::new(7, 15);
///         // Bytes 6 to 15 of the text, in groups of three, are 12 of the file.
///         assert_eq!(document.to_unit_span(host).len(), 12);
///         assert!(!document.is_verbatim(host) && document.copied_pieces(host).next().is_none());
///         let layers = document.layers(host);
///         assert_eq!((layers.decoded, layers.approximate), (&[Layer::Base64][..], true));
///         assert!(!document.is_opaque(host));
///     }
///     ControlFlow::Continue(())
/// });
/// ```
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The text. It is a slice of the raw bytes if these can be scanned without decoding.
    pub text: &'a [u8],
    /// The line breaks whose kind the format defines. In a `format=flowed` part, these are all line
    /// breaks. The text keeps them, with the quote marks and the space-stuffing after them (RFC
    /// 3676 §4.4, §4.5).
    pub breaks: &'a Breaks,
    /// The kind of text.
    pub kind: DocumentKind<'a>,
    /// The interpretation of the text's bytes above 0x7F.
    pub charset: Charset,
    /// The origin of the text.
    pub origin: Origin<'a>,
    /// The text whose offsets `maps` converts. It contains `text`.
    pub(crate) source: &'a [u8],
    pub(crate) maps: Maps<'a>,
    /// The offset of `text` in `source`.
    pub(crate) shift: usize,
    pub(crate) opaque: OpaqueBlocks,
    /// The tags of the page, for the text of an HTML page, or the link destinations of a text.
    pub(crate) tags: Option<&'a dyn Tags>,
    /// The text of the page after an attribute value, if [`Options::link_texts`] is set.
    ///
    /// [`Options::link_texts`]: crate::Options::link_texts
    pub(crate) after: &'a [u8],
}

/// A callback that receives documents until it returns `Break`.
pub(crate) type Sink<'s> = dyn FnMut(&Document<'_>) -> ControlFlow<()> + 's;

/// The documents outside of a text: the attribute values, comments and scripts of an HTML page, or
/// the link destinations of another markup language. They are sent on request while the text is
/// scanned, so that all URLs can be reported in order.
pub(crate) trait Tags: fmt::Debug {
    /// True if some of these documents were not sent yet.
    fn has_more(&self) -> bool;

    /// Sends the remaining documents that start at or before byte `max_start` of the unit to
    /// `sink`. Returns `Break` if `sink` does.
    fn emit_up_to(&self, max_start: usize, sink: &mut Sink<'_>) -> ControlFlow<()>;
}

/// The layers that were decoded to get a span of a document from its raw bytes: see
/// [`Document::layers`].
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Layers, Options, documents};
/// use urlsift_core::Span;
///
/// documents(b"&lt;http://h.dom/&gt;", Container::Html, 0, &Options::default(), &mut |document| {
///     // The file shows the URL as it is, but not the bracket before it.
///     assert_eq!(document.layers(Span::new(1, 14)), Layers::default());
///     assert_eq!(document.layers(Span::new(0, 1)).decoded.len(), 1);
///     ControlFlow::Continue(())
/// });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layers<'a> {
    /// The layers to decode in the raw bytes to get the text, outermost first. Empty if the raw
    /// bytes contain the text literally.
    pub decoded: &'a [Layer],
    /// True if decoding the raw span doesn't give exactly the text: a raw byte encodes parts of
    /// several characters (base64), or the charset was converted.
    pub approximate: bool,
}

impl<'a> Document<'a> {
    /// Returns the span in the file that corresponds to `found`, a span of [`Document::text`].
    ///
    /// This is the smallest span that covers the raw bytes of `found`, including any dropped bytes
    /// between them. It equals [`Document::to_unit_span`] plus the offset of the unit in the file.
    pub fn to_file_span(&self, found: Span) -> FileSpan {
        FileSpan::from_base(self.origin.base, self.to_unit_span(found))
    }

    /// Returns the span in the unit that corresponds to `found`, a span of [`Document::text`].
    ///
    /// This is the smallest span that covers the raw bytes of `found`, including any dropped bytes
    /// between them. Takes time logarithmic in the number of runs of the maps, and constant time if
    /// the text is a slice of the unit.
    pub fn to_unit_span(&self, found: Span) -> Span {
        self.maps.to_unit_span(found.shifted(self.shift))
    }

    /// True if `found`, a span of [`Document::text`], is in a part of an HTML page that a mail
    /// program marked as a quotation, e.g. with `<blockquote type="cite">`. Always false in
    /// attributes.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urlsift_archive::{Container, Options, documents};
    /// use urlsift_core::Span;
    /// let page = b"<p>a<blockquote type=cite>b</blockquote>";
    /// let mut quoted = Vec::new();
    /// documents(page, Container::Html, 0, &Options::default(), &mut |document| {
    ///     for (at, byte) in document.text.iter().enumerate().filter(|(_, byte)| **byte != b'\n') {
    ///         quoted.push((*byte, document.is_in_html_quotation(Span::new(at, at + 1))));
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(quoted, [(b'a', false), (b'b', true)]);
    /// ```
    pub fn is_in_html_quotation(&self, found: Span) -> bool {
        let quotations = self.origin.quotations;
        if quotations.is_empty() {
            return false;
        }
        let at = self.to_unit_span(found).start;
        let next = quotations.partition_point(|range| range.end <= at);
        quotations.get(next).is_some_and(|range| range.contains(&at))
    }

    /// Sends the documents in the tags, comments, scripts and link destinations that precede
    /// `found`, a span of [`Document::text`]. Continues where the last call stopped. Only HTML
    /// pages and texts in a markup language have such documents; for others, this does nothing.
    ///
    /// If you call this before you handle each match in the text, you get all documents in file
    /// order. Tags that are not requested this way are sent after the text.
    ///
    /// Takes time linear in the size of the documents sent.
    pub fn send_tags_before(
        &self,
        found: Span,
        sink: &mut dyn FnMut(&Document<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Most matches have no tags before them. The check avoids mapping their offsets.
        let tags = self.tags.filter(|tags| tags.has_more());
        tags.map_or(Continue(()), |tags| tags.emit_up_to(self.to_unit_span(found).start, sink))
    }

    /// Returns the pieces of `found`, a span of the text, that were copied from the unit byte for
    /// byte. Each piece is a pair: its span in the text, and its span in the unit.
    pub fn copied_pieces(&self, found: Span) -> impl Iterator<Item = (Span, Span)> {
        let shift = self.shift;
        self.maps
            .copied_pieces(found.shifted(shift))
            .map(move |(text, source)| (Span::new(text.start - shift, text.end - shift), source))
    }

    /// True if the unit contains `found` byte for byte.
    pub fn is_verbatim(&self, found: Span) -> bool {
        self.maps.is_verbatim(found.shifted(self.shift))
    }

    /// Returns the layers to decode to get `found` from its raw bytes. There are none if the raw
    /// bytes contain `found` literally.
    pub fn layers(&self, found: Span) -> Layers<'a> {
        if self.origin.decoded.is_empty() || self.is_verbatim(found) {
            return Layers::default();
        }
        Layers { decoded: self.origin.decoded, approximate: self.is_approximate(found) }
    }

    /// True if decoding the raw span of `found` doesn't give exactly its text. There are three
    /// possible reasons:
    ///
    /// - a layer can't be undone byte by byte
    /// - an HTML attribute contains text that would be a tag elsewhere
    /// - the text literally contains bytes that would be an escape in another charset
    fn is_approximate(&self, found: Span) -> bool {
        let text = self.text.get(found.range()).unwrap_or_default();
        let is_value = matches!(self.kind, DocumentKind::Attribute(_) | DocumentKind::Mention(_));
        let undone =
            |layer: &Layer| layer.decodes_spans_exactly() || layer.keeps_ascii() && text.is_ascii();
        is_value && text.contains(&b'<')
            || !self.origin.decoded.iter().all(undone)
            || self.contains_undecoded_escape(found)
    }

    /// True if `found` contains bytes that look like a quoted-printable escape, but were not
    /// decoded.
    fn contains_undecoded_escape(&self, found: Span) -> bool {
        let is_escape =
            |bytes: &[u8]| bytes[0] == b'=' && bytes[1..].iter().all(u8::is_ascii_hexdigit);
        self.origin.decoded.contains(&Layer::QuotedPrintable)
            && self.copied_pieces(found).any(|(text, _)| {
                let text = self.text.get(text.range()).unwrap_or_default();
                text.windows(3).any(is_escape)
            })
    }

    /// True if `found` overlaps a block that is not text: uuencode, yEnc, `BinHex`, PGP armor. URLs
    /// found there are chance matches.
    ///
    /// The text is searched for blocks once, at the first call for which the line of `found` does
    /// not give the answer. So texts without matches cost nothing. If the spans come in order, all
    /// calls together take time linear in the text.
    pub fn is_opaque(&self, found: Span) -> bool {
        let may_contain_blocks =
            matches!(self.kind, DocumentKind::Text(_)) && self.origin.message.is_some();
        may_contain_blocks && self.opaque.overlaps_block(self.text, found)
    }
}
