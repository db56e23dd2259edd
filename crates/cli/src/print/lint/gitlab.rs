//! GitLab's code quality report, which is a subset of Code Climate's JSON format.

use super::report::{Renderer, Report, Totals};
use serde_json::json;
use urlsift_core::Level;
use urlsift_lint::Diagnostic;
use urlsift_records::write::json::escape_unseen;

pub(super) struct Gitlab;

impl Renderer for Gitlab {
    fn header(&self) -> String {
        "[\n".to_owned()
    }

    fn append_diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let begin = report.lines().position(diagnostic.span.start).line;
        let end = report.lines().position(diagnostic.span.end).line;
        let severity = match diagnostic.level {
            Level::Error => "major",
            Level::Warning => "minor",
            Level::Info => "info",
        };
        let issue = json!({
            "description": diagnostic.to_one_line(),
            "check_name": diagnostic.code,
            // Must be unique in the report, so that GitLab can compare the reports of two commits.
            "fingerprint": report.fingerprint(diagnostic, report.path),
            "severity": severity,
            "location": {
                "path": report.repository_path(),
                "lines": { "begin": begin, "end": end },
            },
        });
        out.extend_from_slice(escape_unseen(issue.to_string()).as_bytes());
    }

    fn diagnostic_separator(&self) -> &'static str {
        ",\n"
    }

    fn footer(&self, _: &Totals) -> String {
        "\n]\n".to_owned()
    }
}
