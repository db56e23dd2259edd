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

use super::rules::{
    Rules, expect_end, host_and_port_fields, modern_user_and_password_fields, parse_path_and_query,
    split_at_byte,
};
use crate::bytes::{HPATH, SEARCH};
use crate::fault::Fault;
use crate::parts::Parts;
use crate::value::value_or_null;
use crate::{Fields, Url, escape, login};

/// The rules of the schemes `http` and `https`: their parsers, components, semantics and
/// findings.
pub(crate) struct Http;

impl Rules for Http {
    const RFC1738: &'static str = "://<hostport>(?:/<hpath>(?:\\?<search>)?)?";
    const RFC3986: &'static str = "://<authnonempty><abempty>(?:\\?<query>)?(?:#<query>)?";

    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let mut at = login::parse_ip_schemepart(text, at, parts)?;
        if at < text.len() {
            at = escape::run_end::<REPAIR, false>(text, at + 1, HPATH)?;
            if text.get(at) == Some(&b'?') {
                at = escape::run_end::<REPAIR, false>(text, at + 1, SEARCH)?;
            }
        }
        expect_end(text, at)
    }

    #[inline]
    fn parse_rfc3986<const WEB: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_net_path::<WEB>(text, at, parts)?;
        parse_path_and_query::<WEB>(text, at)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let (path, search) = split_at_byte(url.after_authority(), b'?');
        let mut fields = modern_user_and_password_fields(url);
        fields.extend(host_and_port_fields(url));
        fields.push(("path", value_or_null(path.strip_prefix(b"/"))));
        fields.push(("search", value_or_null(search)));
        fields
    }
}
