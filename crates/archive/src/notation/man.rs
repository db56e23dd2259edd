//! The escapes of roff, as manual pages have them.

use super::undo::Stands;
use Stands::{For, ForNothing};

/// Special characters by name: those of US-ASCII, and dashes.
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

/// The escape at byte `at`.
pub(super) fn escape(text: &[u8], at: usize) -> Option<(Stands, usize)> {
    let rest = text.get(at + 1..)?;
    let (stands, len) = match *rest.first()? {
        c @ (b'-' | b'.' | b'\\') => (For(char::from(c)), 1),
        b'e' => (For('\\'), 1),
        b' ' | b'~' | b'0' => (For(' '), 1),
        // Where a line may break or may not, and room that is thinner than a blank.
        b'&' | b'%' | b':' | b'/' | b',' | b'|' | b'^' | b')' => (ForNothing, 1),
        b'f' => (ForNothing, 1 + name(rest.get(1..)?)?.1),
        b's' => (ForNothing, 1 + size(rest.get(1..)?)?),
        b'(' | b'[' => {
            let (name, len) = name(rest)?;
            (For(character(name)?), len)
        }
        _ => return None,
    };
    Some((stands, 1 + len))
}

/// A name of one byte, of two behind a `(`, or of any number in brackets; and its length with these.
fn name(rest: &[u8]) -> Option<(&[u8], usize)> {
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

fn character(name: &[u8]) -> Option<char> {
    if let Some(&(_, c)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(c);
    }
    let digits = name.strip_prefix(b"u").filter(|digits| (4..=6).contains(&digits.len()))?;
    let code = digits.iter().try_fold(0, |code, &b| Some(code * 16 + char::from(b).to_digit(16)?));
    char::from_u32(code?)
}

/// The length of a change of size: `0`, `-1`, `+10`, `(12`, `[12]`.
fn size(rest: &[u8]) -> Option<usize> {
    let sign = usize::from(matches!(rest.first()?, b'+' | b'-'));
    let number = rest.get(sign..)?;
    match number {
        [b'(' | b'[', ..] => name(number).map(|(_, len)| sign + len),
        // Only sizes from 10 to 39 have two digits.
        [b'1'..=b'3', second, ..] if sign == 0 && second.is_ascii_digit() => Some(2),
        [digit, ..] if digit.is_ascii_digit() => Some(sign + 1),
        _ => None,
    }
}
