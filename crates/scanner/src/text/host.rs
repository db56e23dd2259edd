//! Whether something looks like a host that somebody wrote down, asked where no scheme says so.

/// The length of the host that `text` starts with: labels with dots between them, the last one of
/// letters, as in `info.cern.ch`; 0 if none does. At most 255 bytes (RFC 1123 §2.1).
pub(crate) fn dotted_len(text: &[u8]) -> usize {
    let head = &text[..text.len().min(256)];
    let mut len =
        head.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-')).count();
    // A full stop or a dash behind the host is the sentence's.
    while len > 0 && matches!(head[len - 1], b'.' | b'-') {
        len -= 1;
    }
    if len > 255 || !is_dotted(&head[..len]) { 0 } else { len }
}

/// The length of the host that `text` starts with: one with dots, `localhost`, or an address of four numbers; 0 if
/// none does.
pub(crate) fn named_len(text: &[u8]) -> usize {
    let len = dotted_len(text);
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

/// Whether `host` is made of two or more labels, the last one of letters.
pub(crate) fn is_dotted(host: &[u8]) -> bool {
    let label = |l: &[u8]| !l.is_empty() && l.len() < 64 && l[0] != b'-' && l[l.len() - 1] != b'-';
    let mut labels = host.rsplit(|&b| b == b'.');
    labels.next().is_some_and(|top| top.len() >= 2 && top.iter().all(u8::is_ascii_alphabetic))
        && host.contains(&b'.')
        && host.split(|&b| b == b'.').all(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        assert_eq!(dotted_len(b"www.host.dom/a"), 12);
        assert_eq!(dotted_len(b"ftp.uu.net."), 10);
        assert_eq!(dotted_len(b"e.g. this"), 0);
        assert_eq!(dotted_len(b"1.2"), 0);
        assert_eq!(dotted_len(b"a..b.com"), 0);
        assert_eq!(dotted_len(b"localhost"), 0);
    }
}
