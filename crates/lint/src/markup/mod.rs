//! Finds the regions of a document's markup and of programs: code, and values that are complete
//! URLs. The archive crate reads the markup, so that a scan and a lint find the same values.

mod source;

pub use urlsift_archive::{Region, RegionKind};

use crate::dialect::Dialect;
use std::borrow::Cow;
use urlsift_archive::{self as archive, SourcePart, source_parts};
use urlsift_core::{Span, SpanMap};

/// The decoded value of a [`Region`], with a map from the value to the text.
#[derive(Clone, Debug)]
pub(crate) struct Value<'t> {
    pub(crate) text: Cow<'t, [u8]>,
    pub(crate) map: SpanMap,
}

/// Returns the regions of a text, in order and not overlapping. If two regions overlap, the first
/// is kept. Takes linear time except for sorting.
pub(crate) fn regions(text: &[u8], dialect: Dialect) -> Vec<Region> {
    match dialect {
        Dialect::Source(language) => source::regions(text, language),
        Dialect::Text(markup) => archive::regions(text, markup),
    }
}

/// Returns the region that contains offset `at`, if there is one. Takes logarithmic time.
pub(crate) fn at(regions: &[Region], at: usize) -> Option<Region> {
    let next = regions.partition_point(|region| region.span.start <= at);
    let region = *regions.get(next.checked_sub(1)?)?;
    (at < region.span.end).then_some(region)
}

/// Returns the value of a region with its escapes decoded.
pub(crate) fn value(text: &[u8], region: Region, dialect: Dialect) -> Value<'_> {
    let decoded = match dialect {
        Dialect::Text(markup) => archive::region_text(text, region, markup),
        Dialect::Source(_) => None,
    };
    match decoded {
        Some((text, map)) => Value { text: text.into(), map },
        None => Value {
            text: text.get(region.span.range()).unwrap_or_default().into(),
            map: SpanMap::cut_from(region.span.start),
        },
    }
}

/// Returns the tags and comments of a text that may contain HTML, in order.
pub(crate) fn tags(text: &[u8]) -> Vec<Span> {
    let mut tags = Vec::new();
    source_parts(text, &mut |part| {
        if let SourcePart::Tag { whole: span, .. } | SourcePart::Comment(span) = part {
            tags.push(span);
        }
    });
    tags
}
