//! Regions of a text's markup: code, and values that are complete URLs, such as link destinations
//! and attributes. Scans and lints read markup here.

mod anchors;
mod asciidoc;
pub(crate) mod detection;
mod html;
mod markdown;
mod org;
mod references;
mod region;
mod rst;
mod texinfo;
mod wiki;

pub use self::anchors::{Anchor, anchors};
pub use self::references::{Definition, Outline, Reference, ReferenceForm, normalized_label};
pub use self::region::{Region, RegionKind};

use self::references::Collector;
use crate::decode::derived::Decoded;
use crate::decode::layer::Layer;
use crate::dialect::Dialect;
use crate::html::{decode_url_attribute, may_need_decoding};
use memchr::memchr;
use urlsift_core::SpanMap;

/// Returns the [`Region`]s of a text, such as code and link targets. They are in order and don't
/// overlap: of two that would overlap, the first is kept. A dialect without markup has no regions.
/// Takes linear time apart from sorting.
///
/// ```
/// use urlsift_archive::{Dialect, RegionKind, markup_regions};
/// let text = b"[a](http://host.dom/b.) and `c`";
/// let regions = markup_regions(text, Dialect::Markdown);
/// assert_eq!(&text[regions[0].span.range()], b"http://host.dom/b.");
/// assert_eq!((regions[0].kind, regions[1].kind), (RegionKind::Destination, RegionKind::CodeSpan));
/// ```
pub fn markup_regions(text: &[u8], dialect: Dialect) -> Vec<Region> {
    let mut regions = match dialect {
        Dialect::Markdown | Dialect::Mdx => markdown::markdown_regions(text),
        Dialect::Rst => rst::rst_regions(text),
        Dialect::AsciiDoc => asciidoc::asciidoc_regions(text),
        Dialect::Org => org::org_regions(text),
        Dialect::MediaWiki => wiki::mediawiki_regions(text),
        Dialect::Texinfo => texinfo::texinfo_regions(text),
        Dialect::Html => html::html_regions(text),
        _ => return Vec::new(),
    };
    if dialect == Dialect::Mdx {
        markdown::push_mdx_code(text, &mut regions);
    }
    sort_regions(&mut regions);
    regions
}

/// Returns the regions of a text, and its link references and definitions. Only Markdown and MDX
/// have references and definitions.
pub fn outline(text: &[u8], dialect: Dialect) -> Outline {
    if !matches!(dialect, Dialect::Markdown | Dialect::Mdx) {
        return markup_regions(text, dialect).into();
    }
    let mut collector = Collector::default();
    let mut regions = markdown::regions_and_references(text, &mut collector);
    if dialect == Dialect::Mdx {
        markdown::push_mdx_code(text, &mut regions);
    }
    sort_regions(&mut regions);
    let Collector { undefined, definitions, .. } = collector;
    Outline { regions, undefined, definitions }
}

/// Sorts regions, and removes those that overlap an earlier one.
fn sort_regions(regions: &mut Vec<Region>) {
    regions.sort_by_key(|region| (region.span.start, core::cmp::Reverse(region.span.end)));
    let mut end = 0;
    regions.retain(|region| {
        let keep = region.span.start >= end && !region.span.is_empty();
        if keep {
            end = region.span.end;
        }
        keep
    });
}

/// Returns the decoded value of a region, such as a link target without its escapes, and a map from
/// the value to the text. Returns `None` if the text contains the value literally.
pub fn decode_region_text(
    text: &[u8],
    region: Region,
    dialect: Dialect,
) -> Option<(Vec<u8>, SpanMap)> {
    decode_region(text, region, dialect).map(|(decoded, _)| (decoded.text, decoded.map))
}

/// Returns the decoded value of a region, and the layer that was decoded. Returns `None` if the
/// text contains the value literally.
pub(crate) fn decode_region(
    text: &[u8],
    region: Region,
    dialect: Dialect,
) -> Option<(Decoded, Layer)> {
    let (raw, base) = (text.get(region.span.range())?, region.span.start);
    let (decoded, layer) = match (region.kind, dialect) {
        (RegionKind::Attribute, _) => {
            (may_need_decoding(raw).then(|| decode_url_attribute(raw, base)), Layer::Html)
        }
        (RegionKind::Destination, Dialect::Markdown | Dialect::Mdx) => {
            (markdown::decode_markdown_destination(raw, base), Layer::Markdown)
        }
        (RegionKind::Destination, Dialect::AsciiDoc) => {
            (asciidoc::decode_asciidoc_target(raw, base), Layer::AsciiDoc)
        }
        (RegionKind::Destination, Dialect::Texinfo) => {
            (texinfo::decode_texinfo_target(raw, base), Layer::Texinfo)
        }
        (RegionKind::Destination, Dialect::Rst) => (rst::decode_rst_target(raw, base), Layer::Rst),
        _ => return None,
    };
    Some((decoded?, layer))
}

/// Returns the regions that must be scanned apart from the running text, because a URL in them may
/// be written differently. These are link destinations, attributes, and autolinks with a backslash,
/// because autolinks have no escapes.
pub(crate) fn url_value_regions(text: &[u8], dialect: Dialect) -> Vec<Region> {
    if !may_have_url_values(text, dialect) {
        return Vec::new();
    }
    let mut regions = markup_regions(text, dialect);
    regions.retain(|region| {
        let raw = text.get(region.span.range()).unwrap_or_default();
        let is_value = region.kind.is_whole_url()
            || region.kind == RegionKind::Autolink && memchr(b'\\', raw).is_some();
        is_value && (memchr(b':', raw).is_some() || memchr(b'&', raw).is_some())
    });
    regions
}

/// True if the text may contain link destinations or attributes. This fast filter saves most of the
/// time, because parsing takes longer than a scan and many texts have no links.
fn may_have_url_values(text: &[u8], dialect: Dialect) -> bool {
    let contains = |mark: &[u8]| memchr::memmem::find(text, mark).is_some();
    match dialect {
        Dialect::Markdown | Dialect::Mdx => {
            contains(b"](") || contains(b"]:") || memchr(b'<', text).is_some()
        }
        _ => memchr(b':', text).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::Span;

    #[test]
    fn character_references_are_decoded_and_mapped() {
        let text = b"<a href='a?b&amp;c&#x41;&d'>";
        let region = markup_regions(text, Dialect::Html)[0];
        let (value, map) = decode_region_text(text, region, Dialect::Html).unwrap();
        assert_eq!(value, b"a?b&cA&d");
        assert_eq!(map.to_source(Span::new(3, 4)), Span::new(12, 17));
        assert_eq!(map.to_source(Span::new(4, 5)), Span::new(17, 18));
        assert!(map.is_verbatim(Span::new(6, 8)));
    }
}
