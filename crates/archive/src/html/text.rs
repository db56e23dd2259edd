//! What texts in HTML say: references decoded, line breaks as they count.

use super::entity::reference;
use crate::decode::derived::{Decoded, Derived};
use memchr::{memchr, memchr2, memchr3};

/// What the line breaks in a value are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineBreaks {
    /// Line breaks, as in preformatted text.
    Kept,
    /// Nothing, as tabs are: no URL holds them.
    Dropped,
}

impl LineBreaks {
    /// Where the next character stands that may not be copied as it is.
    fn next_special(self, text: &[u8]) -> Option<usize> {
        match self {
            Self::Kept => memchr2(b'&', b'\r', text),
            Self::Dropped => text.iter().position(|b| matches!(b, b'&' | b'\n' | b'\r' | b'\t')),
        }
    }
}

/// What the character at the start of `text` says, which may say something else than it is, and how long it is: a reference, or a line
/// break, which may say nothing. `None` where it is what it says.
pub(super) fn special(text: &[u8], line_breaks: LineBreaks) -> Option<(Option<char>, usize)> {
    match (text.first()?, line_breaks) {
        (b'&', _) => reference(text).map(|(character, len)| (Some(character), len)),
        (b'\n', LineBreaks::Kept) => None,
        // Of a line break of two bytes, the first is dropped.
        _ => Some((None, 1)),
    }
}

/// Whether the value of an attribute that holds a URL differs from what it says.
pub(crate) fn is_coded(value: &[u8]) -> bool {
    memchr(b'&', value).is_some() || memchr3(b'\n', b'\r', b'\t', value).is_some()
}

/// What the value of an attribute that holds a URL says.
pub(crate) fn attribute_value(value: &[u8], base: usize) -> Decoded {
    said(value, base, LineBreaks::Dropped)
}

/// What running text in an attribute's value says.
pub(crate) fn mention(value: &[u8], base: usize) -> Decoded {
    said(value, base, LineBreaks::Kept)
}

fn said(value: &[u8], base: usize, line_breaks: LineBreaks) -> Decoded {
    let mut out = Derived::new(value.len(), base);
    let (mut from, mut at) = (0, 0);
    while let Some(next) = value.get(at..).and_then(|rest| line_breaks.next_special(rest)) {
        let place = at + next;
        let Some((character, len)) = special(value.get(place..).unwrap_or_default(), line_breaks)
        else {
            at = place + 1;
            continue;
        };
        out.copy(value, from, place);
        if let Some(character) = character {
            out.replace(character.encode_utf8(&mut [0; 4]).as_bytes(), place, place + len);
        }
        (from, at) = (place + len, place + len);
    }
    out.copy(value, from, value.len());
    out.finish()
}
