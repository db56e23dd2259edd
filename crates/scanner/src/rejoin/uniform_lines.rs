//! Stretches of text that tell nothing of how it is wrapped.

use super::swar::{Gaps, LANES};
use crate::text::line::{REACH, SHORTEST_FULL};
use urlsift_core::Span;

/// The stretch that was gone through last.
#[derive(Clone, Debug)]
pub(super) struct Quiet {
    /// Whole lines that are all short and no prose.
    lines: Span,
    /// Whether the line behind them is another.
    is_over: bool,
}

impl Default for Quiet {
    fn default() -> Self {
        Self { lines: Span::new(0, 0), is_over: false }
    }
}

impl Quiet {
    /// Whether all lines around the one at `start..end`, that one too, are short and no prose, as far
    /// as any is looked at. Says so only of stretches that began long before: those are long themselves
    /// or the text's first.
    #[inline]
    pub(super) fn holds(&mut self, text: &[u8], start: usize, end: usize) -> bool {
        // Both with a line break, which may be of two bytes.
        let floor = start.saturating_sub(REACH + 2);
        let ceiling = text.len().min(end + REACH + 2);
        let is_known = self.lines.start <= floor && ceiling <= self.lines.end;
        is_known || self.comes_to_hold(text, start, floor, ceiling)
    }

    /// The same where more than is known must be gone through.
    #[inline(never)]
    fn comes_to_hold(&mut self, text: &[u8], start: usize, floor: usize, ceiling: usize) -> bool {
        let is_behind =
            start > self.lines.end && (self.is_over || start - self.lines.end > 2 * REACH);
        if start < self.lines.start || is_behind {
            (self.lines, self.is_over) = (Span::new(start, start), false);
        }
        if self.lines.start > floor {
            return false;
        }
        if self.lines.end < ceiling && !self.is_over {
            self.go_on(text, text.len().min(ceiling + REACH));
        }
        self.lines.end >= ceiling
    }

    /// What holds of the text when it has gone on behind its first `len` bytes: its last line may go on.
    pub(super) fn gone_on(self, len: usize) -> Self {
        if self.lines.end < len { self } else { Self::default() }
    }

    /// The same when the text has lost its first `by` bytes.
    pub(super) fn moved(self, by: usize) -> Self {
        let Span { start, end } = self.lines;
        match end.checked_sub(by) {
            Some(end) => Self { lines: Span::new(start.saturating_sub(by), end), ..self },
            None => Self::default(),
        }
    }

    /// Takes in further lines up to byte `ceiling`, or up to the first that is no such line.
    fn go_on(&mut self, text: &[u8], ceiling: usize) {
        let (mut line, mut at, mut blanks) = (self.lines.end, self.lines.end, 0);
        let stop = text.len().min(ceiling + SHORTEST_FULL);
        let within = text.get(..stop).unwrap_or(text);
        'text: while line < ceiling && at < stop {
            for gap in Gaps::of(&within[at..]) {
                let gap = at + gap;
                match within[gap] {
                    b'\n' if gap - line < SHORTEST_FULL => {
                        (line, blanks) = (gap + 1, 0);
                        if line >= ceiling {
                            break 'text;
                        }
                    }
                    b' ' if blanks == 0 => blanks = 1,
                    // Two blanks part three words, and a tab may take many columns.
                    b'\n' | b' ' | b'\t' => {
                        self.is_over = true;
                        break 'text;
                    }
                    _ => {}
                }
            }
            at += LANES;
        }
        if line < ceiling && !self.is_over {
            self.is_over = stop - line >= SHORTEST_FULL;
            line = if self.is_over { line } else { stop };
        }
        self.lines.end = line;
    }
}
