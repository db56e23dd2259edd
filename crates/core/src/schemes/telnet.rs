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

use super::{end, host_and_port, user_and_password};
use crate::fault::Fault;
use crate::login;
use crate::parts::Parts;
use crate::scheme::Authority;
use crate::{Fields, Url};

pub(crate) fn rfc1738(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault> {
    let authority = login::slashes(text, at)?;
    let at = login::login(text, authority, parts)?;
    end(text, at + usize::from(at < text.len()))
}

pub(crate) fn rfc3986<const WEB: bool>(
    text: &[u8],
    at: usize,
    parts: &mut Parts,
) -> Result<(), Fault> {
    let authority = login::slashes(text, at)?;
    let at = login::authority::<WEB>(text, authority, Authority::WITH_HOST, parts)?;
    end(text, at + usize::from(text.get(at) == Some(&b'/')))
}

pub(crate) fn components<'u>(url: &Url<'u>) -> Fields<'u> {
    let mut fields = user_and_password(url);
    fields.extend(host_and_port(url));
    fields
}
