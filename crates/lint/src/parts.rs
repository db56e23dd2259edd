//! Buffers and sorts diagnostics, and passes them to the caller in parts of bounded size. A
//! diagnostic is passed on as soon as the secrets near it are known.

use crate::apply;
use crate::caches::Caches;
use crate::diagnostic::Diagnostic;
use crate::edit::Applicability;
use urlsift_core::{Span, merge_spans};

/// The number of diagnostics that are buffered before they are passed on. They fit into the
/// processor's cache.
const BUFFER_LEN: usize = 128;
/// The number of bytes around a fault that may be displayed with it, and are searched for
/// passwords.
const MARGIN: usize = 1024;

/// A part of the result of linting a text: some of the diagnostics, and the spans of secrets near
/// them, which must be masked. The linter reuses the memory for the next part, so move diagnostics
/// out of `diagnostics` to keep them.
///
/// ```
/// use urlsift_lint::{Dialect, Markup};
/// use urlsift_lint::{Config, Linter, Part};
/// use urlsift_scanner::Input;
/// let mut codes = Vec::new();
/// let mut take = |part: &mut Part| codes.extend(part.diagnostics.iter().map(|found| found.code));
/// let text = b"At http:/www.host.dom/ now.";
/// Linter::new(Config::default()).lint_parts(Input::new(text), Dialect::Text(Markup::Plain), &mut take);
/// assert_eq!(codes, ["scheme.single-slash"]);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Part {
    /// The diagnostics, in the order of the text. Those of the next part follow them.
    pub diagnostics: Vec<Diagnostic>,
    /// The spans of passwords in the text, in order and not overlapping: all within 1,024 bytes of
    /// the spans and edits of the diagnostics.
    pub secrets: Vec<Span>,
}

/// A buffer that sorts diagnostics and passes them to a callback in parts of bounded size.
pub(crate) struct Parts<'a> {
    text: &'a [u8],
    caches: &'a Caches,
    /// The spans of passwords in URLs. The first `merged` of them are in order and don't overlap.
    of_urls: Vec<Span>,
    merged: usize,
    buffer: Vec<Diagnostic>,
    /// The last part, whose memory is reused.
    part: Part,
    /// The number of buffered diagnostics that triggers the next part.
    threshold: usize,
    take: &'a mut dyn FnMut(&mut Part),
}

impl<'a> Parts<'a> {
    /// Creates an empty buffer for the diagnostics of `text`. Complete parts are passed to the
    /// callback `take`.
    pub(crate) fn new(
        text: &'a [u8],
        caches: &'a Caches,
        take: &'a mut dyn FnMut(&mut Part),
    ) -> Self {
        let (of_urls, merged, buffer) = (Vec::new(), 0, Vec::new());
        let part = Part { diagnostics: Vec::new(), secrets: Vec::new() };
        Self { text, caches, of_urls, merged, buffer, part, threshold: BUFFER_LEN, take }
    }

    /// Promises that all diagnostics added later start at offset `at` or after it. If the buffer is
    /// full, passes the diagnostics that end well before `at` to the callback.
    pub(crate) fn promise_no_earlier_than(&mut self, at: usize) {
        if self.buffer.len() >= self.threshold {
            self.pass_on_before(at);
            // Don't check the waiting diagnostics again for each new one.
            self.threshold = self.buffer.len() + BUFFER_LEN;
        }
    }

    /// Adds a diagnostic. It may start before diagnostics that were added earlier, but not before
    /// the last offset passed to [`Parts::promise_no_earlier_than`].
    pub(crate) fn add_diagnostic(&mut self, diagnostic: Diagnostic) {
        self.buffer.push(diagnostic);
    }

    /// Moves all of `diagnostics` into the buffer. The requirement of [`Parts::add_diagnostic`]
    /// applies to each of them.
    pub(crate) fn add_diagnostics(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        self.buffer.append(diagnostics);
    }

    /// Records the span of a password in a URL of the text.
    pub(crate) fn add_secret(&mut self, secret: Span) {
        self.of_urls.push(secret);
    }

    /// Passes all remaining diagnostics to the callback. Returns the spans of passwords in the
    /// text, in order and not overlapping. If there were no diagnostics, passwords outside of URLs
    /// may be missing.
    pub(crate) fn finish_and_take_secrets(mut self) -> Vec<Span> {
        self.pass_on_before(usize::MAX);
        let mut secrets = self.of_urls;
        secrets.extend(self.caches.known_secrets());
        merge_spans(secrets)
    }

    /// Passes all diagnostics that end at least `MARGIN` bytes before offset `limit` to the
    /// callback.
    fn pass_on_before(&mut self, limit: usize) {
        let place = |d: &Diagnostic| (d.span.start, d.span.end, d.code);
        // Most diagnostics arrive in order, and they are too large to move without need.
        if !self.buffer.is_sorted_by_key(place) {
            self.buffer.sort_by_key(place);
        }
        self.buffer.dedup_by(|b, a| a.span == b.span && a == b);
        let is_ready = |d: &&Diagnostic| marked_extent(d).end.saturating_add(MARGIN) <= limit;
        let ready = self.buffer.iter().take_while(is_ready).count();
        if ready == 0 {
            return;
        }
        let mut diagnostics = std::mem::take(&mut self.part.diagnostics);
        // Fewer diagnostics stay than go, so move the ones that stay.
        std::mem::swap(&mut diagnostics, &mut self.buffer);
        self.buffer.extend(diagnostics.drain(ready..));
        let secrets = self.secrets_near(&diagnostics);
        for diagnostic in &mut diagnostics {
            if let Some(fix) = &mut diagnostic.fix
                && fix.applicability > Applicability::Display
                && !apply::keeps_secrets_recognizable(
                    self.text,
                    self.caches.hides,
                    &secrets,
                    &fix.edits,
                )
            {
                fix.applicability = Applicability::Display;
            }
        }
        self.part = Part { diagnostics, secrets };
        (self.take)(&mut self.part);
        self.part.diagnostics.iter_mut().for_each(|shown| self.caches.recycle_texts(shown));
        self.part.diagnostics.clear();
    }

    /// Returns the spans of passwords that are at most `MARGIN` bytes away from the diagnostics.
    fn secrets_near(&mut self, diagnostics: &[Diagnostic]) -> Vec<Span> {
        let union = |a: Span, b: Span| Span::new(a.start.min(b.start), a.end.max(b.end));
        let all = diagnostics.iter().map(marked_extent).reduce(union).unwrap_or_default();
        let (from, to) = (all.start.saturating_sub(MARGIN), all.end.saturating_add(MARGIN));
        self.merge_secrets();
        let near = |secrets: &[Span]| {
            let first = secrets.partition_point(|secret| secret.end < from);
            let near = secrets[first..].iter().take_while(|secret| secret.start <= to);
            near.copied().collect::<Vec<_>>()
        };
        let mut secrets = near(self.caches.secrets(self.text));
        secrets.extend(near(&self.of_urls));
        merge_spans(secrets)
    }

    /// Sorts the passwords of URLs and merges overlapping ones. If they were added in order, takes
    /// linear time in the number of new ones.
    fn merge_secrets(&mut self) {
        let mut new = self.of_urls.split_off(self.merged);
        if let Some(first) = new.iter().map(|secret| secret.start).min() {
            while let Some(last) = self.of_urls.pop_if(|last| last.end >= first) {
                new.push(last);
            }
        }
        self.of_urls.append(&mut merge_spans(new));
        self.merged = self.of_urls.len();
    }
}

/// Returns the smallest span that contains everything a diagnostic marks or edits.
fn marked_extent(diagnostic: &Diagnostic) -> Span {
    let labels = diagnostic.labels.iter().map(|label| label.span);
    let edits = diagnostic.fix.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.span));
    labels.chain(edits).fold(diagnostic.span, |all, span| {
        Span::new(all.start.min(span.start), all.end.max(span.end))
    })
}
