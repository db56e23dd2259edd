//! GitHub workflow commands: `::error file=...,line=...::message`.

use super::report::{Renderer, Report};
use std::fmt::Write as _;
use urlsift_core::Level;
use urlsift_lint::Diagnostic;
use urlsift_records::write::visible::escape_invisible;

pub(super) struct Github;

impl Renderer for Github {
    fn append_diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        out.extend_from_slice(workflow_command(report, diagnostic).as_bytes());
    }
}

/// Returns the GitHub workflow command that shows a diagnostic, e.g. `::error
/// file=a.md,line=1::...`.
fn workflow_command(report: &Report<'_>, diagnostic: &Diagnostic) -> String {
    let name = match diagnostic.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "notice",
    };
    let start = report.lines().position(diagnostic.span.start);
    let end = report.lines().position(diagnostic.span.end.max(diagnostic.span.start));
    let mut properties = format!("file={},line={}", escape_property(report.name), start.line);
    // GitHub uses columns only if a range is within one line.
    if end.line == start.line {
        let _ = write!(properties, ",col={},endColumn={}", start.utf16, end.utf16);
    } else {
        let _ = write!(properties, ",endLine={}", end.line);
    }
    format!(
        "::{name} {properties},title={}::{}\n",
        escape_property(diagnostic.code),
        escape_message(&diagnostic.to_one_line())
    )
}

/// Returns `text` escaped for the message of a workflow command. Line breaks are escaped, because a
/// command ends at the end of its line.
fn escape_message(text: &str) -> String {
    escape_invisible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Returns `text` escaped for the value of a property in a workflow command.
fn escape_property(text: &str) -> String {
    escape_message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{escape_message, escape_property};

    #[test]
    fn separators_are_escaped() {
        assert_eq!(escape_message("50% a:b, c"), "50%25 a:b, c");
        assert_eq!(escape_property("a,b:c%d"), "a%2Cb%3Ac%25d");
        assert_eq!(escape_message("a\nb"), "a\\x0ab");
    }
}
