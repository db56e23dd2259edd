//! The types of regions.

use std::borrow::Cow;
use urlsift_core::{Span, SpanMap};

/// The meaning of a [`Region`] of marked-up text: code, or a URL such as a link target.
///
/// ```
/// use urlsift_lint::RegionKind;
/// assert!(RegionKind::CodeSpan.is_code() && !RegionKind::CodeSpan.is_whole());
/// assert!(RegionKind::Destination.is_whole());
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
    pub const fn is_whole(self) -> bool {
        matches!(self, Self::Destination | Self::Attribute)
    }
}

/// A span of a text to which the markup gives a meaning, such as code or a link target.
///
/// ```
/// use urlsift_lint::{Context, Region, RegionKind};
/// // A typical use in rules.
/// fn is_link(cx: &Context<'_>) -> bool {
///     cx.region.is_some_and(|region: Region| region.kind == RegionKind::Destination)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Region {
    /// The span in the text, without delimiters.
    pub span: Span,
    /// The kind.
    pub kind: RegionKind,
}

/// The decoded value of a [`Region`], with a map from the value to the text.
#[derive(Clone, Debug)]
pub(crate) struct Value<'t> {
    pub(crate) text: Cow<'t, [u8]>,
    pub(crate) map: SpanMap,
}
