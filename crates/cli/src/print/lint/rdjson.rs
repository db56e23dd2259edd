//! Reviewdog's diagnostic format, in one JSON object.

use super::report::{Renderer, Report, Totals};
use serde_json::{Value, json};
use urlsift_core::{Level, Span};
use urlsift_lint::{Applicability, Diagnostic, apply};
use urlsift_records::write::json::without_unseen;

pub(super) struct Rdjson;

impl Renderer for Rdjson {
    fn begin(&self) -> String {
        "{\"source\":{\"name\":\"urlsift\"},\"diagnostics\":[\n".to_owned()
    }

    fn diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let severity = match diagnostic.level {
            Level::Error => "ERROR",
            Level::Warning => "WARNING",
            Level::Info => "INFO",
        };
        let mut item = json!({
            "message": diagnostic.one_line(),
            "location": {
                "path": report.plain_name(),
                "range": range(report, diagnostic.span),
            },
            "severity": severity,
            "code": { "value": diagnostic.code },
        });
        if let Some((span, text)) = suggestion(report, diagnostic) {
            item["suggestions"] = json!([{ "range": range(report, span), "text": text }]);
        }
        out.extend_from_slice(without_unseen(item.to_string()).as_bytes());
    }

    fn between(&self) -> &'static str {
        ",\n"
    }

    fn end(&self, _: &Totals) -> String {
        "\n]}\n".to_owned()
    }
}

/// Lines and columns from 1, in bytes; the end is behind the last one.
fn range(report: &Report<'_>, span: Span) -> Value {
    let place = |at| {
        let place = report.lines().position(at);
        json!({ "line": place.line, "column": place.column })
    };
    json!({ "start": place(span.start), "end": place(span.end) })
}

/// What a fix makes of the bytes that it changes, as one replacement: suggestions are taken one by one.
fn suggestion(report: &Report<'_>, diagnostic: &Diagnostic) -> Option<(Span, String)> {
    let fix = diagnostic.shown_fix(&report.secrets)?;
    let (first, last) = (fix.edits.first()?, fix.edits.last()?);
    let span = Span::new(first.span.start, last.span.end);
    let shows_secret = report.secrets.iter().any(|secret| secret.overlaps(span));
    if fix.applicability == Applicability::Display || fix.edits.len() > 1 && shows_secret {
        return None;
    }
    let mended = apply::mended_part(report.text, span, &fix.edits);
    Some((span, String::from_utf8_lossy(&mended).into_owned()))
}
