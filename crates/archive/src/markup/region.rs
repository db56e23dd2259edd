//! The types of regions.

use urlsift_core::Span;

/// The meaning of a [`Region`] of marked-up text: code, or a URL such as a link target.
///
/// ```
/// use urlsift_archive::RegionKind;
/// assert!(RegionKind::CodeSpan.is_code() && !RegionKind::CodeSpan.is_whole_url());
/// assert!(RegionKind::Destination.is_whole_url());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RegionKind {
    /// Code within a line.
    CodeSpan,
    /// A block of code.
    CodeBlock,
    /// A URL in angle brackets in Markdown, such as `<http://host/>`.
    Autolink,
    /// The target of a link or of an image.
    Destination,
    /// The value of an attribute that contains a URL.
    Attribute,
}

impl RegionKind {
    /// True if the region is code, where URLs are examples.
    pub const fn is_code(self) -> bool {
        matches!(self, Self::CodeSpan | Self::CodeBlock)
    }

    /// True if the region is a complete URL or relative reference.
    pub const fn is_whole_url(self) -> bool {
        matches!(self, Self::Destination | Self::Attribute)
    }
}

/// A span of a text to which the markup gives a meaning, such as code or a link target.
///
/// ```
/// use urlsift_archive::{Dialect, markup_regions};
/// let region = markup_regions(b"<http://host.dom/>", Dialect::Markdown)[0];
/// assert_eq!(region.span.range(), 1..17);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The span in the text, without delimiters.
    pub span: Span,
    /// The kind.
    pub kind: RegionKind,
}
