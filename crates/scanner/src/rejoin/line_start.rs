//! Classifies the first bytes of a line after a URL.

use crate::table::table;

/// True if `own`, a line without its margin, starts with something that is not part of a URL, or
/// with a URL of its own. Only checks the first bytes; see
/// [`is_furniture`](super::tail::is_furniture) for the rest.
#[inline(always)]
pub(super) fn starts_separate_item(own: &[u8]) -> bool {
    match own {
        [first, ..] if is_in_class(*first, ENDS) => true,
        [b'-', b' ' | b'-', ..] | [b'#', b'!', b' ', ..] => true,
        // A scheme with its slashes, as in lists of URLs. Nearly all start with one of these
        // letters, and few words do.
        [b'f' | b'g' | b'h', rest @ ..] => {
            let lower = rest.iter().take(MAX_SCHEME - 1).take_while(|b| b.is_ascii_lowercase());
            let word = lower.count();
            word > 0 && matches!(rest[word..], [b':', b'/', b'/', ..])
        }
        _ => false,
    }
}

/// The class of bytes that start a line without text.
pub(super) const LINE_BREAK: u8 = 1;
/// The class of bytes that, at the start of a line's text, end the URL before it.
const ENDS: u8 = 2;
/// The class of bytes that don't start a margin.
pub(super) const FLUSH: u8 = 4;

/// True if `byte` belongs to the byte class `class`.
pub(super) const fn is_in_class(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

/// The classes of each byte, as a bit mask.
static CLASSES: [u8; 256] = table!(|byte| {
    let flush = !matches!(byte, b' ' | b'\t' | b'>' | b'|' | b'A'..=b'Z' | 0x80..);
    let first = match byte {
        b'\n' | b'\r' => LINE_BREAK,
        b'<' | b'"' | b'(' | b'[' | b'*' => ENDS,
        _ => 0,
    };
    first | if flush { FLUSH } else { 0 }
});

/// The maximum length of a scheme, in bytes.
const MAX_SCHEME: usize = 16;
