//! Prints the rendered results of all files, in order.

use super::report::{Renderer, Report, Totals};
use crate::platform;
use crate::print::complain::print_error_line;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;
use urlsift_lint::{Diff, Part};
use urlsift_records::FileName;
use urlsift_records::write::visible::escape_invisible_bytes;

/// The rendered output for a linted file or a part of it. It is printed when all earlier outputs
/// were printed.
#[derive(Default)]
pub(crate) struct Rendered {
    /// The bytes for standard output. Each diagnostic is preceded by the separator.
    pub(crate) out: Vec<u8>,
    /// The bytes for standard error.
    pub(crate) err: Vec<u8>,
    pub(crate) totals: Totals,
}

impl Rendered {
    /// Adds the error that the file at `path` could not be read or fixed. The error is printed to
    /// standard error, and by `renderer` if it is given.
    pub(crate) fn add_error(
        &mut self,
        renderer: Option<&dyn Renderer>,
        path: &Path,
        message: &str,
    ) {
        self.totals.errors += 1;
        if let Some(renderer) = renderer {
            self.out.extend_from_slice(
                renderer.file_error(&platform::printed_bytes(path), message).as_bytes(),
            );
        }
        self.add_note(path, message);
    }

    /// Adds a line about the file at `path` for standard error.
    pub(crate) fn add_note(&mut self, path: &Path, message: &str) {
        let path = platform::printed_bytes(path).into_owned();
        print_error_line(&mut self.err, &FileName::new(path), message);
    }

    /// Adds a line for standard error that says why the file at `path` is not linted.
    pub(crate) fn add_skipped_file(&mut self, path: &Path, message: &str) {
        self.totals.skipped += 1;
        self.add_note(path, message);
    }

    /// Appends the diff of the file at `path`. If the output is a terminal, control characters are
    /// escaped. Changes left out because of a password are named on standard error.
    pub(crate) fn add_diff(&mut self, path: &Path, diff: &Diff) {
        if io::stdout().is_terminal() {
            for line in diff.text.split_inclusive(|&b| b == b'\n') {
                self.out.extend_from_slice(&escape_invisible_bytes(line, &['\t', '\r', '\n']));
            }
        } else {
            self.out.extend_from_slice(&diff.text);
        }
        if diff.left_out.is_empty() {
            return;
        }
        let lines = diff.left_out.iter().map(|lines| match (lines.start(), lines.end()) {
            (start, end) if start == end => start.to_string(),
            (start, end) => format!("{start}-{end}"),
        });
        let lines = lines.collect::<Vec<_>>().join(", ");
        let message = format!("left out of the diff because of a password: line {lines}");
        print_error_line(
            &mut self.err,
            &FileName::new(platform::printed_bytes(path).into_owned()),
            &message,
        );
    }

    /// Adds the diagnostics in `part` to the totals without printing them.
    pub(crate) fn count_part(&mut self, report: &mut Report<'_>, part: &Part) {
        part.diagnostics.iter().for_each(|diagnostic| self.totals.add_diagnostic(diagnostic));
        if !part.diagnostics.is_empty() && !std::mem::replace(&mut report.is_open, true) {
            self.totals.faulty = 1;
        }
    }

    /// Appends the diagnostics in `part` in the output format. If `to_stderr` is true, they go to
    /// standard error, because standard output contains the fixed text.
    pub(crate) fn add_part(
        &mut self,
        renderer: &dyn Renderer,
        report: &mut Report<'_>,
        part: &mut Part,
        to_stderr: bool,
    ) {
        report.secrets = std::mem::take(&mut part.secrets);
        let out = if to_stderr { &mut self.err } else { &mut self.out };
        for diagnostic in &part.diagnostics {
            if !std::mem::replace(&mut report.is_open, true) {
                self.totals.faulty = 1;
                out.extend_from_slice(renderer.file_header(report.path).as_bytes());
            }
            self.totals.add_diagnostic(diagnostic);
            if !to_stderr {
                out.extend_from_slice(renderer.diagnostic_separator().as_bytes());
            }
            renderer.append_diagnostic(report, diagnostic, out);
        }
    }
}

/// A printer of the results of files, in the order in which they are passed. It also adds up the
/// totals.
pub(crate) struct Printer<'r, W, E> {
    /// The format of the output.
    renderer: &'r dyn Renderer,
    pub(crate) out: W,
    errors: E,
    pub(crate) totals: Totals,
    /// True until a diagnostic is printed.
    first: bool,
    /// True if the output is a terminal.
    terminal: bool,
}

impl<'r, W: Write, E: Write> Printer<'r, W, E> {
    pub(crate) fn new(renderer: &'r dyn Renderer, out: W, errors: E) -> Self {
        let terminal = io::stdout().is_terminal();
        Self { renderer, out, errors, totals: Totals::default(), first: true, terminal }
    }

    /// Prints the results of one file or part of a file. The separator before the very first
    /// diagnostic is dropped.
    pub(crate) fn print(&mut self, rendered: &Rendered) -> io::Result<()> {
        self.totals.add_totals(&rendered.totals);
        self.errors.write_all(&rendered.err)?;
        let mut out = rendered.out.as_slice();
        if self.first && !out.is_empty() {
            out = out.strip_prefix(self.renderer.diagnostic_separator().as_bytes()).unwrap_or(out);
            self.first = false;
        }
        self.out.write_all(out)?;
        if self.terminal { self.out.flush() } else { Ok(()) }
    }
}
