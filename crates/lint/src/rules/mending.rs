//! The ways to mend that several rules share.

use super::names::names_host;
use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::example;
use urlsift_core::{Anatomy, Span, percent_encode, registry};
use urlsift_scanner::Form;

/// `%HH` for each byte.
pub(super) fn escaped(bytes: &[u8]) -> Vec<u8> {
    percent_encode(bytes, |_| false)
}

/// The character that starts at, or includes, the byte at `at`.
fn character_at(url: &[u8], at: usize) -> Option<char> {
    std::str::from_utf8(url.get(character(url, at).range())?).ok()?.chars().next()
}

/// The whole character around the byte at `at`: UTF-8 where it is, else one byte.
fn character(url: &[u8], at: usize) -> Span {
    let start = (0..4)
        .filter_map(|back| at.checked_sub(back))
        .find(|&start| url.get(start).is_some_and(|b| b & 0xc0 != 0x80))
        .unwrap_or(at);
    // No more of the URL is decoded than a character has room in.
    let len = url
        .get(start..url.len().min(start + 4))
        .and_then(|rest| rest.utf8_chunks().next())
        .and_then(|chunk| chunk.valid().chars().next())
        .map_or(1, char::len_utf8);
    if start + len > at { Span::new(start, start + len) } else { Span::new(at, at + 1) }
}

/// Encodes the character at the fault. Behind the authority that is what was meant; within a host
/// it would name another one.
fn encode_as(cx: &Context<'_>, span: Span, trust: Applicability) -> Option<Fix> {
    if span.start >= cx.url.len() || !cx.parts.is_behind_authority(span.start) {
        return None;
    }
    let whole = character(cx.url, span.start);
    let end = span.end.max(whole.end).min(cx.url.len());
    let span = Span::new(whole.start, end);
    // A run such as `[a]` may span characters that need no encoding.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._/:?&=;,+".contains(&byte);
    let text = percent_encode(cx.bytes(span), is_plain);
    Some(Fix { applicability: trust, edits: Edit::replace(span, text).into() })
}

pub(super) fn encode(cx: &Context<'_>, span: Span) -> Option<Fix> {
    if let Some(tail) = stray_closer(cx, span) {
        return Fix::risky(Edit::delete(tail));
    }
    encode_as(
        cx,
        span,
        if is_doubtful(cx, span) { Applicability::Unsafe } else { Applicability::Safe },
    )
}

/// True if the character at the fault may be no part of the URL, or mean something else there.
fn is_doubtful(cx: &Context<'_>, span: Span) -> bool {
    let Some(&byte) = cx.url.get(span.start) else { return true };
    match byte {
        // Browsers read a backslash as a slash, and in program text it only continues the line; the others are what
        // markup and text delimit URLs by.
        b'\\' | b'<' | b'>' | b'"' => true,
        _ if cx.is_delimited() => false,
        // In wikis and tables it ends the URL. In a query, as in `?family=A|B`, it is common.
        b'|' | b'^' => {
            let is_in_query = cx.parts.query.is_some_and(|query| query.start <= span.start);
            let before = cx.byte_before(cx.span.start);
            !is_in_query || before.is_some_and(|b| b"[|".contains(&b))
        }
        b'{' | b'}' | b'`' => true,
        // Scripts that are written without blanks run into the URL.
        _ => character_at(cx.url, span.start).is_some_and(|c| c >= '\u{2e80}'),
    }
}

/// A quote or bracket at the end of the URL that closes nothing in it, which belongs to the text around.
pub(super) fn stray_closer(cx: &Context<'_>, span: Span) -> Option<Span> {
    const PAIRS: [(char, char); 9] = [
        ('"', '"'),
        ('[', ']'),
        ('\u{201c}', '\u{201d}'),
        ('\u{2018}', '\u{2019}'),
        ('\u{ab}', '\u{bb}'),
        ('\u{ff08}', '\u{ff09}'),
        ('\u{3010}', '\u{3011}'),
        ('\u{300c}', '\u{300d}'),
        ('\u{300e}', '\u{300f}'),
    ];
    let tail = character(cx.url, span.start);
    let found = character_at(cx.url, span.start)?;
    let (open, _) = PAIRS.into_iter().find(|&(_, close)| close == found)?;
    let head = cx.url.get(..tail.start)?;
    let is_opened = memchr::memmem::find(head, open.encode_utf8(&mut [0; 4]).as_bytes()).is_some();
    (tail.end == cx.url.len() && !is_opened).then_some(tail)
}

/// Encodes a blank, or leaves it out where it slipped in beside a delimiter. Only between two words of a name it is
/// surely meant.
pub(super) fn mend_blank(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let is_blank = |b: &&u8| **b == b' ';
    let head = cx.url.get(..span.start)?;
    let start = head.len() - head.iter().rev().take_while(is_blank).count();
    let len = cx.url[start..].iter().take_while(is_blank).count();
    let before = start.checked_sub(1).map(|at| cx.url[at]);
    let after = cx.url.get(start + len).copied();
    let beside = |set: &[u8]| [before, after].iter().any(|b| b.is_none_or(|b| set.contains(&b)));
    // Several come from a line break in the markup, and a comment of a mail address is none of it.
    if len > 1 {
        return Fix::risky(Edit::delete(span));
    }
    if cx.has_scheme(&["mailto"]) && memchr::memmem::find(cx.url, b" (").is_some() {
        return None;
    }
    let is_in_tail = cx.parts.query.or(cx.parts.fragment).is_some_and(|tail| tail.start <= start);
    let is_slip = if !cx.parts.is_behind_authority(start) {
        cx.parts.host.is_some_and(|host| host.start == start || host.end == start + len)
    } else if is_in_tail {
        false
    } else if cx.parts.authority.is_some() {
        beside(b"/")
    } else {
        // A mail address, a number, a name: `mailto: joe@host.dom`.
        beside(b":@,?#")
    };
    if is_slip {
        return Fix::risky(Edit::delete(Span::new(span.start, span.start + 1)));
    }
    let is_of_word = |b: u8| b.is_ascii_alphanumeric() || !b.is_ascii();
    let is_meant = len == 1
        && if is_in_tail {
            !beside(b"?&=#/;+")
        } else {
            cx.parts.authority.is_some()
                && before.is_some_and(|b| is_of_word(b) || b == b')')
                && after.is_some_and(|b| is_of_word(b) || b == b'(')
        };
    encode_as(cx, span, if is_meant { Applicability::Safe } else { Applicability::Unsafe })
}

pub(super) fn encode_risky(cx: &Context<'_>, span: Span) -> Option<Fix> {
    if let Some(tail) = stray_closer(cx, span) {
        return Fix::risky(Edit::delete(tail));
    }
    encode_as(cx, span, Applicability::Unsafe)
}

/// Encodes the one byte at the fault, a delimiter, wherever it stands behind the scheme.
pub(super) fn encode_delimiter(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let byte = *cx.url.get(span.start).filter(|b| b":/?#[]@;&=".contains(b))?;
    Fix::risky(Edit::replace(Span::new(span.start, span.start + 1), escaped(&[byte])))
}

/// Encodes a further `#` of a fragment that names a page of a program in the page, as in `#/room/#name`. In others it
/// may have to go, or the fragment is not the reader's business.
pub(super) fn encode_hash(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let fragment = Anatomy::text(cx.url, cx.parts.fragment);
    let mut fix = encode_delimiter(cx, span)?;
    if !fragment.starts_with(b"/") && !fragment.starts_with(b"!") {
        fix.applicability = Applicability::Display;
    }
    Some(fix)
}

/// Encodes all delimiters inside user name and password; the first colon separates the two, and the last `@` ends them.
pub(super) fn encode_userinfo(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let userinfo = cx.parts.userinfo?;
    let password = cx.parts.password.map_or(userinfo.end, |password| password.start);
    let edits: Vec<Edit> = (userinfo.start..userinfo.end)
        .filter(|&at| match cx.url[at] {
            b'@' => true,
            b':' => at >= password,
            _ => false,
        })
        .map(|at| Edit::replace(Span::new(at, at + 1), escaped(&cx.url[at..=at])))
        .collect();
    Some(Fix { applicability: Applicability::Unsafe, edits: edits.into() })
}

/// Makes `%25` of the `%` that is at, or up to two bytes before, the fault.
pub(super) fn encode_percent(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let at = (0..3)
        .filter_map(|back| span.start.checked_sub(back))
        .find(|&at| cx.url.get(at) == Some(&b'%'))?;
    cx.parts
        .is_behind_authority(at)
        .then(|| Fix::risky(Edit::replace(Span::new(at, at + 1), b"%25")))
        .flatten()
}

pub(super) fn lowercase_scheme(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let edit = Edit::replace(cx.parts.scheme, cx.scheme().into_bytes());
    // `SCHEME://HOST/` is a pattern.
    let is_known =
        registry::known(cx.bytes(cx.parts.scheme)).is_some() || cx.host().contains(&b'.');
    if is_known { Fix::safe(edit) } else { Fix::risky(edit) }
}

/// Writes a host in lower case, except for escapes, whose normal form is in upper case. Other schemes than those whose
/// hosts are looked up in the DNS may tell cases apart, and a name without a dot may be one to be replaced.
pub(super) fn lowercase_host(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let host = cx.host();
    let last = host.rsplit(|&b| b == b'.').next().unwrap_or_default();
    let is_name = host.contains(&b'.')
        && host.split(|&b| b == b'.').all(|label| !label.is_empty())
        && !last[0].is_ascii_digit()
        && host.iter().all(|&b| b.is_ascii_alphanumeric() || b"-._%".contains(&b) || !b.is_ascii());
    let applicability = if !cx.asks_the_dns() || !is_name {
        Applicability::Display
    } else if example::has_placeholder(host) {
        Applicability::Unsafe
    } else {
        Applicability::Safe
    };
    let mut text = cx.bytes(span).to_ascii_lowercase();
    for at in memchr::memchr_iter(b'%', cx.bytes(span)) {
        let digits = at + 1..text.len().min(at + 3);
        text[digits].make_ascii_uppercase();
    }
    Some(Fix { applicability, edits: Edit::replace(span, text).into() })
}

pub(super) fn uppercase(cx: &Context<'_>, span: Span) -> Option<Fix> {
    Fix::safe(Edit::replace(span, cx.bytes(span).to_ascii_uppercase()))
}

/// Writes the encoded character plainly. Safe for what no profile gives a meaning to.
pub(super) fn decode(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let [b'%', hex @ ..] = cx.bytes(span) else { return None };
    let byte = u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()?;
    // Whether the scheme's own rules let it stand, the caller sees from what becomes of the URL.
    let plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    // A mark that ends the URL would be read as one of the text, and a dot that fills a path segment is not one more
    // name: most programs, but not all, leave it out.
    let ends_url = !byte.is_ascii_alphanumeric() && span.end >= cx.url.len();
    if plain && !ends_url && !(byte == b'.' && fills_segment(cx.url, span)) {
        Fix::safe(Edit::replace(span, vec![byte]))
    } else {
        None
    }
}

/// True if nothing but dots is in the path segment around `span`, an encoded dot.
fn fills_segment(url: &[u8], span: Span) -> bool {
    let is_end = |b: &u8| b"/?#".contains(b);
    let start = url[..span.start].iter().rposition(is_end).map_or(0, |at| at + 1);
    let end = url[span.end..].iter().position(is_end).map_or(url.len(), |len| span.end + len);
    let mut rest = &url[start..end];
    while let Some(next) = rest
        .strip_prefix(b".")
        .or_else(|| rest.strip_prefix(b"%2e"))
        .or_else(|| rest.strip_prefix(b"%2E"))
    {
        rest = next;
    }
    rest.is_empty()
}

/// Leaves out the colon at the fault, which no port follows.
pub(super) fn drop_colon(cx: &Context<'_>, span: Span) -> Option<Fix> {
    if cx.bytes(span) == b":" { Fix::safe(Edit::delete(span)) } else { None }
}

/// Leaves the port and its colon out.
fn without_port(cx: &Context<'_>) -> Option<Edit> {
    let port = cx.parts.port.filter(|&port| cx.bytes(port).iter().all(u8::is_ascii_digit))?;
    Some(Edit::delete(Span::new(port.start.checked_sub(1)?, port.end)))
}

pub(super) fn drop_port(cx: &Context<'_>, _: Span) -> Option<Fix> {
    Fix::safe(without_port(cx)?)
}

pub(super) fn drop_port_risky(cx: &Context<'_>, _: Span) -> Option<Fix> {
    // `file://c:/a`: the drive is the start of the path.
    let host = cx.parts.host?;
    if cx.parts.port.is_some_and(Span::is_empty)
        && matches!(cx.bytes(host), [drive] if drive.is_ascii_alphabetic())
    {
        return Fix::risky(Edit::insert(host.start, b"/"));
    }
    Fix::risky(without_port(cx)?)
}

pub(super) fn trim_port(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let port = cx.parts.port?;
    let zeros = cx.bytes(port).iter().take_while(|&&b| b == b'0').count().min(port.len() - 1);
    Fix::safe(Edit::delete(Span::new(port.start, port.start + zeros)))
}

pub(super) fn drop_userinfo(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let userinfo = cx.parts.userinfo?;
    Fix::risky(Edit::delete(Span::new(userinfo.start, userinfo.end + 1)))
}

pub(super) fn drop_password(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let password = cx.parts.password?;
    Fix::risky(Edit::delete(Span::new(password.start.checked_sub(1)?, password.end)))
}

/// `http:/h` and `http:\\h`: puts the two slashes there. Of a file the one slash starts the path (RFC 8089 §2).
pub(super) fn slashes(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let after = cx.parts.scheme.end + 1;
    let run = cx.url.get(after..)?.iter().take_while(|b| matches!(b, b'/' | b'\\')).count();
    // `http::StatusCode` is a path of a program.
    if cx.url.get(after) == Some(&b':') {
        return None;
    }
    if cx.has_scheme(&["file"]) {
        return if run == 1 { Fix::safe(Edit::insert(after, b"//")) } else { None };
    }
    Fix::risky(Edit::replace(Span::new(after, after + run), b"//"))
}

/// How far `edit`, which puts the slashes before a host, can be trusted. In a link's target a scheme without them is
/// followed from the page's own place (RFC 3986 §5.2.2), so what follows must look like nothing but a host.
pub(super) fn trust_host(cx: &Context<'_>, edit: Edit) -> Option<Fix> {
    let is_target =
        cx.form == Form::Attribute || cx.region.is_some_and(|region| region.kind.is_whole());
    let rest = cx.url.get(cx.parts.scheme.end + 1..).unwrap_or_default();
    let rest = &rest[rest.iter().take_while(|b| b"/\\".contains(b)).count()..];
    if is_target && !names_host(rest) { Fix::risky(edit) } else { Fix::safe(edit) }
}

/// Puts a slash at the fault, unless that is within a login.
pub(super) fn insert_slash(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let is_in_login = cx.parts.userinfo.is_some_and(|login| span.start <= login.end);
    // `joe:a?b@host`: of some schemes a strict reader ends the host at the question mark.
    let has_odd_port =
        cx.parts.port.is_some_and(|port| !cx.bytes(port).iter().all(u8::is_ascii_digit));
    if is_in_login || has_odd_port && cx.url[span.start..].contains(&b'@') {
        return None;
    }
    Fix::safe(Edit::insert(span.start, b"/"))
}

/// Leaves out the dots that make empty labels: the last one, and all but one of a run.
pub(super) fn drop_dots(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let host = cx.parts.host?;
    let dot = |at: usize| cx.url.get(at) == Some(&b'.');
    let edits: Vec<Edit> = (host.start + 1..host.end)
        .filter(|&at| dot(at) && (dot(at - 1) || at + 1 == host.end))
        .map(|at| Edit::delete(Span::new(at, at + 1)))
        .collect();
    Some(Fix { applicability: Applicability::Unsafe, edits: edits.into() })
}

/// `;TYPE=A`: in lower case, as the grammar has it.
pub(super) fn lowercase_type(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let from = span.start.saturating_sub(1);
    let rest = cx.url.get(from..)?;
    let at = rest.windows(6).position(|six| six.eq_ignore_ascii_case(b";type="))? + from;
    Fix::safe(Edit::replace(Span::new(at, at + 6), b";type="))
}

/// Leaves out the zeros that lead the numbers of an address.
pub(super) fn trim_address(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let host = cx.parts.host?;
    let text = String::from_utf8_lossy(cx.bytes(host)).into_owned();
    let numbers = text.split('.').map(|number| match number.trim_start_matches('0') {
        "" => "0",
        trimmed => trimmed,
    });
    Fix::risky(Edit::replace(host, numbers.collect::<Vec<_>>().join(".").into_bytes()))
}
