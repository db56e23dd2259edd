//! Finds the parts of a text that may not be a valid URL.

use crate::authority;
use crate::bytes::{self, SCHEME};
use crate::parts::Parts;
use crate::scheme::{Grammar, Scheme};
use crate::{Profile, Span, Url};

/// The main parts of a text that may not be a valid URL, as byte spans. They are enough to name the
/// host or mask the password. An absent part is `None`.
///
/// ```
/// use urlsift_core::{Span, outline};
/// let outline = outline(b"ftp://joe:secret@ho st/x");
/// assert_eq!(outline.scheme, Some(Span::new(0, 3)));
/// assert_eq!(outline.password, Some(Span::new(10, 16)));
/// assert_eq!(outline.host, Some(Span::new(17, 22)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outline {
    /// The scheme, if the text starts with scheme characters and a colon.
    pub scheme: Option<Span>,
    /// The user name.
    pub user: Option<Span>,
    /// The password.
    pub password: Option<Span>,
    /// The host.
    pub host: Option<Span>,
    /// The port, without its colon.
    pub port: Option<Span>,
    /// The fragment, without its `#`.
    pub fragment: Option<Span>,
}

/// Finds the main parts of any text, valid or not. Takes linear time.
///
/// ```
/// let outline = urlsift_core::outline(b"ftp://joe@ho st:21/#top");
/// assert_eq!(outline.port.map(|port| port.range()), Some(16..18));
/// assert_eq!(urlsift_core::outline(b"nothing of the kind").scheme, None);
/// ```
pub fn outline(text: &[u8]) -> Outline {
    let end = text.iter().position(|&b| b == b'#').unwrap_or(text.len());
    let fragment = (end < text.len()).then(|| Span::new(end + 1, text.len()));
    let Some(colon) = scheme_colon(&text[..end]).filter(|&c| bytes::skip_set(text, 0, SCHEME) == c)
    else {
        return Outline { fragment, ..Outline::default() };
    };
    let url = Url {
        text,
        profile: Profile::Web,
        reference: true,
        parts: split_at_delimiters(
            &text[..end],
            Scheme::by_name(&text[..colon]),
            Grammar::Rfc3986,
            colon,
        ),
    };
    Outline {
        scheme: Some(Span::new(0, colon)),
        user: url.user_span(),
        password: url.password_span(),
        host: url.host_span(),
        port: url.port_span(),
        fragment,
    }
}

/// Returns the offset of the colon after the scheme, i.e. the first colon. Returns `None` if it is
/// the first byte, or comes after a `/`, `?` or `#`.
pub(crate) fn scheme_colon(text: &[u8]) -> Option<usize> {
    let at = text.iter().position(|b| matches!(b, b':' | b'/' | b'?' | b'#'))?;
    (text[at] == b':' && at > 0).then_some(at)
}

/// Splits `text` into the parts of a URL at its delimiters, without validating them. `colon` is the
/// offset of the colon after the scheme.
pub(crate) fn split_at_delimiters(
    text: &[u8],
    scheme: Scheme,
    grammar: Grammar,
    colon: usize,
) -> Parts {
    let mut parts = Parts::new(scheme, grammar, colon);
    parts.end = text.len();
    let start = colon + 3;
    if text.get(colon + 1..start) != Some(b"//") {
        return parts;
    }
    // Profile `web` also accepts user names by RFC 1738.
    let login = grammar == Grammar::Rfc1738 || scheme.is_rfc1738() && scheme.has_login();
    parts.set_authority(
        text,
        Span::new(start, authority::lenient_authority_end(text, start, login)),
    );
    parts
}
