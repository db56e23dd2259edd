//! Variable-length encoding of numbers that are mostly small.

use alloc::vec::Vec;

/// Appends a number: seven bits per byte, lowest first. The highest bit is set if more bytes
/// follow.
#[expect(clippy::cast_possible_truncation, reason = "the lowest byte is meant")]
pub(crate) fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7F {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads the number at `at` and moves `at` past it.
pub(crate) fn read(bytes: &[u8], at: &mut usize) -> Option<u64> {
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
