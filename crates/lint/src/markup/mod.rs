//! What a document's markup says of the places in it: where code stands, which is not prose, and
//! where a URL stands whole, as the target of a link or the value of an attribute.

mod html;
mod markdown;
mod rst;

use urlsift_core::{Span, SpanMap};
use urlsift_scanner::Dialect;

/// What stands at a place.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its bytes, without delimiters.
    pub span: Span,
    /// What stands there.
    pub kind: RegionKind,
}

/// The value of a [`Region`] that is a whole URL: what the markup's escapes stand for, and where
/// each byte came from.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) text: Vec<u8>,
    pub(crate) map: SpanMap,
}

/// The regions of a text, in order; of two that overlap, the first is kept. Linear.
pub(crate) fn regions(text: &[u8], dialect: Dialect) -> Vec<Region> {
    let mut regions = match dialect {
        Dialect::Markdown => markdown::regions(text),
        Dialect::Rst => rst::regions(text),
        Dialect::Html => html::regions(text),
        _ => return Vec::new(),
    };
    regions.sort_by_key(|region| (region.span.start, core::cmp::Reverse(region.span.end)));
    let mut end = 0;
    regions.retain(|region| {
        let keep = region.span.start >= end && !region.span.is_empty();
        if keep {
            end = region.span.end;
        }
        keep
    });
    regions
}

/// The region that holds byte `at`. Logarithmic.
pub(crate) fn at(regions: &[Region], at: usize) -> Option<Region> {
    let next = regions.partition_point(|region| region.span.start <= at);
    let region = *regions.get(next.checked_sub(1)?)?;
    (at < region.span.end).then_some(region)
}

/// What a whole value says, its character references decoded.
pub(crate) fn value(text: &[u8], region: Region, dialect: Dialect) -> Value {
    let raw = text.get(region.span.range()).unwrap_or_default();
    match dialect {
        Dialect::Html | Dialect::Markdown => html::decode(raw, region.span.start),
        _ => Value { text: raw.to_vec(), map: SpanMap::cut_from(region.span.start) },
    }
}
