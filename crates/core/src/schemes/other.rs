//! Every scheme without a production of its own.
//!
//! ```text
//! RFC 1738:
//! genericurl    = scheme ":" schemepart
//! schemepart    = ip-schemepart / *xchar
//! ip-schemepart = "//" login [ "/" urlpath ]
//! urlpath       = *xchar
//!
//! RFC 3986:
//! generic-uri   = scheme ":" hier-part [ "?" query ]
//! hier-part     = "//" authority path-abempty / path-absolute / path-rootless / path-empty
//! ```

use super::{end, host_and_port, http, user_and_password};
use crate::bytes::XCHAR;
use crate::escape;
use crate::fault::Fault;
use crate::login;
use crate::parts::Parts;
use crate::scheme::Authority;
use crate::url::{bytes as written, optional};
use crate::{Fields, Url};
use alloc::vec;

pub(crate) fn rfc1738(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault> {
    end(text, escape::run::<false, false>(text, at, XCHAR)?)?;
    // Any xchar will do; `//` promises more, but that it is kept is not required.
    if let Ok(authority) = login::slashes(text, at)
        && login::login(text, authority, parts).is_err()
    {
        *parts = parts.without_authority();
    }
    Ok(())
}

#[inline]
pub(crate) fn rfc3986<const WEB: bool>(
    text: &[u8],
    at: usize,
    parts: &mut Parts,
) -> Result<(), Fault> {
    let mut at = at;
    if text.get(at..).is_some_and(|rest| rest.starts_with(b"//")) {
        at = login::authority::<WEB>(text, at + 2, Authority::MAY_BE_EMPTY, parts)?;
    }
    http::path_and_query::<WEB>(text, at)
}

pub(crate) fn components<'u>(url: &Url<'u>) -> Fields<'u> {
    let part = &url.text[url.parts.colon + 1..url.parts.end];
    let tail = url.tail();
    // Without the slash, a query is all there is.
    let path = url.path().or(if tail.is_empty() { None } else { Some(tail) });
    let mut fields = vec![("schemepart", written(part))];
    fields.extend(user_and_password(url));
    fields.extend(host_and_port(url));
    fields.push(("urlpath", optional(url.host().and(path))));
    fields
}
