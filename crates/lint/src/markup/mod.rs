//! Finds the regions of a document's markup: code, and values that are complete URLs, such as link
//! targets and attribute values.

mod asciidoc;
mod html;
mod markdown;
mod region;
mod rst;
mod source;

pub(crate) use self::html::tags;
pub use self::region::{Region, RegionKind};

use self::region::Value;

use crate::dialect::{Dialect, Markup};
use urlsift_core::SpanMap;

/// Returns the regions of a text, in order and not overlapping. If two regions overlap, the first
/// is kept. Takes linear time except for sorting.
pub(crate) fn regions(text: &[u8], dialect: Dialect) -> Vec<Region> {
    let mut regions = match dialect {
        Dialect::Text(Markup::Markdown) => markdown::regions(text),
        Dialect::Text(Markup::Rst) => rst::regions(text),
        Dialect::Text(Markup::Html) => html::regions(text),
        Dialect::Text(Markup::Mdx) => markdown::mdx(text),
        Dialect::Text(Markup::AsciiDoc) => asciidoc::regions(text),
        Dialect::Source(language) => source::regions(text, language),
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

/// Returns the region that contains offset `at`, if there is one. Takes logarithmic time.
pub(crate) fn at(regions: &[Region], at: usize) -> Option<Region> {
    let next = regions.partition_point(|region| region.span.start <= at);
    let region = *regions.get(next.checked_sub(1)?)?;
    (at < region.span.end).then_some(region)
}

/// Returns the value of a region with its character references decoded.
pub(crate) fn value(text: &[u8], region: Region, dialect: Dialect) -> Value<'_> {
    let raw = text.get(region.span.range()).unwrap_or_default();
    match dialect {
        Dialect::Text(Markup::Html | Markup::Markdown | Markup::Mdx) => {
            html::decode(raw, region.span.start)
        }
        Dialect::Text(Markup::Rst) if raw.contains(&b'\n') => rst::joined(raw, region.span.start),
        _ => Value { text: raw.into(), map: SpanMap::cut_from(region.span.start) },
    }
}
