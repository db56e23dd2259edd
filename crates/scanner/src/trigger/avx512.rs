//! The trigger for x86-64 with AVX-512 and VBMI: 64 bytes at a time, each looked up in a table of
//! 128 by one instruction.
//!
//! Against AVX2 these are eleven instructions for 64 bytes and not thirty, and where there may be an
//! anchor the byte before is looked at in the same way, which leaves out half of the others. On prose
//! all of it is worth a twentieth of the time, since the loop waits for memory (2026-11-21, Zen 5); a
//! survey of a URL costs a third.
#![allow(
    unsafe_code,
    reason = "vector loads take raw pointers, and AVX-512 must be known to be there"
)]

use super::survey::{AMPERSAND, ENTITY, HASH, Look, MARK, MEMBER, NAME, QUESTION};
use super::{Pairs, Survey, Trigger, WORDS, Window, portable};
use crate::scheme::SCHEME_BYTE;
use std::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_si512, _mm512_mask_cmpeq_epi8_mask,
    _mm512_mask_test_epi8_mask, _mm512_movepi8_mask, _mm512_permutex2var_epi8, _mm512_set1_epi8,
    _mm512_test_epi8_mask,
};

/// Bytes of a vector.
const LANES: usize = 64;

/// How many bytes before a colon are looked at.
const REACH: usize = 2;

/// Bytes of a window.
const WINDOW: usize = LANES * WORDS;

/// What each of the ASCII bytes is, a bit for each class. That one exists proves that the machine has
/// AVX-512 with BW and VBMI.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))] // a load over the end of a line of the cache takes twice as long
pub(super) struct Table {
    low: [u8; 64],
    high: [u8; 64],
}

impl Table {
    /// `None` if the machine lacks the instructions, or if more than ASCII has a class.
    pub(super) fn new(classes: &[u8; 256]) -> Option<Self> {
        let (ascii, beyond) = classes.split_at(128);
        let (low, high) = ascii.split_at(64);
        let exists = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi");
        if !exists || beyond.iter().any(|&class| class != 0) {
            return None;
        }
        Some(Self { low: low.try_into().ok()?, high: high.try_into().ok()? })
    }

    /// The first byte at or after `from` without a class, or where the rest begins that is too short
    /// for a vector.
    #[inline]
    pub(super) fn run(&self, text: &[u8], from: usize) -> Result<usize, usize> {
        // SAFETY: that `self` exists proves that the machine has the instructions.
        unsafe { run(self, text, from) }
    }

    /// Sets `found` to the survey from byte `at` on, if the bytes' classes are those of a survey. `None` if
    /// the run does not end before the text is too short for a vector.
    #[inline(always)]
    pub(super) fn survey(&self, text: &[u8], at: usize, found: &mut Survey) -> Option<()> {
        // SAFETY: that `self` exists proves that the machine has the instructions.
        unsafe { survey(self, text, at, found) }
    }
}

/// The letters that make a colon an anchor, a bit for each few schemes: a colon is one if the last
/// and the last but one share a bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters {
    last: Table,
    second: Table,
}

/// The bit of blanks: before one, other layout or a letter that ends a scheme may stand.
const BLANK: u8 = 0x80;

impl Letters {
    /// For the schemes that are found without `//`, the bytes that make an anchor of a colon behind them,
    /// and the ends of all known schemes. `None` as for [`Table::new`].
    pub(super) fn new(schemes: &[&[u8]], before: &[bool; 256], known: &Pairs) -> Option<Self> {
        let mut last = [0; 256];
        for (byte, bits) in last.iter_mut().enumerate() {
            *bits = if before[byte] && super::PARTS[byte] { BLANK } else { 0 };
        }
        let mut second: [u8; 256] = std::array::from_fn(|byte| match u8::try_from(byte) {
            Ok(byte) if byte.is_ascii() => {
                if super::PARTS[usize::from(byte)] {
                    0xFF
                } else if SCHEME_BYTE[usize::from(byte)] && known.end_in(byte) {
                    BLANK
                } else {
                    0
                }
            }
            _ => 0,
        });
        for (n, name) in schemes.iter().enumerate() {
            let bit = 1 << (n % 7);
            let [ahead @ .., end] = name else { continue };
            // As the rule has it: by the lowest five bits, in which the letters of either case agree.
            let is = |letter: u8, byte: usize| usize::from(letter) & 31 == byte & 31;
            for byte in 0..128 {
                if before[byte] && !super::PARTS[byte] && is(*end, byte) {
                    last[byte] |= bit;
                }
                if ahead.last().is_none_or(|&letter| is(letter, byte)) {
                    second[byte] |= bit;
                }
            }
        }
        Some(Self { last: Table::new(&last)?, second: Table::new(&second)? })
    }

    /// As [`Trigger::find`].
    #[inline]
    pub(super) fn find(
        &self,
        trigger: &Trigger,
        text: &[u8],
        from: usize,
        window: &mut Window,
    ) -> Option<()> {
        // The vectors reach two bytes back and one ahead: the first and last bytes go the other way.
        if from < REACH && text.iter().take(REACH).skip(from).any(|&byte| byte == b':') {
            return portable::find(trigger, text, from, window);
        }
        // SAFETY: that the tables exist proves that the machine has the instructions.
        match unsafe { search(self, text, from.max(REACH), window) } {
            Ok(()) => Some(()),
            Err(rest) => portable::find(trigger, text, rest, window),
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn run(table: &Table, text: &[u8], from: usize) -> Result<usize, usize> {
    let (low, high) = (load(&table.low), load(&table.high));
    let mut at = from;
    while let Some(block) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let bytes = load(block);
        let found = _mm512_permutex2var_epi8(low, bytes, high);
        // The lookup sees the lowest seven bits.
        let others = !_mm512_test_epi8_mask(found, found) | _mm512_movepi8_mask(bytes);
        if others != 0 {
            return Ok(at + others.trailing_zeros() as usize);
        }
        at += LANES;
    }
    Err(at)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn survey(table: &Table, text: &[u8], from: usize, survey: &mut Survey) -> Option<()> {
    let (low, high) = (load(&table.low), load(&table.high));
    survey.fill(text, from, |block| {
        let bytes = load(block);
        let found = _mm512_permutex2var_epi8(low, bytes, high);
        let class = |class: u8| _mm512_test_epi8_mask(found, _mm512_set1_epi8(class.cast_signed()));
        Look {
            // The lookup sees the lowest seven bits.
            others: !class(MEMBER) | _mm512_movepi8_mask(bytes),
            names: class(NAME),
            marks: class(MARK),
            hashes: class(HASH),
            questions: class(QUESTION),
            ampersands: class(AMPERSAND),
            entities: class(ENTITY),
        }
    })
}

/// Sets the next window from byte `from` on, or says where the rest begins that is too short for a
/// vector.
///
/// `from` must be at least [`REACH`].
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn search(letters: &Letters, text: &[u8], from: usize, window: &mut Window) -> Result<(), usize> {
    assert!(from >= REACH, "a byte has some before it");
    // The last place where a vector and one byte after it fit.
    let Some(last) = text.len().checked_sub(LANES + 1) else { return Err(from) };
    let (low, high) = (load(&letters.last.low), load(&letters.last.high));
    let colon = _mm512_set1_epi8(b':'.cast_signed());
    let slash = _mm512_set1_epi8(b'/'.cast_signed());
    let load_at = |at: usize| -> __m512i {
        // SAFETY: called with `at - REACH` to `at + 1` for an `at` in `REACH..=last`: from byte 0 to
        // byte `last + 1 + LANES`, which is the length. The load needs no alignment.
        unsafe { _mm512_loadu_si512(text.as_ptr().add(at).cast()) }
    };
    // The colons before a slash, and those behind a byte that allows an anchor with the bits of those
    // bytes. `at` must be in `REACH..=last`. A byte above 7F is taken for the one without its highest
    // bit: the rule itself, which is asked at each anchor, knows better.
    let look = |at: usize| -> (u64, u64, __m512i) {
        let behind = _mm512_permutex2var_epi8(low, load_at(at - 1), high);
        let colons = _mm512_cmpeq_epi8_mask(load_at(at), colon);
        let slashed = _mm512_mask_cmpeq_epi8_mask(colons, load_at(at + 1), slash);
        (slashed, _mm512_mask_test_epi8_mask(colons, behind, behind), behind)
    };
    // What is left of them by the byte before that. This is only asked where there is something: of
    // the letters alone three in four are no scheme's.
    let second = |at: usize, (slashed, lettered, behind): (u64, u64, __m512i)| -> u64 {
        let bytes = load_at(at - 2);
        let (low, high) = (load(&letters.second.low), load(&letters.second.high));
        let before = _mm512_permutex2var_epi8(low, bytes, high);
        let paired = _mm512_mask_test_epi8_mask(lettered, behind, before);
        slashed | paired | lettered & _mm512_movepi8_mask(bytes)
    };
    let mut at = from;
    while at <= last {
        let found = look(at);
        if found.0 | found.1 != 0 {
            let first = second(at, found);
            if first == 0 {
                at += LANES;
                continue;
            }
            let mut masks = [first, 0, 0, 0];
            let mut end = at + LANES;
            // Where there is one anchor there are often more: a whole window, if it fits.
            if last - at >= WINDOW - LANES {
                for (word, mask) in masks.iter_mut().enumerate().skip(1) {
                    let at = at + LANES * word;
                    *mask = second(at, look(at));
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

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn load(bytes: &[u8; LANES]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}
