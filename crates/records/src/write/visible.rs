//! Replaces invisible characters, and characters that control a terminal, by escape sequences.
//!
//! The text of URLs is untrusted input. Terminals obey control characters, and marks for
//! right-to-left text can make one host look like another.

use std::borrow::Cow;
use std::fmt::Write as _;
use urlsift_core::any_byte;

/// True if a reader can't see `c` or could be misled by it: it is invisible, a control character, a
/// line break, or a character that changes the text direction.
///
/// ```
/// use urlsift_records::write::visible::is_unseen;
/// assert!(is_unseen('\x1b') && is_unseen('\u{202e}') && !is_unseen('é'));
/// ```
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns `text` with escape sequences for invisible characters (see [`is_unseen`]) and for bytes
/// that are not UTF-8: `\x1b`, `\u{202e}`, `\xff`. Characters in `kept` are not escaped. The result
/// is UTF-8.
///
/// ```
/// use urlsift_records::write::visible::escape_invisible_bytes;
///
/// assert_eq!(*escape_invisible_bytes(b"\t\x1b[2J \xe2\x80\xae\xff\xc2\x9b", &['\t']), *b"\t\\x1b[2J \\u{202e}\\xff\\u{9b}");
/// ```
pub fn escape_invisible_bytes<'t>(text: &'t [u8], kept: &[char]) -> Cow<'t, [u8]> {
    if is_printable_ascii(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for chunk in text.utf8_chunks() {
        push_escaped(&mut out, chunk.valid(), kept);
        out.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    Cow::Owned(out.into_bytes())
}

/// Returns `text` with all invisible characters replaced by escape sequences, like those of
/// [`escape_invisible_bytes`].
///
/// ```
/// assert_eq!(urlsift_records::write::visible::escape_invisible("a\x1b[2J\u{200b}"), "a\\x1b[2J\\u{200b}");
/// ```
pub fn escape_invisible(text: &str) -> Cow<'_, str> {
    if is_printable_ascii(text.as_bytes()) || !text.chars().any(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    push_escaped(&mut out, text, &[]);
    Cow::Owned(out)
}

/// True if all bytes of `text` are printable ASCII, so that each is displayed unchanged in one
/// column.
///
/// ```
/// use urlsift_records::write::visible::is_printable_ascii;
/// assert!(is_printable_ascii(b"see http://h/~a") && !is_printable_ascii(b"a\tb") && !is_printable_ascii("\u{e9}".as_bytes()));
/// ```
pub fn is_printable_ascii(text: &[u8]) -> bool {
    !any_byte(text, |byte| !(0x20..0x7F).contains(&byte))
}

/// Appends `text`, with escape sequences for all invisible characters except those in `kept`.
fn push_escaped(out: &mut String, text: &str, kept: &[char]) {
    for c in text.chars() {
        if !is_unseen(c) || kept.contains(&c) {
            out.push(c);
        } else if c.is_ascii() {
            let _ = write!(out, "\\x{:02x}", u32::from(c));
        } else {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
    }
}
