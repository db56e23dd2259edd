//! The x86-64 implementation with AVX2: 32 bytes at a time.
#![allow(unsafe_code, reason = "vector loads take raw pointers, and callers must check for AVX2")]

use super::{Window, window};
use crate::options::Engine;
use std::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm256_adds_epu8, _mm256_and_si256,
    _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_srli_epi16,
};

/// The number of bytes in a vector.
const LANES: usize = 32;

/// A set of ASCII bytes, stored so that two shuffles test 32 bytes for membership. A value of this
/// type proves that the machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    /// Indexed by a byte's low half: bit n is set if the byte with the high half n is in the set.
    rows: [u8; 16],
}

/// Indexed by a byte's high half: its bit in [`Table::rows`], or 0 for bytes above 7F.
const COLUMNS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

impl Table {
    /// Builds the table of the bytes whose entry in `members` is true. Returns `None` if the engine
    /// or the machine has no AVX2, or if the set contains non-ASCII bytes.
    pub(crate) fn new(engine: Engine, members: &[bool; 256]) -> Option<Self> {
        let (ascii, high) = members.split_at(128);
        if engine != Engine::Avx2 || high.contains(&true) || !is_x86_feature_detected!("avx2") {
            return None;
        }
        let mut rows = [0; 16];
        for (byte, _) in ascii.iter().enumerate().filter(|(_, belongs)| **belongs) {
            rows[byte & 15] |= 1 << (byte >> 4);
        }
        Some(Self { rows })
    }

    /// Returns the offset of the first byte at or after `from` that is not in the set. If there is
    /// none, returns as an error the offset of the remaining bytes that are too few for a vector.
    #[inline]
    pub(crate) fn run_end(&self, text: &[u8], from: usize) -> Result<usize, usize> {
        // SAFETY: a `Table` exists only if the machine has AVX2.
        unsafe { run_end(&self.rows, text, from) }
    }

    /// Moves `window` to the next window, at or after byte `from` (at least 1), that contains a
    /// possible anchor. That is a colon after a byte of the set, or before a slash.
    ///
    /// If there is none, returns as an error the offset of the remaining bytes that are too few for
    /// a vector.
    #[inline]
    pub(crate) fn next_window(
        &self,
        text: &[u8],
        from: usize,
        window: &mut Window,
    ) -> Result<(), usize> {
        // SAFETY: a `Table` exists only if the machine has AVX2.
        unsafe { search_window(&self.rows, text, from, window) }
    }
}

/// Does the work of [`Table::run_end`]. Tests two vectors at a time: most URLs end within them, so
/// the branch is predictable.
#[target_feature(enable = "avx2")]
fn run_end(rows: &[u8; 16], text: &[u8], from: usize) -> Result<usize, usize> {
    let rows = _mm256_broadcastsi128_si256(load_half(rows));
    let mut at = from;
    while let Some(block) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let (first, second) = load_block(block);
        let stops = high_bit_mask(non_members_of(rows, first), non_members_of(rows, second));
        if stops != 0 {
            return Ok(at + stops.trailing_zeros() as usize);
        }
        at += 2 * LANES;
    }
    Err(at)
}

/// Returns a vector that is not zero for each of `bytes` that is not in the set whose table has the
/// rows `rows`.
#[target_feature(enable = "avx2")]
fn non_members_of(rows: __m256i, bytes: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(members_of(rows, bytes), _mm256_setzero_si256())
}

/// Returns a vector that is not zero for each of `bytes` that is in the set whose table has the
/// rows `rows`.
#[target_feature(enable = "avx2")]
fn members_of(rows: __m256i, bytes: __m256i) -> __m256i {
    let columns = _mm256_broadcastsi128_si256(load_half(&COLUMNS));
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0x0F));
    // A shuffle uses the low half of a byte as the index, and gives 0 for bytes above 7F.
    _mm256_and_si256(_mm256_shuffle_epi8(rows, bytes), _mm256_shuffle_epi8(columns, high))
}

/// Returns a bit mask of the 64 bytes in the vectors `first` and `second`. A bit is 1 if the
/// highest bit of the byte is 1. Bit 0 is the first byte of `first`.
#[target_feature(enable = "avx2")]
fn high_bit_mask(first: __m256i, second: __m256i) -> u64 {
    let mask = |bytes| u64::from(_mm256_movemask_epi8(bytes).cast_unsigned());
    mask(first) | mask(second) << LANES
}

/// Loads a block of 64 bytes into two vectors.
#[target_feature(enable = "avx2")]
fn load_block(block: &[u8; 2 * LANES]) -> (__m256i, __m256i) {
    // SAFETY: the block has the 64 bytes that are read, and the loads need no alignment.
    unsafe {
        let first = block.as_ptr();
        (_mm256_loadu_si256(first.cast()), _mm256_loadu_si256(first.add(LANES).cast()))
    }
}

/// Does the work of [`Table::next_window`].
#[target_feature(enable = "avx2")]
fn search_window(
    rows: &[u8; 16],
    text: &[u8],
    from: usize,
    window: &mut Window,
) -> Result<(), usize> {
    assert!(from >= 1, "a byte has one before it");
    // The last offset from which two vectors and one byte after them fit into the text.
    let Some(last) = text.len().checked_sub(2 * LANES + 1) else { return Err(from) };

    let rows = _mm256_broadcastsi128_si256(load_half(rows));
    let colon = _mm256_set1_epi8(b':'.cast_signed());
    let slash = _mm256_set1_epi8(b'/'.cast_signed());

    // Not zero where there is a colon whose neighbors allow an anchor, for the 32 bytes from `at`
    // on. `at` must be in `1..=last + LANES`.
    let anchors_at = |at: usize| -> __m256i {
        let load = |at: usize| -> __m256i {
            // SAFETY: called with `at - 1` to `at + 1` for an `at` in `1..=last + LANES`: this
            // reads from byte 0 up to byte `last + 1 + 2 * LANES`, exclusive, which is the length.
            // The load needs no alignment.
            unsafe { _mm256_loadu_si256(text.as_ptr().add(at).cast()) }
        };
        let before = members_of(rows, load(at - 1));
        let slashed = _mm256_cmpeq_epi8(load(at + 1), slash);
        let neighbors = _mm256_or_si256(before, slashed);
        _mm256_and_si256(neighbors, _mm256_cmpeq_epi8(load(at), colon))
    };
    // A saturating addition of 7F sets the highest bit of every byte that is not 0.
    let seven_bits = _mm256_set1_epi8(0x7F);
    let bits = |first: __m256i, second: __m256i| -> u64 {
        high_bit_mask(_mm256_adds_epu8(first, seven_bits), _mm256_adds_epu8(second, seven_bits))
    };

    window.fill_next(from, last, |at| {
        window::fetch_next(text, at);
        bits(anchors_at(at), anchors_at(at + LANES))
    })
}

/// Loads sixteen bytes into half a vector.
#[target_feature(enable = "avx2")]
fn load_half(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the array has the sixteen bytes that are read, and the load needs no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}
