//! The runs of a map, packed: most take three bytes, where they would take forty as they are.

use super::run::{Kind, Run};
use crate::Span;
use alloc::vec::Vec;

/// How many runs are read one after the other to find one.
const STRIDE: usize = 16;

/// What is known before a run is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mark {
    /// Where it stands in the bytes.
    at: usize,
    /// Where it starts in the derived text.
    derived: usize,
    /// Where the source of the run before it ends.
    source: usize,
}

/// Runs in the order of the derived text, without gaps there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Runs {
    bytes: Vec<u8>,
    /// Of every sixteenth run but the first.
    marks: Vec<Mark>,
    /// Behind the last run.
    end: Mark,
    len: usize,
}

impl Runs {
    pub(super) const fn new() -> Self {
        let end = Mark { at: 0, derived: 0, source: 0 };
        Self { bytes: Vec::new(), marks: Vec::new(), end, len: 0 }
    }

    /// How many there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The length of the derived text.
    pub(super) fn derived(&self) -> usize {
        self.end.derived
    }

    /// Where the source of the last one ends.
    pub(super) fn source_end(&self) -> usize {
        self.end.source
    }

    /// Appends a run, which starts in the derived text where the last one ends.
    pub(super) fn push(&mut self, run: &Run) {
        if self.len > 0 && self.len.is_multiple_of(STRIDE) {
            self.marks.push(self.end);
        }
        self.len += 1;
        // The sign is the lowest bit, so that small steps to both sides are short.
        let (from, to) = (self.end.source as u64, run.source.start as u64);
        let step = if from <= to { (to - from) << 1 } else { (from - to) << 1 | 1 };
        let (kind, rest): (_, &[u8]) = match run.kind {
            Kind::Copied => (0, &[]),
            Kind::Replaced => (1, &[]),
            Kind::Group { from, to, phase } => (2, &[from, to, phase]),
            Kind::Lines { from, to, groups, gap, phase } => {
                let [high, low] = phase.to_be_bytes();
                (3, &[from, to, groups, gap, high, low])
            }
        };
        self.write(step << 2 | kind);
        self.write(run.len as u64);
        if run.kind != Kind::Copied {
            self.write(run.source.len() as u64);
        }
        self.bytes.extend_from_slice(rest);
        self.end = Mark { at: self.bytes.len(), derived: run.end(), source: run.source.end };
    }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    fn write(&mut self, mut number: u64) {
        while number > 0x7F {
            self.bytes.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.bytes.push(number.to_le_bytes()[0]);
    }

    /// The runs from the one on that holds byte `at` of the derived text. Logarithmic.
    pub(super) fn from(&self, at: usize) -> RunsFrom<'_> {
        let mark = self.marks.partition_point(|mark| mark.derived <= at);
        let mark = mark.checked_sub(1).and_then(|mark| self.marks.get(mark));
        let mut runs = RunsFrom { bytes: &self.bytes, mark: mark.copied().unwrap_or_default() };
        let mut before = runs.clone();
        while runs.next().is_some_and(|run| run.end() <= at) {
            before.clone_from(&runs);
        }
        before
    }
}

/// See [`Runs::from`].
#[derive(Clone, Debug)]
pub(super) struct RunsFrom<'r> {
    bytes: &'r [u8],
    mark: Mark,
}

impl RunsFrom<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.mark.at)?;
        self.mark.at += 1;
        Some(*byte)
    }

    fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }
}

impl Iterator for RunsFrom<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        let first = self.number()?;
        let len = self.length()?;
        let kind = first & 3;
        let source_len = if kind == 0 { len } else { self.length()? };
        let kind = match kind {
            0 => Kind::Copied,
            1 => Kind::Replaced,
            2 => Kind::Group { from: self.byte()?, to: self.byte()?, phase: self.byte()? },
            _ => Kind::Lines {
                from: self.byte()?,
                to: self.byte()?,
                groups: self.byte()?,
                gap: self.byte()?,
                phase: u16::from_be_bytes([self.byte()?, self.byte()?]),
            },
        };
        let step = usize::try_from(first >> 3).ok()?;
        let before = self.mark.source;
        let start = if first & 4 == 0 { before + step } else { before - step };
        let source = Span::new(start, start + source_len);
        let run = Run { derived: self.mark.derived, len, source, kind };
        (self.mark.derived, self.mark.source) = (run.end(), source.end);
        Some(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_read_again() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |most: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state >> 33).unwrap() % most
        };
        for count in [0, 1, 7, 8, 9, 16, 17, 300] {
            let (mut runs, mut all, mut derived) = (Runs::default(), Vec::new(), 0);
            for _ in 0..count {
                let len = 1 + below(200);
                let most = 2 << below(24);
                let start = below(most);
                let mut source = Span::new(start, start + below(100_000));
                let kind = match below(4) {
                    0 => {
                        source.end = start + len;
                        Kind::Copied
                    }
                    1 => Kind::Replaced,
                    2 => Kind::Group { from: 4, to: 3, phase: 2 },
                    _ => Kind::Lines { from: 3, to: 1, groups: 255, gap: 200, phase: 40_000 },
                };
                let run = Run { derived, len, source, kind };
                derived = run.end();
                runs.push(&run);
                all.push(run);
            }
            assert_eq!((runs.len(), runs.derived()), (count, derived));
            assert_eq!(runs.source_end(), all.last().map_or(0, |run: &Run| run.source.end));
            for at in (0..derived + 2).step_by(7) {
                let first = all.partition_point(|run| run.end() <= at);
                assert_eq!(runs.from(at).collect::<Vec<_>>(), all[first..], "{count} {at}");
            }
        }
    }
}
