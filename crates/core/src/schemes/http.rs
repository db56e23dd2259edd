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

use super::rules::{Rules, cut, end, host_and_port, modern_user_and_password, path_and_query};
use crate::bytes::{HPATH, SEARCH};
use crate::fault::Fault;
use crate::parts::Parts;
use crate::value::optional;
use crate::{Fields, Url, escape, login};

/// The parsers, components, semantics and findings of the schemes `http` and `https`.
pub(crate) struct Http;

impl Rules for Http {
    const RFC1738: &'static str = "://<hostport>(?:/<hpath>(?:\\?<search>)?)?";
    const RFC3986: &'static str = "://<authnonempty><abempty>(?:\\?<query>)?(?:#<query>)?";

    fn rfc1738<const REPAIR: bool>(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault> {
        let mut at = login::ip_schemepart(text, at, parts)?;
        if at < text.len() {
            at = escape::run_end::<REPAIR, false>(text, at + 1, HPATH)?;
            if text.get(at) == Some(&b'?') {
                at = escape::run_end::<REPAIR, false>(text, at + 1, SEARCH)?;
            }
        }
        end(text, at)
    }

    #[inline]
    fn rfc3986<const WEB: bool>(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault> {
        let at = login::net_path::<WEB>(text, at, parts)?;
        path_and_query::<WEB>(text, at)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let (path, search) = cut(url.tail(), b'?');
        let mut fields = modern_user_and_password(url);
        fields.extend(host_and_port(url));
        fields.push(("path", optional(path.strip_prefix(b"/"))));
        fields.push(("search", optional(search)));
        fields
    }
}
