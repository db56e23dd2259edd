//! Finds the regions of a document's markup and of programs: code, and values that are complete
//! URLs. The archive crate reads the markup, so that a scan and a lint find the same values.

mod source;

pub use urlsift_archive::{Region, RegionKind};

use crate::dialect::Dialect;
use crate::language::Language;
use std::borrow::Cow;
use urlsift_archive::{self as archive, Outline, SourcePart, source_parts};
use urlsift_core::{Span, SpanMap};

/// The text of a [`Region`] with its escapes decoded, and a map from offsets in it to offsets in
/// the source.
#[derive(Clone, Debug)]
pub(crate) struct Value<'t> {
    pub(crate) text: Cow<'t, [u8]>,
    pub(crate) map: SpanMap,
}

/// Returns the regions of markup in a text, such as links and code, in order. Regions don't
/// overlap: if two would, only the first is returned. Takes linear time except for sorting.
pub(crate) fn regions(text: &[u8], dialect: Dialect) -> Vec<Region> {
    match dialect {
        Dialect::Source(language) => source::code_regions(text, language),
        Dialect::Text(markup) => archive::markup_regions(text, markup),
    }
}

/// Returns the regions of a text, as [`regions`] does, and its link references and definitions.
/// Source code has no references and definitions.
pub(crate) fn outline(text: &[u8], dialect: Dialect) -> Outline {
    match dialect {
        Dialect::Source(_) => regions(text, dialect).into(),
        Dialect::Text(markup) => archive::outline(text, markup),
    }
}

/// Returns the documentation comments of a program, in order.
pub(crate) fn doc_comments(text: &[u8], language: Language) -> Vec<Span> {
    source::doc_comments(text, language)
}

/// Returns the region that contains offset `at`, or `None` if there is none. `regions` must be in
/// order. Takes logarithmic time.
pub(crate) fn region_at(regions: &[Region], at: usize) -> Option<Region> {
    let next = regions.partition_point(|region| region.span.start <= at);
    let region = *regions.get(next.checked_sub(1)?)?;
    (at < region.span.end).then_some(region)
}

/// Returns the text of a region with its escapes decoded.
pub(crate) fn decoded_value(text: &[u8], region: Region, dialect: Dialect) -> Value<'_> {
    let decoded = match dialect {
        Dialect::Text(markup) => archive::decode_region_text(text, region, markup),
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

/// Returns the spans of the HTML tags and comments in a text, in order.
pub(crate) fn html_tags(text: &[u8]) -> Vec<Span> {
    let mut tags = Vec::new();
    source_parts(text, &mut |part| {
        if let SourcePart::Tag { whole: span, .. } | SourcePart::Comment(span) = part {
            tags.push(span);
        }
    });
    tags
}
