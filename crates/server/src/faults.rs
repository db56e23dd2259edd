//! Finds the problems of a document and converts them to the editor's diagnostics.

use crate::document::{Encoding, Text};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Uri,
};
use std::fmt::Write as _;
use std::path::Path;
use urlsift_archive::Reading;
use urlsift_core::{Level, Span};
use urlsift_lint::{self as lint, Applicability, Judge};

/// The maximum number of problems published for one document.
const MAX_DIAGNOSTICS: usize = 1000;

/// The problems that the linter found in a document.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// The first problems, in the order of the text.
    pub(crate) all: Vec<lint::Diagnostic>,
    /// The number of further problems, which aren't shown.
    pub(crate) more: usize,
    /// The applicability of the safest fix; `None` if no problem has a fix.
    pub(crate) fixable: Option<Applicability>,
}

impl Faults {
    /// Lints a document with the settings of `judge`. `path` is the absolute path of the document,
    /// or empty if it has none. `reading` is its format.
    pub(crate) fn lint_document(text: &str, path: &Path, reading: Reading, judge: &Judge) -> Self {
        let mut faults = Self::default();
        if judge.settings().excludes(path) {
            return faults;
        }
        judge.lint_parts(path, text.as_bytes(), reading, &mut |part| {
            for diagnostic in part.diagnostics.drain(..) {
                let fix = diagnostic.fix.as_ref().map(|fix| fix.applicability);
                faults.fixable = faults.fixable.max(fix);
                if faults.all.len() < MAX_DIAGNOSTICS {
                    faults.all.push(diagnostic);
                } else {
                    faults.more += 1;
                }
            }
        });
        faults
    }

    /// Converts the problems to diagnostics of the protocol. The last one says how many problems
    /// are not shown.
    pub(crate) fn to_lsp_diagnostics(
        &self,
        text: &Text,
        uri: &Uri,
        encoding: Encoding,
    ) -> Vec<Diagnostic> {
        let mut shown: Vec<Diagnostic> =
            self.all.iter().map(|fault| to_lsp_diagnostic(fault, text, uri, encoding)).collect();
        if self.more > 0
            && let Some(last) = shown.last_mut()
        {
            let _ = write!(last.message, "; {} more are not shown", self.more);
        }
        shown
    }
}

/// Converts one problem to a diagnostic of the protocol.
pub(crate) fn to_lsp_diagnostic(
    fault: &lint::Diagnostic,
    text: &Text,
    uri: &Uri,
    encoding: Encoding,
) -> Diagnostic {
    let range = |span: Span| text.to_lsp_range(span, encoding);
    let related = |label: &lint::Label| DiagnosticRelatedInformation {
        location: Location { uri: uri.clone(), range: range(label.span) },
        message: label.text.clone(),
    };
    let related: Vec<_> =
        fault.labels.iter().filter(|label| !label.text.is_empty()).map(related).collect();
    Diagnostic {
        range: range(fault.span),
        severity: Some(match fault.level {
            Level::Error => DiagnosticSeverity::ERROR,
            Level::Warning => DiagnosticSeverity::WARNING,
            Level::Info => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(fault.code.to_owned())),
        source: Some("urlsift".to_owned()),
        message: fault.to_one_line(),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}
