//! The plain URL of profile `web`, read at once: `http`, `https` or `ftp`, a name and perhaps a
//! port, no user, all of it US-ASCII. Nearly all URLs are.
//!
//! All is read by vectors of sixteen bytes, and there are no loops whose end depends on the URL: the
//! processor cannot guess it, and a wrong guess costs more than some bytes in vain.

use crate::bytes::{self, ALPHA, DIGIT, HOSTNAME, WEB_QUERY};
use crate::parts::Parts;
use crate::scheme::{Grammar, Scheme};
use crate::simd;

/// Reads a plain URL. `None` for all that is rarer, good or bad.
#[inline]
pub(crate) fn read(text: &[u8]) -> Option<Parts> {
    let (scheme, colon) = scheme(text)?;
    let end = end(text)?;
    let authority = colon + 3;
    let host_end = name_end(text, authority)?;
    let mut authority_end = host_end;
    if text.get(host_end) == Some(&b':') {
        authority_end = bytes::skip(text, host_end + 1, DIGIT);
    }
    let rest = text.get(authority_end..)?;
    if !matches!(rest.first(), None | Some(b'/' | b'?' | b'#')) {
        return None;
    }
    // What looks like a query where there is none, as in ftp, is for RFC 1738 to say.
    if !scheme.has_query() && rest.contains(&b'?') {
        return None;
    }
    let parts = Parts::new(scheme, Grammar::Rfc3986, colon);
    Some(Parts { authority, host_end, authority_end, end, ..parts })
}

/// How a URL of a scheme starts, in the first eight bytes as one number.
struct Head {
    scheme: Scheme,
    /// Which bits are the name's, and those of `://`.
    mask: u64,
    start: u64,
}

impl Head {
    const fn of(scheme: Scheme) -> Self {
        let (name, mut bytes, mut mask, mut at) = (scheme.name().as_bytes(), [0; 8], [0; 8], 0);
        while at < name.len() + 3 {
            bytes[at] = if at < name.len() { name[at] } else { b"://"[at - name.len()] };
            mask[at] = 0xFF;
            at += 1;
        }
        Self { scheme, mask: u64::from_le_bytes(mask), start: u64::from_le_bytes(bytes) }
    }
}

/// The scheme and the place of its colon, if `//` follows.
#[inline]
fn scheme(text: &[u8]) -> Option<(Scheme, usize)> {
    const HEADS: [Head; 3] =
        [Head::of(Scheme::Http), Head::of(Scheme::Https), Head::of(Scheme::Ftp)];
    let head = u64::from_le_bytes(*text.first_chunk()?);
    let found = HEADS.iter().find(|known| head & known.mask == known.start)?;
    Some((found.scheme, found.scheme.name().len()))
}

/// The end of a host name of letters and digits, in which dots and hyphens stand alone, if it is
/// shorter than 64 bytes.
///
/// 32 bytes are always looked at: where a loop ends, the processor guesses wrong.
#[inline]
fn name_end(text: &[u8], start: usize) -> Option<usize> {
    let (mut name, mut marks) = look(text, start)?;
    if name == u64::from(u32::MAX) {
        let (more, more_marks) = look(text, start + 32)?;
        name |= more << 32;
        marks |= more_marks << 32;
    }
    let length = name.trailing_ones();
    let ends = 1_u64.checked_shl(length)?;
    // A mark at the beginning, behind another one, or before the end.
    let after_mark = marks << 1 | 1;
    if marks & after_mark & (ends - 1) == 0 && after_mark & ends == 0 {
        Some(start + length as usize)
    } else {
        None
    }
}

/// Which of 32 bytes can stand in a host name, and which are dots and hyphens. `None` if the text is
/// too short.
#[inline]
fn look(text: &[u8], at: usize) -> Option<(u64, u64)> {
    let [name, mark] = simd::masks(text, at, |bytes| {
        let name = simd::of::<HOSTNAME>(bytes);
        [name, name & !simd::of::<{ ALPHA | DIGIT }>(bytes)]
    })?;
    Some((name, mark))
}

/// The end of the URL proper, the text's end or its fragment's `#`, if nothing but characters of a
/// path, a query or a fragment stand in it.
#[inline]
fn end(text: &[u8]) -> Option<usize> {
    if is_clean(text) {
        return Some(text.len());
    }
    let hash = text.iter().position(|&byte| byte == b'#')?;
    let (url, fragment) = (&text[..hash], &text[hash + 1..]);
    (is_clean(url) && is_clean(fragment)).then_some(hash)
}

/// Whether each byte is a character of a query. (A path has the same but for the `?`, which ends
/// it; a fragment has the same.)
#[inline]
fn is_clean(text: &[u8]) -> bool {
    simd::all(text, simd::of::<WEB_QUERY>)
        .unwrap_or_else(|| bytes::skip(text, 0, WEB_QUERY) == text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn names_end_where_they_end() {
        let name = |text: &str| {
            let text = alloc::format!("ftp://{text}");
            name_end(text.as_bytes(), 6).map(|end| end - 6)
        };
        for (text, end) in [
            ("host.dom", None), // too short to be worth it
            ("host.dom/a", Some(8)),
            ("h/a/long/path", Some(1)),
            ("ho.st:70/index", Some(5)),
            ("hoooooost.dom", Some(13)),
            ("host-1.dom", Some(10)),
            ("a-long-name.in-a.deep.domain:80/and/a/path", Some(28)),
            ("host.dom./and/a/path", None),
            ("-host.dom/and/a/path", None),
            (".host.dom/and/a/path", None),
            ("host..dom/and/a/path", None),
            ("host1-2.-dom/and/a/path", None),
            ("hostdom.-xyz/and/a/path", None),
            ("hostdom-/and/a/path", None),
            ("/path", None),
            ("ho_st.dom/and/a/path", Some(2)),
            ("Hos@t.dom/and/a/path", Some(3)),
            ("hos[t.dom/and/a/path", Some(3)),
            ("hos`t{.dom/and/a/path", Some(3)),
            ("abcdefgh/abc", Some(8)),
            ("abcdefghijkl-", None),
            ("abcdefghijklmno.pq", Some(18)),
            ("a-name-of-thirty-two-bytes.dom.n", Some(32)),
            ("a-name-of-thirty-two-bytes.dom.-", None),
            ("a-name-of-thirty-two-bytes.dom..n", None),
            ("a-name-of-thirty-two-bytes.dom.ne/t", Some(33)),
        ] {
            assert_eq!(name(text), end, "{text}");
        }
    }

    #[test]
    fn clean_is_what_a_query_may_hold() {
        for byte in 0..=255 {
            for length in [1, 15, 16, 17, 32, 50] {
                for at in [0, length / 2, length - 1] {
                    let mut text: Vec<u8> = alloc::vec![b'a'; length];
                    text[at] = byte;
                    assert_eq!(is_clean(&text), bytes::is(byte, WEB_QUERY), "{byte} of {length}");
                }
            }
        }
        assert!(is_clean(b""));
    }
}
