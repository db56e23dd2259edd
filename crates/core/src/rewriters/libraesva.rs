//! Libraesva's URL Sand: the original URL is in the query field `u`.

use super::rule::Rule;

pub(super) const RULE: Rule = Rule {
    hosts: &[],
    undo: |link| {
        let is_own = link.host == "urlsand.esvalabs.com";
        is_own.then(|| link.decoded_query_field("u")).flatten()
    },
    examples: &[(
        "https://urlsand.esvalabs.com/?u=https%3A%2F%2Fhost.dom%2Fa%2F&e=3cfb7ead&h=8644c130&f=y&p=y",
        "https://host.dom/a/",
    )],
    others: &[
        "https://urlsand.esvalabs.com/?e=3cfb7ead",
        "https://esvalabs.com/?u=https%3A%2F%2Fhost.dom%2F",
    ],
};
