//! Decoding of 7-bit charsets with shift sequences: ISO-2022-JP, -KR, -CN, and HZ.
//!
//! `encoding_rs` decodes ISO-2022-JP like browsers: in the Roman state it converts `~` to `‾`,
//! which breaks URLs. It doesn't support the other charsets. So the text of single-byte states is
//! copied here, and each double-byte character is passed to `encoding_rs` in its 8-bit (EUC) form.

use super::character;
use super::derived::{Decoded, Derived};
use super::layer::Layer;
use encoding_rs::{EUC_JP, EUC_KR, Encoding, GBK};
use memchr::{memchr, memchr_iter, memchr3};

/// A 7-bit charset with shift sequences: ISO-2022-JP, -KR, -CN or HZ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Jp,
    Kr,
    Cn,
    Hz,
}

impl Family {
    pub(crate) const fn layer(self) -> Layer {
        match self {
            Self::Jp => Layer::Iso2022Jp,
            Self::Kr => Layer::Iso2022Kr,
            Self::Cn => Layer::Iso2022Cn,
            Self::Hz => Layer::Hz,
        }
    }
}

/// True if `text` contains a byte that starts shift sequences in the charset `family`. A text
/// without such a byte is scanned in place.
pub(crate) fn contains_shift(text: &[u8], family: Family) -> bool {
    match family {
        Family::Hz => memchr(b'~', text).is_some(),
        _ => memchr3(0x1B, 0x0E, 0x0F, text).is_some(),
    }
}

const ESCAPE: u8 = 0x1B;

/// The start of the escape sequences that select the kanji of ISO-2022-JP, before `@` or `B`.
const KANJI: [u8; 2] = [ESCAPE, b'$'];

/// True if `text` starts with an escape sequence that selects the kanji of ISO-2022-JP.
pub(crate) fn starts_with_kanji_designation(text: &[u8]) -> bool {
    matches!(text.strip_prefix(&KANJI), Some([b'@' | b'B', ..]))
}

/// True if `text` contains an escape sequence that selects the kanji of ISO-2022-JP.
///
/// Every text in UTF-8 is searched, so this only looks for one byte, which is rare.
pub(crate) fn contains_kanji_designation(text: &[u8]) -> bool {
    memchr_iter(ESCAPE, text).any(|at| text.get(at..).is_some_and(starts_with_kanji_designation))
}

/// The character set that the shift sequences have selected.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// ASCII or JIS-Roman. JIS-Roman has `¥` and `‾` in place of `\` and `~`. Its bytes are read as
    /// ASCII, since a URL with `‾` for `~` would be wrong.
    Single,
    /// JIS X 0201 katakana, in seven bits.
    Katakana,
    /// Two bytes per character, in the encoding that supports their 8-bit form. `None` for a set
    /// without such an encoding.
    Double(Option<&'static Encoding>),
    /// JIS X 0212, whose characters have the lead byte 8F in EUC-JP.
    Jis212,
}

/// Parses the escape sequence whose bytes after the ESC are at the start of `after_esc`. Returns
/// the character set that it selects, and its length in bytes without the ESC. Returns `None` if
/// the escape sequence is unknown.
fn parse_designation(after_esc: &[u8]) -> Option<(Designated, usize)> {
    use Designated::{G0, So};
    Some(match after_esc {
        [b'(', b'B' | b'J' | b'H', ..] => (G0(State::Single), 2),
        [b'(', b'I', ..] => (G0(State::Katakana), 2),
        [b'$', b'@' | b'B', ..] => (G0(State::Double(Some(EUC_JP))), 2),
        [b'$', b'A', ..] => (G0(State::Double(Some(GBK))), 2),
        [b'$', b'(', b'D', ..] => (G0(State::Jis212), 3),
        [b'$', b'(', b'C', ..] => (G0(State::Double(Some(EUC_KR))), 3),
        [b'$', b'(', b'@' | b'B', ..] => (G0(State::Double(Some(EUC_JP))), 3),
        [b'$', b'(', _, ..] => (G0(State::Double(None)), 3),
        [b'$', b')', b'C', ..] => (So(State::Double(Some(EUC_KR))), 3),
        [b'$', b')', b'A', ..] => (So(State::Double(Some(GBK))), 3),
        [b'$', b')' | b'*', _, ..] => (So(State::Double(None)), 3),
        _ => return None,
    })
}

/// The character set that an escape sequence selects.
enum Designated {
    /// The set is used from here on.
    G0(State),
    /// The set is used after the next SO.
    So(State),
}

/// The state of a decoder: the result of the shift sequences read so far.
struct Shifts {
    state: State,
    /// The character set that SO selects.
    shifted_to: State,
}

impl Shifts {
    fn new(family: Family) -> Self {
        let encoding = if family == Family::Kr { EUC_KR } else { GBK };
        Self { state: State::Single, shifted_to: State::Double(Some(encoding)) }
    }

    /// Reads the ISO 2022 shift sequence that consists of the byte `first` and the start of `rest`,
    /// and changes the state. Returns its length in bytes, or `None` if it is not a shift sequence.
    fn read_iso2022_shift(&mut self, first: u8, rest: &[u8]) -> Option<usize> {
        match first {
            0x1B => {
                let (designated, len) = parse_designation(rest)?;
                match designated {
                    Designated::G0(next) => self.state = next,
                    Designated::So(next) => self.shifted_to = next,
                }
                Some(1 + len)
            }
            0x0E => {
                self.state = self.shifted_to;
                Some(1)
            }
            0x0F => {
                self.state = State::Single;
                Some(1)
            }
            _ => None,
        }
    }

    /// Reads the HZ shift sequence that consists of the byte `first` and the start of `rest`, and
    /// changes the state. Returns its length in bytes, or `None` if it is not a shift sequence.
    fn read_hz_shift(&mut self, first: u8, rest: &[u8]) -> Option<usize> {
        let is_single = self.state == State::Single;
        match (first, rest.first()?) {
            (b'~', b'{') if is_single => self.state = State::Double(Some(GBK)),
            (b'~', b'}') if !is_single => self.state = State::Single,
            // A tilde before a line break joins the two lines.
            (b'~', b'\n') if is_single => {}
            _ => return None,
        }
        Some(2)
    }
}

/// Decodes a text in the charset `family`, which starts at offset `source_offset` of the map's
/// source. Never fails: an invalid byte is copied. At each line end, the decoder returns to ASCII,
/// as the standards require. So a broken shift sequence doesn't affect the following lines.
pub(crate) fn decode_shifted(text: &[u8], family: Family, source_offset: usize) -> Decoded {
    let mut out = Derived::new(text.len() + text.len() / 2, source_offset);
    let mut shifts = Shifts::new(family);
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let rest = text.get(at + 1..).unwrap_or_default();
        let shift = match family {
            Family::Hz => shifts.read_hz_shift(byte, rest),
            _ => shifts.read_iso2022_shift(byte, rest),
        };
        at += if let Some(len) = shift {
            len
        } else {
            if byte == b'\n' {
                shifts.state = State::Single;
            }
            push_decoded(&mut out, text, at, shifts.state, family)
        };
    }
    out.finish()
}

/// Appends the character at `offset` of `text`, decoded in `state`. In the single-byte state,
/// also copies the bytes after it, up to the next possible shift sequence. Returns the number of
/// bytes read.
fn push_decoded(
    out: &mut Derived,
    text: &[u8],
    offset: usize,
    state: State,
    family: Family,
) -> usize {
    let tail = text.get(offset..).unwrap_or_default();
    let pair = match *tail {
        [first @ 0x21..=0x7E, second @ 0x21..=0x7E, ..] => Some((first | 0x80, second | 0x80)),
        _ => None,
    };
    match (state, pair, tail) {
        (State::Single, _, [b'~', b'~', ..]) if family == Family::Hz => {
            out.push_replacement(b"~", offset, offset + 2);
            2
        }
        (State::Double(Some(encoding)), Some((a, b)), _) => {
            character::push_in_utf8(out, &[a, b], encoding, offset, 2);
            2
        }
        (State::Jis212, Some((a, b)), _) => {
            character::push_in_utf8(out, &[0x8F, a, b], EUC_JP, offset, 2);
            2
        }
        (State::Double(None), Some(_), _) => {
            out.push_replacement("\u{FFFD}".as_bytes(), offset, offset + 2);
            2
        }
        (State::Katakana, _, &[byte @ 0x21..=0x5F, ..]) => {
            character::push_in_utf8(out, &[0x8E, byte | 0x80], EUC_JP, offset, 1);
            1
        }
        (State::Single, ..) => {
            let stop = if family == Family::Hz { b'~' } else { 0x1B };
            let len = memchr3(stop, 0x0E, 0x0F, tail).unwrap_or(tail.len()).max(1);
            out.push_copy(text, offset, offset + len);
            len
        }
        _ => {
            out.push_copy(text, offset, offset + 1);
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::Span;

    fn text(raw: &[u8], family: Family) -> String {
        String::from_utf8_lossy(&decode_shifted(raw, family, 0).text).into_owned()
    }

    #[test]
    fn all_families_are_decoded() {
        assert_eq!(text(b"\x1B$B8+$h\x1B(Bhttp://h/~x", Family::Jp), "見よhttp://h/~x");
        assert_eq!(text(b"\x1B(Jhttp://h/~x\x1B(B", Family::Jp), "http://h/~x");
        assert_eq!(text(b"\x1B(I1\x1B(Bx", Family::Jp), "ｱx");
        assert_eq!(text(b"\x1B$)C\x0E0!\x0Fhttp://h/", Family::Kr), "가http://h/");
        assert_eq!(text(b"\x1B$)A\x0EVP\x0Fhttp://h/", Family::Cn), "中http://h/");
        assert_eq!(text(b"~{VP~}http://h/~~x ~\ny", Family::Hz), "中http://h/~x y");
        assert_eq!(text(b"http://h/~joe", Family::Hz), "http://h/~joe");
    }

    #[test]
    fn a_broken_shift_ends_with_its_line() {
        assert_eq!(text(b"\x1B$B8+\nhttp://h/", Family::Jp), "見\nhttp://h/");
        assert_eq!(text(b"\x1B$B8", Family::Jp), "8");
        assert_eq!(text(b"\x1B", Family::Jp), "\x1B");
    }

    #[test]
    fn ascii_runs_are_exact() {
        let decoded = decode_shifted(b"\x1B$B8+\x1B(B http://h/", Family::Jp, 0);
        let from = decoded.text.len() - 9;
        assert!(decoded.map.is_verbatim(Span::new(from, from + 9)));
        assert_eq!(decoded.map.to_source(Span::new(from, from + 9)), Span::new(9, 18));
    }
}
