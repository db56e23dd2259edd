//! Functions that return fixes, shared by several rules. Most have the type
//! [`FixFn`](crate::FixFn).

use super::names::starts_with_host;
use crate::context::Context;
use crate::dialect::{Dialect, Markup};
use crate::edit::{Applicability, Edit, Fix};
use crate::example;
use urlsift_core::{Anatomy, Span, percent_encode, registry};
use urlsift_scanner::Form;

/// Returns `bytes` with every byte percent-encoded.
pub(super) fn percent_encode_all(bytes: &[u8]) -> Vec<u8> {
    percent_encode(bytes, |_| false)
}

/// Returns the character that contains the byte at offset `at` of `url`. Returns `None` if the byte
/// is not part of valid UTF-8.
fn character_at(url: &[u8], at: usize) -> Option<char> {
    std::str::from_utf8(url.get(character_span(url, at).range())?).ok()?.chars().next()
}

/// Returns the span of the character that contains the byte at offset `at` of `url`. If the byte is
/// not part of valid UTF-8, the span contains only this byte.
fn character_span(url: &[u8], at: usize) -> Span {
    let start = (0..4)
        .filter_map(|back| at.checked_sub(back))
        .find(|&start| url.get(start).is_some_and(|b| b & 0xc0 != 0x80))
        .unwrap_or(at);
    // Decode only the length of a character, and not the rest of the URL.
    let len = url
        .get(start..url.len().min(start + 4))
        .and_then(|rest| rest.utf8_chunks().next())
        .and_then(|chunk| chunk.valid().chars().next())
        .map_or(1, char::len_utf8);
    if start + len > at { Span::new(start, start + len) } else { Span::new(at, at + 1) }
}

/// Returns a fix with this `applicability` that percent-encodes the character at `span`.
/// Returns `None` for a character in the authority, because the encoded URL would name another
/// host.
fn encode_with_applicability(
    cx: &Context<'_>,
    span: Span,
    applicability: Applicability,
) -> Option<Fix> {
    if span.start >= cx.url.len() || !cx.parts.is_after_authority(span.start) {
        return None;
    }
    let whole = character_span(cx.url, span.start);
    let end = span.end.max(whole.end).min(cx.url.len());
    let span = Span::new(whole.start, end);
    // In another charset, the bytes are part of unknown characters, even if they happen to be
    // valid UTF-8.
    if !cx.bytes_at(span).is_ascii() && !cx.caches.is_utf8(cx.text) {
        return None;
    }
    // A run such as `[a]` may span characters that need no encoding.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._/:?&=;,+".contains(&byte);
    let text = percent_encode(cx.bytes_at(span), is_plain);
    // In a wiki, a bar may separate the URL from the text of the link.
    let is_wiki_bar = cx.dialect == Dialect::Text(Markup::MediaWiki) && cx.bytes_at(span) == b"|";
    let applicability = if is_wiki_bar { Applicability::Display } else { applicability };
    Some(Fix { applicability, edits: Edit::replace(span, text).into() })
}

/// Returns a fix that percent-encodes the character at `span`, or deletes it.
///
/// The fix deletes the character if it is a closing quote or bracket at the end of the URL, and the
/// URL doesn't contain the opening one. Such a mark belongs to the surrounding text. Returns `None`
/// for any other character in the authority.
pub(super) fn encode_or_delete(cx: &Context<'_>, span: Span) -> Option<Fix> {
    if let Some(tail) = stray_closing_mark(cx, span) {
        return Fix::unsafe_fix(Edit::delete(tail));
    }
    let trust =
        if is_encoding_doubtful(cx, span) { Applicability::Unsafe } else { Applicability::Safe };
    encode_with_applicability(cx, span, trust)
}

/// True if the character at `span` may not belong to the URL, or may have another meaning, so that
/// encoding it is not safe.
fn is_encoding_doubtful(cx: &Context<'_>, span: Span) -> bool {
    let Some(&byte) = cx.url.get(span.start) else { return true };
    match byte {
        // Browsers read a backslash as a slash, and in programs it continues the line. The others
        // delimit URLs and code in markup and text.
        b'\\' | b'<' | b'>' | b'"' | b'`' => true,
        _ if cx.is_delimited() => false,
        // In wikis and tables, it ends the URL. In a query such as `?family=A|B`, it is common.
        b'|' | b'^' => {
            let is_in_query = cx.parts.query.is_some_and(|query| query.start <= span.start);
            let before = cx.byte_before(cx.span.start);
            !is_in_query || before.is_some_and(|b| b"[|".contains(&b))
        }
        b'{' | b'}' => true,
        // Scripts without spaces between words may continue right after the URL.
        _ => character_at(cx.url, span.start).is_some_and(|c| c >= '\u{2e80}'),
    }
}

/// Returns the span of a closing quote or bracket that ends the URL but belongs to the surrounding
/// text. Returns `None` if the character at `span` is not such a mark, or if the URL also contains
/// the opening one.
pub(super) fn stray_closing_mark(cx: &Context<'_>, span: Span) -> Option<Span> {
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
    let tail = character_span(cx.url, span.start);
    let found = character_at(cx.url, span.start)?;
    let (open, _) = PAIRS.into_iter().find(|&(_, close)| close == found)?;
    let head = cx.url.get(..tail.start)?;
    let is_opened = memchr::memmem::find(head, open.encode_utf8(&mut [0; 4]).as_bytes()).is_some();
    (tail.end == cx.url.len() && !is_opened).then_some(tail)
}

/// Returns a fix for the space at `span`. It percent-encodes the space, or deletes a space that was
/// inserted by mistake, e.g. next to a slash. Returns `None` if the URL is a mail address with a
/// comment, or for a space in the authority that is probably intended.
///
/// Encoding is safe only for a space between two words of a name, because only this space is
/// certainly intended.
pub(super) fn fix_space(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let is_blank = |b: &&u8| **b == b' ';
    let head = cx.url.get(..span.start)?;
    let start = head.len() - head.iter().rev().take_while(is_blank).count();
    let len = cx.url[start..].iter().take_while(is_blank).count();
    let before = start.checked_sub(1).map(|at| cx.url[at]);
    let after = cx.url.get(start + len).copied();
    let beside = |set: &[u8]| [before, after].iter().any(|b| b.is_none_or(|b| set.contains(&b)));
    // Several spaces come from a line break in the markup. A comment after a mail address is not
    // part of it.
    if len > 1 {
        return Fix::unsafe_fix(Edit::delete(span));
    }
    if cx.has_scheme(&["mailto"]) && memchr::memmem::find(cx.url, b" (").is_some() {
        return None;
    }
    let is_in_tail = cx.parts.query.or(cx.parts.fragment).is_some_and(|tail| tail.start <= start);
    let is_mistake = if !cx.parts.is_after_authority(start) {
        cx.parts.host.is_some_and(|host| host.start == start || host.end == start + len)
    } else if is_in_tail {
        false
    } else if cx.parts.authority.is_some() {
        beside(b"/")
    } else {
        // A mail address, a number or a name, as in `mailto: joe@host.dom`.
        beside(b":@,?#")
    };
    if is_mistake {
        return Fix::unsafe_fix(Edit::delete(Span::new(span.start, span.start + 1)));
    }
    let is_word_byte = |b: u8| b.is_ascii_alphanumeric() || !b.is_ascii();
    let is_intended = len == 1
        && if is_in_tail {
            !beside(b"?&=#/;+")
        } else {
            cx.parts.authority.is_some()
                && before.is_some_and(|b| is_word_byte(b) || b == b')')
                && after.is_some_and(|b| is_word_byte(b) || b == b'(')
        };
    encode_with_applicability(
        cx,
        span,
        if is_intended { Applicability::Safe } else { Applicability::Unsafe },
    )
}

/// Returns the fix of [`encode_or_delete`] as an unsafe fix, or `None` if there is none.
pub(super) fn encode_or_delete_unsafely(cx: &Context<'_>, span: Span) -> Option<Fix> {
    encode_or_delete(cx, span).map(|fix| Fix { applicability: Applicability::Unsafe, ..fix })
}

/// Returns an unsafe fix that percent-encodes the byte at the start of `span`. Returns `None` if
/// the byte is not one of the delimiters `:/?#[]@;&=`.
pub(super) fn encode_delimiter(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let byte = *cx.url.get(span.start).filter(|b| b":/?#[]@;&=".contains(b))?;
    Fix::unsafe_fix(Edit::replace(
        Span::new(span.start, span.start + 1),
        percent_encode_all(&[byte]),
    ))
}

/// Returns a fix that replaces the character at `span`, which only looks like a tilde, by `~`.
pub(super) fn replace_lookalike_tilde(cx: &Context<'_>, span: Span) -> Option<Fix> {
    Fix::safe_fix(Edit::replace(character_span(cx.url, span.start), b"~".to_vec()))
}

/// Returns a fix that percent-encodes the `#` at `span`, which is not the first one in the URL.
///
/// If the fragment starts with `/` or `!`, it is a path in a web application, as in `#/room/#name`,
/// and the fix is unsafe. Otherwise the fix is only displayed, because the `#` may have to be
/// deleted.
pub(super) fn encode_hash(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let fragment = Anatomy::text(cx.url, cx.parts.fragment);
    let mut fix = encode_delimiter(cx, span)?;
    if !fragment.starts_with(b"/") && !fragment.starts_with(b"!") {
        fix.applicability = Applicability::Display;
    }
    Some(fix)
}

/// Returns a fix that percent-encodes each `@` in the user name and the password, and each `:` in
/// the password. The first colon counts as the separator of the two, and the last `@` as their end.
/// Returns `None` if the URL contains neither a user name nor a password.
pub(super) fn encode_userinfo(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let userinfo = cx.parts.userinfo?;
    let password = cx.parts.password.map_or(userinfo.end, |password| password.start);
    let edits: Vec<Edit> = (userinfo.start..userinfo.end)
        .filter(|&at| match cx.url[at] {
            b'@' => true,
            b':' => at >= password,
            _ => false,
        })
        .map(|at| Edit::replace(Span::new(at, at + 1), percent_encode_all(&cx.url[at..=at])))
        .collect();
    Some(Fix { applicability: login_fix_applicability(cx), edits: edits.into() })
}

/// Returns the applicability of fixes in the user name or password. They are only displayed if the
/// host is an example or placeholder, as in `http://allowed@malicious/`, because such a text
/// explains the login.
fn login_fix_applicability(cx: &Context<'_>) -> Applicability {
    // Names of hosts on the Internet have a dot, IPv6 addresses a colon.
    let is_name = cx.host().iter().any(|b| b".:".contains(b));
    if is_name && !example::is_example(cx.url, &cx.parts) {
        Applicability::Unsafe
    } else {
        Applicability::Display
    }
}

/// Returns a fix that replaces a stray `%` by `%25`. The `%` is at the start of `span`, or one or
/// two bytes before. Returns `None` if the `%` is in the authority, or if it starts a placeholder.
pub(super) fn encode_percent(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let at = (0..3)
        .filter_map(|back| span.start.checked_sub(back))
        .find(|&at| cx.url.get(at) == Some(&b'%'))?;
    if !cx.parts.is_after_authority(at) || starts_percent_placeholder(&cx.url[at + 1..]) {
        return None;
    }
    Fix::unsafe_fix(Edit::replace(Span::new(at, at + 1), b"%25"))
}

/// True if `rest`, the text after a `%`, starts with the name of a placeholder: one letter or digit
/// that no other follows, as in `%S` and `%1`, or a name in capitals, as in `%NUMBER`.
fn starts_percent_placeholder(rest: &[u8]) -> bool {
    let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    match &rest[..len] {
        [_] => true,
        [first, b, ..] => {
            let is_capital = |b: &u8| b.is_ascii_uppercase() || b"_".contains(b);
            is_capital(first) && is_capital(b) && rest[..len].iter().all(is_capital)
        }
        [] => false,
    }
}

/// Returns a fix that changes the scheme of the URL to lower case.
pub(super) fn lowercase_scheme(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let edit = Edit::replace(cx.parts.scheme, cx.scheme().into_bytes());
    // `SCHEME://HOST/` is a placeholder.
    let is_known =
        registry::find_entry(cx.bytes_at(cx.parts.scheme)).is_some() || cx.host().contains(&b'.');
    if is_known { Fix::safe_fix(edit) } else { Fix::unsafe_fix(edit) }
}

/// Returns a fix that changes the host at `span` to lower case. The hexadecimal digits of escapes
/// become upper case, which is their normal form.
///
/// In two cases, the fix is displayed but never applied: if the scheme's hosts are not looked up in
/// the DNS, because their case may matter, and if the name contains no dot, because it may be a
/// placeholder.
#[expect(clippy::unnecessary_wraps, reason = "all functions that make a fix have this type")]
pub(super) fn lowercase_host(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let host = cx.host();
    let last = host.rsplit(|&b| b == b'.').next().unwrap_or_default();
    let is_name = host.contains(&b'.')
        && host.split(|&b| b == b'.').all(|label| !label.is_empty())
        && !last[0].is_ascii_digit()
        && host.iter().all(|&b| b.is_ascii_alphanumeric() || b"-._%".contains(&b) || !b.is_ascii());
    let applicability = if !cx.has_dns_scheme() || !is_name {
        Applicability::Display
    } else if example::has_upper_case_placeholder(host) {
        Applicability::Unsafe
    } else {
        Applicability::Safe
    };
    let mut text = cx.bytes_at(span).to_ascii_lowercase();
    for at in memchr::memchr_iter(b'%', cx.bytes_at(span)) {
        let digits = at + 1..text.len().min(at + 3);
        text[digits].make_ascii_uppercase();
    }
    Some(Fix { applicability, edits: Edit::replace(span, text).into() })
}

/// Returns a fix that changes the escape at `span` to upper case, e.g. `%2f` to `%2F`.
pub(super) fn uppercase_escape(cx: &Context<'_>, span: Span) -> Option<Fix> {
    Fix::safe_fix(Edit::replace(span, cx.bytes_at(span).to_ascii_uppercase()))
}

/// Returns a fix that replaces the percent escape at `span` by the character that it encodes.
/// Returns `None` if the character has a special meaning in any profile or at this position.
pub(super) fn decode_escape(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let [b'%', hex @ ..] = cx.bytes_at(span) else { return None };
    let byte = u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()?;
    // The caller checks that the resulting URL is valid for the scheme.
    let plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    // Punctuation at the end of the URL would be read as part of the text. A path segment `.` or
    // `..` is special, and most programs remove it.
    let ends_url = !byte.is_ascii_alphanumeric() && span.end >= cx.url.len();
    if plain && !ends_url && !(byte == b'.' && fills_segment(cx.url, span)) {
        Fix::safe_fix(Edit::replace(span, vec![byte]))
    } else {
        None
    }
}

/// True if the path segment that contains `span`, an encoded dot, consists of dots only. Such a
/// segment may have a special meaning.
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

/// Returns a fix that deletes the colon at `span`, which follows the host. Returns `None` if `span`
/// is not just a colon, i.e. a port follows.
pub(super) fn delete_empty_port_colon(cx: &Context<'_>, span: Span) -> Option<Fix> {
    if cx.bytes_at(span) == b":" { Fix::safe_fix(Edit::delete(span)) } else { None }
}

/// Returns an edit that deletes the port and the colon before it. Returns `None` if the URL has no
/// port, or one that is not a number.
fn port_deletion(cx: &Context<'_>) -> Option<Edit> {
    let port = cx.parts.port.filter(|&port| cx.bytes_at(port).iter().all(u8::is_ascii_digit))?;
    Some(Edit::delete(Span::new(port.start.checked_sub(1)?, port.end)))
}

/// Returns a safe fix that deletes the port and the colon before it. Returns `None` in the same
/// cases as [`port_deletion`].
pub(super) fn delete_port(cx: &Context<'_>, _: Span) -> Option<Fix> {
    Fix::safe_fix(port_deletion(cx)?)
}

/// Returns an unsafe fix for a port in a file URL. It deletes the port, or inserts the missing
/// slash before a drive letter, as in `file://c:/a`.
pub(super) fn drop_port_risky(cx: &Context<'_>, _: Span) -> Option<Fix> {
    // In `file://c:/a`, the drive is the start of the path.
    let host = cx.parts.host?;
    if cx.parts.port.is_some_and(Span::is_empty)
        && matches!(cx.bytes_at(host), [drive] if drive.is_ascii_alphabetic())
    {
        return Fix::unsafe_fix(Edit::insert(host.start, b"/"));
    }
    Fix::unsafe_fix(port_deletion(cx)?)
}

/// Returns a fix that deletes the leading zeros of the port number, or `None` if there is no port.
pub(super) fn delete_port_zeros(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let port = cx.parts.port?;
    let zeros = cx.bytes_at(port).iter().take_while(|&&b| b == b'0').count().min(port.len() - 1);
    Fix::safe_fix(Edit::delete(Span::new(port.start, port.start + zeros)))
}

/// Returns a fix that deletes the user name and password, including the `@` after them. Returns
/// `None` if the URL contains neither.
pub(super) fn delete_userinfo(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let userinfo = cx.parts.userinfo?;
    let edit = Edit::delete(Span::new(userinfo.start, userinfo.end + 1));
    Some(Fix { applicability: login_fix_applicability(cx), edits: edit.into() })
}

/// Returns a fix that deletes the password, including the colon before it. Returns `None` if the
/// URL contains no password.
pub(super) fn delete_password(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let password = cx.parts.password?;
    let edit = Edit::delete(Span::new(password.start.checked_sub(1)?, password.end));
    Some(Fix { applicability: login_fix_applicability(cx), edits: edit.into() })
}

/// Returns a fix for a URL with a wrong number or kind of slashes after its scheme, such as
/// `http:/h` and `http:\\h`. In a file URL, a single slash starts the path (RFC 8089 §2). Returns
/// `None` for other file URLs, and for two colons as in `http::StatusCode`, which is program code.
pub(super) fn correct_slashes(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let after = cx.parts.scheme.end + 1;
    let run = cx.url.get(after..)?.iter().take_while(|b| matches!(b, b'/' | b'\\')).count();
    // `http::StatusCode` is a path in a program.
    if cx.url.get(after) == Some(&b':') {
        return None;
    }
    if cx.has_scheme(&["file"]) {
        return if run == 1 { Fix::safe_fix(Edit::insert(after, b"//")) } else { None };
    }
    Fix::unsafe_fix(Edit::replace(Span::new(after, after + run), b"//"))
}

/// Returns a fix that applies `edit`, which inserts the missing slashes before a host. In a link
/// target, the fix is safe only if a host name follows, because a URL without the slashes is
/// resolved relative to the page (RFC 3986 §5.2.2).
pub(super) fn fix_slashes(cx: &Context<'_>, edit: Edit) -> Option<Fix> {
    let is_target =
        cx.form == Form::Attribute || cx.region.is_some_and(|region| region.kind.is_whole_url());
    let rest = cx.url.get(cx.parts.scheme.end + 1..).unwrap_or_default();
    let rest = &rest[rest.iter().take_while(|b| b"/\\".contains(b)).count()..];
    if is_target && !starts_with_host(rest) { Fix::unsafe_fix(edit) } else { Fix::safe_fix(edit) }
}

/// Returns a fix that inserts a slash at `span`. Returns `None` if that is inside the user name or
/// password.
pub(super) fn insert_slash(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let is_in_login = cx.parts.userinfo.is_some_and(|login| span.start <= login.end);
    // In `joe:a?b@host`, a strict parser ends the host of some schemes at the question mark.
    let has_odd_port =
        cx.parts.port.is_some_and(|port| !cx.bytes_at(port).iter().all(u8::is_ascii_digit));
    if is_in_login || has_odd_port && cx.url[span.start..].contains(&b'@') {
        return None;
    }
    Fix::safe_fix(Edit::insert(span.start, b"/"))
}

/// Returns a fix that deletes the superfluous dots of the host: a dot at its end, and all but one
/// of consecutive dots. Returns `None` if the URL has no host.
pub(super) fn delete_superfluous_dots(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let host = cx.parts.host?;
    let dot = |at: usize| cx.url.get(at) == Some(&b'.');
    let edits: Vec<Edit> = (host.start + 1..host.end)
        .filter(|&at| dot(at) && (dot(at - 1) || at + 1 == host.end))
        .map(|at| Edit::delete(Span::new(at, at + 1)))
        .collect();
    Some(Fix { applicability: Applicability::Unsafe, edits: edits.into() })
}

/// Returns a fix that changes the first parameter name `;TYPE=` at or after `span` to lower case.
/// Returns `None` if there is no such parameter.
pub(super) fn lowercase_type_parameter(cx: &Context<'_>, span: Span) -> Option<Fix> {
    let from = span.start.saturating_sub(1);
    let rest = cx.url.get(from..)?;
    let at = rest.windows(6).position(|six| six.eq_ignore_ascii_case(b";type="))? + from;
    Fix::safe_fix(Edit::replace(Span::new(at, at + 6), b";type="))
}

/// Returns a fix that deletes the leading zeros from the numbers of the URL's IPv4 address.
pub(super) fn delete_ipv4_zeros(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let host = cx.parts.host?;
    let text = String::from_utf8_lossy(cx.bytes_at(host)).into_owned();
    let numbers = text.split('.').map(|number| match number.trim_start_matches('0') {
        "" => "0",
        trimmed => trimmed,
    });
    Fix::unsafe_fix(Edit::replace(host, numbers.collect::<Vec<_>>().join(".").into_bytes()))
}
