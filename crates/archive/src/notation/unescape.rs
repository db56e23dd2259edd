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

/// Decodes the escapes in `text`, which starts at offset `base` of the map's source. Reuses
/// `memory` for the result. Returns `None` if there are no escapes. See [`unescape`] for `find` and
/// `escape`. Takes linear time.
pub(crate) fn decode(
    text: &[u8],
    base: usize,
    memory: &mut Vec<u8>,
    find: impl Fn(&[u8]) -> Option<usize>,
    escape: impl Fn(&[u8], usize) -> Option<(Replacement, usize)>,
) -> Option<Decoded> {
    let first = find(text)?;
    let mut out = Derived::within(core::mem::take(memory), base);
    out.copy(text, 0, first);
    let any = unescape(text, first..text.len(), &mut out, find, escape);
    let made = out.finish();
    if any {
        return Some(made);
    }
    *memory = made.text;
    None
}

/// Appends `range` of a text to `out`, with its escapes decoded. `find` returns the offset of the
/// next byte that may start an escape. `escape` returns the replacement of the escape at an offset,
/// and the length of the escape in bytes. Returns true if there were any escapes.
pub(crate) fn unescape(
    text: &[u8],
    range: Range<usize>,
    out: &mut Derived,
    find: impl Fn(&[u8]) -> Option<usize>,
    escape: impl Fn(&[u8], usize) -> Option<(Replacement, usize)>,
) -> bool {
    let text = text.get(..range.end).unwrap_or(text);
    let (mut from, mut at, mut any) = (range.start, range.start, false);
    while let Some(next) = text.get(at..).and_then(&find) {
        at += next;
        let (replacement, len) = escape(text, at).unwrap_or((Replacement::Unchanged, 1));
        if replacement != Replacement::Unchanged {
            any = true;
            out.copy(text, from, at);
            if let Replacement::Char(c) = replacement {
                out.replace(c.encode_utf8(&mut [0; 4]).as_bytes(), at, at + len);
            }
            from = at + len;
        }
        at += len;
    }
    out.copy(text, from, text.len());
    any
}

/// Returns the offset of the first backslash in `text`, or `None` if there is none.
pub(crate) fn backslash(text: &[u8]) -> Option<usize> {
    memchr(b'\\', text)
}
