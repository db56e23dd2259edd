//! What is wrong in a document, as the editor shows it.

use crate::document::{Encoding, Text};
use crate::project::Project;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Uri,
};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;
use urlsift_archive::Reading;
use urlsift_core::{Level, Span};
use urlsift_lint as lint;

/// No more are shown of one document.
const MOST: usize = 1000;

/// What is wrong in a document.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// The first of them, by place.
    pub(crate) all: Vec<lint::Diagnostic>,
    /// How many more there are.
    pub(crate) more: usize,
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

/// The last component of a path.
pub(crate) fn name(path: Option<&Path>) -> Option<&[u8]> {
    path.and_then(Path::file_name).map(OsStr::as_encoded_bytes)
}

impl Faults {
    pub(crate) fn of(text: &str, path: Option<&Path>, reading: Reading, project: &Project) -> Self {
        let mut faults = Self::default();
        if path.is_some_and(|path| project.settings().excludes(path)) {
            return faults;
        }
        project.linter.lint_file_parts(text.as_bytes(), name(path), reading, &mut |part| {
            for diagnostic in part.diagnostics.drain(..) {
                if path.is_some_and(|path| project.settings().silences(path, diagnostic.code)) {
                    continue;
                }
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
