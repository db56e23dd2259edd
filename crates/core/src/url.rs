//! A valid URL and its parts.

use crate::parts::{NONE, Parts};
use crate::scheme::{Grammar, Scheme};
use crate::value::parse_decimal;
use crate::{Host, Profile, Span};
use alloc::string::String;
use core::fmt;
use core::hash::{Hash, Hasher};

/// A valid URL, split into parts: the result of [`parse()`](crate::parse()). It borrows its text
/// and allocates nothing; [`UrlBuf`](crate::UrlBuf) owns its text.
///
/// URLs are equal if they have the same spelling and were parsed with the same profile. To compare
/// their meaning, compare their [normal forms](crate::normalize()).
///
/// ```
/// use urlsift_core::{Host, Profile, parse_reference};
/// let url = parse_reference(b"https://joe@h.dom:8080/a/b?c=d#e", Profile::Web)?;
/// assert_eq!(url.authority(), Some(&b"joe@h.dom:8080"[..]));
/// assert_eq!(url.typed_host(), Some(Host::Name(b"h.dom")));
/// assert_eq!((url.path(), url.query()), (&b"/a/b"[..], Some(&b"c=d"[..])));
/// assert_eq!(url.to_string(), "https://joe@h.dom:8080/a/b?c=d#e");
/// assert_eq!((url.profile(), url.effective_port()), (Profile::Web, Some(8080)));
/// let spans = [url.user_span(), url.password_span(), url.host_span(), url.port_span(), url.fragment_span()];
/// let starts = spans.map(|span| span.map(|span| span.start));
/// assert_eq!(starts, [Some(8), None, Some(12), Some(18), Some(31)]);
///
/// let url = parse_reference(b"mailto:joe@h.dom?subject=x", Profile::Web)?;
/// assert_eq!((url.path(), url.query()), (&b"joe@h.dom"[..], Some(&b"subject=x"[..])));
/// # Ok::<(), urlsift_core::Violation>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Url<'u> {
    pub(crate) text: &'u [u8],
    pub(crate) profile: Profile,
    /// True if a fragment was allowed for any scheme.
    pub(crate) reference: bool,
    pub(crate) parts: Parts,
}

impl<'u> Url<'u> {
    /// Returns the URL as written, including its fragment.
    pub const fn as_bytes(&self) -> &'u [u8] {
        self.text
    }

    /// Returns the profile that the URL was parsed with.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns the scheme, in lower case if this crate knows it, otherwise as written.
    pub fn scheme(&self) -> &'u str {
        if self.parts.scheme != Scheme::Other {
            return self.parts.scheme.name();
        }
        // A scheme that the profile doesn't have may still be known to this crate.
        let written = &self.text[..self.parts.colon];
        match Scheme::by_name(written) {
            Scheme::Other => core::str::from_utf8(written).unwrap_or_default(),
            scheme => scheme.name(),
        }
    }

    /// Returns the scheme whose syntax the URL was parsed by. This is [`Scheme::Other`] if the
    /// profile has no production for the scheme, e.g. https in RFC 1738.
    pub const fn kind(&self) -> Scheme {
        self.parts.scheme
    }

    /// Returns the user name as written, or `None` if it is absent. An empty user name is `Some`.
    pub fn user(&self) -> Option<&'u [u8]> {
        self.slice_at(self.user_span())
    }

    /// Returns the password as written, or `None` if it is absent. An empty password is `Some`.
    pub fn password(&self) -> Option<&'u [u8]> {
        self.slice_at(self.password_span())
    }

    /// Returns the host as written, or `None` if there is no authority. An IP literal includes its
    /// brackets.
    pub fn host(&self) -> Option<&'u [u8]> {
        self.slice_at(self.host_span())
    }

    /// Returns the port as written, without its colon, or `None` if it is absent. An empty port is
    /// `Some`.
    pub fn port(&self) -> Option<&'u [u8]> {
        self.slice_at(self.port_span())
    }

    /// Returns the port to connect to: the one in the URL, or the scheme's default. Returns `None`
    /// if there is neither, or if the number is above 65535.
    pub fn effective_port(&self) -> Option<u16> {
        match self.port() {
            None | Some([]) => self.parts.scheme.default_port(),
            Some(digits) => parse_decimal(digits).and_then(|n| u16::try_from(n).ok()),
        }
    }

    /// Returns the authority as written (user name, password, host and port), or `None` if there is
    /// no `//`.
    pub fn authority(&self) -> Option<&'u [u8]> {
        let Parts { authority, authority_end, .. } = self.parts;
        (authority != NONE).then(|| &self.text[authority..authority_end])
    }

    /// Returns the host as a name or IP address, or `None` if there is no authority.
    pub fn typed_host(&self) -> Option<Host<'u>> {
        self.host().map(Host::classify)
    }

    /// Returns the path as written, including its slash. It is the text after the authority, or
    /// after the scheme's colon if there is no authority.
    ///
    /// The path ends at the query or fragment. If the scheme has no queries, a `?` is part of the
    /// path.
    pub fn path(&self) -> &'u [u8] {
        self.split_at_question_mark().0
    }

    /// Returns the query without its `?`, or `None` if the URL has none. An empty query is `Some`.
    /// In a scheme without queries, there never is one.
    pub fn query(&self) -> Option<&'u [u8]> {
        self.split_at_question_mark().1
    }

    /// Splits the text between the authority and the fragment into path and query, as for
    /// [`Url::path`] and [`Url::query`].
    fn split_at_question_mark(&self) -> (&'u [u8], Option<&'u [u8]>) {
        let tail = self.after_authority();
        match tail.iter().position(|&b| b == b'?').filter(|_| self.parts.scheme.has_query()) {
            Some(at) => (&tail[..at], Some(&tail[at + 1..])),
            None => (tail, None),
        }
    }

    /// Returns the fragment without its `#`, or `None` if there is none.
    pub fn fragment(&self) -> Option<&'u [u8]> {
        self.slice_at(self.fragment_span())
    }

    /// Returns the span of the user name, or `None` if it is absent.
    pub fn user_span(&self) -> Option<Span> {
        let Parts { authority, password, at_sign, .. } = self.parts;
        (at_sign != NONE)
            .then(|| Span::new(authority, if password == NONE { at_sign } else { password }))
    }

    /// Returns the span of the password, or `None` if it is absent.
    pub fn password_span(&self) -> Option<Span> {
        let Parts { password, at_sign, .. } = self.parts;
        (password != NONE).then(|| Span::new(password + 1, at_sign))
    }

    /// Returns the span of the host, or `None` if there is no authority.
    pub fn host_span(&self) -> Option<Span> {
        self.parts.host_start().map(|start| Span::new(start, self.parts.host_end))
    }

    /// Returns the span of the port, without its colon, or `None` if it is absent.
    pub fn port_span(&self) -> Option<Span> {
        let Parts { authority, host_end, authority_end, .. } = self.parts;
        (authority != NONE && host_end < authority_end)
            .then(|| Span::new(host_end + 1, authority_end))
    }

    /// Returns the span of the fragment, without its `#`, or `None` if it is absent.
    pub fn fragment_span(&self) -> Option<Span> {
        (self.parts.end < self.text.len()).then(|| Span::new(self.parts.end + 1, self.text.len()))
    }

    /// True if the URL's profile includes RFC 3986 and later documents.
    pub(crate) const fn is_modern(&self) -> bool {
        matches!(self.profile, Profile::Rfc3986 | Profile::Web)
    }

    /// True if the URL was accepted by a production of RFC 1738.
    pub(crate) fn is_by_rfc1738(&self) -> bool {
        self.parts.grammar == Grammar::Rfc1738
    }

    /// Returns the text after the authority, or after the scheme's colon if there is none, up to
    /// the fragment.
    pub(crate) fn after_authority(&self) -> &'u [u8] {
        &self.text[self.after_authority_start()..self.parts.end]
    }

    /// Returns the offset at which [`Url::after_authority`] starts.
    pub(crate) const fn after_authority_start(&self) -> usize {
        if self.parts.authority == NONE { self.parts.colon + 1 } else { self.parts.authority_end }
    }

    /// Returns the text after the slash that follows the authority, or `None` if there is no slash.
    pub(crate) fn path_after_slash(&self) -> Option<&'u [u8]> {
        self.after_authority().strip_prefix(b"/")
    }

    fn slice_at(&self, span: Option<Span>) -> Option<&'u [u8]> {
        span.map(|span| &self.text[span.range()])
    }
}

impl Url<'_> {
    /// Returns the three values that are compared to decide whether two URLs are equal: the text,
    /// the profile, and true if a fragment was allowed in any scheme.
    fn compared_fields(&self) -> (&[u8], Profile, bool) {
        (self.text, self.profile, self.reference)
    }
}

impl PartialEq for Url<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.compared_fields() == other.compared_fields()
    }
}

impl Eq for Url<'_> {}

impl Hash for Url<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.compared_fields().hash(state);
    }
}

impl fmt::Display for Url<'_> {
    /// Formats the URL as written. Bytes that are not UTF-8, which only profile `web` accepts,
    /// become U+FFFD.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(self.text))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Url<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = core::str::from_utf8(self.text).map_err(serde::ser::Error::custom)?;
        serializer.serialize_str(text)
    }
}
