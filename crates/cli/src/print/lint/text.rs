//! Text output: diagnostics in the style of a compiler, and a summary line.

use super::concise;
use super::report::{Renderer, Report, Totals};
use urlsift_lint::Diagnostic;
use urlsift_lint::snippet::Snippets;

/// The maximum number of consecutive diagnostics of one line that are shown with the source line.
/// Further ones are shown in the concise format.
const MOST_OF_A_LINE: usize = 20;

/// The initial capacity for the text of a diagnostic, in bytes. Most texts are shorter.
const USUAL: usize = 1024;

pub(super) struct Text {
    pub(super) color: bool,
    pub(super) quiet: bool,
}

impl Renderer for Text {
    fn append_diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let line = report.lines().line_number(diagnostic.span.start);
        let (last, shown) = report.shown.get();
        let shown = if line == last { shown + 1 } else { 1 };
        report.shown.set((line, shown));
        if shown > MOST_OF_A_LINE {
            return concise::push_diagnostic_line(report, diagnostic, out);
        }
        let mut text = String::with_capacity(USUAL);
        Snippets::new(report.name, report.text, report.lines(), &report.secrets, self.color)
            .write(&mut text, diagnostic);
        out.extend_from_slice(text.as_bytes());
    }

    fn footer(&self, totals: &Totals) -> String {
        if self.quiet { String::new() } else { totals.summary_line() }
    }
}
