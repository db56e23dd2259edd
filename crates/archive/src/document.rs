//! One scannable text, and the way back from it to the raw file.

use crate::decode::layer::Layer;
use crate::decode::maps::Maps;
use crate::dialect::Dialect;
use crate::message::Message;
use crate::opaque::OpaqueBlocks;
use crate::web::WebPage;
use core::fmt;
use core::ops::ControlFlow::{self, Continue};
use urlsift_core::{Breaks, Charset, FileSpan, Span};

/// What kind of text a document is.
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
    /// Running text in which URLs may stand, in this markup.
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
    /// The start of a message, before all that is in it: an empty text. The part is the one of the message around it
    /// that it lies in, and empty for a message of its own. Comes only with [`Options::starts`](crate::Options::starts).
    Message,
}

/// Where a document comes from: the unit, the message and part in it, and what was undone.
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
    /// The offset in the file of the unit that was read.
    pub base: u64,
    /// The innermost message around the document, in mail and news.
    pub message: Option<&'a Message<'a>>,
    /// The record around the document, in web archives.
    pub web: Option<&'a WebPage<'a>>,
    /// The number of the part within that message, as IMAP counts (`"1"`, `"2.1"`); the header has
    /// number `"0"`, that of a part `"2.0"`. Empty outside mail.
    pub part: &'a str,
    /// The HTML page that the document was taken from, by its number among the pages of the walk.
    /// The documents of one page overlap: see [`documents`](crate::documents) on order.
    pub page: Option<u64>,
    /// What was undone between the raw bytes and the text, outermost first. It concerns only the
    /// spans that were not copied byte for byte: see [`Document::layers`].
    pub decoded: &'a [Layer],
    /// What relative links are relative to, with [`Options::bases`](crate::Options::bases), outermost first: what was
    /// fetched, `Content-Base` and `Content-Location` of the message and its parts, the page's `<base href>`. Each may be relative
    /// itself, to those before it.
    pub bases: &'a [&'a [u8]],
}

/// A text to be scanned.
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
///         assert_eq!(document.source(host).len(), 12);
///         assert!(!document.is_verbatim(host) && document.pieces(host).next().is_none());
///         let layers = document.layers(host);
///         assert_eq!((layers.decoded, layers.approximate), (&[Layer::Base64][..], true));
///         assert!(!document.is_opaque(host));
///     }
///     ControlFlow::Continue(())
/// });
/// ```
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The text: a slice of the raw bytes wherever these can be scanned as they are.
    pub text: &'a [u8],
    /// Its line breaks about which the format says something. In a `format=flowed` part
    /// these are all its breaks; the text keeps them, and the quote marks and the stuffing blank
    /// after them (RFC 3676 §4.4, §4.5).
    pub breaks: &'a Breaks,
    /// What kind of text it is.
    pub kind: DocumentKind<'a>,
    /// How its bytes above 7F are to be read.
    pub charset: Charset,
    /// Where it comes from.
    pub origin: Origin<'a>,
    pub(crate) maps: Maps<'a>,
    /// The offset of `text` in the text that `maps` are of.
    pub(crate) shift: usize,
    pub(crate) opaque: OpaqueBlocks,
    /// Of the text of an HTML page.
    pub(crate) tags: Option<&'a dyn Tags>,
}

/// Takes documents until it breaks.
pub(crate) type Sink<'s> = dyn FnMut(&Document<'_>) -> ControlFlow<()> + 's;

/// What the tags of a page hold.
pub(crate) trait Tags: fmt::Debug {
    /// Whether some of it was not handed over yet.
    fn has_more(&self) -> bool;

    /// Hands over what was not handed over yet and starts up to byte `last` of the unit.
    fn up_to(&self, last: usize, sink: &mut Sink<'_>) -> ControlFlow<()>;
}

/// What stands between a span of a document and its raw bytes.
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
    /// What must be undone in the raw bytes to see the text; empty where they show it.
    pub decoded: &'a [Layer],
    /// Whether the raw span only covers the text, because a raw byte holds parts of several
    /// (base64), or because the charset was converted.
    pub approximate: bool,
}

impl<'a> Document<'a> {
    /// The place in the file of `found`, a span of [`Document::text`]: the smallest that covers its
    /// bytes, with whatever was dropped between them. It is [`Document::source`], counted from the
    /// start of the file.
    pub fn locate(&self, found: Span) -> FileSpan {
        FileSpan::based(self.origin.base, self.source(found))
    }

    /// The smallest span of the unit that covers the bytes of `found`, a span of
    /// [`Document::text`], with whatever was dropped between them. Logarithmic in the runs of its
    /// maps, constant where the text is a slice of the unit.
    pub fn source(&self, found: Span) -> Span {
        self.maps.source(found.shifted(self.shift))
    }

    /// Of the text of an HTML page: hands over what its tags, comments and scripts hold before `found`, a span of
    /// [`Document::text`], as documents of their own, from where the last call ended. So whoever asks before each thing
    /// that is found in the text has all in the order of the file. What nobody asks for follows the text. Of any other document:
    /// nothing.
    ///
    /// Linear in what is handed over.
    pub fn tags_before(
        &self,
        found: Span,
        sink: &mut dyn FnMut(&Document<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Most finds have no tags before them, and where they stand in the page is not told for nothing.
        let tags = self.tags.filter(|tags| tags.has_more());
        tags.map_or(Continue(()), |tags| tags.up_to(self.source(found).start, sink))
    }

    /// The stretches of `found` that were copied from the unit byte for byte, as pairs of a span
    /// of the text and one of the unit.
    pub fn pieces(&self, found: Span) -> impl Iterator<Item = (Span, Span)> {
        let shift = self.shift;
        self.maps
            .pieces(found.shifted(shift))
            .map(move |(text, source)| (Span::new(text.start - shift, text.end - shift), source))
    }

    /// Whether the unit shows `found` byte for byte.
    pub fn is_verbatim(&self, found: Span) -> bool {
        self.maps.is_verbatim(found.shifted(self.shift))
    }

    /// What must be undone to see `found` in its raw bytes: nothing where these show it.
    pub fn layers(&self, found: Span) -> Layers<'a> {
        if self.origin.decoded.is_empty() || self.is_verbatim(found) {
            return Layers::default();
        }
        Layers { decoded: self.origin.decoded, approximate: self.is_approximate(found) }
    }

    /// Whether `found` is only covered by its raw bytes: a layer over it cannot be undone byte by
    /// byte; or it is a value in HTML that holds what would be a tag elsewhere; or it holds, as it stands,
    /// what would be an escape in a text of another charset.
    fn is_approximate(&self, found: Span) -> bool {
        let text = self.text.get(found.range()).unwrap_or_default();
        let is_value = matches!(self.kind, DocumentKind::Attribute(_) | DocumentKind::Mention(_));
        let undone = |layer: &Layer| layer.is_exact() || layer.keeps_ascii() && text.is_ascii();
        is_value && text.contains(&b'<')
            || !self.origin.decoded.iter().all(undone)
            || self.keeps_escapes(found)
    }

    /// Whether something in the shape of a quoted-printable escape was left as it stands in `found`.
    fn keeps_escapes(&self, found: Span) -> bool {
        let is_escape =
            |bytes: &[u8]| bytes[0] == b'=' && bytes[1..].iter().all(u8::is_ascii_hexdigit);
        self.origin.decoded.contains(&Layer::QuotedPrintable)
            && self.pieces(found).any(|(text, _)| {
                let text = self.text.get(text.range()).unwrap_or_default();
                text.windows(3).any(is_escape)
            })
    }

    /// Whether `found` lies in a block that is no text: uuencode, yEnc, `BinHex`, PGP armour. What
    /// a scan finds there is chance.
    ///
    /// The text is searched for blocks, once, at the first call that a glance at the line of
    /// `found` does not settle; so texts without finds cost nothing. Calls whose spans come in order
    /// take time linear in the text, all together.
    pub fn is_opaque(&self, found: Span) -> bool {
        let may_hold_blocks =
            matches!(self.kind, DocumentKind::Text(_)) && self.origin.message.is_some();
        may_hold_blocks && self.opaque.overlap(self.text, found)
    }
}
