//! One run of a map.

use crate::Span;
use core::cmp::min;

/// How the bytes of a run map to its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// n bytes, each copied from one.
    Copied,
    /// `to` bytes from every `from` (base64: 3 from 4). `phase` is the index of the run's first
    /// byte in its group.
    Group { from: u8, to: u8, phase: u8 },
    /// Lines of `groups` such groups, with `gap` bytes of the source between two lines: one run for a
    /// whole encoded body. `phase` is the index of the run's first byte in its line.
    Lines { from: u8, to: u8, groups: u8, gap: u8, phase: u16 },
    /// The run as a whole replaces its source as a whole.
    Replaced,
}

/// Bytes of a derived text that map to the source in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Offset of the run's first byte in the derived text.
    pub(super) derived: usize,
    /// Bytes of the derived text.
    pub(super) len: usize,
    pub(super) source: Span,
    pub(super) kind: Kind,
}

impl Run {
    pub(super) fn end(&self) -> usize {
        self.derived + self.len
    }

    /// Returns the source offset, from the start of the first line, of the group of a
    /// [`Kind::Lines`] that contains the derived byte at `index`, which counts from the same start.
    fn in_lines((from, to, groups, gap): (u8, u8, u8, u8), index: usize) -> usize {
        let line = groups as usize * to as usize;
        let stride = groups as usize * from as usize + gap as usize;
        index / line * stride + index % line / to as usize * from as usize
    }

    /// Returns the source of the bytes `[from, to)` of the derived text, both within the run, `from
    /// < to`.
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
                let before = Self::in_lines(lines, phase as usize);
                let place =
                    |index: usize| self.source.start + Self::in_lines(lines, index) - before;
                Span::new(
                    min(place(index), self.source.end),
                    min(place(last) + wide as usize, self.source.end),
                )
            }
            Kind::Replaced => self.source,
        }
    }

    /// Returns the run cut down to `[from, to)` of the derived text, re-based so that `from`
    /// becomes `at`.
    pub(super) fn cut(&self, from: usize, to: usize, at: usize) -> Self {
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
        Self { derived: at, len: to - from, source, kind }
    }
}
