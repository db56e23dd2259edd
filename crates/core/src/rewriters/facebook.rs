//! Facebook's redirector `/l.php`: the original URL is in the query field `u`.

use super::rule::Rule;

pub(super) const RULE: Rule = Rule {
    hosts: &[],
    undo: |link| {
        let hosts = ["l.facebook.com", "lm.facebook.com", "www.facebook.com", "m.facebook.com"];
        let is_own = hosts.contains(&&*link.host) && link.path() == b"/l.php";
        is_own.then(|| link.decoded_query_field("u")).flatten()
    },
    examples: &[(
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fhost.dom%2Fa%3Ffbclid%3Dx&h=AT0",
        "https://host.dom/a?fbclid=x",
    )],
    others: &["https://www.facebook.com/sharer.php?u=https%3A%2F%2Fhost.dom%2F"],
};
