//! Proofpoint URL Defense, in three versions:
//!
//! 1. The original URL is in a percent-encoded query field.
//! 2. It is in a query field in which `-` replaces `%` and `_` replaces `/`.
//! 3. It is between underscores. A `*` replaces one byte, and `**` with a letter several. The
//!    replaced bytes follow in base64. Some links count characters of UTF-8 instead of bytes.

use super::derived::Derived;
use super::rule::{Link, Rule};
use crate::Span;
use alloc::vec::Vec;

const HOSTS: [&str; 3] = ["urldefense.com", "urldefense.proofpoint.com", "urldefense.us"];

pub(super) const RULE: Rule = Rule {
    hosts: &HOSTS,
    undo: |link| {
        if !HOSTS.contains(&&*link.host) {
            return None;
        }
        match link.path() {
            b"/v1/url" => link.decoded_query_field("u"),
            b"/v2/url" => {
                let escaped = link.copy_at(link.query_field("u")?).map_bytes(|byte| match byte {
                    b'-' => b'%',
                    b'_' => b'/',
                    other => other,
                });
                Some(escaped.percent_decoded())
            }
            _ => decode_v3(link),
        }
    },
    examples: &[
        (
            "https://urldefense.proofpoint.com/v1/url?u=http://host.dom/a%3Fb%3Dc&k=abc",
            "http://host.dom/a?b=c",
        ),
        (
            "https://urldefense.proofpoint.com/v2/url?u=http-3A__host.dom_a-5Fb-2Dc.html&d=DwIBAg&c=x",
            "http://host.dom/a_b-c.html",
        ),
        ("https://urldefense.com/v3/__https://host.dom/a__;!!abc$", "https://host.dom/a"),
        ("https://urldefense.com/v3/__https:/host.dom/a__;!!abc$", "https://host.dom/a"),
        // The base64 text is `+#`.
        (
            "https://urldefense.com/v3/__https://host.dom/a*b*c__;Kys!!abc$",
            "https://host.dom/a+b+c",
        ),
        // The base64 text is `???!`.
        (
            "https://urldefense.com/v3/__https://host.dom/a**Bb*c__;Pz8_IQ!!abc$",
            "https://host.dom/a???b!c",
        ),
        // The base64 text is `í`, which `**A` counts as two bytes.
        (
            "https://urldefense.com/v3/__https://host.dom/a**Anez__;w60!!abc$",
            "https://host.dom/a\u{ED}nez",
        ),
        // The base64 text is `íí`, which `**A` counts as two characters.
        (
            "https://urldefense.com/v3/__https://host.dom/a**Anez__;w63DrQ!!abc$",
            "https://host.dom/a\u{ED}\u{ED}nez",
        ),
    ],
    others: &[
        "https://urldefense.com/v2/url?v=1",
        "https://urldefense.com/v3/__https://host.dom/a",
        "https://urldefense.com/v3/__https://host.dom/a*b__;!!abc$",
        "https://www.urldefense.com/v1/url?u=http://host.dom/",
    ],
};

/// The letters that encode the number of characters after `**`, starting with 2 for `A`.
const LENGTHS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Decodes the original URL of a Proofpoint link of version 3. Returns `None` if the link is
/// malformed.
fn decode_v3(link: &Link<'_>) -> Option<Derived> {
    let all = link.after_host();
    let wrapped = link.bytes_at(all).strip_prefix(b"/v3/__")?;
    let start = all.end - wrapped.len();
    let end = wrapped.windows(3).position(|mark| mark == b"__;")?;
    let base64 = wrapped.get(end + 3..)?.split(|&b| b == b'!').next()?.trim_ascii_end();
    let spelled = Span::new(start + end + 3, start + end + 3 + base64.len());
    let replaced = data_encoding::BASE64URL_NOPAD.decode(base64).ok()?;
    let characters = str::from_utf8(&replaced).ok()?.chars();
    let url = restore_slashes(link, Span::new(start, start + end)).percent_decoded();
    let count = count_replaced(&url.bytes)?;
    let counts_characters = count != replaced.len() && count == characters.clone().count();
    let lengths = characters.map(|c| if counts_characters { c.len_utf8() } else { 1 });
    let mut lengths = lengths.chain(core::iter::repeat(1));
    let mut replaced = replaced.iter();
    let (mut target, mut stars) = (Derived::default(), Vec::new());
    let mut at = 0;
    while let Some(&byte) = url.bytes.get(at) {
        let star = at;
        at += 1;
        if byte != b'*' {
            target.push_copy(&url.bytes, Span::new(star, at));
            continue;
        }
        let (count, len) = run_at(&url.bytes, star)?;
        at = star + len;
        let source = Span::new(star, at);
        for len in lengths.by_ref().take(count) {
            for _ in 0..len {
                stars.push(target.bytes.len());
                target.push(*replaced.next()?, source);
            }
        }
    }
    Some(target.composed_with(&url).with_second_source_for_bytes(stars, spelled))
}

/// Returns the number of bytes or characters that the `*` at byte `star` replaces, and the number
/// of bytes of this mark. Returns `None` if the mark is malformed.
fn run_at(url: &[u8], star: usize) -> Option<(usize, usize)> {
    let Some([b'*', length]) = url.get(star + 1..star + 3) else { return Some((1, 1)) };
    Some((LENGTHS.iter().position(|letter| letter == length)? + 2, 3))
}

/// Returns the total number of bytes or characters that are replaced in a URL. Returns `None` if
/// one of the marks is malformed.
fn count_replaced(url: &[u8]) -> Option<usize> {
    let (mut at, mut total) = (0, 0);
    while let Some(star) = url.get(at..)?.iter().position(|&b| b == b'*') {
        let (count, len) = run_at(url, at + star)?;
        total += count;
        at += star + len;
    }
    Some(total)
}

/// Returns the URL at `span` of the link. Some servers drop the second slash after the scheme of
/// that URL, so it is restored.
fn restore_slashes(link: &Link<'_>, span: Span) -> Derived {
    let url = link.bytes_at(span);
    let colon = url.iter().position(|&b| b == b':').unwrap_or(url.len());
    match &url[colon..] {
        [b':', b'/', rest @ ..] if !rest.starts_with(b"/") => {
            let slash = span.start + colon + 2;
            let mut out = link.copy_at(Span::new(span.start, slash));
            out.push(b'/', Span::new(slash, slash));
            out.push_copy(link.url, Span::new(slash, span.end));
            out
        }
        _ => link.copy_at(span),
    }
}
