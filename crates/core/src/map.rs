//! Maps positions in a derived (decoded, unquoted or joined) text back to its source.
//!
//! Each decoding step produces a new text from an old one. A [`SpanMap`] records, run by run, where
//! the new bytes came from. The maps of several steps can be composed, so that a position in the
//! last text can be mapped back to the raw file. A map takes a few bytes for every difference
//! between the two texts, not for every byte, because similar runs are merged.

mod run;
mod runs;

use self::run::{Kind, Run};
use self::runs::{Runs, RunsFrom};
use crate::Span;
use core::cmp::{max, min};

/// A map from byte offsets in a derived text to spans of its source. Create one with [`MapBuilder`]
/// while the derived text is written.
///
/// # Example
///
/// ```
/// use urlsift_core::{MapBuilder, Span};
///
/// // `a=3Db` decodes to `a=b`.
/// let mut map = MapBuilder::new();
/// map.push_copied(0, 1);
/// map.push_replaced(Span::new(1, 4), 1);
/// map.push_copied(4, 1);
/// let map = map.finish();
/// assert_eq!(map.to_source(Span::new(1, 2)), Span::new(1, 4));
/// assert_eq!(map.to_source(Span::new(0, 3)), Span::new(0, 5));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpanMap {
    /// The runs, or `None` if the derived text is a copy of the source from byte `shift` on.
    runs: Option<Runs>,
    shift: usize,
}

impl SpanMap {
    /// Returns the map of a text that equals its source. Allocates nothing.
    pub const fn identity() -> Self {
        Self { runs: None, shift: 0 }
    }

    /// Returns the map of a text that is a copy of its source from byte `start` on. Allocates
    /// nothing.
    ///
    /// ```
    /// use urlsift_core::{Span, SpanMap};
    /// let map = SpanMap::cut_from(100);
    /// assert!(map.is_identity() && SpanMap::identity().is_identity());
    /// assert_eq!(map.to_source(Span::new(2, 5)), Span::new(102, 105));
    /// ```
    pub const fn cut_from(start: usize) -> Self {
        Self { runs: None, shift: start }
    }

    /// True if the whole text is a contiguous copy of its source (see [`SpanMap::identity`] and
    /// [`SpanMap::cut_from`]).
    pub const fn is_identity(&self) -> bool {
        self.runs.is_none()
    }

    /// Returns the smallest source span that contains all bytes of `derived`, a span of the derived
    /// text. The source span includes bytes that were dropped between those of `derived`, but not
    /// bytes that were dropped before or after them. An empty span maps to an empty span.
    ///
    /// Takes logarithmic time in the number of runs. Offsets after the end of the derived text are
    /// clamped.
    #[inline]
    pub fn to_source(&self, derived: Span) -> Span {
        match &self.runs {
            None => derived.shifted(self.shift),
            Some(runs) => Self::source_by(runs, derived),
        }
    }

    fn source_by(runs: &Runs, derived: Span) -> Span {
        let last = || Span::new(runs.source_end(), runs.source_end());
        let mut rest = runs.runs_from(derived.start);
        let Some(first) = rest.next() else { return last() };
        let start = first.source_of(derived.start, derived.start + 1).start;
        if derived.is_empty() {
            return Span::new(start, start);
        }
        let end = min(derived.end, runs.derived_len());
        let final_run =
            if end <= first.end() { Some(first) } else { runs.runs_from(end - 1).next() };
        let end = final_run.map_or(start, |run| run.source_of(end - 1, end).end);
        Span::new(start, max(start, end))
    }

    /// Returns the pieces of `derived`, a span of the derived text, that were copied byte for byte,
    /// in order. Each piece is a pair of its span in the derived text and its span in the source.
    /// Decoded and replaced bytes are not included.
    pub fn copied_pieces(&self, derived: Span) -> Pieces<'_> {
        let runs = match &self.runs {
            None => Err(Some((derived, derived.shifted(self.shift)))),
            Some(runs) => Ok(runs.runs_from(derived.start)),
        };
        Pieces { derived, runs }
    }

    /// True if `derived`, a span of the derived text, was copied byte for byte from one contiguous
    /// span of the source.
    #[inline]
    pub fn is_verbatim(&self, derived: Span) -> bool {
        self.runs.is_none()
            || derived.is_empty()
            || self.copied_pieces(derived).next().is_some_and(|(copied, _)| copied == derived)
    }

    /// Composes this map with `outer`, which maps this map's source to another text. The result
    /// maps the derived text to that other text.
    ///
    /// Takes linear time in the runs of both maps. If both maps decode the same bytes (e.g. a
    /// charset within base64), it also takes linear time in those bytes. The result is then only as
    /// precise as the less precise map.
    ///
    /// ```
    /// use urlsift_core::{MapBuilder, Span, SpanMap};
    /// // A text in base64, which begins at byte 40 of a file.
    /// let mut decoded = MapBuilder::new();
    /// decoded.push_base64(Span::new(0, 8), 6);
    /// let map = decoded.finish().composed_with(&SpanMap::cut_from(40));
    /// assert_eq!(map.to_source(Span::new(4, 5)), Span::new(44, 48));
    /// ```
    #[must_use]
    pub fn composed_with(&self, outer: &Self) -> Self {
        let Some(runs) = &self.runs else {
            let Some(outer_runs) = &outer.runs else {
                return Self { runs: None, shift: self.shift + outer.shift };
            };
            // Cutting a mapped text moves the outer runs to the front.
            let mut built = MapBuilder::new();
            let end = outer_runs.derived_len();
            outer.copy_runs(Span::new(min(self.shift, end), end), &mut built);
            return built.finish();
        };
        let mut built = MapBuilder::new();
        for run in runs.runs_from(0) {
            match run.kind {
                Kind::Copied => outer.copy_runs(run.source, &mut built),
                Kind::Group { .. } | Kind::Lines { .. } if outer.is_verbatim(run.source) => {
                    built.push_run(run.len, outer.to_source(run.source), run.kind);
                }
                Kind::Group { from: wide, to: narrow, .. }
                | Kind::Lines { from: wide, to: narrow, .. } => {
                    // Each group is mapped on its own, because the run as a whole would map to the
                    // whole text.
                    let mut at = run.derived;
                    let phase = match run.kind {
                        Kind::Group { phase, .. } => phase as usize,
                        Kind::Lines { phase, .. } => phase as usize % narrow as usize,
                        _ => 0,
                    };
                    let mut left = narrow as usize - phase;
                    while at < run.end() {
                        let to = min(at + left, run.end());
                        let source = run.source_of(at, to);
                        if outer.is_verbatim(source) && left == narrow as usize {
                            built.push_groups(outer.to_source(source), wide, to - at, narrow);
                        } else {
                            built.push_run(to - at, outer.to_source(source), Kind::Replaced);
                        }
                        at = to;
                        left = narrow as usize;
                    }
                }
                Kind::Replaced => {
                    built.push_run(run.len, outer.to_source(run.source), Kind::Replaced);
                }
            }
        }
        built.finish()
    }

    /// Appends to `built` the runs of this map that cover `derived`, a span of the derived text.
    fn copy_runs(&self, derived: Span, built: &mut MapBuilder) {
        let Some(runs) = &self.runs else {
            built.push_copied(derived.start + self.shift, derived.len());
            return;
        };
        for run in runs.runs_from(derived.start) {
            if run.derived >= derived.end {
                break;
            }
            let (from, to) = (max(run.derived, derived.start), min(run.end(), derived.end));
            let cut = run.slice_moved_to(from, to, built.len);
            built.push_run(cut.len, cut.source, cut.kind);
        }
    }
}

/// An iterator over the copied pieces of a span, returned by [`SpanMap::copied_pieces`].
///
/// ```
/// use urlsift_core::{MapBuilder, Span};
/// // `a=3Db` decodes to `a=b`.
/// let mut map = MapBuilder::new();
/// map.push_copied(0, 1);
/// map.push_replaced(Span::new(1, 4), 1);
/// map.push_copied(4, 1);
/// let map = map.finish();
/// let pieces: Vec<_> = map.copied_pieces(Span::new(0, 3)).collect();
/// assert_eq!(pieces, [
///     (Span::new(0, 1), Span::new(0, 1)),
///     (Span::new(2, 3), Span::new(4, 5)),
/// ]);
/// assert!(!map.is_verbatim(Span::new(0, 3)));
/// ```
#[derive(Clone, Debug)]
pub struct Pieces<'m> {
    derived: Span,
    /// `Err` is the only piece of a map without runs.
    runs: Result<RunsFrom<'m>, Option<(Span, Span)>>,
}

impl Iterator for Pieces<'_> {
    /// A span of the derived text, and the equally long span of the source it was copied from.
    type Item = (Span, Span);

    fn next(&mut self) -> Option<Self::Item> {
        let runs = match &mut self.runs {
            Ok(runs) => runs,
            Err(whole) => return whole.take().filter(|(derived, _)| !derived.is_empty()),
        };
        let in_reach = |run: &Run| run.derived < self.derived.end;
        let run = runs.take_while(in_reach).find(|run| run.kind == Kind::Copied)?;
        let from = max(run.derived, self.derived.start);
        let to = min(run.end(), self.derived.end);
        Some((Span::new(from, to), run.source_of(from, to)))
    }
}

/// A builder for a [`SpanMap`]. Call one method for every run of bytes that is appended to the
/// derived text.
///
/// ```
/// use urlsift_core::{MapBuilder, Span};
/// // `=C3=A9` is é in quoted-printable: for each byte there are three.
/// let mut map = MapBuilder::new();
/// map.push_groups(Span::new(0, 6), 3, 2, 1);
/// map.push_copied(6, 4);
/// assert_eq!(map.len(), 6);
/// assert_eq!(map.finish().to_source(Span::new(1, 3)), Span::new(3, 7));
/// ```
#[derive(Clone, Debug, Default)]
pub struct MapBuilder {
    runs: Runs,
    /// The last run, which may still be extended.
    last: Option<Run>,
    len: usize,
}

impl MapBuilder {
    /// Creates a builder without any bytes.
    pub const fn new() -> Self {
        Self { runs: Runs::new(), last: None, len: 0 }
    }

    /// Returns the number of bytes of derived text that were added.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// True if no bytes were added yet.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds `len` bytes of derived text that were copied unchanged from byte `from` of the source.
    pub fn push_copied(&mut self, from: usize, len: usize) {
        self.push_run(len, Span::new(from, from + len), Kind::Copied);
    }

    /// Adds `len` bytes that were decoded from the base64 text at the span `source`. It must
    /// consist of whole groups of four characters; only the last group may be shorter.
    pub fn push_base64(&mut self, source: Span, len: usize) {
        self.push_groups(source, 4, len, 3);
    }

    /// Adds `len` bytes that were decoded from `source` in groups: each group of `from` source
    /// bytes became `to` bytes. For example, `=E9` is a group with `from` 3 and `to` 1. The last
    /// group may be shorter.
    ///
    /// # Panics
    ///
    /// Panics if `to` is 0.
    pub fn push_groups(&mut self, source: Span, from: u8, len: usize, to: u8) {
        assert!(to > 0, "a group without bytes is dropped, not mapped");
        if let Some(last) = self.last.as_mut()
            && let Kind::Group { from: last_from, to: last_to, phase } = last.kind
            && (last_from, last_to) == (from, to)
            && last.source.end == source.start
            && (last.len + phase as usize).is_multiple_of(to as usize)
            && last.source.len() * to as usize == (last.len + phase as usize) * from as usize
        {
            last.len += len;
            last.source.end = source.end;
            self.len += len;
        } else if !self.extend_by_line(source, from, len, to) {
            self.push_run(len, source, Kind::Group { from, to, phase: 0 });
        }
    }

    /// Extends the last run by the groups at `source` and returns true, if these groups are the
    /// next line of the same encoded body. Otherwise, changes nothing and returns false.
    fn extend_by_line(&mut self, source: Span, from: u8, len: usize, to: u8) -> bool {
        let Some(last) = self.last.as_mut() else { return false };
        let Some(space) = source.start.checked_sub(last.source.end) else { return false };
        let line = match last.kind {
            Kind::Group { from: wide, to: narrow, phase: 0 } if (wide, narrow) == (from, to) => {
                let groups = last.len / to as usize;
                let whole = groups * from as usize == last.source.len();
                match (u8::try_from(groups), u8::try_from(space)) {
                    (Ok(groups), Ok(gap)) if whole && groups > 0 && gap > 0 => {
                        Some(Kind::Lines { from, to, groups, gap, phase: 0 })
                    }
                    _ => None,
                }
            }
            Kind::Lines { from: wide, to: narrow, gap, phase: 0, .. }
                if (wide, narrow, gap as usize) == (from, to, space) =>
            {
                Some(last.kind)
            }
            _ => None,
        };
        let Some(Kind::Lines { groups, .. }) = line else { return false };
        let bytes = groups as usize * to as usize;
        // The lines so far must be complete, and this line must not be longer.
        if len == 0
            || !last.len.is_multiple_of(bytes)
            || len > bytes
            || source.len() > groups as usize * from as usize
        {
            return false;
        }
        last.kind = line.unwrap_or(last.kind);
        last.len += len;
        last.source.end = source.end;
        self.len += len;
        true
    }

    /// Adds `len` bytes that replace the source span `source` as a whole. For source bytes that
    /// were dropped, no call is needed.
    pub fn push_replaced(&mut self, source: Span, len: usize) {
        self.push_run(len, source, Kind::Replaced);
    }

    /// Returns the finished map, which covers all bytes that were added.
    pub fn finish(mut self) -> SpanMap {
        if let Some(last) = self.last {
            self.runs.push(&last);
        }
        SpanMap { runs: Some(self.runs), shift: 0 }
    }

    /// Appends a run of `len` bytes. Merges it with the last run if both were copied from adjacent
    /// source spans.
    fn push_run(&mut self, len: usize, source: Span, kind: Kind) {
        if len == 0 {
            return;
        }
        if let Some(last) = self.last.as_mut()
            && last.kind == Kind::Copied
            && kind == Kind::Copied
            && last.source.end == source.start
        {
            last.len += len;
            last.source.end = source.end;
        } else {
            let next = Run { derived: self.len, len, source, kind };
            if let Some(last) = self.last.replace(next) {
                self.runs.push(&last);
            }
        }
        self.len += len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn sample() -> SpanMap {
        // source: `ab=\ncd` → `abcd`; then `QUJDREVG` → `ABCDEF`
        let mut map = MapBuilder::new();
        map.push_copied(0, 2);
        map.push_copied(4, 2);
        map.push_base64(Span::new(10, 18), 6);
        map.finish()
    }

    #[test]
    fn source_covers_dropped_bytes_inside_only() {
        let map = sample();
        assert_eq!(map.to_source(Span::new(0, 2)), Span::new(0, 2));
        assert_eq!(map.to_source(Span::new(1, 3)), Span::new(1, 5));
        assert_eq!(map.to_source(Span::new(2, 4)), Span::new(4, 6));
        assert_eq!(map.to_source(Span::new(5, 6)), Span::new(10, 14));
        assert_eq!(map.to_source(Span::new(6, 8)), Span::new(10, 18));
        assert_eq!(map.to_source(Span::new(2, 2)), Span::new(4, 4));
        assert_eq!(map.to_source(Span::new(10, 10)), Span::new(18, 18));
    }

    #[test]
    fn pieces_are_the_copied_runs() {
        let map = sample();
        let pieces: Vec<_> = map.copied_pieces(Span::new(1, 7)).collect();
        assert_eq!(
            pieces,
            [(Span::new(1, 2), Span::new(1, 2)), (Span::new(2, 4), Span::new(4, 6))]
        );
        assert!(map.is_verbatim(Span::new(2, 4)));
        assert!(!map.is_verbatim(Span::new(1, 3)));
        assert!(!map.is_verbatim(Span::new(4, 5)));
    }

    #[test]
    fn adjacent_groups_are_one_run() {
        // `=E4=B8=AD` → three bytes, then `x=\n=41` → `xA`
        let mut map = MapBuilder::new();
        for at in [0, 3, 6] {
            map.push_groups(Span::new(at, at + 3), 3, 1, 1);
        }
        map.push_copied(9, 1);
        map.push_groups(Span::new(12, 15), 3, 1, 1);
        map.push_groups(Span::new(15, 19), 4, 3, 3);
        let map = map.finish();
        assert_eq!(map.runs.as_ref().map(Runs::len), Some(4));
        assert_eq!(map.to_source(Span::new(1, 2)), Span::new(3, 6));
        assert_eq!(map.to_source(Span::new(2, 4)), Span::new(6, 10));
        assert_eq!(map.to_source(Span::new(4, 6)), Span::new(12, 19));
    }

    #[test]
    fn lines_of_groups_are_one_run() {
        for (groups, gap, rest) in [(19, 1, 7), (19, 2, 57), (1, 1, 1), (3, 200, 2), (255, 1, 0)] {
            // Lines of a number of groups of four and three, then one that is shorter.
            let (wide, narrow) = (groups * 4, groups * 3);
            let mut lines = MapBuilder::new();
            let mut single = MapBuilder::new();
            lines.push_copied(0, 5);
            single.push_copied(0, 5);
            for line in 0..6 {
                let at = 100 + line * (wide + gap);
                let len = if line == 5 { rest } else { narrow };
                let source = Span::new(at, at + usize::div_ceil(len * 4, 3));
                lines.push_groups(source, 4, len, 3);
                single.push_run(len, source, Kind::Group { from: 4, to: 3, phase: 0 });
            }
            let (lines, single) = (lines.finish(), single.finish());
            assert_eq!(lines.runs.as_ref().map(Runs::len), Some(2), "{groups} {gap}");
            let end = 5 + 5 * narrow + rest;
            let steps = [1, 2, 3, 7, narrow, narrow + 1];
            let spans = (0..end + 2).flat_map(|at| steps.map(|len| Span::new(at, at + len)));
            let cut = [0, 4, 6, 8, 5 + narrow, 9 + narrow].map(|at| {
                let mut inner = MapBuilder::new();
                inner.push_copied(at, end.saturating_sub(at));
                let inner = inner.finish();
                (inner.composed_with(&lines), inner.composed_with(&single))
            });
            for span in spans {
                assert_eq!(
                    lines.to_source(span),
                    single.to_source(span),
                    "{groups} {gap} {span:?}"
                );
                for (of_lines, of_single) in &cut {
                    assert_eq!(of_lines.to_source(span), of_single.to_source(span), "{span:?}");
                }
            }
            // Over a text that was moved, and over one with a hole.
            let mut hole = MapBuilder::new();
            hole.push_copied(3, 100 + wide / 2);
            hole.push_copied(500, 10_000);
            for outer in [SpanMap::cut_from(50), hole.finish()] {
                let (of_lines, of_single) =
                    (lines.composed_with(&outer), single.composed_with(&outer));
                for at in 0..end {
                    let span = Span::new(at, at + 4);
                    assert_eq!(of_lines.to_source(span), of_single.to_source(span), "{span:?}");
                }
            }
        }
    }

    #[test]
    fn composition_agrees_with_two_steps() {
        let outer = sample();
        let mut inner = MapBuilder::new();
        inner.push_copied(1, 2);
        inner.push_replaced(Span::new(3, 5), 1);
        inner.push_copied(6, 4);
        let inner = inner.finish();
        let composed = inner.composed_with(&outer);
        for start in 0..7 {
            for end in start + 1..=7 {
                let span = Span::new(start, end);
                assert_eq!(
                    composed.to_source(span),
                    outer.to_source(inner.to_source(span)),
                    "{span:?}"
                );
            }
        }
        // Groups over groups: two characters of UTF-16 within one group of base64.
        let mut wide = MapBuilder::new();
        wide.push_copied(1, 1);
        wide.push_groups(Span::new(4, 10), 2, 3, 1);
        let wide = wide.finish();
        let composed = wide.composed_with(&outer);
        for (start, end) in [(0, 1), (1, 2), (2, 3), (3, 4), (1, 4), (0, 4)] {
            let span = Span::new(start, end);
            assert_eq!(composed.to_source(span), outer.to_source(wide.to_source(span)), "{span:?}");
        }
        assert_eq!(SpanMap::cut_from(3).composed_with(&SpanMap::cut_from(4)), SpanMap::cut_from(7));
        let cut = SpanMap::cut_from(3).composed_with(&outer);
        assert_eq!(cut.to_source(Span::new(0, 2)), outer.to_source(Span::new(3, 5)));
    }
}
