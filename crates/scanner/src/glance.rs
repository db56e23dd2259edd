//! What a record says of most URLs, told at a glance.
//!
//! Nearly all URLs of a link list are plain, and nine in ten beyond doubt; of the others there are a few
//! findings to tell: a port, a scheme in capitals, a directory of ftp. To parse one, to look for findings,
//! and to ask whether JSON would escape something, each by a pass of its own, costs 700 instructions, and
//! 1,700 where there are findings. The survey by which it was found has told most of that; what is left is a
//! look at 64 bytes by vectors (the crate `wide`: safe code), with few branches that the processor cannot
//! guess. It is made only for records: to put by in the survey what it tells would cost those who print only
//! URLs a twentieth.
#![expect(
    clippy::needless_bitwise_bool,
    reason = "what the processor cannot guess is worked out without a branch"
)]

use urlsift_core::{Code, Report, Scheme, Span};
use wide::u8x16;

/// What there is to say of a plain URL: see [`Candidate::glance`](crate::Candidate::glance).
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

/// What makes a letter small.
const CASE: u8 = 0x20;

/// What there is to say of the URL at `url` in `text`, if a survey has told that it is a plain one, whose
/// host name has `host_len` bytes. What is doubtful is told to `found`, and counts if the result is not
/// `None`.
#[inline]
pub(crate) fn glance(
    text: &[u8],
    url: Span,
    host_len: usize,
    mut found: impl FnMut(Report),
) -> Option<Glance> {
    static SCHEMES: [Scheme; 4] = [Scheme::Http, Scheme::Https, Scheme::Ftp, Scheme::Ftp];
    let block = text.get(url.start..)?.first_chunk::<BLOCK>()?;
    let look = Look::at(block);
    let first = block[0] | CASE;
    let (ftp, secure) = (usize::from(first == b'f'), usize::from(block[4] | CASE == b's'));
    let (mut scheme, mut scheme_len) = (SCHEMES[secure | ftp << 1], 4 + secure - ftp);
    if (first != b'h') & (ftp == 0) {
        scheme = if first == b'g' { Scheme::Gopher } else { Scheme::Telnet };
        scheme_len = 6;
    }
    let name = Span::new(scheme_len + 3, scheme_len + 3 + host_len);
    let host = name.shifted(url.start);
    let next = *text.get(host.end)?;
    if !(look.is_name(name) & text[host.end - 1].is_ascii_lowercase()) {
        return None;
    }
    if url.len() > BLOCK {
        let further = text.get(url.start + BLOCK..)?.first_chunk::<BLOCK>()?;
        let odd = Look::at(further).odd & before(url.len() - BLOCK);
        if url.len() > 2 * BLOCK || odd != 0 {
            return None;
        }
    }
    let (mut end, mut fragment) = (url.end, None);
    let odd = look.odd & before(url.len());
    if odd != 0 {
        end = url.start + odd.trailing_zeros() as usize;
        if odd & (odd - 1) != 0 || text.get(end) != Some(&b'#') {
            return None;
        }
        fragment = Some(Span::new(end + 1, url.end));
    }
    let mut path = Span::new(host.end, end);
    let mut say = |code: Code, span: Span| found(Report { code, level: code.level(), span });
    if !look.is_lower(scheme_len) | (next == b':') {
        let port = text.get(path.range())?;
        path.start += before_path(port, scheme, name.end, look.is_lower(scheme_len), &mut say)?;
    }
    if first != b'h' {
        let bytes = text.get(path.range())?;
        in_path(bytes, scheme, path.start - url.start, fragment.is_some(), &mut say)?;
    }
    Some(Glance { scheme, host, fragment })
}

/// Says what is doubtful about the scheme and the port, if there is one at the start of `text`, which
/// stands at byte `at` of the URL. Returns how long it is with its colon.
#[inline(never)]
fn before_path(
    text: &[u8],
    scheme: Scheme,
    at: usize,
    is_lower: bool,
    say: &mut dyn FnMut(Code, Span),
) -> Option<usize> {
    if !is_lower {
        say(Code::SchemeUppercase, Span::new(0, scheme.name().len()));
    }
    let Some((b':', digits)) = text.split_first() else { return Some(0) };
    let Port { number, len } = Port::read(digits)?;
    let span = Span::new(at + 1, at + 1 + len);
    if scheme.default_port() == Some(number) {
        say(Code::PortDefault, span);
    } else {
        if number < 1024 {
            say(Code::PortReservedRange, span);
        }
        say(Code::PortNondefault, span);
    }
    Some(1 + len)
}

/// Says what is doubtful about the path at byte `at` of a URL whose scheme is not http. `None` if there may
/// be more to say.
#[inline(never)]
fn in_path(
    path: &[u8],
    scheme: Scheme,
    at: usize,
    has_fragment: bool,
    say: &mut dyn FnMut(Code, Span),
) -> Option<()> {
    match scheme {
        Scheme::Ftp if is_nameless_file(path)? => {
            // What is missing is missed at the delimiter behind it, if there is one.
            let last = at + path.len() - usize::from(!has_fragment);
            say(Code::FtpEmptyName, Span::new(last, last + 1));
        }
        Scheme::Gopher => {
            if let Some(mark) = path.iter().position(|&byte| byte == b'?') {
                // Before it stand a slash and the item's type.
                if mark < 2 {
                    return None;
                }
                say(Code::GopherQuestionMark, Span::new(at + mark, at + mark + 1));
            }
        }
        _ => {}
    }
    Some(())
}

/// A port of which nothing is to be said but whether it is the scheme's.
#[derive(Clone, Copy)]
struct Port {
    number: u16,
    /// How many digits it has.
    len: usize,
}

impl Port {
    /// The port that `text` starts with, if nothing or a path or a query stands behind it.
    #[inline]
    fn read(text: &[u8]) -> Option<Self> {
        let mut number = 0_u16;
        let mut len = 0;
        for byte in text {
            match byte {
                b'0'..=b'9' if *byte > b'0' || len > 0 => {
                    number = number.checked_mul(10)?.checked_add(u16::from(byte - b'0'))?;
                    len += 1;
                }
                b'/' | b'?' => break,
                _ => return None,
            }
        }
        (len > 0).then_some(Self { number, len })
    }
}

/// Whether the path of a file, which has no query, names none in its last directory. `None` if it is no
/// path, has empty directories, or may have a type.
#[inline]
fn is_nameless_file(path: &[u8]) -> Option<bool> {
    let mut last = None;
    for &byte in path {
        if byte == b';' || byte == b'/' && last == Some(b'/') {
            return None;
        }
        last = Some(byte);
    }
    Some(last? == b'/')
}

/// What is seen of a block, a bit for each byte, the first in the lowest bit.
struct Look {
    /// See [`is_odd`].
    odd: u64,
    /// See [`is_lower`].
    lower: u64,
    dots: u64,
}

impl Look {
    #[inline]
    fn at(block: &[u8; BLOCK]) -> Self {
        let [odd, lower, dots] =
            masks(block, |bytes| [is_odd(bytes), is_lower(bytes), equal(bytes, b'.')]);
        Self { odd, lower, dots }
    }

    /// Whether the first `len` letters are in lower case.
    #[inline]
    fn is_lower(&self, len: usize) -> bool {
        !self.lower & before(len) == 0
    }

    /// Whether the host name there, of less than 64 bytes, has several labels, and is in lower case: one
    /// that goes on behind the block is not.
    #[inline]
    fn is_name(&self, name: Span) -> bool {
        let all = (1 << name.len()) - 1;
        (self.lower >> name.start & all == all) & (self.dots >> name.start & all != 0)
    }
}

/// Ones for the first `length` bits, or all.
#[inline]
fn before(length: usize) -> u64 {
    if length < BLOCK { (1 << length) - 1 } else { u64::MAX }
}

/// Which bytes of a block are of each class, the first in the lowest bit.
#[inline]
fn masks<const N: usize>(block: &[u8; BLOCK], classes: impl Fn(u8x16) -> [u8x16; N]) -> [u64; N] {
    let mut masks = [0; N];
    for (index, &chunk) in block.as_chunks().0.iter().enumerate() {
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

#[cfg(test)]
mod tests {
    use super::{BLOCK, Glance};
    use crate::{Candidate, Scanner};
    use proptest::prelude::*;
    use std::sync::LazyLock;
    use urlsift_core::{Code, Profile, diagnose, parse_reference};

    static SCANNER: LazyLock<Scanner> = LazyLock::new(|| Scanner::builder().build());

    /// Whether what is seen of a candidate is so. Returns what is said of it, if it is seen.
    fn check(candidate: &Candidate<'_>) -> Result<Option<Vec<Code>>, TestCaseError> {
        let mut said = Vec::new();
        let seen = candidate.glance(|report| said.push(report));
        let Some(Glance { scheme, host, fragment }) = seen else { return Ok(None) };
        let url = candidate.url();
        let shown = url.escape_ascii();
        let mut expected = Vec::new();
        diagnose(&url, Profile::Web, |report| expected.push(report));
        prop_assert_eq!(&said, &expected, "{}", shown);
        let parsed = parse_reference(&url, Profile::Web).unwrap();
        prop_assert_eq!(scheme, parsed.kind());
        prop_assert_eq!(scheme.name(), parsed.scheme());
        let at = candidate.span().start;
        prop_assert_eq!(Some(host), parsed.host_span().map(|span| span.shifted(at)), "{}", shown);
        let theirs = parsed.fragment_span().map(|span| span.shifted(at));
        prop_assert_eq!(fragment, theirs, "{}", shown);
        let plain = |byte: &u8| matches!(byte, b'!'..=b'~') && !matches!(byte, b'"' | b'\\');
        prop_assert!(url.iter().all(plain), "{}", shown);
        Ok(Some(said.into_iter().map(|report| report.code).collect()))
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
            url in "(http|https|ftp|gopher|telnet|HTTP|fTp|Https|GOPHER)://([a-z0-9.-]{0,40}|[a-zA]{1,20}(-[a-z]{1,9}){0,2}([.][a-z0-9]{1,9}){1,3})(:[0-9]{0,6}|:(1|21|23|70|80|443|1023|1024|65535|65536|080))?([/?#]{0,2}[a-zA-Z0-9._~,;=/?%-]{0,40}){0,2}(/|;type=[aA]|#[a-z]{0,3})?",
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
            (scheme, port) in prop::sample::select(vec![
                ("http", "80"), ("https", "443"), ("ftp", "21"), ("gopher", "70"),
                ("HTTP", "80"), ("hTTps", "443"), ("Ftp", "21"),
            ]),
            name in "[a-z]{1,20}(-[a-z0-9]{1,9}){0,2}([.][a-z0-9]{0,8}[a-z]){1,3}",
            number in prop::option::of(prop_oneof![Just(0), 1..1024_u16, 1024_u16..]),
            path in "(/[a-z0-9._~,=-]{0,20}[a-z0-9]){1,3}",
            behind in prop::sample::select(vec!["", "", "/", "#ab", "?a"]),
        ) {
            let given = number.map(|number| match number {
                0 => format!(":{port}"),
                number => format!(":{number}"),
            });
            let url = format!("{scheme}://{name}{}{path}{behind}", given.clone().unwrap_or_default());
            let text = text(url.as_bytes(), b"\n");
            let candidate = SCANNER.find_iter(&text).next().unwrap();
            prop_assert_eq!(&*candidate.url(), url.as_bytes());
            let mut codes = Vec::new();
            if scheme.bytes().any(|byte| byte.is_ascii_uppercase()) {
                codes.push(Code::SchemeUppercase);
            }
            match given {
                Some(given) if given[1..] == *port => codes.push(Code::PortDefault),
                Some(given) => {
                    if given.len() < 5 || given.len() == 5 && given[1..] < *"1024" {
                        codes.push(Code::PortReservedRange);
                    }
                    codes.push(Code::PortNondefault);
                }
                None => {}
            }
            match (port, behind) {
                ("21", "/") => codes.push(Code::FtpEmptyName),
                ("70", "?a") => codes.push(Code::GopherQuestionMark),
                _ => {}
            }
            // A machine without vectors makes no surveys, and of gopher none that sees a port. A host must
            // end and a fragment start in the first 64 bytes.
            let is_near = url.len() <= BLOCK || behind != "#ab";
            if (1..55).contains(&candidate.plain_host) && url.len() <= 2 * BLOCK && is_near {
                prop_assert_eq!(check(&candidate)?, Some(codes), "{}", url);
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
            b"HTTP://host.dom:1023/a?b",
            b"ftp://host.dom:21/a/b/",
            b"gopher://host.dom/1a?b",
            b"telnet://host.dom/",
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
