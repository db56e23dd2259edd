//! What is safe to write where people look.
//!
//! Mail is written by strangers: a terminal takes control characters as commands, and the marks
//! of right-to-left text make one host look like another. Both are shown as escapes on a
//! terminal. A pipe gets the bytes as found, but one record stays one line.

use std::borrow::Cow;
use urlsift_records::write::visible::clean_bytes;

/// `text` as it may be written: to a terminal without control and direction characters, each
/// shown as `\x1b` or `\u{202e}`; elsewhere only with line breaks and NUL encoded as `%0A`, `%0D`
/// and `%00`, since records end with them.
pub(crate) fn clean(text: &[u8], terminal: bool) -> Cow<'_, [u8]> {
    if terminal { clean_bytes(text, &[]) } else { for_pipe(text) }
}

fn for_pipe(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr3(b'\n', b'\r', 0, text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    for &byte in text {
        match byte {
            b'\n' => out.extend_from_slice(b"%0A"),
            b'\r' => out.extend_from_slice(b"%0D"),
            0 => out.extend_from_slice(b"%00"),
            _ => out.push(byte),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn a_terminal_gets_no_commands() {
        let text = b"http://h/\x1b[2J\xe2\x80\xae\xff\xc2\x9bz";
        assert_eq!(&*clean(text, true), br"http://h/\x1b[2J\u{202e}\xff\u{9b}z");
        assert_eq!(&*clean("http://h/日本".as_bytes(), true), "http://h/日本".as_bytes());
    }

    #[test]
    fn a_pipe_gets_one_line() {
        assert_eq!(&*clean(b"a\nb\rc\0d\x1b", false), b"a%0Ab%0Dc%00d\x1b");
    }
}
