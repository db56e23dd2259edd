//! Forms to compare by that forget more than spelling.

use crate::{Anatomy, Scheme, Span, Url, normalize};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// What [`normalize()`] and [`NormalForm`] give of a URL changes only together with this number. Keep it beside keys that
/// are stored, and make them anew when it has changed.
pub const NORMAL_FORM_VERSION: u32 = 1;

/// What else to forget when URLs are compared, beside what [`normalize()`] forgets. By default nothing.
///
/// Each choice takes URLs for one that may mean different things; what is forgotten is said at each.
///
/// ```
/// use urlsift_core::{NormalForm, Profile, parse_reference};
///
/// let mut key = NormalForm::default();
/// key.without_fragment = true;
/// key.dot_segments = true;
/// key.trailing_dot = true;
/// let url = parse_reference(b"HTTP://Host.dom.:80/a/../b#c", Profile::Web)?;
/// assert_eq!(&*key.of(&url), b"http://host.dom/b");
/// # Ok::<(), urlsift_core::Violation>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct NormalForm {
    /// Whether the fragment is dropped: servers never see it.
    pub without_fragment: bool,
    /// Whether user name and password are dropped.
    pub without_userinfo: bool,
    /// Whether `.` and `..` are resolved in paths of http and https (RFC 3986 §5.2.4), as browsers do.
    pub dot_segments: bool,
    /// Whether a dot at the end of a host's name is dropped, as nearly all servers ignore it.
    pub trailing_dot: bool,
    /// Whether the domains of addresses in `mailto` URLs are written in lower case.
    pub mailto_domain: bool,
}

impl NormalForm {
    /// The form to compare by. Linear; allocates only when it differs from the URL as written.
    pub fn of<'u>(self, url: &Url<'u>) -> Cow<'u, [u8]> {
        let form = normalize(url);
        match self.changed(&form, url.kind()) {
            Some(changed) => Cow::Owned(changed),
            None => form,
        }
    }

    /// A normal form without what is forgotten; `None` if nothing is.
    fn changed(self, form: &[u8], scheme: Scheme) -> Option<Vec<u8>> {
        let Anatomy { authority, userinfo, host, path, fragment, .. } = Anatomy::of(form);
        let mut out = Vec::with_capacity(form.len());
        let mut copied = 0;
        // Leaves out a span, and puts something else there.
        let mut replace = |span: Span, by: &[u8]| {
            out.extend_from_slice(&form[copied..span.start]);
            out.extend_from_slice(by);
            copied = span.end;
        };
        let mut is_changed = false;
        if let Some(userinfo) = userinfo.filter(|_| self.without_userinfo && authority.is_some()) {
            replace(Span::new(userinfo.start, userinfo.end + 1), b"");
            is_changed = true;
        }
        if let Some(host) = host.filter(|_| self.trailing_dot && authority.is_some())
            && let [.., last, b'.'] = form[host.range()]
            && last != b'.'
        {
            replace(Span::new(host.end - 1, host.end), b"");
            is_changed = true;
        }
        let written = &form[path.range()];
        let has_dots = |path: &[u8]| path.split(|&b| b == b'/').any(|s| s == b"." || s == b"..");
        if self.dot_segments && matches!(scheme, Scheme::Http | Scheme::Https) && has_dots(written)
        {
            replace(path, &without_dot_segments(written));
            is_changed = true;
        }
        if self.mailto_domain && scheme == Scheme::Mailto {
            let lower = with_lower_domains(written);
            is_changed |= lower != written;
            replace(path, &lower);
        }
        if let Some(fragment) = fragment.filter(|_| self.without_fragment) {
            replace(Span::new(fragment.start - 1, fragment.end), b"");
            is_changed = true;
        }
        out.extend_from_slice(&form[copied..]);
        is_changed.then_some(out)
    }
}

/// RFC 3986 §5.2.4, of a path that starts with a slash.
fn without_dot_segments(path: &[u8]) -> Vec<u8> {
    let segments: Vec<&[u8]> = path.split(|&b| b == b'/').skip(1).collect();
    let mut kept: Vec<&[u8]> = Vec::with_capacity(segments.len());
    for (at, &segment) in segments.iter().enumerate() {
        match segment {
            b"." | b".." => {
                if segment == b".." {
                    kept.pop();
                }
                if at + 1 == segments.len() {
                    kept.push(b"");
                }
            }
            _ => kept.push(segment),
        }
    }
    kept.iter().flat_map(|segment| [b"/", *segment]).flatten().copied().collect()
}

/// Addresses, each with what stands behind its last `@` in lower case.
fn with_lower_domains(addresses: &[u8]) -> Vec<u8> {
    let mut out = addresses.to_vec();
    for address in out.split_mut(|&b| b == b',') {
        if let Some(at) = address.iter().rposition(|&b| b == b'@') {
            address[at..].make_ascii_lowercase();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Profile, parse_reference};
    use alloc::string::String;
    use proptest::prelude::*;

    const ALL: NormalForm = NormalForm {
        without_fragment: true,
        without_userinfo: true,
        dot_segments: true,
        trailing_dot: true,
        mailto_domain: true,
    };

    fn form(how: NormalForm, url: &str) -> String {
        let url = parse_reference(url.as_bytes(), Profile::Web).unwrap();
        String::from_utf8(how.of(&url).into_owned()).unwrap()
    }

    #[test]
    fn what_is_forgotten() {
        for (url, expected) in [
            ("http://joe:pw@h.dom./a/./b/../c?d#e", "http://h.dom/a/c?d"),
            ("http://h.dom/..", "http://h.dom/"),
            ("http://h.dom/a/..//b/.", "http://h.dom//b/"),
            ("http://h.dom/a?b/../c", "http://h.dom/a?b/../c"),
            ("ftp://h.dom/a/../b", "ftp://h.dom/a/../b"),
            (
                "mailto:Joe@Host.DOM,Ann@H.dom?cc=X@Y.dom",
                "mailto:Joe@host.dom,Ann@h.dom?cc=X@Y.dom",
            ),
        ] {
            assert_eq!(form(ALL, url), expected);
        }
        assert_eq!(form(NormalForm::default(), "http://h.dom./a/../b#c"), "http://h.dom./a/../b#c");
    }

    proptest! {
        #[test]
        fn a_form_is_its_own_form(
            url in "http://([a-z]{1,2}(:x)?@)?[a-z]{1,3}\\.(dom|dom\\.)(:80)?(/(\\.|\\.\\.|[a-c%2E]{0,4})){0,5}(\\?[a-c./]{0,4})?(#[a-c]?)?",
        ) {
            if let Ok(parsed) = parse_reference(url.as_bytes(), Profile::Web) {
                let once = ALL.of(&parsed);
                let again = parse_reference(&once, Profile::Web).unwrap();
                let twice = ALL.of(&again);
                prop_assert!(matches!(twice, Cow::Borrowed(_)), "{:?}", String::from_utf8_lossy(&twice));
            }
        }
    }
}
