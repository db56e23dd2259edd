//! The normal form of a URL, for comparison.

use crate::bytes::{HOSTNAME, UCHAR};
use crate::findings::{has_no_escapes_or_repairs, is_ordinary_host};
use crate::form::Form;
use crate::parts::{NONE, Parts};
use crate::rewrite::Rewrite;
use crate::scheme::NormalPath;
use crate::schemes::rules_of;
use crate::{Profile, Scheme, Url};
use alloc::borrow::Cow;

/// Returns the normal form of a URL, which is for comparison only, not for display.
///
/// Two URLs with the same normal form have the same meaning. The form differs from the URL as
/// follows:
///
/// - The scheme and host are in lower case.
/// - A default or empty port is removed.
/// - Escapes have upper-case digits, and characters that need no escape in the URL's profile are
///   unescaped.
/// - Characters that profile `web` accepts although they should be escaped are escaped.
/// - Reserved characters, empty parts and dot segments are unchanged. For example,
///   `ftp://h/%2Fetc/motd` and `ftp://h/etc/motd` name different files.
///
/// Takes linear time. Allocates only if the form is not a prefix of the URL as written.
///
/// # Example
///
/// ```
/// use urlsift_core::{Profile, normalize, parse};
/// let form = |text| normalize(&parse(text, Profile::Web).unwrap()).into_owned();
/// assert_eq!(form(b"HTTP://Host.Dom:80/%7ejoe"), b"http://host.dom/~joe");
/// assert_eq!(form(b"http://host.dom"), form(b"http://host.dom/"));
/// assert_ne!(form(b"http://host.dom/a%2Fb"), form(b"http://host.dom/a/b"));
/// ```
pub fn normalize<'u>(url: &Url<'u>) -> Cow<'u, [u8]> {
    if url.profile == Profile::Cern1994 {
        return Cow::Borrowed(url.text);
    }
    already_normal_form(url).unwrap_or_else(|| normalize_in_full(url))
}

/// Returns the normal form of a URL that is already in normal form, or that only lacks a slash as
/// its path. Returns `None` for all other URLs.
///
/// This is the fast path for most URLs: building the form part by part takes ten times as long.
fn already_normal_form<'u>(url: &Url<'u>) -> Option<Cow<'u, [u8]>> {
    let Parts { scheme, host_end, .. } = url.parts;
    let host = url.host()?;
    let is_plain = url.text.starts_with(scheme.name().as_bytes())
        && url.user_span().is_none()
        && url.port_span().is_none()
        && (is_ordinary_host(url.text, host_end - host.len(), host_end)
            || !host.iter().any(u8::is_ascii_uppercase))
        && has_no_escapes_or_repairs(url.text);
    if is_plain { normalize_quiet(url) } else { None }
}

/// Returns the normal form of a URL without the usual reasons to change it. The caller must know
/// that the scheme and host are in lower case, and that there is no user name, port, escape or
/// character to escape.
///
/// Returns `None` if the form must still be built part by part.
pub(crate) fn normalize_quiet<'u>(url: &Url<'u>) -> Option<Cow<'u, [u8]>> {
    let Parts { scheme, authority_end, .. } = url.parts;
    let is_plain = matches!(scheme, Scheme::Http | Scheme::Https)
        // In ftp URLs, a `;` or `?` may be part of a transfer type.
        || scheme == Scheme::Ftp && !url.after_authority().iter().any(|b| matches!(b, b';' | b'?'));
    match url.text.get(authority_end) {
        _ if !is_plain => None,
        Some(b'/') => Some(Cow::Borrowed(url.text)),
        None if scheme.normal_path() != NormalPath::AsWritten => {
            Some(Cow::Owned([url.text, b"/"].concat()))
        }
        _ => None,
    }
}

/// Builds the normal form of any URL part by part. This is the slow path.
fn normalize_in_full<'u>(url: &Url<'u>) -> Cow<'u, [u8]> {
    let rules = rules_of(url.parts.scheme);
    let mut form = Form {
        out: Rewrite::expecting(url.text),
        bare: match (url.is_modern(), url.is_by_rfc1738()) {
            (false, _) => UCHAR,
            (true, false) => rules.unescaped,
            // A subset of the characters that both grammars leave unescaped.
            (true, true) => HOSTNAME,
        },
        repair: url.profile == Profile::Web,
    };
    for letter in &url.text[..url.parts.colon] {
        form.out.push(letter.to_ascii_lowercase());
    }
    form.out.push(b':');
    if url.parts.authority != NONE {
        form.write_authority(url);
    }
    (rules.normalize_tail)(url, &mut form);
    if let Some(fragment) = url.fragment() {
        form.out.push(b'#');
        form.write_part(fragment, form.bare);
    }
    form.out.finish()
}

#[cfg(test)]
mod tests {
    use super::{already_normal_form, normalize_in_full};
    use crate::{Profile, diagnose_normalized, parse_reference};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn plain_urls_take_the_form_that_all_would(
            url in "(http|https|HTTP|ftp)://(a@)?([a-z0-9.-]{1,12}|[A-Z]h|\\[::1\\])(:80)?(/([A-Za-z0-9/.?=&_~%!$*+,:@{é-]{0,20}|a;type=[aA]))?(#[a-z%!]{0,3})?",
        ) {
            for profile in [Profile::Rfc1738, Profile::Rfc3986, Profile::Web] {
                if let Ok(url) = parse_reference(url.as_bytes(), profile)
                    && let Some(form) = already_normal_form(&url)
                {
                    prop_assert_eq!(form, normalize_in_full(&url));
                }
                if let Ok(url) = parse_reference(url.as_bytes(), profile) {
                    prop_assert_eq!(diagnose_normalized(&url, |_| {}), normalize_in_full(&url));
                }
            }
        }
    }
}
