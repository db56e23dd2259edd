//! What the first bytes of a line tell of a URL that stands before it.

use crate::table::table;

/// Whether the line's own text starts with what is part of no URL, or with a URL of its own: the furniture that is told
/// at first sight.
#[inline(always)]
pub(super) fn starts_other_thing(own: &[u8]) -> bool {
    if own.first().is_some_and(|&first| is(first, ENDS))
        || matches!(own, [b'-', b' ' | b'-', ..] | [b'#', b'!', b' ', ..])
    {
        return true;
    }
    // A scheme with its slashes, as lists of URLs have it.
    let word = own.iter().take(MOST).take_while(|byte| byte.is_ascii_lowercase()).count();
    word > 1 && own[word..].starts_with(b"://")
}

/// What a line without text of its own starts with.
pub(super) const LINE_BREAK: u8 = 1;
/// What a line's text starts with where the URL before it ends.
const ENDS: u8 = 2;
/// What no margin starts with.
pub(super) const FLUSH: u8 = 4;

/// Whether the byte is of that class.
pub(super) const fn is(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

static CLASSES: [u8; 256] = table!(|byte| {
    let flush = !matches!(byte, b' ' | b'\t' | b'>' | b'|' | b'A'..=b'Z' | 0x80..);
    let first = match byte {
        b'\n' | b'\r' => LINE_BREAK,
        b'<' | b'"' | b'(' | b'[' | b'*' => ENDS,
        _ => 0,
    };
    first | if flush { FLUSH } else { 0 }
});

/// No scheme is longer.
const MOST: usize = 16;
