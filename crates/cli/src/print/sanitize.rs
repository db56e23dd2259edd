//! Makes untrusted text safe to print.
//!
//! Mail is untrusted: a terminal executes control characters, and bidirectional marks can make one
//! host look like another. For a terminal, both are replaced by visible escapes. For a pipe, only
//! control characters are replaced: so each record stays on one line, and a pager that reads the
//! pipe executes nothing either.

use std::borrow::Cow;
use urlsift_core::any_byte;
use urlsift_records::write::visible::escape_invisible_bytes;

/// Returns `text` with characters escaped that are unsafe to print.
///
/// If `for_terminal` is true, control characters and bidirectional characters are escaped, e.g. as
/// `\x1b` or `\u{202e}`. Otherwise, control characters except tabs are percent-encoded, e.g. as
/// `%1B`.
pub(crate) fn escape_unsafe(text: &[u8], for_terminal: bool) -> Cow<'_, [u8]> {
    if for_terminal { escape_invisible_bytes(text, &[]) } else { percent_encode_controls(text) }
}

/// The first byte in UTF-8 of the control characters U+0080 to U+009F (and of some other
/// characters).
const C1: u8 = 0xC2;

/// Returns `text` with control characters percent-encoded, except tabs.
fn percent_encode_controls(text: &[u8]) -> Cow<'_, [u8]> {
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
    use super::escape_unsafe;

    #[test]
    fn escape_sequences_are_shown_on_a_terminal() {
        let text = b"http://h/\x1b[2J\xe2\x80\xae\xff\xc2\x9bz";
        assert_eq!(&*escape_unsafe(text, true), br"http://h/\x1b[2J\u{202e}\xff\u{9b}z");
        assert_eq!(&*escape_unsafe("http://h/日本".as_bytes(), true), "http://h/日本".as_bytes());
    }

    #[test]
    fn control_characters_are_encoded_for_a_pipe() {
        assert_eq!(&*escape_unsafe(b"a\nb\rc\0d\x1b\te\x7f", false), b"a%0Ab%0Dc%00d%1B\te%7F");
        let text = "é\u{9b}\u{a0}\u{202e}\u{a9}";
        assert_eq!(
            &*escape_unsafe(text.as_bytes(), false),
            "é%C2%9B\u{a0}\u{202e}\u{a9}".as_bytes()
        );
        assert_eq!(&*escape_unsafe(b"\xff\xc2", false), b"\xff\xc2");
    }
}
