//! Finds registered domains and top-level domains with the Public Suffix List, and tells host names
//! from file names.

use memchr::memrchr;
use std::borrow::Cow;
use urlsift_core::{Span, host_key};
use urlsift_scanner::Form;

/// Returns the registered domain of a host according to the Public Suffix List, and the host's last
/// label. Both are in lower case and with A-labels.
///
/// The domain is `None` if the host is itself a public suffix, e.g. `co.uk`. The whole result is
/// `None` for an IP address, for a host with only one label and for a host that is not UTF-8.
///
/// The list is the version that was current when the crate was built.
pub(crate) fn domain_and_tld(host: &[u8]) -> Option<(Option<Cow<'_, str>>, Cow<'_, str>)> {
    let host = match host_key(host) {
        Cow::Borrowed(host) => Cow::Borrowed(str::from_utf8(host).ok()?),
        Cow::Owned(host) => Cow::Owned(String::from_utf8(host).ok()?),
    };
    let len = host.strip_suffix('.').unwrap_or(&host).len();
    let tld = host[..len].rfind('.')? + 1;
    let last = &host[tld..len];
    if last.is_empty() || last.ends_with(']') || last.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let start = registered_domain(&host[..len]).map(|domain| len - domain.len());
    let part = |start| match &host {
        Cow::Borrowed(host) => Cow::Borrowed(&host[start..len]),
        Cow::Owned(host) => Cow::Owned(host[start..len].to_owned()),
    };
    Some((start.map(part), part(tld)))
}

/// Returns the registered domain of the host `name`, e.g. `example.co.uk` for `www.example.co.uk`.
/// Returns `None` if `name` is itself a public suffix. `name` must be in lower case and have at
/// least two labels.
#[cfg(feature = "psl")]
fn registered_domain(name: &str) -> Option<&str> {
    // The list returns a suffix of the name, so the domain can borrow from `name`.
    name.get(name.len() - psl::domain(name.as_bytes())?.as_bytes().len()..)
}

/// Returns `None` in a build without the Public Suffix List, because no domain is known.
#[cfg(not(feature = "psl"))]
fn registered_domain(_: &str) -> Option<&str> {
    None
}

/// Public suffixes that are also file name extensions. A host of two labels that ends in one of
/// these may be a file name, e.g. `main.rs`.
const SUFFIXES: &[&str] = &[
    "am", "app", "cc", "data", "in", "java", "la", "man", "map", "md", "mk", "ml", "mm", "mov",
    "pf", "pl", "pm", "ps", "pub", "py", "rs", "sh", "so", "st", "tab", "win", "zip",
];

/// Returns the span of the host in `name`, which is an email address, or a host name with an
/// optional port and path. Returns `None` if `form` is another form of URLs.
pub(crate) fn host_of_name(name: &[u8], form: Form) -> Option<Span> {
    let start = match form {
        Form::Email => memrchr(b'@', name)? + 1,
        Form::Host => 0,
        _ => return None,
    };
    let end = name[start..].iter().position(|b| b"/:?#".contains(b));
    Some(Span::new(start, end.map_or(name.len(), |end| start + end)))
}

/// True if `name`, a candidate in the form [`Form::Host`], is probably a host: it ends in a public
/// suffix, and does not look like a file name. Names in other forms are always accepted.
///
/// Some top-level domains are also file name extensions (`README.md`, `main.rs`). Hosts under these
/// need three labels or a path.
pub(crate) fn is_probably_host(name: &[u8], form: Form) -> bool {
    let Some(host) = host_of_name(name, form).filter(|_| form == Form::Host) else { return true };
    let has_path = name.get(host.end..).is_some_and(|rest| rest.contains(&b'/'));
    let host = name[host.range()].to_ascii_lowercase();
    let Some(last) = memrchr(b'.', &host) else { return false };
    let may_be_file = !has_path
        && !host[..last].contains(&b'.')
        && SUFFIXES.iter().any(|suffix| suffix.as_bytes() == &host[last + 1..]);
    !may_be_file && has_known_suffix(&host)
}

/// True if `host`, in lower case, ends in a known public suffix and can be the name of a host.
/// False for `co.uk`, because only names below it can be registered.
#[cfg(feature = "psl")]
fn has_known_suffix(host: &[u8]) -> bool {
    psl::suffix(host).is_some_and(|suffix| {
        // `co.uk` itself cannot be registered, but `github.io`, a suffix in the list's private
        // section, is a host.
        let is_nobodys = suffix.typ() == Some(psl::Type::Icann) && suffix == host;
        suffix.is_known() && !is_nobodys
    })
}

/// Returns false in a build without the Public Suffix List, because no suffix is known.
#[cfg(not(feature = "psl"))]
fn has_known_suffix(_: &[u8]) -> bool {
    false
}

#[cfg(test)]
#[cfg(feature = "psl")]
mod tests {
    use super::{domain_and_tld, is_probably_host};
    use urlsift_scanner::Form;

    #[test]
    fn names() {
        for (name, expected) in [
            ("www.w3.org", true),
            ("W3.ORG/a/b.html", true),
            ("cern.ch:8080", true),
            ("host.dom", false),
            ("index.html", false),
            ("README.md", false),
            ("crates.rs/x", true),
            ("Makefile.in", false),
            ("www.iitb.ac.in", true),
            ("Vector.java:427", false),
            ("main.cc:271", false),
            ("docs.md.example.md", true),
            ("co.uk", false),
        ] {
            assert_eq!(is_probably_host(name.as_bytes(), Form::Host), expected, "{name}");
        }
        assert!(is_probably_host(b"joe@host.dom", Form::Email));
    }

    #[test]
    fn hosts() {
        for (host, expected) in [
            ("www.Example.co.UK", Some((Some("example.co.uk"), "uk"))),
            ("info.cern.ch", Some((Some("cern.ch"), "ch"))),
            ("a.b.host.dom.", Some((Some("host.dom"), "dom"))),
            ("www.\u{c4}RA.dom", Some((Some("xn--ra-uia.dom"), "dom"))),
            ("www.Пример.РФ", Some((Some("xn--e1afmkfd.xn--p1ai"), "xn--p1ai"))),
            ("XN--E1AFMKFD.xn--p1ai.", Some((Some("xn--e1afmkfd.xn--p1ai"), "xn--p1ai"))),
            ("a.b.食狮.公司.cn", Some((Some("xn--85x722f.xn--55qx5d.cn"), "cn"))),
            ("co.uk", Some((None, "uk"))),
            ("localhost", None),
            ("192.0.2.1", None),
            ("[2001:db8::1]", None),
            ("[::192.0.2.1]", None),
            ("", None),
        ] {
            let found = domain_and_tld(host.as_bytes());
            let found = found.as_ref().map(|(domain, tld)| (domain.as_deref(), &**tld));
            assert_eq!(found, expected, "{host}");
        }
        assert_eq!(domain_and_tld(b"a\xff.b"), None);
    }
}
