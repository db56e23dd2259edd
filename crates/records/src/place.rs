//! The part of a message or page that contains a URL.

use std::cell::OnceCell;
use urlsift_archive::{Document, DocumentKind, Ending, is_in_attribution};
use urlsift_core::Span;

/// The part of a message or page that contains a URL, e.g. the signature. Scans can skip the URLs
/// in some of them.
///
/// ```
/// use urlsift_records::{Input, Options, Place, Scan};
/// let raw = b"From: a@host.dom\nSubject: http://a.dom/\n\n> http://b.dom/\nhttp://c.dom/\n-- \nhttp://d.dom/\n";
/// let mut options = Options::default();
/// options.set("headers", "all").unwrap();
/// let mut found = Vec::new();
/// Scan::new(options).read(Input::from_bytes("1.eml", raw), &mut found).unwrap();
/// let places: Vec<_> = found.iter().map(|record| record.place).collect();
/// assert_eq!(places, [Place::Header, Place::Quote, Place::Body, Place::Signature]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// In the text, outside of all other places.
    #[default]
    Body,
    /// On a line that starts with quote marks (`>`), or in HTML that a mail program marked as a
    /// quotation.
    Quote,
    /// In a line that a mail program added before a quotation, e.g. `Joe wrote in message
    /// news:1@host.dom...`.
    Attribution,
    /// In the author's signature.
    Signature,
    /// In a footer that list software, a mail service or a news service added.
    Footer,
    /// On a page of a mail archive, outside of the message: e.g. in the links to other messages.
    Chrome,
    /// In a header field.
    Header,
    /// In an attribute of an HTML element.
    Attribute,
}

impl Place {
    /// All places.
    pub const ALL: [Self; 8] = [
        Self::Body,
        Self::Quote,
        Self::Attribution,
        Self::Signature,
        Self::Footer,
        Self::Chrome,
        Self::Header,
        Self::Attribute,
    ];

    /// Returns the stable name of the place, as it appears in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Quote => "quote",
            Self::Attribution => "attribution",
            Self::Signature => "signature",
            Self::Footer => "footer",
            Self::Chrome => "chrome",
            Self::Header => "header",
            Self::Attribute => "attribute",
        }
    }

    /// True if software wrote the URLs in this place: a mail program, list software or a provider.
    /// The subject is a header field that people write.
    pub const fn is_written_by_software(self) -> bool {
        matches!(self, Self::Attribution | Self::Footer | Self::Chrome | Self::Header)
    }

    /// Returns the place of the text at `found`, the span of a URL in a document. `quote_depth` is
    /// the number of quote marks at the start of its line.
    ///
    /// The first call for a document finds its signature and footer in linear time, and caches them
    /// in `ending`.
    pub(crate) fn in_document(
        document: Option<&Document<'_>>,
        found: Span,
        quote_depth: u32,
        ending: &OnceCell<Ending>,
    ) -> Self {
        match document.map(|document| document.kind) {
            Some(DocumentKind::Header(_)) => return Self::Header,
            _ if document.is_some_and(|document| document.origin.is_chrome) => {
                return Self::Chrome;
            }
            Some(DocumentKind::Attribute(_)) => return Self::Attribute,
            // A mention without a slash is the content of an element, e.g. `script`.
            Some(DocumentKind::Mention(name)) if name.contains('/') => return Self::Attribute,
            Some(DocumentKind::Destination) => return Self::Body,
            _ if quote_depth > 0 => return Self::Quote,
            _ if document.is_some_and(|document| document.is_in_html_quotation(found)) => {
                return Self::Quote;
            }
            _ => {}
        }
        let Some(document) = document.filter(|document| document.origin.message.is_some()) else {
            return Self::Body;
        };
        if is_in_attribution(document.text, found) {
            return Self::Attribution;
        }
        let ending = ending.get_or_init(|| Ending::find(document.text));
        if ending.is_in_footer(found.start) {
            Self::Footer
        } else if ending.is_in_signature(found.start) {
            Self::Signature
        } else {
            Self::Body
        }
    }
}

urlsift_core::by_name!(Place);
