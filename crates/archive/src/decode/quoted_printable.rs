//! Decodes quoted-printable (RFC 2045 §6.7), once: the result of an escape is not decoded again.

use super::derived::{Decoded, Derived};
use memchr::memchr;

/// The value of each hexadecimal digit; 0x100 for other bytes.
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

/// Returns the byte that the hexadecimal digits `high` and `low` denote, or a value above 0xFF if
/// one of them isn't a digit.
#[inline]
fn hex_byte_value(high: u8, low: u8) -> u16 {
    DIGITS[usize::from(high)] << 4 | DIGITS[usize::from(low)]
}

/// The bytes that quoted-printable escapes may encode, which depend on the charset of the text. Any
/// other escape is copied, because the text was probably not encoded although its label says so: in
/// `?id=dcx007`, `=dc` is not an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// Any byte, because UTF-16 contains all of them.
    AnyByte,
    /// Any byte except control characters. TAB, LF, FF and CR are allowed, and ESC, SO and SI,
    /// which start shift sequences.
    Shifting,
    /// Any byte except control characters. TAB, LF, FF and CR are allowed.
    EightBit,
    /// Like `EightBit` for escapes with upper-case digits, as encoders write them, and like `Ascii`
    /// for others. For texts without a charset label: by RFC 2045 §5.2 they are US-ASCII, but
    /// encoded ones seldom are.
    Unlabelled,
    /// US-ASCII except control characters. TAB, LF, FF and CR are allowed.
    Ascii,
}

impl Escapes {
    /// Returns the byte that `=` with the hexadecimal digits `high` and `low` encodes, or `None` if
    /// it is malformed or not allowed.
    #[inline]
    fn decode_escape(self, high: u8, low: u8) -> Option<u8> {
        let byte = u8::try_from(hex_byte_value(high, low)).ok()?;
        (matches!(byte, b' '..=b'~') || self.allows_byte(byte, [high, low])).then_some(byte)
    }

    /// True if an escape with these digits may encode `byte`. `byte` must not be a printable
    /// US-ASCII character.
    fn allows_byte(self, byte: u8, digits: [u8; 2]) -> bool {
        match (byte, self) {
            (b'\t' | b'\n' | 0x0C | b'\r', _) | (_, Self::AnyByte) => true,
            (0x0E | 0x0F | 0x1B, _) => self == Self::Shifting,
            (0..0x80, _) | (_, Self::Ascii) => false,
            (_, Self::Unlabelled) => !digits.iter().any(u8::is_ascii_lowercase),
            _ => true,
        }
    }
}

impl Derived {
    /// Decodes the run of allowed escapes at the start of `text`, and appends their bytes. `text`
    /// is at offset `source_offset` of the source. Returns the number of bytes read. Texts in other
    /// scripts than Latin consist of such runs.
    fn push_decoded_escapes(
        &mut self,
        text: &[u8],
        source_offset: usize,
        escapes: Escapes,
    ) -> usize {
        let start = self.text.len();
        for escape in text.as_chunks::<3>().0 {
            let [b'=', high, low] = *escape else { break };
            let Some(byte) = escapes.decode_escape(high, low) else { break };
            self.text.push(byte);
        }
        let len = self.text.len() - start;
        self.map_groups(source_offset, source_offset + 3 * len, 3, len, 1);
        3 * len
    }
}

/// The meaning of an `=` in a text.
enum Escape {
    /// An escape for a byte.
    Byte,
    /// A soft break, with its length in bytes including the `=`.
    Soft(usize),
    /// Neither. The `=` is copied.
    Plain,
}

/// Returns the meaning of the `=` at the start of `rest`: an escape, a soft line break or neither.
fn classify_equals_sign(rest: &[u8], escapes: Escapes) -> Escape {
    if let [_, high, low, ..] = *rest
        && escapes.decode_escape(high, low).is_some()
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

/// Decodes quoted-printable. `text` starts at offset `source_offset` of the map's source. Reuses
/// `buffer` for the result. Never fails: a sequence that is malformed, or that `escapes` doesn't
/// allow, is copied. Trailing spaces are kept, because they are significant in `format=flowed`
/// parts.
pub(crate) fn decode_quoted_printable(
    text: &[u8],
    source_offset: usize,
    escapes: Escapes,
    buffer: Vec<u8>,
) -> Decoded {
    let mut out = Derived::reusing_buffer(buffer, source_offset);
    out.text.reserve(text.len());
    // The start of the bytes that were read but not copied yet.
    let mut from = 0;
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| memchr(b'=', rest)) {
        at += next;
        match classify_equals_sign(text.get(at..).unwrap_or_default(), escapes) {
            Escape::Byte => {
                out.push_copy(text, from, at);
                at += out.push_decoded_escapes(text.get(at..).unwrap_or_default(), at, escapes);
                from = at;
            }
            Escape::Soft(len) => {
                out.push_copy(text, from, at);
                at += len;
                from = at;
            }
            Escape::Plain => at += 1,
        }
    }
    out.push_copy(text, from, text.len());
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::Span;

    #[test]
    fn escapes_and_soft_breaks_are_decoded() {
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
                String::from_utf8_lossy(
                    &decode_quoted_printable(raw.as_bytes(), 0, Escapes::EightBit, Vec::new()).text
                ),
                text,
                "{raw:?}"
            );
        }
    }

    #[test]
    fn disallowed_escapes_are_copied() {
        use Escapes::{AnyByte, Ascii, EightBit, Shifting, Unlabelled};
        for (raw, decoded_in) in [
            ("?id=dcx", &[AnyByte, Shifting, EightBit][..]),
            ("?id=D6x", &[AnyByte, Shifting, EightBit, Unlabelled]),
            ("?id=1Bx", &[AnyByte, Shifting]),
            ("?id=0Ex", &[AnyByte, Shifting]),
            ("?id=01x", &[AnyByte]),
            ("?id=7fx", &[AnyByte]),
            ("?id=0cx", &[AnyByte, Shifting, EightBit, Unlabelled, Ascii]),
            ("?id=41x", &[AnyByte, Shifting, EightBit, Unlabelled, Ascii]),
        ] {
            for escapes in [AnyByte, Shifting, EightBit, Unlabelled, Ascii] {
                let Decoded { text, map } =
                    decode_quoted_printable(raw.as_bytes(), 0, escapes, Vec::new());
                let stays = !decoded_in.contains(&escapes);
                assert_eq!(text == raw.as_bytes(), stays, "{raw} in {escapes:?}");
                assert_eq!(map.is_verbatim(Span::new(0, text.len())), stays);
            }
        }
        // A run of escapes ends before an invalid one.
        let Decoded { text, map } =
            decode_quoted_printable(b"=C3=A9=01=3D", 0, EightBit, Vec::new());
        assert_eq!(text, b"\xC3\xA9=01=");
        assert_eq!(map.to_source(Span::new(2, 5)), Span::new(6, 9));
    }

    #[test]
    fn spans_map_to_the_source() {
        let raw = b"see http://h/?a=3Db=\n&c now";
        let Decoded { text, map } = decode_quoted_printable(raw, 0, Escapes::EightBit, Vec::new());
        assert_eq!(text, b"see http://h/?a=b&c now");
        assert_eq!(map.to_source(Span::new(4, 19)), Span::new(4, 23));
        assert_eq!(map.to_source(Span::new(15, 16)), Span::new(15, 18));
    }
}
