//! What a scheme has to say for itself, and what several of them share.

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

/// The rules of a scheme, or of two that differ in nothing but what their rows tell.
pub(crate) trait Rules {
    /// RFC 1738's production from behind the scheme's name on, as [`grammar`](crate::grammar) has it. Of
    /// no use where RFC 1738 has none.
    const RFC1738: &'static str;

    /// The production of RFC 3986 and the scheme's own document, likewise.
    const RFC3986: &'static str;

    /// What is doubtful about a valid URL, beyond what is said of any.
    const FINDINGS: Option<FindingsOf> = None;

    /// The characters that the form to compare by never escapes, in a URL of the later documents.
    const UNESCAPED: Set = UNRESERVED;

    /// Reads what follows the scheme's colon, at `at`, by RFC 1738. `MEND`: with the repairs of profile
    /// `web`.
    fn rfc1738<const MEND: bool>(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault>;

    /// Reads what follows the scheme's colon, at `at`, by RFC 3986 and the scheme's own document. `WEB`:
    /// with the repairs and the further rules of profile `web`.
    fn rfc3986<const WEB: bool>(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault>;

    /// The parts of the URL, as written.
    fn components<'u>(url: &Url<'u>) -> Fields<'u>;

    /// What the parts mean.
    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        vec![port(url)]
    }

    /// The rule of the scheme's own that is broken at `at`, where no rule that all share is.
    fn error(_: &Reading<'_>, _: usize) -> Code {
        Code::CharReserved
    }

    /// A rule of the scheme's own that goes before those that all share.
    fn early_error(_: &Reading<'_>, _: usize) -> Option<Code> {
        None
    }

    /// The escaped control characters that the scheme has a use for.
    fn controls(_: &Url<'_>) -> Controls {
        Controls::default()
    }

    /// Adds what follows the authority to the form to compare by.
    fn normalize_tail(url: &Url<'_>, form: &mut Form<'_>) {
        form.tail(url);
    }
}

/// Where in a URL escaped control characters are as they should be.
#[derive(Default)]
pub(crate) struct Controls {
    /// Where tabs stand that part something.
    pub(crate) tabs: [Option<usize>; 2],
    /// From where on line breaks part lines.
    pub(crate) lines: Option<usize>,
}

/// Nothing may follow.
#[inline]
pub(super) fn end(text: &[u8], at: usize) -> Result<(), Fault> {
    if at == text.len() { Ok(()) } else { Err(Fault::at(at)) }
}

/// The byte after the one that must stand at `at`.
#[inline]
pub(super) fn expect(text: &[u8], at: usize, byte: u8) -> Result<usize, Fault> {
    if text.get(at) == Some(&byte) { Ok(at + 1) } else { Err(Fault::at(at)) }
}

/// `user` and `password`, where the productions of all profiles have them.
pub(super) fn user_and_password<'u>(url: &Url<'u>) -> Fields<'u> {
    vec![("user", optional(url.user())), ("password", optional(url.password()))]
}

/// `user` and `password`, where only the later productions have them.
pub(super) fn later_user_and_password<'u>(url: &Url<'u>) -> Fields<'u> {
    if url.is_modern() { user_and_password(url) } else { Vec::new() }
}

/// `host` and `port`.
pub(super) fn host_and_port<'u>(url: &Url<'u>) -> Fields<'u> {
    vec![("host", optional(url.host())), ("port", optional(url.port()))]
}

/// The effective `port`.
pub(super) fn port<'u>(url: &Url<'u>) -> (&'static str, Value<'u>) {
    ("port", url.effective_port().map_or(Value::Null, |port| Value::Number(port.into())))
}

/// The octets that a part stands for.
pub(super) fn decoded(part: &[u8]) -> Value<'_> {
    Value::Bytes(escape::decode_escapes(part))
}

/// Octets made for this occasion.
pub(super) fn made<'u>(octets: Vec<u8>) -> Value<'u> {
    Value::Bytes(Cow::Owned(octets))
}

/// The word that stands for a command that is not given, as it would hold a line break.
pub(super) fn refused<'u>() -> (&'static str, Value<'u>) {
    ("refused", Value::Text(Code::SecurityEncodedCrlf.name().to_string()))
}

/// Whether the part stands for octets that hold a line break.
pub(super) fn breaks_line(part: &[u8]) -> bool {
    escape::octets(part).any(|octet| matches!(octet, b'\r' | b'\n'))
}

/// The part before the first `delimiter`, and the part behind it if there is one.
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

/// Says so of a newsgroup that has an empty component.
pub(super) fn group_form<'u>(found: &mut Collector<'u, '_>, group: &'u [u8]) {
    if let Some(empty) = group.split(|&b| b == b'.').find(|component| component.is_empty())
        && !group.is_empty()
    {
        found.add_at(Code::NewsGroupForm, empty);
    }
}
