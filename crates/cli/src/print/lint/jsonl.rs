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
    fn append_diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        diagnostic.write_json(report.path, report.lines(), &report.secrets, out);
    }

    fn file_error(&self, path: &[u8], message: &str) -> String {
        record_line("error", |object| {
            object.write_text(&error::PATH, path);
            object.write_text(&error::MESSAGE, message.as_bytes());
        })
    }

    fn footer(&self, totals: &Totals) -> String {
        record_line("summary", |object| {
            object.write_number(&summary::FILES, totals.files);
            object.write_number(&summary::BYTES, totals.bytes);
            object.write_number(&summary::DIAGNOSTICS, totals.diagnostic_count());
            object.write_number(&summary::INFO, totals.diagnostics_at_level(Level::Info));
            object.write_number(&summary::WARNING, totals.diagnostics_at_level(Level::Warning));
            object.write_number(&summary::ERROR, totals.diagnostics_at_level(Level::Error));
            object.write_number(&summary::FIXED, totals.fixed);
            object.write_number(&summary::ERRORS, totals.errors);
            if totals.limits.reached_limits().next().is_some() {
                object.write_object(&summary::LIMITS, |object| {
                    for (limit, count) in totals.limits.reached_limits() {
                        if let Some(field) = limit_field(limit) {
                            object.write_number(field, count);
                        }
                    }
                });
            }
        })
    }
}

/// Returns a record as a line of JSON. `record_type` is its type, and `write_fields` adds its
/// fields.
fn record_line(
    record_type: &'static str,
    write_fields: impl FnOnce(&mut ObjectWriter<'_>),
) -> String {
    let mut out = Vec::new();
    let mut object = ObjectWriter::begin_object(&mut out, record_type);
    write_fields(&mut object);
    object.end_line();
    String::from_utf8(out).unwrap_or_default()
}
