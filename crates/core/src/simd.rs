//! Tests sixteen bytes at a time with portable vectors from the crate `wide`, in safe code. Uses
//! only SSE2 and NEON, which every x86-64 and 64-bit ARM processor has, so nothing is detected at
//! run time.
//!
//! A *class* is a function that returns a vector with all bits set in the lanes of the bytes that
//! belong to it, and zeros in the others.

use crate::bytes::{self, Set};
use wide::u8x16;

/// The number of bytes in a vector.
const LANES: usize = 16;

/// True if all bytes of `text` are in `class`. An empty text gives true.
///
/// Texts of up to 64 bytes, which most URLs are, are tested without a loop, because the processor
/// would mispredict the end of the loop.
#[inline(always)]
pub(crate) fn all_in_class(text: &[u8], class: impl Fn(u8x16) -> u8x16) -> bool {
    let Some(last) = text.len().checked_sub(LANES) else {
        // Padding with the first byte doesn't change the result.
        let padded = load_padded(text, text.first().copied());
        return text.is_empty() || (!class(padded)).to_bitmask() == 0;
    };
    let others = |at: usize| !class(load_16(text, at.min(last)).unwrap_or_default());
    let mut found = (others(0) | others(LANES)) | (others(2 * LANES) | others(3 * LANES));
    let mut at = 4 * LANES;
    while at < text.len() {
        found |= others(at);
        at += LANES;
    }
    found.to_bitmask() == 0
}

/// Tests 32 bytes of `text` from byte `start` on, which must be at most 32. Returns a bit mask for
/// each of `classes`, in which the bits of the bytes in the class are 1. Bit 0 is the first byte of
/// the text, not of the 32.
///
/// Short texts are padded with zeros, which must not be in any class.
#[inline(always)]
pub(crate) fn class_masks<const N: usize>(
    text: &[u8],
    start: usize,
    classes: impl Fn(u8x16) -> [u8x16; N],
) -> [u64; N] {
    let masks = |bytes| classes(bytes).map(|found| u64::from(found.to_bitmask()));
    let Some(last) = text.len().checked_sub(LANES) else {
        return masks(load_padded(text, None));
    };
    let mut all = [0; N];
    for at in [start.min(last), (start + LANES).min(last)] {
        let found = masks(load_16(text, at).unwrap_or_default());
        for (mask, found) in all.iter_mut().zip(found) {
            *mask |= found << at;
        }
    }
    all
}

/// Returns the offset of the first byte at or after `from` that is in `class`, or `None` if there
/// is none. The class must not contain NUL.
#[inline]
pub(crate) fn find_in_class(
    text: &[u8],
    from: usize,
    class: impl Fn(u8x16) -> u8x16,
) -> Option<usize> {
    let mut at = from;
    while let Some(bytes) = load_16(text, at) {
        let found = class(bytes).to_bitmask();
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += LANES;
    }
    // The last vector overlaps the one before. A short text is padded with NUL.
    let start = text.len().saturating_sub(LANES);
    let bytes = load_16(text, start).unwrap_or_else(|| load_padded(text, None));
    let found = class(bytes).to_bitmask() >> at.checked_sub(start).filter(|skip| *skip < LANES)?;
    (found != 0).then(|| at + found.trailing_zeros() as usize)
}

/// Returns the sixteen bytes from byte `at` on, or `None` if fewer are left.
#[inline]
fn load_16(text: &[u8], at: usize) -> Option<u8x16> {
    Some(u8x16::new(*text.get(at..)?.first_chunk()?))
}

/// Returns `text`, which has fewer than sixteen bytes, as a vector. The rest of the vector is
/// filled with `byte`, or with zeros if `byte` is `None`.
///
/// The vector is built in registers, because a load of bytes that were just copied stalls the
/// processor. Such stalls made short URLs take 1.5 times as long as long ones.
#[inline]
fn load_padded(text: &[u8], byte: Option<u8>) -> u8x16 {
    let byte = byte.unwrap_or(0);
    let (Some(first), Some(last), 8..LANES) = (text.first_chunk(), text.last_chunk(), text.len())
    else {
        return load_padded_by_copy(text, byte);
    };
    let unused_bits = 8 * (LANES - 1 - text.len());
    let rest = u64::from_le_bytes(*last) >> unused_bits >> 8;
    let fill = u64::from_le_bytes([byte; 8]) << (56 - unused_bits);
    let bytes = u128::from(rest | fill) << 64 | u128::from(u64::from_le_bytes(*first));
    u8x16::new(bytes.to_le_bytes())
}

/// Copies a text of fewer than sixteen bytes into a vector, padded with `byte`. This is the slow
/// path of [`load_padded`].
#[cold]
fn load_padded_by_copy(text: &[u8], byte: u8) -> u8x16 {
    let mut bytes = [byte; LANES];
    bytes.iter_mut().zip(text).for_each(|(byte, of_text)| *byte = *of_text);
    u8x16::new(bytes)
}

/// Returns a vector that marks those of `bytes` that are in at least one of the character sets in
/// `SET`.
///
/// The comparisons are derived from the table of character sets at compile time. They match either
/// the bytes in the sets or all others, whichever needs fewer comparisons.
#[inline]
pub(crate) fn in_set<const SET: Set>(bytes: u8x16) -> u8x16 {
    let (inside, others) =
        const { (ByteRanges::from_set(SET, true), ByteRanges::from_set(SET, false)) };
    if inside.count < others.count { inside.matches(bytes) } else { !others.matches(bytes) }
}

/// A list of byte ranges that together contain exactly the bytes in some character sets, or exactly
/// the bytes in none of these sets.
struct ByteRanges {
    runs: [ByteRange; 16],
    count: usize,
}

/// A range of consecutive byte values, or two such ranges whose values differ in one bit.
#[derive(Clone, Copy)]
struct ByteRange {
    first: u8,
    /// The last byte. May be smaller than the first, because ranges wrap from 255 to 0.
    last: u8,
    /// A bit that is set in all bytes of the range, or 0. The same bytes without that bit match as
    /// well.
    either: u8,
}

impl ByteRanges {
    #[expect(clippy::cast_possible_truncation, reason = "bytes are counted")]
    const fn from_set(set: Set, inside: bool) -> Self {
        let mut runs = Self { runs: [ByteRange { first: 0, last: 0, either: 0 }; 16], count: 0 };
        let mut byte = 0_u32;
        while byte < 256 {
            let first = byte as u8;
            if bytes::is_in(first, set) == inside
                && bytes::is_in(first.wrapping_sub(1), set) != inside
            {
                let mut last = first;
                while bytes::is_in(last.wrapping_add(1), set) == inside {
                    last = last.wrapping_add(1);
                }
                runs.add_range(first, last);
            }
            byte += 1;
        }
        runs
    }

    /// Adds the range `first..=last`. Merges it with an earlier range if the two differ in one bit.
    const fn add_range(&mut self, first: u8, last: u8) {
        let mut at = 0;
        while at < self.count {
            let ByteRange { first: low, last: high, either } = self.runs[at];
            let bit = first ^ low;
            // The bit is set in the whole range if it is set at both ends and the range is short
            // enough.
            let is_set = first & last & bit != 0 && last.wrapping_sub(first) < bit;
            if either == 0 && bit.is_power_of_two() && last ^ high == bit && is_set {
                self.runs[at] = ByteRange { first, last, either: bit };
                return;
            }
            at += 1;
        }
        self.runs[self.count] = ByteRange { first, last, either: 0 };
        self.count += 1;
    }

    #[inline]
    fn matches(&self, bytes: u8x16) -> u8x16 {
        let mut found = u8x16::splat(0);
        for &ByteRange { first, last, either } in self.runs.iter().take(self.count) {
            let bytes = if either == 0 { bytes } else { bytes | u8x16::splat(either) };
            found |=
                if first == last { equal_to(bytes, first) } else { in_range(bytes, first, last) };
        }
        found
    }
}

/// Returns a vector that marks those of `bytes` that are between `first` and `last`, inclusive.
#[inline]
pub(crate) fn in_range(bytes: u8x16, first: u8, last: u8) -> u8x16 {
    let from_first = bytes - u8x16::splat(first);
    from_first.simd_eq(from_first.min(u8x16::splat(last.wrapping_sub(first))))
}

/// Returns a vector that marks those of `bytes` that are equal to `byte`.
#[inline]
pub(crate) fn equal_to(bytes: u8x16, byte: u8) -> u8x16 {
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
                let found = in_set::<SET>(u8x16::splat(byte)).to_bitmask() != 0;
                assert_eq!(found, bytes::is_in(byte, SET), "{byte} of {SET:b}");
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
        let is_small = |bytes| in_range(bytes, b'a', b'z');
        for length in 0..150 {
            let mut text: Vec<u8> = alloc::vec![b'a'; length];
            assert!(all_in_class(&text, is_small));
            for at in 0..length {
                text[at] = b'`';
                assert!(!all_in_class(&text, is_small));
                for from in 0..length.min(33) {
                    let seen = (from.min(length.saturating_sub(LANES))..from + 32).contains(&at);
                    let expected = if seen { 1_u64 << at } else { 0 };
                    let found = class_masks(&text, from, |bytes| [equal_to(bytes, b'`')]);
                    assert_eq!(found, [expected], "{at} of {length} from {from}");
                }
                text[at] = b'a';
            }
        }
    }
}
