//! Trend Micro's Click-time Protection: the original URL is in the query field `url`. The hosts are
//! named for products.

use super::rule::Rule;

pub(super) const RULE: Rule = Rule {
    hosts: &[],
    undo: |link| {
        let is_own =
            link.host.ends_with(".trendmicro.com") && link.path() == b"/wis/clicktime/v1/query";
        is_own.then(|| link.decoded_query_field("url")).flatten()
    },
    examples: &[
        (
            "https://ddec1-0-en-ctp.trendmicro.com:443/wis/clicktime/v1/query?url=https%3a%2f%2fhost%2ddom.dom%2fa%23b&umid=6a&auth=5d",
            "https://host-dom.dom/a#b",
        ),
        (
            "https://imsva91-ctp.trendmicro.com/wis/clicktime/v1/query?url=http%3a%2f%2fhost.dom%2f&umid=8C",
            "http://host.dom/",
        ),
    ],
    others: &[
        "https://housecall.trendmicro.com/?url=http%3a%2f%2fhost.dom%2f",
        "https://imsva91-ctp.trendmicro.com/wis/clicktime/v1/query?umid=8C",
        "https://trendmicro.com.host.dom/wis/clicktime/v1/query?url=http%3a%2f%2fhost.dom%2f",
    ],
};
