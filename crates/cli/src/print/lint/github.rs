//! GitHub workflow commands: `::error file=...,line=...::message`.

use super::report::{Renderer, Report};
use std::fmt::Write as _;
use urlsift_core::Level;
use urlsift_lint::Diagnostic;
use urlsift_records::write::visible::escape_invisible;

pub(super) struct Github;

impl Renderer for Github {
    fn diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        out.extend_from_slice(command(report, diagnostic).as_bytes());
    }
}

/// Returns the GitHub workflow command that shows a diagnostic, e.g. `::error
/// file=a.md,line=1::...`.
fn command(report: &Report<'_>, diagnostic: &Diagnostic) -> String {
    let name = match diagnostic.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "notice",
    };
    let start = report.lines().position(diagnostic.span.start);
    let end = report.lines().position(diagnostic.span.end.max(diagnostic.span.start));
    let mut properties = format!("file={},line={}", property(report.name), start.line);
    // GitHub uses columns only if a range is within one line.
    if end.line == start.line {
        let _ = write!(properties, ",col={},endColumn={}", start.utf16, end.utf16);
    } else {
        let _ = write!(properties, ",endLine={}", end.line);
    }
    format!(
        "::{name} {properties},title={}::{}\n",
        property(diagnostic.code),
        data(&diagnostic.to_one_line())
    )
}

/// Returns `text` escaped for the message of a workflow command. Line breaks are escaped, because a
/// command ends at the end of its line.
fn data(text: &str) -> String {
    escape_invisible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Returns `text` escaped for the value of a property in a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn separators_are_escaped() {
        assert_eq!(data("50% a:b, c"), "50%25 a:b, c");
        assert_eq!(property("a,b:c%d"), "a%2Cb%3Ac%25d");
        assert_eq!(data("a\nb"), "a\\x0ab");
    }
}
