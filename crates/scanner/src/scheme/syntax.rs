//! Checks of the text after a scheme's colon.
//!
//! The checks are minimal: enough to tell a URL from a word before a colon. The profile decides
//! whether the URL is valid.

use crate::scheme::Shape;
use crate::text::iri;

/// The maximum length of a user name before a host, in bytes.
const MAX_USERINFO: usize = 256;
/// The maximum length of what comes before the `@` of an address or Message-ID, in bytes.
const MAX_LOCAL_PART: usize = 512;
/// The maximum length of an IP literal, in bytes: an IPv6 address has up to 45 characters, and a
/// zone may follow.
pub(crate) const MAX_IP_LITERAL_LEN: usize = 66;

/// The context of a URL: running text or brackets. The context determines how strict the checks of
/// `news:` and opaque schemes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// In running text.
    Bare,
    /// Between brackets.
    Bracketed,
}

/// True if `rest`, the text after a scheme's colon, has the syntax `shape`. `rest` may extend
/// beyond the URL, except for `mailto` and `news`, which are checked as a whole.
#[inline]
pub(crate) fn fits_shape(shape: Shape, rest: &[u8], setting: Setting) -> bool {
    if let Some(after) = rest.strip_prefix(b"//") {
        return match shape {
            Shape::Host | Shape::News => starts_with_host(after),
            Shape::File => after.first() == Some(&b'/') || starts_with_host(after),
            Shape::Slashes => {
                starts_with_host(after) || after.strip_prefix(b"/").is_some_and(fits_unknown_scheme)
            }
            Shape::Mailto => false,
            // The user named the scheme, so its host may be empty.
            Shape::Named => {
                fits_unknown_scheme(after)
                    || after.strip_prefix(b"/").is_some_and(fits_unknown_scheme)
            }
            Shape::Opaque => fits_unknown_scheme(after),
        };
    }
    match shape {
        Shape::Host | Shape::File | Shape::Slashes => false,
        Shape::Mailto => starts_with_mail_address(rest),
        Shape::News => is_news_resource(rest, setting),
        Shape::Named => {
            rest.first().is_some_and(|&b| b.is_ascii_graphic() && !b"<>\"'".contains(&b))
        }
        Shape::Opaque => setting == Setting::Bracketed && fits_opaque_in_brackets(rest),
    }
}

/// Returns the number of bytes after a scheme's colon that decide whether [`fits_shape`] accepts an
/// address or a newsgroup. `rest` is the text after the colon; later bytes don't change the result.
pub(crate) fn decisive_len(shape: Shape, rest: &[u8]) -> usize {
    let end = name_end(shape, rest).filter(|_| !rest.starts_with(b"//"));
    // After the `@`, the check reads one character of up to four bytes, or three bytes; after the
    // `?` before a header field, its name.
    end.unwrap_or(MAX_LOCAL_PART) + 1 + 8
}

/// True if `after`, the text after `scheme://`, makes this a URL although the scheme is unknown. It
/// must start with a letter, a digit or an IP literal.
pub(crate) fn fits_unknown_scheme(after: &[u8]) -> bool {
    after.first().is_some_and(u8::is_ascii_alphanumeric) || ip_literal_len(after) > 0
}

/// True if `after` starts with a host, with or without a user name before it.
#[inline]
pub(crate) fn starts_with_host(after: &[u8]) -> bool {
    match after.first() {
        Some(b) if b.is_ascii_alphanumeric() => true,
        // A blank line to fill in (`____`) isn't a host.
        Some(b'_') => after
            .iter()
            .find(|&&byte| byte != b'_')
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | 0x80..)),
        Some(b'[') => ip_literal_len(after) > 0,
        Some(b'%') => after.get(1..3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        Some(0x80..) => starts_with_non_ascii_letter(after) || iri::starts_with_symbol_host(after),
        Some(b) if b"@:$-.+!*'(),;&=~".contains(b) => {
            let end = after.len().min(MAX_USERINFO);
            let user = after.get(..end).unwrap_or_default();
            user.iter()
                .position(|b| {
                    matches!(b, b'@' | b'/' | b'<' | b'>' | b'"') || b.is_ascii_whitespace()
                })
                .is_some_and(|at| {
                    user[at] == b'@' && after.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
                })
        }
        _ => false,
    }
}

/// True if `text` starts with a non-ASCII letter. (The extent decides whether URLs may contain such
/// letters at all.)
fn starts_with_non_ascii_letter(text: &[u8]) -> bool {
    let head = text.get(..text.len().min(4)).unwrap_or_default();
    head.utf8_chunks()
        .next()
        .and_then(|c| c.valid().chars().next())
        .is_some_and(char::is_alphanumeric)
}

/// Returns the length of the IP literal, with its brackets, that the text starts with, or 0 if
/// there is none.
pub(crate) fn ip_literal_len(text: &[u8]) -> usize {
    if text.first() != Some(&b'[') {
        return 0;
    }
    let head = text.get(1..text.len().min(MAX_IP_LITERAL_LEN)).unwrap_or_default();
    let Some(end) = head.iter().position(|&b| b == b']') else { return 0 };
    let inner = &head[..end];
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:%".contains(b);
    let future = matches!(inner.first(), Some(b'v' | b'V'));
    if inner.iter().all(plain) && (future || inner.contains(&b':')) { end + 2 } else { 0 }
}

/// Returns the first [`MAX_LOCAL_PART`] bytes of `rest`, the text after the colon. The name of a
/// mailbox, a message or a newsgroup must end there.
fn local_part_window(rest: &[u8]) -> &[u8] {
    rest.get(..rest.len().min(MAX_LOCAL_PART)).unwrap_or_default()
}

/// Returns the offset in `rest` of the delimiter after the name of a mailbox, a message or a
/// newsgroup. Returns `None` if there is none in [`local_part_window`].
fn name_end(shape: Shape, rest: &[u8]) -> Option<usize> {
    local_part_window(rest).iter().position(|byte| match byte {
        b'@' | b'/' | b':' => true,
        b'?' => shape == Shape::Mailto,
        b'#' => shape == Shape::News,
        _ => false,
    })
}

/// True if byte `at` of `rest` is the `@` of an address. A local part must be before it, and a byte
/// that can start a domain after it.
fn is_address_sign(rest: &[u8], at: usize) -> bool {
    at > 0 && rest[at] == b'@' && starts_with_domain(&rest[at + 1..])
}

/// True if `rest`, the text after `mailto:`, starts with a mail address.
fn starts_with_mail_address(rest: &[u8]) -> bool {
    let end = name_end(Shape::Mailto, rest);
    end.is_some_and(|at| is_address_sign(rest, at))
        || has_encoded_sign(&rest[..end.unwrap_or(local_part_window(rest).len())])
        || is_only_mail_fields(rest)
}

/// True if `name` contains a percent-encoded `@`, as in `mailto:joe%40host.dom`.
fn has_encoded_sign(name: &[u8]) -> bool {
    let sign = memchr::memmem::find(name, b"%40");
    sign.is_some_and(|at| at > 0 && name.get(at + 3).is_some_and(u8::is_ascii_alphanumeric))
}

/// True if `rest`, the text after `mailto:`, is only header fields, as in
/// `mailto:?to=joe%40host.dom`.
fn is_only_mail_fields(rest: &[u8]) -> bool {
    const FIELDS: [&[u8]; 5] = [b"to=", b"cc=", b"bcc=", b"subject=", b"body="];
    let Some(fields) = rest.strip_prefix(b"?") else { return false };
    FIELDS
        .iter()
        .any(|name| fields.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name)))
}

/// True if `text` starts with a character that can start the domain of a mail address.
fn starts_with_domain(text: &[u8]) -> bool {
    match text.first() {
        Some(b) if b.is_ascii_alphanumeric() => true,
        Some(b'[' | b'%') => text.len() > 2,
        Some(0x80..) => starts_with_non_ascii_letter(text),
        _ => false,
    }
}

/// True if `rest`, the text after `news:`, is a newsgroup, a Message-ID, or (in brackets) `*`.
fn is_news_resource(rest: &[u8], setting: Setting) -> bool {
    if rest == b"*" {
        return setting == Setting::Bracketed;
    }
    let end = name_end(Shape::News, rest);
    if let Some(at) = end.filter(|&at| rest[at] != b'#') {
        return is_address_sign(rest, at);
    }
    let head = local_part_window(rest);
    let body = &head[..end.unwrap_or(head.len())];
    let group = |b: &&u8| b.is_ascii_alphanumeric() || b"+-._".contains(b);
    let len = body.iter().take_while(group).count();
    let Some(name) =
        body.get(..len).filter(|name| name.first().is_some_and(u8::is_ascii_alphabetic))
    else {
        return false;
    };
    match setting {
        Setting::Bracketed => len == body.len(),
        // A group's name may be followed by a byte that isn't allowed in it (`news:a.b,c.d`): the
        // verdict reports that.
        Setting::Bare => name.contains(&b'.'),
    }
}

/// True if `rest` can follow a scheme without `//` in brackets. It must contain a character that no
/// element name contains: `<dav:prop>` is markup and `<tel:+358-555-1234567>` is a URL.
fn fits_opaque_in_brackets(rest: &[u8]) -> bool {
    rest.first().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'?' | b'%'))
        && rest.iter().any(|b| b.is_ascii_digit() || b"@.:,%+?".contains(b))
        && !rest.iter().any(|b| matches!(b, b'"' | b'\''))
}
