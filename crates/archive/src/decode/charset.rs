//! Charsets: decides which of them can be scanned in place, and decodes the others to UTF-8.
//!
//! Most URLs are US-ASCII. A text in UTF-8 is scanned in place. Two kinds of charset are decoded. In
//! the first, ASCII bytes may have another meaning (UTF-16, UTF-7, ISO-2022, HZ). The second has
//! several bytes per character (`Shift_JIS`, EUC-JP, GBK, Big5, UHC). In most of these, the second
//! byte of a character may look like ASCII, so that a URL's first letter could be part of the
//! character before it. A charset of one byte per character (ISO 8859, windows-125x, KOI8) is
//! decoded if a URL in the text contains a letter outside US-ASCII. ASCII runs are copied, so that
//! the spans of URLs in them are exact; only the characters in between are converted.

use super::derived::{Decoded, Derived};
use super::layer::Layer;
use super::quoted_printable::Escapes;
use super::{character, iso2022, utf7};
use crate::head::Head;
use crate::lower_case::in_lower_case;
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS};
use memchr::{memchr, memchr2, memmem};
use urlsift_core::Charset;

/// The conversion that a text needs before it can be scanned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Coding {
    /// None: the text is scanned in place.
    InPlace(Charset),
    /// UTF-16. True if big-endian; `None` if the label doesn't define the byte order.
    Utf16(Option<bool>),
    /// UTF-7.
    Utf7,
    /// A charset of the ISO-2022 family, or HZ.
    Shifted(iso2022::Family),
    /// One byte per character. The text is scanned in place, unless a letter above 7F is in a URL.
    SingleByte(&'static Encoding),
    /// One or two bytes per character; up to three in EUC-JP, and up to four in GB18030. Except in
    /// EUC-JP, the second byte may be ASCII.
    DoubleByte(&'static Encoding, Layer),
}

impl Coding {
    /// Returns the escapes that are valid in a quoted-printable text with this coding.
    pub(crate) const fn quoted_printable_escapes(self) -> Escapes {
        match self {
            Self::Utf16(_) => Escapes::AnyByte,
            Self::Shifted(_) => Escapes::Shifting,
            _ => Escapes::EightBit,
        }
    }
}

/// Returns the conversion that texts with the charset label `label` need. The case of the label is
/// ignored. Texts with an unknown label are scanned in place.
pub(crate) fn coding_of_label(label: &[u8]) -> Coding {
    // The most frequent labels.
    if label.is_empty()
        || label.eq_ignore_ascii_case(b"utf-8")
        || label.eq_ignore_ascii_case(b"us-ascii")
    {
        return Coding::InPlace(Charset::Utf8);
    }
    match in_lower_case(label.trim_ascii(), &mut [0; 24]) {
        b"utf8" | b"ascii" | b"unknown-8bit" => Coding::InPlace(Charset::Utf8),
        b"utf-16" | b"utf16" | b"ucs-2" | b"iso-10646-ucs-2" | b"unicode" => Coding::Utf16(None),
        b"utf-16be" => Coding::Utf16(Some(true)),
        b"utf-16le" => Coding::Utf16(Some(false)),
        b"utf-7" | b"unicode-1-1-utf-7" | b"x-unicode-2-0-utf-7" => Coding::Utf7,
        b"hz-gb-2312" | b"hz" => Coding::Shifted(iso2022::Family::Hz),
        name if name.starts_with(b"iso-2022-") => Coding::Shifted(match name.get(9..) {
            Some(b"kr") => iso2022::Family::Kr,
            Some([b'c', b'n', ..]) => iso2022::Family::Cn,
            _ => iso2022::Family::Jp,
        }),
        b"csiso2022jp" | b"iso2022jp" => Coding::Shifted(iso2022::Family::Jp),
        name => match Encoding::for_label(name) {
            Some(e) if e == SHIFT_JIS => Coding::DoubleByte(SHIFT_JIS, Layer::ShiftJis),
            Some(e) if e == EUC_JP => Coding::DoubleByte(EUC_JP, Layer::EucJp),
            Some(e) if e == BIG5 => Coding::DoubleByte(BIG5, Layer::Big5),
            Some(e) if e == EUC_KR => Coding::DoubleByte(EUC_KR, Layer::EucKr),
            Some(e) if e == encoding_rs::GBK || e == GB18030 => {
                Coding::DoubleByte(GB18030, Layer::Gb18030)
            }
            Some(e) if e == encoding_rs::UTF_8 => Coding::InPlace(Charset::Utf8),
            Some(e) if e.is_single_byte() => Coding::SingleByte(e),
            Some(_) => Coding::InPlace(Charset::EightBit),
            None => Coding::InPlace(Charset::Utf8),
        },
    }
}

/// Returns the coding of a text whose label declares `coding`. If `coding` is UTF-8, as it is for
/// a missing or unknown label, and the text contains an escape sequence that selects kanji, returns
/// ISO-2022-JP: UTF-8 text doesn't contain that sequence.
///
/// This searches the whole text. Call it only for markup and encoded words, where bytes of kanji
/// look like delimiters. Plain text doesn't need it: if the sequence touches a URL, the URL is read
/// again in a guessed charset.
#[inline]
pub(crate) fn coding_of_text(text: &[u8], coding: Coding) -> Coding {
    match coding {
        Coding::InPlace(Charset::Utf8) if iso2022::contains_kanji_designation(text) => {
            Coding::Shifted(iso2022::Family::Jp)
        }
        _ => coding,
    }
}

/// Converts a text to UTF-8 if its coding requires it. Returns the text and the layer that was
/// decoded.
///
/// # Errors
///
/// If the text can be scanned without conversion, returns the charset with which the scanner reads
/// it. Also returns that charset if the text is obviously not in the charset that its label
/// declares.
#[inline]
pub(crate) fn decode_charset(
    text: &[u8],
    coding: Coding,
    source_offset: usize,
) -> Result<(Decoded, Layer), Charset> {
    match coding {
        Coding::InPlace(charset) => Err(charset),
        Coding::SingleByte(encoding) if !may_have_non_ascii_letter_in_url(text, encoding) => {
            Err(Charset::EightBit)
        }
        // Valid UTF-8 is almost never anything else, even if its label says so.
        Coding::SingleByte(_) if Encoding::utf8_valid_up_to(text) == text.len() => {
            Err(Charset::Utf8)
        }
        Coding::SingleByte(encoding) => {
            Ok((decode_char_by_char(text, encoding, source_offset), Layer::SingleByte))
        }
        Coding::Utf16(order) => {
            // Text without a NUL is not UTF-16, even if its label says so.
            let mark = utf16_mark_is_big_endian(text);
            if mark.is_none() && memchr(0, text).is_none() {
                return Err(Charset::Utf8);
            }
            let big = mark.or(order).unwrap_or_else(|| looks_like_big_endian_utf16(text));
            Ok((decode_utf16(text, big, source_offset), Layer::Utf16))
        }
        Coding::Utf7 if memchr(b'+', text).is_some() => {
            Ok((utf7::decode_utf7(text, source_offset), Layer::Utf7))
        }
        Coding::Shifted(family) if iso2022::contains_shift(text, family) => {
            Ok((iso2022::decode_shifted(text, family, source_offset), family.layer()))
        }
        Coding::DoubleByte(encoding, layer) if !text.is_ascii() => {
            Ok((decode_char_by_char(text, encoding, source_offset), layer))
        }
        Coding::Utf7 | Coding::Shifted(_) | Coding::DoubleByte(..) => Err(Charset::Utf8),
    }
}

/// Returns true if the text starts with a big-endian byte order mark, and false if it starts with a
/// little-endian one (RFC 2781 §3.2). Returns `None` if there is no mark.
///
/// ```
/// assert_eq!(urlsift_archive::utf16_mark_is_big_endian(b"\xFF\xFEh\0"), Some(false));
/// assert_eq!(urlsift_archive::utf16_mark_is_big_endian(b"http://h/"), None);
/// ```
pub fn utf16_mark_is_big_endian(text: &[u8]) -> Option<bool> {
    match text {
        [0xFE, 0xFF, ..] => Some(true),
        [0xFF, 0xFE, ..] => Some(false),
        _ => None,
    }
}

/// The number of bytes examined to detect UTF-16 without a byte order mark.
const HEAD_LEN: usize = 4096;
/// The minimum number of characters to detect UTF-16 without a byte order mark.
const MIN_CHARS: usize = 16;

/// Returns true if a text is UTF-16. It then starts with a byte order mark, or at least nine in ten
/// of its first characters are ASCII when read as UTF-16. Returns `None` if more of the text is
/// needed. Without a mark, UTF-16 in other scripts can't be distinguished from a binary file.
pub(crate) fn is_utf16(head: Head<'_>) -> Option<bool> {
    let bytes = head.bytes();
    if utf16_mark_is_big_endian(bytes).is_some() {
        return Some(true);
    }
    let start = bytes.get(..bytes.len().min(2 * MIN_CHARS)).unwrap_or_default();
    // A file that starts with a line of single bytes is not UTF-16, even if a NUL follows.
    match memchr2(0, b'\n', start.get(1..).unwrap_or_default()) {
        Some(at) if start.first() != Some(&0) && start.get(at + 1) == Some(&b'\n') => {
            return Some(false);
        }
        None if start.first() != Some(&0) && start.len() == 2 * MIN_CHARS => return Some(false),
        _ if start.len() < 2 * MIN_CHARS => return head.answer_if_complete(false),
        _ => {}
    }
    let pairs = bytes.get(..HEAD_LEN.min(bytes.len())).unwrap_or_default().chunks_exact(2);
    let (len, is_text) = (pairs.len(), |byte: u8| matches!(byte, b' '..=b'~' | b'\t'..=b'\r'));
    let written = |big: bool| {
        let ascii = |pair: &&[u8]| match **pair {
            [0, byte] if big => is_text(byte),
            [byte, 0] if !big => is_text(byte),
            _ => false,
        };
        pairs.clone().filter(ascii).count() * 10 >= len * 9
    };
    let is_wide = written(true) || written(false);
    if bytes.len() < HEAD_LEN { head.answer_if_complete(is_wide) } else { Some(is_wide) }
}

/// True if the positions of the NULs show that a UTF-16 text is big-endian. RFC 2781 §4.3 assumes
/// big-endian if there is no byte order mark, but that is often wrong in practice.
fn looks_like_big_endian_utf16(text: &[u8]) -> bool {
    let (mut even, mut odd) = (0_usize, 0_usize);
    for pair in text.chunks_exact(2).take(2048) {
        even += usize::from(pair.first() == Some(&0));
        odd += usize::from(pair.last() == Some(&0));
    }
    even >= odd
}

/// Decodes UTF-16: big-endian if `is_big_endian` is true, otherwise little-endian. `text` starts at
/// offset `source_offset` of the map's source. The byte order mark is dropped, and a lone surrogate
/// becomes U+FFFD.
pub(crate) fn decode_utf16(text: &[u8], is_big_endian: bool, source_offset: usize) -> Decoded {
    let mut out = Derived::new(text.len(), source_offset);
    let start = if utf16_mark_is_big_endian(text).is_some() { 2 } else { 0 };
    let units = text.get(start..).unwrap_or_default().chunks_exact(2).map(|pair| match *pair {
        [a, b] if is_big_endian => u16::from_be_bytes([a, b]),
        [a, b] => u16::from_le_bytes([a, b]),
        _ => 0xFFFD,
    });
    let mut at = start;
    for decoded in char::decode_utf16(units) {
        let (c, wide) =
            decoded.map_or((char::REPLACEMENT_CHARACTER, 2), |c| (c, c.len_utf16() * 2));
        out.push_character(c.encode_utf8(&mut [0; 4]).as_bytes(), at, at + wide);
        at += wide;
    }
    out.finish()
}

/// Returns the length in bytes of the character at the start of `rest`, whose first byte is above
/// 0x7F. A stray byte has the length 1.
fn first_char_len(rest: &[u8], encoding: &'static Encoding) -> usize {
    if encoding.is_single_byte() {
        return 1;
    }
    let [lead, trail, more @ ..] = rest else { return 1 };
    if encoding == EUC_JP && matches!((lead, trail, more), (0x8F, 0xA1..=0xFE, [0xA1..=0xFE, ..])) {
        return 3;
    }
    let pairs = if encoding == EUC_JP {
        matches!((lead, trail), (0x8E, 0xA1..=0xDF) | (0xA1..=0xFE, 0xA1..=0xFE))
    } else if encoding == SHIFT_JIS {
        matches!(lead, 0x81..=0x9F | 0xE0..=0xFC) && matches!(trail, 0x40..=0x7E | 0x80..=0xFC)
    } else if encoding == EUC_KR {
        matches!(lead, 0x81..=0xFE) && matches!(trail, b'A'..=b'Z' | b'a'..=b'z' | 0x81..=0xFE)
    } else {
        matches!(lead, 0x81..=0xFE) && matches!(trail, 0x40..=0x7E | 0x80..=0xFE)
    };
    if pairs {
        return 2;
    }
    let four = encoding == GB18030
        && matches!((lead, trail), (0x81..=0xFE, b'0'..=b'9'))
        && matches!(more, [0x81..=0xFE, b'0'..=b'9', ..]);
    if four { 4 } else { 1 }
}

/// True if a URL in the text may contain a letter outside US-ASCII. Such a letter follows a `://`,
/// with no byte in between that ends a URL. `encoding` must have one byte per character. Takes
/// linear time.
fn may_have_non_ascii_letter_in_url(text: &[u8], encoding: &'static Encoding) -> bool {
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| memmem::find(rest, b"://")) {
        at += found + 3;
        while let Some(&byte) = text.get(at)
            && !ends_url(byte)
        {
            if byte >= 0x80 {
                let mut buffer = [0; 32];
                let utf8 = character::to_utf8(&[byte], encoding, &mut buffer);
                let c = core::str::from_utf8(utf8).ok().and_then(|text| text.chars().next());
                if c.is_some_and(char::is_alphabetic) {
                    return true;
                }
                break;
            }
            at += 1;
        }
    }
    false
}

/// True if `byte` ends a URL in any text: white space, an angle bracket or a quotation mark.
pub(crate) const fn ends_url(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'<' | b'>' | b'"')
}

/// Decodes a charset with one or more bytes per character. Runs of ASCII are copied; the characters
/// in between are converted one by one. `text` starts at offset `source_offset` of the map's
/// source.
pub(crate) fn decode_char_by_char(
    text: &[u8],
    encoding: &'static Encoding,
    source_offset: usize,
) -> Decoded {
    let mut out = Derived::new(text.len() + text.len() / 4, source_offset);
    let mut at = 0;
    while at < text.len() {
        let rest = text.get(at..).unwrap_or_default();
        let ascii = Encoding::ascii_valid_up_to(rest);
        out.push_copy(text, at, at + ascii);
        at += ascii;
        while let Some(rest @ [0x80..=0xFF, ..]) = text.get(at..) {
            let len = first_char_len(rest, encoding);
            let mut buffer = [0; 32];
            let utf8 =
                character::to_utf8(rest.get(..len).unwrap_or_default(), encoding, &mut buffer);
            // If a pair of bytes is unassigned and its second byte is ASCII, that byte is a
            // character by itself.
            let (utf8, len) = if utf8.iter().any(u8::is_ascii) {
                ("\u{FFFD}".as_bytes(), 1)
            } else {
                (utf8, len)
            };
            out.push_character(utf8, at, at + len);
            at += len;
        }
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::Span;

    fn text(raw: &[u8], label: &str) -> Option<String> {
        decode_charset(raw, coding_of_text(raw, coding_of_label(label.as_bytes())), 0)
            .ok()
            .map(|(decoded, _)| String::from_utf8_lossy(&decoded.text).into_owned())
    }

    #[test]
    fn supersets_of_ascii_stay_in_place() {
        for (label, charset) in [
            ("UTF-8", Charset::Utf8),
            ("no-such-charset", Charset::Utf8),
            ("a label that is much longer than any", Charset::Utf8),
        ] {
            assert_eq!(coding_of_label(label.as_bytes()), Coding::InPlace(charset), "{label}");
        }
        assert_eq!(text(b"http://h/", "big5"), None);
        assert_eq!(text(b"http://h/", "utf-16"), None, "mislabelled");
        assert_eq!(text(b"http://h/", "iso-2022-jp"), None);
    }

    #[test]
    fn single_bytes_are_decoded_only_in_urls() {
        for label in ["iso-8859-1", "KOI8-R", "windows-1251"] {
            let coding = coding_of_label(label.as_bytes());
            let plain = b"\xE4 http://h/a \xE4 <http://h/b>\xE4 http://h/c\xA0x";
            assert_eq!(decode_charset(plain, coding, 0).err(), Some(Charset::EightBit), "{label}");
            let mislabeled = "http://h/\u{e4}".as_bytes();
            assert_eq!(decode_charset(mislabeled, coding, 0).err(), Some(Charset::Utf8), "{label}");
        }
        for (label, expected) in [
            ("iso-8859-1", "http://h/f\u{e4}lle \u{e4}"),
            ("koi8-r", "http://h/f\u{414}lle \u{414}"),
            ("windows-1251", "http://h/f\u{434}lle \u{434}"),
            ("iso-8859-5", "http://h/f\u{444}lle \u{444}"),
        ] {
            assert_eq!(text(b"http://h/f\xE4lle \xE4", label).as_deref(), Some(expected));
        }
        let (decoded, _) =
            decode_charset(b"http://h/\xE4b", coding_of_label(b"latin1"), 0).unwrap();
        assert_eq!(decoded.map.to_source(Span::new(9, 12)), Span::new(9, 11));
    }

    #[test]
    fn characters_of_euc_jp_have_up_to_three_bytes() {
        let raw = b"http://h/?q=\xB8\xA1\x8E\xB6\x8F\xB0\xA1z \xB8a \x8F\xB0z \x8E\xB6\xB8";
        let expected = "http://h/?q=検ｶ丂z \u{FFFD}a \u{FFFD}\u{FFFD}z ｶ\u{FFFD}";
        assert_eq!(text(raw, "x-euc-jp").as_deref(), Some(expected));
        assert_eq!(text(b"http://h/", "euc-jp"), None);
    }

    #[test]
    fn iso_2022_jp_is_recognized_without_its_label() {
        for label in ["", "us-ascii", "utf-8", "no-such-charset"] {
            assert_eq!(
                text(b"http://h/?\x1B$B8!:w\x1B(B", label).as_deref(),
                Some("http://h/?検索")
            );
            assert_eq!(text(b"\x1B$@8!\x1B(J", label).as_deref(), Some("検"));
            for other in [&b"http://h/\x1B[1mx"[..], b"\x1B$x", b"\x1B(B", b"\x1B$", b"$B"] {
                assert_eq!(text(other, label), None, "{}", other.escape_ascii());
            }
        }
    }

    #[test]
    fn second_bytes_are_not_read_as_ascii() {
        // 表 is 95 5C in Shift_JIS, 功 is A5 5C in Big5.
        assert_eq!(text(b"\x95\x5Chttp://h/", "Shift_JIS").as_deref(), Some("表http://h/"));
        assert_eq!(text(b"\xA5\x5Chttp://h/", "Big5").as_deref(), Some("功http://h/"));
        assert_eq!(text(b"\xD6\xD0\x81\x30\x81\x30x", "gb2312").as_deref(), Some("中\u{80}x"));
        // A stray byte doesn't hide the next byte.
        assert_eq!(
            text(b"\x95 http://h/\x95", "sjis").as_deref(),
            Some("\u{FFFD} http://h/\u{FFFD}")
        );
    }

    #[test]
    fn utf_16_is_detected_by_mark_label_and_content() {
        let big: Vec<u8> = "http://h/é".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let little: Vec<u8> = "http://h/é".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (raw, label) in [
            (big.clone(), "utf-16"),
            (little.clone(), "utf-16"),
            (big, "utf-16be"),
            (little.clone(), "utf-16le"),
            ([&[0xFF, 0xFE][..], &little].concat(), "utf-16"),
        ] {
            assert_eq!(text(&raw, label).as_deref(), Some("http://h/é"), "{label}");
        }
        let (decoded, _) = decode_charset(&little, Coding::Utf16(None), 0).unwrap();
        assert_eq!(decoded.map.to_source(Span::new(0, 9)), Span::new(0, 18));
        assert_eq!(decoded.map.to_source(Span::new(9, 11)), Span::new(18, 20));
    }

    #[test]
    fn ascii_runs_are_exact() {
        let (decoded, _) =
            decode_charset(b"\xA5\x5C http://h/ \xA5\x5C", coding_of_label(b"big5"), 0).unwrap();
        assert!(decoded.map.is_verbatim(Span::new(4, 13)));
        assert_eq!(decoded.map.to_source(Span::new(4, 13)), Span::new(3, 12));
        assert_eq!(decoded.map.to_source(Span::new(0, 3)), Span::new(0, 2));
    }
}
