//! The escapes in JSON strings (RFC 8259 §7). There are no other backslashes in JSON.

use super::unescape::Replacement;

/// Returns the replacement of the JSON escape at offset `at`, and its length in bytes, or `None` if
/// there is no escape. A lone surrogate becomes U+FFFD.
pub(super) fn parse_json_escape(text: &[u8], at: usize) -> Option<(Replacement, usize)> {
    let c = match *text.get(at + 1)? {
        c @ (b'"' | b'\\' | b'/') => char::from(c),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let (c, len) = parse_code_unit(text, at).map(|high| {
                match (high, parse_code_unit(text, at + 6)) {
                    (0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) => {
                        (char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)), 12)
                    }
                    _ => (char::from_u32(high), 6),
                }
            })?;
            return Some((Replacement::Char(c.unwrap_or(char::REPLACEMENT_CHARACTER)), len));
        }
        _ => return None,
    };
    Some((Replacement::Char(c), 2))
}

/// Returns the UTF-16 code unit that the escape `\uXXXX` at offset `at` encodes, or `None` if there
/// is no such escape.
fn parse_code_unit(text: &[u8], at: usize) -> Option<u32> {
    let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |code, &digit| Some(code * 16 + char::from(digit).to_digit(16)?))
}
