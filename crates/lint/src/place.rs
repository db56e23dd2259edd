//! From a text that was decoded back to what it was decoded from.

use crate::diagnostic::Diagnostic;
use crate::edit::{Applicability, Edit, Fix};
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
        diagnostic.fix = diagnostic.fix.take().and_then(|fix| {
            let edits: Option<Vec<Edit>> = fix.edits.iter().map(|edit| self.edit(edit)).collect();
            edits.map(|edits| Fix { applicability: fix.applicability.min(self.most), edits })
        });
        diagnostic
    }

    /// An edit of the text, where these bytes are shown as they are.
    fn edit(&self, edit: &Edit) -> Option<Edit> {
        let span = edit.span;
        if span.is_empty() {
            let before = Span::new(span.start.checked_sub(1)?, span.start);
            let at = (self.source)(before).end;
            return (self.is_verbatim)(before).then(|| Edit::insert(at, edit.text.clone()));
        }
        (self.is_verbatim)(span).then(|| Edit::replace((self.source)(span), edit.text.clone()))
    }
}
