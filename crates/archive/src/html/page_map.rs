//! The map from the text that a page shows to the page.

use super::reader::{Reader, TextReceiver};
use super::within::Within;
use crate::decode::maps::OtherMap;
use crate::simd::next_html_mark;
use core::cell::Cell;
use memchr::memchr_iter;
use urlsift_core::Span;

/// An offset at which a [`Reader`] can resume, with the reader's state at that offset.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// The offset in the text that is shown.
    pub derived: usize,
    /// The offset in the page.
    pub source: usize,
    /// The number of preformatted elements that are open.
    pub preformatted: u32,
    /// The open element whose content is not plain markup.
    pub within: Within,
}

impl Mark {
    /// The distance between marks, in bytes of the page. It is exceeded by at most one step of the
    /// reader.
    pub(super) const STRIDE: usize = 256;
}

/// A map from the text that a page shows to the text that contains the page.
///
/// Unlike a [`SpanMap`](urlsift_core::SpanMap), it stores no runs. Each tag would need one or two
/// runs, which took half of the total time, but only few spans are ever looked up. A lookup reads
/// the page again from the last mark before the span.
#[derive(Clone, Debug)]
pub(crate) struct PageMap<'t> {
    html: &'t [u8],
    /// The offset of the page in the text that contains it.
    base: usize,
    marks: Vec<Mark>,
    /// The length of the text in bytes.
    len: usize,
    /// The offset in the page at which the source of the last byte ends.
    source_end: usize,
    /// The last lookup and its result, because callers often look up the same span twice.
    last: Cell<(Span, Span)>,
}

impl<'t> PageMap<'t> {
    pub(super) const fn new(
        html: &'t [u8],
        base: usize,
        marks: Vec<Mark>,
        len: usize,
        source_end: usize,
    ) -> Self {
        let nothing = Span::new(usize::MAX, usize::MAX);
        Self { html, base, marks, len, source_end, last: Cell::new((nothing, nothing)) }
    }

    /// Returns the length of the text in bytes.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the smallest span of the page that covers `derived`, a span of the text.
    fn to_page_span(&self, derived: Span) -> Span {
        if derived.start >= self.len {
            return Span::new(self.source_end, self.source_end);
        }
        if derived.is_empty() {
            let start = self.covering_source(Span::new(derived.start, derived.start + 1)).start;
            return Span::new(start, start);
        }
        let whole = derived.clipped(self.len);
        if whole.len() < Mark::STRIDE {
            return self.covering_source(whole);
        }
        // The text in between needn't be read.
        let start = self.covering_source(Span::new(whole.start, whole.start + 1)).start;
        Span::new(start, self.covering_source(Span::new(whole.end - 1, whole.end)).end)
    }

    /// Returns the smallest span of the page that covers `derived`, a nonempty span of the text.
    /// Reads the page from the last mark before the span to its end.
    fn covering_source(&self, derived: Span) -> Span {
        let mut source: Option<Span> = None;
        self.for_each_run(derived, false, |run| match &mut source {
            Some(source) => source.end = run.source.end,
            None => source = Some(run.source),
        });
        source.unwrap_or_default()
    }

    /// Passes the runs that make up `derived`, a span of the text, to `each`, in order. If
    /// `splits_at_line_breaks` is true, line breaks that became spaces are runs of their own, not
    /// part of the copied text.
    fn for_each_run(&self, derived: Span, splits_at_line_breaks: bool, each: impl FnMut(Run)) {
        let requested = derived.clipped(self.len);
        if requested.is_empty() {
            return;
        }
        let mark = self.marks.partition_point(|mark| mark.derived <= requested.start);
        let mark = mark.checked_sub(1).and_then(|mark| self.marks.get(mark));
        let Mark { derived, source, preformatted, within } = mark.copied().unwrap_or_default();
        let mut out = RunReceiver { at: derived, requested, exactly: splits_at_line_breaks, each };
        let mut reader = Reader::new(self.html, source, preformatted, within);
        while !out.is_done() && reader.pass_next_text(&mut out) {}
    }
}

impl OtherMap for PageMap<'_> {
    /// Returns the smallest span of the source that covers `derived`. Takes time logarithmic in the
    /// number of marks, and linear in the distance between two marks.
    fn to_source_span(&self, derived: Span) -> Span {
        let (span, result) = self.last.get();
        if span == derived {
            return result;
        }
        let source = self.to_page_span(derived).shifted(self.base);
        self.last.set((derived, source));
        source
    }

    fn is_verbatim(&self, derived: Span) -> bool {
        let mut pieces = self.copied_pieces(derived).into_iter();
        derived.is_empty() || pieces.next().is_some_and(|(copied, _)| copied == derived)
    }

    fn copied_pieces(&self, derived: Span) -> Vec<(Span, Span)> {
        let mut pieces: Vec<(Span, Span)> = Vec::new();
        self.for_each_run(derived, true, |run| {
            if !run.is_copied {
                return;
            }
            let source = run.source.shifted(self.base);
            match pieces.last_mut() {
                Some((text, copied))
                    if text.end == run.derived.start && copied.end == source.start =>
                {
                    (text.end, copied.end) = (run.derived.end, source.end);
                }
                _ => pieces.push((run.derived, source)),
            }
        });
        pieces
    }
}

/// A run of bytes of the text that come from one span of the page.
struct Run {
    derived: Span,
    source: Span,
    /// True if the bytes are copied one by one; false if the run is replaced as a whole.
    is_copied: bool,
}

/// A receiver that passes the runs of a span to a function as the page is read.
struct RunReceiver<F> {
    at: usize,
    requested: Span,
    exactly: bool,
    each: F,
}

impl<F: FnMut(Run)> RunReceiver<F> {
    /// Advances by `len` bytes, which are copied from offset `from` of the page. Passes those that
    /// are in the requested span to `each`.
    fn advance_copied(&mut self, from: usize, len: usize) {
        let start = self.at.max(self.requested.start);
        let end = (self.at + len).min(self.requested.end);
        if start < end {
            let derived = Span::new(start, end);
            let source = Span::new(from + (start - self.at), from + (end - self.at));
            (self.each)(Run { derived, source, is_copied: true });
        }
        self.at += len;
    }
}

impl<F: FnMut(Run)> TextReceiver for RunReceiver<F> {
    const HANDLES_MARKUP: bool = false;

    #[inline]
    fn copy_text(
        &mut self,
        html: &[u8],
        from: usize,
        is_text: bool,
        preformatted: &mut u32,
    ) -> usize {
        let limit = from.saturating_add(self.requested.end - self.at).min(html.len());
        let after = (from + usize::from(is_text)).min(limit);
        let to = next_html_mark(html, after..limit).unwrap_or(limit);
        self.copy_range(html, from, to, *preformatted > 0);
        to
    }

    #[inline]
    fn copy_range(&mut self, html: &[u8], from: usize, to: usize, preformatted: bool) {
        let mut at = from;
        // Text before the span is not reported.
        if self.exactly && !preformatted && self.at + (to - from) > self.requested.start {
            let text = html.get(from..to).unwrap_or_default();
            for line_break in memchr_iter(b'\n', text).map(|place| from + place) {
                self.advance_copied(at, line_break - at);
                self.push_replacement(b" ", line_break, line_break + 1);
                at = line_break + 1;
            }
        }
        self.advance_copied(at, to - at);
    }

    #[inline]
    fn push_replacement(&mut self, bytes: &[u8], from: usize, to: usize) {
        let start = self.at.max(self.requested.start);
        let end = (self.at + bytes.len()).min(self.requested.end);
        if start < end {
            let derived = Span::new(start, end);
            (self.each)(Run { derived, source: Span::new(from, to), is_copied: false });
        }
        self.at += bytes.len();
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.at >= self.requested.end
    }
}
