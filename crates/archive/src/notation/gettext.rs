//! The strings of gettext catalogs (`.po`, `.pot`). They have the escapes of C, and adjacent
//! strings are one string:
//!
//! ```text
//! msgid ""
//! "See https://host.dom/docs/"
//! "start.html\n"
//! ```

use super::unescape::Replacement;
use memchr::memchr2;

/// Returns the offset of the first byte in `text` that may start an escape or the boundary between
/// two strings, or `None` if there is none.
pub(super) fn next_escape_start(text: &[u8]) -> Option<usize> {
    memchr2(b'\\', b'"', text)
}

/// Returns the replacement of the escape or boundary between adjacent strings at offset `at`, and
/// the length in bytes of what is replaced. Returns `None` if there is neither.
///
/// Numeric escapes are not decoded, because the gettext tools never write them.
pub(super) fn parse_gettext_escape(text: &[u8], at: usize) -> Option<(Replacement, usize)> {
    let rest = text.get(at..)?;
    let c = match rest {
        [b'"', after @ ..] => {
            return border_len(after).map(|len| (Replacement::Nothing, 1 + len));
        }
        [_, c @ (b'"' | b'\\'), ..] => char::from(*c),
        [_, b'a', ..] => '\u{7}',
        [_, b'b', ..] => '\u{8}',
        [_, b'f', ..] => '\u{c}',
        [_, b'n', ..] => '\n',
        [_, b'r', ..] => '\r',
        [_, b't', ..] => '\t',
        [_, b'v', ..] => '\u{b}',
        _ => return None,
    };
    Some((Replacement::Char(c), 2))
}

/// Returns the length in bytes of the boundary between two strings, without the closing quote of
/// the first one. `after_quote` is the text after this quote. The second string may be in a
/// comment: `#~` marks obsolete messages, and `#|` previous versions of a message.
/// Returns `None` if no string follows on the next line.
fn border_len(after_quote: &[u8]) -> Option<usize> {
    let line = skip_blanks(after_quote);
    let line = line.strip_prefix(b"\r").unwrap_or(line).strip_prefix(b"\n")?;
    let line = skip_blanks(line);
    let marks = [&b"#~|"[..], b"#~", b"#|"];
    let line = marks.iter().find_map(|mark| line.strip_prefix(*mark)).unwrap_or(line);
    let line = skip_blanks(line);
    let inside = line.strip_prefix(b"\"")?;
    Some(after_quote.len() - inside.len())
}

/// Returns `text` without the blanks at its start.
fn skip_blanks(text: &[u8]) -> &[u8] {
    let len = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &text[len..]
}
