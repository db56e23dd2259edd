//! A character of a URL, however it is written: itself, percent-encoded, as a character reference, as an escape of a
//! string, or in its wide form.

/// The number of levels of repeated percent-encoding that are distinguished for a delimiter.
pub(super) const LEVELS: usize = 4;

/// A character of ASCII, however it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) byte: u8,
    /// The number of times it is percent-encoded.
    pub(super) level: usize,
    /// The start of the next symbol.
    pub(super) end: usize,
}

impl Symbol {
    /// Returns the symbol at `at`.
    pub(super) fn at(text: &[u8], at: usize) -> Option<Self> {
        let byte = *text.get(at)?;
        let written = match byte {
            b'%' => Self::escaped(text, at),
            b'&' => Self::referred(text, at),
            b'\\' => Self::of_string(text, at),
            0xEF => Self::wide(text, at),
            _ => None,
        };
        Some(written.unwrap_or(Self { byte, level: 0, end: at + 1 }))
    }

    /// `%3A`, `%253A`, `%25253A`.
    fn escaped(text: &[u8], at: usize) -> Option<Self> {
        let hex = |at: usize| {
            let digits = core::str::from_utf8(text.get(at..at + 2)?).ok()?;
            u8::from_str_radix(digits, 16).ok()
        };
        let (mut at, mut level) = (at + 1, 1);
        let mut byte = hex(at)?;
        while byte == b'%'
            && let Some(inner) = hex(at + 2)
        {
            (byte, at, level) = (inner, at + 2, level + 1);
        }
        Some(Self { byte, level: level.min(LEVELS - 1), end: at + 2 })
    }

    /// `&colon;`, `&#58;`, `&#x3a;`.
    fn referred(text: &[u8], at: usize) -> Option<Self> {
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

    /// `\u003a`, `\x3A`: as JSON and programs write it in strings.
    fn of_string(text: &[u8], at: usize) -> Option<Self> {
        let (zeros, digits) = match text.get(at + 1)? {
            b'u' => (text.get(at + 2..at + 4)?, at + 4),
            b'x' => (&b"00"[..], at + 2),
            _ => return None,
        };
        let hex = core::str::from_utf8(text.get(digits..digits + 2)?).ok()?;
        let byte = u8::from_str_radix(hex, 16).ok().filter(u8::is_ascii)?;
        (zeros == b"00").then_some(Self { byte, level: 0, end: digits + 2 })
    }

    /// `：`, `＠`: the wide forms, and the small ones, that Unicode has of delimiters. Some clients read them as these.
    fn wide(text: &[u8], at: usize) -> Option<Self> {
        let byte = match text.get(at + 1..at + 3)? {
            [0xBC, 0x8F] => b'/',
            [0xBC, 0x9A] | [0xB9, 0x95] => b':',
            [0xBC, 0xA0] | [0xB9, 0xAB] => b'@',
            _ => return None,
        };
        Some(Self { byte, level: 0, end: at + 3 })
    }

    pub(super) fn is_slash(self) -> bool {
        matches!(self.byte, b'/' | b'\\')
    }
}

/// The delimiters that HTML has names for.
const NAMED: [(&str, u8); 4] =
    [("colon;", b':'), ("commat;", b'@'), ("sol;", b'/'), ("bsol;", b'\\')];
