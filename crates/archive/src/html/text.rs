//! What texts in HTML say: references decoded, line breaks as they count.

use super::entity::reference;
use crate::decode::derived::{Decoded, Derived};
use memchr::{memchr, memchr2, memchr3};

/// What the line breaks in a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineBreaks {
    /// Blanks, as in running text.
    Blanks,
    /// Line breaks, as in preformatted text.
    Kept,
    /// Nothing, as tabs are: no URL holds them.
    Dropped,
}

impl LineBreaks {
    /// Where the next character stands that may not be copied as it is.
    fn next_special(self, text: &[u8]) -> Option<usize> {
        match self {
            Self::Blanks => memchr3(b'&', b'\n', b'\r', text),
            Self::Kept => memchr2(b'&', b'\r', text),
            Self::Dropped => text.iter().position(|b| matches!(b, b'&' | b'\n' | b'\r' | b'\t')),
        }
    }
}

/// Appends what the text `html[from..at]` says, and the character at `at`, which may say something else than it is: a reference or a line
/// break. Returns where the text goes on; `None`, and nothing is appended, where it is what it says.
pub(super) fn push_special(
    out: &mut Derived,
    html: &[u8],
    from: usize,
    at: usize,
    line_breaks: LineBreaks,
) -> Option<usize> {
    let rest = html.get(at..)?;
    match (rest.first()?, line_breaks) {
        (b'&', _) => {
            let (character, len) = reference(rest)?;
            out.copy(html, from, at);
            out.replace(character.encode_utf8(&mut [0; 4]).as_bytes(), at, at + len);
            return Some(at + len);
        }
        (b'\n', LineBreaks::Blanks) => {
            out.copy(html, from, at);
            out.character(b" ", at, at + 1);
        }
        (b'\n', LineBreaks::Kept) => return None,
        // Of a line break of two bytes, the first is dropped.
        _ => out.copy(html, from, at),
    }
    Some(at + 1)
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
        match push_special(&mut out, value, from, at + next, line_breaks) {
            Some(end) => (from, at) = (end, end),
            None => at += next + 1,
        }
    }
    out.copy(value, from, value.len());
    out.finish()
}
