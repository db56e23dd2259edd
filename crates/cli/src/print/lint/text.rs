//! For people: each diagnostic as a compiler would show it, and a line that sums up.

use super::report::{Renderer, Report, Totals};
use std::fmt::Write as _;
use urlsift_core::Level;
use urlsift_lint::snippet::Snippets;

pub(super) struct Text {
    pub(super) color: bool,
}

impl Renderer for Text {
    fn file(&self, report: &Report<'_>) -> Vec<String> {
        let path = String::from_utf8_lossy(report.path);
        let snippets = Snippets::new(&path, report.text, report.lines, report.secrets, self.color);
        let render = |diagnostic| {
            let mut out = String::new();
            snippets.write(&mut out, diagnostic);
            out
        };
        report.diagnostics.iter().map(render).collect()
    }

    fn end(&self, totals: &Totals) -> String {
        let count = |number: u64, one: &str, more: &str| {
            format!("{number} {}", if number == 1 { one } else { more })
        };
        let files = count(totals.files, "file", "files");
        let mut out = if totals.diagnostics() == 0 {
            format!("Nothing to report in {files}")
        } else {
            format!(
                "{}, {}, {} in {} of {files}",
                count(totals.of(Level::Error), "error", "errors"),
                count(totals.of(Level::Warning), "warning", "warnings"),
                count(totals.of(Level::Info), "info", "info"),
                totals.faulty,
            )
        };
        if totals.fixed > 0 {
            let _ = write!(out, "; {} made", count(totals.fixed, "fix", "fixes"));
        }
        if totals.fixable > 0 {
            let _ = write!(out, "; --fix mends {}", totals.fixable);
        }
        if totals.fixable_unsafely > 0 {
            let _ = write!(out, "; --unsafe-fixes {} more", totals.fixable_unsafely);
        }
        out.push('\n');
        out
    }
}
