//! Where the parts of a URL stand, also of one that no grammar accepts.

use crate::{Scheme, Span, authority_end, split_authority};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The parts of anything that looks like a URL, taken apart at its first colon, slashes, `@`, `?`
/// and `#`, and never refused. Spans are within the URL; an absent part is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Anatomy {
    /// The scheme, without its colon.
    pub scheme: Span,
    /// What stands behind `//` (or behind what was meant to be `//`).
    pub authority: Option<Span>,
    /// The user name and password, without the `@`.
    pub userinfo: Option<Span>,
    /// The password, without its colon.
    pub password: Option<Span>,
    /// The host; brackets included.
    pub host: Option<Span>,
    /// The port, without its colon; may be empty.
    pub port: Option<Span>,
    /// What follows the authority (or the colon, where there is none), up to `?` or `#`.
    pub path: Span,
    /// The query, without its `?`.
    pub query: Option<Span>,
    /// The fragment, without its `#`.
    pub fragment: Option<Span>,
}

impl Anatomy {
    /// Takes `url` apart. Linear.
    pub fn of(url: &[u8]) -> Self {
        let find = |from: usize, set: &[u8]| {
            url[from..].iter().position(|b| set.contains(b)).map_or(url.len(), |at| from + at)
        };
        let colon = find(0, b":;/\\");
        let mut parts = Self { scheme: Span::new(0, colon), ..Self::default() };
        let after =
            (colon + usize::from(matches!(url.get(colon), Some(b':' | b';')))).min(url.len());
        let slashes = url[after..].iter().take_while(|b| matches!(b, b'/' | b'\\')).count();
        let mut rest = after;
        // One slash makes a path, unless the URL is a near miss, whose one slash stands for two.
        if slashes >= 2 || url.get(after) == Some(&b'\\') {
            let authority = authority(url, after + slashes.min(2), &url[..colon]);
            parts.enter(url, authority);
            rest = authority.end;
        } else if slashes == 1 && !url[..colon].eq_ignore_ascii_case(b"file") {
            // `http:/u:p@host/`: for the sake of the password only.
            let mut guess = Self::default();
            guess.enter(url, authority(url, after + 1, &url[..colon]));
            parts.userinfo = guess.userinfo;
            parts.password = guess.password;
        }
        let query = find(rest, b"?#");
        parts.path = Span::new(rest, query);
        let hash = find(query, b"#");
        if url.get(query) == Some(&b'?') {
            parts.query = Some(Span::new(query + 1, hash));
        }
        if hash < url.len() {
            parts.fragment = Some(Span::new(hash + 1, url.len()));
        }
        parts
    }

    fn enter(&mut self, url: &[u8], span: Span) {
        let parts = split_authority(url, span);
        self.authority = Some(span);
        self.userinfo = parts.userinfo;
        self.password = parts.password;
        self.host = Some(parts.host);
        self.port = parts.port;
    }

    /// The bytes of a part, or nothing.
    pub fn text(url: &[u8], part: Option<Span>) -> &[u8] {
        part.and_then(|span| url.get(span.range())).unwrap_or_default()
    }

    /// Whether byte `at` stands behind the authority: where an escape never changes who is asked.
    pub fn is_behind_authority(&self, at: usize) -> bool {
        at >= self.path.start
    }
}

/// The authority that starts at `start`: as schemes have it, but a backslash may be meant for a slash, too.
fn authority(url: &[u8], start: usize, scheme: &[u8]) -> Span {
    let end = url[start..].iter().position(|b| matches!(b, b'\\' | b'#'));
    let url = &url[..end.map_or(url.len(), |end| start + end)];
    Span::new(start, authority_end(url, start, Scheme::by_name(scheme)))
}

/// Every password in `url`: its own, and those of URLs inside it (doubled schemes, redirections).
/// In order, not overlapping, none of them empty.
pub fn passwords(url: &[u8]) -> Vec<Span> {
    let mut found: Vec<Span> = Anatomy::of(url).password.into_iter().collect();
    for at in url.windows(2).enumerate().filter(|(_, pair)| pair == b"//").map(|(at, _)| at + 2) {
        let before = url[..at - 2].strip_suffix(b":").unwrap_or_default();
        let is_letter = |b: &u8| b.is_ascii_alphanumeric();
        let scheme = before.iter().rposition(|b| !is_letter(b)).map_or(0, |at| at + 1);
        found.extend(split_authority(url, authority(url, at, &before[scheme..])).password);
    }
    found.retain(|span| !span.is_empty());
    found.sort_unstable();
    found.dedup_by(|next, last| next.start < last.end);
    found
}

/// The URL with `***` in place of its [`passwords`]. Works on what stands there, valid or not; where
/// there is no `@` it costs one look for it.
///
/// ```
/// use urlsift_core::masked;
/// assert_eq!(&*masked(b"http://a.org/http://joe:pw@h.dom/"), b"http://a.org/http://joe:***@h.dom/");
/// ```
pub fn masked(url: &[u8]) -> Cow<'_, [u8]> {
    if !url.contains(&b'@') {
        return Cow::Borrowed(url);
    }
    let mut out = Vec::new();
    let mut at = 0;
    for span in passwords(url) {
        out.extend_from_slice(&url[at..span.start]);
        out.extend_from_slice(b"***");
        at = span.end;
    }
    if at == 0 {
        return Cow::Borrowed(url);
    }
    out.extend_from_slice(&url[at..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn parts() {
        let url = b"ftp://joe:se:cr@et@[::1]:21/a/b?c#d";
        let parts = Anatomy::of(url);
        let get = |part| String::from_utf8_lossy(Anatomy::text(url, part)).into_owned();
        assert_eq!(get(parts.userinfo), "joe:se:cr@et");
        assert_eq!(get(parts.password), "se:cr@et");
        assert_eq!(get(parts.host), "[::1]");
        assert_eq!(get(parts.port), "21");
        assert_eq!(get(Some(parts.path)), "/a/b");
        assert_eq!(get(parts.query), "c");
        assert_eq!(get(parts.fragment), "d");
    }

    #[test]
    fn masks_wherever_a_password_can_be() {
        for (url, shown) in [
            ("http://u:pw@h/", "http://u:***@h/"),
            ("http:/u:pw@h/", "http:/u:***@h/"),
            ("http:\\\\u:pw@h/", "http:\\\\u:***@h/"),
            ("http//u:pw@h/", "http//u:***@h/"),
            ("http;//u:pw@h/", "http;//u:***@h/"),
            ("ftp://u:@h/", "ftp://u:@h/"),
            ("http://h/a:b@c", "http://h/a:b@c"),
            ("mailto:a:b@c", "mailto:a:b@c"),
            ("http://http://u:pw@h/", "http://http://u:***@h/"),
            ("http://a:b@h/?u=http://u:pw@h/", "http://a:***@h/?u=http://u:***@h/"),
            ("ftp://u:a:b@c@h/p:q@r", "ftp://u:***@h/p:q@r"),
            ("ftp://u@h/", "ftp://u@h/"),
            // RFC 1738 §5: the mark is a character of a password like others, where there are passwords.
            ("ftp://u:p?w@h/", "ftp://u:***@h/"),
            ("telnet://u:a?b/c@h/", "telnet://u:a?b/c@h/"),
            ("http://a.b/?f=ftp://u:p?w@h/", "http://a.b/?f=ftp://u:***@h/"),
            ("http://h?u:p@w", "http://h?u:p@w"),
            ("", ""),
            ("x", "x"),
        ] {
            assert_eq!(&*masked(url.as_bytes()), shown.as_bytes(), "{url}");
        }
    }
}
