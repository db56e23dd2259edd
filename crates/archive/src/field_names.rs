//! The meaning of header fields, by their names: which fields are read, contain URLs, or are found
//! in mail only.

use crate::header::Field;
use crate::simd;

/// The purpose for which a header field is read: to find the body of a message, or to find URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    ContentType,
    TransferEncoding,
    Disposition,
    ContentLength,
    Subject,
    /// A field meant to contain a URL.
    Url,
    Other,
}

/// True if a field whose name starts with `first_byte` may have a role other than [`Role::Other`].
/// Also true for some bytes other than letters, although no field with a role starts with them.
///
/// This is called for every header line. Testing one bit takes three instructions, and comparing the
/// byte with each letter takes eleven.
#[inline]
pub(crate) fn may_have_role(first_byte: u8) -> bool {
    const FIRST_LETTERS: u32 = letter_set(b"achlsuwx");
    FIRST_LETTERS >> (first_byte & 31) & 1 != 0
}

/// Returns a set of letters as a bit mask, regardless of their case: bit 1 is set for `a`.
const fn letter_set(mut letters: &[u8]) -> u32 {
    let mut set = 0;
    while let [letter, rest @ ..] = letters {
        set |= 1 << (*letter & 31);
        letters = rest;
    }
    set
}

/// Returns the role of a field. This is called for every header line, so it checks the first byte
/// first.
#[inline]
pub(crate) fn field_role(field: &Field<'_>) -> Role {
    match field.first_byte() {
        Some(first) if may_have_role(first) => field_role_by_first_byte(first | 0x20, field),
        _ => Role::Other,
    }
}

/// Does the work of [`field_role`], given the first byte of the name in lower case.
fn field_role_by_first_byte(lower_first_byte: u8, field: &Field<'_>) -> Role {
    let name = field.name();
    match (lower_first_byte, name.len()) {
        (b's', 7) if equals_ignoring_case(name, b"subject") => Role::Subject,
        (b'c', 12) if equals_ignoring_case(name, b"content-type") => Role::ContentType,
        (b'c', 25) if equals_ignoring_case(name, b"content-transfer-encoding") => {
            Role::TransferEncoding
        }
        (b'c', 14) if equals_ignoring_case(name, b"content-length") => Role::ContentLength,
        (b'c', 19) if equals_ignoring_case(name, b"content-disposition") => Role::Disposition,
        _ if is_field_for_urls(name, field.value()) => Role::Url,
        _ => Role::Other,
    }
}

/// True if a header field is meant to contain URLs.
///
/// These are fields with names such as `List-Archive`, `Archived-At`, `Content-Location` and
/// `X-URL`, and all private fields (`X-…`) whose value starts with `word://`. `List-Id` is not one
/// of them, and neither is a subject, which is prose. A `Content-Type` is one of them only if
/// `value` is the URL of an external body.
///
/// ```
/// use urlsift_archive::is_field_for_urls;
///
/// assert!(is_field_for_urls(b"List-Archive", b"<http://host.dom/>"));
/// assert!(is_field_for_urls(b"X-Keyserver", b"http://host.dom/"));
/// assert!(!is_field_for_urls(b"Subject", b"http://host.dom/"));
/// ```
pub fn is_field_for_urls(name: &[u8], value: &[u8]) -> bool {
    match (name.first().map_or(0, |first| first | 0x20), name.len()) {
        (b'c', 16) => equals_ignoring_case(name, b"content-location"),
        (b'c', 12) => {
            equals_ignoring_case(name, b"content-base")
                || equals_ignoring_case(name, b"content-type") && starts_with_link(value)
        }
        (b'l', 4) => equals_ignoring_case(name, b"link"),
        (b'l', 5..) => {
            starts_with_ignoring_case(name, b"list-") && !equals_ignoring_case(name, b"list-id")
        }
        (b'a', 11) => equals_ignoring_case(name, b"archived-at"),
        (b'x', _) => starts_with_link(value) || is_named_for_url(name),
        (b'u' | b'h' | b'w', _) => is_named_for_url(name),
        _ => false,
    }
}

/// True if `name` equals `lower`, ignoring case. `lower` must consist of letters and hyphens. A
/// name has no control characters, so setting the case bit turns no other byte into a letter or
/// hyphen.
#[inline]
fn equals_ignoring_case<const N: usize>(name: &[u8], lower: &[u8; N]) -> bool {
    name.len() == N && starts_with_ignoring_case(name, lower)
}

/// True if `name` starts with `lower`, ignoring case. `lower` must consist of letters and hyphens.
///
/// Compares words of four bytes, the last two of which may overlap. For a comparison of the whole
/// arrays, most of which have an odd length, the compiler generates slow code.
#[inline]
fn starts_with_ignoring_case<const N: usize>(name: &[u8], lower: &[u8; N]) -> bool {
    const { assert!(N >= 4, "it is a word at least") };
    let word =
        |of: &[u8; N], at: usize| u32::from_le_bytes([of[at], of[at + 1], of[at + 2], of[at + 3]]);
    name.first_chunk().is_some_and(|name| {
        let words = (0..N).step_by(4).map(|at| at.min(N - 4));
        words.fold(0, |other, at| other | (word(name, at) | 0x2020_2020) ^ word(lower, at)) == 0
    })
}

/// The header fields that [`Provenance`](crate::Provenance) contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProvenanceField {
    Id,
    From,
    Date,
    PostingDate,
    Received,
    Newsgroups,
    List,
    InReplyTo,
    References,
}

/// True if a field whose name starts with `first_byte` may be a [`ProvenanceField`].
#[inline]
pub(crate) fn may_be_provenance_field(first_byte: u8) -> bool {
    matches!(first_byte | 0x20, b'm' | b'f' | b'd' | b'n' | b'r' | b'l' | b'i')
}

/// Returns the kind of a field that [`Provenance`](crate::Provenance) contains, or `None` for other
/// fields.
#[inline]
pub(crate) fn provenance_field(field: &Field<'_>) -> Option<ProvenanceField> {
    let name = field.name();
    let (kind, is_it) = match (name.first()? | 0x20, name.len()) {
        (b'm', 10) => (ProvenanceField::Id, equals_ignoring_case(name, b"message-id")),
        (b'f', 4) => (ProvenanceField::From, equals_ignoring_case(name, b"from")),
        (b'd', 4) => (ProvenanceField::Date, equals_ignoring_case(name, b"date")),
        (b'n', 17) => {
            (ProvenanceField::PostingDate, equals_ignoring_case(name, b"nntp-posting-date"))
        }
        (b'n', 10) => (ProvenanceField::Newsgroups, equals_ignoring_case(name, b"newsgroups")),
        (b'r', 8) => (ProvenanceField::Received, equals_ignoring_case(name, b"received")),
        (b'r', 10) => (ProvenanceField::References, equals_ignoring_case(name, b"references")),
        (b'l', 7) => (ProvenanceField::List, equals_ignoring_case(name, b"list-id")),
        (b'i', 11) => (ProvenanceField::InReplyTo, equals_ignoring_case(name, b"in-reply-to")),
        _ => return None,
    };
    is_it.then_some(kind)
}

/// True if a field called `name` contains identifiers, addresses in angle brackets or trace
/// information. These look like URLs only by chance.
#[inline]
pub(crate) fn is_identifier_field(name: &[u8]) -> bool {
    match (name.first().map(|first| first | 0x20), name.len()) {
        (Some(b'm'), 10) => equals_ignoring_case(name, b"message-id"),
        (Some(b'i'), 11) => equals_ignoring_case(name, b"in-reply-to"),
        (Some(b'r'), 8) => equals_ignoring_case(name, b"received"),
        (Some(b'r'), 10) => equals_ignoring_case(name, b"references"),
        (Some(b'r'), 11) => equals_ignoring_case(name, b"return-path"),
        (Some(b'r'), 17) => equals_ignoring_case(name, b"resent-message-id"),
        (Some(b'd'), 12) => equals_ignoring_case(name, b"delivered-to"),
        (Some(b'd'), 14) => equals_ignoring_case(name, b"dkim-signature"),
        (Some(b'e'), 11) => equals_ignoring_case(name, b"envelope-to"),
        (Some(b'c'), 10) => equals_ignoring_case(name, b"content-id"),
        (Some(b'l'), 7) => equals_ignoring_case(name, b"list-id"),
        (Some(b'a'), 8) => equals_ignoring_case(name, b"arc-seal"),
        (Some(b'a'), 21) => equals_ignoring_case(name, b"arc-message-signature"),
        (Some(b'x'), 4) => equals_ignoring_case(name, b"xref"),
        _ => false,
    }
}

/// True if a header value starts with a word of letters and digits and `://`. An `X-` field with
/// such a value, such as `X-Website: http://h.dom/`, is scanned for URLs.
fn starts_with_link(value: &[u8]) -> bool {
    let value = value.trim_ascii_start();
    let colon = match value.first_chunk() {
        Some(first) => simd::field_name_end(*first),
        None => value.iter().position(|&byte| byte == b':').unwrap_or(0),
    };
    (1..=12).contains(&colon)
        && value.get(colon..).is_some_and(|rest| rest.starts_with(b"://"))
        && value.iter().take(colon).all(u8::is_ascii_alphanumeric)
}

/// True if the last word of a field's name shows that its value is a URL: `X-URL`, `X-Homepage`,
/// `X-Blog-URI`, `URL`, …
fn is_named_for_url(name: &[u8]) -> bool {
    const WORDS: [&[u8]; 8] =
        [b"url", b"uri", b"www", b"homepage", b"home-page", b"web", b"webpage", b"archived-at"];
    let last = name.last().map(|b| b | 0x20);
    if !matches!(last, Some(b'l' | b'i' | b'w' | b'e' | b'b' | b't')) {
        return false;
    }
    WORDS.iter().filter(|word| word.last().copied() == last).any(|word| {
        name.len().checked_sub(word.len()).is_some_and(|at| {
            name.get(at..).is_some_and(|tail| tail.eq_ignore_ascii_case(word))
                && (at == 0 || name.get(at - 1) == Some(&b'-'))
        })
    })
}

/// True if a field with this name is found in mail and news only. Other kinds of documents also
/// start with `Name: value` lines.
pub(crate) fn is_mail_only(name: &[u8]) -> bool {
    match (name.first().map_or(0, |first| first | 0x20), name.len()) {
        (b'r', 8) => equals_ignoring_case(name, b"received"),
        (b'r', 10) => equals_ignoring_case(name, b"references"),
        (b'r', 11) => equals_ignoring_case(name, b"return-path"),
        (b'm', 10) => equals_ignoring_case(name, b"message-id"),
        (b'm', 12) => equals_ignoring_case(name, b"mime-version"),
        (b'n', 10) => equals_ignoring_case(name, b"newsgroups"),
        (b'n', 17) => equals_ignoring_case(name, b"nntp-posting-host"),
        (b'p', 4) => equals_ignoring_case(name, b"path"),
        (b'd', 12) => equals_ignoring_case(name, b"delivered-to"),
        (b'd', 14) => equals_ignoring_case(name, b"dkim-signature"),
        (b'c', 25) => equals_ignoring_case(name, b"content-transfer-encoding"),
        (b'i', 11) => equals_ignoring_case(name, b"in-reply-to"),
        (b'e', 11) => equals_ignoring_case(name, b"envelope-to"),
        (b'x', 16) => equals_ignoring_case(name, b"x-mozilla-status"),
        (b'x', 4) => equals_ignoring_case(name, b"xref"),
        (b'a', 12) => name.eq_ignore_ascii_case(b"article-i.d."),
        _ => false,
    }
}

/// True if a field with this name is found in mail and news, but also in other documents.
pub(crate) fn is_common(name: &[u8]) -> bool {
    match (name.first().map_or(0, |first| first | 0x20), name.len()) {
        (b'f', 4) => equals_ignoring_case(name, b"from"),
        (b't', 2) => name.eq_ignore_ascii_case(b"to"),
        (b'c', 2) => name.eq_ignore_ascii_case(b"cc"),
        (b'c', 12) => equals_ignoring_case(name, b"content-type"),
        (b's', 6) => equals_ignoring_case(name, b"sender"),
        (b's', 7) => {
            equals_ignoring_case(name, b"subject") || equals_ignoring_case(name, b"summary")
        }
        (b'd', 4) => equals_ignoring_case(name, b"date"),
        (b'r', 8) => equals_ignoring_case(name, b"reply-to"),
        (b'o', 12) => equals_ignoring_case(name, b"organization"),
        (b'l', 5) => equals_ignoring_case(name, b"lines"),
        (b'a', 13) => equals_ignoring_case(name, b"apparently-to"),
        _ => false,
    }
}

/// True if `name` is the name of a field in mail or news, or may be a name that a mail program
/// invented. Invented names contain hyphens, like `X-Account-Key`.
pub(crate) fn may_be_in_mail(name: &[u8]) -> bool {
    name.contains(&b'-') || is_mail_only(name) || is_common(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Fields;

    #[test]
    fn value_that_starts_with_scheme_and_slashes_is_a_link() {
        for (value, is_link) in [
            ("http://a.b/", true),
            (" x://", true),
            ("\n abcdefghijkl://a.dom/x/y/z", true),
            ("abcdefghijklm://a.dom/x/y/z", false),
            ("hkp://a.dom and more of it", true),
            ("see http://a.dom/ and more", false),
            ("mailto:joe@a.dom, and more", false),
            ("a-b://a.dom/ and much more", false),
            ("://a.dom/", false),
            ("", false),
        ] {
            assert_eq!(starts_with_link(value.as_bytes()), is_link, "{value}");
        }
    }

    #[test]
    fn fields_have_roles() {
        for (name, expected) in [
            ("Content-Type", Role::ContentType),
            ("CONTENT-TRANSFER-ENCODING", Role::TransferEncoding),
            ("List-Unsubscribe", Role::Url),
            ("List-ID", Role::Other),
            ("X-URL", Role::Url),
            ("X-Home-Page", Role::Url),
            ("X-Curl", Role::Other),
            ("URL", Role::Url),
            ("References", Role::Other),
            ("To", Role::Other),
            ("X-Keyserver", Role::Other),
            ("Subject ", Role::Subject),
            ("X-URL\t", Role::Url),
            ("List-Id ", Role::Other),
            ("Content-Base", Role::Url),
            ("Content-Transfer-Encoding \t", Role::TransferEncoding),
        ] {
            for end in ["x", "x\n", "x\r\n\r\nbody"] {
                let text = format!("{name}: {end}");
                let field = Fields::new(text.as_bytes(), 0).next().unwrap();
                assert_eq!(field_role(&field), expected, "{text}");
            }
        }
        let field = Fields::new(b"X-Keyserver: http://host.dom/", 0).next().unwrap();
        assert_eq!(field_role(&field), Role::Url);
    }
}
