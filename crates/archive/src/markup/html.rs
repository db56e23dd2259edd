//! Finds the regions of HTML source: attribute values that contain URLs, and code.

use super::region::{Region, RegionKind};
use crate::html::{SourcePart, source_parts};
use urlsift_core::Span;

/// Elements whose content is code.
const CODE: [&[u8]; 4] = [b"code", b"samp", b"kbd", b"xmp"];

/// The maximum length of an attribute value that is parsed as a URL, in bytes.
const MAX_URL_LEN: usize = 65_536;

/// Returns the code and the URL attributes of a text that is or contains HTML, not yet in order.
pub(super) fn html_regions(text: &[u8]) -> Vec<Region> {
    let mut regions = Vec::new();
    // The start of the outermost open code element, and the number of open ones.
    let (mut code_from, mut depth) = (0, 0_usize);
    let mut push = |span, kind| regions.push(Region { span, kind });
    source_parts(text, &mut |part| match part {
        SourcePart::Url(span) if span.len() <= MAX_URL_LEN => push(span, RegionKind::Attribute),
        SourcePart::Program(span) => push(span, RegionKind::CodeBlock),
        SourcePart::Tag { whole, name, closes }
            if is_code_element(text.get(name.range()).unwrap_or_default()) =>
        {
            match (closes, depth) {
                (false, 0) => code_from = whole.end,
                (true, 1) => push(Span::new(code_from, whole.start), RegionKind::CodeSpan),
                _ => {}
            }
            depth = if closes { depth.saturating_sub(1) } else { depth + 1 };
        }
        _ => {}
    });
    regions
}

/// True if `name` is an element that contains code, such as `code` or `samp`.
fn is_code_element(name: &[u8]) -> bool {
    CODE.iter().any(|code| name.eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, RegionKind)> {
        crate::markup::markup_regions(text.as_bytes(), crate::Dialect::Html)
            .into_iter()
            .map(|region| (&text[region.span.range()], region.kind))
            .collect()
    }

    #[test]
    fn quoted_and_unquoted_values_are_found() {
        use RegionKind::{Attribute, CodeBlock, CodeSpan};
        assert_eq!(
            found("<A HREF='a b' x=1 src = \" c \"><img src=d><!-- <a href=e> --><p/href=f>"),
            [("a b", Attribute), ("c", Attribute), ("d", Attribute), ("f", Attribute)]
        );
        assert_eq!(found("<code>x <code>y</code> z</code>")[0].1, CodeSpan);
        assert_eq!(found("<script>a<b</script><a href=c>"), [("a<b", CodeBlock), ("c", Attribute)]);
        // A tag that is never closed is text.
        assert_eq!(found("a < b <http://h/> <a href=\"unclosed"), []);
        assert_eq!(
            found("<a ping='b c'><img srcset='d 1x, e 2x'><i style='x: url( \"f\" ) url(g)'>"),
            ["b", "c", "d", "e", "f", "g"].map(|url| (url, Attribute))
        );
        assert_eq!(found("<a href="), []);
        assert_eq!(found("<a href=\""), []);
    }
}
