//! Sophos Email: the original URL is in base64 in the query field `u`. The hosts are named for
//! regions. The field `d` only contains the domain.

use super::derived::Derived;
use super::rule::{Link, Rule};
use crate::Span;

const HOST: &str = ".protection.sophos.com";

pub(super) const RULE: Rule = Rule {
    hosts: &[HOST],
    undo: |link| if link.host.ends_with(HOST) { decode_base64_field(link) } else { None },
    examples: &[
        (
            "https://us-west-2.protection.sophos.com/?d=host.dom&u=aHR0cDovL2hvc3QuZG9tL2E_Yj1j&i=NjQ&h=9b",
            "http://host.dom/a?b=c",
        ),
        (
            "https://eu-central-1.protection.sophos.com?d=host.dom&u=aHR0cHM6Ly9ob3N0LmRvbS8=&p=m",
            "https://host.dom/",
        ),
        (
            "https://eu-west-1.protection.sophos.com/?u=aHR0cHM6Ly9ob3N0LmRvbS8%3D&p=m",
            "https://host.dom/",
        ),
    ],
    others: &[
        "https://us-west-2.protection.sophos.com/?d=host.dom",
        "https://us-west-2.protection.sophos.com/?d=host.dom&u=%21",
        "https://protection.sophos.com.host.dom/?u=aHR0cHM6Ly9ob3N0LmRvbS8=",
    ],
};

/// Decodes the query field `u`, which is in base64. It may be padded, and percent-encoded.
fn decode_base64_field(link: &Link<'_>) -> Option<Derived> {
    let field = link.copy_at(link.query_field("u")?).percent_decoded();
    let field = field.map_bytes(|byte| match byte {
        b'+' => b'-',
        b'/' => b'_',
        other => other,
    });
    let len = field.bytes.iter().rposition(|&b| b != b'=').map_or(0, |last| last + 1);
    let decoded = data_encoding::BASE64URL_NOPAD.decode(&field.bytes[..len]).ok()?;
    let mut target = Derived::default();
    for (at, byte) in decoded.into_iter().enumerate() {
        // Each character contains six bits.
        target.push(byte, Span::new(at * 8 / 6, (at * 8 + 8).div_ceil(6)));
    }
    Some(target.composed_with(&field))
}
