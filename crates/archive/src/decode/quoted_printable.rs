//! Quoted-printable (RFC 2045 §6.7), decoded exactly once.

use super::derived::{Decoded, Derived};
use memchr::memchr;

/// The value of every hexadecimal digit, and what is none.
const DIGITS: [u16; 256] = {
    let mut table = [0x100; 256];
    let mut digit: u16 = 0;
    while digit < 16 {
        table[b"0123456789ABCDEF"[digit as usize] as usize] = digit;
        table[b"0123456789abcdef"[digit as usize] as usize] = digit;
        digit += 1;
    }
    table
};

/// The byte that two digits stand for; above FF if one is none.
#[inline]
fn byte(high: u8, low: u8) -> u16 {
    DIGITS[usize::from(high)] << 4 | DIGITS[usize::from(low)]
}

impl Derived {
    /// Appends the bytes of all the escapes in a row that `escapes`, at `at` in the source, starts
    /// with, and says how many bytes these take. Text in another script is nothing but such rows.
    fn escapes(&mut self, escapes: &[u8], at: usize) -> usize {
        let start = self.text.len();
        for escape in escapes.as_chunks::<3>().0 {
            let [b'=', high, low] = *escape else { break };
            let Ok(byte) = u8::try_from(byte(high, low)) else { break };
            self.text.push(byte);
        }
        let len = self.text.len() - start;
        self.groups(at, at + 3 * len, 3, len, 1);
        3 * len
    }
}

/// What stands at an `=`.
enum Escape {
    Byte,
    /// A soft break, so many bytes long with its `=`.
    Soft(usize),
    /// Neither: the `=` is taken as it stands.
    Plain,
}

fn escape(rest: &[u8]) -> Escape {
    if let [_, high, low, ..] = *rest
        && byte(high, low) <= 0xFF
    {
        return Escape::Byte;
    }
    let blanks = rest.iter().skip(1).take_while(|b| matches!(b, b' ' | b'\t')).count();
    match rest.get(1 + blanks..).unwrap_or_default() {
        [b'\n', ..] => Escape::Soft(blanks + 2),
        [b'\r', b'\n', ..] => Escape::Soft(blanks + 3),
        [] | [b'\r'] => Escape::Soft(rest.len()),
        _ => Escape::Plain,
    }
}

/// Decodes `text`, which starts at `base` of the text that the map leads to, into the memory of an
/// old text. Never fails: what is no escape is copied. Blanks at a line's end stay, because in a
/// `format=flowed` part they mean something.
pub(crate) fn decode(text: &[u8], base: usize, memory: Vec<u8>) -> Decoded {
    let mut out = Derived::within(memory, base);
    out.text.reserve(text.len());
    // Where the bytes that are copied as they stand begin.
    let mut from = 0;
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| memchr(b'=', rest)) {
        at += next;
        match escape(text.get(at..).unwrap_or_default()) {
            Escape::Byte => {
                out.copy(text, from, at);
                at += out.escapes(text.get(at..).unwrap_or_default(), at);
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
            assert_eq!(
                String::from_utf8_lossy(&decode(raw.as_bytes(), 0, Vec::new()).text),
                text,
                "{raw:?}"
            );
        }
    }

    #[test]
    fn positions_lead_back() {
        let raw = b"see http://h/?a=3Db=\n&c now";
        let Decoded { text, map } = decode(raw, 0, Vec::new());
        assert_eq!(text, b"see http://h/?a=b&c now");
        assert_eq!(map.source(Span::new(4, 19)), Span::new(4, 23));
        assert_eq!(map.source(Span::new(15, 16)), Span::new(15, 18));
    }
}
