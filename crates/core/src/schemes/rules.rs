//! The trait that each scheme implements, and functions that several schemes share.

use crate::bytes::{PATH, QUERY, Set, UNRESERVED};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::form::Form;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::value::value_or_null;
use crate::{Code, Fields, Url, Value, escape};
use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// A function that adds the findings about a valid URL.
pub(crate) type FindingsOf = fn(&mut Collector<'_, '_>);

/// The parsers, components, semantics and findings of a scheme. Schemes that differ only in their
/// row of the scheme table, such as http and https, share an implementation.
pub(crate) trait Rules {
    /// The production of RFC 1738, without the scheme's name, in the syntax of
    /// [`grammar`](crate::grammar). Unused if RFC 1738 has no production.
    const RFC1738: &'static str;

    /// The production of RFC 3986 and the scheme's own document, in the same syntax.
    const RFC3986: &'static str;

    /// The function that adds the scheme's own findings, or `None` if it has none.
    const FINDINGS: Option<FindingsOf> = None;

    /// The characters that are never escaped in the normal form of URLs by RFC 3986.
    const UNESCAPED: Set = UNRESERVED;

    /// Parses `text[at..]`, the text after the scheme and its colon, by RFC 1738. Stores the
    /// offsets of the parts in `parts`. If `REPAIR` is true, characters that profile `web` repairs
    /// are accepted.
    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault>;

    /// Parses `text[at..]`, the text after the scheme and its colon, by RFC 3986 and the scheme's
    /// own document. Stores the offsets of the parts in `parts`. If `WEB` is true, the repairs and
    /// additional rules of profile `web` apply.
    fn parse_rfc3986<const WEB: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault>;

    /// Returns the named parts of the URL, as written.
    fn components<'u>(url: &Url<'u>) -> Fields<'u>;

    /// Returns the fields that describe the meaning of the URL. By default, this is only the
    /// effective port.
    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        vec![effective_port_field(url)]
    }

    /// Returns the code of the rule that an invalid URL violates at the given offset, where the
    /// viable prefix of the URL ends. This is called only if no rule that all schemes share is
    /// violated at that offset.
    fn error_code(_: &Reading<'_>, _: usize) -> Code {
        Code::CharReserved
    }

    /// Returns the code of the rule that an invalid URL violates at the given offset. Returns
    /// `None` if that rule doesn't take precedence over the rules that all schemes share.
    fn overriding_error_code(_: &Reading<'_>, _: usize) -> Option<Code> {
        None
    }

    /// Returns the offsets at which the scheme expects escaped control characters in the URL.
    /// Control characters at these offsets are not reported as findings.
    fn expected_controls(_: &Url<'_>) -> Controls {
        Controls::default()
    }

    /// Appends the text between the URL's authority and its fragment to the normal form.
    fn normalize_after_authority(url: &Url<'_>, form: &mut Form<'_>) {
        form.write_after_authority(url);
    }
}

/// The offsets in a URL at which its scheme expects escaped control characters.
#[derive(Default)]
pub(crate) struct Controls {
    /// The offsets of escaped tabs that separate parts.
    pub(crate) tabs: [Option<usize>; 2],
    /// The offset from which on escaped line breaks are expected.
    pub(crate) lines: Option<usize>,
}

/// Returns a fault at byte `at` unless the text ends there.
#[inline]
pub(super) fn expect_end(text: &[u8], at: usize) -> Result<(), Fault> {
    if at == text.len() { Ok(()) } else { Err(Fault::at(at)) }
}

/// Returns the offset after `byte` if this byte is at `at`, and a fault at `at` otherwise.
#[inline]
pub(super) fn expect_byte(text: &[u8], at: usize, byte: u8) -> Result<usize, Fault> {
    if text.get(at) == Some(&byte) { Ok(at + 1) } else { Err(Fault::at(at)) }
}

/// Returns the URL's user name and password, as written, as the fields `user` and `password`.
pub(super) fn user_and_password_fields<'u>(url: &Url<'u>) -> Fields<'u> {
    vec![("user", value_or_null(url.user())), ("password", value_or_null(url.password()))]
}

/// Returns the fields `user` and `password` if the URL's profile includes RFC 3986, and an empty
/// list otherwise. Call this for schemes in which RFC 3986 allows user names and RFC 1738 doesn't.
pub(super) fn modern_user_and_password_fields<'u>(url: &Url<'u>) -> Fields<'u> {
    if url.is_modern() { user_and_password_fields(url) } else { Vec::new() }
}

/// Returns the URL's host and port, as written, as the fields `host` and `port`.
pub(super) fn host_and_port_fields<'u>(url: &Url<'u>) -> Fields<'u> {
    vec![("host", value_or_null(url.host())), ("port", value_or_null(url.port()))]
}

/// Returns the port to connect to as the field `port`: the one in the URL, or the scheme's default.
pub(super) fn effective_port_field<'u>(url: &Url<'u>) -> (&'static str, Value<'u>) {
    ("port", url.effective_port().map_or(Value::Null, |port| Value::Number(port.into())))
}

/// Returns `part` as a value, with percent-escapes decoded.
pub(super) fn decoded_value(part: &[u8]) -> Value<'_> {
    Value::Bytes(escape::decode_escapes(part))
}

/// Returns `octets` as the value of a field.
pub(super) fn bytes_value<'u>(octets: Vec<u8>) -> Value<'u> {
    Value::Bytes(Cow::Owned(octets))
}

/// Returns the field `refused`, which contains the reason why a command with a line break is
/// omitted.
pub(super) fn refused_field<'u>() -> (&'static str, Value<'u>) {
    ("refused", Value::Text(Code::SecurityEncodedCrlf.name().to_string()))
}

/// True if `part` contains a line break after decoding percent-escapes.
pub(super) fn contains_line_break(part: &[u8]) -> bool {
    escape::decode_octets(part).any(|octet| matches!(octet, b'\r' | b'\n'))
}

/// Splits `part` at the first byte `delimiter`. The second part is `None` if `part` contains no
/// delimiter.
pub(super) fn split_at_byte(part: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    match part.iter().position(|&b| b == delimiter) {
        Some(at) => (&part[..at], Some(&part[at + 1..])),
        None => (part, None),
    }
}

/// Parses `path-abempty [ "?" query ]` of RFC 3986 from byte `at` to the end of the text.
#[inline]
pub(super) fn parse_path_and_query<const WEB: bool>(
    text: &[u8],
    mut at: usize,
) -> Result<(), Fault> {
    at = escape::run_end::<WEB, WEB>(text, at, PATH)?;
    if text.get(at) == Some(&b'?') {
        at = escape::run_end::<WEB, WEB>(text, at, QUERY)?;
    }
    expect_end(text, at)
}

/// Appends a finding to `found` if the name of the newsgroup, `group`, has an empty component
/// (`comp..lang`).
pub(super) fn check_group_form<'u>(found: &mut Collector<'u, '_>, group: &'u [u8]) {
    if let Some(empty) = group.split(|&b| b == b'.').find(|component| component.is_empty())
        && !group.is_empty()
    {
        found.add_for_part(Code::NewsGroupForm, empty);
    }
}
