//! The form of a URL to compare by.

use crate::bytes::{HOSTNAME, UCHAR};
use crate::findings::is_quiet;
use crate::form::Form;
use crate::parts::{NONE, Parts};
use crate::schemes::rules_of;
use crate::{Profile, Scheme, Url};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The form of a URL to compare by; never for printing.
///
/// Two URLs with the same form mean the same. Scheme and host are in lower case, a default or empty
/// port is gone, escapes have upper-case digits, and what need not be escaped in the URL's profile
/// is not. What profile `web` takes as if it were escaped, is. Reserved characters stay as they
/// are, escaped or not, and so do empty parts and dot segments: `ftp://h/%2Fetc/motd` is another
/// file than `ftp://h/etc/motd`.
///
/// Linear; allocates only when the form differs from the URL as written.
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
    if url.profile == Profile::Cern1994 || is_plain(url) {
        return Cow::Borrowed(url.text);
    }
    normalize_in_full(url)
}

/// Whether a URL is beyond doubt in its normal form: of http or ftp, without a user, a port, escapes and what would be
/// escaped, with a path, the scheme and host in lower case. Most are, and building the form costs ten times as much.
fn is_plain(url: &Url<'_>) -> bool {
    let Parts { scheme, authority_end, .. } = url.parts;
    let is_upper = |name: &[u8]| name.iter().any(u8::is_ascii_uppercase);
    matches!(scheme, Scheme::Http | Scheme::Https | Scheme::Ftp)
        && url.text.starts_with(scheme.name().as_bytes())
        && url.user_span().is_none()
        && url.port_span().is_none()
        && url.host().is_some_and(|host| !is_upper(host))
        && url.text.get(authority_end) == Some(&b'/')
        && is_quiet(url.text)
        // What may be the type of a transfer.
        && (scheme != Scheme::Ftp || !url.tail().iter().any(|b| matches!(b, b';' | b'?')))
}

fn normalize_in_full<'u>(url: &Url<'u>) -> Cow<'u, [u8]> {
    let rules = rules_of(url.parts.scheme);
    let mut form = Form {
        out: Vec::with_capacity(url.text.len() + 1),
        bare: match (url.is_modern(), url.by_rfc1738()) {
            (false, _) => UCHAR,
            (true, false) => rules.unescaped,
            // Nearly all that both grammars let stand.
            (true, true) => HOSTNAME,
        },
        mend: url.profile == Profile::Web,
    };
    form.out.extend(url.text[..url.parts.colon].iter().map(u8::to_ascii_lowercase));
    form.out.push(b':');
    if url.parts.authority != NONE {
        form.authority(url);
    }
    (rules.normalize_tail)(url, &mut form);
    if let Some(fragment) = url.fragment() {
        form.out.push(b'#');
        form.part(fragment, form.bare);
    }
    if form.out == url.text { Cow::Borrowed(url.text) } else { Cow::Owned(form.out) }
}

#[cfg(test)]
mod tests {
    use super::{is_plain, normalize_in_full};
    use crate::{Profile, parse_reference};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn plain_urls_are_in_normal_form(
            url in "(http|https|HTTP|ftp)://(a@)?([a-z0-9.-]{1,12}|[A-Z]h|\\[::1\\])(:80)?(/([A-Za-z0-9/.?=&_~%!$*+,:@{é-]{0,20}|a;type=[aA]))?(#[a-z%!]{0,3})?",
        ) {
            for profile in [Profile::Rfc1738, Profile::Rfc3986, Profile::Web] {
                if let Ok(url) = parse_reference(url.as_bytes(), profile)
                    && is_plain(&url)
                {
                    let form = normalize_in_full(&url);
                    prop_assert_eq!(&*form, url.as_bytes());
                }
            }
        }
    }
}
