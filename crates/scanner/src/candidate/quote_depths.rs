//! The quote depths of the lines on which candidates start.

use super::Candidate;
use crate::limits::MAX_LINE;
use crate::text::{blank, quote};

/// A cache for computing the quote depths of many candidates of one text.
///
/// The results equal [`Candidate::quote_depth`]. If you pass the candidates in order, the start of
/// each line is searched only once, no matter how many URLs are on it.
///
/// ```
/// use urlsift_scanner::{QuoteDepths, Scanner};
/// let (scanner, mut depths) = (Scanner::builder().build(), QuoteDepths::default());
/// let found = scanner.find_iter(b">> http://host.dom/").next().unwrap();
/// assert_eq!(depths.depth_of(&found), 2);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct QuoteDepths {
    /// The start of the last candidate and the start of its line. The latter is `None` if it is too
    /// far before the candidate.
    last: Option<(usize, Option<usize>)>,
}

impl QuoteDepths {
    /// Returns the number of quote marks before the line that the candidate starts on. All
    /// candidates must be from the same text.
    ///
    /// ```
    /// use urlsift_scanner::{QuoteDepths, Scanner};
    /// let text = b"> http://host.dom/a http://host.dom/b\nhttp://host.dom/c";
    /// let mut depths = QuoteDepths::default();
    /// let found = Scanner::builder().build();
    /// let depths: Vec<_> = found.find_iter(text).map(|found| depths.depth_of(&found)).collect();
    /// assert_eq!(depths, [1, 1, 0]);
    /// ```
    pub fn depth_of(&mut self, candidate: &Candidate<'_>) -> u32 {
        let (text, start) = (candidate.text, candidate.whole.start);
        let line = self.line_start(text, start);
        self.last = Some((start, line));
        let depth = line.map_or(0, |line| quote::quote_depth(text, line, start));
        u32::try_from(depth).unwrap_or(u32::MAX)
    }

    /// Returns the start of the line that contains byte `at`, like [`blank::line_start`], but
    /// starts the search from the previous candidate. Returns `None` if the start is too far away.
    fn line_start(&self, text: &[u8], at: usize) -> Option<usize> {
        let Some((last, line)) = self.last.filter(|(last, _)| *last <= at && at - last < MAX_LINE)
        else {
            return blank::line_start(text, at);
        };
        match memchr::memrchr2(b'\n', b'\r', text.get(last..at)?) {
            Some(found) => Some(last + found + 1),
            None => line.filter(|line| at - line < MAX_LINE || *line == 0 && at == MAX_LINE),
        }
    }
}

impl Candidate<'_> {
    /// Returns the number of quote marks before the line that the URL starts on. A line whose start
    /// is more than 4096 bytes before the URL counts as unquoted.
    pub fn quote_depth(&self) -> u32 {
        QuoteDepths::default().depth_of(self)
    }
}

#[cfg(test)]
mod tests {
    use super::QuoteDepths;
    use crate::text::blank;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cached_line_start_equals_fresh_one(
            gaps in proptest::collection::vec(proptest::sample::select(&[0, 1, 2, 60, 1000, 4093, 4094, 4095, 4096, 4097][..]), 1..12),
            line_break in proptest::sample::select(&["\n", "\r\n", "\r"][..]),
            stops in proptest::collection::vec(any::<proptest::sample::Index>(), 1..12),
            odd in 0_usize..3,
        ) {
            let text: Vec<_> = gaps.iter().map(|gap| "a".repeat(*gap)).collect();
            let text = text.join(line_break);
            let edges = text.match_indices(line_break).map(|(at, _)| at + 4094 + odd);
            let mut stops: Vec<_> = stops.iter().map(|stop| stop.index(text.len() + 1)).chain(edges).collect();
            stops.sort_unstable();
            let mut depths = QuoteDepths::default();
            for stop in stops.into_iter().filter(|stop| *stop <= text.len()) {
                let line = depths.line_start(text.as_bytes(), stop);
                prop_assert_eq!(line, blank::line_start(text.as_bytes(), stop));
                depths.last = Some((stop, line));
            }
        }
    }
}
