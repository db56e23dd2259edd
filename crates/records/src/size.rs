//! Parses and prints sizes such as `64M`.

use std::fmt;
use std::str::FromStr;
use urlsift_archive::unpack::Expansion;

/// A number of bytes, as the value of an option, e.g. `64M`.
///
/// It is parsed from digits and an optional K, M, G or T (in either case) for powers of 1024.
/// Parsing fails with a message if the syntax is different or the number exceeds `i64::MAX`.
///
/// ```
/// use urlsift_records::Size;
/// assert_eq!("64M".parse(), Ok(Size(64 << 20)));
/// assert_eq!(Size(64 << 20).to_string(), "64M");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a size; write digits and K, M, G or T, e.g. 64M");
        let (digits, shift) = match text.as_bytes().last() {
            Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
            Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
            Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
            Some(b'T' | b't') => (&text[..text.len() - 1], 40),
            _ => (text, 0),
        };
        let number: u64 = digits.parse().map_err(|_| wrong())?;
        number
            .checked_mul(1 << shift)
            .filter(|&n| i64::try_from(n).is_ok())
            .map(Self)
            .ok_or_else(wrong)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(40, "T"), (30, "G"), (20, "M"), (10, "K")];
        for (shift, name) in units {
            if self.0 != 0 && self.0.is_multiple_of(1 << shift) {
                return write!(f, "{}{name}", self.0 >> shift);
            }
        }
        write!(f, "{}", self.0)
    }
}

/// Parses a limit on the decompressed size: a size such as `4G`, a ratio such as `100x`, or `none`.
///
/// # Errors
///
/// Fails if `text` is none of these. The message says what is wrong or which syntax is expected.
pub(crate) fn parse_expansion(text: &str) -> Result<Expansion, String> {
    if text == "none" {
        return Ok(Expansion::Unlimited);
    }
    if let Some(times) = text.strip_suffix('x') {
        return times.parse().map(Expansion::Times).map_err(|_| {
            format!("`{text}` is not a ratio; write a whole number and x, e.g. 100x")
        });
    }
    text.parse().map(|Size(bytes)| Expansion::Bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::{Expansion, Size, parse_expansion};

    #[test]
    fn sizes() {
        assert_eq!("64M".parse(), Ok(Size(64 << 20)));
        assert_eq!("12".parse(), Ok(Size(12)));
        assert_eq!(Size(3 << 30).to_string(), "3G");
        for wrong in ["", "M", "1.5G", "-1", "16777216T", "4 M"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn expansions() {
        assert_eq!(parse_expansion("100x"), Ok(Expansion::Times(100)));
        assert_eq!(parse_expansion("1G"), Ok(Expansion::Bytes(1 << 30)));
        assert_eq!(parse_expansion("none"), Ok(Expansion::Unlimited));
        assert!(parse_expansion("x").is_err());
    }
}
