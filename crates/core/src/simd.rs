//! Sixteen bytes at a time: vectors in safe code, by the crate `wide`. SSE2 and NEON are there on
//! every x86-64 and 64-bit ARM, and nothing is detected.

use crate::bytes::{self, Set};
use wide::u8x16;

/// How many bytes are judged at once. Shorter texts are for the byte tables.
pub(crate) const LANES: usize = 16;

/// Whether each byte is of the class, a function to ones and zeros; `None` if the text is too short.
///
/// For most URLs without a loop: where it ends depends on the URL, and the processor cannot guess it.
#[inline]
pub(crate) fn all(text: &[u8], class: impl Fn(u8x16) -> u8x16) -> Option<bool> {
    let last = text.len().checked_sub(LANES)?;
    let mut all = u8x16::splat(0xFF);
    if text.len() <= 4 * LANES {
        for at in [0, LANES, 2 * LANES, 3 * LANES] {
            if let Some(chunk) = text.get(at.min(last)..).and_then(<[u8]>::first_chunk) {
                all &= class(u8x16::new(*chunk));
            }
        }
    } else {
        for chunk in text.as_chunks().0.iter().chain(text.last_chunk()) {
            all &= class(u8x16::new(*chunk));
        }
    }
    Some(all.to_bitmask() == 0xFFFF)
}

/// Which of the 32 bytes from `at` on are of each class, the first byte in the lowest bit; none
/// beyond the end. `None` if the text is too short.
#[inline]
pub(crate) fn masks<const N: usize>(
    text: &[u8],
    at: usize,
    classes: impl Fn(u8x16) -> [u8x16; N],
) -> Option<[u64; N]> {
    let last = text.len().checked_sub(LANES)?;
    let mut masks = [0; N];
    for shift in [0, LANES] {
        let wanted = at + shift;
        let from = wanted.min(last);
        let beyond = (wanted - from).min(LANES);
        let found = classes(u8x16::new(*text.get(from..)?.first_chunk()?));
        for (mask, found) in masks.iter_mut().zip(found) {
            *mask |= u64::from(found.to_bitmask()) >> beyond << shift;
        }
    }
    Some(masks)
}

/// Which bytes are in one of the sets of `SET`. The compiler works out the comparisons from the table.
#[inline]
pub(crate) fn of<const SET: Set>(bytes: u8x16) -> u8x16 {
    let others = const { Others::of(SET) };
    let mut found = u8x16::splat(0);
    for &(first, last) in others.runs.iter().take(others.count) {
        found |= if first == last { equal(bytes, first) } else { within(bytes, first, last) };
    }
    !found
}

/// The bytes that are not in some sets.
struct Others {
    /// The first and the last byte of each run; the first may be greater: behind 255 comes 0.
    runs: [(u8, u8); 16],
    count: usize,
}

impl Others {
    #[expect(clippy::cast_possible_truncation, reason = "bytes are counted")]
    const fn of(set: Set) -> Self {
        let mut others = Self { runs: [(0, 0); 16], count: 0 };
        let mut first = 0_u32;
        while first < 256 {
            let before = bytes::is((first as u8).wrapping_sub(1), set);
            if before && !bytes::is(first as u8, set) {
                let mut last = first as u8;
                while !bytes::is(last.wrapping_add(1), set) {
                    last = last.wrapping_add(1);
                }
                others.runs[others.count] = (first as u8, last);
                others.count += 1;
            }
            first += 1;
        }
        others
    }
}

/// Which bytes lie in the range.
#[inline]
pub(crate) fn within(bytes: u8x16, first: u8, last: u8) -> u8x16 {
    let from_first = bytes - u8x16::splat(first);
    from_first.simd_eq(from_first.min(u8x16::splat(last.wrapping_sub(first))))
}

/// Which bytes are that one.
#[inline]
pub(crate) fn equal(bytes: u8x16, byte: u8) -> u8x16 {
    bytes.simd_eq(u8x16::splat(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn every_byte_of_every_length_is_seen() {
        let is_small = |bytes| within(bytes, b'a', b'z');
        for length in 0..150 {
            let mut text: Vec<u8> = alloc::vec![b'a'; length];
            assert_eq!(all(&text, is_small), (length >= LANES).then_some(true));
            for at in 0..length {
                text[at] = b'`';
                assert_eq!(all(&text, is_small), (length >= LANES).then_some(false));
                for from in 0..length {
                    let expected = (at >= from && at < from + 32).then(|| 1 << (at - from));
                    let found = masks(&text, from, |bytes| [equal(bytes, b'`')]);
                    let expected = (length >= LANES).then_some([expected.unwrap_or(0)]);
                    assert_eq!(found, expected, "{at} of {length} from {from}");
                }
                text[at] = b'a';
            }
        }
    }
}
