//! What the bytes in and around a URL may be, as far as URLs are usual.

use crate::scheme::is_scheme_byte;
use crate::table::table;

/// Whether `byte` is one of a set of [`CLASSES`].
#[inline]
pub(super) const fn is(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

/// What a host may start with, as far as hosts are usual.
pub(super) const HOST: u8 = 1;

/// A blank within a line.
pub(super) const BLANK: u8 = 2;

/// What ends a word: then no bracket and no prefix can stand before a blank behind it.
pub(super) const WORD_END: u8 = 4;

/// Opening marks that stand right before a URL.
pub(super) const OPENING: u8 = 8;

/// What is never cut off at a URL's end.
pub(super) const FIRM: u8 = 16;

/// What may belong to a URL, by what stands beside it.
pub(super) const GOES_ON: u8 = 128;

/// What a line may end with, behind a URL.
pub(super) const LINE_END: u8 = 32;

/// Anything that stands before a URL, is no part of its scheme, parts no prefix from it, marks no
/// emphasis, and is no quote that closes behind it.
pub(super) const APART: u8 = 64;

static CLASSES: [u8; 256] = table!(|byte| {
    let alphanumeric = byte.is_ascii_alphanumeric();
    let apart = !is_scheme_byte(byte)
        && !matches!(byte, b'\'' | b'`' | b'*' | b'_' | b'#' | b'\t' | b':' | b'<' | b' ' | b'\n');
    let host = if alphanumeric { HOST } else { 0 };
    host | if byte == b' ' { BLANK } else { 0 }
        | if alphanumeric || matches!(byte, b',' | b'.' | b';') { WORD_END } else { 0 }
        | if matches!(byte, b'"' | b'[' | b'|' | b'(') { OPENING } else { 0 }
        | if matches!(byte, b'a'..=b'r' | b't'..=b'z' | b'/' | b'0'..=b'9') { FIRM } else { 0 }
        | if matches!(byte, b'\n' | b'\r' | b' ' | b'\t') { LINE_END } else { 0 }
        | if apart { APART } else { 0 }
        | if matches!(byte, b':' | b'[' | b'(' | b')' | 0x80..) { GOES_ON } else { 0 }
});
