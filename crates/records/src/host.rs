//! What the name of a host says: who registered it, and where.

use std::borrow::Cow;

/// The domain that somebody registered of a host, by the Public Suffix List, and its last label, in lower case. `None` of an
/// address and of a name of one label; a name that is a public suffix itself has no domain.
///
/// The list is the one that was current when the crate was built.
pub(crate) fn domain_and_tld(host: &[u8]) -> Option<(Option<String>, String)> {
    let host = host.strip_suffix(b".").unwrap_or(host);
    let name = str::from_utf8(host).ok()?;
    let name: Cow<'_, str> =
        if name.chars().any(char::is_uppercase) { name.to_lowercase().into() } else { name.into() };
    let (_, tld) = name.rsplit_once('.')?;
    if tld.is_empty() || tld.ends_with(']') || tld.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let domain = psl::domain_str(&name).map(str::to_owned);
    Some((domain, tld.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::domain_and_tld;

    #[test]
    fn hosts() {
        for (host, expected) in [
            ("www.Example.co.UK", Some((Some("example.co.uk"), "uk"))),
            ("info.cern.ch", Some((Some("cern.ch"), "ch"))),
            ("a.b.host.dom.", Some((Some("host.dom"), "dom"))),
            ("co.uk", Some((None, "uk"))),
            ("localhost", None),
            ("192.0.2.1", None),
            ("[2001:db8::1]", None),
            ("[::192.0.2.1]", None),
            ("", None),
        ] {
            let found = domain_and_tld(host.as_bytes());
            let found = found.as_ref().map(|(domain, tld)| (domain.as_deref(), tld.as_str()));
            assert_eq!(found, expected, "{host}");
        }
        assert_eq!(domain_and_tld(b"a\xff.b"), None);
    }
}
