//! Reviewdog's diagnostic format (rdjson): a single JSON object.

use super::report::{Renderer, Report, Totals};
use serde_json::{Value, json};
use urlsift_core::{Level, Span};
use urlsift_lint::{Applicability, Diagnostic, apply};
use urlsift_records::write::json::escape_unseen;

pub(super) struct Rdjson;

impl Renderer for Rdjson {
    fn header(&self) -> String {
        "{\"source\":{\"name\":\"urlsift\"},\"diagnostics\":[\n".to_owned()
    }

    fn append_diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let severity = match diagnostic.level {
            Level::Error => "ERROR",
            Level::Warning => "WARNING",
            Level::Info => "INFO",
        };
        let mut item = json!({
            "message": diagnostic.to_one_line(),
            "location": {
                "path": report.repository_path(),
                "range": range_to_json(report, diagnostic.span),
            },
            "severity": severity,
            "code": { "value": diagnostic.code },
        });
        if let Some((span, text)) = suggested_replacement(report, diagnostic) {
            item["suggestions"] = json!([{ "range": range_to_json(report, span), "text": text }]);
        }
        out.extend_from_slice(escape_unseen(item.to_string()).as_bytes());
    }

    fn diagnostic_separator(&self) -> &'static str {
        ",\n"
    }

    fn footer(&self, _: &Totals) -> String {
        "\n]}\n".to_owned()
    }
}

/// Returns the JSON for a range in a file: the start and the end (exclusive) as 1-based lines and
/// byte columns.
fn range_to_json(report: &Report<'_>, span: Span) -> Value {
    let place = |at| {
        let place = report.lines().position(at);
        json!({ "line": place.line, "column": place.column })
    };
    json!({ "start": place(span.start), "end": place(span.end) })
}

/// Returns a diagnostic's fix as a single replacement: the span to replace, and the new text.
/// Reviewdog applies suggestions one by one, so all edits of the fix are combined.
///
/// Returns `None` if there is no fix to apply. Also returns `None` if edits were combined and the
/// replaced text contains a secret.
fn suggested_replacement(report: &Report<'_>, diagnostic: &Diagnostic) -> Option<(Span, String)> {
    let fix = diagnostic.fix_without_secrets(&report.secrets)?;
    let (first, last) = (fix.edits.first()?, fix.edits.last()?);
    let span = Span::new(first.span.start, last.span.end);
    let shows_secret = report.secrets.iter().any(|secret| secret.overlaps(span));
    if fix.applicability == Applicability::Display || fix.edits.len() > 1 && shows_secret {
        return None;
    }
    let fixed = apply::edited_part(report.text, span, &fix.edits);
    Some((span, String::from_utf8_lossy(&fixed).into_owned()))
}
