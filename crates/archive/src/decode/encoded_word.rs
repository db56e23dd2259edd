//! Decodes encoded words (RFC 2047), such as `=?utf-8?Q?caf=C3=A9?=`, and folds in header fields.

use super::derived::{Decoded, Derived};
use super::quoted_printable::{self, Escapes};
use super::{base64, charset};
use memchr::memmem;
use urlsift_core::Span;

/// A parsed encoded word, such as `=?utf-8?Q?caf=C3=A9?=`. Offsets count from its `=?`.
struct Word<'t> {
    charset: &'t [u8],
    base64: bool,
    /// The offset of the encoded text in the word.
    from: usize,
    /// The offset of the end of the encoded text.
    to: usize,
    /// The length of the word, including the final `?=`.
    end: usize,
}

/// The maximum length of an encoded word, in bytes. The RFC allows 75 bytes, but mailers wrote
/// longer ones.
const MAX_WORD_LEN: usize = 2000;

/// Parses the encoded word at the start of `text`. Returns `None` if there is none.
fn parse_encoded_word(text: &[u8]) -> Option<Word<'_>> {
    let text = text.get(..MAX_WORD_LEN.min(text.len()))?;
    let rest = text.strip_prefix(b"=?")?;
    let charset_end = rest.iter().position(|&b| b == b'?')?;
    let charset = rest.get(..charset_end)?;
    // RFC 2231 §5: a language may follow the charset.
    let charset = charset.split(|&b| b == b'*').next()?;
    if charset.is_empty() || !charset.iter().all(u8::is_ascii_graphic) {
        return None;
    }
    let base64 = match rest.get(charset_end + 1..charset_end + 3)? {
        [b'B' | b'b', b'?'] => true,
        [b'Q' | b'q', b'?'] => false,
        _ => return None,
    };
    let from = 2 + charset_end + 3;
    let to = from + memmem::find(text.get(from..)?, b"?=")?;
    Some(Word { charset, base64, from, to, end: to + 2 })
}

/// Decodes `value`, the value of a header field, which starts at offset `source_offset` of the
/// map's source. Encoded words are converted to UTF-8. White space between two encoded words is
/// dropped, and so are the line breaks of folds. Everything else is copied.
pub(crate) fn decode_encoded_words(value: &[u8], source_offset: usize) -> Decoded {
    let mut out = Derived::new(value.len(), source_offset);
    let mut copied = 0;
    let mut at = 0;
    // The offset after the last encoded word, if only white space followed it so far.
    let mut after_word = None;
    while let Some(&byte) = value.get(at) {
        match byte {
            b'\r' | b'\n' => {
                out.push_copy(value, copied, at);
                at += 1;
                copied = at;
            }
            b'=' => {
                if let Some(found) = parse_encoded_word(value.get(at..).unwrap_or_default()) {
                    if after_word.is_none() {
                        out.push_copy(value, copied, at);
                    }
                    push_decoded_word(&mut out, value, at, &found);
                    at += found.end;
                    copied = at;
                    after_word = Some(at);
                } else {
                    after_word = None;
                    at += 1;
                }
            }
            b' ' | b'\t' if after_word.is_some() => {
                // The blanks are dropped if a word follows, otherwise copied with the next text.
                let rest = value.get(at..).unwrap_or_default();
                let blanks = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
                if parse_encoded_word(rest.get(blanks..).unwrap_or_default()).is_some() {
                    at += blanks;
                    copied = at;
                } else {
                    after_word = None;
                }
            }
            _ => {
                after_word = None;
                at += 1;
            }
        }
    }
    out.push_copy(value, copied, value.len());
    out.finish()
}

/// Appends the decoded text of `word`, which is at offset `word_start` of `value`. The map relates
/// each character of the Q encoding to its source, and all of the text in base64 to the whole word.
fn push_decoded_word(out: &mut Derived, value: &[u8], word_start: usize, word: &Word<'_>) {
    let encoded = value.get(word_start + word.from..word_start + word.to).unwrap_or_default();
    let decoded = if word.base64 {
        base64::decode_base64(encoded, 0, Vec::new())
    } else {
        // `_` encodes a space. Offsets don't change.
        let spaced: Vec<u8> = encoded.iter().map(|&b| if b == b'_' { b' ' } else { b }).collect();
        quoted_printable::decode_quoted_printable(&spaced, 0, Escapes::AnyByte, Vec::new())
    };
    let encoding = || encoding_rs::Encoding::for_label(word.charset);
    let coding = charset::coding_of_label(word.charset);
    let coding = charset::coding_of_text(&decoded.text, coding);
    let text = match charset::decode_charset(&decoded.text, coding, 0) {
        Ok((utf8, _)) => utf8.composed_with(&decoded.map),
        Err(_) if core::str::from_utf8(&decoded.text).is_ok() => decoded,
        Err(_) => match encoding() {
            Some(encoding) if encoding.is_single_byte() => {
                charset::decode_char_by_char(&decoded.text, encoding, 0).composed_with(&decoded.map)
            }
            Some(encoding) => {
                let (utf8, _) = encoding.decode_without_bom_handling(&decoded.text);
                return out.push_replacement(utf8.as_bytes(), word_start, word_start + word.end);
            }
            None => decoded,
        },
    };
    if word.base64 {
        out.push_replacement(&text.text, word_start, word_start + word.end);
    } else {
        push_characters(out, value, word_start + word.from, &text);
    }
}

/// Appends the text of a word in the Q encoding, character by character. `utf8` is that text, with
/// its map to the encoded text, which is at offset `from` of `value`.
fn push_characters(out: &mut Derived, value: &[u8], from: usize, utf8: &Decoded) {
    let mut at = 0;
    while at < utf8.text.len() {
        let later = utf8.text[at + 1..].iter().take_while(|byte| *byte & 0xC0 == 0x80).count();
        let end = at + 1 + later;
        let source = utf8.map.to_source(Span::new(at, end));
        let (start, stop) = (from + source.start, from + source.end);
        if value.get(start..stop) == Some(&utf8.text[at..end]) {
            out.push_copy(value, start, stop);
        } else {
            out.push_character(&utf8.text[at..end], start, stop);
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> String {
        String::from_utf8_lossy(&decode_encoded_words(value.as_bytes(), 0).text).into_owned()
    }

    #[test]
    fn encoded_words_are_decoded() {
        for (value, expected) in [
            ("=?utf-8?Q?caf=C3=A9_au?= lait", "café au lait"),
            ("=?utf-8?B?aHR0cDov?=\r\n =?utf-8?B?L2gv?=", "http://h/"),
            ("a =?iso-8859-1*de?q?=E9?= b", "a é b"),
            ("=?iso-2022-jp?B?GyRCOCskaBsoQg==?=", "見よ"),
            ("=?x?q?a?b", "=?x?q?a?b"),
            ("1 =? 2 ?= 3", "1 =? 2 ?= 3"),
            ("folded\r\n\tline", "folded\tline"),
            ("=?utf-8?q?a?= b =?utf-8?q?c?=", "a b c"),
            ("", ""),
        ] {
            assert_eq!(text(value), expected, "{value:?}");
        }
    }

    #[test]
    fn characters_of_q_encoded_words_map_to_their_source() {
        for (value, found, source) in [
            ("=?iso-8859-1?Q?Gr=FC=DFe_http=3A//h=2Edom/a_und?=", "http://h.dom/a", 25..43),
            ("=?utf-8?Q?http://h.dom/=C3=A9?=", "http://h.dom/é", 10..29),
            ("x =?utf-8?Q?http://h?= =?utf-8?Q?.dom/a?=", "http://h.dom/a", 12..39),
            ("=?iso-2022-jp?Q?=1B$B8+=1B(B_http://h/?=", "http://h/", 29..38),
        ] {
            let Decoded { text, map } = decode_encoded_words(value.as_bytes(), 7);
            let at = memmem::find(&text, found.as_bytes()).unwrap();
            let span = map.to_source(Span::new(at, at + found.len()));
            assert_eq!((span.start - 7)..(span.end - 7), source, "{value}");
        }
    }
}
