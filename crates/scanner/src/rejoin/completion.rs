//! Tokens that complete something that the URL so far has begun: a suffix, an identifier of a fixed
//! length, a bracket, the link of a gateway.

use super::items::{ends_in_line_number, is_line_number, is_lower_hex};
use super::suffix::{completes_suffix, joined_is_file_name, last_segment};
use super::tail::Tail;
use memchr::memmem;

/// Something that the URL so far has begun and the token completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Completion {
    None,
    /// The token may complete it.
    Likely,
    /// The token certainly completes it: hardly any other token looks like this one.
    Unmistakable,
}

/// True if the token may complete something that the URL so far has begun: a file's suffix, an
/// escape, `cgi-bin`.
pub(super) fn may_complete(head: &[u8], path: &[u8], tail: &Tail<'_>, closes: bool) -> bool {
    let core = tail.core;
    let grows = || {
        !path.ends_with(b"/")
            && !path.iter().any(|byte| matches!(byte, b'?' | b'#'))
            && (tail.is_alone || closes || !head.ends_with(b"."))
            && !tail.is_capitalized()
            && tail.has_no_dot_or_slash()
            && joined_is_file_name(path, core)
    };
    let is_hex = |at: usize| core.get(at).is_some_and(u8::is_ascii_hexdigit);
    let escape = match head {
        [.., b'%'] => is_hex(0) && is_hex(1),
        [.., b'%', a] => a.is_ascii_hexdigit() && is_hex(0),
        _ => false,
    };
    escape || (head.ends_with(b"/cgi-") && core.starts_with(b"bin")) || grows()
}

/// True if the token certainly completes what the URL so far has begun: a gateway's link, a line
/// number, an escape, a suffix, a bracket, or an identifier of a fixed length. Hardly any other
/// token looks like that.
pub(super) fn certainly_completes(head: &[u8], path: &[u8], tail: &Tail<'_>) -> bool {
    let core = tail.core;
    let is_in_word = head.last().is_some_and(u8::is_ascii_alphanumeric);
    let is_suffix = is_in_word
        && tail.is_suffix_alone()
        && !last_segment(path).iter().any(|b| matches!(b, b'.' | b'?' | b'#'));
    let is_line_number = ends_in_line_number(path) && is_line_number(core);
    let is_hex = |at: usize| core.get(at).is_some_and(u8::is_ascii_hexdigit);
    let is_escape = head.ends_with(b"%") && is_hex(0) && is_hex(1);
    let is_suffix_split = tail.is_alone
        && is_in_word
        && core.len() < 4
        && core.iter().all(u8::is_ascii_lowercase)
        && !path.iter().any(|byte| matches!(byte, b'?' | b'#'))
        && joined_is_file_name(path, core);
    is_suffix
        || is_suffix_split
        || is_escape
        || is_line_number
        || completes_suffix(path, core)
        || completes_identifier(path, core)
        || closes_title(path, tail)
        || is_article_number(head, path, core)
        || closes_gateway_link(path, tail)
        || is_message_id_domain(path, core)
}

/// True if the token is the `@` and the domain of a Message-ID, and the path ends with the part
/// before it, as in mailing list archives: `https://lore.kernel.org/r/20260118.1-2-joe` +
/// `@host.dom/`. That part starts with a date or, if a slash follows the domain, contains a digit
/// and has at least [`MIN_ID`] bytes.
pub(super) fn is_message_id_domain(path: &[u8], core: &[u8]) -> bool {
    let Some(rest) = core.strip_prefix(b"@") else { return false };
    let is_of_domain = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
    let len = rest.iter().take_while(is_of_domain).count();
    let (domain, after) = rest.split_at(len);
    let name = last_segment(path);
    let is_followed = after.starts_with(b"/");
    let has_labels = domain.contains(&b'.') && !domain.starts_with(b".");
    has_labels
        && path.last().is_some_and(u8::is_ascii_alphanumeric)
        && !name.contains(&b'@')
        && (after.is_empty() || is_followed)
        && (starts_with_date(name)
            || is_followed && name.len() >= MIN_ID && name.iter().any(u8::is_ascii_digit))
}

/// True if `name` starts with a date as the Message-IDs of `git send-email` and `b4` do:
/// `20260118220910.1234-2-joe`, `20260118-name-v2-1-0123456789ab`.
fn starts_with_date(name: &[u8]) -> bool {
    starts_with_digits(name, DATE_DIGITS, b'-') || starts_with_time(name)
}

/// True if `name` starts with a date and a time as the Message-IDs of `git send-email` do:
/// `20260118220910.1234-2-joe`.
pub(super) fn starts_with_time(name: &[u8]) -> bool {
    starts_with_digits(name, TIME_DIGITS, b'.')
}

/// True if `name` starts with a date in this century that has exactly `len` digits, and `after`
/// follows.
fn starts_with_digits(name: &[u8], len: usize, after: u8) -> bool {
    name.starts_with(b"20")
        && name.get(len) == Some(&after)
        && name[..len].iter().all(u8::is_ascii_digit)
}

/// The minimum length of the part of a Message-ID before the `@`, in bytes.
const MIN_ID: usize = 8;
/// The number of digits in a date.
const DATE_DIGITS: usize = 8;
/// The number of digits in a date with a time, down to the second.
const TIME_DIGITS: usize = 14;

/// True if the hexadecimal digits at the end of the path and at the start of the token are together
/// one identifier of a fixed length: a hash or the name of a commit, or a UUID.
pub(super) fn completes_identifier(path: &[u8], core: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'-';
    let ends_in_digits = path.last().is_some_and(is_part);
    if !ends_in_digits || !core.first().is_some_and(is_part) {
        return false;
    }
    let begun = path.iter().rev().take(MAX_HASH + 1).take_while(|byte| is_part(byte)).count();
    let rest = core.iter().take(MAX_HASH + 1).take_while(|byte| is_part(byte)).count();
    let (before, begun) = path.split_at(path.len() - begun);
    let (rest, after) = core.split_at(rest);
    if before.last().is_some_and(u8::is_ascii_alphanumeric)
        || after.first().is_some_and(u8::is_ascii_alphanumeric)
    {
        return false;
    }
    is_uuid(begun, rest) || is_hash(begun, rest)
}

/// The lengths of the usual hashes (MD5, SHA-1, SHA-256), in hexadecimal digits.
const HASHES: [usize; 3] = [32, 40, 64];
/// The maximum length of a hash or UUID that [`completes_identifier`] recognizes, in bytes.
const MAX_HASH: usize = 64;

/// True if the two pieces are one hash, and neither is a hash of its own.
fn is_hash(begun: &[u8], rest: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| begun.iter().chain(rest).any(is);
    HASHES.contains(&(begun.len() + rest.len()))
        && !HASHES.contains(&begun.len())
        && !HASHES.contains(&rest.len())
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && !has(|byte| *byte == b'-')
        && (is_lower_hex(begun) && is_lower_hex(rest) || !has(u8::is_ascii_lowercase))
}

/// True if the two pieces are one UUID: five groups of hexadecimal digits (RFC 9562, section 4).
fn is_uuid(begun: &[u8], rest: &[u8]) -> bool {
    let is_hyphen_at = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    begun.len() + rest.len() == 36
        && begun.iter().chain(rest).enumerate().all(|(at, b)| (*b == b'-') == is_hyphen_at(at))
}

/// True if the path has an open bracket after an underscore, as the titles of a wiki have
/// (`Grey_River_(Northern`), and the token closes it.
fn closes_title(path: &[u8], tail: &Tail<'_>) -> bool {
    tail.token.get(tail.core.len()) == Some(&b')')
        && memmem::rfind(path, b"_(").is_some_and(|at| {
            !path[at + 2..].is_empty() && !path[at + 2..].iter().any(|b| matches!(b, b')' | b'/'))
        })
}

/// True if the URL so far is only a newsgroup on a server, and the token is the number of an
/// article after a slash: `nntp://host/group/123` (RFC 5538).
fn is_article_number(head: &[u8], path: &[u8], core: &[u8]) -> bool {
    let is_nntp = || head.get(..7).is_some_and(|name| name.eq_ignore_ascii_case(b"nntp://"));
    matches!(core, [b'/', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
        && is_nntp()
        && path.len() > 1
        && !path[1..].contains(&b'/')
}

/// The minimum length of a line of data in a link that a gateway rewrote, in bytes.
const MIN_LINK_DATA: usize = 20;

/// True if the URL so far is the start of a link that a mail gateway rewrote, and the token
/// contains the end of the original link or of the data after it.
fn closes_gateway_link(path: &[u8], tail: &Tail<'_>) -> bool {
    let contains = |text: &[u8], part: &[u8]| memmem::find(text, part).is_some();
    let is_open = |start: &[u8], end: &[u8]| path.starts_with(start) && !contains(path, end);
    // The data in a link of Outlook is so long that nothing else looks like it.
    let is_data = tail.is_alone && tail.core.len() >= MIN_LINK_DATA;
    (is_open(b"/v3/__", b"__;") && contains(tail.token, b"__;"))
        || (is_open(b"/?url=http", b"reserved=0")
            && (is_data || contains(tail.token, b"reserved=0")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifier_has_its_exact_length() {
        let hash = b"3f8a1c0b9e7d6f5a4b3c2d1e0f9a8b7c6d5e4f3a";
        let is_one = |path: &str, core: &[u8]| {
            let path = [b"/x?id=", path.as_bytes()].concat();
            completes_identifier(&path, core)
        };
        assert!(is_one("3f8a1c", &hash[6..]));
        assert!(is_one("3", &hash[1..]));
        assert!(!is_one("", hash), "a whole hash below a URL");
        assert!(!is_one("3f8a1c", &hash[7..]));
        assert!(!is_one("3f8a1cz", &hash[6..]));
        assert!(!is_one("x3f8a1c", &hash[6..]));
        assert!(!is_one("00000000", &[b'0'; 32]), "no letters");
        assert!(is_one("0d9f2c64-7b1e-4c58-9a3d-5e6", b"f7a8b9c0d"));
        assert!(is_one("0d9f2c64-7b1e-4c58-9a3d", b"-5e6f7a8b9c0d"));
        assert!(!is_one("0d9f2c64-7b1e-4c58-9a3d-5e6", b"f7a8b9c0"));
    }
}
