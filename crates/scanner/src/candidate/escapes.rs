//! The escapes of quoted-printable in a URL that stands in text that was not decoded.

use crate::table::table;
use urlsift_core::Span;

/// A part of a URL as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) span: Span,
    /// If the part is an escape: the byte that it stands for.
    pub(super) escape: Option<u8>,
}

/// The parts of a piece of the text. Unless the URL is encoded it is one part.
pub(super) fn parts(text: &[u8], piece: Span, is_encoded: bool) -> impl Iterator<Item = Part> {
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

/// Where the first escape starts that stands for a character of URLs, and which that is.
fn next_escape(bytes: &[u8]) -> Option<(usize, u8)> {
    memchr::memchr_iter(b'=', bytes).find_map(|at| Some((at, escape_at(bytes, at)?)))
}

/// The character of URLs that the escape at byte `at` stands for.
fn escape_at(bytes: &[u8], at: usize) -> Option<u8> {
    let &[b'=', high, low] = bytes.get(at..at + 3)? else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let byte = digit(high)? << 4 | digit(low)?;
    byte.is_ascii_graphic().then_some(byte)
}

/// The length of the URL without the encoded blanks at its end.
pub(crate) fn without_blanks(url: &[u8]) -> usize {
    let mut url = url;
    while let Some(rest) = url.strip_suffix(b"=20").or_else(|| url.strip_suffix(b"=09")) {
        url = rest;
    }
    url.len()
}

/// A byte as a part of what is written.
pub(super) fn written(byte: u8) -> &'static [u8] {
    static BYTES: [u8; 256] = table!(|byte| byte);
    std::slice::from_ref(&BYTES[usize::from(byte)])
}
