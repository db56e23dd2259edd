//! The rules for schemes without their own production.
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

use super::rules::{
    FindingsOf, Rules, expect_end, host_and_port_fields, parse_path_and_query,
    user_and_password_fields,
};
use crate::bytes::XCHAR;
use crate::collector::Collector;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::value::{value_or_null, verbatim_value};
use crate::{Code, Fields, Span, Url, escape, login};
use alloc::vec;

/// The rules of all schemes that have no production of their own. They follow the
/// generic syntax.
pub(crate) struct Other;

impl Rules for Other {
    const RFC1738: &'static str = ":<xchar>*";
    const RFC3986: &'static str = ":<hierpart>(?:\\?<query>)?(?:#<query>)?";
    const FINDINGS: Option<FindingsOf> = Some(add_findings);

    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        expect_end(text, escape::run_end::<false, false>(text, at, XCHAR)?)?;
        // Any xchars are valid. A `//` should start an authority, but the grammar doesn't require
        // it.
        if let Ok(authority) = login::expect_slashes(text, at)
            && login::parse_login(text, authority, parts).is_err()
        {
            *parts = parts.without_authority();
        }
        Ok(())
    }

    #[inline]
    fn parse_rfc3986<const WEB: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let mut at = at;
        if text.get(at..).is_some_and(|rest| rest.starts_with(b"//")) {
            at = login::parse_authority::<WEB>(text, at + 2, parts)?;
        }
        parse_path_and_query::<WEB>(text, at)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let part = &url.text[url.parts.colon + 1..url.parts.end];
        let tail = url.after_authority();
        // Without a slash, only a query can follow the authority.
        let path = url.path_after_slash().or(if tail.is_empty() { None } else { Some(tail) });
        let mut fields = vec![("schemepart", verbatim_value(part))];
        fields.extend(user_and_password_fields(url));
        fields.extend(host_and_port_fields(url));
        fields.push(("urlpath", value_or_null(url.host().and(path))));
        fields
    }
}

/// Appends to `found` the findings about a URL whose scheme has no production of its own.
fn add_findings(found: &mut Collector<'_, '_>) {
    let tail = found.url.after_authority();
    if found.url.host().is_some() {
        return;
    }
    if tail.is_empty() {
        found.add(Code::GenericEmpty, Span::new(0, found.url.parts.colon + 1));
    } else if tail.starts_with(b"//") {
        found.add_for_part(Code::GenericNotCiss, &tail[..2]);
    }
}
