//! Splits a URL into parts, even if it is invalid.

use crate::{Scheme, Span, authority_end, split_authority};

/// The parts of a text that looks like a URL, as byte spans. Any text is accepted: it is split at
/// the first colon, the slashes, `@`, `?` and `#`, without validation. An absent part is `None`.
///
/// Use [`parse()`](crate::parse()) for valid URLs, and this to point at parts of invalid ones.
///
/// ```
/// use urlsift_core::Anatomy;
/// let url = br"http:\\joe@ho st:80\a?b#c";
/// let parts = Anatomy::split(url);
/// assert_eq!(Anatomy::text(url, parts.userinfo), b"joe");
/// assert_eq!(Anatomy::text(url, parts.host), b"ho st");
/// assert_eq!(Anatomy::text(url, Some(parts.path)), br"\a");
/// assert_eq!(Anatomy::text(url, parts.password), b"");
/// assert!(parts.is_after_authority(parts.path.start));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Anatomy {
    /// The scheme, without its colon.
    pub scheme: Span,
    /// The text after `//` (or after a misspelled `//`).
    pub authority: Option<Span>,
    /// The user name and password, without the `@`.
    pub userinfo: Option<Span>,
    /// The password, without its colon.
    pub password: Option<Span>,
    /// The host, including the brackets of an IP literal.
    pub host: Option<Span>,
    /// The port, without its colon; may be empty.
    pub port: Option<Span>,
    /// The text after the authority (or after the colon, if there is none), up to `?` or `#`.
    pub path: Span,
    /// The query, without its `?`.
    pub query: Option<Span>,
    /// The fragment, without its `#`.
    pub fragment: Option<Span>,
}

impl Anatomy {
    /// Splits `url`, which may be any text, into the parts of a URL. They are not validated. Takes
    /// linear time.
    pub fn split(url: &[u8]) -> Self {
        fn find(url: &[u8], from: usize, is_end: impl Fn(u8) -> bool) -> usize {
            url[from..].iter().position(|&b| is_end(b)).map_or(url.len(), |at| from + at)
        }
        let colon = find(url, 0, |b| matches!(b, b':' | b';' | b'/' | b'\\'));
        let mut parts = Self { scheme: Span::new(0, colon), ..Self::default() };
        let after =
            (colon + usize::from(matches!(url.get(colon), Some(b':' | b';')))).min(url.len());
        let slashes = url[after..].iter().take_while(|b| matches!(b, b'/' | b'\\')).count();
        let mut rest = after;
        // A single slash starts a path, unless the URL is a near miss, in which one slash is meant
        // as two.
        if slashes >= 2 || url.get(after) == Some(&b'\\') {
            let authority = authority_span(url, after + slashes.min(2), &url[..colon]);
            parts.set_authority(url, authority);
            rest = authority.end;
        } else if slashes == 1
            && url[after..].contains(&b'@')
            && !url[..colon].eq_ignore_ascii_case(b"file")
        {
            // In `http:/u:p@host/`, report the user name and password so that they can be masked.
            let mut guess = Self::default();
            guess.set_authority(url, authority_span(url, after + 1, &url[..colon]));
            parts.userinfo = guess.userinfo;
            parts.password = guess.password;
        }
        let query = find(url, rest, |b| matches!(b, b'?' | b'#'));
        parts.path = Span::new(rest, query);
        let hash = find(url, query, |b| b == b'#');
        if url.get(query) == Some(&b'?') {
            parts.query = Some(Span::new(query + 1, hash));
        }
        if hash < url.len() {
            parts.fragment = Some(Span::new(hash + 1, url.len()));
        }
        parts
    }

    /// Sets the authority to `span`, and the user name, password, host and port to their spans
    /// within it.
    fn set_authority(&mut self, url: &[u8], span: Span) {
        let parts = split_authority(url, span);
        self.authority = Some(span);
        self.userinfo = parts.userinfo;
        self.password = parts.password;
        self.host = Some(parts.host);
        self.port = parts.port;
    }

    /// Returns the bytes of `url` at the span `part`, or an empty slice if `part` is `None`.
    pub fn text(url: &[u8], part: Option<Span>) -> &[u8] {
        part.and_then(|span| url.get(span.range())).unwrap_or_default()
    }

    /// True if byte `at` of the URL is after its authority. Percent-encoding such a byte can't
    /// change the host.
    pub fn is_after_authority(&self, at: usize) -> bool {
        at >= self.path.start
    }
}

/// Returns the span of the authority that starts at byte `start` of `url`. The authority ends at a
/// slash, a backslash, a `?` or a `#`. If `scheme` has user names, a `?` before an `@` doesn't end
/// it.
fn authority_span(url: &[u8], start: usize, scheme: &[u8]) -> Span {
    let rest = &url[start..];
    let end = rest.iter().position(|b| matches!(b, b'/' | b'\\' | b'#')).unwrap_or(rest.len());
    // The scheme only matters if there is a question mark.
    if !rest[..end].contains(&b'?') {
        return Span::new(start, start + end);
    }
    Span::new(start, authority_end(&url[..start + end], start, Scheme::by_name(scheme)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn parts() {
        let url = b"ftp://joe:se:cr@et@[::1]:21/a/b?c#d";
        let parts = Anatomy::split(url);
        let get = |part| String::from_utf8_lossy(Anatomy::text(url, part)).into_owned();
        assert_eq!(get(parts.userinfo), "joe:se:cr@et");
        assert_eq!(get(parts.password), "se:cr@et");
        assert_eq!(get(parts.host), "[::1]");
        assert_eq!(get(parts.port), "21");
        assert_eq!(get(Some(parts.path)), "/a/b");
        assert_eq!(get(parts.query), "c");
        assert_eq!(get(parts.fragment), "d");
    }
}
