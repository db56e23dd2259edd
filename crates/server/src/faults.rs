//! What is wrong in a document, as the editor shows it.

use crate::document::{Encoding, Text};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Uri,
};
use std::fmt::Write as _;
use std::path::Path;
use urlsift_archive::Reading;
use urlsift_core::{Level, Span};
use urlsift_lint::{self as lint, Applicability, Judge};

/// No more are shown of one document.
const MOST: usize = 1000;

/// What is wrong in a document.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// The first of them, by place.
    pub(crate) all: Vec<lint::Diagnostic>,
    /// How many more there are.
    pub(crate) more: usize,
    /// How far the most trustworthy fix of any of them can be trusted; `None` if none has one.
    pub(crate) fixable: Option<Applicability>,
}

/// How a document is read, by the name that the editor has for its language.
pub(crate) fn reading(language: &str) -> Reading {
    match language {
        "markdown" => Reading::Markdown,
        "restructuredtext" | "rst" => Reading::Rst,
        "html" | "xhtml" => Reading::Html,
        _ => Reading::Auto,
    }
}

impl Faults {
    pub(crate) fn of(text: &str, path: &Path, reading: Reading, judge: &Judge) -> Self {
        let mut faults = Self::default();
        if judge.settings().excludes(path) {
            return faults;
        }
        judge.lint_parts(path, text.as_bytes(), reading, &mut |part| {
            for diagnostic in part.diagnostics.drain(..) {
                let fix = diagnostic.fix.as_ref().map(|fix| fix.applicability);
                faults.fixable = faults.fixable.max(fix);
                if faults.all.len() < MOST {
                    faults.all.push(diagnostic);
                } else {
                    faults.more += 1;
                }
            }
        });
        faults
    }

    /// All of them for the editor.
    pub(crate) fn shown(&self, text: &Text, uri: &Uri, encoding: Encoding) -> Vec<Diagnostic> {
        let mut shown: Vec<Diagnostic> =
            self.all.iter().map(|fault| show(fault, text, uri, encoding)).collect();
        if self.more > 0
            && let Some(last) = shown.last_mut()
        {
            let _ = write!(last.message, "; {} more are not shown", self.more);
        }
        shown
    }
}

/// One fault for the editor.
pub(crate) fn show(
    fault: &lint::Diagnostic,
    text: &Text,
    uri: &Uri,
    encoding: Encoding,
) -> Diagnostic {
    let range = |span: Span| text.range(span, encoding);
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
        message: fault.one_line(),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}
