//! Where a URL stands, as a record says it: four numbers, three of which are most often a little greater
//! than in the record before.

use super::json;
use super::quill::Quill;
use super::record::Gaps;
use urlsift_core::FileSpan;

const START: &[u8] = b"\",\"start\":";
const END: &[u8] = b",\"end\":";
const LINE: &[u8] = b",\"line\":";
const COLUMN: &[u8; 10] = b",\"column\":";

/// All keys, and three numbers of at most twenty digits.
const LONGEST: usize = 96;

/// The place that was written last. The next one is written as one piece, and then over it the last four
/// digits of three numbers: the digits before them stay what they were.
#[derive(Debug)]
pub(crate) struct Place {
    /// `","start":...,"end":...,"line":...,"column":`
    bytes: [u8; LONGEST],
    len: usize,
    start: Digits,
    end: Digits,
    line: Digits,
    /// Where the line's number starts.
    line_at: usize,
}

impl Default for Place {
    fn default() -> Self {
        let none = Digits::default();
        Self { bytes: [0; LONGEST], len: 0, start: none, end: none, line: none, line_at: 0 }
    }
}

/// The digits of a number that change.
#[derive(Clone, Copy, Debug, Default)]
struct Digits {
    /// The numbers that have the same digits before them, and as many in all: so many from the first on.
    first: u64,
    count: u64,
    /// What the digits before them amount to.
    base: u64,
    /// Where the number's last four bytes are, or those of its key and its digits.
    at: usize,
    /// What of the four is the key's, and the digits' places, the first byte in the lowest bits.
    key: u32,
    mask: u32,
}

impl Digits {
    #[inline(always)]
    fn holds(&self, number: u64) -> bool {
        number.wrapping_sub(self.first) < self.count
    }

    /// What changes of `number`, which it must hold.
    #[inline(always)]
    fn low(&self, number: u64) -> u64 {
        number.wrapping_sub(self.base)
    }

    /// The number's last four bytes, the first in the lowest bits, by its last four digits.
    #[inline(always)]
    fn last(&self, digits: u32) -> [u8; 4] {
        (digits & self.mask | self.key).to_le_bytes()
    }
}

/// The four digits of each of two numbers below 10,000, the first in the lowest bits. All divisions are
/// done for both at once, by multiplications whose results stay apart.
#[inline(always)]
fn digits(numbers: [u64; 2]) -> [u32; 2] {
    const EACH: u64 = 1 << 32 | 1;
    const PAIR: u64 = EACH << 16 | EACH;
    let both = numbers[0] | numbers[1] << 32;
    let hundreds = both.wrapping_mul(5243) >> 19 & (0x7F * EACH);
    // The hundreds, and above them what is left.
    let pairs = (both << 16).wrapping_sub(hundreds.wrapping_mul((100 << 16) - 1));
    let tens = pairs.wrapping_mul(103) >> 10 & (0xF * PAIR);
    let single = (pairs << 8).wrapping_sub(tens.wrapping_mul((10 << 8) - 1));
    let written = single | u64::from_le_bytes([b'0'; 8]);
    [low_half(written), low_half(written >> 32)]
}

#[expect(clippy::cast_possible_truncation, reason = "the other half is asked for on its own")]
#[inline(always)]
fn low_half(both: u64) -> u32 {
    both as u32
}

impl Place {
    /// Writes the keys and numbers of a place. Returns where those belong that are `None`.
    #[inline(always)]
    pub(super) fn write<const ROOM: usize>(
        &mut self,
        quill: &mut Quill<'_, ROOM>,
        span: FileSpan,
        line: Option<u64>,
        column: Option<u64>,
    ) -> Gaps {
        let number = line.unwrap_or(self.line.first);
        if !(self.start.holds(span.start) && self.end.holds(span.end) && self.line.holds(number)) {
            self.turn(span, number);
        }
        let at = quill.at();
        quill.put(&self.bytes, self.len);
        let [start, end] = digits([self.start.low(span.start), self.end.low(span.end)]);
        let [last_of_line, _] = digits([self.line.low(number), 0]);
        quill.over(at + self.start.at, &self.start.last(start));
        quill.over(at + self.end.at, &self.end.last(end));
        quill.over(at + self.line.at, &self.line.last(last_of_line));
        let mut gaps = Gaps::default();
        if line.is_none() {
            quill.back_to(at + self.line_at);
            gaps.line = Some(quill.at());
            quill.piece(COLUMN);
        }
        match column {
            Some(column) => quill.number(column),
            None => gaps.column = Some(quill.at()),
        }
        gaps
    }

    /// Takes other digits.
    #[cold]
    #[inline(never)]
    fn turn(&mut self, span: FileSpan, line: u64) {
        self.len = 0;
        self.start = self.append(START, span.start);
        self.end = self.append(END, span.end);
        self.line_at = self.len + LINE.len();
        self.line = self.append(LINE, line);
        self.extend(COLUMN);
    }

    fn extend(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        self.bytes[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }

    fn append(&mut self, key: &[u8], number: u64) -> Digits {
        let mut digits = Vec::with_capacity(20);
        json::number(&mut digits, number);
        self.extend(key);
        self.extend(&digits);
        let (base, first, count) = match digits.len() {
            1 => (0, 0, 10),
            2 => (0, 10, 90),
            3 => (0, 100, 900),
            4 => (0, 1000, 9000),
            _ => (number - number % 10_000, number - number % 10_000, 10_000),
        };
        let mask = u32::MAX << (8 * (4 - digits.len().min(4)));
        let at = self.len - 4;
        let bytes = self.bytes[at..].first_chunk().map_or(0, |&bytes| u32::from_le_bytes(bytes));
        Digits { first, count, base, at, key: bytes & !mask, mask }
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, Quill, digits};
    use proptest::prelude::*;
    use urlsift_core::FileSpan;

    #[test]
    fn four_digits_are_those_of_the_number() {
        for number in 0..10_000 {
            let other = 9_999 - number;
            let written = digits([number, other]).map(u32::to_le_bytes);
            let expected = [number, other].map(|number| format!("{number:04}"));
            assert_eq!(written.map(|four| String::from_utf8(four.to_vec()).unwrap()), expected);
        }
    }

    proptest! {
        #[test]
        fn numbers_are_written_in_decimal(
            numbers in prop::collection::vec((any::<[u64; 3]>(), any::<[u8; 3]>(), 0_u64..2000), 1..9),
            known in prop::collection::vec(any::<(bool, bool)>(), 9),
        ) {
            let mut place = Place::default();
            for ((numbers, shifts, column), (line_known, column_known)) in numbers.into_iter().zip(known) {
                for more in [0, 1, 77, 5000] {
                    let number = |n: usize| (numbers[n] >> (shifts[n] % 64)).saturating_add(more);
                    let (start, end, line) = (number(0), number(1), number(2));
                    let mut room = [0; 256];
                    let mut quill = Quill::new(&mut room, 0);
                    let (some_line, some_column) = (line_known.then_some(line), column_known.then_some(column));
                    let gaps = place.write(&mut quill, FileSpan { start, end }, some_line, some_column);
                    quill.bytes(b"}");
                    let mut written = String::from_utf8(quill.written().to_vec()).unwrap();
                    prop_assert_eq!((gaps.line.is_none(), gaps.column.is_none()), (line_known, column_known));
                    if let Some(at) = gaps.column {
                        written.insert_str(at, &column.to_string());
                    }
                    if let Some(at) = gaps.line {
                        written.insert_str(at, &line.to_string());
                    }
                    let expected = format!(r#"","start":{start},"end":{end},"line":{line},"column":{column}}}"#);
                    prop_assert_eq!(written, expected);
                }
            }
        }
    }
}
