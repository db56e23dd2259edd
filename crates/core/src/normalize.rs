//! The form of a URL to compare by.

use crate::bytes::{HOSTNAME, UCHAR};
use crate::form::Form;
use crate::parts::NONE;
use crate::schemes::rules_of;
use crate::{Profile, Url};
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
    if url.profile == Profile::Cern1994 {
        return Cow::Borrowed(url.text);
    }
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
