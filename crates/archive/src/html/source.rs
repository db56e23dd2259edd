//! Reads the source of a page: its tags, and the URLs in them.

use super::attribute;
use super::piece::Piece;
use super::text::{decode_text_attribute, decode_url_attribute, may_need_decoding};
use super::token::{Attributes, Token, Tokens};
use core::ops::ControlFlow::Continue;
use std::borrow::Cow;
use urlsift_core::{Span, SpanMap};

/// A part of the source of a page that is not text: see [`source_parts`].
///
/// ```
/// use urlsift_archive::{SourcePart, source_parts};
/// let html = b"<a ping='http://h.dom/ http://i.dom/'>b</a>";
/// let mut urls = Vec::new();
/// source_parts(html, &mut |part| {
///     if let SourcePart::Url(url) = part {
///         urls.push(&html[url.range()]);
///     }
/// });
/// assert_eq!(urls, [b"http://h.dom/", b"http://i.dom/"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourcePart {
    /// A start tag or end tag.
    Tag {
        /// The span of the tag, including `<` and `>`.
        whole: Span,
        /// The span of the element's name.
        name: Span,
        /// True for an end tag.
        closes: bool,
    },
    /// A URL in the start tag before it: an attribute's value, or one of the URLs in it.
    Url(Span),
    /// A comment, including its delimiters.
    Comment(Span),
    /// The content of a script or style.
    Program(Span),
}

/// Passes the parts of the source of a page to `found`, in order. Takes linear time.
///
/// The parts are the ones that [`documents`](crate::documents) reads from a page. A tag, comment or
/// script that is never closed is text up to the end of the page.
pub fn source_parts(html: &[u8], found: &mut dyn FnMut(SourcePart)) {
    let mut label = String::new();
    for token in Tokens::new(html) {
        match token {
            Token::Text(_) => {}
            Token::Tag { whole, name, closes, .. } => {
                found(SourcePart::Tag { whole: whole.into(), name: name.clone().into(), closes });
                if closes {
                    continue;
                }
                let _ = attribute::pass_urls_of_tag(html, &name, true, &mut label, &mut |piece| {
                    if let Piece::Attribute(_, url) = piece {
                        found(SourcePart::Url(url.into()));
                    }
                    Continue(())
                });
            }
            Token::Comment { whole, .. } => found(SourcePart::Comment(whole.into())),
            Token::Hidden { element, range } => {
                let is_declaration = html.get(element.start).is_none_or(|b| b"!?".contains(b));
                if !is_declaration {
                    found(SourcePart::Program(range.into()));
                }
            }
        }
    }
}

/// An ID that a fragment can refer to, or a heading.
pub(crate) enum PageTarget<'t> {
    /// The value of an `id` attribute, or of the `name` attribute of a link.
    Id(Cow<'t, [u8]>),
    /// The value of the `name` attribute of any other element.
    Name(Cow<'t, [u8]>),
    /// The text of a heading.
    Heading(String),
}

/// Passes the IDs and the headings of a page to `found`, in order. Takes linear time.
pub(crate) fn page_targets(html: &[u8], found: &mut dyn FnMut(PageTarget<'_>)) {
    let mut heading: Option<String> = None;
    let is_heading =
        |name: &[u8]| matches!(name, [b'h' | b'H', level] if (b'1'..=b'6').contains(level));
    for token in Tokens::new(html) {
        match token {
            Token::Text(range) => {
                if let (Some(heading), Some(text)) = (&mut heading, html.get(range)) {
                    heading
                        .push_str(&String::from_utf8_lossy(&decode_text_attribute(text, 0).text));
                }
            }
            Token::Tag { name, closes, .. } => {
                let element = html.get(name.clone()).unwrap_or_default();
                if closes {
                    if is_heading(element)
                        && let Some(text) = heading.take()
                    {
                        found(PageTarget::Heading(text.trim().to_owned()));
                    }
                    continue;
                }
                let is_link = element.eq_ignore_ascii_case(b"a");
                for attribute in (Attributes { html, at: name.end }) {
                    let name = html.get(attribute.name).unwrap_or_default();
                    let is_name = name.eq_ignore_ascii_case(b"name");
                    let is_id = name.eq_ignore_ascii_case(b"id") || is_link && is_name;
                    if (is_id || is_name)
                        && let Some(value) = html.get(attribute.value)
                    {
                        let value = if may_need_decoding(value) {
                            decode_url_attribute(value, 0).text.into()
                        } else {
                            value.into()
                        };
                        found(if is_id { PageTarget::Id(value) } else { PageTarget::Name(value) });
                    }
                }
                if is_heading(element) {
                    heading = Some(String::new());
                }
            }
            Token::Comment { .. } | Token::Hidden { .. } => {}
        }
    }
}

/// Decodes an attribute's value: replaces character references, and removes line breaks and tabs.
/// Returns the text and a map to the source, in which the value starts at `source_offset`. Returns
/// `None` if the value contains none of these.
///
/// ```
/// use urlsift_archive::decode_attribute;
/// let (text, map) = decode_attribute(b"/?a&amp;b", 10).unwrap();
/// assert_eq!(text, b"/?a&b");
/// assert_eq!(map.to_source(urlsift_core::Span::new(3, 4)).range(), 13..18);
/// assert!(decode_attribute(b"/?a", 10).is_none());
/// ```
pub fn decode_attribute(value: &[u8], source_offset: usize) -> Option<(Vec<u8>, SpanMap)> {
    may_need_decoding(value).then(|| {
        let decoded = decode_url_attribute(value, source_offset);
        (decoded.text, decoded.map)
    })
}
