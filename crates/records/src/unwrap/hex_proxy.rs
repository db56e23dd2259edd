//! A proxy that writes scheme and host in hexadecimal digits: `/url-687474703a2f2f…`, and the path behind them.

use super::rule::Rule;
use data_encoding::HEXLOWER_PERMISSIVE;

pub(super) const RULE: Rule = Rule {
    undo: |link| {
        if link.host != "meilu.jpshuntong.com" {
            return None;
        }
        let rest = link.behind_host().strip_prefix(b"/url-")?;
        let end = rest.iter().position(|b| !b.is_ascii_hexdigit()).unwrap_or(rest.len());
        let (digits, path) = rest.split_at(end);
        let mut target = HEXLOWER_PERMISSIVE.decode(digits).ok()?;
        target.extend_from_slice(path);
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
