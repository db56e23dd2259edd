//! The escapes of roff, as used in manual pages.

use super::unescape::Replacement;
use Replacement::{Char, Nothing};

/// The named special characters that are ASCII or dashes.
const NAMES: [(&[u8], char); 24] = [
    (b"-", '-'),
    (b"Do", '$'),
    (b"aq", '\''),
    (b"at", '@'),
    (b"ba", '|'),
    (b"bs", '\\'),
    (b"cq", '\u{2019}'),
    (b"dq", '"'),
    (b"em", '\u{2014}'),
    (b"en", '\u{2013}'),
    (b"eq", '='),
    (b"ha", '^'),
    (b"hy", '-'),
    (b"lB", '['),
    (b"lq", '\u{201C}'),
    (b"mi", '-'),
    (b"oq", '\u{2018}'),
    (b"pl", '+'),
    (b"rB", ']'),
    (b"rq", '\u{201D}'),
    (b"rs", '\\'),
    (b"sh", '#'),
    (b"sl", '/'),
    (b"ti", '~'),
];

/// Returns the replacement of the roff escape at offset `at`, and its length in bytes, or `None` if
/// there is no known escape.
pub(super) fn parse_roff_escape(text: &[u8], at: usize) -> Option<(Replacement, usize)> {
    let rest = text.get(at + 1..)?;
    let (replacement, len) = match *rest.first()? {
        c @ (b'-' | b'.' | b'\\') => (Char(char::from(c)), 1),
        b'e' => (Char('\\'), 1),
        b' ' | b'~' | b'0' => (Char(' '), 1),
        // Escapes that allow or forbid a line break, and spaces narrower than a normal one.
        b'&' | b'%' | b':' | b'/' | b',' | b'|' | b'^' | b')' => (Nothing, 1),
        b'f' => (Nothing, 1 + parse_name(rest.get(1..)?)?.1),
        b's' => (Nothing, 1 + font_size_len(rest.get(1..)?)?),
        b'(' | b'[' => {
            let (name, len) = parse_name(rest)?;
            (Char(special_character(name)?), len)
        }
        _ => return None,
    };
    Some((replacement, 1 + len))
}

/// Parses the name of a roff font or character at the start of `rest`. The name is one byte, two
/// bytes after a `(`, or any number of bytes in square brackets. Returns the name, and its length
/// in bytes including the `(` or the brackets.
fn parse_name(rest: &[u8]) -> Option<(&[u8], usize)> {
    match rest {
        [b'(', ..] => Some((rest.get(1..3)?, 3)),
        [b'[', name @ ..] => {
            let end = name.iter().take(16).position(|&byte| byte == b']')?;
            Some((name.get(..end)?, end + 2))
        }
        [byte, ..] if byte.is_ascii_alphanumeric() => Some((rest.get(..1)?, 1)),
        _ => None,
    }
}

/// Returns the roff special character called `name`, which may be a code point (`u00E9`). Returns
/// `None` if it is unknown.
fn special_character(name: &[u8]) -> Option<char> {
    if let Some(&(_, c)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(c);
    }
    let digits = name.strip_prefix(b"u").filter(|digits| (4..=6).contains(&digits.len()))?;
    let code = digits.iter().try_fold(0, |code, &b| Some(code * 16 + char::from(b).to_digit(16)?));
    char::from_u32(code?)
}

/// Returns the length in bytes of the font size at the start of `rest`, the text after `\s`: `0`,
/// `-1`, `+10`, `(12`, `[12]`. Returns `None` if there is no size.
fn font_size_len(rest: &[u8]) -> Option<usize> {
    let sign = usize::from(matches!(rest.first()?, b'+' | b'-'));
    let number = rest.get(sign..)?;
    match number {
        [b'(' | b'[', ..] => parse_name(number).map(|(_, len)| sign + len),
        // Only sizes from 10 to 39 have two digits.
        [b'1'..=b'3', second, ..] if sign == 0 && second.is_ascii_digit() => Some(2),
        [digit, ..] if digit.is_ascii_digit() => Some(sign + 1),
        _ => None,
    }
}
