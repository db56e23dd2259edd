//! Parses, decodes and encodes percent-escapes.

use crate::bytes::{self, FRAGMENT, HEX, QUERY, REPAIRABLE, Set};
use crate::fault::Fault;
use crate::iri;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Returns the end of a run that starts at byte `at` and consists of characters in `set` and of
/// percent-escapes.
///
/// If `REPAIR` is true, the run may also contain [`REPAIRABLE`] characters and a lone `%`, as in
/// profile `web` outside the authority. If `IRI` is true, it may contain the non-ASCII characters
/// of RFC 3987.
///
/// # Errors
///
/// Returns a fault at the first byte of an escape that should be a hexadecimal digit and is not.
#[inline]
pub(crate) fn run_end<const REPAIR: bool, const IRI: bool>(
    text: &[u8],
    mut at: usize,
    set: Set,
) -> Result<usize, Fault> {
    let wide = if REPAIR { set | REPAIRABLE } else { set };
    loop {
        at = bytes::skip_set(text, at, wide);
        match text.get(at) {
            Some(b'%') => match count_hex_digits(text, at + 1) {
                2 => at += 3,
                _ if REPAIR => at += 1,
                fewer => return Err(Fault::at(at + 1 + fewer)),
            },
            Some(&byte) if IRI && byte >= 0x80 => {
                let place = if set & QUERY != 0 { iri::Place::Query } else { iri::Place::Other };
                match iri::allowed_char_len(text, at, place) {
                    Some(len) => at += len,
                    None => return Ok(at),
                }
            }
            _ => return Ok(at),
        }
    }
}

/// Returns the end of the run of fragment characters that starts at byte `at`. If `WEB` is true,
/// the run may contain further `#`.
pub(crate) fn fragment_end<const WEB: bool>(text: &[u8], mut at: usize) -> Result<usize, Fault> {
    loop {
        at = run_end::<WEB, WEB>(text, at, FRAGMENT)?;
        if !WEB || text.get(at) != Some(&b'#') {
            return Ok(at);
        }
        at += 1;
    }
}

/// Returns the number of hexadecimal digits that start at byte `at` of `text`: 0, 1 or 2 (further
/// ones are not counted).
#[inline]
pub(crate) fn count_hex_digits(text: &[u8], at: usize) -> usize {
    if !bytes::byte_at_is_in(text, at, HEX) {
        0
    } else if bytes::byte_at_is_in(text, at + 1, HEX) {
        2
    } else {
        1
    }
}

/// Returns the octet that the percent-escape at byte `at` encodes, or `None` if no escape starts
/// there.
pub(crate) fn decode_octet_at(text: &[u8], at: usize) -> Option<u8> {
    match text.get(at..)? {
        [b'%', high, low, ..] => parse_hex_octet(*high, *low),
        _ => None,
    }
}

/// Returns the percent-escape of an octet (RFC 3986 §2.1), with upper-case digits (§6.2.2.1).
pub(crate) fn encode_octet(octet: u8) -> [u8; 3] {
    let digit = |n: u8| b"0123456789ABCDEF"[usize::from(n & 15)];
    [b'%', digit(octet >> 4), digit(octet)]
}

/// Percent-encodes each byte of `text` for which `is_kept` returns false. Takes linear time.
///
/// ```
/// let url = urlsift_core::percent_encode(b"http://host.dom/a b", |byte| byte.is_ascii_graphic());
/// assert_eq!(url, b"http://host.dom/a%20b");
/// ```
pub fn percent_encode(text: &[u8], is_kept: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        if is_kept(byte) {
            out.push(byte);
        } else {
            out.extend_from_slice(&encode_octet(byte));
        }
    }
    out
}

/// Returns the octet that the two hexadecimal digits `high` and `low` denote, or `None` if one of
/// them is not such a digit.
pub(crate) fn parse_hex_octet(high: u8, low: u8) -> Option<u8> {
    Some(hex_digit_value(high)? << 4 | hex_digit_value(low)?)
}

/// Returns the value of a hexadecimal digit in either case, or `None` if `digit` is not one.
fn hex_digit_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// Returns the bytes of `part` with percent-escapes decoded. A `%` without two hexadecimal digits
/// after it is returned unchanged.
pub(crate) fn decode_octets(part: &[u8]) -> impl Iterator<Item = u8> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let raw = *part.get(at)?;
        let decoded = decode_octet_at(part, at);
        at += if decoded.is_some() { 3 } else { 1 };
        Some(decoded.unwrap_or(raw))
    })
}

/// Decodes the percent-escapes (RFC 1738 §2.2) of `part`, a part of a URL. Keeps a `%` without two
/// hexadecimal digits after it. Borrows if `part` contains no `%`. Takes linear time.
///
/// ```
/// assert_eq!(&*urlsift_core::decode_escapes(b"a%2Fb%zz"), b"a/b%zz");
/// ```
pub fn decode_escapes(part: &[u8]) -> Cow<'_, [u8]> {
    if part.contains(&b'%') {
        Cow::Owned(decode_octets(part).collect::<Vec<_>>())
    } else {
        Cow::Borrowed(part)
    }
}
