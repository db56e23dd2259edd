//! file, RFC 1738 §3.10, RFC 8089.
//!
//! ```text
//! RFC 1738:
//! fileurl  = "file://" [ host ] "/" fpath
//!
//! RFC 8089:
//! file-uri = "file:" ( "//" [ host-nonempty ] path-absolute / path-absolute )
//! ```

use super::rules::{Rules, decoded_value, expect_byte, expect_end};
use crate::bytes::{FPATH, PATH};
use crate::fault::Fault;
use crate::parts::Parts;
use crate::value::value_or_null;
use crate::{Fields, Url, Value, escape, login};
use alloc::vec;

/// The rules of the scheme `file`: its parsers, components, semantics and findings.
pub(crate) struct File;

impl Rules for File {
    const RFC1738: &'static str = "://<host>?/<fpath>";
    const RFC3986: &'static str = ":(?://<hostnonempty>?)?<absolute>(?:#<query>)?";

    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let authority = login::expect_slashes(text, at)?;
        let mut host_end = authority;
        if text.get(authority) != Some(&b'/') {
            host_end = login::parse_host(text, authority)?;
        }
        let path = expect_byte(text, host_end, b'/')?;
        parts.authority = authority;
        parts.host_end = host_end;
        parts.authority_end = host_end;
        expect_end(text, escape::run_end::<REPAIR, false>(text, path, FPATH)?)
    }

    fn parse_rfc3986<const WEB: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let mut at = at;
        if text.get(at..).is_some_and(|rest| rest.starts_with(b"//")) {
            at = login::parse_authority::<WEB>(text, at + 2, parts)?;
        }
        let path = expect_byte(text, at, b'/')?;
        // path-absolute: the first segment may only be empty if it is the last.
        if text.get(path) == Some(&b'/') {
            return Err(Fault::at(path));
        }
        expect_end(text, escape::run_end::<WEB, WEB>(text, path, PATH)?)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        vec![("host", value_or_null(url.host())), ("path", value_or_null(url.path_after_slash()))]
    }

    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        let local = url
            .host()
            .is_none_or(|host| host.is_empty() || host.eq_ignore_ascii_case(b"localhost"));
        let segments = url
            .path_after_slash()
            .unwrap_or_default()
            .split(|&b| b == b'/')
            .map(decoded_value)
            .collect();
        vec![("local", Value::Bool(local)), ("segments", Value::List(segments))]
    }
}
