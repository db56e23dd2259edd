//! Cisco Secure Email: the original URL is the last part of the path, after a token.

use super::rule::Rule;
use crate::Span;

pub(super) const RULE: Rule = Rule {
    hosts: &[],
    undo: |link| {
        if link.host != "secure-web.cisco.com" {
            return None;
        }
        let after_host = link.after_host();
        let path = link.bytes_at(after_host).strip_prefix(b"/")?;
        let token = path.iter().position(|&b| b == b'/').filter(|len| *len > 0)?;
        let target = Span::new(after_host.start + token + 2, after_host.end);
        Some(link.copy_at(target).percent_decoded())
    },
    examples: &[
        (
            "https://secure-web.cisco.com/1W9jhe2S_-a/https%3A%2F%2Fhost.dom%2Fa%3Fb%3Dc%23d",
            "https://host.dom/a?b=c#d",
        ),
        ("http://secure-web.cisco.com/1YIShdE6/http://host.dom/a", "http://host.dom/a"),
    ],
    others: &[
        "https://secure-web.cisco.com/1W9jhe2S_-a",
        "https://secure-web.cisco.com//https%3A%2F%2Fhost.dom%2F",
        "https://www.cisco.com/1W9jhe2S/https%3A%2F%2Fhost.dom%2F",
    ],
};
