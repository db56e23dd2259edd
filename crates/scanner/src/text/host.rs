//! Recognizes host names in text without a scheme, and URLs that consist only of a host.

use crate::table::table;

/// True for the bytes of host names: letters, digits, hyphens and dots.
static HOST_BYTE: [bool; 256] =
    table!(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));

/// Returns the length in bytes of the host that `text` starts with, or 0 if it doesn't start with
/// one.
///
/// A host is labels with dots between them, the last one of letters, as in `info.cern.ch`. It has
/// at most 255 bytes (RFC 1123 §2.1), and each label at most 63.
///
/// ```
/// use urlsift_scanner::dotted_host_len;
/// assert_eq!(dotted_host_len(b"www.host.dom/a"), 12);
/// assert_eq!((dotted_host_len(b"ftp.uu.net."), dotted_host_len(b"localhost"), dotted_host_len(b"1.2")), (10, 0, 0));
/// ```
pub fn dotted_host_len(text: &[u8]) -> usize {
    let head = &text[..text.len().min(256)];
    let mut len = head.iter().take_while(|&&b| HOST_BYTE[usize::from(b)]).count();
    // A full stop or a dash after the host belongs to the sentence.
    while len > 0 && matches!(head[len - 1], b'.' | b'-') {
        len -= 1;
    }
    if len > 255 || !is_dotted_host(&head[..len]) { 0 } else { len }
}

/// Returns the length in bytes of the host that `text` starts with, or 0 if it doesn't start with
/// one. A host is a name with dots (see [`dotted_host_len`]), `localhost`, or an IPv4 address.
pub(crate) fn host_len(text: &[u8]) -> usize {
    let len = dotted_host_len(text);
    if len > 0 {
        return len;
    }
    let word =
        text.iter().take(16).take_while(|b| b.is_ascii_alphanumeric() || **b == b'.').count();
    let is_address = || {
        let address = std::str::from_utf8(&text[..word]).ok();
        address.is_some_and(|address| address.parse::<std::net::Ipv4Addr>().is_ok())
    };
    if text[..word].eq_ignore_ascii_case(b"localhost") || is_address() { word } else { 0 }
}

/// True if `url` ends inside its host: no path, query or fragment follows the host.
pub(crate) fn ends_in_host(url: &[u8]) -> bool {
    memchr::memmem::find(url, b"://")
        .is_some_and(|slashes| memchr::memchr3(b'/', b'?', b'#', &url[slashes + 3..]).is_none())
}

/// True if `host` consists of two or more labels, the last one of letters.
pub(crate) fn is_dotted_host(host: &[u8]) -> bool {
    let is_label = |label: &[u8]| match label {
        [first, .., last] => label.len() < 64 && *first != b'-' && *last != b'-',
        [only] => *only != b'-',
        [] => false,
    };
    let mut start = 0;
    for (at, &byte) in host.iter().enumerate() {
        if byte == b'.' {
            if !is_label(&host[start..at]) {
                return false;
            }
            start = at + 1;
        }
    }
    let top = &host[start..];
    start > 0 && is_label(top) && top.len() >= 2 && top.iter().all(u8::is_ascii_alphabetic)
}

/// The first labels of newsgroups: the hierarchies of USENET, and those of countries.
const HIERARCHIES: &[&[u8]] = &[
    b"alt",
    b"at",
    b"aus",
    b"be",
    b"bionet",
    b"bit",
    b"biz",
    b"can",
    b"ch",
    b"clari",
    b"comp",
    b"de",
    b"dk",
    b"es",
    b"fido7",
    b"fj",
    b"fr",
    b"gnu",
    b"han",
    b"humanities",
    b"it",
    b"k12",
    b"linux",
    b"maus",
    b"misc",
    b"mod",
    b"net",
    b"news",
    b"nl",
    b"no",
    b"pl",
    b"rec",
    b"relcom",
    b"sci",
    b"se",
    b"sfnet",
    b"soc",
    b"talk",
    b"tw",
    b"uk",
    b"us",
    b"vmsnet",
];

/// Top-level domains under which hosts are much more common than newsgroups that end in the same
/// word, besides those of countries.
const HOST_DOMAINS: &[&[u8]] =
    &[b"arpa", b"com", b"edu", b"gov", b"info", b"int", b"mil", b"net", b"org"];

/// True if `name`, which contains dots, is more likely a newsgroup (`sci.space`, `comp.lang.java`)
/// than a host.
pub(crate) fn is_newsgroup(name: &[u8]) -> bool {
    let mut labels = name.split(|&b| b == b'.');
    let is_one_of =
        |label: &[u8], list: &[&[u8]]| list.iter().any(|it| it.eq_ignore_ascii_case(label));
    let (Some(first), Some(last)) = (labels.next(), labels.next_back()) else { return false };
    // A name of two labels under a country's domain may be either; `rec.arts.tv` is a group.
    let is_under_country = last.len() == 2
        && !last.eq_ignore_ascii_case(b"tv")
        && (labels.next().is_some() || first.len() == 2);
    is_one_of(first, HIERARCHIES) && !is_one_of(last, HOST_DOMAINS) && !is_under_country
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dotted_hosts_are_measured() {
        assert_eq!(dotted_host_len(b"www.host.dom/a"), 12);
        assert_eq!(dotted_host_len(b"ftp.uu.net."), 10);
        assert_eq!(dotted_host_len(b"e.g. this"), 0);
        assert_eq!(dotted_host_len(b"1.2"), 0);
        assert_eq!(dotted_host_len(b"a..b.com"), 0);
        assert_eq!(dotted_host_len(b"localhost"), 0);
    }
}
