//! Proofpoint URL Defense, in three versions:
//!
//! 1. The original URL is in a percent-encoded query field.
//! 2. It is in a query field in which `-` replaces `%` and `_` replaces `/`.
//! 3. It is between underscores. A `*` replaces one character, and `**` with a letter several. The
//!    replaced characters follow in base64.

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
    let left_out = data_encoding::BASE64URL_NOPAD.decode(base64).ok()?;
    let mut left_out = str::from_utf8(&left_out).ok()?.chars();
    let url = restore_slashes(link, Span::new(start, start + end)).percent_decoded();
    let (mut target, mut stars) = (Derived::default(), Vec::new());
    let mut at = 0;
    while let Some(&byte) = url.bytes.get(at) {
        let star = at;
        at += 1;
        if byte != b'*' {
            target.push_copy(&url.bytes, Span::new(star, at));
            continue;
        }
        let mut count = 1;
        if let Some([b'*', length]) = url.bytes.get(at..at + 2) {
            count = LENGTHS.iter().position(|letter| letter == length)? + 2;
            at += 2;
        }
        let source = Span::new(star, at);
        for _ in 0..count {
            for &byte in left_out.next()?.encode_utf8(&mut [0; 4]).as_bytes() {
                stars.push(target.bytes.len());
                target.push(byte, source);
            }
        }
    }
    Some(target.composed_with(&url).with_second_source_for_bytes(stars, spelled))
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
