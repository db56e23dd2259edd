//! Validates URLs by the 1994 CERN draft, which is similar to RFC 1630 (profile `cern1994`). Its
//! grammar is ambiguous (`xalphas` contains `:`, `@` and even spaces), so URLs aren't split into
//! parts.
//!
//! ```text
//! fragmentaddress = url [ "#" fragmentid ]
//! generic         = scheme ":" path [ "?" search ]
//! httpaddress     = "http://" hostport [ "/" path ] [ "?" search ]
//! ftpaddress      = "ftp://" login "/" path
//! telnetaddress   = "telnet://" login
//! gopheraddress   = "gopher://" hostport [ "/" gtype [ selector ] ] [ "?" search ]
//! waisaddress     = "wais://" hostport "/" database
//!                   ( [ "?" search ] / "/" wtype "/" digits "/" path )
//! prosperoaddress = "prospero://" hostport "/" path
//! login           = [ user [ ":" password ] "@" ] hostport
//! hostname        = ialpha *( "." ialpha )
//! hostnumber      = digits "." digits "." digits "." digits
//! path            = [ xpalphas *( "/" xpalphas ) [ "/" ] ]
//! search          = xalphas *( "+" xalphas )
//! ialpha          = ALPHA [ xalphas ]
//! xpalpha         = xalpha / "+"
//! ```
//!
//! The parser simplifies three productions without changing which URLs are valid:
//!
//! - A host name is a letter and any xalphas, including the port, because `.` and `:` are xalphas.
//! - Prospero's `%00 version attributes` are xalphas as well, so its path may be any path.
//! - `news:` and similar schemes are covered by `generic`.

use crate::bytes::{self, ALPHA, DIGIT, XALPHA};
use crate::escape;
use crate::fault::Fault;
use crate::host_name::split_four_numbers;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::scheme::{Draft, Grammar, Scheme};
use crate::{Code, Span, Violation};

/// Parses and validates `text` by the 1994 CERN draft. The result contains only the scheme and the
/// end of the URL before its fragment. The draft's grammar is too ambiguous to split a URL further.
pub(crate) fn parse_cern(text: &[u8]) -> Result<Parts, Violation> {
    let colon = scheme_colon(text)?;
    let name = Scheme::by_name(&text[..colon]);
    let mut parts = Parts::new(name, Grammar::Rfc1738, colon);
    let reading =
        Reading { text, scheme: Scheme::Other, grammar: Grammar::Rfc1738, web: false, colon };
    let end = parse_after_scheme(text, name, colon + 1)
        .and_then(|end| {
            if text.get(end) == Some(&b'#') {
                parse_nonempty_xalphas(text, end + 1).map(|e| (end, e))
            } else {
                Ok((end, end))
            }
        })
        .and_then(|(url, end)| if end == text.len() { Ok(url) } else { Err(Fault::at(end)) })
        .map_err(|fault| reading.violation_of(fault))?;
    parts.end = end;
    Ok(parts)
}

/// Returns the offset of the colon after the scheme. A scheme is a letter followed by xalphas (the
/// draft's name for most characters of a URL).
fn scheme_colon(text: &[u8]) -> Result<usize, Violation> {
    let colon = text.iter().position(|&b| b == b':').unwrap_or(text.len());
    let end = match text.first() {
        Some(&first) if bytes::is_in(first, ALPHA) => parse_xalphas(&text[..colon], 0),
        _ => Ok(0),
    };
    match end {
        Ok(end) if end == colon && 0 < end && end < text.len() => Ok(colon),
        Ok(end) | Err(Fault { at: end, .. }) => {
            let code = if end >= text.len() || text.get(end) == Some(&b':') {
                Code::SchemeMissing
            } else {
                Code::SchemeChar
            };
            Err(Violation { code, span: Span::new(end, (end + 1).min(text.len())) })
        }
    }
}

/// Parses the text after the scheme's colon, which starts at byte `start`. Returns the offset at
/// which the URL ends, before a fragment.
fn parse_after_scheme(text: &[u8], scheme: Scheme, start: usize) -> Result<usize, Fault> {
    if text.get(start) != Some(&b'/') {
        return parse_search(text, parse_path(text, start)?);
    }
    let draft = scheme.draft_syntax();
    if draft == Draft::Generic || text.get(start + 1) != Some(&b'/') {
        return Err(Fault::at(start));
    }
    let start = start + 2;
    let end = parse_xalphas(text, start)?;
    let authority = &text[start..end];
    let login = scheme.has_login();
    if !(is_hostport(authority) || login && has_login(authority)) {
        let code = if authority.is_empty() { Code::HostEmpty } else { Code::HostChar };
        // Any xalphas may be the start of a user name.
        let at = if login { end } else { start };
        return Err(Fault::with_code(code, Span::new(at, end.max(at + 1).min(text.len()))));
    }
    let slash = text.get(end) == Some(&b'/');
    match draft {
        Draft::PathAndSearch if slash => parse_search(text, parse_path(text, end + 1)?),
        Draft::GopherItem if slash => {
            let kind = match text.get(end + 1) {
                Some(b'%') => {
                    escape::run_end::<false, false>(&text[..(end + 4).min(text.len())], end + 1, 0)?
                }
                Some(&byte) if bytes::is_in(byte, XALPHA) => end + 2,
                _ => return Err(Fault::at(end + 1)),
            };
            parse_search(text, parse_path(text, kind)?)
        }
        Draft::PathAndSearch | Draft::GopherItem => parse_search(text, end),
        Draft::Nothing => Ok(end),
        _ if !slash => {
            Err(Fault::with_code(Code::PathMissing, Span::new(end, (end + 1).min(text.len()))))
        }
        Draft::WaisForms => parse_wais_path(text, end + 1),
        Draft::Path | Draft::Generic => parse_path(text, end + 1),
    }
}

/// Parses the part of a `wais` URL after the host's slash, which starts at byte `start`. Returns
/// its end.
fn parse_wais_path(text: &[u8], start: usize) -> Result<usize, Fault> {
    let end = parse_nonempty_xalphas(text, start)?;
    if text.get(end) != Some(&b'/') {
        return parse_search(text, end);
    }
    let kind = parse_nonempty_xalphas(text, end + 1)?;
    if text.get(kind) != Some(&b'/') {
        return Err(Fault::at(kind));
    }
    let digits = bytes::skip_set(text, kind + 1, DIGIT);
    if digits == kind + 1 || text.get(digits) != Some(&b'/') {
        return Err(Fault::at(digits));
    }
    parse_path(text, digits + 1)
}

/// True if `text` is a host with an optional port, by the grammar of the draft.
fn is_hostport(text: &[u8]) -> bool {
    match text.first() {
        Some(&first) if bytes::is_in(first, ALPHA) => true,
        Some(_) => {
            let colon = text.iter().position(|&b| b == b':').unwrap_or(text.len());
            let port = text
                .get(colon + 1..)
                .is_none_or(|p| !p.is_empty() && bytes::skip_set(p, 0, DIGIT) == p.len());
            port && split_four_numbers(&text[..colon]).is_some()
        }
        None => false,
    }
}

/// True if `text` contains a user name and a host, i.e. an `@` with text before it and a host after
/// it.
fn has_login(text: &[u8]) -> bool {
    let mut signs = (1..text.len()).filter(|&i| text[i] == b'@');
    let last = text.iter().rposition(|&b| b == b'@').unwrap_or(0);
    signs.any(|i| bytes::byte_at_is_in(text, i + 1, ALPHA))
        || last > 0 && is_hostport(&text[last + 1..])
}

/// Parses an optional search, `[ "?" search ]`, at byte `at`. Returns its end, or `at` if there is
/// none.
fn parse_search(text: &[u8], at: usize) -> Result<usize, Fault> {
    if text.get(at) != Some(&b'?') {
        return Ok(at);
    }
    let mut at = parse_nonempty_xalphas(text, at + 1)?;
    while text.get(at) == Some(&b'+') {
        at = parse_nonempty_xalphas(text, at + 1)?;
    }
    Ok(at)
}

/// Parses the draft's `path` at byte `start` and returns its end.
fn parse_path(text: &[u8], start: usize) -> Result<usize, Fault> {
    let mut at = start;
    loop {
        let segment = at;
        loop {
            at = parse_xalphas(text, at)?;
            if text.get(at) != Some(&b'+') {
                break;
            }
            at += 1;
        }
        // Only the last segment may be empty, but not if it is the first.
        if at == segment || text.get(at) != Some(&b'/') {
            return Ok(at);
        }
        at += 1;
    }
}

/// Returns the end of the run of xalphas that starts at byte `start`. An empty run is a fault.
fn parse_nonempty_xalphas(text: &[u8], start: usize) -> Result<usize, Fault> {
    match parse_xalphas(text, start)? {
        end if end == start => Err(Fault::at(start)),
        end => Ok(end),
    }
}

/// Returns the end of the run of xalphas that starts at byte `start`. The run may be empty.
fn parse_xalphas(text: &[u8], start: usize) -> Result<usize, Fault> {
    escape::run_end::<false, false>(text, start, XALPHA)
}
