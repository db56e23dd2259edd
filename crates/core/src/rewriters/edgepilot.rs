//! EdgePilot, from AppRiver and Zix: the original URL is in the query field `u`, with `&` encoded.

use super::rule::Rule;

pub(super) const RULE: Rule = Rule {
    hosts: &[],
    undo: |link| {
        let path = link.path();
        let is_own = link.host == "link.edgepilot.com"
            && (path.starts_with(b"/s/") || path.starts_with(b"/x/"));
        let field = link.query_field_with_fragment("u").filter(|_| is_own)?;
        Some(link.copy_at(field).percent_decoded())
    },
    examples: &[
        (
            "https://link.edgepilot.com/s/e2b6ca7e/M2-CUdbmsU6?u=https://host.dom/a?id=1%26key=b#c",
            "https://host.dom/a?id=1&key=b#c",
        ),
        ("https://link.edgepilot.com/x/E4ag?u=http://host.dom/", "http://host.dom/"),
    ],
    others: &[
        "https://link.edgepilot.com/s/e2b6ca7e/M2-CUdbmsU6",
        "https://link.edgepilot.com/?u=https://host.dom/",
        "https://www.edgepilot.com/s/e2b6ca7e/M2?u=https://host.dom/",
    ],
};
