//! The URL grammars as regular expressions, e.g. to build automata. They are written from the RFCs
//! and not from the parsers, and tests compare the two.
//!
//! All productions of RFC 1738 §5 and of RFC 3986 with its scheme documents are regular, so each
//! scheme is one expression. It describes whole URLs, so anchor it at both ends. The syntax is that
//! of the regex crate, for bytes, without capture groups, case-sensitive except for the scheme.
//! Rules outside the grammars are not included, e.g. that a mailto address must decode to an RFC
//! 822 address.

use crate::schemes::rules_of;
use crate::{Profile, Scheme};
use alloc::format;
use alloc::string::{String, ToString};

/// Returns a regular expression for the valid URLs of `scheme` in `profile`, including a fragment
/// if the scheme's own production has one. For [`Scheme::Other`], it matches URLs of any scheme by
/// the generic syntax.
///
/// Returns `None` for profiles that combine grammars ([`Profile::Web`] and [`Profile::Cern1994`]),
/// and for schemes without a production in the profile.
///
/// ```
/// use urlsift_core::{Profile, Scheme, grammar};
/// let telnet = grammar::url_regex(Scheme::Telnet, Profile::Rfc1738).unwrap();
/// assert!(telnet.starts_with("(?i:telnet)://"));
/// ```
pub fn url_regex(scheme: Scheme, profile: Profile) -> Option<String> {
    let [rfc1738, rfc3986] = rules_of(scheme).expressions;
    let (rules, rest, any) = match profile {
        Profile::Rfc1738 if scheme.is_rfc1738() || scheme == Scheme::Other => {
            (RFC1738, rfc1738, "[A-Za-z0-9+.-]+")
        }
        Profile::Rfc3986 => (RFC3986, rfc3986, "[A-Za-z][A-Za-z0-9+.-]*"),
        Profile::Rfc1738 | Profile::Cern1994 | Profile::Web => return None,
    };
    let name = match scheme {
        Scheme::Other => any.to_string(),
        _ => format!("(?i:{})", scheme.name()),
    };
    Some(name + &expand_rules(rest, rules))
}

/// Replaces each `<name>` in `start` by the rule of that name in `rules`. Names in these rules are
/// replaced as well.
fn expand_rules(start: &str, rules: &[(&str, &str)]) -> String {
    let mut expression = start.to_string();
    // A rule uses only rules before it, so one pass from the last to the first is enough.
    for (name, rule) in rules.iter().rev() {
        let mut marked = String::from("<");
        marked.push_str(name);
        marked.push('>');
        let mut grouped = String::from("(?:");
        grouped.push_str(rule);
        grouped.push(')');
        expression = expression.replace(&marked, &grouped);
    }
    expression
}

/// The rules of RFC 1738 §5 that several schemes share, as names and expressions.
const RFC1738: &[(&str, &str)] = &[
    ("escape", "%[0-9A-Fa-f][0-9A-Fa-f]"),
    ("unreserved", "[A-Za-z0-9$_.+!*'(),-]"),
    ("uchar", "<unreserved>|<escape>"),
    ("xchar", "<uchar>|[;/?:@&=]"),
    // xchar, but without the escape %09.
    ("gochar", "<unreserved>|[;/?:@&=]|%(?:0[0-8A-Fa-f]|[1-9A-Fa-f][0-9A-Fa-f])"),
    ("domainlabel", "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"),
    ("toplabel", "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"),
    ("hostname", "(?:<domainlabel>\\.)*<toplabel>"),
    ("hostnumber", "[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+"),
    ("host", "<hostname>|<hostnumber>"),
    ("hostport", "<host>(?::[0-9]+)?"),
    ("user", "(?:<uchar>|[;?&=])*"),
    ("login", "(?:<user>(?::<user>)?@)?<hostport>"),
    ("fsegment", "(?:<uchar>|[?:@&=])*"),
    ("fpath", "<fsegment>(?:/<fsegment>)*"),
    ("hsegment", "(?:<uchar>|[;:@&=])*"),
    ("hpath", "<hsegment>(?:/<hsegment>)*"),
    ("search", "(?:<uchar>|[;:@&=])*"),
    ("field", "(?:<uchar>|[?:@&])*"),
    ("group", "[A-Za-z][A-Za-z0-9.+_-]*"),
    ("article", "(?:<uchar>|[;/?:&=])+@<host>"),
];

/// The rules of RFC 3986 Appendix A, RFC 6068 §2 and RFC 5538 §4, as names and expressions.
const RFC3986: &[(&str, &str)] = &[
    ("escape", "%[0-9A-Fa-f][0-9A-Fa-f]"),
    ("regchar", "[A-Za-z0-9._~!$&'()*+,;=-]|<escape>"),
    ("idchar", "<regchar>|:"),
    ("pchar", "<regchar>|[:@]"),
    ("query", "(?:<pchar>|[/?])*"),
    ("octet", "[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5]"),
    ("ipv4", "<octet>\\.<octet>\\.<octet>\\.<octet>"),
    ("h", "[0-9A-Fa-f]{1,4}"),
    ("ls", "<h>:<h>|<ipv4>"),
    (
        "ipv6",
        "(?:<h>:){6}<ls>|::(?:<h>:){5}<ls>|(?:<h>)?::(?:<h>:){4}<ls>|(?:(?:<h>:)?<h>)?::(?:<h>:){3}<ls>\
         |(?:(?:<h>:){0,2}<h>)?::(?:<h>:){2}<ls>|(?:(?:<h>:){0,3}<h>)?::<h>:<ls>\
         |(?:(?:<h>:){0,4}<h>)?::<ls>|(?:(?:<h>:){0,5}<h>)?::<h>|(?:(?:<h>:){0,6}<h>)?::",
    ),
    ("ipfuture", "[vV][0-9A-Fa-f]+\\.[A-Za-z0-9._~!$&'()*+,;=:-]+"),
    ("literal", "\\[(?:<ipv6>|<ipfuture>)\\]"),
    ("hostnonempty", "<literal>|(?:<regchar>)+"),
    ("hostport", "<hostnonempty>(?::[0-9]*)?"),
    ("authnonempty", "(?:<idchar>*@)?<hostport>"),
    ("authority", "(?:<idchar>*@)?(?:<literal>|(?:<regchar>)*)(?::[0-9]*)?"),
    ("abempty", "(?:/<pchar>*)*"),
    ("absolute", "/(?:<pchar>+(?:/<pchar>*)*)?"),
    ("rootless", "<pchar>+(?:/<pchar>*)*"),
    ("hierpart", "//<authority><abempty>|<absolute>|<rootless>|"),
    ("qchar", "[A-Za-z0-9._~!$'()*+,;:@-]|<escape>"),
    ("hfield", "<qchar>*=<qchar>*"),
    ("mlocal", "[A-Za-z0-9._~!$'*+-]|<escape>"),
    ("addr", "<mlocal>+@(?:<mlocal>|:)+"),
    ("msgid", "<idchar>+@<idchar>+"),
    ("newsgroups", "(?:[A-Za-z0-9._~$&'()*+;=:-]|<escape>)*"),
];
