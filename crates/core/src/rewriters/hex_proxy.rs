//! A proxy whose links contain the original scheme and host in hexadecimal digits, followed by the
//! path: `/url-687474703a2f2f…`.

use super::derived::Derived;
use super::rule::Rule;
use crate::Span;
use crate::escape::parse_hex_octet;

const HOST: &str = "meilu.jpshuntong.com";

pub(super) const RULE: Rule = Rule {
    hosts: &[HOST],
    undo: |link| {
        if link.host != HOST {
            return None;
        }
        let after_host = link.after_host();
        let rest = link.bytes_at(after_host).strip_prefix(b"/url-")?;
        let start = after_host.end - rest.len();
        let len = rest.iter().position(|b| !b.is_ascii_hexdigit()).unwrap_or(rest.len());
        let (digits, []) = rest[..len].as_chunks::<2>() else { return None };
        let mut target = Derived::default();
        for (pair, at) in digits.iter().zip((start..).step_by(2)) {
            target.push(parse_hex_octet(pair[0], pair[1])?, Span::new(at, at + 2));
        }
        target.push_copy(link.url, Span::new(start + len, after_host.end));
        Some(target)
    },
    examples: &[
        (
            "https://meilu.jpshuntong.com/url-687474703a2f2f686f73742e646f6d/a/b.txt;type=a?c#d",
            "http://host.dom/a/b.txt;type=a?c#d",
        ),
        ("https://meilu.jpshuntong.com/url-687474703a2f2f686f73742e646f6d", "http://host.dom"),
    ],
    others: &["https://meilu.jpshuntong.com/url-68747", "https://meilu.jpshuntong.com/url-/"],
};
