//! The quoted-printable escapes in a URL from text that was not decoded.

use crate::table::table;
use urlsift_core::Span;

/// A part of a URL as it is in the text: either plain bytes or a single escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) span: Span,
    /// The decoded byte if the part is an escape.
    pub(super) escape: Option<u8>,
}

/// Splits `piece`, a span of the text, into plain bytes and escapes of quoted-printable (`=3D`). If
/// `is_encoded` is false, the whole piece is one part.
pub(super) fn split_at_escapes(
    text: &[u8],
    piece: Span,
    is_encoded: bool,
) -> impl Iterator<Item = Part> {
    let mut at = piece.start;
    std::iter::from_fn(move || {
        if at >= piece.end {
            return None;
        }
        let rest = &text[at..piece.end];
        let found = if is_encoded { next_escape(rest) } else { None };
        let part = match found {
            Some((0, byte)) => Part { span: Span::new(at, at + 3), escape: Some(byte) },
            Some((len, _)) => Part { span: Span::new(at, at + len), escape: None },
            None => Part { span: Span::new(at, piece.end), escape: None },
        };
        at = part.span.end;
        Some(part)
    })
}

/// Returns the offset of the first escape that encodes a visible US-ASCII character, and this
/// character. Returns `None` if there is no such escape.
fn next_escape(bytes: &[u8]) -> Option<(usize, u8)> {
    memchr::memchr_iter(b'=', bytes).find_map(|at| Some((at, escape_at(bytes, at)?)))
}

/// Returns the visible US-ASCII character that the escape at byte `at` encodes, or `None` if there
/// is no such escape.
pub(crate) fn escape_at(bytes: &[u8], at: usize) -> Option<u8> {
    let &[b'=', high, low] = bytes.get(at..at + 3)? else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let byte = digit(high)? << 4 | digit(low)?;
    byte.is_ascii_graphic().then_some(byte)
}

/// Returns a static slice that contains only `byte`.
pub(super) fn byte_as_slice(byte: u8) -> &'static [u8] {
    static BYTES: [u8; 256] = table!(|byte| byte);
    std::slice::from_ref(&BYTES[usize::from(byte)])
}
