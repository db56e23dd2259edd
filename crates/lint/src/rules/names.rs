//! What is a host by its looks, where no scheme says so.

/// Top-level domains that no kind of file shares its name with.
const TOP_LEVEL: [&[u8]; 16] = [
    b"com", b"org", b"net", b"edu", b"gov", b"io", b"dev", b"de", b"fr", b"jp", b"nl", b"ch",
    b"eu", b"ru", b"uk", b"br",
];

pub(super) fn is_top_level(label: &[u8]) -> bool {
    TOP_LEVEL.iter().any(|known| label.eq_ignore_ascii_case(known))
}

/// The length of the host with dots in it that `text` starts with; 0 if none does.
pub(super) fn dotted_len(text: &[u8]) -> usize {
    let is_host = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
    let run = text.iter().take(256).take_while(is_host).count();
    let len = text[..run].iter().rposition(u8::is_ascii_alphanumeric).map_or(0, |at| at + 1);
    let host = &text[..len];
    let top = host.rsplit(|&b| b == b'.').next().unwrap_or_default();
    let named = top.len() >= 2 && top.len() < len && top.iter().all(u8::is_ascii_alphabetic);
    if named && host.split(|&b| b == b'.').all(|label| !label.is_empty()) { len } else { 0 }
}
