//! The trigger for x86-64 with AVX-512 and VBMI: 64 bytes at a time, each looked up in a table by one
//! instruction.
//!
//! The bytes before a colon are looked at as pairs, which leaves out half of what AVX2 must leave to the
//! rule. The loop does as much as the ports of Intel's processors allow: 3 ns for 64 bytes. A survey of a URL
//! costs a third of what it costs with AVX2.
#![allow(
    unsafe_code,
    reason = "vector loads take raw pointers, and AVX-512 must be known to be there"
)]

use crate::simd::Survey;
use crate::simd::url_masks::{AMPERSAND, ENTITY, HASH, Look, MARK, MEMBER, NAME, QUESTION};
use crate::trigger::rule::Rule;
use crate::trigger::{Trigger, Window, portable, window};
use std::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_si512, _mm512_mask_cmpeq_epi8_mask,
    _mm512_mask_test_epi8_mask, _mm512_min_epu8, _mm512_movepi8_mask, _mm512_permutex2var_epi8,
    _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_srli_epi16, _mm512_test_epi8_mask,
};

/// Bytes of a vector.
const LANES: usize = 64;

/// How many bytes before a colon are looked at.
const REACH: usize = 2;

/// What each of the ASCII bytes is, a bit for each class. That one exists proves that the machine has
/// AVX-512 with BW and VBMI.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))] // a load over the end of a line of the cache takes twice as long
pub(crate) struct Table {
    low: [u8; 64],
    high: [u8; 64],
}

impl Table {
    /// `None` if the machine lacks the instructions, or if more than ASCII has a class.
    pub(crate) fn new(classes: &[u8; 256]) -> Option<Self> {
        let (ascii, beyond) = classes.split_at(128);
        let (low, high) = ascii.split_at(64);
        if !are_there() || beyond.iter().any(|&class| class != 0) {
            return None;
        }
        Some(Self { low: low.try_into().ok()?, high: high.try_into().ok()? })
    }

    /// The first byte at or after `from` without a class, or where the rest begins that is too short
    /// for a vector.
    #[inline]
    pub(crate) fn run(&self, text: &[u8], from: usize) -> Result<usize, usize> {
        // SAFETY: that `self` exists proves that the machine has the instructions.
        unsafe { run(self, text, from) }
    }

    /// Which bytes of the block are of the classes 1, 2 and 4.
    #[inline]
    pub(crate) fn classes(&self, block: &[u8; LANES]) -> [u64; 3] {
        // SAFETY: that `self` exists proves that the machine has the instructions.
        unsafe { classes(self, block) }
    }

    /// Sets `found` to the survey from byte `at` on, if the bytes' classes are those of a survey.
    #[inline(always)]
    pub(crate) fn survey(&self, text: &[u8], at: usize, found: &mut Survey) {
        // SAFETY: that `self` exists proves that the machine has the instructions.
        unsafe { survey(self, text, at, found) }
    }
}

/// Whether the machine has the instructions.
fn are_there() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
}

/// The bytes that make a colon an anchor: it may be one if the last byte before it and the last but one share a
/// bit. That they exist proves the same as a [`Table`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letters {
    last: Twos,
    second: Twos,
}

/// What each two ASCII bytes are that differ in the lowest bit. On Intel's processors a lookup in it takes one
/// operation, in [`Table`] three, and what one byte too much is taken for, the rule knows better.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Twos([u8; 64]);

/// What all bytes above 7F are taken for. It is none that a scheme ends with.
const HIGH: u8 = 0x7F;

impl Letters {
    /// `None` if the machine lacks the instructions.
    pub(crate) fn new(rule: &Rule) -> Option<Self> {
        if !are_there() {
            return None;
        }
        let (mut last, mut second) = ([0; 64], [0; 64]);
        // Which kinds of bytes may stand before each last one, and its bit: the last ones before which the
        // same may stand share it.
        let mut sets: Vec<(u32, u8)> = Vec::new();
        for end in (0..HIGH).filter(|&byte| rule.may_end(byte)) {
            let before = rule.before(end);
            let known = sets.iter().find(|(other, _)| *other == before).map(|&(_, bit)| bit);
            last[usize::from(end / 2)] |= known.unwrap_or_else(|| {
                let bit = 1 << (sets.len() % 8);
                sets.push((before, bit));
                bit
            });
        }
        for byte in 0..HIGH {
            let with = sets.iter().filter(|(before, _)| Rule::is_among(byte, *before));
            second[usize::from(byte / 2)] |= with.fold(0, |bits, (_, bit)| bits | bit);
        }
        second[usize::from(HIGH / 2)] = u8::MAX;
        Some(Self { last: Twos(last), second: Twos(second) })
    }

    /// As [`Trigger::find`].
    #[inline]
    pub(crate) fn find(
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
fn classes(table: &Table, block: &[u8; LANES]) -> [u64; 3] {
    let bytes = load(block);
    let found = _mm512_permutex2var_epi8(load(&table.low), bytes, load(&table.high));
    // The lookup sees the lowest seven bits.
    let ascii = !_mm512_movepi8_mask(bytes);
    [1, 2, 4].map(|class| ascii & _mm512_test_epi8_mask(found, _mm512_set1_epi8(class)))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn survey(table: &Table, text: &[u8], from: usize, survey: &mut Survey) {
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
    });
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
    let (lasts, seconds) = (load(&letters.last.0), load(&letters.second.0));
    let colon = _mm512_set1_epi8(b':'.cast_signed());
    let slash = _mm512_set1_epi8(b'/'.cast_signed());
    let most = _mm512_set1_epi8(HIGH.cast_signed());
    // The colons before a slash, and those behind two bytes that allow an anchor, of the 64 bytes from
    // `at` on, which must be in `REACH..=last`.
    let look = |at: usize| -> u64 {
        window::fetch_next(text, at);
        let load_at = |at: usize| -> __m512i {
            // SAFETY: called with `at - REACH` to `at + 1` for an `at` in `REACH..=last`: from byte 0 to
            // byte `last + 1 + LANES`, which is the length. The load needs no alignment.
            unsafe { _mm512_loadu_si512(text.as_ptr().add(at).cast()) }
        };
        // A lookup sees the lowest six bits of the half. That a byte above 7F may be taken for the last letter
        // of a scheme does no harm.
        let look_up = |bytes, table| _mm512_permutexvar_epi8(_mm512_srli_epi16::<1>(bytes), table);
        let behind = look_up(load_at(at - 1), lasts);
        let before = look_up(_mm512_min_epu8(load_at(at - 2), most), seconds);
        let colons = _mm512_cmpeq_epi8_mask(load_at(at), colon);
        let slashed = _mm512_mask_cmpeq_epi8_mask(colons, load_at(at + 1), slash);
        slashed | _mm512_mask_test_epi8_mask(colons, behind, before)
    };
    // A load over the end of a line of the cache takes twice as long: one in four need not be one.
    let ahead = text.as_ptr().addr().wrapping_add(from) % LANES;
    let at = if from >= ahead + REACH { from - ahead } else { from };
    window.fill(from, at, last, look)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn load(bytes: &[u8; LANES]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}
