//! Decodes character references and line breaks in text and attribute values.

use super::entity::parse_character_reference;
use crate::decode::derived::{Decoded, Derived};
use memchr::{memchr, memchr2, memchr3};

/// The treatment of line breaks when text or an attribute value is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineBreaks {
    /// Kept, as in preformatted text.
    Kept,
    /// Dropped, together with tabs, because URLs don't contain them.
    Dropped,
}

impl LineBreaks {
    /// Returns the offset of the first byte in `text` that may need decoding, or `None` if there is
    /// none.
    fn next_undecoded(self, text: &[u8]) -> Option<usize> {
        match self {
            Self::Kept => memchr2(b'&', b'\r', text),
            Self::Dropped => text.iter().position(|b| matches!(b, b'&' | b'\n' | b'\r' | b'\t')),
        }
    }
}

/// Decodes the character reference or line break that `text` starts with. The first value of the
/// result is the decoded character, or `None` if it is dropped. The second one is the number of
/// bytes read. Returns `None` if the first character of `text` is copied unchanged.
pub(super) fn decode_reference_or_line_break(
    text: &[u8],
    line_breaks: LineBreaks,
) -> Option<(Option<char>, usize)> {
    match (text.first()?, line_breaks) {
        (b'&', _) => parse_character_reference(text).map(|(character, len)| (Some(character), len)),
        (b'\n', LineBreaks::Kept) => None,
        // A carriage return is dropped; the line feed after it is the line break.
        _ => Some((None, 1)),
    }
}

/// True if an attribute value that is a URL may need decoding: it contains a `&`, a line break or a
/// tab.
pub(crate) fn may_need_decoding(value: &[u8]) -> bool {
    memchr(b'&', value).is_some() || memchr3(b'\n', b'\r', b'\t', value).is_some()
}

/// Decodes the character references in an attribute value that is a URL, and drops its line breaks
/// and tabs. `source_offset` is the offset of the value in the map's source.
pub(crate) fn decode_url_attribute(value: &[u8], source_offset: usize) -> Decoded {
    decode_attribute_value(value, source_offset, LineBreaks::Dropped)
}

/// Decodes the character references in an attribute value that is running text. Keeps its line
/// breaks. `source_offset` is the offset of the value in the map's source.
pub(crate) fn decode_text_attribute(value: &[u8], source_offset: usize) -> Decoded {
    decode_attribute_value(value, source_offset, LineBreaks::Kept)
}

/// Decodes the character references in an attribute value. `line_breaks` decides whether its line
/// breaks are kept or dropped. `source_offset` is the offset of the value in the map's source.
fn decode_attribute_value(value: &[u8], source_offset: usize, line_breaks: LineBreaks) -> Decoded {
    let mut out = Derived::new(value.len(), source_offset);
    let (mut from, mut at) = (0, 0);
    while let Some(next) = value.get(at..).and_then(|rest| line_breaks.next_undecoded(rest)) {
        let place = at + next;
        let Some((character, len)) =
            decode_reference_or_line_break(value.get(place..).unwrap_or_default(), line_breaks)
        else {
            at = place + 1;
            continue;
        };
        out.push_copy(value, from, place);
        if let Some(character) = character {
            out.push_replacement(character.encode_utf8(&mut [0; 4]).as_bytes(), place, place + len);
        }
        (from, at) = (place + len, place + len);
    }
    out.push_copy(value, from, value.len());
    out.finish()
}
