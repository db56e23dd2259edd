//! From a text that was decoded back to what it was decoded from.

use crate::diagnostic::Diagnostic;
use crate::edit::{Applicability, Edit};
use urlsift_core::Span;

/// The way from a text that was decoded back to what it was decoded from.
pub(crate) struct Place<'a> {
    pub(crate) source: &'a dyn Fn(Span) -> Span,
    /// Whether the bytes stand there as they are.
    pub(crate) is_verbatim: &'a dyn Fn(Span) -> bool,
    /// How far a fix may be trusted there.
    pub(crate) most: Applicability,
}

impl Place<'_> {
    /// A diagnostic of the text as one of where it came from.
    pub(crate) fn put_back(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.span = (self.source)(diagnostic.span);
        for label in &mut diagnostic.labels {
            label.span = (self.source)(label.span);
        }
        diagnostic.fix = diagnostic.fix.take().and_then(|mut fix| {
            for Edit { span, .. } in fix.edits.iter_mut() {
                *span = self.edited(*span)?;
            }
            fix.applicability = fix.applicability.min(self.most);
            Some(fix)
        });
        diagnostic
    }

    /// Where an edit of the text at `span` is made, where these bytes are shown as they are.
    fn edited(&self, span: Span) -> Option<Span> {
        if span.is_empty() {
            let before = Span::new(span.start.checked_sub(1)?, span.start);
            let at = (self.source)(before).end;
            return (self.is_verbatim)(before).then(|| Span::new(at, at));
        }
        (self.is_verbatim)(span).then(|| (self.source)(span))
    }
}
