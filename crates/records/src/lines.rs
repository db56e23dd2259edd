//! Counts lines and columns.

use memchr::{memchr_iter, memrchr};

/// The position of a line start in a file: how many lines precede it, and its offset. A scan needs
/// it to number the lines in a unit, which is a range of a file.
///
/// ```
/// use urlsift_records::LineStart;
/// let second = LineStart::default().after_bytes(b"one\n", 0);
/// assert_eq!(second.after_bytes(b"two\nth", 4), LineStart { breaks: 2, line: 8 });
/// assert_eq!(LineStart::from_unit_list(4, Some(2), Some(4)), Some(second));
/// assert_eq!(LineStart::from_unit_list(4, None, None), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineStart {
    /// The number of line breaks (LF) in the file before the unit.
    pub breaks: u64,
    /// The file offset of the start of the line that contains the unit's first byte.
    pub line: u64,
}

impl LineStart {
    /// Converts the fields of a unit in a list of units to a line start. `start` is the offset of
    /// the unit. `line` is the 1-based number of its line, and `line_start` the offset at which
    /// this line starts.
    ///
    /// If `start` is 0, both fields are ignored. Returns `None` if a field is missing or has an
    /// impossible value.
    pub fn from_unit_list(start: u64, line: Option<u64>, line_start: Option<u64>) -> Option<Self> {
        match (line, line_start) {
            _ if start == 0 => Some(Self::default()),
            (Some(line), Some(line_start)) if line > 0 && line_start <= start => {
                Some(Self { breaks: line - 1, line: line_start })
            }
            _ => None,
        }
    }

    /// Returns the line start for the position after `bytes`. `self` must be the line start for
    /// file offset `at`, at which `bytes` begins. Takes linear time.
    #[must_use]
    pub fn after_bytes(self, bytes: &[u8], at: u64) -> Self {
        // In short pieces, searching backward finds the last line break sooner, and the rest need
        // not be counted.
        let Some(last) = memrchr(b'\n', bytes) else { return self };
        let breaks = self.breaks + count_lines(&bytes[..last]) + 1;
        Self { breaks, line: at + last as u64 + 1 }
    }
}

/// Returns the number of line breaks in `bytes`. For short inputs, searching for each line break is
/// faster than counting all.
fn count_lines(bytes: &[u8]) -> u64 {
    if bytes.len() < 256 {
        return std::iter::successors(memrchr(b'\n', bytes), |at| memrchr(b'\n', &bytes[..*at]))
            .count() as u64;
    }
    memchr_iter(b'\n', bytes).count() as u64
}

/// A counter of the line breaks in a unit. For an offset, [`LineCounter::line_start_at`] returns
/// the start of the line that contains it.
///
/// Each call counts only from the previous offset, so ascending offsets take linear time in total.
/// A lower offset is allowed if all bytes from the start of the unit are available.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineCounter {
    /// The file offset of the unit's start, and the start of the line that contains it.
    first: (u64, LineStart),
    /// The file offset up to which line breaks were counted.
    at: u64,
    /// The start of the line that contains offset `at`.
    here: LineStart,
}

impl LineCounter {
    /// Creates a counter for a unit. The unit begins at file offset `at`, and `start` is the start
    /// of the line that contains this offset.
    pub(crate) fn new(at: u64, start: LineStart) -> Self {
        Self { first: (at, start), at, here: start }
    }

    /// Moves the counter to file offset `to`, and returns the start of the line that contains this
    /// offset. `text` contains the bytes of the file from offset `base` on. `text` must include the
    /// bytes between the current offset and `to`.
    ///
    /// The counter can move backward only if `text` also contains the start of the unit.
    pub(crate) fn line_start_at(&mut self, text: &[u8], base: u64, to: u64) -> LineStart {
        let index = |offset: u64| {
            usize::try_from(offset.saturating_sub(base)).unwrap_or(usize::MAX).min(text.len())
        };
        let (here, there) = (index(self.at), index(to));
        if here <= there {
            self.here = self.here.after_bytes(&text[here..there], base + here as u64);
        } else {
            let (unit, first) = self.first;
            let left = memchr_iter(b'\n', &text[there..here]).count() as u64;
            let from = index(unit).min(there);
            let last = memrchr(b'\n', &text[from..there]);
            self.here = LineStart {
                breaks: self.here.breaks - left,
                line: last.map_or(first.line, |last| base + (from + last) as u64 + 1),
            };
        }
        self.at = to;
        self.here
    }

    /// Returns the file offset that the counter has reached.
    pub(crate) fn offset(&self) -> u64 {
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::{LineCounter, LineStart};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_way_leads_to_the_same_place(
            text in "[a\n]{0,60}",
            from: prop::sample::Index,
            stops in prop::collection::vec(any::<prop::sample::Index>(), 0..9),
            base in 0..9_u64,
        ) {
            let text = text.as_bytes();
            let start = LineStart { breaks: 7, line: 0 };
            let of = |to: usize| start.after_bytes(&text[..to], base);
            let from = from.index(text.len() + 1);
            let mut lines = LineCounter::new(base + from as u64, of(from));
            for stop in stops {
                let stop = stop.index(text.len() + 1).max(from);
                prop_assert_eq!(lines.line_start_at(text, base, base + stop as u64), of(stop));
            }
        }
    }
}
