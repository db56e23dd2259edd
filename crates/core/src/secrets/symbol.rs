//! Decodes one character of a URL in any of its spellings: literal (`:`), percent-encoded (`%3A`),
//! as an HTML character reference (`&#58;`), as a string escape (`\u003a`), or fullwidth (`：`).

use crate::escape::parse_hex_octet;

/// The number of distinct percent-encoding levels (`:` is 0, `%3A` 1, `%253A` 2). Deeper levels
/// count as the last.
pub(super) const LEVELS: usize = 4;

/// An ASCII character of the text, which may be spelled in another way, e.g. `%3A` for a colon.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) byte: u8,
    /// The number of times the character is percent-encoded, less than [`LEVELS`].
    pub(super) level: usize,
    /// The offset after the character's last byte.
    pub(super) end: usize,
}

impl Symbol {
    /// Decodes the character that starts at byte `at`, in any spelling. Returns `None` at the end
    /// of the text.
    pub(super) fn decode_at(text: &[u8], at: usize) -> Option<Self> {
        let byte = *text.get(at)?;
        let written = match byte {
            b'%' => Self::decode_percent_escape(text, at),
            b'&' => Self::decode_character_reference(text, at),
            b'\\' => Self::decode_string_escape(text, at),
            0xEF => Self::decode_fullwidth(text, at),
            _ => None,
        };
        Some(written.unwrap_or(Self { byte, level: 0, end: at + 1 }))
    }

    /// Decodes a percent-escape at byte `at`, which may be encoded repeatedly: `%3A`, `%253A`,
    /// `%25253A`. Returns `None` if there is none.
    fn decode_percent_escape(text: &[u8], at: usize) -> Option<Self> {
        let hex = |at: usize| parse_hex_octet(*text.get(at)?, *text.get(at + 1)?);
        let (mut at, mut level) = (at + 1, 1);
        let mut byte = hex(at)?;
        while byte == b'%'
            && let Some(inner) = hex(at + 2)
        {
            (byte, at, level) = (inner, at + 2, level + 1);
        }
        Some(Self { byte, level: level.min(LEVELS - 1), end: at + 2 })
    }

    /// Decodes an HTML character reference at byte `at`: `&colon;`, `&#58;`, `&#x3a;`. Returns
    /// `None` if there is none.
    fn decode_character_reference(text: &[u8], at: usize) -> Option<Self> {
        let rest = &text[at + 1..text.len().min(at + 12)];
        for (name, byte) in NAMED {
            if rest.starts_with(name.as_bytes()) {
                return Some(Self { byte, level: 0, end: at + 1 + name.len() });
            }
        }
        let digits = rest.strip_prefix(b"#")?;
        let (radix, digits, sign) = match digits {
            [b'x' | b'X', digits @ ..] => (16, digits, 2),
            _ => (10, digits, 1),
        };
        let len = digits.iter().take_while(|byte| (**byte as char).is_digit(radix)).count();
        let number = core::str::from_utf8(&digits[..len]).ok()?;
        let byte = u8::from_str_radix(number, radix).ok().filter(u8::is_ascii)?;
        let end = at + 1 + sign + len;
        Some(Self { byte, level: 0, end: end + usize::from(text.get(end) == Some(&b';')) })
    }

    /// Decodes a string escape at byte `at`, as in JSON and source code: `\u003a`, `\x3A`. Returns
    /// `None` if there is none.
    fn decode_string_escape(text: &[u8], at: usize) -> Option<Self> {
        let (zeros, digits) = match text.get(at + 1)? {
            b'u' => (text.get(at + 2..at + 4)?, at + 4),
            b'x' => (&b"00"[..], at + 2),
            _ => return None,
        };
        let byte =
            parse_hex_octet(*text.get(digits)?, *text.get(digits + 1)?).filter(u8::is_ascii)?;
        (zeros == b"00").then_some(Self { byte, level: 0, end: digits + 2 })
    }

    /// Decodes the fullwidth or small form of a delimiter at byte `at` (`：`, `＠`), which some
    /// clients treat like the ASCII character. Returns `None` if there is none.
    fn decode_fullwidth(text: &[u8], at: usize) -> Option<Self> {
        let byte = match text.get(at + 1..at + 3)? {
            [0xBC, 0x8F] => b'/',
            [0xBC, 0x9A] | [0xB9, 0x95] => b':',
            [0xBC, 0xA0] | [0xB9, 0xAB] => b'@',
            _ => return None,
        };
        Some(Self { byte, level: 0, end: at + 3 })
    }

    /// True for a slash or backslash.
    pub(super) fn is_slash(self) -> bool {
        matches!(self.byte, b'/' | b'\\')
    }
}

/// The HTML names of delimiters.
const NAMED: [(&str, u8); 4] =
    [("colon;", b':'), ("commat;", b'@'), ("sol;", b'/'), ("bsol;", b'\\')];
