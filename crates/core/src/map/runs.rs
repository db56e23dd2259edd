//! A compact list of runs: most take one to three bytes instead of forty.

use super::run::{Kind, Run};
use crate::{Span, packed};
use alloc::vec::Vec;

/// The number of runs between two marks, i.e. the maximum number to decode for a lookup.
const STRIDE: usize = 16;

/// The state of the decoder before a run, which is all it needs to start decoding at that run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mark {
    /// The index of the next run in the encoded bytes.
    at: usize,
    /// The start of the next run in the derived text.
    derived: usize,
    /// The end of the previous run's source.
    source: usize,
}

/// All runs of a map, encoded compactly, in the order of the derived text. There are no gaps
/// between them in the derived text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Runs {
    bytes: Vec<u8>,
    /// The state before every [`STRIDE`]th run except the first.
    marks: Vec<Mark>,
    /// The state after the last run.
    end: Mark,
    len: usize,
}

impl Runs {
    pub(super) const fn new() -> Self {
        let end = Mark { at: 0, derived: 0, source: 0 };
        Self { bytes: Vec::new(), marks: Vec::new(), end, len: 0 }
    }

    /// Returns the number of runs in the list.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the length of the derived text.
    pub(super) fn derived_len(&self) -> usize {
        self.end.derived
    }

    /// Returns the source offset at which the last run's source span ends.
    pub(super) fn source_end(&self) -> usize {
        self.end.source
    }

    /// Appends a run. It must start in the derived text where the last one ends.
    pub(super) fn push(&mut self, run: &Run) {
        if self.len > 0 && self.len.is_multiple_of(STRIDE) {
            self.marks.push(self.end);
        }
        self.len += 1;
        // Lines of text that are copied unchanged.
        if run.kind == Kind::Copied
            && run.source.start == self.end.source
            && let 33..=0x7F = run.len
        {
            self.bytes.extend_from_slice(&[0, u8::try_from(run.len).unwrap_or(0)]);
            self.end = Mark { at: self.bytes.len(), derived: run.end(), source: run.source.end };
            return;
        }
        if let Some(byte) = encode_as_byte(run, self.end) {
            self.bytes.push(byte);
            self.end = Mark { at: self.bytes.len(), derived: run.end(), source: run.source.end };
            return;
        }
        // The sign is the lowest bit, so that small steps in both directions take few bytes.
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
        packed::write_packed(&mut self.bytes, step << 3 | kind << 1);
        packed::write_packed(&mut self.bytes, run.len as u64);
        if run.kind != Kind::Copied {
            packed::write_packed(&mut self.bytes, run.source.len() as u64);
        }
        self.bytes.extend_from_slice(rest);
        self.end = Mark { at: self.bytes.len(), derived: run.end(), source: run.source.end };
    }

    /// Returns an iterator over the runs from the one that contains byte `at` of the derived text
    /// to the last one. Takes logarithmic time to start.
    pub(super) fn runs_from(&self, at: usize) -> RunsFrom<'_> {
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

/// An iterator over decoded runs, returned by [`Runs::runs_from`].
#[derive(Clone, Debug)]
pub(super) struct RunsFrom<'r> {
    bytes: &'r [u8],
    mark: Mark,
}

impl RunsFrom<'_> {
    fn next_byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.mark.at)?;
        self.mark.at += 1;
        Some(*byte)
    }

    fn next_number(&mut self) -> Option<u64> {
        packed::read_packed(self.bytes, &mut self.mark.at)
    }

    fn next_len(&mut self) -> Option<usize> {
        usize::try_from(self.next_number()?).ok()
    }
}

impl RunsFrom<'_> {
    /// Decodes the next run, whose encoding is longer than one byte. Returns `None` at the end of
    /// the encoded runs.
    fn decode_long_run(&mut self) -> Option<Run> {
        let first = self.next_number()? >> 1;
        let len = self.next_len()?;
        let kind = first & 3;
        let source_len = if kind == 0 { len } else { self.next_len()? };
        let kind = match kind {
            0 => Kind::Copied,
            1 => Kind::Replaced,
            2 => Kind::Group {
                from: self.next_byte()?,
                to: self.next_byte()?,
                phase: self.next_byte()?,
            },
            _ => Kind::Lines {
                from: self.next_byte()?,
                to: self.next_byte()?,
                groups: self.next_byte()?,
                gap: self.next_byte()?,
                phase: u16::from_be_bytes([self.next_byte()?, self.next_byte()?]),
            },
        };
        let step = usize::try_from(first >> 3).ok()?;
        let before = self.mark.source;
        let start = if first & 4 == 0 { before + step } else { before - step };
        let source = Span::new(start, start + source_len);
        Some(Run { derived: self.mark.derived, len, source, kind })
    }
}

impl Iterator for RunsFrom<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        let &first = self.bytes.get(self.mark.at)?;
        let run = if first & 1 == 1 {
            self.mark.at += 1;
            decode_from_byte(first, self.mark)
        } else {
            self.decode_long_run()?
        };
        (self.mark.derived, self.mark.source) = (run.end(), run.source.end);
        Some(run)
    }
}

/// Encodes `run` as one byte if it is of a frequent kind, or returns `None`. The frequent kinds are
/// a few copied bytes, one decoded character, and one byte after a few dropped ones. `end` is the
/// decoder's state before the run.
///
/// The lowest bit of the result is 1, unlike in the encoding of any other run.
#[inline]
fn encode_as_byte(run: &Run, end: Mark) -> Option<u8> {
    let (len, source) = (run.len, run.source.len());
    let dropped = run.source.start.checked_sub(end.source)?;
    let (kind, rest) = match run.kind {
        Kind::Copied if dropped == 0 && len <= 32 => (0, len - 1),
        Kind::Replaced if dropped == 0 && len <= 2 && source < 16 => (1, source << 1 | (len - 1)),
        Kind::Group { from: 1, to: 1, phase: 0 }
            if (source, len) == (1, 1) && (1..=32).contains(&dropped) =>
        {
            (3, dropped - 1)
        }
        Kind::Group { from, to, phase: 0 }
            if dropped == 0
                && (usize::from(from), usize::from(to)) == (source, len)
                && (1..=8).contains(&source)
                && len <= 4 =>
        {
            (2, (source - 1) << 2 | (len - 1))
        }
        _ => return None,
    };
    u8::try_from(rest << 3 | kind << 1 | 1).ok()
}

/// Decodes a run from `byte`, a result of [`encode_as_byte`]. `end` is the decoder's state before
/// the run.
fn decode_from_byte(byte: u8, end: Mark) -> Run {
    let rest = byte >> 3;
    let (kind, len, source, dropped) = match byte >> 1 & 3 {
        0 => (Kind::Copied, rest + 1, rest + 1, 0),
        1 => (Kind::Replaced, (rest & 1) + 1, rest >> 1, 0),
        2 => {
            let (from, to) = ((rest >> 2) + 1, (rest & 3) + 1);
            (Kind::Group { from, to, phase: 0 }, to, from, 0)
        }
        _ => (Kind::Group { from: 1, to: 1, phase: 0 }, 1, 1, rest + 1),
    };
    let start = end.source + usize::from(dropped);
    let source = Span::new(start, start + usize::from(source));
    Run { derived: end.derived, len: len.into(), source, kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_decoded_as_encoded() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |most: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state >> 33).unwrap() % most
        };
        for count in [0, 1, 7, 8, 9, 63, 64, 65, 1000] {
            let (mut runs, mut all, mut derived) = (Runs::default(), Vec::new(), 0);
            for _ in 0..count {
                let is_short = below(2) == 0;
                let mut len = 1 + below(if is_short { 40 } else { 200 });
                let most = 2 << below(24);
                let start = if is_short { runs.source_end() } else { below(most) };
                let source_len = below(if is_short { 20 } else { 100_000 });
                let mut source = Span::new(start, start + source_len);
                let kind = match below(6) {
                    0 => {
                        source.end = start + len;
                        Kind::Copied
                    }
                    1 => Kind::Replaced,
                    2 => Kind::Group { from: 4, to: 3, phase: 2 },
                    3 => {
                        let start = runs.source_end() + below(40);
                        (source, len) = (Span::new(start, start + 1), 1);
                        Kind::Group { from: 1, to: 1, phase: 0 }
                    }
                    4 if source_len > 0 => Kind::Group {
                        from: u8::try_from(source_len).unwrap_or(255),
                        to: u8::try_from(len).unwrap(),
                        phase: 0,
                    },
                    _ => Kind::Lines { from: 3, to: 1, groups: 255, gap: 200, phase: 40_000 },
                };
                let run = Run { derived, len, source, kind };
                derived = run.end();
                runs.push(&run);
                all.push(run);
            }
            assert_eq!((runs.len(), runs.derived_len()), (count, derived));
            assert_eq!(runs.source_end(), all.last().map_or(0, |run: &Run| run.source.end));
            for at in (0..derived + 2).step_by(7) {
                let first = all.partition_point(|run| run.end() <= at);
                assert_eq!(runs.runs_from(at).collect::<Vec<_>>(), all[first..], "{count} {at}");
            }
        }
    }
}
