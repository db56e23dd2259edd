//! Barracuda Link Protection: the original URL is in the query field `a`.

use super::rule::Rule;

pub(super) const RULE: Rule = Rule {
    hosts: &[],
    undo: |link| {
        let is_own = link.host == "linkprotect.cudasvc.com" && link.path() == b"/url";
        is_own.then(|| link.decoded_query_field("a")).flatten()
    },
    examples: &[(
        "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fhost.dom%2fa&c=E,1,x&typo=1",
        "https://host.dom/a",
    )],
    others: &["https://linkprotect.cudasvc.com/about?a=https%3a%2f%2fhost.dom%2f"],
};
