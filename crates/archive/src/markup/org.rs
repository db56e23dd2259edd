//! Finds the regions of Org: the destinations of `[[url][text]]` and `[[url]]`.

use super::region::{Region, RegionKind};
use memchr::memmem;
use urlsift_core::Span;

/// The maximum length of a destination.
const MAX_LEN: usize = 4096;

/// Returns the link destinations of an Org text, in order.
pub(super) fn org_regions(text: &[u8]) -> Vec<Region> {
    let mut regions = Vec::new();
    for open in memmem::find_iter(text, b"[[") {
        let from = open + 2;
        let rest = text.get(from..).unwrap_or_default();
        let rest = rest.get(..MAX_LEN).unwrap_or(rest);
        let Some(len) = rest.iter().position(|b| matches!(b, b'[' | b']' | b'\n')) else {
            continue;
        };
        let is_closed = matches!(rest.get(len..len + 2), Some(b"][" | b"]]"));
        let value = rest.get(..len).unwrap_or_default();
        if is_closed && value.contains(&b':') {
            regions
                .push(Region { span: Span::new(from, from + len), kind: RegionKind::Destination });
        }
    }
    regions
}

#[cfg(test)]
mod tests {
    #[test]
    fn destinations_end_at_their_bracket() {
        let text = "[[http://h/a.][b c]], [[http://h/d]] [[id:x][y] [[e]] [[f:g\nh]] x[[0]]";
        let found: Vec<_> = crate::markup_regions(text.as_bytes(), crate::Dialect::Org)
            .into_iter()
            .map(|region| &text[region.span.range()])
            .collect();
        assert_eq!(found, ["http://h/a.", "http://h/d", "id:x"]);
    }
}
