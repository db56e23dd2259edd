//! The functions that parse a URL.

use crate::bytes::{self, ALPHA, SCHEME, XCHAR};
use crate::fault::Fault;
use crate::host_name::first_bad_label;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::scheme::{Grammar, Scheme};
use crate::schemes::rules_of;
use crate::{Code, Profile, Span, Url, Violation, cern, escape, fast};

/// Parses and validates `text` as a URL by the rules of `profile`.
///
/// A fragment (`#top`) is not allowed in [`Profile::Rfc1738`]. [`Profile::Rfc3986`] allows one in
/// some schemes, and [`Profile::Web`] in all. Use [`parse_reference`] to always allow a fragment.
///
/// Takes one pass in linear time, without allocation.
///
/// # Errors
///
/// Returns the first [`Violation`] by offset.
///
/// # Example
///
/// ```
/// use urlsift_core::{Code, Profile, parse};
///
/// let url = parse(b"gopher://gopher.tc.umn.edu:70/11/Information", Profile::Web).unwrap();
/// assert_eq!(url.host(), Some(&b"gopher.tc.umn.edu"[..]));
///
/// let violation = parse(b"http:/host.dom/", Profile::Web).unwrap_err();
/// assert_eq!(violation.code, Code::CissSlashes);
/// ```
#[inline]
pub fn parse(text: &[u8], profile: Profile) -> Result<Url<'_>, Violation> {
    parse_with(text, profile, false)
}

/// Parses and validates `text` as a URL that may be followed by a `#fragment`, in any profile and
/// scheme.
///
/// Takes one pass in linear time, without allocation.
///
/// # Errors
///
/// Returns the first [`Violation`] by offset. The text before the first `#` is checked before the
/// text after it.
///
/// # Example
///
/// ```
/// use urlsift_core::{Profile, parse, parse_reference};
///
/// let url = parse_reference(b"news:comp.lang.c#faq", Profile::Rfc1738).unwrap();
/// assert_eq!(url.fragment(), Some(&b"faq"[..]));
/// assert!(parse(b"news:comp.lang.c#faq", Profile::Rfc1738).is_err());
/// ```
#[inline(always)]
pub fn parse_reference(text: &[u8], profile: Profile) -> Result<Url<'_>, Violation> {
    parse_with(text, profile, true)
}

/// Parses a URL. If `reference` is true, a fragment is allowed in any scheme and profile.
#[inline(always)]
fn parse_with(text: &[u8], profile: Profile, reference: bool) -> Result<Url<'_>, Violation> {
    if profile == Profile::Web
        && let Some(parts) = fast::parse_plain(text)
    {
        return Ok(Url { text, profile, reference, parts });
    }
    parse_slow(text, profile, reference)
}

/// Parses any URL, plain or not. This slow path is never inlined, because most URLs are plain and
/// parsed by [`fast::parse_plain`].
#[inline(never)]
fn parse_slow(text: &[u8], profile: Profile, reference: bool) -> Result<Url<'_>, Violation> {
    let url = |parts| Url { text, profile, reference, parts };
    match profile {
        Profile::Web => parse_web(text).map(url),
        Profile::Rfc1738 => parse_rfc1738(text, reference).map(url),
        Profile::Rfc3986 => parse_rfc3986(text, reference).map(url),
        Profile::Cern1994 => cern::parse_cern(text).map(url),
    }
}

/// Returns the offset of the colon after the scheme. The first character of the scheme must be in
/// the character set `first`.
#[inline]
fn scheme_colon(text: &[u8], first: bytes::Set) -> Result<usize, Violation> {
    let at =
        if bytes::byte_at_is_in(text, 0, first) { bytes::skip_set(text, 1, SCHEME) } else { 0 };
    match text.get(at) {
        Some(b':') if at > 0 => Ok(at),
        Some(byte) => {
            let code = if *byte == b':' { Code::SchemeMissing } else { Code::SchemeChar };
            let length = crate::iri::decode_char_at(text, at).map_or(1, char::len_utf8);
            Err(Violation { code, span: Span::new(at, at + length) })
        }
        None => Err(Violation { code: Code::SchemeMissing, span: Span::new(at, at) }),
    }
}

/// Returns the offset of the first `#` in `text`, or the text's length if there is none.
fn hash_or_end(text: &[u8]) -> usize {
    text.iter().position(|&b| b == b'#').unwrap_or(text.len())
}

/// Returns the length in bytes of the longest prefix of `text` that some RFC 1738 URL starts with.
///
/// If this is the length of `text`, the text is valid or can be completed to a valid URL. Rules
/// outside the grammar are ignored: for example, any mailto address is accepted.
///
/// ```
/// use urlsift_core::viable_prefix_len;
/// assert_eq!(viable_prefix_len(b"http://host.dom/~joe"), 16);
/// assert_eq!(viable_prefix_len(b"ftp://ho_st"), 11); // `@host/` may follow
/// ```
pub fn viable_prefix_len(text: &[u8]) -> usize {
    let colon = match scheme_colon(text, SCHEME) {
        Ok(colon) => colon,
        Err(violation) => return violation.span.start,
    };
    let named = Scheme::by_name(&text[..colon]);
    let scheme = if named.is_rfc1738() { named } else { Scheme::Other };
    let mut parts = Parts::new(scheme, Grammar::Rfc1738, colon);
    match (rules_of(parts.scheme).rfc1738)(text, colon + 1, &mut parts) {
        Err(Fault { at, prose: None }) => at,
        Ok(()) | Err(_) => text.len(),
    }
}

/// Parses a URL by RFC 1738. If `allow_fragment` is true, it may have a fragment.
fn parse_rfc1738(text: &[u8], allow_fragment: bool) -> Result<Parts, Violation> {
    let end = if allow_fragment { hash_or_end(text) } else { text.len() };
    let url = &text[..end];
    let colon = scheme_colon(url, SCHEME).map_err(|v| widen_to_hash(v, text))?;
    let named = Scheme::by_name(&url[..colon]);
    let scheme = if named.is_rfc1738() { named } else { Scheme::Other };
    let mut parts = Parts::new(scheme, Grammar::Rfc1738, colon);
    parts.end = end;
    let reading = Reading { text: url, scheme, grammar: Grammar::Rfc1738, web: false, colon };
    (rules_of(parts.scheme).rfc1738)(url, colon + 1, &mut parts)
        .map_err(|fault| widen_to_hash(reading.violation_of(fault), text))?;
    if end < text.len() {
        let stop = escape::run_end::<false, false>(text, end + 1, XCHAR);
        check_fragment(Reading { text, ..reading }, stop)?;
    }
    Ok(parts)
}

/// Parses a URL by RFC 3986 and by the scheme's own document. If `allow_fragment` is true, it may
/// have a fragment in any scheme.
fn parse_rfc3986(text: &[u8], allow_fragment: bool) -> Result<Parts, Violation> {
    let split = hash_or_end(text);
    let seen = if allow_fragment { &text[..split] } else { text };
    let colon = scheme_colon(seen, ALPHA).map_err(|v| widen_to_hash(v, text))?;
    let scheme = Scheme::by_name(&text[..colon]);
    let end = if allow_fragment || scheme.has_fragment() { split } else { text.len() };
    let url = &text[..end];
    let mut parts = Parts::new(scheme, Grammar::Rfc3986, colon);
    parts.end = end;
    let reading = Reading { text: url, scheme, grammar: Grammar::Rfc3986, web: false, colon };
    (rules_of(parts.scheme).rfc3986)(url, colon + 1, &mut parts)
        .map_err(|fault| widen_to_hash(reading.violation_of(fault), text))?;
    if end < text.len() {
        check_fragment(Reading { text, ..reading }, escape::fragment_end::<false>(text, end + 1))?;
    }
    Ok(parts)
}

/// Parses a URL, with or without a fragment, by the rules of profile `web`.
///
/// Searches for a fragment only if the whole text fails to parse. Most URLs have none, and no
/// character set contains `#`, so a fragment is never parsed as another part.
fn parse_web(text: &[u8]) -> Result<Parts, Violation> {
    if let Ok(colon) = scheme_colon(text, ALPHA) {
        let mut parts = Parts::new(Scheme::by_name(&text[..colon]), Grammar::Rfc3986, colon);
        parts.end = text.len();
        if (rules_of(parts.scheme).web)(text, colon + 1, &mut parts).is_ok() {
            return Ok(parts);
        }
    }
    let end = hash_or_end(text);
    let parts = parse_web_before_fragment(&text[..end], text)?;
    if end < text.len() {
        let Parts { scheme, colon, .. } = parts;
        let reading = Reading { text, scheme, grammar: Grammar::Rfc3986, web: true, colon };
        check_fragment(reading, escape::fragment_end::<true>(text, end + 1))?;
    }
    Ok(parts)
}

/// Parses `url` by the rules of profile `web`. `url` is `text` without its fragment.
fn parse_web_before_fragment(url: &[u8], text: &[u8]) -> Result<Parts, Violation> {
    let colon = scheme_colon(url, ALPHA).map_err(|v| widen_to_hash(v, text))?;
    let scheme = Scheme::by_name(&url[..colon]);
    let mut parts = Parts::new(scheme, Grammar::Rfc3986, colon);
    parts.end = url.len();
    match (rules_of(parts.scheme).web)(url, colon + 1, &mut parts) {
        Ok(()) => Ok(parts),
        Err(fault) => parse_web_by_rfc1738(url, text, scheme, colon, fault),
    }
}

/// Parses a URL in profile `web` by RFC 1738, after RFC 3986 rejected it with `fault`. The profile
/// accepts URLs that are valid by either RFC. On failure, returns the violation of RFC 3986.
#[cold]
fn parse_web_by_rfc1738(
    url: &[u8],
    text: &[u8],
    scheme: Scheme,
    colon: usize,
    fault: Fault,
) -> Result<Parts, Violation> {
    let reading = Reading { text: url, scheme, grammar: Grammar::Rfc3986, web: true, colon };
    if scheme.is_rfc1738() {
        let mut parts = Parts::new(scheme, Grammar::Rfc1738, colon);
        parts.end = url.len();
        let read = match reading.authority_span() {
            // An RFC 1738 Message-ID may look like an authority. In this case, its host must be
            // valid in profile `web`, and no repairs apply.
            Some(authority) if !scheme.needs_slashes() => {
                let name = url[authority.range()].rsplit(|&b| b == b'@').next();
                match name.and_then(|name| first_bad_label(name, false)) {
                    Some(_) => Err(fault),
                    None => (rules_of(parts.scheme).rfc1738)(url, colon + 1, &mut parts),
                }
            }
            _ => (rules_of(parts.scheme).rfc1738_repaired)(url, colon + 1, &mut parts),
        };
        if read.is_ok() {
            return Ok(parts);
        }
    }
    Err(widen_to_hash(reading.violation_of(fault), text))
}

/// Validates a fragment, given the end of the run of its valid characters (or the fault in it) as
/// `stop`. Returns the violation if characters follow.
fn check_fragment(reading: Reading<'_>, stop: Result<usize, Fault>) -> Result<(), Violation> {
    match stop {
        Ok(at) if at == reading.text.len() => Ok(()),
        Ok(at) | Err(Fault { at, .. }) => Err(reading.fragment_violation(at, stop.is_err())),
    }
}

/// Extends an empty violation at the end of a URL by one byte, so that it covers the `#` of the
/// fragment in `text`. Other violations are unchanged.
fn widen_to_hash(violation: Violation, text: &[u8]) -> Violation {
    let Span { start, end } = violation.span;
    if start == end && start < text.len() {
        return Violation { span: Span::new(start, start + 1), ..violation };
    }
    violation
}
