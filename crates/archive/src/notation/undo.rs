//! Escapes undone, whatever they look like.

use crate::decode::derived::{Decoded, Derived};
use core::ops::Range;
use memchr::memchr;

/// What stands in the place of an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stands {
    /// That character.
    For(char),
    /// Nothing.
    ForNothing,
    /// The escape itself: it is none of characters.
    ForItself,
}

/// `text` with what its escapes stand for, in the memory of an old text; `None` where it has none. Linear. `find` and
/// `escape` are as for [`undo`].
pub(super) fn decode(
    text: &[u8],
    base: usize,
    memory: &mut Vec<u8>,
    find: impl Fn(&[u8]) -> Option<usize>,
    escape: impl Fn(&[u8], usize) -> Option<(Stands, usize)>,
) -> Option<Decoded> {
    let first = find(text)?;
    let mut out = Derived::within(core::mem::take(memory), base);
    out.copy(text, 0, first);
    let any = undo(text, first..text.len(), &mut out, find, escape);
    let made = out.finish();
    if any {
        return Some(made);
    }
    *memory = made.text;
    None
}

/// Undoes the escapes in `range` of a text, and appends what they leave to `out`. `find` says where the next byte is that
/// may start one, `escape` what stands at such a byte and how long that is. Returns whether there was any.
pub(super) fn undo(
    text: &[u8],
    range: Range<usize>,
    out: &mut Derived,
    find: impl Fn(&[u8]) -> Option<usize>,
    escape: impl Fn(&[u8], usize) -> Option<(Stands, usize)>,
) -> bool {
    let text = text.get(..range.end).unwrap_or(text);
    let (mut from, mut at, mut any) = (range.start, range.start, false);
    while let Some(next) = text.get(at..).and_then(&find) {
        at += next;
        let (stands, len) = escape(text, at).unwrap_or((Stands::ForItself, 1));
        if stands != Stands::ForItself {
            any = true;
            out.copy(text, from, at);
            if let Stands::For(c) = stands {
                out.replace(c.encode_utf8(&mut [0; 4]).as_bytes(), at, at + len);
            }
            from = at + len;
        }
        at += len;
    }
    out.copy(text, from, text.len());
    any
}

/// Where the next backslash is.
pub(super) fn backslash(text: &[u8]) -> Option<usize> {
    memchr(b'\\', text)
}
