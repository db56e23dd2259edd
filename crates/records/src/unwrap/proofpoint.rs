//! URL Defense of Proofpoint, in three versions: an escaped field; a field whose escapes have `-` for `%` and `_` for `/`; and a
//! link between underscores in which a star stands for a character, and `**` with a letter for several, told in base64 behind it.

use super::rule::{Link, Rule, decoded};

pub(super) const RULE: Rule = Rule {
    undo: |link| {
        if !matches!(&*link.host, "urldefense.com" | "urldefense.proofpoint.com" | "urldefense.us")
        {
            return None;
        }
        match link.path() {
            b"/v1/url" => link.field("u").map(decoded),
            b"/v2/url" => {
                let escaped = link.field("u")?.iter().map(|byte| match byte {
                    b'-' => b'%',
                    b'_' => b'/',
                    other => *other,
                });
                Some(decoded(&escaped.collect::<Vec<_>>()))
            }
            _ => third_version(link),
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
        // `+#`
        (
            "https://urldefense.com/v3/__https://host.dom/a*b*c__;Kys!!abc$",
            "https://host.dom/a+b+c",
        ),
        // `???!`
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

/// What stands for the lengths of runs from 2 on.
const LENGTHS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn third_version(link: &Link<'_>) -> Option<Vec<u8>> {
    let wrapped = link.behind_host().strip_prefix(b"/v3/__")?;
    let end = wrapped.windows(3).position(|mark| mark == b"__;")?;
    let (url, behind) = (wrapped.get(..end)?, wrapped.get(end + 3..)?);
    let base64 = behind.split(|&b| b == b'!').next()?;
    let left_out = data_encoding::BASE64URL_NOPAD.decode(base64.trim_ascii_end()).ok()?;
    let mut left_out = str::from_utf8(&left_out).ok()?.chars();
    let url = decoded(&with_slashes(url));
    let mut target = Vec::new();
    let mut rest = &*url;
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first != b'*' {
            target.push(first);
            continue;
        }
        let mut count = 1;
        if let [b'*', length, tail @ ..] = rest {
            count = LENGTHS.iter().position(|letter| letter == length)? + 2;
            rest = tail;
        }
        for _ in 0..count {
            target.extend_from_slice(left_out.next()?.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    Some(target)
}

/// The URL with the second slash behind its scheme, which some servers drop.
fn with_slashes(url: &[u8]) -> Vec<u8> {
    let colon = url.iter().position(|&b| b == b':').unwrap_or(url.len());
    match url.split_at(colon) {
        (scheme, [b':', b'/', rest @ ..]) if !rest.starts_with(b"/") => {
            [scheme, b"://", rest].concat()
        }
        _ => url.to_vec(),
    }
}
