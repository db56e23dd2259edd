//! One JSON object a line: the format is a contract.

use super::{Renderer, Report, Totals, may_show};
use crate::output::json;
use urlsift_core::Level;
use urlsift_lint::{Diagnostic, Fix};

pub(super) struct Jsonl;

impl Renderer for Jsonl {
    fn file(&self, report: &Report<'_>) -> Vec<String> {
        report.diagnostics.iter().map(|diagnostic| record(report, diagnostic)).collect()
    }

    fn error(&self, path: &[u8], message: &str) -> String {
        let mut out = b"{\"type\":\"error\"".to_vec();
        json::field(&mut out, "path", path);
        json::field(&mut out, "message", message.as_bytes());
        finish(out)
    }

    fn end(&self, totals: &Totals) -> String {
        let mut out = b"{\"type\":\"summary\"".to_vec();
        for (key, value) in [
            ("files", totals.files),
            ("bytes", totals.bytes),
            ("diagnostics", totals.diagnostics()),
            ("info", totals.of(Level::Info)),
            ("warning", totals.of(Level::Warning)),
            ("error", totals.of(Level::Error)),
            ("fixed", totals.fixed),
            ("errors", totals.errors),
        ] {
            number(&mut out, key, value);
        }
        finish(out)
    }
}

fn record(report: &Report<'_>, diagnostic: &Diagnostic) -> String {
    let place = report.lines.position(diagnostic.span.start);
    let mut out = b"{\"type\":\"diagnostic\"".to_vec();
    json::field(&mut out, "path", report.path);
    json::field(&mut out, "code", diagnostic.code.as_bytes());
    json::field(&mut out, "level", diagnostic.level.name().as_bytes());
    number(&mut out, "start", diagnostic.span.start as u64);
    number(&mut out, "end", diagnostic.span.end as u64);
    number(&mut out, "line", place.line as u64);
    number(&mut out, "column", place.column as u64);
    json::optional_field(&mut out, "url", diagnostic.url.as_deref().map(str::as_bytes));
    json::field(&mut out, "message", diagnostic.message.as_bytes());
    json::name(&mut out, "rfc");
    match diagnostic.rfc {
        Some(rfc) => json::number(&mut out, rfc.into()),
        None => out.extend_from_slice(b"null"),
    }
    let section = Some(diagnostic.section).filter(|section| !section.is_empty());
    json::optional_field(&mut out, "section", section.map(str::as_bytes));
    let notes = diagnostic.notes.iter().map(String::as_bytes);
    json::list_field(&mut out, "notes", notes);
    json::optional_field(&mut out, "help", diagnostic.help.as_deref().map(str::as_bytes));
    json::name(&mut out, "fix");
    match &diagnostic.fix {
        Some(fix) if may_show(diagnostic, report.secrets) => write_fix(&mut out, fix),
        _ => out.extend_from_slice(b"null"),
    }
    finish(out)
}

fn write_fix(out: &mut Vec<u8>, fix: &Fix) {
    out.extend_from_slice(b"{\"applicability\":");
    json::string(out, fix.applicability.name().as_bytes());
    out.extend_from_slice(b",\"edits\":[");
    for (index, edit) in fix.edits.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(b"{\"start\":");
        json::number(out, edit.span.start as u64);
        number(out, "end", edit.span.end as u64);
        json::field(out, "text", &edit.text);
        out.push(b'}');
    }
    out.extend_from_slice(b"]}");
}

fn number(out: &mut Vec<u8>, key: &str, value: u64) {
    json::name(out, key);
    json::number(out, value);
}

/// The record closed; the JSON writer makes nothing but UTF-8.
fn finish(mut out: Vec<u8>) -> String {
    out.extend_from_slice(b"}\n");
    String::from_utf8(out).unwrap_or_default()
}
