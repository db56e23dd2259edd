//! Conversion of a single character of another charset to UTF-8.

use super::derived::Derived;
use encoding_rs::Encoding;

/// Appends the character that `bytes` encode. `bytes` may be a form of the character that the
/// decoder supports; in the source the character has `len` bytes from `at` on.
pub(super) fn push(
    out: &mut Derived,
    bytes: &[u8],
    encoding: &'static Encoding,
    at: usize,
    len: usize,
) {
    out.character(in_utf8(bytes, encoding, &mut [0; 32]), at, at + len);
}

/// Returns the character that `bytes` encode, in UTF-8. `bytes` has at most four bytes, so the
/// result has at most four characters of three bytes each. A stray byte becomes U+FFFD.
pub(super) fn in_utf8<'b>(
    bytes: &[u8],
    encoding: &'static Encoding,
    buffer: &'b mut [u8; 32],
) -> &'b [u8] {
    let (_, _, written, _) =
        encoding.new_decoder_without_bom_handling().decode_to_utf8(bytes, buffer, true);
    buffer.get(..written).unwrap_or_default()
}
