//! Decodes escapes, independent of their syntax.

use crate::decode::derived::{Decoded, Derived};
use core::ops::Range;
use memchr::memchr;

/// The text that replaces an escape sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replacement {
    /// One character.
    Char(char),
    /// Nothing.
    Nothing,
    /// The bytes themselves, which are not an escape for a character.
    Unchanged,
}

/// Decodes the escapes in `text`, which starts at offset `source_offset` of the map's source.
/// Reuses `buffer` for the result. Returns `None` if there are no escapes. See [`push_unescaped`]
/// for `find_start` and `parse_escape`. Takes linear time.
pub(crate) fn decode_escapes_with(
    text: &[u8],
    source_offset: usize,
    buffer: &mut Vec<u8>,
    find_start: impl Fn(&[u8]) -> Option<usize>,
    parse_escape: impl Fn(&[u8], usize) -> Option<(Replacement, usize)>,
) -> Option<Decoded> {
    let first = find_start(text)?;
    let mut out = Derived::reusing_buffer(core::mem::take(buffer), source_offset);
    out.push_copy(text, 0, first);
    let any = push_unescaped(text, first..text.len(), &mut out, find_start, parse_escape);
    let made = out.finish();
    if any {
        return Some(made);
    }
    *buffer = made.text;
    None
}

/// Appends `range` of a text to `out`, with its escapes decoded. `find_start` returns the offset of
/// the next byte that may start an escape. `parse_escape` returns the replacement of the escape at
/// an offset, and the length of the escape in bytes. Returns true if there were any escapes.
pub(crate) fn push_unescaped(
    text: &[u8],
    range: Range<usize>,
    out: &mut Derived,
    find_start: impl Fn(&[u8]) -> Option<usize>,
    parse_escape: impl Fn(&[u8], usize) -> Option<(Replacement, usize)>,
) -> bool {
    let text = text.get(..range.end).unwrap_or(text);
    let (mut from, mut at, mut any) = (range.start, range.start, false);
    while let Some(next) = text.get(at..).and_then(&find_start) {
        at += next;
        let (replacement, len) = parse_escape(text, at).unwrap_or((Replacement::Unchanged, 1));
        if replacement != Replacement::Unchanged {
            any = true;
            out.push_copy(text, from, at);
            if let Replacement::Char(c) = replacement {
                out.push_replacement(c.encode_utf8(&mut [0; 4]).as_bytes(), at, at + len);
            }
            from = at + len;
        }
        at += len;
    }
    out.push_copy(text, from, text.len());
    any
}

/// Returns the offset of the first backslash in `text`, or `None` if there is none.
pub(crate) fn find_backslash(text: &[u8]) -> Option<usize> {
    memchr(b'\\', text)
}
