//! Resolves relative links.

use std::borrow::Cow;
use urlsift_core::{Secrets, Span, mask_spans, resolve};

/// Resolves the relative link `link` to an absolute URL. `bases` are base URLs, outermost first.
/// Each relative base is resolved against the one before it, and bases that are not URLs are
/// ignored.
///
/// Returns `None` if the result is not an absolute URL.
pub(crate) fn resolve_link(bases: &[&[u8]], link: &[u8]) -> Option<Vec<u8>> {
    let base = bases.iter().fold(Vec::new(), |outer, base| {
        let made = resolve(&outer, base.trim_ascii());
        made.unwrap_or(outer)
    });
    resolve(&base, link)
}

/// Returns a relative link with its secrets replaced by `***`. `secrets` are the kinds of secrets
/// to replace.
pub(crate) fn mask_link(link: &[u8], secrets: Secrets) -> Cow<'_, [u8]> {
    // The link is parsed as if it followed this scheme.
    const SCHEME: &[u8] = b"http:";
    let found = secrets.in_url(&[SCHEME, link].concat());
    let found = found.iter().map(|secret| {
        let place = |at: usize| at.saturating_sub(SCHEME.len());
        Span::new(place(secret.start), place(secret.end))
    });
    match mask_spans(link, &found.collect::<Vec<_>>()) {
        Cow::Owned(hidden) => Cow::Owned(hidden),
        Cow::Borrowed(_) => Cow::Borrowed(link),
    }
}

#[cfg(test)]
mod tests {
    use super::{mask_link, resolve_link};
    use urlsift_core::Secrets;

    #[test]
    fn bases_are_relative_to_those_around_them() {
        for (bases, expected) in [
            (&["http://h.dom/a/b"][..], Some("http://h.dom/a/x")),
            (&["http://h.dom/a/b", "c/"], Some("http://h.dom/a/c/x")),
            (&["http://h.dom/a/b", "http://i.dom", "/c/d"], Some("http://i.dom/c/x")),
            (&["c/", "http://h.dom/a/b"], Some("http://h.dom/a/x")),
            (&["http://h.dom/a/b", " "], Some("http://h.dom/a/x")),
            (&["http://h.dom/a/b", "cid:part"], None),
            (&["c/"], None),
            (&[], None),
        ] {
            let bases: Vec<_> = bases.iter().map(|base| base.as_bytes()).collect();
            let found = resolve_link(&bases, b"x").map(|url| String::from_utf8(url).unwrap());
            assert_eq!(found.as_deref(), expected, "{bases:?}");
        }
    }

    #[test]
    fn secrets_of_links_are_hidden() {
        for (link, expected) in [
            ("//joe:pw@h.dom/a", "//joe:***@h.dom/a"),
            ("a?to=ftp://u:p@h.dom/", "a?to=ftp://u:***@h.dom/"),
            ("../a/b@c", "../a/b@c"),
            ("a?token=abc", "a?token=***"),
        ] {
            assert_eq!(
                String::from_utf8_lossy(&mask_link(link.as_bytes(), Secrets::All)),
                expected
            );
        }
    }
}
