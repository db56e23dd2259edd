//! One JSON object a line: the format is a contract.

use super::report::{Renderer, Report, Totals, may_show};
use urlsift_core::Level;
use urlsift_lint::{Diagnostic, Fix};
use urlsift_records::fields::{diagnostic as field, edit, error, fix, lint_summary as summary};
use urlsift_records::write::json::Object;

pub(super) struct Jsonl;

impl Renderer for Jsonl {
    fn file(&self, report: &Report<'_>) -> Vec<String> {
        report.diagnostics.iter().map(|diagnostic| record(report, diagnostic)).collect()
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
        })
    }
}

fn record(report: &Report<'_>, diagnostic: &Diagnostic) -> String {
    let place = report.lines.position(diagnostic.span.start);
    let section = Some(diagnostic.section).filter(|section| !section.is_empty());
    line("diagnostic", |object| {
        object.text(&field::PATH, report.path);
        object.text(&field::CODE, diagnostic.code.as_bytes());
        object.text(&field::LEVEL, diagnostic.level.name().as_bytes());
        object.number(&field::START, diagnostic.span.start as u64);
        object.number(&field::END, diagnostic.span.end as u64);
        object.number(&field::LINE, place.line as u64);
        object.number(&field::COLUMN, place.column as u64);
        object.optional_text(&field::URL, diagnostic.url.as_deref().map(str::as_bytes));
        object.text(&field::MESSAGE, diagnostic.message.as_bytes());
        object.optional_number(&field::RFC, diagnostic.rfc.map(u64::from));
        object.optional_text(&field::SECTION, section.map(str::as_bytes));
        object.texts(&field::NOTES, diagnostic.notes.iter().map(String::as_bytes));
        object.optional_text(&field::HELP, diagnostic.help.as_deref().map(str::as_bytes));
        match &diagnostic.fix {
            Some(fix) if may_show(diagnostic, report.secrets) => {
                object.object(&field::FIX, |object| write_fix(object, fix));
            }
            _ => object.null(&field::FIX),
        }
    })
}

fn write_fix(object: &mut Object<'_>, mends: &Fix) {
    object.text(&fix::APPLICABILITY, mends.applicability.name().as_bytes());
    object.objects(&fix::EDITS, mends.edits.iter(), |object, made| {
        object.number(&edit::START, made.span.start as u64);
        object.number(&edit::END, made.span.end as u64);
        object.text(&edit::TEXT, &made.text);
    });
}

/// A record as a line; the JSON writer makes nothing but UTF-8.
fn line(kind: &'static str, write: impl FnOnce(&mut Object<'_>)) -> String {
    let mut out = Vec::new();
    let mut object = Object::begin(&mut out, kind);
    write(&mut object);
    object.end_line();
    String::from_utf8(out).unwrap_or_default()
}
