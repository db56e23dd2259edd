//! At which column the text around a place was wrapped, and how long its lines are.

use super::line::{LINES, REACH, above, break_len, columns, margin, trim_end};
use std::cmp::Ordering;

/// The nearest so many lines tell how long lines are just here.
const NEAR: usize = 10;

/// How the lines around a break are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// The column at which the text is wrapped, where its lines agree on one.
    pub(super) wrap: Option<usize>,
    /// How many of the nearest lines of the same quote depth are longer than the one in question.
    pub(super) longer: usize,
    /// How many are exactly as long.
    pub(super) equal: usize,
}

/// A line, as far as it tells how the text is wrapped.
#[derive(Clone, Copy, Debug)]
struct Measured {
    depth: u32,
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
        let word = memchr::memchr2(b' ', b'\t', body).unwrap_or(body.len());
        Self {
            depth: margin.depth,
            width: if body.is_empty() { 0 } else { columns(line) },
            word: columns(&body[..word]),
            is_prose: memchr::memchr_iter(b' ', body).take(2).count() == 2,
        }
    }
}

/// A line and its place.
#[derive(Clone, Copy, Debug)]
struct Line {
    start: usize,
    end: usize,
    measured: Measured,
}

/// Measures lines, and keeps what it measured: where every line ends in a URL, every line is
/// asked for eighty times.
#[derive(Clone, Debug, Default)]
pub(super) struct Ruler {
    /// By their starts, and by their ends; each place in the tables holds the last that came to it.
    by_start: Vec<Option<Line>>,
    by_end: Vec<Option<Line>>,
}

impl Ruler {
    const PLACES: usize = 256;

    /// The line that ends at `end`, if it starts after `floor`.
    fn before(&mut self, text: &[u8], end: usize, floor: usize) -> Option<Line> {
        let known = self.by_end.get(end % Self::PLACES).copied().flatten();
        if let Some(line) = known.filter(|line| line.end == end) {
            return (line.start > floor || (line.start == 0 && floor == 0)).then_some(line);
        }
        let window = text.get(floor..end)?;
        let start = match memchr::memrchr2(b'\n', b'\r', window) {
            Some(at) => floor + at + 1,
            None if floor == 0 => 0,
            None => return None,
        };
        Some(self.keep(text, start, end))
    }

    /// The line that starts at `start`, if it ends before `ceiling`.
    fn after(&mut self, text: &[u8], start: usize, ceiling: usize) -> Option<Line> {
        let is_last = ceiling == text.len();
        let known = self.by_start.get(start % Self::PLACES).copied().flatten();
        if let Some(line) = known.filter(|line| line.start == start) {
            return (line.end < ceiling || (is_last && line.end > start)).then_some(line);
        }
        let window = text.get(start..ceiling)?;
        let end = match memchr::memchr2(b'\n', b'\r', window) {
            Some(at) => start + at,
            None if is_last && !window.is_empty() => ceiling,
            None => return None,
        };
        Some(self.keep(text, start, end))
    }

    fn keep(&mut self, text: &[u8], start: usize, end: usize) -> Line {
        let line = Line { start, end, measured: Measured::new(&text[start..end]) };
        self.by_start.resize(Self::PLACES, None);
        self.by_end.resize(Self::PLACES, None);
        self.by_start[start % Self::PLACES] = Some(line);
        self.by_end[end % Self::PLACES] = Some(line);
        line
    }

    /// Measures the layout around the line `start..end`, which takes `width` columns.
    ///
    /// The text is wrapped at a column where hardly a line is longer and hardly a line had room for
    /// the first word of the next. The line itself is no part of the measure: it is to be explained.
    pub(super) fn layout(&mut self, text: &[u8], start: usize, end: usize, width: usize) -> Layout {
        let own = Measured::new(text.get(start..end).unwrap_or_default());
        let mut sum =
            Sum { own, width, layout: Layout::default(), pairs: Vec::with_capacity(2 * LINES) };
        let mut below = own;
        let mut next_end = above(text, start);
        let floor = next_end.unwrap_or(0).saturating_sub(REACH);
        for away in 0..LINES {
            let Some(line) = next_end.and_then(|end| self.before(text, end, floor)) else { break };
            sum.add(away, line.measured, Some(below));
            below = line.measured;
            next_end = above(text, line.start);
        }
        let mut next_start = end + break_len(text.get(end..).unwrap_or_default());
        let ceiling = text.len().min(next_start + REACH);
        let mut last: Option<Measured> = None;
        for away in 0..LINES {
            let Some(line) = self.after(text, next_start, ceiling) else { break };
            if let Some(above) = last.replace(line.measured) {
                sum.add(away - 1, above, Some(line.measured));
            }
            next_start = line.end + break_len(text.get(line.end..).unwrap_or_default());
            if next_start == line.end {
                break;
            }
        }
        if let Some(last) = last {
            sum.add(LINES, last, None);
        }
        sum.layout.wrap = wrap_column(&mut sum.pairs);
        sum.layout
    }
}

/// What the lines add up to.
struct Sum {
    /// The line in question, and its columns.
    own: Measured,
    width: usize,
    layout: Layout,
    /// What each line of prose takes, and what the first word of the next one takes.
    pairs: Vec<(usize, usize)>,
}

impl Sum {
    /// Adds a line that is so many lines away.
    fn add(&mut self, away: usize, line: Measured, next: Option<Measured>) {
        if line.width == 0 || line.depth != self.own.depth {
            return;
        }
        match line.width.cmp(&self.width) {
            Ordering::Greater => self.layout.longer += usize::from(away < NEAR),
            Ordering::Equal => self.layout.equal += 1,
            Ordering::Less => {}
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
