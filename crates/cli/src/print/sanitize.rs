//! What is safe to write where people look.
//!
//! Mail is written by strangers: a terminal takes control characters as commands, and the marks
//! of right-to-left text make one host look like another. Both are shown as escapes on a
//! terminal. A pipe gets the bytes as found but for control characters: one record stays one line, and a pager
//! behind the pipe gets no commands either.

use std::borrow::Cow;
use urlsift_core::any_byte;
use urlsift_records::write::visible::clean_bytes;

/// `text` as it may be written: to a terminal without control and direction characters, each
/// shown as `\x1b` or `\u{202e}`; elsewhere only with control characters but tabs encoded as `%0A` or `%1B`.
pub(crate) fn clean(text: &[u8], terminal: bool) -> Cow<'_, [u8]> {
    if terminal { clean_bytes(text, &[]) } else { for_pipe(text) }
}

/// The first byte in UTF-8 of the control characters U+0080 to U+009F, and of other characters.
const C1: u8 = 0xC2;

fn for_pipe(text: &[u8]) -> Cow<'_, [u8]> {
    let is_control = |byte: u8| byte.is_ascii_control() && byte != b'\t';
    if !any_byte(text, |byte| is_control(byte) || byte == C1) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let c1 = bytes.next_if(|next| byte == C1 && (0x80..0xA0).contains(next));
        if c1.is_none() && !is_control(byte) {
            out.push(byte);
            continue;
        }
        for byte in std::iter::once(byte).chain(c1) {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
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
    fn a_pipe_gets_one_line_without_commands() {
        assert_eq!(&*clean(b"a\nb\rc\0d\x1b\te\x7f", false), b"a%0Ab%0Dc%00d%1B\te%7F");
        let text = "é\u{9b}\u{a0}\u{202e}\u{a9}";
        assert_eq!(&*clean(text.as_bytes(), false), "é%C2%9B\u{a0}\u{202e}\u{a9}".as_bytes());
        assert_eq!(&*clean(b"\xff\xc2", false), b"\xff\xc2");
    }
}
