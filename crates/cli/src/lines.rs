//! Lines and columns, counted only as far as somebody asks.

use memchr::{memchr, memchr_iter, memrchr};

/// So few bytes hold so few line breaks that to go from one to the next is less work than to count
/// them and then look for the last.
const NEAR: usize = 160;

/// Counts line breaks (LF) along a unit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    /// How far was counted, as an offset in the file.
    at: u64,
    /// Line breaks between the unit's start and `at`.
    count: u64,
    /// Line breaks in the file before the unit, if that is known.
    base: Option<u64>,
    /// Where the line that holds `at` starts; `None` if before the unit's start.
    start: Option<u64>,
}

impl Lines {
    /// A counter at the start of a unit, which is at offset `at` of the file. `place` is the number
    /// of line breaks before it and where its first line began, if that is known.
    pub(crate) fn new(at: u64, place: Option<(u64, u64)>) -> Self {
        let (base, start) = (place.map(|(base, _)| base), place.map(|(_, start)| start));
        Self { at, count: 0, base, start }
    }

    /// Line breaks in the file before the unit, if that is known.
    pub(crate) fn base(&self) -> Option<u64> {
        self.base
    }

    /// Goes to offset `to` of the file. `text` holds the file's bytes from offset `base` on, at least
    /// those between here and there. Going back is possible, and costs the same.
    pub(crate) fn go(&mut self, text: &[u8], base: u64, to: u64) {
        let index = |offset: u64| {
            usize::try_from(offset.saturating_sub(base)).unwrap_or(usize::MAX).min(text.len())
        };
        let (here, there) = (index(self.at), index(to));
        if here <= there {
            let passed = &text[here..there];
            if passed.len() < NEAR {
                let mut at = 0;
                while let Some(found) = memchr(b'\n', &passed[at..]) {
                    at += found + 1;
                    self.count += 1;
                    self.start = Some(base + (here + at) as u64);
                }
                self.at = to;
                return;
            }
            let found = memchr_iter(b'\n', passed).count() as u64;
            if found > 0 {
                self.count += found;
                self.start = memrchr(b'\n', passed).map(|at| base + (here + at + 1) as u64);
            }
        } else {
            let back = &text[there..here];
            let found = memchr_iter(b'\n', back).count() as u64;
            if found > 0 {
                self.count = self.count.saturating_sub(found);
                self.start = memrchr(b'\n', &text[..there]).map(|at| base + (at + 1) as u64);
                if self.start.is_none() && base == 0 {
                    self.start = Some(0);
                }
            }
        }
        self.at = to;
    }

    /// How far was counted.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Line breaks since the unit's start.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Where the line here starts, if it starts in the unit.
    pub(crate) fn line_start(&self) -> Option<u64> {
        self.start
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_counting_from_the_start(text in "[ab\n]{0,40}|[a-d\n]{150,400}", stops: Vec<prop::sample::Index>) {
            let text = text.as_bytes();
            let mut lines = Lines::new(0, Some((0, 0)));
            for stop in stops {
                let to = stop.index(text.len() + 1);
                lines.go(text, 0, to as u64);
                let before = &text[..to];
                prop_assert_eq!(lines.count(), before.split(|&b| b == b'\n').count() as u64 - 1);
                let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
                prop_assert_eq!(lines.line_start(), Some(start as u64));
            }
        }
    }
}
