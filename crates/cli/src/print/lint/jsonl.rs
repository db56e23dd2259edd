//! JSON Lines: one object per line. Its fields are documented, and don't change in incompatible
//! ways.

use super::report::{Renderer, Report, Totals};
use urlsift_core::Level;
use urlsift_lint::Diagnostic;
use urlsift_records::fields::{error, lint_summary as summary};
use urlsift_records::limit_field;
use urlsift_records::write::json::ObjectWriter;

pub(super) struct Jsonl;

impl Renderer for Jsonl {
    fn diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        diagnostic.write_json(report.path, report.lines(), &report.secrets, out);
    }

    fn error(&self, path: &[u8], message: &str) -> String {
        line("error", |object| {
            object.text(&error::PATH, path);
            object.text(&error::MESSAGE, message.as_bytes());
        })
    }

    fn end(&self, totals: &Totals) -> String {
        line("summary", |object| {
            object.number(&summary::FILES, totals.files);
            object.number(&summary::BYTES, totals.bytes);
            object.number(&summary::DIAGNOSTICS, totals.diagnostics());
            object.number(&summary::INFO, totals.of(Level::Info));
            object.number(&summary::WARNING, totals.of(Level::Warning));
            object.number(&summary::ERROR, totals.of(Level::Error));
            object.number(&summary::FIXED, totals.fixed);
            object.number(&summary::ERRORS, totals.errors);
            if totals.limits.reached_limits().next().is_some() {
                object.object(&summary::LIMITS, |object| {
                    for (limit, count) in totals.limits.reached_limits() {
                        if let Some(field) = limit_field(limit) {
                            object.number(field, count);
                        }
                    }
                });
            }
        })
    }
}

/// Returns a record as a line of JSON. `kind` is its type, and `write` adds its fields.
fn line(kind: &'static str, write: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    let mut out = Vec::new();
    let mut object = ObjectWriter::begin(&mut out, kind);
    write(&mut object);
    object.end_line();
    String::from_utf8(out).unwrap_or_default()
}
