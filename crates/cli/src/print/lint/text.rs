//! For people: each diagnostic as a compiler would show it, and a line that sums up.

use super::concise;
use super::report::{Renderer, Report, Totals};
use std::fmt::Write as _;
use urlsift_core::Level;
use urlsift_lint::Diagnostic;
use urlsift_lint::snippet::Snippets;

/// So many diagnostics of one line are shown with the line; what more there are, without it.
const MOST_OF_A_LINE: usize = 20;

pub(super) struct Text {
    pub(super) color: bool,
    pub(super) quiet: bool,
}

impl Renderer for Text {
    fn diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let line = report.lines().line(diagnostic.span.start);
        let (last, shown) = report.shown.get();
        let shown = if line == last { shown + 1 } else { 1 };
        report.shown.set((line, shown));
        if shown > MOST_OF_A_LINE {
            return concise::line(report, diagnostic, out);
        }
        let mut text = String::new();
        Snippets::new(report.name, report.text, report.lines(), &report.secrets, self.color)
            .write(&mut text, diagnostic);
        out.extend_from_slice(text.as_bytes());
    }

    fn end(&self, totals: &Totals) -> String {
        if self.quiet { String::new() } else { summary(totals) }
    }
}

/// The line that sums up.
pub(super) fn summary(totals: &Totals) -> String {
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
