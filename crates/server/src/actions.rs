//! Fixes that the editor offers.

use crate::document::{Encoding, Text};
use crate::faults::{Faults, show};
use lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use std::ops::Range;
use urlsift_core::Span;
use urlsift_lint::{Applicability, Diagnostic, Fix, apply};

/// All safe fixes: editors can be told to make these when a document is saved.
pub(crate) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.urlsift");
/// All fixes, which is no kind that is made unasked.
pub(crate) const FIX_ALL_UNSAFELY: CodeActionKind =
    CodeActionKind::new("source.urlsift.unsafeFixes");

/// A document that fixes are offered in.
pub(crate) struct Place<'a> {
    pub(crate) text: &'a Text,
    pub(crate) uri: &'a Uri,
    pub(crate) version: i32,
    pub(crate) encoding: Encoding,
}

impl Place<'_> {
    fn edit(&self, edits: Vec<TextEdit>) -> WorkspaceEdit {
        let edits = edits.into_iter().map(OneOf::Left).collect();
        let text_document = OptionalVersionedTextDocumentIdentifier {
            uri: self.uri.clone(),
            version: Some(self.version),
        };
        WorkspaceEdit {
            document_changes: Some(DocumentChanges::Edits(vec![TextDocumentEdit {
                text_document,
                edits,
            }])),
            ..WorkspaceEdit::default()
        }
    }

    fn replace(&self, span: Span, text: &[u8]) -> TextEdit {
        TextEdit {
            range: self.text.range(span, self.encoding),
            new_text: String::from_utf8_lossy(text).into_owned(),
        }
    }

    /// The fixes of what is wrong at `bytes`, and those of the whole document. `lint` tells what is wrong in a text.
    pub(crate) fn actions(
        &self,
        faults: &Faults,
        bytes: &Range<usize>,
        context: &CodeActionContext,
        lint: impl Fn(&[u8]) -> Vec<Diagnostic>,
    ) -> Vec<CodeActionOrCommand> {
        let is_wanted = |kind: &CodeActionKind| {
            context.only.as_ref().is_none_or(|only| {
                only.iter().any(|wanted| {
                    let rest = kind.as_str().strip_prefix(wanted.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                })
            })
        };
        let mut actions = Vec::new();
        if is_wanted(&CodeActionKind::QUICKFIX) {
            let is_here = |span: Span| span.start <= bytes.end && bytes.start <= span.end;
            let here = faults.all.iter().filter(|fault| is_here(fault.span));
            actions.extend(here.filter_map(|fault| self.quick_fix(fault, fault.fix.as_ref()?)));
        }
        for (kind, least, title) in [
            (FIX_ALL, Applicability::Safe, "Make all safe fixes of URLs"),
            (FIX_ALL_UNSAFELY, Applicability::Unsafe, "Make all fixes of URLs, unsafe ones too"),
        ] {
            let can_fix = |fault: &Diagnostic| {
                fault.fix.as_ref().is_some_and(|fix| fix.applicability >= least)
            };
            if is_wanted(&kind) && faults.all.iter().any(can_fix) {
                actions.extend(self.fix_all(kind, least, title, &lint));
            }
        }
        actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
    }

    fn quick_fix(&self, fault: &Diagnostic, fix: &Fix) -> Option<CodeAction> {
        if fix.applicability == Applicability::Display {
            return None;
        }
        let is_safe = fix.applicability == Applicability::Safe;
        let what = fault.help.as_deref().unwrap_or(&fault.message);
        let edits = fix.edits.iter().map(|edit| self.replace(edit.span, &edit.text)).collect();
        Some(CodeAction {
            title: if is_safe { what.to_owned() } else { format!("{what} (unsafe)") },
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![show(fault, self.text, self.uri, self.encoding)]),
            edit: Some(self.edit(edits)),
            is_preferred: Some(is_safe),
            ..CodeAction::default()
        })
    }

    fn fix_all(
        &self,
        kind: CodeActionKind,
        least: Applicability,
        title: &str,
        lint: impl Fn(&[u8]) -> Vec<Diagnostic>,
    ) -> Option<CodeAction> {
        let old = self.text.as_str().as_bytes();
        let mended = apply::to_fixpoint(old, least, lint);
        if !mended.settled || mended.text == old {
            return None;
        }
        let (span, new) = difference(self.text.as_str(), str::from_utf8(&mended.text).ok()?);
        Some(CodeAction {
            title: title.to_owned(),
            kind: Some(kind),
            edit: Some(self.edit(vec![self.replace(span, new.as_bytes())])),
            ..CodeAction::default()
        })
    }
}

/// The part of `old` that differs from `new`, and what stands there in `new`.
fn difference<'n>(old: &str, new: &'n str) -> (Span, &'n str) {
    let same = |pair: &(char, char)| pair.0 == pair.1;
    let lead = old.chars().zip(new.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (old_rest, new_rest): (&str, &str) = (&old[lead..], &new[lead..]);
    let pairs = old_rest.chars().rev().zip(new_rest.chars().rev());
    let tail: usize = pairs.take_while(same).map(|(c, _)| c.len_utf8()).sum();
    (Span::new(lead, old.len() - tail), &new_rest[..new_rest.len() - tail])
}

#[cfg(test)]
mod tests {
    use super::difference;
    use urlsift_core::Span;

    #[test]
    fn only_what_differs_is_replaced() {
        assert_eq!(difference("a\u{e9}b", "a\u{e8}b"), (Span::new(1, 3), "\u{e8}"));
        assert_eq!(difference("aaa", "aa"), (Span::new(2, 3), ""));
        assert_eq!(difference("a", "a"), (Span::new(1, 1), ""));
    }
}
