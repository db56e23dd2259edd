//! Sixteen bytes at a time: vectors in safe code, by the crate `wide`. SSE2 and NEON are there on
//! every x86-64 and 64-bit ARM, and nothing is detected.

use crate::bytes::{self, Set};
use wide::u8x16;

/// The number of bytes that are tested at once.
const LANES: usize = 16;

/// Tests each byte from `start` on, and up to 15 bytes before it to fill a vector, with a function
/// that returns ones or zeros. True if all bytes are in the class.
///
/// Most URLs need no loop: the end of a loop depends on the URL, and the processor would mispredict
/// it.
#[inline]
pub(crate) fn all(text: &[u8], start: usize, class: impl Fn(u8x16) -> u8x16) -> bool {
    // Repeating the first byte does not change the result.
    let load = |at| load(text, at).unwrap_or_else(|| padded(text, text.first().copied()));
    let last = text.len().saturating_sub(LANES);
    let mut others = !class(load(start.min(last)));
    others |= !class(load((start + LANES).min(last)));
    let mut at = start + 2 * LANES;
    while at < text.len() {
        others |= !class(load(at.min(last)));
        at += LANES;
    }
    text.is_empty() || others.to_bitmask() == 0
}

/// Returns masks of each class for the 32 bytes from `start` on, with the text's first byte in the
/// lowest bit. The start is at most 32. Short texts are padded with zeros, which must be in no
/// class.
#[inline]
pub(crate) fn masks<const N: usize>(
    text: &[u8],
    start: usize,
    classes: impl Fn(u8x16) -> [u8x16; N],
) -> [u64; N] {
    let last = text.len().saturating_sub(LANES);
    let mut masks = [0; N];
    for at in [start.min(last), (start + LANES).min(last)] {
        let bytes = load(text, at).unwrap_or_else(|| padded(text, None));
        for (mask, found) in masks.iter_mut().zip(classes(bytes)) {
            *mask |= u64::from(found.to_bitmask()) << at;
        }
    }
    masks
}

/// The number of bytes in two vectors.
pub(crate) const SHORT: usize = 2 * LANES;

/// Returns these masks for all bytes of a text of at most [`SHORT`] bytes.
#[inline]
pub(crate) fn masks_of_short<const N: usize>(
    text: &[u8],
    classes: impl Fn(u8x16) -> [u8x16; N],
) -> [u64; N] {
    let masks = |bytes| classes(bytes).map(|found| u64::from(found.to_bitmask()));
    let (Some(first), Some(last)) = (load(text, 0), load(text, text.len().saturating_sub(LANES)))
    else {
        return masks(padded(text, None));
    };
    let (mut all, last) = (masks(first), masks(last));
    for (mask, more) in all.iter_mut().zip(last) {
        *mask |= more << (text.len() - LANES);
    }
    all
}

/// Returns the sixteen bytes from `at` on, if there are that many.
#[inline]
fn load(text: &[u8], at: usize) -> Option<u8x16> {
    Some(u8x16::new(*text.get(at..)?.first_chunk()?))
}

/// Returns a text of fewer than sixteen bytes, padded with the given byte or zeros.
///
/// The vector is built in registers: loading bytes that were just copied stalls, which made short
/// URLs half as expensive again as long ones.
#[inline]
fn padded(text: &[u8], byte: Option<u8>) -> u8x16 {
    let byte = byte.unwrap_or(0);
    let (Some(first), Some(last), 8..LANES) = (text.first_chunk(), text.last_chunk(), text.len())
    else {
        return copied(text, byte);
    };
    let behind = 8 * (LANES - 1 - text.len());
    let rest = u64::from_le_bytes(*last) >> behind >> 8;
    let fill = u64::from_le_bytes([byte; 8]) << (56 - behind);
    let bytes = u128::from(rest | fill) << 64 | u128::from(u64::from_le_bytes(*first));
    u8x16::new(bytes.to_le_bytes())
}

/// Pads a text of any smaller length.
#[cold]
fn copied(text: &[u8], byte: u8) -> u8x16 {
    let mut bytes = [byte; LANES];
    bytes.iter_mut().zip(text).for_each(|(byte, of_text)| *byte = *of_text);
    u8x16::new(bytes)
}

/// Returns which bytes are in one of the sets of `SET`. The compiler derives the comparisons from
/// the table: those that match the sets' bytes, or all others if that needs fewer.
#[inline]
pub(crate) fn of<const SET: Set>(bytes: u8x16) -> u8x16 {
    let (inside, others) = const { (Runs::of(SET, true), Runs::of(SET, false)) };
    if inside.count < others.count { inside.find(bytes) } else { !others.find(bytes) }
}

/// The bytes that are in some sets, or those that are not.
struct Runs {
    runs: [Run; 16],
    count: usize,
}

/// Bytes that follow one another.
#[derive(Clone, Copy)]
struct Run {
    first: u8,
    /// May be smaller than the first: ranges wrap from 255 to 0.
    last: u8,
    /// A bit that is set in all of them, or 0. The bytes without that bit match, too.
    either: u8,
}

impl Runs {
    #[expect(clippy::cast_possible_truncation, reason = "bytes are counted")]
    const fn of(set: Set, inside: bool) -> Self {
        let mut runs = Self { runs: [Run { first: 0, last: 0, either: 0 }; 16], count: 0 };
        let mut byte = 0_u32;
        while byte < 256 {
            let first = byte as u8;
            if bytes::is(first, set) == inside && bytes::is(first.wrapping_sub(1), set) != inside {
                let mut last = first;
                while bytes::is(last.wrapping_add(1), set) == inside {
                    last = last.wrapping_add(1);
                }
                runs.add(first, last);
            }
            byte += 1;
        }
        runs
    }

    /// Adds a run, to an earlier one if they differ by one bit.
    const fn add(&mut self, first: u8, last: u8) {
        let mut at = 0;
        while at < self.count {
            let Run { first: low, last: high, either } = self.runs[at];
            let bit = first ^ low;
            // The bit is set in the whole run if it is at its ends, and the run too short to lose it.
            let is_set = first & last & bit != 0 && last.wrapping_sub(first) < bit;
            if either == 0 && bit.is_power_of_two() && last ^ high == bit && is_set {
                self.runs[at] = Run { first, last, either: bit };
                return;
            }
            at += 1;
        }
        self.runs[self.count] = Run { first, last, either: 0 };
        self.count += 1;
    }

    #[inline]
    fn find(&self, bytes: u8x16) -> u8x16 {
        let mut found = u8x16::splat(0);
        for &Run { first, last, either } in self.runs.iter().take(self.count) {
            let bytes = if either == 0 { bytes } else { bytes | u8x16::splat(either) };
            found |= if first == last { equal(bytes, first) } else { within(bytes, first, last) };
        }
        found
    }
}

/// Returns which bytes are in the range.
#[inline]
pub(crate) fn within(bytes: u8x16, first: u8, last: u8) -> u8x16 {
    let from_first = bytes - u8x16::splat(first);
    from_first.simd_eq(from_first.min(u8x16::splat(last.wrapping_sub(first))))
}

/// Returns which bytes equal `byte`.
#[inline]
pub(crate) fn equal(bytes: u8x16, byte: u8) -> u8x16 {
    bytes.simd_eq(u8x16::splat(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn sets_match_the_table() {
        fn check<const SET: Set>() {
            for byte in 0..=255 {
                let found = of::<SET>(u8x16::splat(byte)).to_bitmask() != 0;
                assert_eq!(found, bytes::is(byte, SET), "{byte} of {SET:b}");
            }
        }
        check::<{ bytes::HOSTNAME }>();
        check::<{ bytes::ALPHA | bytes::DIGIT }>();
        check::<{ bytes::WEB_QUERY }>();
        check::<{ bytes::QUIET }>();
        check::<{ bytes::SEGMENT }>();
        check::<{ bytes::UNSAFE }>();
        check::<{ bytes::HEX }>();
    }

    #[test]
    fn every_byte_of_every_length_is_tested() {
        let is_small = |bytes| within(bytes, b'a', b'z');
        for length in 0..150 {
            let mut text: Vec<u8> = alloc::vec![b'a'; length];
            assert!(all(&text, 0, is_small));
            for at in 0..length {
                text[at] = b'`';
                assert!(!all(&text, 0, is_small));
                for from in 0..length {
                    let seen = at >= from.min(length.saturating_sub(LANES));
                    assert_eq!(all(&text, from, is_small), !seen);
                    if from <= 32 {
                        let seen = seen && at < from + 32;
                        let expected = if seen { 1_u64 << at } else { 0 };
                        let found = masks(&text, from, |bytes| [equal(bytes, b'`')]);
                        assert_eq!(found, [expected], "{at} of {length} from {from}");
                    }
                }
                if length <= SHORT {
                    let found = masks_of_short(&text, |bytes| [equal(bytes, b'`')]);
                    assert_eq!(found, [1 << at], "{at} of {length}");
                }
                text[at] = b'a';
            }
        }
    }
}
