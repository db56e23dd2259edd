//! Comparison keys for URLs that ignore more differences than [`normalize()`] does.

use crate::resolve::write_without_dot_segments;
use crate::rewrite::Rewrite;
use crate::{Anatomy, Scheme, Span, Url, escape, normalize};
use alloc::borrow::Cow;

/// The version of the output of [`normalize()`] and [`NormalForm`]. Store it together with keys,
/// and recompute the keys when it has changed.
pub const NORMAL_FORM_VERSION: u32 = 1;

/// Options for comparison keys. Each one ignores a difference between URLs that [`normalize()`]
/// doesn't ignore. By default, all of them are off.
///
/// Each option may give URLs with different meanings the same key.
///
/// ```
/// use urlsift_core::{NormalForm, Profile, parse_reference};
///
/// let mut key = NormalForm::default();
/// key.without_fragment = true;
/// key.dot_segments = true;
/// key.trailing_dot = true;
/// let url = parse_reference(b"HTTP://Host.dom.:80/a/../b#c", Profile::Web)?;
/// assert_eq!(&*key.comparison_key(&url), b"http://host.dom/b");
/// # Ok::<(), urlsift_core::Violation>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate option")]
pub struct NormalForm {
    /// True if the fragment is removed. Servers never receive it.
    pub without_fragment: bool,
    /// True if the user name and password are removed.
    pub without_userinfo: bool,
    /// True if `.` and `..` are resolved in paths of http and https (RFC 3986 §5.2.4), as browsers
    /// do.
    pub dot_segments: bool,
    /// True if a dot at the end of a host name is removed. Nearly all servers ignore it.
    pub trailing_dot: bool,
    /// True if the domains of addresses in `mailto` URLs are converted to lower case.
    pub mailto_domain: bool,
    /// True if non-ASCII hosts are converted to A-labels (`xn--...`), as browsers do for a DNS
    /// lookup: by UTS 46 without transitional mappings. With
    /// [`mailto_domain`](Self::mailto_domain), this includes the domains of addresses.
    ///
    /// Names that don't convert to a valid host name, or contain escaped ASCII characters, are
    /// unchanged. The mapping depends on the Unicode version of the crate `idna`.
    #[cfg(feature = "idna")]
    pub a_labels: bool,
}

impl NormalForm {
    /// Returns the comparison key of `url`. Two URLs have the same key if they differ only in what
    /// the options ignore. Takes linear time. Allocates only if the key is not a prefix of the URL
    /// as written.
    pub fn comparison_key<'u>(self, url: &Url<'u>) -> Cow<'u, [u8]> {
        self.comparison_key_of_normalized(normalize(url), url.kind())
    }

    /// Returns the comparison key of a URL, given its [normal form](normalize()) `form`.
    pub(crate) fn comparison_key_of_normalized(
        self,
        form: Cow<'_, [u8]>,
        scheme: Scheme,
    ) -> Cow<'_, [u8]> {
        match form {
            form if self == Self::default() => form,
            Cow::Borrowed(form) => self.apply_to_normalized(form, scheme),
            Cow::Owned(mut form) => match self.apply_to_normalized(&form, scheme) {
                Cow::Owned(other) => Cow::Owned(other),
                Cow::Borrowed(start) => {
                    let length = start.len();
                    form.truncate(length);
                    Cow::Owned(form)
                }
            },
        }
    }

    /// Applies the options to `form`, the result of [`normalize()`].
    fn apply_to_normalized(self, form: &[u8], scheme: Scheme) -> Cow<'_, [u8]> {
        let Anatomy { authority, userinfo, host, path, fragment, .. } = Anatomy::split(form);
        let mut out = Rewrite::expecting(form);
        let mut read = 0;
        // Writes the text before a span and continues after the span.
        let mut skip = |out: &mut Rewrite<'_>, span: Span| {
            out.extend(&form[read..span.start]);
            read = span.end;
        };
        if let Some(userinfo) = userinfo.filter(|_| self.without_userinfo && authority.is_some()) {
            skip(&mut out, Span::new(userinfo.start, userinfo.end + 1));
        }
        if let Some(host) = host.filter(|_| authority.is_some()) {
            // Remove a final dot before and after the conversion, which may turn an ideographic
            // full stop into a dot.
            let name = self.normalize_host(self.without_final_dot(&form[host.range()]));
            skip(&mut out, host);
            out.extend(self.without_final_dot(&name));
        }
        let written = &form[path.range()];
        if self.dot_segments && matches!(scheme, Scheme::Http | Scheme::Https) {
            skip(&mut out, path);
            write_without_dot_segments(written, &mut out);
        } else if self.mailto_domain && scheme == Scheme::Mailto {
            skip(&mut out, path);
            self.write_addresses(written, &mut out);
        }
        if let Some(fragment) = fragment.filter(|_| self.without_fragment) {
            skip(&mut out, Span::new(fragment.start - 1, fragment.end));
        }
        out.extend(&form[read..]);
        out.finish()
    }

    /// Returns the host without its final dot if the option `trailing_dot` is set, otherwise
    /// unchanged.
    fn without_final_dot(self, host: &[u8]) -> &[u8] {
        match host {
            [start @ .., last, b'.'] if self.trailing_dot && *last != b'.' => &host[..=start.len()],
            _ => host,
        }
    }

    /// Returns the host in A-labels if the option `a_labels` is set and the host can be converted,
    /// otherwise unchanged.
    #[cfg(feature = "idna")]
    fn normalize_host(self, name: &[u8]) -> Cow<'_, [u8]> {
        let labels = if self.a_labels { to_a_labels(name) } else { None };
        labels.map_or(Cow::Borrowed(name), Cow::Owned)
    }

    #[cfg(not(feature = "idna"))]
    #[expect(clippy::unused_self, reason = "the feature `idna` uses it")]
    fn normalize_host(self, name: &[u8]) -> Cow<'_, [u8]> {
        Cow::Borrowed(name)
    }

    /// Writes the comma-separated mail addresses to `out`. Their domains are written in lower case,
    /// and in A-labels if the option `a_labels` is set.
    fn write_addresses(self, addresses: &[u8], out: &mut Rewrite<'_>) {
        for (at, address) in addresses.split(|&b| b == b',').enumerate() {
            if at > 0 {
                out.push(b',');
            }
            let domain =
                address.iter().rposition(|&b| b == b'@').map_or(address.len(), |at| at + 1);
            out.extend(&address[..domain]);
            let domain = self.normalize_host(&address[domain..]);
            let mut at = 0;
            while let Some(&byte) = domain.get(at) {
                if escape::decode_octet_at(&domain, at).is_some() {
                    out.extend(&domain[at..at + 3]);
                    at += 3;
                } else {
                    out.push(byte.to_ascii_lowercase());
                    at += 1;
                }
            }
        }
    }
}

/// True if `host` may contain non-ASCII labels, i.e. if it contains a non-ASCII character or a `%`.
/// An IP literal never does.
#[cfg(feature = "idna")]
pub(crate) fn may_have_u_labels(host: &[u8]) -> bool {
    !host.starts_with(b"[") && host.iter().any(|&b| b == b'%' || !b.is_ascii())
}

/// Converts a host name to A-labels. Returns `None` if it is ASCII already or can't be converted.
#[cfg(feature = "idna")]
pub(crate) fn to_a_labels(name: &[u8]) -> Option<alloc::vec::Vec<u8>> {
    use crate::host_name::first_bad_label;
    let has_escaped_ascii = || {
        (0..name.len())
            .any(|at| escape::decode_octet_at(name, at).is_some_and(|octet| octet.is_ascii()))
    };
    if !may_have_u_labels(name) || has_escaped_ascii() {
        return None;
    }
    let octets = escape::decode_escapes(name);
    let ascii = idna::domain_to_ascii_cow(&octets, idna::AsciiDenyList::URL).ok()?;
    let is_name = !ascii.is_empty() && first_bad_label(ascii.as_bytes(), false).is_none();
    is_name.then(|| ascii.into_owned().into_bytes())
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
        #[cfg(feature = "idna")]
        a_labels: true,
    };

    fn form(how: NormalForm, url: &str) -> String {
        let url = parse_reference(url.as_bytes(), Profile::Web).unwrap();
        String::from_utf8(how.comparison_key(&url).into_owned()).unwrap()
    }

    #[test]
    fn options_remove_parts() {
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
        let key = NormalForm { mailto_domain: true, ..NormalForm::default() };
        assert_eq!(form(key, "mailto:Joe@H%c3%bc.dom"), "mailto:Joe@h%C3%BC.dom");
        assert_eq!(form(NormalForm::default(), "http://h.dom./a/../b#c"), "http://h.dom./a/../b#c");
    }

    #[cfg(feature = "idna")]
    #[test]
    fn hosts_become_a_labels() {
        let key = NormalForm { a_labels: true, ..NormalForm::default() };
        for (url, expected) in [
            ("http://BÜCHER.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
            ("http://b%c3%bccher.example", "http://xn--bcher-kva.example/"),
            ("http://faß.example。:80/", "http://xn--fa-hia.example./"),
            ("http://joe@ü.dom:8080/", "http://joe@xn--tda.dom:8080/"),
            ("http://xn--tda.dom/", "http://xn--tda.dom/"),
            // An escaped dot does not separate labels; a name of only a soft hyphen is empty and
            // invalid.
            ("http://ü%2Edom/", "http://%C3%BC%2Edom/"),
            ("http://%C2%AD/", "http://%C2%AD/"),
            ("http://[::1]/", "http://[::1]/"),
            ("mailto:ü@ü.dom", "mailto:%C3%BC@%C3%BC.dom"),
        ] {
            assert_eq!(form(key, url), expected);
        }
        assert_eq!(form(ALL, "http://ü.dom。/"), "http://xn--tda.dom/");
        assert_eq!(form(ALL, "mailto:ü@Ü.dom,a@b.DOM"), "mailto:%C3%BC@xn--tda.dom,a@b.dom");
    }

    proptest! {
        #[cfg(feature = "idna")]
        #[test]
        fn a_host_looked_up_is_a_host(host in "([a-z.-]|[üßÄ。．－ａ‐\\u{ad}\\u{200d}\\u{300}٠א]|%[2-9A-F][0-9A-F]){1,8}") {
            for profile in [Profile::Web, Profile::Rfc3986] {
                let url = alloc::format!("http://{host}/");
                let Ok(url) = parse_reference(url.as_bytes(), profile) else { continue };
                let once = ALL.comparison_key(&url);
                let again = parse_reference(&once, profile);
                prop_assert!(again.is_ok(), "{:?}: {again:?}", String::from_utf8_lossy(&once));
                prop_assert_eq!(&ALL.comparison_key(&again.unwrap()), &once);
            }
        }

        #[test]
        fn a_form_is_its_own_form(
            url in "http://([a-z]{1,2}(:x)?@)?[a-z]{1,3}\\.(dom|dom\\.)(:80)?(/(\\.|\\.\\.|[a-c%2E]{0,4})){0,5}(\\?[a-c./]{0,4})?(#[a-c]?)?",
        ) {
            if let Ok(parsed) = parse_reference(url.as_bytes(), Profile::Web) {
                let once = ALL.comparison_key(&parsed);
                let again = parse_reference(&once, Profile::Web).unwrap();
                let twice = ALL.comparison_key(&again);
                prop_assert!(matches!(twice, Cow::Borrowed(_)), "{:?}", String::from_utf8_lossy(&twice));
            }
        }
    }
}
