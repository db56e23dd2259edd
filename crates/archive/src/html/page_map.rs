//! Where the text that a page shows stands in the page.

use super::reader::{Out, Reader};
use super::within::Within;
use crate::decode::maps::OtherMap;
use crate::simd::next_html_mark;
use core::cell::Cell;
use memchr::memchr_iter;
use urlsift_core::Span;

/// A place at which reading a page can begin anew.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// Where it is in the text that is shown.
    pub derived: usize,
    /// Where it is in the page.
    pub source: usize,
    /// How many elements around it are preformatted.
    pub preformatted: u32,
    /// What it is within.
    pub within: Within,
}

impl Mark {
    /// How far they lie apart in the page, or a step of reading more.
    pub(super) const STRIDE: usize = 256;
}

/// A map from the text that a page shows to the text that the page stands in.
///
/// It holds no runs, as a [`SpanMap`](urlsift_core::SpanMap) does: each tag would make one or two of them, which took half of the
/// time of the whole, and only few places are ever asked for. What is asked is told by reading the page once more, from the mark before
/// the place on.
#[derive(Clone, Debug)]
pub(crate) struct PageMap<'t> {
    html: &'t [u8],
    /// Where it starts.
    base: usize,
    marks: Vec<Mark>,
    /// How long the text is, and where the source of its last byte ends.
    len: usize,
    source_end: usize,
    /// What was asked last, and told: who asks where a find stands often asks twice.
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

    /// The length of the text.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    fn source_in_page(&self, derived: Span) -> Span {
        if derived.start >= self.len {
            return Span::new(self.source_end, self.source_end);
        }
        if derived.is_empty() {
            let start = self.covering(Span::new(derived.start, derived.start + 1)).start;
            return Span::new(start, start);
        }
        let whole = derived.clipped(self.len);
        if whole.len() < Mark::STRIDE {
            return self.covering(whole);
        }
        // What lies between need not be read.
        let start = self.covering(Span::new(whole.start, whole.start + 1)).start;
        Span::new(start, self.covering(Span::new(whole.end - 1, whole.end)).end)
    }

    /// The source of a span that is not empty, which is read from end to end.
    fn covering(&self, derived: Span) -> Span {
        let mut source: Option<Span> = None;
        self.runs(derived, false, |run| match &mut source {
            Some(source) => source.end = run.source.end,
            None => source = Some(run.source),
        });
        source.unwrap_or_default()
    }

    /// Tells, in order, what of `derived` comes from where, with `exactly` line breaks that became blanks told apart from what is copied.
    fn runs(&self, derived: Span, exactly: bool, each: impl FnMut(Run)) {
        let wanted = derived.clipped(self.len);
        if wanted.is_empty() {
            return;
        }
        let mark = self.marks.partition_point(|mark| mark.derived <= wanted.start);
        let mark = mark.checked_sub(1).and_then(|mark| self.marks.get(mark));
        let Mark { derived, source, preformatted, within } = mark.copied().unwrap_or_default();
        let mut out = Runs { at: derived, wanted, exactly, each };
        let mut reader = Reader::new(self.html, source, preformatted, within);
        while !out.is_done() && reader.step(&mut out) {}
    }
}

impl OtherMap for PageMap<'_> {
    /// Logarithmic in the marks, and linear in a mark's reach.
    fn source(&self, derived: Span) -> Span {
        let (asked, told) = self.last.get();
        if asked == derived {
            return told;
        }
        let source = self.source_in_page(derived).shifted(self.base);
        self.last.set((derived, source));
        source
    }

    fn is_verbatim(&self, derived: Span) -> bool {
        let mut pieces = self.pieces(derived).into_iter();
        derived.is_empty() || pieces.next().is_some_and(|(copied, _)| copied == derived)
    }

    fn pieces(&self, derived: Span) -> Vec<(Span, Span)> {
        let mut pieces: Vec<(Span, Span)> = Vec::new();
        self.runs(derived, true, |run| {
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

/// Bytes of the text that come from one place.
struct Run {
    derived: Span,
    source: Span,
    /// Whether byte by byte, or as a whole.
    is_copied: bool,
}

/// Reads on to what is wanted, and tells the runs of it.
struct Runs<F> {
    at: usize,
    wanted: Span,
    exactly: bool,
    each: F,
}

impl<F: FnMut(Run)> Runs<F> {
    /// Goes on by `len` bytes, of which it tells those that are wanted, where they are copied from `from` on.
    fn copied(&mut self, from: usize, len: usize) {
        let start = self.at.max(self.wanted.start);
        let end = (self.at + len).min(self.wanted.end);
        if start < end {
            let derived = Span::new(start, end);
            let source = Span::new(from + (start - self.at), from + (end - self.at));
            (self.each)(Run { derived, source, is_copied: true });
        }
        self.at += len;
    }
}

impl<F: FnMut(Run)> Out for Runs<F> {
    const TAKES_MORE: bool = false;

    #[inline]
    fn text(&mut self, html: &[u8], from: usize, is_text: bool, preformatted: &mut u32) -> usize {
        let limit = from.saturating_add(self.wanted.end - self.at).min(html.len());
        let behind = (from + usize::from(is_text)).min(limit);
        let to = next_html_mark(html, behind..limit).unwrap_or(limit);
        self.copy(html, from, to, *preformatted > 0);
        to
    }

    #[inline]
    fn copy(&mut self, html: &[u8], from: usize, to: usize, preformatted: bool) {
        let mut at = from;
        // Of what comes before there is nothing to tell.
        if self.exactly && !preformatted && self.at + (to - from) > self.wanted.start {
            let text = html.get(from..to).unwrap_or_default();
            for line_break in memchr_iter(b'\n', text).map(|place| from + place) {
                self.copied(at, line_break - at);
                self.replace(b" ", line_break, line_break + 1);
                at = line_break + 1;
            }
        }
        self.copied(at, to - at);
    }

    #[inline]
    fn replace(&mut self, bytes: &[u8], from: usize, to: usize) {
        let start = self.at.max(self.wanted.start);
        let end = (self.at + bytes.len()).min(self.wanted.end);
        if start < end {
            let derived = Span::new(start, end);
            (self.each)(Run { derived, source: Span::new(from, to), is_copied: false });
        }
        self.at += bytes.len();
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.at >= self.wanted.end
    }
}
