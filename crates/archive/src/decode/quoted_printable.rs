//! Quoted-printable (RFC 2045 §6.7), decoded exactly once.

use crate::document::{Decoded, Derived};
use memchr::memchr;

pub(crate) const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// What stands at an `=`.
enum Escape {
    Byte(u8),
    /// A soft break, so many bytes long with its `=`.
    Soft(usize),
    /// Neither: the `=` is taken as it stands.
    Plain,
}

fn escape(rest: &[u8]) -> Escape {
    if let [_, high, low, ..] = rest
        && let (Some(high), Some(low)) = (hex(*high), hex(*low))
    {
        return Escape::Byte(high << 4 | low);
    }
    let blanks = rest.iter().skip(1).take_while(|b| matches!(b, b' ' | b'\t')).count();
    match rest.get(1 + blanks..).unwrap_or_default() {
        [b'\n', ..] => Escape::Soft(blanks + 2),
        [b'\r', b'\n', ..] => Escape::Soft(blanks + 3),
        [] | [b'\r'] => Escape::Soft(rest.len()),
        _ => Escape::Plain,
    }
}

/// Decodes `text`, which starts at `base` of the text that the map leads to. Never fails: what is no escape is copied. Blanks at a line's end stay, because
/// in a `format=flowed` part they mean something.
pub(crate) fn decode(text: &[u8], base: usize) -> Decoded {
    let mut out = Derived::new(text.len(), base);
    // Where the bytes that are copied as they stand begin.
    let mut from = 0;
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| memchr(b'=', rest)) {
        at += next;
        match escape(text.get(at..).unwrap_or_default()) {
            Escape::Byte(byte) => {
                out.copy(text, from, at);
                out.character(&[byte], at, at + 3);
                at += 3;
                from = at;
            }
            Escape::Soft(len) => {
                out.copy(text, from, at);
                at += len;
                from = at;
            }
            Escape::Plain => at += 1,
        }
    }
    out.copy(text, from, text.len());
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::Span;

    #[test]
    fn escapes_and_soft_breaks() {
        for (raw, text) in [
            ("a=3Db", "a=b"),
            ("a=3db", "a=b"),
            ("http://h/=\r\nx", "http://h/x"),
            ("http://h/= \t\nx", "http://h/x"),
            ("caf=C3=A9", "café"),
            ("=ZZ = =3", "=ZZ = =3"),
            ("end=", "end"),
            ("end=\r", "end"),
            ("=3D41", "=41"),
            ("", ""),
        ] {
            assert_eq!(String::from_utf8_lossy(&decode(raw.as_bytes(), 0).text), text, "{raw:?}");
        }
    }

    #[test]
    fn positions_lead_back() {
        let raw = b"see http://h/?a=3Db=\n&c now";
        let Decoded { text, map } = decode(raw, 0);
        assert_eq!(text, b"see http://h/?a=b&c now");
        assert_eq!(map.source(Span::new(4, 19)), Span::new(4, 23));
        assert_eq!(map.source(Span::new(15, 16)), Span::new(15, 18));
    }
}
