//! Parses authorities: the common Internet scheme syntax of RFC 1738 §3.1, and the authority of RFC
//! 3986 §3.2.
//!
//! A user name looks like a host until its `@`. The parsers first try host and port, which is
//! nearly always right, and then a user name. If both fail, the later of the two offsets is the
//! fault: up to there, the text could still become a valid URL.

use crate::bytes::{self, ALPHA, DIGIT, HEX, HOSTNAME, REG_NAME, USER, USERINFO};
use crate::escape;
use crate::fault::Fault;
use crate::host_name::first_bad_label;
use crate::parts::Parts;
use crate::scheme::Authority;

/// Returns the offset after the `//` at byte `at`, or a fault if there is none.
#[inline]
pub(crate) fn expect_slashes(text: &[u8], at: usize) -> Result<usize, Fault> {
    match text.get(at..) {
        Some([b'/', b'/', ..]) => Ok(at + 2),
        Some([b'/', ..]) => Err(Fault::at(at + 1)),
        _ => Err(Fault::at(at)),
    }
}

/// Parses `ip-schemepart = "//" login` of RFC 1738, or `"//" hostport` if the scheme has no user
/// names. Returns its end, at which a `/` or the end of the text must be.
#[inline]
pub(crate) fn parse_ip_schemepart(
    text: &[u8],
    at: usize,
    parts: &mut Parts,
) -> Result<usize, Fault> {
    let start = expect_slashes(text, at)?;
    if parts.scheme.has_login() {
        parse_login(text, start, parts)
    } else {
        parse_hostport(text, start, parts)
    }
}

/// Parses `login = [ user [ ":" password ] "@" ] hostport` of RFC 1738. Returns its end, at which a
/// `/` or the end of the text must be.
pub(crate) fn parse_login(text: &[u8], start: usize, parts: &mut Parts) -> Result<usize, Fault> {
    let host_fault = match parse_hostport(text, start, parts) {
        Ok(end) => return Ok(end),
        Err(fault) => fault,
    };
    let furthest = |fault: Fault| Fault::at(fault.at.max(host_fault.at));
    let mut end = escape::run_end::<false, false>(text, start, USER).map_err(furthest)?;
    let mut password = None;
    if text.get(end) == Some(&b':') {
        password = Some(end);
        end = escape::run_end::<false, false>(text, end + 1, USER).map_err(furthest)?;
    }
    if text.get(end) != Some(&b'@') {
        return Err(furthest(Fault::at(end)));
    }
    let authority_end = parse_hostport(text, end + 1, parts)?;
    parts.authority = start;
    parts.at_sign = end;
    if let Some(colon) = password {
        parts.password = colon;
    }
    Ok(authority_end)
}

/// Parses `hostport = host [ ":" port ]` of RFC 1738. Returns its end, at which a `/` or the end of
/// the text must be.
#[inline]
pub(crate) fn parse_hostport(text: &[u8], start: usize, parts: &mut Parts) -> Result<usize, Fault> {
    let host_end = parse_host(text, start)?;
    let mut end = host_end;
    if text.get(end) == Some(&b':') {
        end = bytes::skip_set(text, host_end + 1, DIGIT);
        if end == host_end + 1 {
            return Err(Fault::at(end));
        }
    }
    if !matches!(text.get(end), None | Some(b'/')) {
        return Err(Fault::at(end));
    }
    parts.authority = start;
    parts.host_end = host_end;
    parts.authority_end = end;
    Ok(end)
}

/// Parses `host = hostname / hostnumber` of RFC 1738 and returns its end. The caller must check the
/// byte that follows.
#[inline]
pub(crate) fn parse_host(text: &[u8], start: usize) -> Result<usize, Fault> {
    let mut at = start;
    let mut labels = 0;
    let mut numeric = true;
    loop {
        let label = at;
        let Some(&first) = text.get(at).filter(|&&b| bytes::is_in(b, ALPHA | DIGIT)) else {
            return Err(Fault::at(at));
        };
        let mut last = first;
        while let Some(&byte) = text.get(at)
            && bytes::is_in(byte, HOSTNAME)
            && byte != b'.'
        {
            numeric &= bytes::is_in(byte, DIGIT);
            last = byte;
            at += 1;
        }
        debug_assert!(at > label);
        labels += 1;
        if last == b'-' {
            return Err(Fault::at(at));
        }
        if text.get(at) == Some(&b'.') {
            at += 1;
        } else if bytes::is_in(first, ALPHA) || numeric && labels == 4 {
            return Ok(at);
        } else {
            return Err(Fault::at(at));
        }
    }
}

/// Parses `"//" authority` by RFC 3986. Returns its end, at which a `/`, a `?` or the end of the
/// text must be.
#[inline]
pub(crate) fn parse_net_path<const WEB: bool>(
    text: &[u8],
    at: usize,
    parts: &mut Parts,
) -> Result<usize, Fault> {
    parse_authority::<WEB>(text, expect_slashes(text, at)?, parts)
}

/// Parses an authority by RFC 3986 and by the scheme's own document. Returns its end, at which a
/// `/`, a `?` or the end of the text must be.
#[inline]
pub(crate) fn parse_authority<const WEB: bool>(
    text: &[u8],
    start: usize,
    parts: &mut Parts,
) -> Result<usize, Fault> {
    let Some(requirements) = parts.scheme.authority() else { return Err(Fault::at(start)) };
    let host_fault = match parse_host_and_port::<WEB>(text, start, requirements, parts) {
        Ok(end) => return Ok(end),
        Err(fault) => fault,
    };
    if !requirements.userinfo {
        return Err(host_fault);
    }
    parse_authority_with_userinfo::<WEB>(text, start, requirements, parts, host_fault)
}

/// Parses an authority that starts with a user name, and returns its end. `host_fault` is the error
/// of parsing the authority without a user name.
///
/// This is never inlined, because user names are rare.
#[inline(never)]
fn parse_authority_with_userinfo<const WEB: bool>(
    text: &[u8],
    start: usize,
    requirements: Authority,
    parts: &mut Parts,
    host_fault: Fault,
) -> Result<usize, Fault> {
    let furthest = |fault: Fault| Fault::at(fault.at.max(host_fault.at));
    let at_sign = escape::run_end::<false, WEB>(text, start, USERINFO).map_err(furthest)?;
    if text.get(at_sign) != Some(&b'@') {
        return Err(furthest(Fault::at(at_sign)));
    }
    let end = parse_host_and_port::<WEB>(text, at_sign + 1, requirements, parts)?;
    parts.authority = start;
    parts.at_sign = at_sign;
    if let Some(colon) = text[start..at_sign].iter().position(|&b| b == b':') {
        parts.password = start + colon;
    }
    Ok(end)
}

/// Parses a host and an optional port, and returns the end of both. `requirements` are the scheme's
/// requirements, e.g. that the host must not be empty.
#[inline]
fn parse_host_and_port<const WEB: bool>(
    text: &[u8],
    start: usize,
    requirements: Authority,
    parts: &mut Parts,
) -> Result<usize, Fault> {
    let host_end = if text.get(start) == Some(&b'[') {
        parse_ip_literal(text, start)?
    } else if WEB {
        parse_dns_name(text, start)?
    } else {
        escape::run_end::<false, false>(text, start, REG_NAME)?
    };
    if requirements.host && host_end == start {
        return Err(Fault::at(start));
    }
    let mut end = host_end;
    if requirements.port && text.get(end) == Some(&b':') {
        end = bytes::skip_set(text, host_end + 1, DIGIT);
    }
    if !matches!(text.get(end), None | Some(b'/' | b'?')) {
        return Err(Fault::at(end));
    }
    parts.authority = start;
    parts.host_end = host_end;
    parts.authority_end = end;
    Ok(end)
}

/// Parses a host name (`reg-name`) that DNS could contain, as profile `web` requires, and returns
/// its end. No label may be empty, except after a final dot, and none may start or end with a
/// hyphen.
#[inline]
fn parse_dns_name(text: &[u8], start: usize) -> Result<usize, Fault> {
    let mut at = start;
    // Start as if after a dot, so that neither a dot nor a hyphen may come first.
    let mut last = b'.';
    while let Some(&byte) = text.get(at)
        && bytes::is_in(byte, HOSTNAME)
    {
        if byte == b'.' && matches!(last, b'.' | b'-') || byte == b'-' && last == b'.' {
            return Err(Fault::at(at));
        }
        last = byte;
        at += 1;
    }
    match text.get(at) {
        None | Some(b'/' | b':' | b'?' | b'@') if last == b'-' => Err(Fault::at(at)),
        None | Some(b'/' | b':' | b'?' | b'@') => Ok(at),
        Some(_) => parse_unusual_dns_name(text, start),
    }
}

/// Parses a host name (`reg-name`) that contains other characters than letters, digits, hyphens and
/// dots, and returns its end. Its labels must follow the same rules as in [`parse_dns_name`].
#[inline(never)]
fn parse_unusual_dns_name(text: &[u8], start: usize) -> Result<usize, Fault> {
    let end = escape::run_end::<false, true>(text, start, REG_NAME)?;
    match first_bad_label(&text[start..end], false) {
        // A hyphen at the end of a label is only an error once the label ends there. For an empty
        // label, the error is at the dot.
        Some(label) => Err(Fault::at(start + label.end)),
        None => Ok(end),
    }
}

/// Parses `IP-literal = "[" ( IPv6address / IPvFuture ) "]"`, whose `[` is at byte `start`, and
/// returns its end.
#[inline(never)]
fn parse_ip_literal(text: &[u8], start: usize) -> Result<usize, Fault> {
    let end = match text.get(start + 1) {
        Some(b'v' | b'V') => parse_ip_future(text, start + 2)?,
        _ => parse_ipv6(text, start + 1)?,
    };
    if text.get(end) == Some(&b']') { Ok(end + 1) } else { Err(Fault::at(end)) }
}

/// Parses the rest of an `IPvFuture`, which starts at byte `start` after the `v`, and returns its
/// end.
fn parse_ip_future(text: &[u8], start: usize) -> Result<usize, Fault> {
    let dot = bytes::skip_set(text, start, HEX);
    if dot == start || text.get(dot) != Some(&b'.') {
        return Err(Fault::at(dot));
    }
    let end = bytes::skip_set(text, dot + 1, USERINFO);
    if end == dot + 1 { Err(Fault::at(end)) } else { Ok(end) }
}

/// Parses an IPv6 address (eight groups, or fewer with `::`) and returns its end. A `]` must
/// follow.
fn parse_ipv6(text: &[u8], start: usize) -> Result<usize, Fault> {
    let mut at = start;
    let mut groups = 0;
    let mut gap = false;
    if text.get(at) == Some(&b':') {
        if text.get(at + 1) != Some(&b':') {
            return Err(Fault::at(at + 1));
        }
        gap = true;
        at += 2;
        if text.get(at) == Some(&b']') {
            return Ok(at);
        }
    }
    loop {
        let most = if gap { 7 } else { 8 };
        if groups == most {
            return Err(Fault::at(at));
        }
        let length = bytes::skip_set(text, at, HEX).min(at + 4) - at;
        if length == 0 {
            return Err(Fault::at(at));
        }
        if text.get(at + length) == Some(&b'.') && groups + 2 <= most && (gap || groups == 6) {
            return parse_ipv4(text, at);
        }
        groups += 1;
        at += length;
        match text.get(at) {
            Some(b']') if gap || groups == 8 => return Ok(at),
            Some(b':') if groups < most => at += 1,
            _ => return Err(Fault::at(at)),
        }
        if text.get(at) == Some(&b':') {
            if gap {
                return Err(Fault::at(at));
            }
            gap = true;
            at += 1;
            if text.get(at) == Some(&b']') {
                return Ok(at);
            }
        }
    }
}

/// Parses an `IPv4address` (four numbers up to 255 without leading zeros) and returns its end.
fn parse_ipv4(text: &[u8], start: usize) -> Result<usize, Fault> {
    let mut at = start;
    for group in 0..4 {
        if group > 0 {
            if text.get(at) != Some(&b'.') {
                return Err(Fault::at(at));
            }
            at += 1;
        }
        let end = bytes::skip_set(text, at, DIGIT);
        let octet = match &text[at..end] {
            [] => return Err(Fault::at(at)),
            [b'0', _, ..] => None,
            digits => core::str::from_utf8(digits).ok().and_then(|d| d.parse::<u8>().ok()),
        };
        if octet.is_none() {
            return Err(Fault::at(at + 1));
        }
        at = end;
    }
    Ok(at)
}
