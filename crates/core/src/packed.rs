//! A variable-length encoding (LEB128) for numbers that are mostly small.

use alloc::vec::Vec;

/// Appends a number to `bytes` with seven bits per byte, the lowest bits first. The highest bit of
/// a byte is 1 if more bytes follow.
#[expect(clippy::cast_possible_truncation, reason = "the lowest byte is meant")]
pub(crate) fn write_packed(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7F {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Decodes the number that starts at index `at` of `bytes`, and sets `at` to the index after it.
/// Returns `None` if `bytes` ends before the number does.
pub(crate) fn read_packed(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}
