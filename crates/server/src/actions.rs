//! Converts fixes to code actions, which the editor offers to the user.

use crate::document::{Encoding, Text};
use crate::faults::{Faults, to_lsp_diagnostic};
use lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use std::ops::Range;
use urlsift_core::Span;
use urlsift_lint::apply::Applied;
use urlsift_lint::{Applicability, Diagnostic, Fix};

/// The kind of the action that applies all safe fixes. Editors can be configured to run it when a
/// document is saved.
pub(crate) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.urlsift");
/// The kind of the action that applies all fixes, including unsafe ones. Editors never run this
/// kind automatically.
pub(crate) const FIX_ALL_UNSAFELY: CodeActionKind =
    CodeActionKind::new("source.urlsift.unsafeFixes");

/// A document for which code actions are requested.
pub(crate) struct ActionTarget<'a> {
    pub(crate) text: &'a Text,
    pub(crate) uri: &'a Uri,
    pub(crate) version: i32,
    pub(crate) encoding: Encoding,
}

impl ActionTarget<'_> {
    /// Converts edits of this document to the protocol's `WorkspaceEdit`.
    fn to_workspace_edit(&self, edits: Vec<TextEdit>) -> WorkspaceEdit {
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

    /// Returns the protocol's `TextEdit` that replaces the bytes at `span` by `text`.
    fn to_text_edit(&self, span: Span, text: &[u8]) -> TextEdit {
        TextEdit {
            range: self.text.to_lsp_range(span, self.encoding),
            new_text: String::from_utf8_lossy(text).into_owned(),
        }
    }

    /// Returns one action for each of `faults` in the byte range `bytes` that is fixable, and the
    /// actions that apply to the whole document. Only actions of the kinds that `context` requests
    /// are returned. `fix` must return the document with all fixes of at least the given
    /// applicability applied.
    pub(crate) fn code_actions(
        &self,
        faults: &Faults,
        bytes: &Range<usize>,
        context: &CodeActionContext,
        fix: impl Fn(Applicability) -> Applied,
    ) -> Vec<CodeActionOrCommand> {
        let is_requested = |kind: &CodeActionKind| {
            context.only.as_ref().is_none_or(|only| {
                only.iter().any(|requested| {
                    let rest = kind.as_str().strip_prefix(requested.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                })
            })
        };
        let mut actions = Vec::new();
        if is_requested(&CodeActionKind::QUICKFIX) {
            let is_here = |span: Span| span.start <= bytes.end && bytes.start <= span.end;
            let here = faults.all.iter().filter(|fault| is_here(fault.span));
            actions.extend(here.filter_map(|fault| self.quick_fix(fault, fault.fix.as_ref()?)));
        }
        for (kind, least, title) in [
            (FIX_ALL, Applicability::Safe, "Apply all safe URL fixes"),
            (FIX_ALL_UNSAFELY, Applicability::Unsafe, "Apply all URL fixes, including unsafe ones"),
        ] {
            if is_requested(&kind) && faults.fixable >= Some(least) {
                actions.extend(self.fix_all_action(kind, title, &fix(least)));
            }
        }
        actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
    }

    /// Returns the action that applies one fix, or `None` if the fix is only for display.
    fn quick_fix(&self, fault: &Diagnostic, fix: &Fix) -> Option<CodeAction> {
        if fix.applicability == Applicability::Display {
            return None;
        }
        let is_safe = fix.applicability == Applicability::Safe;
        let what = fault.help.as_deref().unwrap_or(&fault.message);
        let edits = fix.edits.iter().map(|edit| self.to_text_edit(edit.span, &edit.text)).collect();
        Some(CodeAction {
            title: if is_safe { what.to_owned() } else { format!("{what} (unsafe)") },
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![to_lsp_diagnostic(fault, self.text, self.uri, self.encoding)]),
            edit: Some(self.to_workspace_edit(edits)),
            is_preferred: Some(is_safe),
            ..CodeAction::default()
        })
    }

    /// Returns an action that applies all edits of `fixed`, or `None` if there are none or the
    /// fixes contradict each other.
    fn fix_all_action(
        &self,
        kind: CodeActionKind,
        title: &str,
        fixed: &Applied,
    ) -> Option<CodeAction> {
        if !fixed.settled || fixed.edits.is_empty() {
            return None;
        }
        let old = self.text.as_str();
        // Extend edits of a part of a character to the whole character.
        let edits = fixed.edits.iter().map(|edit| {
            let Span { start, end } = edit.span;
            let whole = Span::new(old.floor_char_boundary(start), old.ceil_char_boundary(end));
            let new =
                [&old.as_bytes()[whole.start..start], &edit.text, &old.as_bytes()[end..whole.end]];
            self.to_text_edit(whole, &new.concat())
        });
        Some(CodeAction {
            title: title.to_owned(),
            kind: Some(kind),
            edit: Some(self.to_workspace_edit(edits.collect())),
            ..CodeAction::default()
        })
    }
}
