//! The form of a URL to compare by.

use crate::bytes::{HOSTNAME, UCHAR};
use crate::form::Form;
use crate::parts::NONE;
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

/// Whether a URL is beyond doubt in its normal form: `http://host.dom/path?query` of letters, digits and a few marks, the
/// scheme and host in lower case. Most are, and building the form costs ten times as much.
fn is_plain(url: &Url<'_>) -> bool {
    let scheme: &[u8] = match url.parts.scheme {
        Scheme::Http => b"http://",
        Scheme::Https => b"https://",
        Scheme::Ftp => b"ftp://",
        _ => return false,
    };
    let Some(rest) = url.text.strip_prefix(scheme) else { return false };
    let is_host = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-');
    let (is_modern, has_query) = (url.is_modern(), url.parts.scheme != Scheme::Ftp);
    let is_tail = |b: &u8| match b {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => true,
        b'~' => is_modern,
        b'?' | b'=' | b'&' => has_query,
        _ => false,
    };
    let host = rest.iter().take_while(|b| is_host(b)).count();
    let (_, tail) = rest.split_at(host);
    host > 0 && tail.first() == Some(&b'/') && tail.iter().all(is_tail)
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
            url in "(http|https|HTTP|ftp)://[a-z0-9.-]{1,12}(:80)?(/[A-Za-z0-9/.?=&_~%-]{0,20})?(#[a-z]{0,3})?",
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
