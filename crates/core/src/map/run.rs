//! One run of a map.

use crate::Span;
use core::cmp::min;

/// The way in which the bytes of a run were derived from the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Each byte was copied.
    Copied,
    /// Each `to` bytes were decoded from `from` source bytes (base64: 3 from 4). `phase` is the
    /// index of the run's first byte in its group.
    Group { from: u8, to: u8, phase: u8 },
    /// Lines of `groups` groups each, with `gap` source bytes between two lines. A whole base64
    /// body is one such run. `phase` is the index of the run's first byte in its line.
    Lines { from: u8, to: u8, groups: u8, gap: u8, phase: u16 },
    /// All bytes of the run together replace the source.
    Replaced,
}

/// Consecutive bytes of the derived text that all map to the source in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Offset of the run's first byte in the derived text.
    pub(super) derived: usize,
    /// The number of bytes in the derived text.
    pub(super) len: usize,
    pub(super) source: Span,
    pub(super) kind: Kind,
}

impl Run {
    pub(super) fn end(&self) -> usize {
        self.derived + self.len
    }

    /// Returns the source offset of the group from which the derived byte at `index` was decoded.
    /// The tuple contains the numbers of a run of [`Kind::Lines`]. Both offsets count from the
    /// start of the run's first line.
    fn source_in_lines((from, to, groups, gap): (u8, u8, u8, u8), index: usize) -> usize {
        let line = groups as usize * to as usize;
        let stride = groups as usize * from as usize + gap as usize;
        index / line * stride + index % line / to as usize * from as usize
    }

    /// Returns the source span of the bytes `from..to` of the derived text. The range must be in
    /// this run and must not be empty.
    pub(super) fn source_of(&self, from: usize, to: usize) -> Span {
        match self.kind {
            Kind::Copied => {
                let at = self.source.start;
                Span::new(at + (from - self.derived), at + (to - self.derived))
            }
            Kind::Group { from: wide, to: narrow, phase } => {
                let (wide, narrow) = (wide as usize, narrow as usize);
                let first = (from - self.derived + phase as usize) / narrow;
                let last = (to - 1 - self.derived + phase as usize) / narrow;
                let at = self.source.start;
                Span::new(
                    min(at + first * wide, self.source.end),
                    min(at + last * wide + wide, self.source.end),
                )
            }
            Kind::Lines { from: wide, to: narrow, groups, gap, phase } => {
                let lines = (wide, narrow, groups, gap);
                let index = from - self.derived + phase as usize;
                let last = to - 1 - self.derived + phase as usize;
                let before = Self::source_in_lines(lines, phase as usize);
                let place =
                    |index: usize| self.source.start + Self::source_in_lines(lines, index) - before;
                Span::new(
                    min(place(index), self.source.end),
                    min(place(last) + wide as usize, self.source.end),
                )
            }
            Kind::Replaced => self.source,
        }
    }

    /// Returns the part of the run that covers the bytes `from..to` of the derived text, moved so
    /// that it starts at byte `new_start` of the derived text.
    pub(super) fn slice_moved_to(&self, from: usize, to: usize, new_start: usize) -> Self {
        let source = self.source_of(from, to);
        let kind = match self.kind {
            Kind::Group { from: wide, to: narrow, phase } => {
                let phase = (from - self.derived + phase as usize) % narrow as usize;
                Kind::Group { from: wide, to: narrow, phase: u8::try_from(phase).unwrap_or(0) }
            }
            Kind::Lines { from: wide, to: narrow, groups, gap, phase } => {
                let line = groups as usize * narrow as usize;
                let phase = (from - self.derived + phase as usize) % line;
                let phase = u16::try_from(phase).unwrap_or(0);
                Kind::Lines { from: wide, to: narrow, groups, gap, phase }
            }
            other => other,
        };
        Self { derived: new_start, len: to - from, source, kind }
    }
}
