//! FireEye's Advanced URL Defense: the original URL is in the query field `u`. Older links contain
//! it without percent-encoding, including the fragment.

use super::rule::Rule;

pub(super) const RULE: Rule = Rule {
    hosts: &[],
    undo: |link| {
        let name = link.host.strip_suffix(".fireeye.com")?;
        if !name.starts_with("protect")
            || name.contains('.')
            || !matches!(link.path(), b"/url" | b"/v1/url")
        {
            return None;
        }
        Some(link.copy_at(link.query_field_with_fragment("u")?).percent_decoded())
    },
    examples: &[
        (
            "https://protect2.fireeye.com/v1/url?k=84f6a8c0-e57d&q=1&e=6739af06&u=http%3A%2F%2Fhost.dom%2Fa%2Cb.yaml%23",
            "http://host.dom/a,b.yaml#",
        ),
        (
            "https://protect2.fireeye.com/url?k=1ffa720f.1ffb&u=http://host.dom/a.yaml#b",
            "http://host.dom/a.yaml#b",
        ),
    ],
    others: &[
        "https://protect2.fireeye.com/v1/url?k=84f6a8c0",
        "https://www.fireeye.com/url?u=http://host.dom/",
        "https://protect2.fireeye.com/?u=http://host.dom/",
    ],
};
