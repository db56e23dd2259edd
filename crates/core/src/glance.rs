//! The URL beyond doubt, told at one glance: valid by profile `web`, and not a word to be said of it.
//!
//! Nine URLs of ten in a link list are so. For a record of one, to parse it, to look for findings, to
//! ask whether it must be escaped in JSON, each by a pass of its own, cost 700 instructions; the glance
//! costs 310, and the processor guesses wrong once instead of four times.

use crate::lanes::{self, LANES};
use crate::{Scheme, Span};
use wide::u8x16;

/// What is seen of a URL that stands in a text, if it is valid. It holds only printable US-ASCII, neither
/// quotation marks nor backslashes nor escapes; its scheme and host are in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glance {
    /// One of http, https and ftp.
    pub scheme: Scheme,
    /// Whether it is valid by [`Profile::Web`](crate::Profile::Web), without a port, and
    /// [`diagnose()`](crate::diagnose()) says nothing of it. Otherwise that is yet to be seen.
    pub beyond_doubt: bool,
    /// Where its host stands in the text. It has no user.
    pub host: Span,
    /// Where its fragment stands in the text, without the `#`.
    pub fragment: Option<Span>,
}

/// The longest URL that is looked at, in bytes.
const LONGEST: usize = 127;

/// Looks at the URL that stands at `url` in `text`.
///
/// Conservative: `None` means only that it is worth a closer look ([`parse_reference`], [`diagnose()`]).
/// So it is for URLs of 128 bytes or more, and for those that stand less than 128 bytes before the
/// text's end. Constant time.
///
/// ```
/// use urlsift_core::{Scheme, Span, glance};
/// let text = [b"See http://host.dom/a#b, or else ".as_slice(), &[b'.'; 128]].concat();
/// let seen = glance(&text, Span::new(4, 23)).unwrap();
/// assert!(seen.scheme == Scheme::Http && seen.beyond_doubt);
/// assert_eq!(&text[seen.host.range()], b"host.dom");
/// assert_eq!(seen.fragment, Some(Span::new(22, 23)));
/// // A comma is nothing special, but a blank is.
/// assert!(glance(&text, Span::new(4, 24)).is_some());
/// assert!(glance(&text, Span::new(4, 25)).is_none());
/// ```
///
/// [`parse_reference`]: crate::parse_reference
/// [`diagnose()`]: crate::diagnose()
#[inline(never)]
pub fn glance(text: &[u8], url: Span) -> Option<Glance> {
    let Span { start, end } = url;
    let ahead: &[_; 8] = text.get(start..)?.as_chunks::<LANES>().0.first_chunk()?;
    let (near, far) = ahead.split_first_chunk::<4>()?;
    let (scheme, colon) = scheme(near)?;
    let mut odd = u128::from(masks(near, |bytes| [is_odd(bytes)])[0]);
    if url.len() > 64 {
        let far = far.first_chunk::<4>()?;
        odd |= u128::from(masks(far, |bytes| [is_odd(bytes)])[0]) << 64;
    }
    odd &= before(url.len())?;
    let host = Span::new(start + colon + 3, host_end(text, start + colon + 3, end)?);
    let (url_end, fragment) = if odd == 0 {
        (end, None)
    } else {
        let hash = start + odd.trailing_zeros() as usize;
        if odd.count_ones() != 1 || text.get(hash) != Some(&b'#') {
            return None;
        }
        (hash, Some(Span::new(hash + 1, end)))
    };
    let rest = text.get(host.end..url_end)?;
    let beyond_doubt = match rest.first() {
        Some(b':') => false,
        None | Some(b'/' | b'?') => {
            let path = || Span::new(host.end - start, url_end - start);
            scheme != Scheme::Ftp || is_ordinary_file(near, path())
        }
        // So the host goes on.
        Some(_) => return None,
    };
    Some(Glance { scheme, beyond_doubt, host, fragment })
}

/// The scheme and the place of its colon, if `//` follows. Which of the three it is the processor
/// cannot guess.
#[inline]
fn scheme(text: &[[u8; LANES]]) -> Option<(Scheme, usize)> {
    const fn name(bytes: [u8; 8]) -> u64 {
        u64::from_be_bytes(bytes)
    }
    const NONE: (Option<Scheme>, usize) = (None, 0);
    static SCHEMES: [(Option<Scheme>, usize); 8] = [
        NONE,
        (Some(Scheme::Ftp), 3),
        (Some(Scheme::Http), 4),
        NONE,
        (Some(Scheme::Https), 5),
        NONE,
        NONE,
        NONE,
    ];
    let head = u64::from_be_bytes(*text.as_flattened().first_chunk()?);
    let http = head >> 8 == name(*b"http:///") >> 8;
    let https = head == name(*b"https://");
    let ftp = head >> 16 == name(*b"ftp:////") >> 16;
    let (scheme, colon) =
        SCHEMES[usize::from(ftp) | usize::from(http) << 1 | usize::from(https) << 2];
    Some((scheme?, colon))
}

/// Ones for each place before `length`.
#[inline]
fn before(length: usize) -> Option<u128> {
    (length <= LONGEST).then(|| (1 << length) - 1)
}

/// Which bytes are of each class, the first in the lowest bit.
#[inline]
fn masks<const C: usize, const N: usize>(
    chunks: &[[u8; LANES]; C],
    classes: impl Fn(u8x16) -> [u8x16; N],
) -> [u64; N] {
    let mut masks = [0; N];
    for (index, &chunk) in chunks.iter().enumerate() {
        for (mask, found) in masks.iter_mut().zip(classes(u8x16::new(chunk))) {
            *mask |= u64::from(found.to_bitmask()) << (LANES * index);
        }
    }
    masks
}

/// Which bytes are others than letters, digits and most of the marks that a URL may hold. Those that
/// are left out are rare, and to look for them would cost more.
#[inline]
fn is_odd(bytes: u8x16) -> u8x16 {
    let letter = lanes::within(bytes | u8x16::splat(0x20), b'a', b'z');
    // & ' ( ) * + , - . / : ;
    let digit_or_mark = lanes::within(bytes, b'&', b';');
    // These two differ in one bit.
    let equal_or_question = lanes::equal(bytes | u8x16::splat(2), b'?');
    let other = lanes::equal(bytes, b'_') | lanes::equal(bytes, b'~');
    !(letter | digit_or_mark | equal_or_question | other)
}

/// The end of a host name of at least two labels, of letters in lower case and digits; the last one is
/// a letter. Dots and hyphens stand alone. `None` for others, and those of 64 bytes and more.
#[inline]
fn host_end(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let classes = |bytes| {
        let letter = lanes::within(bytes, b'a', b'z');
        let digit = lanes::within(bytes, b'0', b'9');
        [lanes::equal(bytes, b'.'), lanes::equal(bytes, b'-'), letter | digit]
    };
    let ahead = text.get(start..)?.as_chunks::<LANES>().0;
    let mut found = masks(ahead.first_chunk::<2>()?, classes);
    let [dots, hyphens, others] = found;
    if dots | hyphens | others == u64::from(u32::MAX) {
        found = masks(ahead.first_chunk::<4>()?, classes);
    }
    let [dots, hyphens, others] = found;
    let marks = dots | hyphens;
    let length = ((marks | others).trailing_ones() as usize).min(end.checked_sub(start)?);
    let ends = 1_u64.checked_shl(u32::try_from(length).ok()?)?;
    // A mark at the beginning, behind another one, or before the end.
    let after_mark = marks << 1 | 1;
    let odd = (marks & (ends - 1) | ends) & after_mark;
    let host_end = start + length;
    let last = *text.get(host_end.checked_sub(1)?)?;
    (odd == 0 && dots & (ends - 1) != 0 && last.is_ascii_lowercase()).then_some(host_end)
}

/// Whether the path of a file stands there in the first 64 bytes, without empty directories, type, or
/// what looks like a query.
#[inline(never)]
fn is_ordinary_file(near: &[[u8; LANES]; 4], path: Span) -> bool {
    let ones = |length: usize| (1_u64 << length) - 1;
    if path.len() < 2 || path.end > 63 {
        return false;
    }
    let [slashes, marks] = masks(near, |bytes| {
        let mark = lanes::equal(bytes, b'?') | lanes::equal(bytes, b';');
        [lanes::equal(bytes, b'/'), mark]
    });
    let last = slashes >> (path.end - 1) & 1;
    let odd = (slashes & slashes << 1 | marks) & ones(path.end) & !ones(path.start);
    last | odd == 0
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, glance};
    use crate::{Code, Profile, Span, diagnose, parse_reference};
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn codes(url: &[u8]) -> Vec<Code> {
        let mut codes = Vec::new();
        diagnose(url, Profile::Web, |report| codes.push(report.code));
        codes
    }

    /// What is seen of the URL when it stands between others.
    fn seen(url: &[u8], behind: &[u8]) -> Option<super::Glance> {
        let filling = behind.iter().copied().cycle().take(128);
        let text: Vec<u8> =
            b"-:/".iter().copied().chain(url.iter().copied()).chain(filling).collect();
        glance(&text, Span::new(3, 3 + url.len()))
    }

    /// Whether what is seen is so.
    fn check(url: &[u8], behind: &[u8]) -> Result<(), TestCaseError> {
        let Some(seen) = seen(url, behind) else { return Ok(()) };
        let shown = url.escape_ascii();
        if seen.beyond_doubt {
            prop_assert_eq!(codes(url), [], "{}", shown);
            prop_assert_eq!(parse_reference(url, Profile::Web).unwrap().port(), None);
        }
        let Ok(parsed) = parse_reference(url, Profile::Web) else { return Ok(()) };
        prop_assert_eq!(seen.scheme, parsed.kind());
        prop_assert_eq!(seen.scheme.name(), parsed.scheme());
        prop_assert_eq!(
            Some(seen.host),
            parsed.host_span().map(|span| span.shifted(3)),
            "{}",
            shown
        );
        let fragment = parsed.fragment_span().map(|span| span.shifted(3));
        prop_assert_eq!(seen.fragment, fragment, "{}", shown);
        let plain = |byte: &u8| matches!(byte, b'!'..=b'~') && !matches!(byte, b'"' | b'\\');
        prop_assert!(url.iter().all(plain), "{}", shown);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn what_is_seen_is_so(
            url in "(http|https|ftp|gopher|HTTP)://([a-z0-9.-]{0,40}|[a-z]{1,20}(-[a-z]{1,9}){0,2}([.][a-z0-9]{1,9}){1,3})(:[0-9]{0,2})?([/?#]{0,2}[a-z0-9._~,;=/?-]{0,40}){0,2}(/|#[a-z]{0,3})?",
            odd in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..2),
            behind in prop::collection::vec(any::<u8>(), 1..9),
        ) {
            let mut url = url.into_bytes();
            check(&url, &behind)?;
            check(&url, b"a.b/")?;
            for (at, byte) in odd {
                let at = at.index(url.len());
                url[at] = byte;
            }
            check(&url, &behind)?;
        }

        /// So that the test above is about something.
        #[test]
        fn most_are_seen(
            url in "(http|https|ftp)://[a-z]{1,20}(-[a-z0-9]{1,9}){0,2}([.][a-z0-9]{0,8}[a-z]){1,3}(/[a-z0-9._~,=-]{1,20}){1,3}(#[a-z]{0,3})?",
            behind in prop::collection::vec(any::<u8>(), 1..9),
        ) {
            let host = url.split(['/', '#']).nth(2).unwrap_or_default();
            let file = url.split('#').next().unwrap_or_default();
            let wanted = url.len() <= LONGEST && host.len() < 64
                && (!url.starts_with("ftp") || file.len() < 64);
            let seen = seen(url.as_bytes(), &behind);
            prop_assert_eq!(seen.is_some_and(|seen| seen.beyond_doubt), wanted);
        }
    }

    #[test]
    fn each_byte_at_each_place() {
        for url in [
            &b"http://ab.cd/e"[..],
            b"https://w3.a-very-long-name.a-name-of-thirty-two-bytes.dom/a?b#c",
            b"ftp://host.dom/a/bc",
        ] {
            for at in 0..url.len() {
                for byte in 0..=255 {
                    let mut url = url.to_vec();
                    url[at] = byte;
                    check(&url, b".").unwrap();
                    check(&url, b"/").unwrap();
                }
            }
        }
    }
}
