//! A fast parser for *plain* URLs in profile `web`: `http`, `https` or `ftp`, a host name, an
//! optional port, no user name, and only US-ASCII characters. Nearly all URLs are plain; all others
//! go through the full parser.
//!
//! The parser tests vectors of sixteen bytes. It avoids loops whose length depends on the URL,
//! because a mispredicted loop end costs more than testing some bytes in vain.

use crate::bytes::{self, ALPHA, DIGIT, HOSTNAME, WEB_QUERY};
use crate::parts::Parts;
use crate::scheme::{Grammar, Scheme};
use crate::simd;
use wide::u8x16;

/// Parses a *plain* URL. Such a URL has the scheme http, https or ftp and a host name, contains no
/// user name, and is all US-ASCII. Returns `None` for any other text, valid or not, which then
/// needs the full parser.
///
/// This is always inlined, so that callers that only need the verdict don't build the parts.
#[inline(always)]
pub(crate) fn parse_plain(text: &[u8]) -> Option<Parts> {
    let SchemePrefix { scheme, colon, has_query, .. } = *find_scheme_prefix(text)?;
    let authority = colon + 3;
    let [name, marks] = host_name_masks(text, authority);
    let host_end = host_name_end(name, marks, authority)?;
    let authority_end = authority_end(text, host_end)?;
    let end = plain_url_end(text, authority_end, has_query)?;
    let parts = Parts::new(scheme, Grammar::Rfc3986, colon);
    Some(Parts { authority, host_end, authority_end, end, ..parts })
}

/// The first bytes of URLs with a certain scheme (such as `http://`), packed into a number. A
/// single comparison of numbers then tests all of these bytes.
struct SchemePrefix {
    scheme: Scheme,
    colon: usize,
    has_query: bool,
    /// The bits of `start` to compare: those of the name and of `://`.
    mask: u64,
    start: u64,
}

impl SchemePrefix {
    const HTTP: &Self = &Self::for_scheme(Scheme::Http);
    const HTTPS: &Self = &Self::for_scheme(Scheme::Https);
    const FTP: &Self = &Self::for_scheme(Scheme::Ftp);

    const fn for_scheme(scheme: Scheme) -> Self {
        let (name, mut bytes, mut mask, mut at) = (scheme.name().as_bytes(), [0; 8], [0; 8], 0);
        let (colon, has_query) = (name.len(), scheme.has_query());
        while at < colon + 3 {
            bytes[at] = if at < colon { name[at] } else { b"://"[at - colon] };
            mask[at] = 0xFF;
            at += 1;
        }
        let (mask, start) = (u64::from_le_bytes(mask), u64::from_le_bytes(bytes));
        Self { scheme, colon, has_query, mask, start }
    }

    /// True if a text starts with this scheme and `://`. `first_bytes` are the first eight bytes of
    /// the text.
    #[inline]
    const fn is_start_of(&self, first_bytes: u64) -> bool {
        first_bytes & self.mask == self.start
    }
}

/// Returns the scheme prefix (`http://`, `https://` or `ftp://`) that `text` starts with, or `None`
/// for other texts. This is a chain of comparisons and not a loop, so that the compiler can inline
/// the numbers as constants.
#[inline]
fn find_scheme_prefix(text: &[u8]) -> Option<&'static SchemePrefix> {
    let start = u64::from_le_bytes(*text.first_chunk()?);
    if SchemePrefix::HTTP.is_start_of(start) {
        Some(SchemePrefix::HTTP)
    } else if SchemePrefix::FTP.is_start_of(start) {
        Some(SchemePrefix::FTP)
    } else {
        SchemePrefix::HTTPS.is_start_of(start).then_some(SchemePrefix::HTTPS)
    }
}

/// Returns the end of the authority whose host ends at byte `host_end`. If the authority has a
/// port, this is the end of the port. Returns `None` if any character but `/`, `?` or `#` follows
/// the authority.
#[inline(always)]
fn authority_end(text: &[u8], host_end: usize) -> Option<usize> {
    let mut end = host_end;
    if text.get(end) == Some(&b':') {
        end = bytes::skip_set(text, end + 1, DIGIT);
    }
    matches!(text.get(end), None | Some(b'/' | b'?' | b'#')).then_some(end)
}

/// Returns two bit masks of the first 64 bytes of `text`: one of the host name characters, and one
/// of the dots and hyphens. Bits after the end of the host name that starts at `start` may be
/// missing.
///
/// Always tests 32 bytes at a time, because the processor would mispredict the end of a finer loop.
#[inline(always)]
fn host_name_masks(text: &[u8], start: usize) -> [u64; 2] {
    let [mut name, mut marks] = simd::class_masks(text, 0, mark_host_name_bytes);
    if name >> start == u64::from(u32::MAX) >> start {
        let [more, more_marks] = simd::class_masks(text, 32, mark_host_name_bytes);
        name |= more;
        marks |= more_marks;
    }
    [name, marks]
}

/// Returns the end of the host name that starts at byte `start`. `name_mask` and
/// `dot_and_hyphen_mask` are the masks from [`host_name_masks`].
///
/// Returns `None` if the name doesn't end within the first 64 bytes. Also returns `None` if it
/// starts or ends with a dot or hyphen, or if two of these are next to each other.
#[inline(always)]
fn host_name_end(name_mask: u64, dot_and_hyphen_mask: u64, start: usize) -> Option<usize> {
    let (name, marks) = (name_mask >> start, dot_and_hyphen_mask >> start);
    let length = name.trailing_ones();
    let ends = 1_u64 << length;
    // The positions where a dot or hyphen is invalid: at the start and after another dot or hyphen.
    let after_mark = marks << 1 | 1;
    let end = start + length as usize;
    (marks & after_mark & (ends - 1) == 0 && after_mark & ends == 0 && end < 64).then_some(end)
}

/// Classifies sixteen bytes. Returns one vector that marks the host name characters, and one that
/// marks the dots and hyphens.
#[inline]
fn mark_host_name_bytes(bytes: u8x16) -> [u8x16; 2] {
    let name = simd::in_set::<HOSTNAME>(bytes);
    [name, name & !simd::in_set::<{ ALPHA | DIGIT }>(bytes)]
}

/// Returns the end of the URL before its fragment. `start` is the end of the authority, and
/// `has_query` is false for a scheme without queries (ftp).
///
/// Returns `None` if the text after the authority contains a character that isn't allowed in a
/// path, query or fragment. A `?` is only allowed if the scheme has queries.
#[inline(always)]
fn plain_url_end(text: &[u8], start: usize, has_query: bool) -> Option<usize> {
    // A path may contain the same characters as a query, except `?`. The characters before `start`
    // are also allowed in a query, so the whole text can be tested. Excluding NUL changes nothing,
    // since it isn't allowed anyway.
    let excluded = if has_query { 0 } else { b'?' };
    let is_clean = simd::all_in_class(text, |bytes| {
        simd::in_set::<WEB_QUERY>(bytes) & !simd::equal_to(bytes, excluded)
    });
    if is_clean { Some(text.len()) } else { offset_of_only_hash(text, start, has_query) }
}

/// Returns the offset of the `#` if the text from `start` on contains exactly one. Returns `None`
/// if it contains none or several, or any character that is not allowed in a path, query or
/// fragment. If `has_query` is false, a `?` is not allowed.
#[cold]
fn offset_of_only_hash(text: &[u8], start: usize, has_query: bool) -> Option<usize> {
    let hash = bytes::skip_set(text, start, WEB_QUERY);
    let is_clean = text.get(hash) == Some(&b'#')
        && bytes::skip_set(text, hash + 1, WEB_QUERY) == text.len()
        && (has_query || !text[start..].contains(&b'?'));
    is_clean.then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn host_names_end_at_the_first_other_byte() {
        let name = |text: &str| {
            let text = alloc::format!("ftp://{text}");
            let [name, marks] = host_name_masks(text.as_bytes(), 6);
            host_name_end(name, marks, 6).map(|end| end - 6)
        };
        for (text, end) in [
            ("host.dom", Some(8)),
            ("h", Some(1)),
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
    fn clean_bytes_are_those_of_a_query() {
        for byte in 0..=255 {
            for length in [1, 15, 16, 17, 32, 33, 50, 70] {
                for at in [0, length / 2, length - 1] {
                    let mut text: Vec<u8> = alloc::vec![b'a'; length];
                    text[at] = byte;
                    for has_query in [true, false] {
                        let expected = match byte {
                            b'#' => Some(at),
                            b'?' if !has_query => None,
                            _ => bytes::is_in(byte, WEB_QUERY).then_some(length),
                        };
                        assert_eq!(
                            plain_url_end(&text, 0, has_query),
                            expected,
                            "{byte} of {length}"
                        );
                    }
                }
            }
        }
    }
}
