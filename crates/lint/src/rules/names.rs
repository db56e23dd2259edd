//! Recognizes host names without a scheme.

use urlsift_scanner::dotted_host_len;

/// Top-level domains that are not also file name extensions.
const TOP_LEVEL: [&[u8]; 16] = [
    b"com", b"org", b"net", b"edu", b"gov", b"io", b"dev", b"de", b"fr", b"jp", b"nl", b"ch",
    b"eu", b"ru", b"uk", b"br",
];

/// True if `label`, the last label of a host, is one of the common top-level domains in
/// [`TOP_LEVEL`].
pub(super) fn is_top_level_domain(label: &[u8]) -> bool {
    TOP_LEVEL.iter().any(|known| label.eq_ignore_ascii_case(known))
}

/// True if `host` starts with `www.` and has a second dot. A file name such as `www.html` has none.
pub(super) fn is_www_host(host: &[u8]) -> bool {
    host.get(..4).is_some_and(|www| www.eq_ignore_ascii_case(b"www.")) && host[4..].contains(&b'.')
}

/// True if `host` ends in `.html`, `.htm` or `.php`, like the name of a document. A URL without
/// `//` or with one slash before it is a relative reference, as in `http:index.html`.
pub(super) fn is_document_name(host: &[u8]) -> bool {
    let ending = host.rsplit(|&b| b == b'.').next().unwrap_or_default();
    [&b"html"[..], b"htm", b"php"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// True if the first word of `text` looks like a host and not like a file name, e.g.
/// `www.host.dom`, `host.com` or an IP address.
pub(super) fn starts_with_host(text: &[u8]) -> bool {
    let login = text.iter().position(|b| b"/\\?#@".contains(b)).filter(|&at| text[at] == b'@');
    let text = &text[login.map_or(0, |at| at + 1)..];
    let is_host = |b: &&u8| b.is_ascii_alphanumeric() || b".-".contains(b);
    let host = &text[..text.iter().take(256).take_while(is_host).count()];
    let named = &host[..dotted_host_len(host)];
    let top = || named.rsplit(|&b| b == b'.').next();
    let is_named =
        !named.is_empty() && (is_www_host(host) || top().is_some_and(is_top_level_domain));
    is_named || str::from_utf8(host).is_ok_and(|host| host.parse::<std::net::Ipv4Addr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_distinguished_from_hosts() {
        assert!(is_document_name(b"foo.html") && is_document_name(b"INDEX.HTM"));
        assert!(!is_document_name(b"www.html.net") && !is_document_name(b"host.dom"));
    }

    #[test]
    fn hosts_are_distinguished_from_files() {
        for host in ["www.host.dom/a", "host.com", "joe@host.org:80", "10.1.2.3/a", "HOST.ORG?a"] {
            assert!(starts_with_host(host.as_bytes()), "{host}");
        }
        for file in ["index.html", "www.html", "docs/a.org", "a", "", "1.2.3", "a.b.js"] {
            assert!(!starts_with_host(file.as_bytes()), "{file}");
        }
    }
}
