//! Resolves relative references.

use crate::Span;
use crate::bytes::{self, SCHEME};
use crate::rewrite::Rewrite;
use alloc::vec::Vec;

/// Returns the absolute URL of `reference`, a link in the document with the URL `base` (RFC 3986
/// §5.2). A reference with a scheme is already absolute; only its dot segments are removed.
///
/// Returns `None` if `base` has no scheme. Also returns `None` if `base` has no hierarchical path
/// (`mailto:`, `cid:`) and the reference is more than a fragment.
///
/// Doesn't validate the URL; use [`parse_reference`](crate::parse_reference) on the result. Takes
/// linear time.
///
/// ```
/// use urlsift_core::resolve;
/// let url = resolve(b"http://host.dom/a/b.html?c#d", b"../e.html#f");
/// assert_eq!(url.as_deref(), Some(&b"http://host.dom/e.html#f"[..]));
/// assert_eq!(resolve(b"mailto:joe@host.dom", b"e.html"), None);
/// ```
pub fn resolve(base: &[u8], reference: &[u8]) -> Option<Vec<u8>> {
    let mut out = Rewrite::expecting(b"");
    write_resolved(base, reference, &mut out)?;
    Some(out.finish().into_owned())
}

/// Appends to `out` the absolute URL of `reference`, a link in the document with the URL `base`.
/// Returns `None` if it can't be resolved.
fn write_resolved(base: &[u8], reference: &[u8], out: &mut Rewrite<'_>) -> Option<()> {
    let to = Reference::split(reference);
    if let Some(scheme) = to.scheme {
        out.extend(&reference[..=scheme.end]);
        to.write_authority(reference, out);
        write_without_dot_segments(&reference[to.path.range()], out);
        out.extend(&reference[to.path.end..]);
        return Some(());
    }
    let from = Reference::split(base);
    let (scheme, path) = (from.scheme?, &base[from.path.range()]);
    if from.authority.is_none() && !path.starts_with(b"/") && !to.is_same_document() {
        return None;
    }
    out.extend(&base[..=scheme.end]);
    let reference_path = &reference[to.path.range()];
    if to.authority.is_some() {
        to.write_authority(reference, out);
        write_without_dot_segments(reference_path, out);
        out.extend(&reference[to.path.end..]);
        return Some(());
    }
    from.write_authority(base, out);
    if reference_path.is_empty() {
        out.extend(path);
        if to.query_end == to.path.end {
            out.extend(&base[from.path.end..from.query_end]);
        }
    } else if reference_path.starts_with(b"/") {
        write_without_dot_segments(reference_path, out);
    } else {
        let kept = path.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
        let root: &[u8] = if kept == 0 { b"/" } else { b"" };
        write_without_dot_segments(&[root, &path[..kept], reference_path].concat(), out);
    }
    out.extend(&reference[to.path.end..]);
    Some(())
}

/// The parts of a URL or relative reference, split as in RFC 3986 Appendix B.
struct Reference {
    scheme: Option<Span>,
    /// The text after `//`.
    authority: Option<Span>,
    path: Span,
    /// The end of the query, or of the path if there is no query.
    query_end: usize,
}

impl Reference {
    fn split(text: &[u8]) -> Self {
        let find = |from: usize, set: &[u8]| {
            text[from..].iter().position(|b| set.contains(b)).map_or(text.len(), |at| from + at)
        };
        let query_end = find(0, b"#");
        let end = find(0, b"?#");
        let name = bytes::skip_set(text, 0, SCHEME);
        let is_scheme =
            text.first().is_some_and(u8::is_ascii_alphabetic) && text.get(name) == Some(&b':');
        let scheme = is_scheme.then(|| Span::new(0, name));
        let mut start = if is_scheme { name + 1 } else { 0 };
        let mut authority = None;
        if text[start..end].starts_with(b"//") {
            authority = Some(Span::new(start + 2, find(start + 2, b"/?#")));
            start = find(start + 2, b"/?#");
        }
        Self { scheme, authority, path: Span::new(start, end), query_end }
    }

    /// True if the reference is empty or only a fragment, i.e. refers to its own document.
    fn is_same_document(&self) -> bool {
        self.authority.is_none() && self.query_end == 0
    }

    /// Appends `//` and the authority, a span of `text`, to `out`. Appends nothing if there is no
    /// authority.
    fn write_authority(&self, text: &[u8], out: &mut Rewrite<'_>) {
        if let Some(authority) = self.authority {
            out.extend(b"//");
            out.extend(&text[authority.range()]);
        }
    }
}

/// Appends `path` to `out` without its dot segments (RFC 3986 §5.2.4): `/a/../b` becomes `/b`. A
/// path that doesn't start with a slash, as in `mailto:`, is unchanged.
pub(crate) fn write_without_dot_segments(path: &[u8], out: &mut Rewrite<'_>) {
    if !path.starts_with(b"/") {
        return out.extend(path);
    }
    let start = out.written().len();
    let mut segments = path.split(|&b| b == b'/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_dots = matches!(segment, b"." | b"..");
        if segment == b".." {
            let kept = out.written()[start..].iter().rposition(|&b| b == b'/').unwrap_or(0);
            out.truncate(start + kept);
        }
        if !is_dots || segments.peek().is_none() {
            out.push(b'/');
        }
        if !is_dots {
            out.extend(segment);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use proptest::prelude::*;

    fn resolved(base: &str, reference: &str) -> Option<String> {
        Some(String::from_utf8(resolve(base.as_bytes(), reference.as_bytes())?).unwrap())
    }

    /// Resolves the examples of RFC 3986 §5.4.1 and §5.4.2.
    #[test]
    fn examples_of_rfc_3986() {
        for (reference, expected) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"),
            ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"),
            ("http:g", "http:g"),
        ] {
            let found = resolved("http://a/b/c/d;p?q", reference);
            assert_eq!(found.as_deref(), Some(expected), "{reference}");
        }
    }

    #[test]
    fn resolves_against_unusual_bases() {
        for (base, reference, expected) in [
            ("http://a", "g", Some("http://a/g")),
            ("http://a?q/r", "g", Some("http://a/g")),
            ("http://a?q#f", "", Some("http://a?q")),
            ("http://a/b#f", "?y", Some("http://a/b?y")),
            ("http://a/b/", "..//g", Some("http://a//g")),
            ("http://a//b", "../g", Some("http://a/g")),
            ("http://a/b", "//g?x/../y", Some("http://g?x/../y")),
            ("http://a/b/../c", "", Some("http://a/b/../c")),
            ("HTTP://A/b", "HTTPS://C/../d", Some("HTTPS://C/d")),
            ("file:/a/b", "c", Some("file:/a/c")),
            ("file:///a/b", "/c", Some("file:///c")),
            ("thismessage:/", "image.png", Some("thismessage:/image.png")),
            ("mailto:a@b.dom", "c", None),
            ("mailto:a@b.dom", "#c", Some("mailto:a@b.dom#c")),
            ("mailto:a@b.dom", "//c", None),
            ("mailto:a@b.dom", "news:c/../d", Some("news:c/../d")),
            ("/a/b", "c", None),
            ("", "c", None),
            ("1a:/b", "c", None),
            ("http://a/b", "1a:c", Some("http://a/1a:c")),
            ("http://a/b", "x y", Some("http://a/x y")),
        ] {
            assert_eq!(resolved(base, reference).as_deref(), expected, "{base} {reference}");
        }
    }

    /// Returns `path` without its dot segments. Follows RFC 3986 §5.2.4 literally, with the input
    /// and output buffers described there.
    fn by_the_letter(path: &str) -> String {
        let (mut input, mut output) = (String::from(path), String::new());
        let up = |output: &mut String| output.truncate(output.rfind('/').unwrap_or(0));
        while !input.is_empty() {
            if input.starts_with("../") {
                input.drain(..3);
            } else if input.starts_with("./") || input.starts_with("/./") {
                input.drain(..2);
            } else if input == "/." {
                input.truncate(1);
            } else if input.starts_with("/../") {
                input.drain(..3);
                up(&mut output);
            } else if input == "/.." {
                input.truncate(1);
                up(&mut output);
            } else if input == "." || input == ".." {
                input.clear();
            } else {
                let next = input[1..].find('/').map_or(input.len(), |at| at + 1);
                output.extend(input.drain(..next));
            }
        }
        output
    }

    proptest! {
        #[test]
        fn dot_segments_go_as_the_rfc_says(path in "(/(\\.|\\.\\.|[a.]{0,3})){1,8}") {
            let mut out = Rewrite::expecting(b"");
            write_without_dot_segments(path.as_bytes(), &mut out);
            prop_assert_eq!(str::from_utf8(out.written()).unwrap(), by_the_letter(&path));
        }

        #[test]
        fn nothing_panics_and_what_is_whole_is_its_own(base in "[a:/?#.]{0,12}", reference in "[a:/?#.]{0,12}") {
            if let Some(url) = resolve(base.as_bytes(), reference.as_bytes()) {
                prop_assert_eq!(resolve(b"http://other", &url), Some(url));
            }
        }
    }
}
