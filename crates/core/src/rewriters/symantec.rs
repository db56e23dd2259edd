//! Symantec's Click-time URL Protection: the original URL is in the query field `u`.

use super::rule::Rule;

pub(super) const RULE: Rule = Rule {
    hosts: &[],
    undo: |link| {
        let is_own = link.host == "clicktime.symantec.com";
        is_own.then(|| link.decoded_query_field("u")).flatten()
    },
    examples: &[
        (
            "https://clicktime.symantec.com/3KG6rdmTz1v?u=https%3A%2F%2Fhost.dom%2Fa%2F%23%2Fb",
            "https://host.dom/a/#/b",
        ),
        (
            "https://clicktime.symantec.com/15xVSdMr?h=6gcez2Y=&u=https://host.dom/a%3Fb%3Dc",
            "https://host.dom/a?b=c",
        ),
        (
            "https://clicktime.symantec.com/a/1/3esC=?d=wUox&u=http%3A%2F%2Fhost.dom%2F",
            "http://host.dom/",
        ),
    ],
    others: &[
        "https://clicktime.symantec.com/3KG6rdmTz1v",
        "https://www.symantec.com/?u=https%3A%2F%2Fhost.dom%2F",
    ],
};
