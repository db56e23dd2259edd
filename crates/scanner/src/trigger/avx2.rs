//! The trigger for x86-64 with AVX2: 32 bytes at a time, colon and neighbours at once.
#![allow(
    unsafe_code,
    reason = "vector loads take raw pointers, and AVX2 must be known to be there"
)]

use super::{Survey, Trigger, WORDS, Window, portable};
use std::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_testz_si256,
};

/// Bytes of a vector.
const LANES: usize = 32;

/// Bytes of a window.
const WINDOW: usize = 64 * WORDS;

/// A set of ASCII bytes in the form in which two shuffles decide for 32 bytes whether they belong.
/// That one exists proves that the machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    /// Indexed by a byte's low half: bit n is set if the byte with the high half n is in the set.
    rows: [u8; 16],
}

/// Indexed by a byte's high half: its bit in [`Table::rows`]. Bytes above 7F have none.
const COLUMNS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

impl Table {
    /// `None` if the machine has no AVX2, or if the set holds more than ASCII.
    pub(super) fn new(members: &[bool; 256]) -> Option<Self> {
        let (ascii, high) = members.split_at(128);
        if high.contains(&true) || !is_x86_feature_detected!("avx2") {
            return None;
        }
        let mut rows = [0; 16];
        for (byte, _) in ascii.iter().enumerate().filter(|(_, belongs)| **belongs) {
            rows[byte & 15] |= 1 << (byte >> 4);
        }
        Some(Self { rows })
    }

    /// The first byte at or after `from` that is not in the set, or where the rest begins that is
    /// too short for a vector.
    #[inline]
    pub(super) fn run(&self, text: &[u8], from: usize) -> Result<usize, usize> {
        // SAFETY: that `self` exists proves that the machine has AVX2.
        unsafe { run(&self.rows, text, from) }
    }

    /// The survey from byte `at` on, if this is the set of bytes that belong to URLs and `names` that of
    /// host names. `None` if the run does not end before the text is too short for two vectors.
    #[inline(always)]
    pub(super) fn survey(&self, names: &Self, text: &[u8], at: usize) -> Option<Survey> {
        // SAFETY: that `self` exists proves that the machine has AVX2.
        unsafe { survey(&self.rows, &names.rows, text, at) }
    }

    /// As [`Trigger::find`], if this is the set of bytes that make the colon after them an anchor.
    #[inline]
    pub(super) fn find(
        &self,
        trigger: &Trigger,
        text: &[u8],
        from: usize,
        window: &mut Window,
    ) -> Option<()> {
        // The vectors reach one byte back and one ahead: the first and last bytes go the other way.
        let mut at = from;
        if at == 0 {
            if text.first() == Some(&b':') && trigger.allows(text, 0) {
                return portable::find(trigger, text, 0, window);
            }
            at = 1;
        }
        // SAFETY: that `self` exists proves that the machine has AVX2.
        match unsafe { search(&self.rows, text, at, window) } {
            Ok(()) => Some(()),
            Err(rest) => portable::find(trigger, text, rest, window),
        }
    }
}

#[target_feature(enable = "avx2")]
fn survey(members: &[u8; 16], names: &[u8; 16], text: &[u8], from: usize) -> Option<Survey> {
    let members = _mm256_broadcastsi128_si256(half(members));
    let names = _mm256_broadcastsi128_si256(half(names));
    let columns = _mm256_broadcastsi128_si256(half(&COLUMNS));
    let low_half = _mm256_set1_epi8(0x0F);
    let zero = _mm256_setzero_si256();
    let mask = |found: __m256i| u64::from(_mm256_movemask_epi8(found).cast_unsigned());
    let equal =
        |bytes: __m256i, byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte.cast_signed()));
    let pair = |first: __m256i, second: __m256i| mask(first) | mask(second) << LANES;
    // The bytes of a vector that are no members, and those that are not in names.
    let look = |block: &[u8; LANES]| -> (__m256i, u64, u64) {
        // SAFETY: the block has the 32 bytes that are read, and the load needs no alignment.
        let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().cast()) };
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), low_half);
        let column = _mm256_shuffle_epi8(columns, high);
        let others = |rows: __m256i| -> u64 {
            let belongs = _mm256_and_si256(_mm256_shuffle_epi8(rows, bytes), column);
            mask(_mm256_cmpeq_epi8(belongs, zero))
        };
        (bytes, others(members), others(names))
    };
    let mut survey = Survey::default();
    let mut at = from;
    loop {
        let ([first, second], _) =
            text.get(at..)?.as_chunks::<LANES>().0.split_first_chunk::<2>()?;
        let ((first, others, nameless), (second, more_others, more_nameless)) =
            (look(first), look(second));
        let others = others | more_others << LANES;
        let belong = others.wrapping_sub(1) & !others;
        survey.hashes |= pair(equal(first, b'#'), equal(second, b'#')) & belong;
        survey.questions |= pair(equal(first, b'?'), equal(second, b'?')) & belong;
        survey.ampersands |= pair(equal(first, b'&'), equal(second, b'&')) & belong;
        if at == from {
            survey.names = !(nameless | more_nameless << LANES);
            let marks = |bytes| _mm256_or_si256(equal(bytes, b'.'), equal(bytes, b'-'));
            survey.marks = pair(marks(first), marks(second));
        }
        if others != 0 {
            survey.run = at - from + others.trailing_zeros() as usize;
            return Some(survey);
        }
        at += 2 * LANES;
    }
}

/// Looks at two vectors at a time: most URLs end within them, so that the processor guesses right.
#[target_feature(enable = "avx2")]
fn run(rows: &[u8; 16], text: &[u8], from: usize) -> Result<usize, usize> {
    let rows = _mm256_broadcastsi128_si256(half(rows));
    let columns = _mm256_broadcastsi128_si256(half(&COLUMNS));
    let low_half = _mm256_set1_epi8(0x0F);
    let zero = _mm256_setzero_si256();
    // The bytes of a vector that are not in the set.
    let others = |block: &[u8; LANES]| -> u64 {
        // SAFETY: the block has the 32 bytes that are read, and the load needs no alignment.
        let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().cast()) };
        let row = _mm256_shuffle_epi8(rows, bytes);
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), low_half);
        let belongs = _mm256_and_si256(row, _mm256_shuffle_epi8(columns, high));
        u64::from(_mm256_movemask_epi8(_mm256_cmpeq_epi8(belongs, zero)).cast_unsigned())
    };
    let mut at = from;
    while let Some(([first, second], _)) =
        text.get(at..).and_then(|rest| rest.as_chunks::<LANES>().0.split_first_chunk::<2>())
    {
        let others = others(first) | others(second) << LANES;
        if others != 0 {
            return Ok(at + others.trailing_zeros() as usize);
        }
        at += 2 * LANES;
    }
    Err(at)
}

/// Sets the next window from byte `from` on, or says where the rest begins that is too short for a
/// vector.
///
/// `from` must be at least 1.
#[target_feature(enable = "avx2")]
fn search(rows: &[u8; 16], text: &[u8], from: usize, window: &mut Window) -> Result<(), usize> {
    assert!(from >= 1, "a byte has one before it");
    // The last place where a vector and one byte after it fit.
    let Some(last) = text.len().checked_sub(LANES + 1) else { return Err(from) };

    let rows = _mm256_broadcastsi128_si256(half(rows));
    let columns = _mm256_broadcastsi128_si256(half(&COLUMNS));
    let low_half = _mm256_set1_epi8(0x0F);
    let colon = _mm256_set1_epi8(b':'.cast_signed());
    let slash = _mm256_set1_epi8(b'/'.cast_signed());
    let zero = _mm256_setzero_si256();

    // Bytes whose neighbours make an anchor, and bytes that are colons: an anchor is where both are
    // not zero. `at` must be in `1..=last`.
    let look = |at: usize| -> (__m256i, __m256i) {
        let load = |at: usize| -> __m256i {
            // SAFETY: called with `at - 1` to `at + 1` for an `at` in `1..=last`: from byte 0 to
            // byte `last + 1 + LANES`, which is the length. The load needs no alignment.
            unsafe { _mm256_loadu_si256(text.as_ptr().add(at).cast()) }
        };
        let before = load(at - 1);
        // A shuffle takes the low half of a byte as index, and gives 0 for bytes above 7F.
        let row = _mm256_shuffle_epi8(rows, before);
        let column = _mm256_shuffle_epi8(
            columns,
            _mm256_and_si256(_mm256_srli_epi16::<4>(before), low_half),
        );
        let slashed = _mm256_cmpeq_epi8(load(at + 1), slash);
        let neighbours = _mm256_or_si256(_mm256_and_si256(row, column), slashed);
        (neighbours, _mm256_cmpeq_epi8(load(at), colon))
    };
    let mask = |(neighbours, colons): (__m256i, __m256i)| -> u64 {
        let not = _mm256_cmpeq_epi8(_mm256_and_si256(neighbours, colons), zero);
        u64::from(!_mm256_movemask_epi8(not).cast_unsigned())
    };

    let mut at = from;
    while at <= last {
        let found = look(at);
        if _mm256_testz_si256(found.0, found.1) == 0 {
            let mut masks = [mask(found), 0, 0, 0];
            let mut end = at + LANES;
            // Where there is one anchor there are often more: a whole window, if it fits.
            if last - at >= WINDOW - LANES {
                masks[0] |= mask(look(at + LANES)) << 32;
                for (word, masks) in masks.iter_mut().enumerate().skip(1) {
                    let at = at + 64 * word;
                    *masks = mask(look(at)) | mask(look(at + LANES)) << 32;
                }
                end = at + WINDOW;
            }
            *window = Window::new(at, end, masks);
            return Ok(());
        }
        at += LANES;
    }
    Err(at)
}

/// Sixteen bytes as half a vector.
#[target_feature(enable = "avx2")]
fn half(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the array has the sixteen bytes that are read, and the load needs no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}
