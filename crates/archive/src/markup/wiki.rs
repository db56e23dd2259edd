//! Finds the regions of `MediaWiki`: the destinations of `[url text]` and `[url]`.

use super::region::{Region, RegionKind};
use memchr::{memchr_iter, memmem};
use urlsift_core::Span;

/// The maximum length of a destination.
const MAX_LEN: usize = 4096;

/// Returns the link destinations of a `MediaWiki` text, in order.
pub(super) fn mediawiki_regions(text: &[u8]) -> Vec<Region> {
    let mut regions = Vec::new();
    for open in memchr_iter(b'[', text) {
        let from = open + 1;
        let rest = text.get(from..).unwrap_or_default();
        let rest = rest.get(..MAX_LEN).unwrap_or(rest);
        let is_end = |b: &u8| b.is_ascii_whitespace() || b"[]<>\"".contains(b);
        let Some(len) = rest.iter().position(is_end) else { continue };
        let value = rest.get(..len).unwrap_or_default();
        let closes = rest.get(len).is_some_and(|b| matches!(b, b' ' | b']'));
        let is_scheme_byte = |b: &u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
        let is_url = memmem::find(value, b"://")
            .is_some_and(|at| at > 0 && value[..at].iter().all(is_scheme_byte))
            || value.starts_with(b"mailto:");
        if closes && is_url && value.first().is_some_and(u8::is_ascii_alphabetic) {
            regions
                .push(Region { span: Span::new(from, from + len), kind: RegionKind::Destination });
        }
    }
    regions
}

#[cfg(test)]
mod tests {
    #[test]
    fn destinations_end_at_a_space() {
        let text = "[http://h/Inc. Inc.] [http://h/a] [[b:c]] [mailto:d@h e] [x ://y] [http://h/f\ng] [[i:j|k=http://h/l]]";
        let found: Vec<_> = crate::markup_regions(text.as_bytes(), crate::Dialect::MediaWiki)
            .into_iter()
            .map(|region| &text[region.span.range()])
            .collect();
        assert_eq!(found, ["http://h/Inc.", "http://h/a", "mailto:d@h"]);
    }
}
