//! Blanks (white space characters) and line breaks.
//!
//! Programs that converted old documents put a NO-BREAK SPACE or a ZERO WIDTH SPACE where a line
//! was indented, so the Unicode blanks count among the "spaces, line breaks, tabs, etc." of RFC
//! 1738's Appendix: HT LF VT FF CR SP, U+00A0, U+1680, U+2000–200B, U+2028, U+2029, U+202F, U+205F,
//! U+3000, U+FEFF.

use crate::limits::MAX_LINE;
use urlsift_core::Charset;

/// True if `byte` is one of the six ASCII blanks: HT, LF, VT, FF, CR or a space.
pub(crate) const fn is_ascii_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// Returns the length in bytes of the blank that starts at byte `at`, or 0 if none starts there.
pub(crate) fn blank_len_at(text: &[u8], at: usize, charset: Charset) -> usize {
    let Some(&first) = text.get(at) else { return 0 };
    if first < 0x80 {
        return usize::from(is_ascii_blank(first));
    }
    if charset == Charset::EightBit {
        // NO-BREAK SPACE in every ISO 8859 part and Windows code page that has one.
        return usize::from(first == 0xA0);
    }
    let second = text.get(at + 1).copied().unwrap_or(0);
    let third = text.get(at + 2).copied().unwrap_or(0);
    match (first, second, third) {
        (0xC2, 0xA0, _) => 2,
        (0xE1, 0x9A, 0x80)
        | (0xE2, 0x80, 0x80..=0x8B | 0xA8 | 0xA9 | 0xAF)
        | (0xE2, 0x81, 0x9F)
        | (0xE3, 0x80, 0x80)
        | (0xEF, 0xBB, 0xBF) => 3,
        _ => 0,
    }
}

/// Returns the length in bytes of the blank that ends right before byte `end`, or 0 if none ends
/// there.
pub(crate) fn blank_len_before(text: &[u8], end: usize, charset: Charset) -> usize {
    let Some(&last) = end.checked_sub(1).and_then(|at| text.get(at)) else { return 0 };
    if last < 0x80 {
        return usize::from(is_ascii_blank(last));
    }
    for len in 1..=3 {
        if let Some(start) = end.checked_sub(len)
            && blank_len_at(text, start, charset) == len
        {
            return len;
        }
    }
    0
}

/// Returns the length in bytes of the line break at byte `at`: 2 for CR LF, 1 for LF or a lone CR,
/// 0 for none.
pub(crate) fn line_break_len_at(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b'\n') => 1,
        Some(b'\r') => 1 + usize::from(text.get(at + 1) == Some(&b'\n')),
        _ => 0,
    }
}

/// Returns the offset after the blanks on the same line that start at byte `from`. Text or a line
/// break is at that offset, or the text ends there.
pub(crate) fn skip_blanks_on_line(text: &[u8], from: usize, charset: Charset) -> usize {
    let mut at = from;
    while line_break_len_at(text, at) == 0 {
        match blank_len_at(text, at, charset) {
            0 => break,
            len => at += len,
        }
    }
    at
}

/// Returns the length in bytes of the blank that `bytes` starts with, or 0 if there is none. Only
/// the blanks that indent lines and separate words in mail count: a space, a tab, and a NO-BREAK
/// SPACE in UTF-8.
pub(crate) fn first_blank_len(bytes: &[u8]) -> usize {
    match bytes {
        [b' ' | b'\t', ..] => 1,
        [0xC2, 0xA0, ..] => 2,
        _ => 0,
    }
}

/// Returns the length in bytes of the run of blanks that `bytes` starts with. The same blanks count
/// as for [`first_blank_len`].
pub(crate) fn leading_blanks_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let blank = first_blank_len(bytes.get(at..).unwrap_or_default());
        if blank == 0 {
            return at;
        }
        at += blank;
    }
}

/// Returns the line without the blanks at its end.
pub(crate) fn trim_blanks_at_end(line: &[u8]) -> &[u8] {
    let mut line = line;
    loop {
        line = match line {
            [rest @ .., b' ' | b'\t'] | [rest @ .., 0xC2, 0xA0] => rest,
            _ => return line,
        };
    }
}

/// Returns the start of the line that contains byte `at`, or `None` if it is more than [`MAX_LINE`]
/// bytes before `at`.
pub(crate) fn line_start(text: &[u8], at: usize) -> Option<usize> {
    let at = at.min(text.len());
    let from = at.saturating_sub(MAX_LINE);
    match memchr::memrchr2(b'\n', b'\r', &text[from..at]) {
        Some(found) => Some(from + found + 1),
        None if from == 0 => Some(0),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_has_the_same_length_from_both_sides() {
        for c in ['\t', ' ', '\u{a0}', '\u{1680}', '\u{2000}', '\u{200b}', '\u{2028}', '\u{feff}'] {
            let text = format!("x{c}y");
            let len = c.len_utf8();
            assert_eq!(blank_len_at(text.as_bytes(), 1, Charset::Utf8), len, "{c:?}");
            assert_eq!(blank_len_before(text.as_bytes(), 1 + len, Charset::Utf8), len, "{c:?}");
        }
        for c in ['\u{200c}', '\u{3001}', '\u{e9}', '\u{2010}'] {
            assert_eq!(blank_len_at(c.to_string().as_bytes(), 0, Charset::Utf8), 0, "{c:?}");
        }
        assert_eq!(blank_len_at(b"\xA0", 0, Charset::EightBit), 1);
        assert_eq!(blank_len_at(b"\xA0", 0, Charset::Utf8), 0);
    }
}
