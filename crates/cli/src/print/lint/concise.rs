//! One line per diagnostic: `file:line:column: error[code] text`.

use super::report::{Renderer, Report, Totals};
use urlsift_lint::Diagnostic;
use urlsift_records::write::json;
use urlsift_records::write::visible::escape_invisible;

pub(super) struct Concise {
    pub(super) quiet: bool,
}

impl Renderer for Concise {
    fn append_diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        push_diagnostic_line(report, diagnostic, out);
    }

    fn footer(&self, totals: &Totals) -> String {
        if self.quiet { String::new() } else { totals.summary_line() }
    }
}

/// Appends a diagnostic as one line: `file:line:column: error[code] message`.
pub(super) fn push_diagnostic_line(
    report: &Report<'_>,
    diagnostic: &Diagnostic,
    out: &mut Vec<u8>,
) {
    let (line, column) = report.lines().line_and_column(diagnostic.span.start);
    out.extend_from_slice(report.escaped_path().as_bytes());
    for number in [line, column] {
        out.push(b':');
        json::push_decimal(out, number as u64);
    }
    report.push_level_code_and_message(diagnostic, out);
    if let Some(help) = &diagnostic.help {
        out.extend_from_slice(b"; ");
        out.extend_from_slice(escape_invisible(help).as_bytes());
    }
    out.push(b'\n');
}
