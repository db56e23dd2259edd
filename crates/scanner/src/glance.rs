//! What a record says of most URLs, told at a glance.
//!
//! Nine URLs of ten in a link list are plain and beyond doubt. To parse one, to look for findings, and to
//! ask whether JSON would escape something, each by a pass of its own, costs 700 instructions. The survey
//! by which it was found has told most of that; what is left is a look at 64 bytes by vectors (the crate
//! `wide`: safe code), without a branch that the processor cannot guess. It is made only for records: to
//! put by in the survey what it tells would cost those who print only URLs a twentieth.

use urlsift_core::{Scheme, Span};
use wide::u8x16;

/// What there is to say of a URL that is plain and beyond doubt: see
/// [`Candidate::glance`](crate::Candidate::glance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glance {
    /// Its scheme.
    pub scheme: Scheme,
    /// Where its host stands in the text.
    pub host: Span,
    /// Where its fragment stands in the text, without the `#`.
    pub fragment: Option<Span>,
}

/// Bytes of a vector.
const LANES: usize = 16;

/// Bytes that a mask tells of.
const BLOCK: usize = 64;

/// What there is to say of the URL at `url` in `text`, if a survey has told that it is a plain one, whose
/// host name has `host_len` bytes.
#[inline]
pub(crate) fn glance(text: &[u8], url: Span, host_len: usize) -> Option<Glance> {
    static SCHEMES: [Scheme; 4] = [Scheme::Http, Scheme::Https, Scheme::Ftp, Scheme::Other];
    let Span { start, end } = url;
    let block: &[_; BLOCK / LANES] = text.get(start..)?.as_chunks().0.first_chunk()?;
    let head = &block[0];
    let (ftp, secure) = (usize::from(head[0] == b'f'), usize::from(head[4] == b's'));
    let scheme = SCHEMES[secure | ftp << 1];
    let (authority, len) = (7 + secure - ftp, url.len());
    let host_end = authority + host_len;
    let [mut odd, lower, dots] =
        masks(block, |bytes| [is_odd(bytes), is_lower(bytes), equal(bytes, b'.')]);
    if len > BLOCK {
        let further: &[_; BLOCK / LANES] =
            text.get(start + BLOCK..)?.as_chunks().0.first_chunk()?;
        let [further] = masks(further, |bytes| [is_odd(bytes)]);
        if len > 2 * BLOCK || (further & before(len - BLOCK)) | odd != 0 {
            return None;
        }
    }
    odd &= before(len);
    // A scheme in capitals and a port are for others to say something of.
    let scheme_bytes = before("https".len());
    if lower & scheme_bytes != scheme_bytes || text.get(start + host_end) == Some(&b':') {
        return None;
    }
    // A name that goes on behind the block is none in lower case.
    let name = (1 << host_len) - 1;
    let (lower, dots) = (lower >> authority & name, dots >> authority & name);
    // It is the last label that must have a letter.
    let has_letter = text.get(start + host_end - 1)?.is_ascii_lowercase();
    if lower != name || dots == 0 || !has_letter {
        return None;
    }
    let host = Span::new(start + authority, start + host_end);
    let mut url_end = end;
    let mut fragment = None;
    if odd != 0 {
        url_end = start + odd.trailing_zeros() as usize;
        if odd & (odd - 1) != 0 || text.get(url_end) != Some(&b'#') {
            return None;
        }
        fragment = Some(Span::new(url_end + 1, end));
    }
    if ftp > 0 && !is_ordinary_file(block, Span::new(host_end, url_end - start)) {
        return None;
    }
    Some(Glance { scheme, host, fragment })
}

/// Ones for the first `length` bits, or all.
#[inline]
fn before(length: usize) -> u64 {
    if length < BLOCK { (1 << length) - 1 } else { u64::MAX }
}

/// Which bytes of a block are of each class, the first in the lowest bit.
#[inline]
fn masks<const N: usize>(
    block: &[[u8; LANES]; BLOCK / LANES],
    classes: impl Fn(u8x16) -> [u8x16; N],
) -> [u64; N] {
    let mut masks = [0; N];
    for (index, &chunk) in block.iter().enumerate() {
        for (mask, found) in masks.iter_mut().zip(classes(u8x16::new(chunk))) {
            *mask |= u64::from(found.to_bitmask()) << (LANES * index);
        }
    }
    masks
}

/// Of the bytes that a plain URL holds, `!`, `#`, `%` and `'`. Two of them decide, and the others, which
/// are rare, differ from them in one bit.
#[inline]
fn is_odd(bytes: u8x16) -> u8x16 {
    equal(bytes | u8x16::splat(0x06), 0x27)
}

/// Of the bytes that stand in a name, all but letters in upper case: the others have one bit more.
#[inline]
fn is_lower(bytes: u8x16) -> u8x16 {
    equal(bytes & u8x16::splat(0x20), 0x20)
}

#[inline]
fn equal(bytes: u8x16, byte: u8) -> u8x16 {
    bytes.simd_eq(u8x16::splat(byte))
}

/// Whether the path of a file stands there in the block, without empty directories, type, or what looks
/// like a query.
#[inline(never)]
fn is_ordinary_file(block: &[[u8; LANES]; BLOCK / LANES], path: Span) -> bool {
    if path.len() < 2 || path.end > BLOCK {
        return false;
    }
    let [slashes, marks] = masks(block, |bytes| {
        let mark = equal(bytes, b'?') | equal(bytes, b';');
        [equal(bytes, b'/'), mark]
    });
    let odd = (slashes & slashes << 1 | marks) & before(path.end) & !before(path.start);
    slashes >> (path.end - 1) & 1 | odd == 0
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Glance};
    use crate::{Candidate, Scanner};
    use proptest::prelude::*;
    use std::sync::LazyLock;
    use urlsift_core::{Profile, diagnose, parse_reference};

    static SCANNER: LazyLock<Scanner> = LazyLock::new(|| Scanner::builder().build());

    /// Whether what is seen of a candidate is so.
    fn check(candidate: &Candidate<'_>) -> Result<(), TestCaseError> {
        let Some(Glance { scheme, host, fragment }) = candidate.glance() else { return Ok(()) };
        let url = candidate.url();
        let shown = url.escape_ascii();
        let mut codes = Vec::new();
        diagnose(&url, Profile::Web, |report| codes.push(report.code));
        prop_assert_eq!(codes, [], "{}", shown);
        let parsed = parse_reference(&url, Profile::Web).unwrap();
        prop_assert_eq!(scheme, parsed.kind());
        prop_assert_eq!(scheme.name(), parsed.scheme());
        let at = candidate.span().start;
        prop_assert_eq!(Some(host), parsed.host_span().map(|span| span.shifted(at)), "{}", shown);
        let theirs = parsed.fragment_span().map(|span| span.shifted(at));
        prop_assert_eq!(fragment, theirs, "{}", shown);
        let plain = |byte: &u8| matches!(byte, b'!'..=b'~') && !matches!(byte, b'"' | b'\\');
        prop_assert!(url.iter().all(plain), "{}", shown);
        Ok(())
    }

    /// A text in which the URL stands between others.
    fn text(url: &[u8], behind: &[u8]) -> Vec<u8> {
        let filling = behind.iter().chain(b"\n").copied().cycle().take(200);
        b"See there ".iter().chain(url).copied().chain(filling).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn what_is_seen_is_so(
            url in "(http|https|ftp|gopher|HTTP)://([a-z0-9.-]{0,40}|[a-zA]{1,20}(-[a-z]{1,9}){0,2}([.][a-z0-9]{1,9}){1,3})(:[0-9]{0,2})?([/?#]{0,2}[a-zA-Z0-9._~,;=/?%-]{0,40}){0,2}(/|#[a-z]{0,3})?",
            odd in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..2),
            behind in prop::collection::vec(any::<u8>(), 1..9),
        ) {
            let mut url = url.into_bytes();
            for candidate in SCANNER.find_iter(&text(&url, b">")) {
                check(&candidate)?;
            }
            for (at, byte) in odd {
                let at = at.index(url.len());
                url[at] = byte;
            }
            for candidate in SCANNER.find_iter(&text(&url, &behind)) {
                check(&candidate)?;
            }
        }

        /// So that the test above is about something.
        #[test]
        fn most_are_seen(
            url in "(http|https|ftp)://[a-z]{1,20}(-[a-z0-9]{1,9}){0,2}([.][a-z0-9]{0,8}[a-z]){1,3}(/[a-z0-9._~,=-]{0,20}[a-z0-9]){1,3}",
            fragment in "(#[a-z]{1,3})?",
        ) {
            let url = url + &fragment;
            let text = text(url.as_bytes(), b"\" ");
            let candidate = SCANNER.find_iter(&text).next().unwrap();
            prop_assert_eq!(&*candidate.url(), url.as_bytes());
            // A machine without vectors makes no surveys. A host's end, a fragment and the path of a file
            // must stand in the first 64 bytes.
            let is_near = url.len() <= BLOCK || fragment.is_empty() && !url.starts_with("ftp");
            if (1..56).contains(&candidate.plain_host) && url.len() <= 2 * BLOCK && is_near {
                prop_assert!(candidate.glance().is_some(), "{}", url);
            }
        }
    }

    #[test]
    fn each_byte_at_each_place() {
        for url in [
            &b"http://ab.cd/e"[..],
            b"https://w3.a-very-long-name.a-name-of-thirty-two-bytes.dom/a?b#c",
            b"https://w3.a-long-name.dom/a-path/that-is-longer-than-a-block-of/sixty-four-bytes",
            b"ftp://host.dom/a/bc",
        ] {
            for at in 0..url.len() {
                for byte in 0..=255 {
                    let mut url = url.to_vec();
                    url[at] = byte;
                    for behind in [b" ", b">"] {
                        for candidate in SCANNER.find_iter(&text(&url, behind)) {
                            check(&candidate).unwrap();
                        }
                    }
                }
            }
        }
    }
}
