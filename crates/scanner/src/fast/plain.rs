//! Whether a URL that was surveyed is one that profile `web` is known to accept.
#![expect(
    clippy::needless_bitwise_bool,
    reason = "what the processor cannot guess is worked out: one branch more cost a tenth of the time"
)]

use crate::extent::{self, Reach};
use crate::scheme::Shape;
use crate::simd::Survey;
use std::ops::Range;

/// The length of the host name of a URL, if that is a plain one by what was seen from the host to its
/// end; else 0. The scheme is the `http`, `https` or `ftp` of `scheme` bytes; `has_port` says whether the
/// first colon, if it stands right behind the host, leads to a port.
#[inline(always)]
pub(super) fn plain_host(
    text: &[u8],
    scheme: usize,
    host: usize,
    end: usize,
    survey: &Survey,
    has_port: bool,
) -> u8 {
    let rest = end.saturating_sub(host);
    let len = survey.name_len(rest);
    let next = text.get(host + len);
    let ends = (len == rest)
        | matches!(next, Some(b'/' | b'?' | b'#'))
        | (has_port & (next == Some(&b':')));
    // An ftp URL has no query. What looks like one is for RFC 1738 to say.
    let has_query = (scheme == b"ftp".len()) & survey.has_question();
    let plain = ends && !survey.has_hashes(rest) && !has_query;
    u8::try_from(len).unwrap_or(0) * u8::from(plain)
}

/// The same for the URL up to byte `end` whose scheme stands at `scheme`, which may be another one, and
/// which has no port.
pub(super) fn plain_host_by(text: &[u8], scheme: Range<usize>, end: usize, survey: &Survey) -> u8 {
    let host = scheme.end + 3;
    let len = plain_host(text, scheme.len(), host, end, survey, false);
    match &text[scheme] {
        b"http" | b"https" | b"ftp" | b"gopher" => len,
        // A telnet URL has no path but the empty one.
        b"telnet" if matches!(&text[host + usize::from(len)..end], b"" | b"/") => len,
        _ => 0,
    }
}

/// Whether `name`, which was surveyed behind the colon of `mailto` or `news`, is an address, a Message-ID
/// or the name of a group made of letters, digits, dots and hyphens; before an `@` there may be `+` and `_`, too,
/// and behind an address one header field of the former. Profile `web` accepts all of these.
#[inline]
pub(super) fn is_plain_name(name: &[u8], shape: Shape, survey: &Survey) -> bool {
    let mut local = survey.names_from(0);
    while let Some(b'+' | b'_') = name.get(local) {
        local += 1 + survey.names_from(local + 1);
    }
    if local < name.len() {
        let domain = local + 1;
        let end = domain + survey.names_from(domain);
        return local > 0
            && name[local] == b'@'
            && name.get(domain).is_some_and(u8::is_ascii_alphanumeric)
            && (end >= name.len() || shape == Shape::Mailto && is_plain_field(name, end, survey));
    }
    shape == Shape::News
        && survey.names_from(0) >= name.len()
        && name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.contains(&b'.')
}

/// Whether all from byte `at` of a surveyed name on is such a field: `?subject=unsubscribe`.
fn is_plain_field(name: &[u8], at: usize, survey: &Survey) -> bool {
    let equals = at + 1 + survey.names_from(at + 1);
    name[at] == b'?'
        && name.get(equals) == Some(&b'=')
        && equals + 1 + survey.names_from(equals + 1) >= name.len()
}

/// So many bytes behind a URL are looked at with it.
pub(crate) const ROOM: usize = 64;

/// See [`Candidate::plain_host`](crate::candidate::Candidate::plain_host), of the URL of `len` bytes that
/// `text` starts with. Its scheme has `scheme` bytes, and [`ROOM`] bytes follow it.
pub(crate) fn plain_host_of(text: &[u8], scheme: usize, len: usize, reach: Reach<'_>) -> u8 {
    let host = scheme + 3;
    if !matches!(text.get(..host), Some(b"http://" | b"https://" | b"ftp://")) {
        return 0;
    }
    let mut survey = Survey::default();
    match extent::survey(text, host, reach, &mut survey) {
        Some(()) if len <= host + survey.run => plain_host(text, scheme, host, len, &survey, false),
        _ => 0,
    }
}
