//! The element around a place of a page whose content is no plain markup.

use super::tag_content::{Content, end_tag};

/// The element around a place whose content is text, or markup that ends with it.
///
/// These do not nest: what looks like another one inside is text, or a tag like any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Within {
    /// The offset of its end tag. Behind it nothing of this counts.
    end: usize,
    content: Content,
    /// The elements that are not closed any more, a bit each.
    unclosed: u32,
}

impl Default for Within {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl Within {
    /// No such element.
    pub(super) const NOTHING: Self = Self { end: 0, content: Content::Markup, unclosed: 0 };

    /// Enters the element whose start tag ends at `at`. One that is never closed is not entered, so that what follows it is not
    /// lost; only `<plaintext>` needs no end tag. Searches each byte once for each element.
    pub(super) fn enter(&mut self, html: &[u8], at: usize, element: &[u8], content: Content) {
        // The names differ in the third letter.
        let bit = 1 << (element.get(2).copied().unwrap_or_default() % 32);
        if at < self.end || self.unclosed & bit != 0 {
            return;
        }
        let rest = html.get(at..).unwrap_or_default();
        let len = match content {
            Content::PlainText => Some(rest.len()),
            _ => end_tag(rest, element),
        };
        match len {
            Some(len) => (self.end, self.content) = (at + len, content),
            None => self.unclosed |= bit,
        }
    }

    /// Returns where the text ends that `at` is in, if it is in an element whose content has no tags.
    #[inline]
    pub(super) fn text_end(self, at: usize) -> Option<usize> {
        (at < self.end && self.content != Content::Fallback).then_some(self.end)
    }

    /// True if character references count in the text.
    pub(super) fn has_references(self) -> bool {
        self.content == Content::EscapableText
    }

    /// Returns where the fallback content ends that `at` is in.
    #[inline]
    pub(super) fn bound(self, at: usize) -> Option<usize> {
        (at <= self.end && self.content == Content::Fallback).then_some(self.end)
    }
}
