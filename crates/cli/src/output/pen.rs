//! A pen that puts a record together on a page, piece by piece.
//!
//! A field appended to a vector costs a call, or at least a look at the vector's room, and there are
//! thirty in a record. On a page of fixed size a piece of fixed size costs a comparison and one or
//! two moves; the page is appended to the sheet at once. This brought a record of a link list from
//! 1,400 instructions to 700.
#![allow(clippy::inline_always, reason = "so that the place on the page stays in a register")]

use super::json::PAIRS;
use std::ops::Range;

/// Bytes of a page.
pub(crate) const PAGE: usize = 4096;

/// Writes on a page, from its start. Who writes sees to it that all fits; beyond the page's end it
/// panics.
pub(crate) struct Pen<'p> {
    page: &'p mut [u8; PAGE],
    at: usize,
}

impl<'p> Pen<'p> {
    pub(crate) fn new(page: &'p mut [u8; PAGE]) -> Self {
        Self { page, at: 0 }
    }

    /// How much is written.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// What is written.
    #[inline]
    pub(crate) fn written(&self) -> &[u8] {
        &self.page[..self.at]
    }

    /// Writes a piece of fixed size.
    #[inline]
    pub(crate) fn piece<const N: usize>(&mut self, piece: &[u8; N]) {
        self.put(0, piece);
        self.at += N;
    }

    /// Writes any bytes; short ones without a call.
    #[inline(always)]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        let len = bytes.len();
        match len {
            4..8 => self.ends::<4>(bytes),
            8..16 => self.ends::<8>(bytes),
            16..32 => self.ends::<16>(bytes),
            _ => self.page[self.at..self.at + len].copy_from_slice(bytes),
        }
        self.at += len;
    }

    /// Writes once more what stands there.
    #[inline]
    pub(crate) fn again(&mut self, written: Range<usize>) {
        let len = written.len();
        if let Some(piece) = self.page[written.start..].first_chunk::<64>()
            && len <= 64
        {
            // What is copied beyond it is written over.
            let piece = *piece;
            self.put(0, &piece);
        } else {
            self.page.copy_within(written, self.at);
        }
        self.at += len;
    }

    /// The first `N` bytes and the last, which may overlap.
    #[inline]
    fn ends<const N: usize>(&mut self, bytes: &[u8]) {
        if let (Some(first), Some(last)) = (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) {
            self.put(0, first);
            self.put(bytes.len() - N, last);
        }
    }

    #[inline]
    fn put<const N: usize>(&mut self, from: usize, piece: &[u8; N]) {
        let at = self.at + from;
        self.page[at..at + N].copy_from_slice(piece);
    }

    /// Writes a number below 10,000.
    #[inline]
    fn small(&mut self, number: usize) {
        let digits = u32::from_le_bytes(four(number));
        let len =
            1 + usize::from(number > 9) + usize::from(number > 99) + usize::from(number > 999);
        // The first digit stands in the lowest byte, and zeros before the number are no part of it.
        self.put(0, &(digits >> (8 * (4 - len))).to_le_bytes());
        self.at += len;
    }
}

/// The four digits of a number below 10,000.
#[inline]
fn four(number: usize) -> [u8; 4] {
    let ([a, b], [c, d]) = (PAIRS[number / 100 % 100], PAIRS[number % 100]);
    [a, b, c, d]
}

/// Writes numbers that grow slowly: all digits but the last four are most often those of the number
/// before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Decimal {
    /// The number without its last four digits, and its digits.
    high: u64,
    digits: [u8; 16],
    len: usize,
}

impl Decimal {
    #[inline(always)]
    pub(crate) fn write(&mut self, pen: &mut Pen<'_>, number: u64) {
        let (high, low) = (number / 10_000, usize::try_from(number % 10_000).unwrap_or(0));
        if high == 0 {
            pen.small(low);
            return;
        }
        if high != self.high {
            self.turn(high);
        }
        pen.put(0, &self.digits);
        pen.at += self.len;
        pen.piece(&four(low));
    }

    #[cold]
    fn turn(&mut self, high: u64) {
        let mut digits = Vec::with_capacity(16);
        super::json::number(&mut digits, high);
        self.high = high;
        self.digits = [0; 16];
        self.len = digits.len().min(16);
        self.digits[..self.len].copy_from_slice(&digits[..self.len]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Decimal, PAGE, Pen};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_written_in_decimal(numbers in prop::collection::vec((any::<u64>(), 0_u32..64), 1..9)) {
            let mut decimal = Decimal::default();
            for (number, shift) in numbers {
                for number in [number >> shift, (number >> shift).saturating_add(1), 10_u64.pow(shift % 20)] {
                    let mut page = [b'!'; PAGE];
                    let mut pen = Pen::new(&mut page);
                    decimal.write(&mut pen, number);
                    prop_assert_eq!(str::from_utf8(pen.written()), Ok(&*number.to_string()));
                }
            }
        }

        #[test]
        fn bytes_are_copied(texts in prop::collection::vec("[a-z]{0,80}", 0..9)) {
            let mut page = [b'!'; PAGE];
            let mut pen = Pen::new(&mut page);
            for text in &texts {
                let from = pen.at();
                pen.bytes(text.as_bytes());
                pen.piece(b"-");
                pen.again(from..from + text.len());
            }
            let all: Vec<_> = texts.iter().flat_map(|text| [text.as_str(), "-", text]).collect();
            prop_assert_eq!(str::from_utf8(pen.written()), Ok(&*all.concat()));
        }
    }
}
