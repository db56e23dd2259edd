//! Conversion of a single character of another charset to UTF-8.

use super::derived::Derived;
use encoding_rs::Encoding;

/// Appends the character that `bytes` encode, in UTF-8. In the source, the character has
/// `source_len` bytes from offset `source_start` on. `bytes` may differ from these: a 7-bit
/// character is passed in the 8-bit form that `encoding` supports.
pub(super) fn push_in_utf8(
    out: &mut Derived,
    bytes: &[u8],
    encoding: &'static Encoding,
    source_start: usize,
    source_len: usize,
) {
    out.push_character(
        to_utf8(bytes, encoding, &mut [0; 32]),
        source_start,
        source_start + source_len,
    );
}

/// Converts the character that `bytes` encode to UTF-8, using `buffer`. `bytes` has at most four
/// bytes, so the result has at most four characters of three bytes each. A stray byte becomes
/// U+FFFD.
pub(super) fn to_utf8<'b>(
    bytes: &[u8],
    encoding: &'static Encoding,
    buffer: &'b mut [u8; 32],
) -> &'b [u8] {
    let (_, _, written, _) =
        encoding.new_decoder_without_bom_handling().decode_to_utf8(bytes, buffer, true);
    buffer.get(..written).unwrap_or_default()
}
