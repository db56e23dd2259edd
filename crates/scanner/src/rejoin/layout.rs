//! At which column the text around a place was wrapped, and how long its lines are.

use super::uniform_lines::Quiet;
use crate::text::blank::{line_break_at, trim_end};
use crate::text::line::{LINES, REACH, SHORTEST_FULL, above, columns, find, is_even, margin};
use std::cmp::Ordering;

/// The nearest so many lines tell how long lines are just here.
const NEAR: usize = 10;

/// Two blanks take no less.
const LEAST_PROSE: usize = 2;

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
#[derive(Clone, Copy, Debug)]
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
        let is_prose = body.len() >= LEAST_PROSE
            && memchr::memchr_iter(b' ', &body[word..]).take(2).count() == 2;
        let (width, word) = match () {
            () if body.is_empty() => (0, 0),
            () if is_even(line) => (line.len(), word),
            () => (columns(line), columns(&body[..word])),
        };
        Self { depth: margin.depth, width, word, is_prose }
    }
}

/// A line and its place.
#[derive(Clone, Copy, Debug)]
struct Line {
    start: usize,
    end: usize,
    /// Where the next line starts.
    next: usize,
    measured: Measured,
    /// How many lines there are in a row, this one the last of them, that tell nothing of how the text
    /// is wrapped: short ones without prose.
    idle: usize,
}

impl Line {
    fn new(text: &[u8], start: usize, end: usize) -> Self {
        Self {
            start,
            end,
            next: end + line_break_at(text, end),
            measured: Measured::new(text.get(start..end).unwrap_or_default()),
            idle: 0,
        }
    }

    /// The same behind a line, if there is one.
    fn behind(mut self, last: Option<&Self>) -> Self {
        let Measured { width, is_prose, .. } = self.measured;
        let is_idle = width < SHORTEST_FULL && !is_prose;
        self.idle = if is_idle { 1 + last.map_or(0, |last| last.idle) } else { 0 };
        self
    }
}

/// Measures lines, and keeps what it measured: where every line ends in a URL, every line is
/// asked for eighty times.
#[derive(Clone, Debug, Default)]
pub(super) struct Ruler {
    /// Lines that follow each other without a gap, in the order of the text.
    lines: Vec<Line>,
    /// Room for what [`Sum`] collects.
    pairs: Vec<(usize, usize)>,
    quiet: Quiet,
}

impl Ruler {
    /// How many lines are kept behind the one in question.
    const KEPT: usize = 4 * LINES;

    /// What is worth keeping when the text has gone on behind its first `len` bytes.
    pub(super) fn gone_on(self, len: usize) -> Self {
        Self { quiet: self.quiet.gone_on(len), ..Self::default() }
    }

    /// The same when the text has lost its first `by` bytes.
    pub(super) fn moved(self, by: usize) -> Self {
        Self { quiet: self.quiet.moved(by), ..Self::default() }
    }

    /// Measures the layout around the line `start..end`, which takes `width` columns.
    ///
    /// The text is wrapped at a column where hardly a line is longer and hardly a line had room for
    /// the first word of the next. The line itself is no part of the measure: it is to be explained.
    pub(super) fn layout(&mut self, text: &[u8], start: usize, end: usize, width: usize) -> Layout {
        if self.quiet.holds(text, start, end) {
            return Layout::default();
        }
        let at = self.own(text, start, end);
        let (first, at) = self.before(text, at);
        let behind = self.after(text, at);
        let own = self.lines[at].measured;
        let least = if width < SHORTEST_FULL { usize::MAX } else { width };
        let layout = Layout::default();
        let pairs = std::mem::take(&mut self.pairs);
        let mut sum = Sum { own, width, least, layout, pairs };
        sum.pairs.clear();
        let last = behind - 1;
        let mut place = behind;
        while let Some(next) = place.checked_sub(1).filter(|next| *next >= first) {
            place = next;
            let line = &self.lines[place];
            if line.idle > 0 {
                place = (place + 1).saturating_sub(line.idle);
            } else if place < at {
                sum.add(at - 1 - place, &line.measured, Some(&self.lines[place + 1].measured));
            } else if place == last && place > at {
                sum.add(LINES, &line.measured, None);
            } else if place > at {
                sum.add(place - at - 1, &line.measured, Some(&self.lines[place + 1].measured));
            }
        }
        let wrap = wrap_column(&mut sum.pairs);
        self.pairs = sum.pairs;
        Layout { wrap, ..sum.layout }
    }

    /// The place of the line `start..end`.
    fn own(&mut self, text: &[u8], start: usize, end: usize) -> usize {
        let mut at = self.lines.partition_point(|line| line.start < start);
        let known = self.lines.get(at).is_some_and(|line| (line.start, line.end) == (start, end));
        if !known {
            self.lines.truncate(at);
            if self.lines.last().is_none_or(|last| last.next != start) {
                self.lines.clear();
                at = 0;
            }
            self.push(Line::new(text, start, end));
        }
        if at > Self::KEPT {
            self.lines.drain(..at - LINES);
            at = LINES;
        }
        at
    }

    /// The place of the first of the lines before the one at `own` that are looked at, and the place
    /// of that one now.
    fn before(&mut self, text: &[u8], own: usize) -> (usize, usize) {
        let floor = above(text, self.lines[own].start).unwrap_or(0).saturating_sub(REACH);
        let known = &self.lines[own.saturating_sub(LINES)..own];
        let is_near = |line: &&Line| line.start > floor || (line.start, floor) == (0, 0);
        let near = match known.first() {
            // The nearer ones are near if the farthest is.
            Some(farthest) if is_near(&farthest) => known.len(),
            _ => known.iter().rev().take_while(is_near).count(),
        };
        if near < own || near == LINES {
            return (own - near, own);
        }
        let mut missing = Vec::new();
        let mut start = self.lines[0].start;
        while near + missing.len() < LINES
            && let Some(end) = above(text, start)
            && let Some(window) = text.get(floor..end)
        {
            start = match memchr::memrchr2(b'\n', b'\r', window) {
                Some(at) => floor + at + 1,
                None if floor == 0 => 0,
                None => break,
            };
            missing.push(Line::new(text, start, end));
        }
        let more = missing.len();
        self.lines.splice(..0, missing.into_iter().rev());
        for at in 0..self.lines.len() {
            let last = at.checked_sub(1).map(|last| self.lines[last]);
            self.lines[at] = self.lines[at].behind(last.as_ref());
        }
        (0, own + more)
    }

    fn push(&mut self, line: Line) {
        let line = line.behind(self.lines.last());
        self.lines.push(line);
    }

    /// The place behind the last of the lines after the one at `own` that are looked at.
    fn after(&mut self, text: &[u8], own: usize) -> usize {
        let ceiling = text.len().min(self.lines[own].next + REACH);
        let is_last = ceiling == text.len();
        // A line whose end is out of reach is not among them, nor is one that is not there.
        let is_near = |start: usize, end: usize| end < ceiling || (is_last && end > start);
        if self.lines.get(own + LINES).is_some_and(|farthest| farthest.end < ceiling) {
            return own + LINES + 1;
        }
        // All that are known are near if the last one is.
        let known = self.lines.len() - 1;
        let is_near_too = self.lines[known].end < ceiling;
        let mut at = if is_near_too { known.min(own + LINES) } else { own };
        while at < own + LINES && self.lines[at].next > self.lines[at].end {
            if at + 1 == self.lines.len() {
                let start = self.lines[at].next;
                let window = text.get(start..ceiling).unwrap_or_default();
                let end = match memchr::memchr2(b'\n', b'\r', window) {
                    Some(found) => start + found,
                    None => ceiling,
                };
                if !is_near(start, end) {
                    break;
                }
                self.push(Line::new(text, start, end));
            } else if !is_near(self.lines[at + 1].start, self.lines[at + 1].end) {
                break;
            }
            at += 1;
        }
        at + 1
    }
}

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
    use crate::text::line::{lines_after, lines_before};
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
            let line = Measured::new(line);
            sum.add(away, &line, Some(&next));
            next = line;
        }
        let below = end + line_break_at(text, end);
        let after: Vec<_> = lines_after(text, below).map(Measured::new).collect();
        for (away, line) in after.iter().enumerate() {
            let away = if away + 1 == after.len() { LINES } else { away };
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
            let mut ruler = Ruler::default();
            for at in asked.into_iter().filter(|at| *at < lines.len()) {
                let (start, end) = (starts[at], starts[at] + lines[at].len());
                let width = columns(trim_end(lines[at].as_bytes()));
                let layout = ruler.layout(text.as_bytes(), start, end, width);
                prop_assert_eq!(layout, naive(text.as_bytes(), start, end, width), "line {}", at);
            }
        }
    }
}
