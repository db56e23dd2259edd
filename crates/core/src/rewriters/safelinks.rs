//! Microsoft Outlook Safe Links: the original URL is in the query field `url`.

use super::rule::Rule;

pub(super) const RULE: Rule = Rule {
    hosts: &[],
    undo: |link| {
        let host = link.host.strip_suffix("safelinks.protection.outlook.com")?;
        (host.is_empty() || host.ends_with('.')).then(|| link.decoded_query_field("url")).flatten()
    },
    examples: &[
        (
            "https://nam04.safelinks.protection.outlook.com/?url=http%3A%2F%2Fhost.dom%2Fa%3Fb%3Dc&data=04%7C01&reserved=0",
            "http://host.dom/a?b=c",
        ),
        (
            "https://EUR01.safelinks.protection.outlook.com/GetUrlReputation?a=b&amp;url=ftp%3A%2F%2Fhost.dom%2F",
            "ftp://host.dom/",
        ),
    ],
    others: &[
        "https://notsafelinks.protection.outlook.com/?url=http%3A%2F%2Fhost.dom%2F",
        "https://a.safelinks.protection.outlook.com/?data=04",
    ],
};
