//! http, RFC 1738 §3.3, and http and https, RFC 9110 §4.2.
//!
//! ```text
//! RFC 1738:
//! httpurl  = "http://" hostport [ "/" hpath [ "?" search ] ]
//! hpath    = hsegment *( "/" hsegment )
//! hsegment = *( uchar / ";" / ":" / "@" / "&" / "=" )
//! search   = *( uchar / ";" / ":" / "@" / "&" / "=" )
//!
//! RFC 3986:
//! http-uri = ( "http" / "https" ) "://" auth-nonempty path-abempty [ "?" query ]
//! ```

use super::{cut, end, host_and_port, later_user_and_password};
use crate::bytes::{self, ALPHA, DIGIT, HPATH, PATH, QUERY, SEARCH, WEB_PATH, WEB_QUERY};
use crate::escape;
use crate::fault::Fault;
use crate::login::{self, Asks};
use crate::parts::Parts;
use crate::scheme::{Grammar, Scheme};
use crate::url::optional;
use crate::{Fields, Url};

pub(crate) fn rfc1738<const MEND: bool>(
    text: &[u8],
    at: usize,
    parts: &mut Parts,
) -> Result<(), Fault> {
    let authority = login::slashes(text, at)?;
    let mut at = login::hostport(text, authority, parts)?;
    if at < text.len() {
        at = escape::run::<MEND, false>(text, at + 1, HPATH)?;
        if text.get(at) == Some(&b'?') {
            at = escape::run::<MEND, false>(text, at + 1, SEARCH)?;
        }
    }
    end(text, at)
}

/// Reads an http or https URL of profile `web` as nearly all are: a name and perhaps a port, ASCII,
/// no user. `None` for all that is rarer, good or bad. In 2026 half the instructions of [`rfc3986`].
#[inline]
pub(crate) fn plain(text: &[u8]) -> Option<Parts> {
    let (scheme, colon) = match text {
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => (Scheme::Http, 4),
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => (Scheme::Https, 5),
        _ => return None,
    };
    let authority = colon + 3;
    let host_end = plain_name(text, authority)?;
    let mut at = host_end;
    if text.get(at) == Some(&b':') {
        at = bytes::skip(text, at + 1, DIGIT);
    }
    let authority_end = at;
    match text.get(at) {
        Some(b'/') => at = bytes::skip_chunks(text, at + 1, WEB_PATH),
        None | Some(b'?' | b'#') => {}
        Some(_) => return None,
    }
    if text.get(at) == Some(&b'?') {
        at = bytes::skip_chunks(text, at + 1, WEB_QUERY);
    }
    let end = at;
    if text.get(at) == Some(&b'#') {
        // A fragment has the characters of a query, as far as ASCII goes.
        at = bytes::skip_chunks(text, at + 1, WEB_QUERY);
    }
    if at != text.len() {
        return None;
    }
    let parts = Parts::new(scheme, Grammar::Rfc3986, colon);
    Some(Parts { authority, host_end, authority_end, end, ..parts })
}

/// The end of a host name of letters and digits, in which dots and hyphens stand alone.
#[inline]
fn plain_name(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let start = at;
        at = bytes::skip(text, at, ALPHA | DIGIT);
        if at == start {
            return None;
        }
        match text.get(at) {
            Some(b'.' | b'-') => at += 1,
            _ => return Some(at),
        }
    }
}

#[inline]
pub(crate) fn rfc3986<const WEB: bool>(
    text: &[u8],
    at: usize,
    parts: &mut Parts,
) -> Result<(), Fault> {
    let authority = login::slashes(text, at)?;
    let at = login::authority::<WEB>(text, authority, Asks::ALL, parts)?;
    path_and_query::<WEB>(text, at)
}

/// `path-abempty [ "?" query ]`, the path's first byte or the query's `?` being at `at`.
#[inline]
pub(crate) fn path_and_query<const WEB: bool>(text: &[u8], mut at: usize) -> Result<(), Fault> {
    at = escape::run::<WEB, WEB>(text, at, PATH)?;
    if text.get(at) == Some(&b'?') {
        at = escape::run::<WEB, WEB>(text, at, QUERY)?;
    }
    end(text, at)
}

pub(crate) fn components<'u>(url: &Url<'u>) -> Fields<'u> {
    let (path, search) = cut(url.tail(), b'?');
    let mut fields = later_user_and_password(url);
    fields.extend(host_and_port(url));
    fields.push(("path", optional(path.strip_prefix(b"/"))));
    fields.push(("search", optional(search)));
    fields
}
