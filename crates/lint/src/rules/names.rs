//! What is a host by its looks, where no scheme says so.

use urlsift_scanner::dotted_len;

/// Top-level domains that no kind of file shares its name with.
const TOP_LEVEL: [&[u8]; 16] = [
    b"com", b"org", b"net", b"edu", b"gov", b"io", b"dev", b"de", b"fr", b"jp", b"nl", b"ch",
    b"eu", b"ru", b"uk", b"br",
];

pub(super) fn is_top_level(label: &[u8]) -> bool {
    TOP_LEVEL.iter().any(|known| label.eq_ignore_ascii_case(known))
}

/// Whether a host is called `www.`, and more than `www.html`.
pub(super) fn is_www(host: &[u8]) -> bool {
    host.get(..4).is_some_and(|www| www.eq_ignore_ascii_case(b"www.")) && host[4..].contains(&b'.')
}

/// Whether `text` starts with what is a host by its looks, and no file: `www.host.dom`, `host.com` or an address.
pub(super) fn names_host(text: &[u8]) -> bool {
    let login = text.iter().position(|b| b"/\\?#@".contains(b)).filter(|&at| text[at] == b'@');
    let text = &text[login.map_or(0, |at| at + 1)..];
    let is_host = |b: &&u8| b.is_ascii_alphanumeric() || b".-".contains(b);
    let host = &text[..text.iter().take(256).take_while(is_host).count()];
    let named = &host[..dotted_len(host)];
    let top = || named.rsplit(|&b| b == b'.').next();
    let is_named = !named.is_empty() && (is_www(host) || top().is_some_and(is_top_level));
    is_named || str::from_utf8(host).is_ok_and(|host| host.parse::<std::net::Ipv4Addr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_files() {
        for host in ["www.host.dom/a", "host.com", "joe@host.org:80", "10.1.2.3/a", "HOST.ORG?a"] {
            assert!(names_host(host.as_bytes()), "{host}");
        }
        for file in ["index.html", "www.html", "docs/a.org", "a", "", "1.2.3", "a.b.js"] {
            assert!(!names_host(file.as_bytes()), "{file}");
        }
    }
}
