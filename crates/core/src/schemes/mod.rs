//! One room for each scheme: its productions, old and new, and what its parts are and mean.

pub(crate) mod file;
pub(crate) mod ftp;
pub(crate) mod gopher;
pub(crate) mod http;
pub(crate) mod mailto;
pub(crate) mod news;
pub(crate) mod nntp;
pub(crate) mod other;
pub(crate) mod prospero;
pub(crate) mod telnet;
pub(crate) mod wais;

use crate::fault::Fault;
use crate::parts::Parts;
use crate::scheme::Scheme;
use crate::url::optional;
use crate::{Code, Fields, Url, Value, escape};
use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// Reads what follows the scheme's colon by RFC 1738. `MEND`: with the repairs of profile `web`.
#[inline]
pub(crate) fn rfc1738<const MEND: bool>(
    text: &[u8],
    at: usize,
    parts: &mut Parts,
) -> Result<(), Fault> {
    match parts.scheme {
        Scheme::Ftp => ftp::rfc1738::<MEND>(text, at, parts),
        Scheme::Http => http::rfc1738::<MEND>(text, at, parts),
        Scheme::Gopher => gopher::rfc1738::<MEND>(text, at, parts),
        Scheme::Mailto => mailto::rfc1738::<MEND>(text, at),
        Scheme::News => news::rfc1738::<MEND>(text, at),
        Scheme::Nntp => nntp::rfc1738(text, at, parts),
        Scheme::Telnet => telnet::rfc1738(text, at, parts),
        Scheme::Wais => wais::rfc1738::<MEND>(text, at, parts),
        Scheme::File => file::rfc1738::<MEND>(text, at, parts),
        Scheme::Prospero => prospero::rfc1738::<MEND>(text, at, parts),
        Scheme::Https | Scheme::Tn3270 | Scheme::Other => other::rfc1738(text, at, parts),
    }
}

/// Reads what follows the scheme's colon by RFC 3986 and the scheme's own document. `WEB`: with the
/// repairs and the further rules of profile `web`.
#[inline]
pub(crate) fn rfc3986<const WEB: bool>(
    text: &[u8],
    at: usize,
    parts: &mut Parts,
) -> Result<(), Fault> {
    match parts.scheme {
        Scheme::Http | Scheme::Https => http::rfc3986::<WEB>(text, at, parts),
        Scheme::Ftp => ftp::rfc3986::<WEB>(text, at, parts),
        Scheme::Gopher => gopher::rfc3986::<WEB>(text, at, parts),
        Scheme::Mailto => mailto::rfc3986::<WEB>(text, at),
        Scheme::News => news::rfc3986::<WEB>(text, at, parts),
        Scheme::Nntp => nntp::rfc3986::<WEB>(text, at, parts),
        Scheme::Telnet | Scheme::Tn3270 => telnet::rfc3986::<WEB>(text, at, parts),
        Scheme::Wais => wais::rfc3986::<WEB>(text, at, parts),
        Scheme::File => file::rfc3986::<WEB>(text, at, parts),
        Scheme::Prospero => prospero::rfc3986::<WEB>(text, at, parts),
        Scheme::Other => other::rfc3986::<WEB>(text, at, parts),
    }
}

/// Nothing may follow.
#[inline]
pub(crate) fn end(text: &[u8], at: usize) -> Result<(), Fault> {
    if at == text.len() { Ok(()) } else { Err(Fault::at(at)) }
}

/// The byte after the one that must stand at `at`.
#[inline]
pub(crate) fn expect(text: &[u8], at: usize, byte: u8) -> Result<usize, Fault> {
    if text.get(at) == Some(&byte) { Ok(at + 1) } else { Err(Fault::at(at)) }
}

/// The parts of the URL, as written.
pub(crate) fn components<'u>(url: &Url<'u>) -> Fields<'u> {
    match url.parts.scheme {
        Scheme::Http | Scheme::Https => http::components(url),
        Scheme::Ftp => ftp::components(url),
        Scheme::Gopher => gopher::components(url),
        Scheme::Mailto => mailto::components(url),
        Scheme::News => news::components(url),
        Scheme::Nntp => nntp::components(url),
        Scheme::Telnet | Scheme::Tn3270 => telnet::components(url),
        Scheme::Wais => wais::components(url),
        Scheme::File => file::components(url),
        Scheme::Prospero => prospero::components(url),
        Scheme::Other => other::components(url),
    }
}

/// What the parts mean.
pub(crate) fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
    match url.parts.scheme {
        Scheme::Http | Scheme::Https | Scheme::Nntp | Scheme::Telnet | Scheme::Tn3270 => {
            vec![port(url)]
        }
        Scheme::Ftp => ftp::semantics(url),
        Scheme::Gopher => gopher::semantics(url),
        Scheme::Mailto => mailto::semantics(url),
        Scheme::News => news::semantics(url),
        Scheme::Wais => wais::semantics(url),
        Scheme::File => file::semantics(url),
        Scheme::Prospero => prospero::semantics(url),
        Scheme::Other => Vec::new(),
    }
}

/// `user` and `password`, where the productions of all profiles have them.
fn user_and_password<'u>(url: &Url<'u>) -> Fields<'u> {
    vec![("user", optional(url.user())), ("password", optional(url.password()))]
}

/// The same, where only the later productions have them.
fn later_user_and_password<'u>(url: &Url<'u>) -> Fields<'u> {
    if url.is_modern() { user_and_password(url) } else { Vec::new() }
}

/// `host` and `port`.
fn host_and_port<'u>(url: &Url<'u>) -> Fields<'u> {
    vec![("host", optional(url.host())), ("port", optional(url.port()))]
}

/// The effective `port`.
fn port<'u>(url: &Url<'u>) -> (&'static str, Value<'u>) {
    ("port", url.effective_port().map_or(Value::Null, |port| Value::Number(port.into())))
}

/// The octets that a part stands for.
fn decoded(part: &[u8]) -> Value<'_> {
    Value::Bytes(escape::decode(part))
}

/// Octets made for this occasion.
fn made<'u>(octets: Vec<u8>) -> Value<'u> {
    Value::Bytes(Cow::Owned(octets))
}

/// The word that stands for a command that is not given, as it would hold a line break.
fn refused<'u>() -> (&'static str, Value<'u>) {
    ("refused", Value::Text(Code::SecurityEncodedCrlf.name().to_string()))
}

/// Whether the part stands for octets that hold a line break.
fn breaks_line(part: &[u8]) -> bool {
    escape::octets(part).any(|octet| matches!(octet, b'\r' | b'\n'))
}

/// The part before the first `delimiter`, and the part behind it if there is one.
pub(crate) fn cut(part: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    match part.iter().position(|&b| b == delimiter) {
        Some(at) => (&part[..at], Some(&part[at + 1..])),
        None => (part, None),
    }
}
