//! Diagnostics on their way out: in the order of the text, in parts of bounded size, each as soon as all is known that
//! it takes to show it.

use crate::apply;
use crate::diagnostic::Diagnostic;
use crate::edit::Applicability;
use crate::kept::Kept;
use urlsift_core::{Span, merged};

/// So many diagnostics are held before they are handed over: no more than a processor keeps at hand.
const MOST: usize = 128;
/// How far from a fault the text is shown with it, or looked at for passwords, in bytes.
const REACH: usize = 1024;

/// Some diagnostics of a text, and what it takes to show them. Its memory is used again for the next
/// one: what is to be kept is taken out.
///
/// ```
/// use urlsift_lint::Dialect;
/// use urlsift_lint::{Config, Linter, Part};
/// use urlsift_scanner::Input;
/// let mut codes = Vec::new();
/// let mut take = |part: &mut Part| codes.extend(part.diagnostics.iter().map(|found| found.code));
/// let text = b"At http:/www.host.dom/ now.";
/// Linter::new(Config::default()).lint_parts(Input::new(text), Dialect::Plain, &mut take);
/// assert_eq!(codes, ["scheme.single-slash"]);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Part {
    /// The faults, by place. Those of the next part come behind them.
    pub diagnostics: Vec<Diagnostic>,
    /// Where passwords stand in the text, in order and not overlapping: all of those within 1,024 bytes of what the
    /// diagnostics point at or would edit.
    pub secrets: Vec<Span>,
}

/// Holds diagnostics back until their turn comes.
pub(crate) struct Parts<'a> {
    text: &'a [u8],
    kept: &'a Kept,
    /// Those that URLs show. Up to `merged` in order and not overlapping.
    of_urls: Vec<Span>,
    merged: usize,
    held: Vec<Diagnostic>,
    /// What was handed over last, to be used again.
    part: Part,
    /// How many must be held before some are handed over.
    enough: usize,
    take: &'a mut dyn FnMut(&mut Part),
}

impl<'a> Parts<'a> {
    pub(crate) fn new(text: &'a [u8], kept: &'a Kept, take: &'a mut dyn FnMut(&mut Part)) -> Self {
        let (of_urls, merged, held) = (Vec::new(), 0, Vec::new());
        let part = Part { diagnostics: Vec::new(), secrets: Vec::new() };
        Self { text, kept, of_urls, merged, held, part, enough: MOST, take }
    }

    /// Hands over what stands far enough before `at`, if there is much of it. Nothing that comes later may
    /// stand before `at`.
    pub(crate) fn reach(&mut self, at: usize) {
        if self.held.len() >= self.enough {
            self.release(at);
            // Those that have to wait are not looked at again for each that comes.
            self.enough = self.held.len() + MOST;
        }
    }

    /// Adds one that may stand before others, but not before what [`Parts::reach`] was told.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.held.push(diagnostic);
    }

    /// Adds all of these, as [`Parts::push`] does.
    pub(crate) fn append(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        self.held.append(diagnostics);
    }

    /// Adds the place of a password that a URL shows.
    pub(crate) fn hide(&mut self, secret: Span) {
        self.of_urls.push(secret);
    }

    /// Hands over what is left and returns where passwords stand in the text, in order and not overlapping. If
    /// there was no diagnostic, those may be missing that no URL shows.
    pub(crate) fn finish(mut self) -> Vec<Span> {
        self.release(usize::MAX);
        let mut secrets = self.of_urls;
        secrets.extend(self.kept.known_secrets());
        merged(secrets)
    }

    fn release(&mut self, limit: usize) {
        let place = |d: &Diagnostic| (d.span.start, d.span.end, d.code);
        // Most come in order, and are too large to be moved for nothing.
        if !self.held.is_sorted_by_key(place) {
            self.held.sort_by_key(place);
        }
        self.held.dedup_by(|b, a| a.span == b.span && a == b);
        let is_behind = |d: &&Diagnostic| extent(d).end.saturating_add(REACH) <= limit;
        let ready = self.held.iter().take_while(is_behind).count();
        if ready == 0 {
            return;
        }
        let mut diagnostics = std::mem::take(&mut self.part.diagnostics);
        // Those that stay are fewer than those that go, and move.
        std::mem::swap(&mut diagnostics, &mut self.held);
        self.held.extend(diagnostics.drain(ready..));
        let secrets = self.secrets_near(&diagnostics);
        for diagnostic in &mut diagnostics {
            if let Some(fix) = &mut diagnostic.fix
                && fix.applicability > Applicability::Display
                && !apply::keeps_hidden(self.text, self.kept.hides, &secrets, &fix.edits)
            {
                fix.applicability = Applicability::Display;
            }
        }
        self.part = Part { diagnostics, secrets };
        (self.take)(&mut self.part);
        self.part.diagnostics.iter_mut().for_each(|shown| self.kept.take_back(shown));
        self.part.diagnostics.clear();
    }

    fn secrets_near(&mut self, diagnostics: &[Diagnostic]) -> Vec<Span> {
        let union = |a: Span, b: Span| Span::new(a.start.min(b.start), a.end.max(b.end));
        let all = diagnostics.iter().map(extent).reduce(union).unwrap_or_default();
        let (from, to) = (all.start.saturating_sub(REACH), all.end.saturating_add(REACH));
        self.merge();
        let near = |secrets: &[Span]| {
            let first = secrets.partition_point(|secret| secret.end < from);
            let near = secrets[first..].iter().take_while(|secret| secret.start <= to);
            near.copied().collect::<Vec<_>>()
        };
        let mut secrets = near(self.kept.secrets(self.text));
        secrets.extend(near(&self.of_urls));
        merged(secrets)
    }

    /// Puts the passwords of URLs in order. Linear in those that are new, if they come in order.
    fn merge(&mut self) {
        let mut new = self.of_urls.split_off(self.merged);
        if let Some(first) = new.iter().map(|secret| secret.start).min() {
            while let Some(last) = self.of_urls.pop_if(|last| last.end >= first) {
                new.push(last);
            }
        }
        self.of_urls.append(&mut merged(new));
        self.merged = self.of_urls.len();
    }
}

/// All that a diagnostic points at or would edit.
fn extent(diagnostic: &Diagnostic) -> Span {
    let labels = diagnostic.labels.iter().map(|label| label.span);
    let edits = diagnostic.fix.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.span));
    labels.chain(edits).fold(diagnostic.span, |all, span| {
        Span::new(all.start.min(span.start), all.end.max(span.end))
    })
}
