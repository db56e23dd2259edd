//! The record of a URL that is told at a [`glance`](urlsift_core::glance()), which is what nearly all
//! records of a link list are.
//!
//! Such a record is ten pieces that hardly differ from one to the next and three of the text that are
//! short. Each is copied as a chunk of fixed size, as vectors, and what it has too much the next one
//! overwrites: to copy just as many bytes as there are would be a call, or a branch that the processor
//! cannot guess. What is fixed stands in one piece, and a number's first digits are those of the number
//! before, so that they stand in a piece with its key.
//!
//! All that a record of a link list costs more than a line of text, lines, columns and findings
//! included, went from 1,860 instructions to 820, of which 350 are spent here.

use super::json::{self, PAIRS};
use super::record::{FileName, Gaps};
use super::roll::Roll;
use super::said::{Piece, Said};
use urlsift_core::{Glance, Report, Scheme, Span};
use urlsift_scanner::Form;

/// What there is to say of a URL that is told at a glance and valid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brief<'a> {
    pub(crate) file: &'a FileName,
    /// The text that it stands in, whose first byte is at offset `base` of the file.
    pub(crate) text: &'a [u8],
    pub(crate) base: u64,
    pub(crate) url: Span,
    pub(crate) seen: Glance,
    /// From 1; `None` where it is known only when the units before this one are.
    pub(crate) line: Option<u64>,
    /// In bytes, from 1; `None` where the line began in a unit before this one.
    pub(crate) column: Option<u64>,
    pub(crate) form: Form,
    pub(crate) quote_depth: u32,
    /// What there is to say after all; at most [`MOST`].
    pub(crate) findings: &'a [Report],
}

/// The most findings.
const MOST: usize = 4;

/// What was written last, of which the next record repeats much.
#[derive(Debug)]
pub(crate) struct Habits {
    start: Counter,
    end: Counter,
    line: Counter,
    column: Counter,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            start: Counter::new(b"\",\"start\":"),
            end: Counter::new(b",\"end\":"),
            line: Counter::new(b",\"line\":"),
            column: Counter::new(b",\"column\":"),
        }
    }
}

/// The longest start of a record.
const MAX_HEAD: usize = 512;

/// The longest record, with a chunk behind it: the URL is in it twice, and its host and fragment, each
/// of at most 128 bytes; what is fixed and the numbers have less than 450, and a finding less than 256.
const ROOM: usize = MAX_HEAD + 4 * 128 + 450 + MOST * 256 + 144;

impl Brief<'_> {
    /// Appends the record as one line of JSON Lines. Returns where the numbers go that were `None`,
    /// as offsets into `out`. Where it returns `None`, it did nothing.
    #[inline(always)]
    pub(crate) fn write(&self, habits: &mut Habits, out: &mut Roll) -> Option<Gaps> {
        if self.url.len() <= 64 {
            self.write_with::<64>(habits, out)
        } else {
            self.write_with::<128>(habits, out)
        }
    }

    #[inline(always)]
    fn write_with<const URL: usize>(&self, habits: &mut Habits, out: &mut Roll) -> Option<Gaps> {
        let Self { url, seen, .. } = self;
        let kind = kind(self.form, seen.scheme)?;
        let url_bytes = self.text.get(url.start..)?.first_chunk::<URL>()?;
        let host_bytes = self.text.get(seen.host.start..)?.first_chunk::<64>()?;
        let head = self.file.json_head();
        let too_long = url.len() > URL || seen.host.len() > 64 || head.len() > MAX_HEAD;
        if too_long || self.findings.len() > MOST {
            return None;
        }
        let fragment = match seen.fragment {
            Some(span) => Some((self.text.get(span.start..)?.first_chunk::<URL>()?, span.len())),
            None => None,
        };
        let start = self.base + url.start as u64;
        let from = out.len();
        let mut gaps = Gaps::default();

        let mut quill = Quill { room: out.room::<ROOM>(), at: 0 };
        for chunk in head.padded() {
            quill.piece(chunk);
        }
        quill.at = head.len();
        quill.put(url_bytes, url.len());
        habits.start.write(&mut quill, start);
        habits.end.write(&mut quill, start + url.len() as u64);
        match self.line {
            Some(line) => habits.line.write(&mut quill, line),
            None => gaps.line = Some(from + habits.line.write_none(&mut quill)),
        }
        match self.column {
            Some(column) => habits.column.write(&mut quill, column),
            None => gaps.column = Some(from + habits.column.write_none(&mut quill)),
        }
        quill.put(&kind.bytes, kind.len);
        if let Some(host_bytes) = host_bytes.first_chunk::<32>()
            && seen.host.len() <= 32
        {
            quill.put(host_bytes, seen.host.len());
        } else {
            quill.put(host_bytes, seen.host.len());
        }
        if let Some((fragment, len)) = fragment {
            quill.piece(b"\",\"fragment\":\"");
            quill.put(fragment, len);
            quill.piece(b"\"");
        } else {
            quill.piece(b"\",\"fragment\":null");
        }
        quill.piece(b",\"profile\":\"web\",\"valid\":true,\"violations\":[],\"findings\":[");
        self.findings.iter().enumerate().for_each(|(index, report)| quill.report(index, report));
        quill.piece(b"],\"joins\":[],\"readings\":[\"");
        quill.put(url_bytes, url.len());
        quill.piece(b"\"],\"quote_depth\":");
        if self.quote_depth == 0 {
            quill.piece(b"0");
        } else {
            Counter::new(b"").write(&mut quill, self.quote_depth.into());
        }
        quill.piece(b"}\n");
        let written = quill.at;
        out.grow(written);
        Some(gaps)
    }
}

/// Writes into a room, from its start, and beyond the end of what counts.
struct Quill<'r, const ROOM: usize> {
    room: &'r mut [u8; ROOM],
    at: usize,
}

impl<const ROOM: usize> Quill<'_, ROOM> {
    /// Writes the first `len` bytes of `piece`, and for a moment all.
    #[inline(always)]
    fn put<const N: usize>(&mut self, piece: &[u8; N], len: usize) {
        // One comparison: to slice does two.
        assert!(self.at <= ROOM - N);
        self.room[self.at..self.at + N].copy_from_slice(piece);
        self.at += len;
    }

    #[inline(always)]
    fn piece<const N: usize>(&mut self, piece: &[u8; N]) {
        self.put(piece, N);
    }

    /// A number below 10,000.
    #[inline(always)]
    fn small(&mut self, number: usize) {
        let zeros =
            3 - usize::from(number > 9) - usize::from(number > 99) - usize::from(number > 999);
        // The first digit stands in the lowest byte, and zeros before the number are no part of it.
        self.put(&(four(number) >> (8 * zeros)).to_le_bytes(), 4 - zeros);
    }

    /// A report on a URL of at most 128 bytes, behind others.
    fn report(&mut self, others: usize, report: &Report) {
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
        self.small(report.span.start % 10_000);
        self.piece(b",\"end\":");
        self.small(report.span.end % 10_000);
        self.put(&behind.bytes, behind.len);
    }
}

/// The four digits of a number below 10,000, the first in the lowest byte.
#[inline(always)]
fn four(number: usize) -> u32 {
    let pair = |of: usize| u32::from(u16::from_le_bytes(PAIRS[of]));
    pair(number / 100) | pair(number % 100) << 16
}

/// What stands between the numbers and the host.
#[inline(always)]
fn kind(form: Form, scheme: Scheme) -> Option<&'static Piece<48>> {
    const fn kind(form: Form, scheme: Scheme) -> Piece<48> {
        let (form, scheme) = (form.name(), scheme.name());
        Piece::new(&[",\"form\":\"", form, "\",\"scheme\":\"", scheme, "\",\"host\":\""])
    }
    const fn kinds(form: Form) -> [Piece<48>; 3] {
        [kind(form, Scheme::Http), kind(form, Scheme::Https), kind(form, Scheme::Ftp)]
    }
    static KINDS: [[Piece<48>; 3]; 4] =
        [kinds(Form::Bare), kinds(Form::Bracketed), kinds(Form::Wrapped), kinds(Form::Prefixed)];
    let form = match form {
        Form::Bare => 0,
        Form::Bracketed => 1,
        Form::Wrapped => 2,
        Form::Prefixed => 3,
        _ => return None,
    };
    let scheme = match scheme {
        Scheme::Http => 0,
        Scheme::Https => 1,
        Scheme::Ftp => 2,
        _ => return None,
    };
    Some(&KINDS[form][scheme])
}

/// Writes a key and a number, which is most often a little greater than the one before: the digits
/// but the last four stay what they were.
#[derive(Debug)]
struct Counter {
    /// The number without its last four digits, which are zero.
    base: u64,
    /// The key and the first digits of `base`, if there are any.
    piece: Piece<32>,
    /// The length of the key.
    key: usize,
}

impl Counter {
    fn new(key: &[u8]) -> Self {
        let mut piece = Piece { bytes: [0; 32], len: key.len() };
        piece.bytes[..key.len()].copy_from_slice(key);
        Self { base: 0, piece, key: key.len() }
    }

    #[inline(always)]
    fn write<const ROOM: usize>(&mut self, quill: &mut Quill<'_, ROOM>, number: u64) {
        let mut low = number.wrapping_sub(self.base);
        if low >= 10_000 {
            low = self.turn(number);
        }
        quill.put(&self.piece.bytes, self.piece.len);
        let low = usize::try_from(low).unwrap_or(0) % 10_000;
        if self.base > 0 {
            quill.piece(&four(low).to_le_bytes());
        } else {
            quill.small(low);
        }
    }

    /// The key without a number. Returns where that belongs.
    fn write_none<const ROOM: usize>(&self, quill: &mut Quill<'_, ROOM>) -> usize {
        quill.put(&self.piece.bytes, self.key);
        quill.at
    }

    /// Takes another base. Returns what the number is more.
    #[cold]
    fn turn(&mut self, number: u64) -> u64 {
        let mut digits = Vec::with_capacity(20);
        if number >= 10_000 {
            json::number(&mut digits, number / 10_000);
        }
        self.base = number - number % 10_000;
        self.piece.len = self.key + digits.len();
        self.piece.bytes[self.key..self.piece.len].copy_from_slice(&digits);
        number % 10_000
    }
}

#[cfg(test)]
mod tests {
    use super::{Counter, Quill};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_written_in_decimal(numbers in prop::collection::vec((any::<u64>(), 0_u32..64), 1..9)) {
            let mut counter = Counter::new(b"\",\"start\":");
            for (number, shift) in numbers {
                for number in [number >> shift, (number >> shift).saturating_add(1), 10_u64.pow(shift % 20)] {
                    let mut quill = Quill { room: &mut [0; 64], at: 0 };
                    counter.write(&mut quill, number);
                    let written = str::from_utf8(&quill.room[..quill.at]).unwrap();
                    prop_assert_eq!(written, format!("\",\"start\":{number}"));
                }
            }
        }
    }
}
