//! A quill that puts a record together from chunks of fixed size.

use super::json::{self, PAIRS};
use super::said::{Piece, Said};
use urlsift_core::Report;

/// Writes into a room, from its start, and beyond the end of what counts. Who writes sees to it that all
/// fits; beyond the room's end it panics.
pub(super) struct Quill<'r, const ROOM: usize> {
    room: &'r mut [u8; ROOM],
    at: usize,
}

impl<'r, const ROOM: usize> Quill<'r, ROOM> {
    /// Goes on behind the first `at` bytes.
    #[inline(always)]
    pub(super) fn new(room: &'r mut [u8; ROOM], at: usize) -> Self {
        Self { room, at }
    }

    /// The room, and how much is written there.
    #[inline(always)]
    pub(super) fn into_parts(self) -> (&'r mut [u8; ROOM], usize) {
        (self.room, self.at)
    }

    /// How much is written.
    #[inline(always)]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    #[cfg(test)]
    pub(super) fn written(&self) -> &[u8] {
        &self.room[..self.at]
    }

    /// Goes back to where so much was written.
    #[inline(always)]
    pub(super) fn back_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Writes the first `len` bytes of `piece`, and for a moment all.
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, piece: &[u8; N], len: usize) {
        self.over(self.at, piece);
        self.at += len;
    }

    #[inline(always)]
    pub(super) fn piece<const N: usize>(&mut self, piece: &[u8; N]) {
        self.put(piece, N);
    }

    /// Writes over what stands at `at`.
    #[inline(always)]
    pub(super) fn over<const N: usize>(&mut self, at: usize, piece: &[u8; N]) {
        // One comparison: to slice does two.
        assert!(at <= ROOM - N);
        self.room[at..at + N].copy_from_slice(piece);
    }

    /// Bytes of any number, by a call.
    #[inline(always)]
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.room[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    /// A number, which most often has few digits.
    #[inline(always)]
    pub(super) fn number(&mut self, number: u64) {
        match usize::try_from(number) {
            Ok(number @ 0..SHORTER) => {
                let piece = &SHORT[number];
                self.put(piece, piece[3].into());
            }
            _ => self.at = long(self.room, self.at, number),
        }
    }

    /// A report, behind others.
    pub(super) fn report(&mut self, others: usize, report: &Report) {
        let Said { before, behind } = Said::of(report.code);
        self.put(b",", others.min(1));
        if report.level == report.code.level() {
            self.put(&before.bytes, before.len);
        } else {
            let (code, level) = (report.code.name(), report.level.name());
            let piece = ["{\"code\":\"", code, "\",\"level\":\"", level, "\",\"start\":"];
            let piece = Piece::<64>::new(&piece);
            self.put(&piece.bytes, piece.len);
        }
        self.number(report.span.start as u64);
        self.piece(b",\"end\":");
        self.number(report.span.end as u64);
        self.put(&behind.bytes, behind.len);
    }
}

/// As [`Quill::number`], at a place. Returns where it ends. (Where a function that is called can see the
/// quill itself, its place is kept in memory all the time.)
#[cold]
#[inline(never)]
fn long<const ROOM: usize>(room: &mut [u8; ROOM], at: usize, number: u64) -> usize {
    let mut digits = Vec::with_capacity(20);
    json::number(&mut digits, number);
    let mut quill = Quill { room, at };
    quill.bytes(&digits);
    quill.at
}

/// Numbers below this one stand in a table.
const SHORTER: usize = 1000;

/// Their digits, and at last how many there are.
static SHORT: [[u8; 4]; SHORTER] = {
    let mut table = [[0; 4]; SHORTER];
    let mut number = 0;
    while number < SHORTER {
        let ([_, hundreds], [tens, ones]) = (PAIRS[number / 100], PAIRS[number % 100]);
        table[number] = match number {
            ..10 => [ones, 0, 0, 1],
            10..100 => [tens, ones, 0, 2],
            _ => [hundreds, tens, ones, 3],
        };
        number += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::Quill;

    #[test]
    fn numbers_are_written_in_decimal() {
        for number in (0..1100).chain([9_999, 10_000, u64::MAX]) {
            let mut room = [0; 64];
            let mut quill = Quill::new(&mut room, 0);
            quill.number(number);
            assert_eq!(str::from_utf8(quill.written()).unwrap(), number.to_string());
        }
    }
}
