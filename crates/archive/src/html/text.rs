//! What texts in HTML say: references decoded, line breaks as they count.

use super::entity::reference;
use crate::decode::derived::{Decoded, Derived};
use core::ops::Range;
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

/// Appends what the text `html[range]` says. Of a line break of two bytes, the `\r` is dropped.
pub(super) fn push_text(
    out: &mut Derived,
    html: &[u8],
    range: &Range<usize>,
    line_breaks: LineBreaks,
) {
    let Some(html) = html.get(..range.end) else { return };
    let mut from = range.start;
    let mut at = range.start;
    while let Some(next) = html.get(at..).and_then(|rest| line_breaks.next_special(rest)) {
        at += next;
        let rest = html.get(at..).unwrap_or_default();
        let mut len = 1;
        if rest.first() == Some(&b'&') {
            let Some((character, reference_len)) = reference(rest) else {
                at += 1;
                continue;
            };
            len = reference_len;
            out.copy(html, from, at);
            out.replace(character.encode_utf8(&mut [0; 4]).as_bytes(), at, at + len);
        } else {
            out.copy(html, from, at);
            if rest.first() == Some(&b'\n') && line_breaks == LineBreaks::Blanks {
                out.character(b" ", at, at + 1);
            }
        }
        at += len;
        from = at;
    }
    out.copy(html, from, html.len());
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
    push_text(&mut out, value, &(0..value.len()), line_breaks);
    out.finish()
}
