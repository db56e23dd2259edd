//! Recovers the original URLs of links that mail filters and redirectors rewrote. It works offline,
//! so shortened links and links that only contain a token are not resolved.

mod barracuda;
mod cisco;
mod derived;
mod edgepilot;
mod facebook;
mod fireeye;
mod google;
mod hex_proxy;
mod libraesva;
mod proofpoint;
mod rule;
mod safelinks;
mod sophos;
mod symantec;
mod trend_micro;

pub(crate) use derived::Derived;

use crate::{Span, simd};
use alloc::vec::Vec;
use rule::{Link, Rule};

/// The rules of all supported gateways.
const RULES: [&Rule; 13] = [
    &safelinks::RULE,
    &proofpoint::RULE,
    &google::RULE,
    &facebook::RULE,
    &barracuda::RULE,
    &hex_proxy::RULE,
    &cisco::RULE,
    &sophos::RULE,
    &trend_micro::RULE,
    &symantec::RULE,
    &fireeye::RULE,
    &edgepilot::RULE,
    &libraesva::RULE,
];

/// The maximum nesting depth of rewritten links.
pub(crate) const DEPTH: usize = 4;

/// Returns the original URL of `url`, a link that a mail filter or redirector rewrote. Returns
/// `None` if `url` is not a known kind of rewritten link. A link may have been rewritten up to four
/// times. Takes linear time.
///
/// ```
/// use urlsift_core::rewritten_target;
/// let url = b"https://urldefense.proofpoint.com/v2/url?u=http-3A__host.dom_a-5Fb&d=x";
/// assert_eq!(rewritten_target(url).as_deref(), Some(&b"http://host.dom/a_b"[..]));
/// assert_eq!(rewritten_target(b"http://host.dom/a_b"), None);
/// ```
pub fn rewritten_target(url: &[u8]) -> Option<Vec<u8>> {
    let mut found: Option<Vec<u8>> = None;
    for _ in 0..DEPTH {
        let next = undo_rewriting(found.as_deref().unwrap_or(url))
            .filter(|next| looks_like_url(&next.bytes));
        let Some(next) = next else { break };
        found = Some(next.bytes);
    }
    found
}

/// Decodes the original URL of a link that a mail gateway or redirector rewrote. The result
/// contains the source of each byte, and may not be a valid URL. Returns `None` if no known gateway
/// wrote the link.
pub(crate) fn undo_rewriting(url: &[u8]) -> Option<Derived> {
    let link = Link::parse(url)?;
    RULES.iter().find_map(|rule| (rule.undo)(&link))
}

/// True if the text looks like a URL: it starts with a scheme and a colon, and contains no space or
/// control character.
fn looks_like_url(bytes: &[u8]) -> bool {
    let colon = bytes.iter().position(|&b| b == b':');
    colon.and_then(|colon| bytes.get(..colon)).is_some_and(|scheme| {
        scheme.first().is_some_and(u8::is_ascii_alphabetic)
            && scheme.iter().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b))
            && bytes.len() > scheme.len() + 1
            && !bytes.iter().any(|&b| b <= b' ' || b == 0x7F)
    })
}

/// Returns the span of the first host of a known mail gateway at or after byte `from`, ignoring
/// case. Returns `None` if there is none. The hosts are those of [`Rule::hosts`].
pub(crate) fn next_gateway_host(text: &[u8], from: usize) -> Option<Span> {
    let mut at = from;
    while let Some(dot) = simd::find_in_class(text, at, |bytes| simd::equal_to(bytes, b'.')) {
        at = dot + 1;
        // A fast check: the first label of each host ends in `e` or `u`, except in hosts that can
        // start with any label. Those continue with `.protection`.
        let Some(last) = dot.checked_sub(1).map(|last| text[last]) else { continue };
        let is_region =
            text.get(at..at + 4).is_some_and(|label| label.eq_ignore_ascii_case(b"prot"));
        if !is_region && !b"eEuU".contains(&last) {
            continue;
        }
        for host in RULES.iter().flat_map(|rule| rule.hosts) {
            if host.starts_with('.') {
                let span = Span::new(label_start(text, from, dot), dot + host.len());
                if text.get(dot..span.end).is_some_and(|t| t.eq_ignore_ascii_case(host.as_bytes()))
                    && span.start < dot
                {
                    return Some(span);
                }
                continue;
            }
            let Some(label) = host.bytes().position(|byte| byte == b'.') else { continue };
            let Some(start) = dot.checked_sub(label).filter(|start| *start >= from) else {
                continue;
            };
            let span = Span::new(start, start + host.len());
            if text.get(span.range()).is_some_and(|t| t.eq_ignore_ascii_case(host.as_bytes())) {
                return Some(span);
            }
        }
    }
    None
}

/// Returns the start of the label of a host name that ends at byte `end`, at or after byte `from`.
fn label_start(text: &[u8], from: usize, end: usize) -> usize {
    let from = from.max(end.saturating_sub(63));
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-';
    let label = text.get(from..end).unwrap_or_default();
    label.iter().rposition(|b| !is_part(b)).map_or(from, |before| from + before + 1)
}

#[cfg(test)]
mod tests {
    use super::{RULES, next_gateway_host, rewritten_target};
    use crate::Span;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn target_text(url: &str) -> Option<String> {
        rewritten_target(url.as_bytes()).map(|target| String::from_utf8(target).unwrap())
    }

    #[test]
    fn rules_match_their_examples() {
        for rule in RULES {
            assert!(!rule.examples.is_empty() && !rule.others.is_empty());
            for (url, expected) in rule.examples {
                assert_eq!(target_text(url).as_deref(), Some(*expected), "{url}");
            }
            for url in rule.others {
                assert_eq!(target_text(url), None, "{url}");
            }
        }
    }

    #[test]
    fn nested_wrappers_are_undone() {
        let url = "https://a.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttp%253A%252F%252Fhost.dom%252F";
        assert_eq!(target_text(url).as_deref(), Some("http://host.dom/"));
        assert_eq!(target_text("http://host.dom/?url=http://other.dom/"), None);
        assert_eq!(target_text("mailto:joe@host.dom"), None);
        assert_eq!(target_text("https://www.google.com/url?q=http://a%20b"), None);
    }

    #[test]
    fn separately_encoded_hosts_are_found() {
        let text = b"f j urldefense.com.x https://URLdefense.Proofpoint.com/ meilu.jpshuntong.com";
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(host) = next_gateway_host(text, at) {
            found.push(host);
            at = host.end;
        }
        assert_eq!(found, [Span::new(4, 18), Span::new(29, 54), Span::new(56, 76)]);
        for host in RULES.iter().flat_map(|rule| rule.hosts) {
            let labels = if host.starts_with('.') { &["us-west-2", "mail"][..] } else { &[""] };
            for label in labels {
                let host = [label, *host].concat();
                let whole = Some(Span::new(0, host.len()));
                assert_eq!(next_gateway_host(host.as_bytes(), 0), whole, "{host}");
            }
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(host in prop_oneof![
            Just("a.safelinks.protection.outlook.com/"), Just("urldefense.com/v3/__"), Just("urldefense.com/v1/url"),
            Just("urldefense.proofpoint.com/v2/url"), Just("www.google.com/url"), Just("l.facebook.com/l.php"),
            Just("linkprotect.cudasvc.com/url"), Just("meilu.jpshuntong.com/url-"),
            Just("secure-web.cisco.com/1/"), Just("us-1.protection.sophos.com/?u="),
            Just("protect.fireeye.com/url"), Just("link.edgepilot.com/s/"),
        ], tail in "(http://h/)?[?&=uqaA*_;!%0-9a-f/:-]{0,40}|.*") {
            rewritten_target(alloc::format!("http://{host}{tail}").as_bytes());
        }
    }
}
