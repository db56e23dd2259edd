//! Splits a URL's authority into user name, password, host and port, without validating them.

use crate::parts::{NONE, Parts};
use crate::{Scheme, Span};

/// The parts of a URL's authority (`user:password@host:port`), as byte spans within the text. An
/// absent part is `None`; an empty part is an empty span.
///
/// ```
/// use urlsift_core::{Span, split_authority};
/// let parts = split_authority(b"//h.dom:", Span::new(2, 8));
/// assert_eq!((parts.userinfo, parts.host), (None, Span::new(2, 7)));
/// assert_eq!(parts.port, Some(Span::new(8, 8)), "there is one, and it is empty");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuthorityParts {
    /// The user name and password, up to but excluding the last `@`.
    pub userinfo: Option<Span>,
    /// The password: the text after the first colon of the userinfo.
    pub password: Option<Span>,
    /// The host. An IP literal includes its brackets.
    pub host: Span,
    /// The port, without its colon.
    pub port: Option<Span>,
}

/// Splits an authority into user name, password, host and port, without validating them.
/// `authority` is its span in `text`. Takes linear time.
///
/// ```
/// use urlsift_core::{Span, split_authority};
/// let parts = split_authority(b"ftp://joe:a?b@host.dom:21/", Span::new(6, 25));
/// assert_eq!(parts.password, Some(Span::new(10, 13)));
/// assert_eq!((parts.host, parts.port), (Span::new(14, 22), Some(Span::new(23, 25))));
/// ```
pub fn split_authority(text: &[u8], authority: Span) -> AuthorityParts {
    let Span { start, end } = authority;
    let host = start + host_start(&text[authority.range()]);
    let userinfo = (host > start).then(|| Span::new(start, host - 1));
    let password = userinfo.and_then(|userinfo| {
        let colon = text[userinfo.range()].iter().position(|&b| b == b':')?;
        Some(Span::new(userinfo.start + colon + 1, userinfo.end))
    });
    let name = &text[host..end];
    let literal = match name {
        [b'[', ..] => name.iter().position(|&b| b == b']').unwrap_or(0),
        _ => 0,
    };
    let colon = name[literal..].iter().position(|&b| b == b':').map(|at| host + literal + at);
    AuthorityParts {
        userinfo,
        password,
        host: Span::new(host, colon.unwrap_or(end)),
        port: colon.map(|colon| Span::new(colon + 1, end)),
    }
}

/// Returns the end of the authority that starts at byte `start` of `text`, i.e. after the `//` of a
/// URL.
///
/// The authority ends at a slash, a question mark or the end of `text`. If RFC 1738 allows a user
/// name in `scheme`, a question mark before an `@` is part of the user name or password. Takes
/// linear time.
///
/// ```
/// use urlsift_core::{Scheme, authority_end};
/// assert_eq!(authority_end(b"http://h.dom?a@b", 7, Scheme::Http), 12);
/// assert_eq!(authority_end(b"ftp://joe:a?b@h/", 6, Scheme::Ftp), 15);
/// ```
pub fn authority_end(text: &[u8], start: usize, scheme: Scheme) -> usize {
    lenient_authority_end(text, start, scheme.is_rfc1738() && scheme.has_login())
}

/// Returns the end of the authority that starts at byte `start` of `text`. If `allow_user_name` is
/// true, a question mark before an `@` is part of a user name, as in RFC 1738, and doesn't end the
/// authority.
pub(crate) fn lenient_authority_end(text: &[u8], start: usize, allow_user_name: bool) -> usize {
    let slash = slash_or_question_mark(text, start, false);
    let mark = slash_or_question_mark(&text[..slash], start, true);
    if allow_user_name && text[mark..slash].contains(&b'@') { slash } else { mark }
}

/// Returns the offset of the first slash at or after byte `start`, or the text's length if there is
/// none. If `ends_at_question_mark` is true, returns the offset of an earlier question mark
/// instead.
pub(crate) fn slash_or_question_mark(
    text: &[u8],
    start: usize,
    ends_at_question_mark: bool,
) -> usize {
    let ends = |b: &u8| *b == b'/' || ends_at_question_mark && *b == b'?';
    text[start..].iter().position(ends).map_or(text.len(), |at| start + at)
}

/// Returns the offset in `authority` at which the host starts: after the last `@`, or 0 if there is
/// none.
pub(crate) fn host_start(authority: &[u8]) -> usize {
    authority.iter().rposition(|&b| b == b'@').map_or(0, |sign| sign + 1)
}

impl Parts {
    /// Stores the offsets of the authority at `span`, and of the user name, password and host in
    /// it. They are not validated.
    pub(crate) fn set_authority(&mut self, text: &[u8], span: Span) {
        let AuthorityParts { userinfo, password, host, .. } = split_authority(text, span);
        self.authority = span.start;
        self.at_sign = userinfo.map_or(NONE, |userinfo| userinfo.end);
        self.password = password.map_or(NONE, |password| password.start - 1);
        self.host_end = host.end;
        self.authority_end = span.end;
    }
}
