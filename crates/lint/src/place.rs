//! Maps diagnostics of a decoded text to its source.

use crate::diagnostic::Diagnostic;
use crate::edit::{Applicability, Edit};
use urlsift_core::Span;

/// A converter from spans of a decoded text to spans of the source from which the text was decoded.
pub(crate) struct SourceMap<'a> {
    /// A function that maps a span of the decoded text to the source.
    pub(crate) source: &'a dyn Fn(Span) -> Span,
    /// A function that returns true if the source contains the bytes at a span of the decoded text
    /// unchanged.
    pub(crate) is_verbatim: &'a dyn Fn(Span) -> bool,
    /// The maximum applicability of fixes in the source.
    pub(crate) max: Applicability,
}

impl SourceMap<'_> {
    /// Converts the spans of a diagnostic from the decoded text to the source. Removes the fix if
    /// the source doesn't contain the edited bytes unchanged.
    pub(crate) fn to_source(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.span = (self.source)(diagnostic.span);
        for label in &mut diagnostic.labels {
            label.span = (self.source)(label.span);
        }
        diagnostic.fix = diagnostic.fix.take().and_then(|mut fix| {
            for Edit { span, .. } in fix.edits.iter_mut() {
                *span = self.edit_span_in_source(*span)?;
            }
            fix.applicability = fix.applicability.min(self.max);
            Some(fix)
        });
        diagnostic
    }

    /// Converts the span of an edit from the decoded text to the source. Returns `None` if the
    /// source doesn't contain the same bytes there.
    fn edit_span_in_source(&self, span: Span) -> Option<Span> {
        if span.is_empty() {
            let before = Span::new(span.start.checked_sub(1)?, span.start);
            let at = (self.source)(before).end;
            return (self.is_verbatim)(before).then(|| Span::new(at, at));
        }
        (self.is_verbatim)(span).then(|| (self.source)(span))
    }
}
