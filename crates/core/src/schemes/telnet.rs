//! telnet, RFC 1738 §3.8, RFC 4248, and tn3270, RFC 6270.
//!
//! ```text
//! RFC 1738:
//! telneturl  = "telnet://" login [ "/" ]
//!
//! RFC 4248, RFC 6270:
//! telnet-uri = "telnet://" auth-nonempty [ "/" ]
//! tn3270-uri = "tn3270://" auth-nonempty [ "/" ]
//! ```

use super::rules::{Rules, expect_end, host_and_port_fields, user_and_password_fields};
use crate::fault::Fault;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::{Code, Fields, Url, login};

/// The rules of the schemes `telnet` and `tn3270`: their parsers, components, semantics
/// and findings.
pub(crate) struct Telnet;

impl Rules for Telnet {
    const RFC1738: &'static str = "://<login>/?";
    const RFC3986: &'static str = "://<authnonempty>/?";

    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_ip_schemepart(text, at, parts)?;
        expect_end(text, at + usize::from(at < text.len()))
    }

    fn parse_rfc3986<const WEB: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_net_path::<WEB>(text, at, parts)?;
        expect_end(text, at + usize::from(text.get(at) == Some(&b'/')))
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let mut fields = user_and_password_fields(url);
        fields.extend(host_and_port_fields(url));
        fields
    }

    fn error_code(_: &Reading<'_>, _: usize) -> Code {
        Code::TelnetPath
    }
}
