//! Google's redirector `/url`: the original URL is in the query field `q` or `url`.

use super::rule::Rule;
use crate::Span;

pub(super) const RULE: Rule = Rule {
    hosts: &[],
    undo: |link| {
        let host = link.host.strip_prefix("www.").unwrap_or(&link.host);
        // `com`, `de`, `co.uk`, `com.au`
        let tld = host.strip_prefix("google.")?;
        let tld = tld.strip_prefix("co.").or_else(|| tld.strip_prefix("com.")).unwrap_or(tld);
        if tld.contains('.') || link.path() != b"/url" {
            return None;
        }
        let is_link = |q: &Span| link.bytes_at(*q).iter().any(|byte| matches!(byte, b':' | b'%'));
        let field = link.query_field("q").filter(is_link).or_else(|| link.query_field("url"))?;
        Some(link.copy_at(field).percent_decoded())
    },
    examples: &[
        (
            "https://www.google.com/url?q=http://host.dom/a%3Fb%3Dc&sa=D&usg=x",
            "http://host.dom/a?b=c",
        ),
        (
            "http://www.google.co.uk/url?sa=t&url=http%3A%2F%2Fhost.dom%2F&q=words",
            "http://host.dom/",
        ),
    ],
    others: &[
        "https://www.google.com/search?q=http://host.dom/",
        "https://google.host.dom/url?q=http://host.dom/",
        "https://www.google.com/url?q=words",
    ],
};
