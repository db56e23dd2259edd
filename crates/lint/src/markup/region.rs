//! Places of a text of which its markup says something.

use std::borrow::Cow;
use urlsift_core::{Span, SpanMap};

/// What stands at a place.
///
/// ```
/// use urlsift_lint::RegionKind;
/// assert!(RegionKind::CodeSpan.is_code() && !RegionKind::CodeSpan.is_whole());
/// assert!(RegionKind::Destination.is_whole());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RegionKind {
    /// Program text within a line.
    CodeSpan,
    /// A block of program text.
    CodeBlock,
    /// `<http://host/>` in Markdown: a URL delimited by the markup.
    Autolink,
    /// The target of a link or of an image.
    Destination,
    /// The value of an attribute that holds a URL.
    Attribute,
}

impl RegionKind {
    /// Whether it is program text, where URLs are examples.
    pub const fn is_code(self) -> bool {
        matches!(self, Self::CodeSpan | Self::CodeBlock)
    }

    /// Whether it holds one URL and nothing else.
    pub const fn is_whole(self) -> bool {
        matches!(self, Self::Destination | Self::Attribute)
    }
}

/// A place of which the markup says something.
///
/// ```
/// use urlsift_lint::{Context, Region, RegionKind};
/// // What rules ask of it.
/// fn is_link(cx: &Context<'_>) -> bool {
///     cx.region.is_some_and(|region: Region| region.kind == RegionKind::Destination)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Region {
    /// Its bytes, without delimiters.
    pub span: Span,
    /// What stands there.
    pub kind: RegionKind,
}

/// The value of a [`Region`] that is a whole URL: what the markup's escapes stand for, and where
/// each byte came from.
#[derive(Clone, Debug)]
pub(crate) struct Value<'t> {
    pub(crate) text: Cow<'t, [u8]>,
    pub(crate) map: SpanMap,
}
