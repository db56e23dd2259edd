//! Links that a gateway rewrote, undone: where a link led before mail filters and redirectors put an address of their own
//! around it. Without the network: what a shortener or a token stands for is not known.

mod barracuda;
mod facebook;
mod google;
mod hex_proxy;
mod proofpoint;
mod rule;
mod safelinks;

use rule::{Link, Rule};

/// All of them.
const RULES: [&Rule; 6] = [
    &safelinks::RULE,
    &proofpoint::RULE,
    &google::RULE,
    &facebook::RULE,
    &barracuda::RULE,
    &hex_proxy::RULE,
];

/// How many wrappers may lie around each other.
const DEPTH: usize = 4;

/// Where the link led that a gateway rewrote as `url`; `None` if no rule knows its form. Linear.
pub(crate) fn target(url: &[u8]) -> Option<Vec<u8>> {
    let mut found: Option<Vec<u8>> = None;
    for _ in 0..DEPTH {
        let Some(next) = unwrapped(found.as_deref().unwrap_or(url)) else { break };
        found = Some(next);
    }
    found
}

fn unwrapped(url: &[u8]) -> Option<Vec<u8>> {
    let link = Link::of(url)?;
    let target = RULES.iter().find_map(|rule| (rule.undo)(&link))?;
    let scheme = target.iter().position(|&b| b == b':').and_then(|colon| target.get(..colon))?;
    let is_url = scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b))
        && target.len() > scheme.len() + 1
        && !target.iter().any(|&b| b <= b' ' || b == 0x7F);
    is_url.then_some(target)
}

#[cfg(test)]
mod tests {
    use super::{RULES, target};
    use proptest::prelude::*;

    fn told(url: &str) -> Option<String> {
        target(url.as_bytes()).map(|target| String::from_utf8(target).unwrap())
    }

    #[test]
    fn rules_keep_to_their_examples() {
        for rule in RULES {
            assert!(!rule.examples.is_empty() && !rule.others.is_empty());
            for (url, expected) in rule.examples {
                assert_eq!(told(url).as_deref(), Some(*expected), "{url}");
            }
            for url in rule.others {
                assert_eq!(told(url), None, "{url}");
            }
        }
    }

    #[test]
    fn wrappers_around_wrappers() {
        let url = "https://a.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttp%253A%252F%252Fhost.dom%252F";
        assert_eq!(told(url).as_deref(), Some("http://host.dom/"));
        assert_eq!(told("http://host.dom/?url=http://other.dom/"), None);
        assert_eq!(told("mailto:joe@host.dom"), None);
        assert_eq!(told("https://www.google.com/url?q=http://a%20b"), None);
    }

    proptest! {
        #[test]
        fn nothing_panics(host in prop_oneof![
            Just("a.safelinks.protection.outlook.com/"), Just("urldefense.com/v3/__"), Just("urldefense.com/v1/url"),
            Just("urldefense.proofpoint.com/v2/url"), Just("www.google.com/url"), Just("l.facebook.com/l.php"),
            Just("linkprotect.cudasvc.com/url"), Just("meilu.jpshuntong.com/url-"),
        ], tail in "(http://h/)?[?&=uqaA*_;!%0-9a-f/:-]{0,40}|.*") {
            target(format!("http://{host}{tail}").as_bytes());
        }
    }
}
