//! At which column the text around a place was wrapped, and how long its lines are.

use crate::text::blank::{line_break_at, trim_end};
use crate::text::line::{
    LAYOUT_LINES, LAYOUT_REACH, SHORTEST_FULL, above, columns, find, is_even, lines_after,
    lines_before,
};
use crate::text::quote::margin;
use std::cmp::Ordering;
use urlsift_core::Span;

/// The nearest so many lines tell how long lines are just here.
const NEAR: usize = 10;

/// How the lines around a break are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// The column at which the text is wrapped, where its lines agree on one.
    pub(super) wrap: Option<usize>,
    /// How many of the nearest lines of the same quote depth are longer than the one in question,
    /// counted where that takes [`SHORTEST_FULL`] columns or more.
    pub(super) longer: usize,
    /// How many are exactly as long, counted there too.
    pub(super) equal: usize,
}

/// A line, as far as it tells how the text is wrapped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Measured {
    depth: usize,
    /// The columns that it takes; none if it is blank.
    width: usize,
    /// The columns that its first word takes.
    word: usize,
    /// Whether it holds three words or more.
    is_prose: bool,
}

impl Measured {
    fn new(line: &[u8]) -> Self {
        let margin = margin(line);
        let line = trim_end(line);
        let body = line.get(margin.len..).unwrap_or_default();
        let word = find([b' ', b'\t'], body).unwrap_or(body.len());
        let is_prose = holds_blanks(&body[word..]);
        let (width, word) = match () {
            () if body.is_empty() => (0, 0),
            () if is_even(line) => (line.len(), word),
            () => (columns(line), columns(&body[..word])),
        };
        Self { depth: margin.depth, width, word, is_prose }
    }
}

/// Whether two blanks stand in it or more.
fn holds_blanks(text: &[u8]) -> bool {
    let first = memchr::memchr(b' ', text);
    first.is_some_and(|first| memchr::memchr(b' ', &text[first + 1..]).is_some())
}

/// Whether the lines around the line `start..end` are padded to one width. What does that divides words, too: the
/// hyphen at a line's end may be its own.
///
/// A line that is divided is full: one of a few words is not asked for its neighbours.
pub(super) fn is_padded(text: &[u8], start: usize, end: usize) -> bool {
    if end - start < NARROWEST_COLUMN {
        return false;
    }
    let before = above(text, start).map(|end| lines_before(text, end));
    let after = lines_after(text, end + line_break_at(text, end));
    let own = std::iter::once(Span::new(start, end));
    let (mut padded, mut divided) = (0, 0);
    for line in own.chain(before.into_iter().flatten()).chain(after) {
        padded += usize::from(pads(&text[line.range()]));
        let ends_divided = matches!(text[..line.end], [.., a, b'-'] if a.is_ascii_lowercase());
        divided += usize::from(ends_divided && line.start != start);
        if padded + divided.min(1) > 1 {
            return true;
        }
    }
    false
}

/// Whether two gaps or more between a line's words, none of them at a sentence's end, are wider than they need be.
fn pads(line: &[u8]) -> bool {
    let line = line.get(margin(line).len..).unwrap_or_default();
    let is_wide = |at: &usize| {
        let before = line[..*at].last().copied().unwrap_or_default();
        let len = line[*at..].iter().take_while(|byte| **byte == b' ').count();
        (2..=WIDEST_PADDING).contains(&len) && (before.is_ascii_alphanumeric() || before == b',')
    };
    // (Of a run of blanks only the first has text before it.)
    memchr::memchr_iter(b' ', line).filter(is_wide).take(2).count() == 2
}

/// Bytes of the shortest line that text is padded to.
const NARROWEST_COLUMN: usize = 40;
/// A gap that is wider parts columns.
const WIDEST_PADDING: usize = 4;

/// Measures the lines around a place, and keeps what it measured: where every line ends in a URL, every line is
/// asked for eighty times.
#[derive(Clone, Debug, Default)]
pub(super) struct LineMetrics {
    /// The lines that were measured last, each at the slot that its start tells.
    measured: Vec<(Span, Measured)>,
    without_prose: Stretch,
    /// Room for what [`Sum`] collects.
    pairs: Vec<(usize, usize)>,
}

impl LineMetrics {
    /// Measures the layout around the line `start..end`, which takes `width` columns.
    ///
    /// The text is wrapped at a column where hardly a line is longer and hardly a line had room for
    /// the first word of the next. The line itself is no part of the measure: it is to be explained.
    pub(super) fn layout(&mut self, text: &[u8], start: usize, end: usize, width: usize) -> Layout {
        if width < SHORTEST_FULL && self.is_without_prose(text, start, end) {
            // Short lines are not counted, and only prose shows where a text is wrapped.
            return Layout::default();
        }
        let own = self.measure(text, Span::new(start, end));
        let least = if width < SHORTEST_FULL { usize::MAX } else { width };
        let pairs = std::mem::take(&mut self.pairs);
        let mut sum = Sum { own, width, least, layout: Layout::default(), pairs };
        sum.pairs.clear();
        let mut next = own;
        let before = above(text, start).map(|end| lines_before(text, end));
        for (away, line) in before.into_iter().flatten().enumerate() {
            let line = self.measure(text, line);
            sum.add(away, &line, Some(&next));
            next = line;
        }
        let mut last = None;
        for (away, line) in lines_after(text, end + line_break_at(text, end)).enumerate() {
            let next = self.measure(text, line);
            if let Some(line) = last.replace(next) {
                sum.add(away - 1, &line, Some(&next));
            }
        }
        if let Some(line) = last {
            // The text behind it is out of reach.
            sum.add(LAYOUT_LINES, &line, None);
        }
        let wrap = wrap_column(&mut sum.pairs);
        self.pairs = sum.pairs;
        Layout { wrap, ..sum.layout }
    }

    /// True if none of the lines that [`Self::layout`] would look at around the line `start..end` is prose. May be false
    /// where none is: the stretch of lines it is answered from only grows, so that each line is looked at once.
    fn is_without_prose(&mut self, text: &[u8], start: usize, end: usize) -> bool {
        // Both with a line break, which may be of two bytes.
        let floor = start.saturating_sub(LAYOUT_REACH + 2);
        let ceiling = text.len().min(end + LAYOUT_REACH + 2);
        let known = &mut self.without_prose;
        let Span { start: from, end: to } = known.lines;
        let is_far = known.prose_follows || start > to + 2 * LAYOUT_REACH;
        if start < from || start > to && is_far {
            *known = Stretch { lines: Span::new(start, start), seen: start, ..Stretch::default() };
        }
        if known.lines.start > floor {
            return false;
        }
        if known.lines.end < ceiling {
            known.go_on(text, ceiling);
        }
        // A line whose end is out of reach is not looked at.
        let seen = if known.prose_follows { 0 } else { known.seen };
        known.lines.end.max(seen) >= ceiling
    }

    fn measure(&mut self, text: &[u8], line: Span) -> Measured {
        // A prime, so that lines of equal length do not share slots.
        const SLOTS: usize = 251;
        self.measured.resize(SLOTS, (Span::new(0, 0), Measured::default()));
        let slot = &mut self.measured[line.start % SLOTS];
        if slot.0 != line {
            *slot = (line, Measured::new(&text[line.range()]));
        }
        slot.1
    }
}

/// Lines of which none is prose.
#[derive(Clone, Copy, Debug, Default)]
struct Stretch {
    lines: Span,
    /// Whether the line behind them is.
    prose_follows: bool,
    /// How far that line was looked at, and how many blanks stand in it up to there.
    seen: usize,
    blanks: usize,
}

impl Stretch {
    /// Makes it longer, up to byte `to` and a little further, or to the first prose.
    fn go_on(&mut self, text: &[u8], to: usize) {
        let to = text.len().min(to + AHEAD);
        while self.seen < to && !self.prose_follows {
            let rest = &text[self.seen..to];
            let blank = memchr::memchr(b' ', rest).unwrap_or(rest.len());
            self.go_on_over(text, &rest[..blank]);
            if blank < rest.len() && !self.prose_follows {
                self.seen += 1;
                self.blanks += 1;
            }
        }
        if to == text.len() {
            self.prose_follows |= self.is_prose(text);
        }
    }

    /// Looks at what follows, in which no blank stands: of its lines only the first can be prose, and only where blanks
    /// stand before it.
    fn go_on_over(&mut self, text: &[u8], next: &[u8]) {
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
            self.lines.end = last + line_break_at(text, last);
            self.blanks = 0;
        }
        self.seen = end;
    }

    /// Whether the next line is prose, as far as it was looked at.
    fn is_prose(&self, text: &[u8]) -> bool {
        self.blanks > 1 && Measured::new(&text[self.lines.end..self.seen]).is_prose
    }
}

/// How many more bytes are looked at than are asked for: to begin costs as much as this.
const AHEAD: usize = 256;

/// What the lines add up to.
struct Sum {
    /// The line in question, and its columns.
    own: Measured,
    width: usize,
    /// Lines of this width and more are counted; none where the line in question is too short to
    /// reach a margin.
    least: usize,
    layout: Layout,
    /// What each line of prose takes, and what the first word of the next one takes.
    pairs: Vec<(usize, usize)>,
}

impl Sum {
    /// Adds a line that is so many lines away.
    #[inline]
    fn add(&mut self, away: usize, line: &Measured, next: Option<&Measured>) {
        if line.width < self.least && !line.is_prose {
            return;
        }
        if line.width == 0 || line.depth != self.own.depth {
            return;
        }
        if line.width >= self.least {
            match line.width.cmp(&self.width) {
                Ordering::Greater => self.layout.longer += usize::from(away < NEAR),
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

/// The column that explains nearly all of the breaks, each given as what the line takes and what
/// the next word would have taken. A few lines that stick out are let pass.
fn wrap_column(pairs: &mut [(usize, usize)]) -> Option<usize> {
    if pairs.len() < 3 {
        return None;
    }
    pairs.sort_unstable_by(|a, b| b.cmp(a));
    let most_out = pairs.len() / 8;
    (0..=most_out).find_map(|out| {
        let rest = &pairs[out..];
        let column = rest.first()?.0;
        let full = rest.iter().filter(|(taken, word)| taken + 1 + word > column).count();
        (full * 4 >= rest.len() * 3).then_some(column)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every line around measured anew, and each of them added.
    fn naive(text: &[u8], start: usize, end: usize, width: usize) -> Layout {
        let own = Measured::new(&text[start..end]);
        let least = if width < SHORTEST_FULL { usize::MAX } else { width };
        let layout = Layout::default();
        let mut sum = Sum { own, width, least, layout, pairs: Vec::new() };
        let mut next = own;
        let before = above(text, start).map(|end| lines_before(text, end));
        for (away, line) in before.into_iter().flatten().enumerate() {
            let line = Measured::new(&text[line.range()]);
            sum.add(away, &line, Some(&next));
            next = line;
        }
        let below = end + line_break_at(text, end);
        let after: Vec<_> =
            lines_after(text, below).map(|line| Measured::new(&text[line.range()])).collect();
        for (away, line) in after.iter().enumerate() {
            let away = if away + 1 == after.len() { LAYOUT_LINES } else { away };
            sum.add(away, line, after.get(away + 1));
        }
        Layout { wrap: wrap_column(&mut sum.pairs), ..sum.layout }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn what_is_kept_and_passed_over_makes_no_difference(
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
            // Behind short lines, as many as make a stretch that is told at once.
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
                let width = columns(trim_end(lines[at].as_bytes()));
                let layout = metrics.layout(text.as_bytes(), start, end, width);
                prop_assert_eq!(layout, naive(text.as_bytes(), start, end, width), "line {}", at);
            }
        }
    }
}
