//! Measures the lines around a break: their lengths, and the column at which the text is wrapped.

use crate::text::blank::{line_break_len_at, trim_blanks_at_end};
use crate::text::line::{
    LAYOUT_LINES, LAYOUT_REACH, MIN_FULL_WIDTH, find_either, is_byte_per_column, line_end_above,
    lines_after, lines_before, width_in_columns,
};
use crate::text::quote::margin_of;
use std::cmp::Ordering;
use urlsift_core::Span;

/// The number of nearest lines on either side that [`Layout::longer`] counts.
const NEAR_LINES: usize = 10;

/// The layout of the lines around a break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// The column at which the text is wrapped; `None` if its lines don't agree on one.
    pub(super) wrap: Option<usize>,
    /// The number of nearby lines of the same quote depth that are longer than the line before the
    /// break. Always 0 if that line has fewer than [`MIN_FULL_WIDTH`] columns.
    pub(super) longer: usize,
    /// The number of lines within [`LAYOUT_REACH`] of the break that are exactly as long as the
    /// line before it; 0 if that line has fewer than [`MIN_FULL_WIDTH`] columns.
    pub(super) equal: usize,
}

/// The measurements of one line. All widths are in columns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Measured {
    /// The number of quote marks at the start of the line.
    depth: usize,
    /// The width in columns; 0 if the line is blank.
    width: usize,
    /// The width of the first word, in columns.
    word: usize,
    /// True if the line contains three or more words.
    is_prose: bool,
}

impl Measured {
    fn new(line: &[u8]) -> Self {
        let margin = margin_of(line);
        let line = trim_blanks_at_end(line);
        let body = line.get(margin.len..).unwrap_or_default();
        let word = find_either([b' ', b'\t'], body).unwrap_or(body.len());
        let is_prose = has_two_spaces(&body[word..]);
        let (width, word) = match () {
            () if body.is_empty() => (0, 0),
            () if is_byte_per_column(line) => (line.len(), word),
            () => (width_in_columns(line), width_in_columns(&body[..word])),
        };
        Self { depth: margin.depth, width, word, is_prose }
    }
}

/// True if the text contains at least two spaces.
fn has_two_spaces(text: &[u8]) -> bool {
    let first = memchr::memchr(b' ', text);
    first.is_some_and(|first| memchr::memchr(b' ', &text[first + 1..]).is_some())
}

/// True if the lines around the line `start..end` are padded with spaces to one width. Programs
/// that pad lines also hyphenate words, so they may have inserted a hyphen at the end of a line.
///
/// A hyphenated line is full, so a short line is rejected without looking at its neighbors.
pub(super) fn are_neighbors_padded(text: &[u8], start: usize, end: usize) -> bool {
    if end - start < NARROWEST_COLUMN {
        return false;
    }
    let before = line_end_above(text, start).map(|end| lines_before(text, end));
    let after = lines_after(text, end + line_break_len_at(text, end));
    let own = std::iter::once(Span::new(start, end));
    let (mut padded, mut divided) = (0, 0);
    for line in own.chain(before.into_iter().flatten()).chain(after) {
        padded += usize::from(is_padded_line(&text[line.range()]));
        let ends_divided = matches!(text[..line.end], [.., a, b'-'] if a.is_ascii_lowercase());
        divided += usize::from(ends_divided && line.start != start);
        if padded + divided.min(1) > 1 {
            return true;
        }
    }
    false
}

/// True if `line` is padded: at least two gaps between its words are wider than one space. Gaps
/// after the end of a sentence don't count.
fn is_padded_line(line: &[u8]) -> bool {
    let line = line.get(margin_of(line).len..).unwrap_or_default();
    let is_wide = |at: &usize| {
        let before = line[..*at].last().copied().unwrap_or_default();
        let len = line[*at..].iter().take_while(|byte| **byte == b' ').count();
        (2..=WIDEST_PADDING).contains(&len) && (before.is_ascii_alphanumeric() || before == b',')
    };
    // Only the first space of a run has text right before it.
    memchr::memchr_iter(b' ', line).filter(is_wide).take(2).count() == 2
}

/// The minimum length of a padded line, in bytes.
const NARROWEST_COLUMN: usize = 40;
/// The maximum width of a gap that is padding, in spaces. Wider gaps separate columns.
const WIDEST_PADDING: usize = 4;

/// A cache of the measurements of the lines around a break. If every line ends in a URL, each line
/// is needed eighty times.
#[derive(Clone, Debug, Default)]
pub(super) struct LineMetrics {
    /// A direct-mapped cache of measured lines. The slot depends on the line's start.
    measured: Vec<(Span, Measured)>,
    without_prose: ProseFreeRun,
    /// A buffer for [`Sum::pairs`].
    pairs: Vec<(usize, usize)>,
}

impl LineMetrics {
    /// Measures the layout around the line `start..end`, which is `width` columns wide. The result
    /// includes the column at which the text is wrapped.
    ///
    /// Hardly any line exceeds the wrap column, and in hardly any line would the first word of the
    /// next line have fitted. The line itself is excluded, because the layout is evidence about its
    /// length.
    pub(super) fn measure_layout(
        &mut self,
        text: &[u8],
        start: usize,
        end: usize,
        width: usize,
    ) -> Layout {
        if width < MIN_FULL_WIDTH && self.is_without_prose(text, start, end) {
            // Short lines are not counted, and only prose shows where a text is wrapped.
            return Layout::default();
        }
        let own = self.measure(text, Span::new(start, end));
        let min_width = if width < MIN_FULL_WIDTH { usize::MAX } else { width };
        let pairs = std::mem::take(&mut self.pairs);
        let mut sum = Sum { own, width, min_width, layout: Layout::default(), pairs };
        sum.pairs.clear();
        let mut next = own;
        let before = line_end_above(text, start).map(|end| lines_before(text, end));
        for (away, line) in before.into_iter().flatten().enumerate() {
            let line = self.measure(text, line);
            sum.add_line(away, &line, Some(&next));
            next = line;
        }
        let mut last = None;
        for (away, line) in lines_after(text, end + line_break_len_at(text, end)).enumerate() {
            let next = self.measure(text, line);
            if let Some(line) = last.replace(next) {
                sum.add_line(away - 1, &line, Some(&next));
            }
        }
        if let Some(line) = last {
            // The text after the last line is out of reach.
            sum.add_line(LAYOUT_LINES, &line, None);
        }
        let wrap = wrap_column(&mut sum.pairs);
        self.pairs = sum.pairs;
        Layout { wrap, ..sum.layout }
    }

    /// True if none of the lines that [`Self::measure_layout`] would read around the line
    /// `start..end` is prose.
    ///
    /// May also return false if none of them is prose. The run of lines in the cache only grows
    /// forward, so that each line is read once.
    fn is_without_prose(&mut self, text: &[u8], start: usize, end: usize) -> bool {
        // Both distances include a line break, which may be two bytes.
        let floor = start.saturating_sub(LAYOUT_REACH + 2);
        let ceiling = text.len().min(end + LAYOUT_REACH + 2);
        let known = &mut self.without_prose;
        let Span { start: from, end: to } = known.lines;
        let is_far = known.prose_follows || start > to + 2 * LAYOUT_REACH;
        if start < from || start > to && is_far {
            *known = ProseFreeRun {
                lines: Span::new(start, start),
                seen: start,
                ..ProseFreeRun::default()
            };
        }
        if known.lines.start > floor {
            return false;
        }
        if known.lines.end < ceiling {
            known.extend_to(text, ceiling);
        }
        // A line whose end is out of reach is not read.
        let seen = if known.prose_follows { 0 } else { known.seen };
        known.lines.end.max(seen) >= ceiling
    }

    /// Returns the measurements of the line at the span `line`, from the cache if it contains them.
    fn measure(&mut self, text: &[u8], line: Span) -> Measured {
        // A prime, so that lines of equal length don't share slots.
        const SLOTS: usize = 251;
        self.measured.resize(SLOTS, (Span::new(0, 0), Measured::default()));
        let slot = &mut self.measured[line.start % SLOTS];
        if slot.0 != line {
            *slot = (line, Measured::new(&text[line.range()]));
        }
        slot.1
    }
}

/// The cache of [`LineMetrics::is_without_prose`]: a run of lines that contain no prose, so that the
/// next call doesn't check them again.
#[derive(Clone, Copy, Debug, Default)]
struct ProseFreeRun {
    lines: Span,
    /// True if the line after the run is prose.
    prose_follows: bool,
    /// The offset up to which the line after the run was read.
    seen: usize,
    /// The number of spaces in the line after the run, up to `seen`.
    blanks: usize,
}

impl ProseFreeRun {
    /// Extends the run to byte `to` and up to [`READ_AHEAD`] bytes further, but not beyond the
    /// first line of prose.
    fn extend_to(&mut self, text: &[u8], to: usize) {
        let to = text.len().min(to + READ_AHEAD);
        while self.seen < to && !self.prose_follows {
            let rest = &text[self.seen..to];
            let blank = memchr::memchr(b' ', rest).unwrap_or(rest.len());
            self.read_without_spaces(text, &rest[..blank]);
            if blank < rest.len() && !self.prose_follows {
                self.seen += 1;
                self.blanks += 1;
            }
        }
        if to == text.len() {
            self.prose_follows |= self.is_prose(text);
        }
    }

    /// Extends the run by `next`, the text after it, which contains no spaces. Only the first line
    /// that ends in `next` can be prose, and only if that line has spaces before `next`.
    fn read_without_spaces(&mut self, text: &[u8], next: &[u8]) {
        let end = self.seen + next.len();
        if self.blanks > 1
            && let Some(at) = memchr::memchr2(b'\n', b'\r', next)
        {
            self.seen += at;
            self.prose_follows = self.is_prose(text);
            if self.prose_follows {
                return;
            }
        }
        if let Some(at) = memchr::memrchr2(b'\n', b'\r', next) {
            let last = end - next.len() + at;
            self.lines.end = last + line_break_len_at(text, last);
            self.blanks = 0;
        }
        self.seen = end;
    }

    /// True if the line after the run is prose, judged by the part of it that was read.
    fn is_prose(&self, text: &[u8]) -> bool {
        self.blanks > 1 && Measured::new(&text[self.lines.end..self.seen]).is_prose
    }
}

/// The number of bytes that [`ProseFreeRun::extend_to`] reads beyond those requested. Restarting
/// costs about as much as reading these.
const READ_AHEAD: usize = 256;

/// The sums of the measurements of the lines around a break.
struct Sum {
    /// The measurements of the line before the break.
    own: Measured,
    /// The width of the line before the break, in columns.
    width: usize,
    /// The minimum width of a line that is counted. `usize::MAX` if the line before the break is
    /// too short to reach a margin.
    min_width: usize,
    layout: Layout,
    /// For each line of prose: its width, and the width of the first word of the next line.
    pairs: Vec<(usize, usize)>,
}

impl Sum {
    /// Adds the measurements of `line`, which is `away` lines from the break. `next` is the line
    /// after it.
    #[inline]
    fn add_line(&mut self, away: usize, line: &Measured, next: Option<&Measured>) {
        if line.width < self.min_width && !line.is_prose {
            return;
        }
        if line.width == 0 || line.depth != self.own.depth {
            return;
        }
        if line.width >= self.min_width {
            match line.width.cmp(&self.width) {
                Ordering::Greater => self.layout.longer += usize::from(away < NEAR_LINES),
                Ordering::Equal => self.layout.equal += 1,
                Ordering::Less => {}
            }
        }
        let next = next.filter(|next| next.depth == self.own.depth && next.word > 0);
        if let Some(next) = next.filter(|_| line.is_prose) {
            self.pairs.push((line.width, next.word));
        }
    }
}

/// Returns the column at which the text is wrapped, or `None` if there is no such column. Each of
/// `pairs` is a line's width and the width of the next line's first word.
///
/// The column explains at least three quarters of the line breaks, and at most an eighth of the
/// lines exceed it.
fn wrap_column(pairs: &mut [(usize, usize)]) -> Option<usize> {
    if pairs.len() < 3 {
        return None;
    }
    pairs.sort_unstable_by(|a, b| b.cmp(a));
    let max_outliers = pairs.len() / 8;
    (0..=max_outliers).find_map(|out| {
        let rest = &pairs[out..];
        let column = rest.first()?.0;
        let full = rest.iter().filter(|(width, word)| width + 1 + word > column).count();
        (full * 4 >= rest.len() * 3).then_some(column)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Computes the layout without a cache, by measuring all lines again.
    fn naive_layout(text: &[u8], start: usize, end: usize, width: usize) -> Layout {
        let own = Measured::new(&text[start..end]);
        let min_width = if width < MIN_FULL_WIDTH { usize::MAX } else { width };
        let layout = Layout::default();
        let mut sum = Sum { own, width, min_width, layout, pairs: Vec::new() };
        let mut next = own;
        let before = line_end_above(text, start).map(|end| lines_before(text, end));
        for (away, line) in before.into_iter().flatten().enumerate() {
            let line = Measured::new(&text[line.range()]);
            sum.add_line(away, &line, Some(&next));
            next = line;
        }
        let below = end + line_break_len_at(text, end);
        let after: Vec<_> =
            lines_after(text, below).map(|line| Measured::new(&text[line.range()])).collect();
        for (away, line) in after.iter().enumerate() {
            let away = if away + 1 == after.len() { LAYOUT_LINES } else { away };
            sum.add_line(away, line, after.get(away + 1));
        }
        Layout { wrap: wrap_column(&mut sum.pairs), ..sum.layout }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn cached_layout_equals_naive_layout(
            lines in proptest::collection::vec(proptest::sample::select(&[
                "", "d", "http://a.b/c", "two words", "three short words", "> quoted", "> so is this",
                "a line of prose that goes on up to where the lines of this text are wrapped",
                "and a second one of which one cannot say that it is not just as long, or so",
                "http://a.dom/a/long/path/that/is/all/of/its/line/and/reaches/the/margin", "\ttab\tab tab",
                "> a line of prose that is quoted, and that is wrapped where the others are too",
                "é è à ç words", "                                                              far away",
            ][..]), 1..140),
            quiet in proptest::sample::select(&[0, 0, 90, 1500][..]),
            asked in proptest::collection::vec(0_usize..140, 1..60),
            sorted in any::<bool>(),
        ) {
            // Starts with enough short lines that runs without prose are skipped.
            let mut lines = lines;
            let asked: Vec<_> = asked.iter().flat_map(|at| [at * quiet / 100, at + quiet]).collect();
            lines.splice(..0, ["d", "a b", "http://a.b/c"].into_iter().cycle().take(quiet));
            let text = lines.join("\n");
            let mut starts = vec![0];
            starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
            let mut asked = asked;
            if sorted {
                asked.sort_unstable();
            }
            let mut metrics = LineMetrics::default();
            for at in asked.into_iter().filter(|at| *at < lines.len()) {
                let (start, end) = (starts[at], starts[at] + lines[at].len());
                let width = width_in_columns(trim_blanks_at_end(lines[at].as_bytes()));
                let layout = metrics.measure_layout(text.as_bytes(), start, end, width);
                prop_assert_eq!(layout, naive_layout(text.as_bytes(), start, end, width), "line {}", at);
            }
        }
    }
}
