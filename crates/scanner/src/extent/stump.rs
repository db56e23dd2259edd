//! Recognizes stumps: a host that is cut in its middle. A stump is valid, but names another host.

/// The maximum number of bytes that are read after the URL.
const REACH: usize = 128;

/// True if a host can be cut right before `byte`. The URL before it may then be a stump: a URL that
/// ends in the middle of its host.
#[inline(always)]
pub(crate) const fn may_follow_stump(byte: u8) -> bool {
    matches!(byte, b'\\' | b'<')
}

/// True if `url`, which ends at byte `end` of the text, is a stump: it ends in the middle of its
/// host. The rest of the host follows after the doubled backslash of a regular expression
/// (`http://h\\.dom`) or after a tag (`http://www.exam<b>ple</b>.dom`).
pub(crate) fn ends_inside_host(text: &[u8], url: &[u8], end: usize) -> bool {
    if !text.get(end).is_some_and(|&byte| may_follow_stump(byte)) {
        return false;
    }
    let Some(slashes) = memchr::memmem::find(url, b"://") else { return false };
    if memchr::memchr3(b'/', b'?', b'#', &url[slashes + 3..]).is_some() {
        return false;
    }
    match &text[end..text.len().min(end + REACH)] {
        // After other escapes, such as that of a line break, the URL may well be over.
        [b'\\', b'\\', byte, ..] => byte.is_ascii_graphic() && !b"nrt\"'\\/:".contains(byte),
        [b'<', rest @ ..] => tag_splits_host(rest),
        _ => false,
    }
}

/// True if `rest`, the text after a `<`, shows that a formatting tag is in the middle of a host.
/// After the tag come letters, the closing tag, a dot and a letter.
fn tag_splits_host(rest: &[u8]) -> bool {
    const NAMES: [&[u8]; 8] = [b"b", b"i", b"u", b"em", b"strong", b"wbr", b"mark", b"span"];
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let is_format = NAMES.iter().any(|name| name.eq_ignore_ascii_case(&rest[..len]));
    let Some(close) = memchr::memchr(b'>', rest).filter(|_| is_format) else { return false };
    let after = &rest[close + 1..];
    let name = after.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    let after = &after[name..];
    let tag = match after {
        [b'<', b'/', tag @ ..] => memchr::memchr(b'>', tag).map_or(0, |len| 2 + len + 1),
        _ => 0,
    };
    name > 0 && matches!(&after[tag..], [b'.', byte, ..] if byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::ends_inside_host;

    #[test]
    fn stump_of_a_host_is_recognized() {
        let is = |url: &str, rest: &str| {
            ends_inside_host([url, rest].concat().as_bytes(), url.as_bytes(), url.len())
        };
        for rest in
            [r"\\.dom", r"\\d+/", "<b>ple</b>.com", "<wbr>ple.com", "<span x='y'>a</span>.b"]
        {
            assert!(is("http://www.exam", rest), "{rest}");
        }
        for rest in
            ["", " x", r"\n", r"\\n", "\\\"", "<br>ple", "<b>bold</b> text", "</a>.", "<p>a.b"]
        {
            assert!(!is("http://www.exam", rest), "{rest}");
        }
        assert!(!is("http://h.dom/a", r"\\.b"));
        assert!(!is("mailto:a@b", "<b>c</b>.d"));
    }
}
