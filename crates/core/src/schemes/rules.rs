//! The interface of a scheme's rules, and functions that several schemes share.

use crate::bytes::{PATH, QUERY, Set, UNRESERVED};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::form::Form;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::value::optional;
use crate::{Code, Fields, Url, Value, escape};
use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// Collects the findings of a valid URL.
pub(crate) type FindingsOf = fn(&mut Collector<'_, '_>);

/// The rules of a scheme, or of two that differ only in their rows.
pub(crate) trait Rules {
    /// RFC 1738's production after the scheme's name, in the syntax of [`grammar`](crate::grammar).
    /// Unused if RFC 1738 has none.
    const RFC1738: &'static str;

    /// The production of RFC 3986 and the scheme's own document, likewise.
    const RFC3986: &'static str;

    /// The scheme's own findings about a valid URL.
    const FINDINGS: Option<FindingsOf> = None;

    /// The characters that the form to compare by never escapes, in a URL of the later documents.
    const UNESCAPED: Set = UNRESERVED;

    /// Parses the text after the scheme's colon, at `at`, by RFC 1738. With `MEND`, the repairs of
    /// profile `web` apply.
    fn rfc1738<const MEND: bool>(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault>;

    /// Parses the text after the scheme's colon, at `at`, by RFC 3986 and the scheme's own
    /// document. With `WEB`, the repairs and additional rules of profile `web` apply.
    fn rfc3986<const WEB: bool>(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault>;

    /// Returns the parts of the URL, as written.
    fn components<'u>(url: &Url<'u>) -> Fields<'u>;

    /// Returns the meaning of the parts.
    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        vec![port(url)]
    }

    /// Returns the scheme's own rule that is violated at `at`, if it is none of the shared rules.
    fn error(_: &Reading<'_>, _: usize) -> Code {
        Code::CharReserved
    }

    /// Returns the scheme's own violation that takes precedence over the shared rules.
    fn early_error(_: &Reading<'_>, _: usize) -> Option<Code> {
        None
    }

    /// Returns the positions of escaped control characters that the scheme uses.
    fn controls(_: &Url<'_>) -> Controls {
        Controls::default()
    }

    /// Adds the rest after the authority to the normal form.
    fn normalize_tail(url: &Url<'_>, form: &mut Form<'_>) {
        form.tail(url);
    }
}

/// The positions in a URL at which escaped control characters are expected.
#[derive(Default)]
pub(crate) struct Controls {
    /// The offsets of tabs that separate parts.
    pub(crate) tabs: [Option<usize>; 2],
    /// The offset from which line breaks separate lines.
    pub(crate) lines: Option<usize>,
}

/// Fails unless the text ends at `at`.
#[inline]
pub(super) fn end(text: &[u8], at: usize) -> Result<(), Fault> {
    if at == text.len() { Ok(()) } else { Err(Fault::at(at)) }
}

/// Returns the offset after the byte that must be at `at`.
#[inline]
pub(super) fn expect(text: &[u8], at: usize, byte: u8) -> Result<usize, Fault> {
    if text.get(at) == Some(&byte) { Ok(at + 1) } else { Err(Fault::at(at)) }
}

/// Returns `user` and `password`, if the productions of all profiles have them.
pub(super) fn user_and_password<'u>(url: &Url<'u>) -> Fields<'u> {
    vec![("user", optional(url.user())), ("password", optional(url.password()))]
}

/// Returns `user` and `password`, if only the later productions have them.
pub(super) fn later_user_and_password<'u>(url: &Url<'u>) -> Fields<'u> {
    if url.is_modern() { user_and_password(url) } else { Vec::new() }
}

/// `host` and `port`.
pub(super) fn host_and_port<'u>(url: &Url<'u>) -> Fields<'u> {
    vec![("host", optional(url.host())), ("port", optional(url.port()))]
}

/// Returns the effective `port`.
pub(super) fn port<'u>(url: &Url<'u>) -> (&'static str, Value<'u>) {
    ("port", url.effective_port().map_or(Value::Null, |port| Value::Number(port.into())))
}

/// Returns the decoded octets of a part.
pub(super) fn decoded(part: &[u8]) -> Value<'_> {
    Value::Bytes(escape::decode_escapes(part))
}

/// Octets made for this occasion.
pub(super) fn made<'u>(octets: Vec<u8>) -> Value<'u> {
    Value::Bytes(Cow::Owned(octets))
}

/// Returns the value for a command that is omitted because it would contain a line break.
pub(super) fn refused<'u>() -> (&'static str, Value<'u>) {
    ("refused", Value::Text(Code::SecurityEncodedCrlf.name().to_string()))
}

/// True if the decoded part contains a line break.
pub(super) fn breaks_line(part: &[u8]) -> bool {
    escape::octets(part).any(|octet| matches!(octet, b'\r' | b'\n'))
}

/// Returns the part before the first `delimiter`, and the part after it if there is one.
pub(super) fn cut(part: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    match part.iter().position(|&b| b == delimiter) {
        Some(at) => (&part[..at], Some(&part[at + 1..])),
        None => (part, None),
    }
}

/// `path-abempty [ "?" query ]`, the path's first byte or the query's `?` being at `at`.
#[inline]
pub(super) fn path_and_query<const WEB: bool>(text: &[u8], mut at: usize) -> Result<(), Fault> {
    at = escape::run::<WEB, WEB>(text, at, PATH)?;
    if text.get(at) == Some(&b'?') {
        at = escape::run::<WEB, WEB>(text, at, QUERY)?;
    }
    end(text, at)
}

/// Adds the finding for a newsgroup with an empty component.
pub(super) fn group_form<'u>(found: &mut Collector<'u, '_>, group: &'u [u8]) {
    if let Some(empty) = group.split(|&b| b == b'.').find(|component| component.is_empty())
        && !group.is_empty()
    {
        found.add_at(Code::NewsGroupForm, empty);
    }
}
