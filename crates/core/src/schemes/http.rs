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
use crate::bytes::{HPATH, PATH, QUERY, SEARCH};
use crate::escape;
use crate::fault::Fault;
use crate::login;
use crate::parts::Parts;
use crate::scheme::Authority;
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

#[inline]
pub(crate) fn rfc3986<const WEB: bool>(
    text: &[u8],
    at: usize,
    parts: &mut Parts,
) -> Result<(), Fault> {
    let authority = login::slashes(text, at)?;
    let at = login::authority::<WEB>(text, authority, Authority::WITH_HOST, parts)?;
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
