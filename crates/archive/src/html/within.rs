//! Tracks the open element whose content is not plain markup: `<title>`, `<textarea>`,
//! `<noscript>`.

use super::tag_content::{Content, find_end_tag};

/// The open element whose content is not plain markup, if there is one. Its content is text, or
/// markup that ends with the element.
///
/// These elements don't nest. Inside one of them, the start tag of another one is text, or a tag
/// like any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Within {
    /// The offset of the element's end tag. The state has no effect after it.
    end: usize,
    content: Content,
    /// A bit for each element that is known to have no end tag in the rest of the page.
    unclosed: u32,
}

impl Default for Within {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl Within {
    /// The state outside of such elements.
    pub(super) const NOTHING: Self = Self { end: 0, content: Content::Markup, unclosed: 0 };

    /// Enters the element whose start tag ends at offset `at`. An element that is never closed is
    /// not entered, so that the text after it is not lost. Only `<plaintext>` needs no end tag.
    /// Each byte is searched at most once for each kind of element.
    pub(super) fn enter_element(
        &mut self,
        html: &[u8],
        at: usize,
        element: &[u8],
        content: Content,
    ) {
        // The names differ in the third letter.
        let bit = 1 << (element.get(2).copied().unwrap_or_default() % 32);
        if at < self.end || self.unclosed & bit != 0 {
            return;
        }
        let rest = html.get(at..).unwrap_or_default();
        let len = match content {
            Content::PlainText => Some(rest.len()),
            _ => find_end_tag(rest, element),
        };
        match len {
            Some(len) => (self.end, self.content) = (at + len, content),
            None => self.unclosed |= bit,
        }
    }

    /// Returns the end of the text around offset `at`, if `at` is in an element whose content has
    /// no tags. Otherwise returns `None`.
    #[inline]
    pub(super) fn end_of_text_around(self, at: usize) -> Option<usize> {
        (at < self.end && self.content != Content::Fallback).then_some(self.end)
    }

    /// True if character references in the text are decoded.
    pub(super) fn decodes_references(self) -> bool {
        self.content == Content::EscapableText
    }

    /// Returns the end of the fallback content around offset `at`, such as that of `<noscript>`.
    /// Returns `None` if `at` is not in such content.
    #[inline]
    pub(super) fn end_of_fallback_around(self, at: usize) -> Option<usize> {
        (at <= self.end && self.content == Content::Fallback).then_some(self.end)
    }
}
