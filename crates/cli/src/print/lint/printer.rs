//! Puts what came of the files into one output.

use super::report::{Renderer, Report, Totals};
use crate::platform;
use crate::print::ordered_writer::complain;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;
use urlsift_lint::{Diff, Part};
use urlsift_records::FileName;
use urlsift_records::write::visible::clean_bytes;

/// What came of one file, or of a part of it.
#[derive(Default)]
pub(crate) struct Sheet {
    /// For standard output; what is to stand between two diagnostics stands before each.
    pub(crate) out: Vec<u8>,
    /// For standard error.
    pub(crate) err: Vec<u8>,
    pub(crate) totals: Totals,
}

impl Sheet {
    /// How many bytes it holds.
    pub(crate) fn len(&self) -> usize {
        self.out.len() + self.err.len()
    }

    /// Says that a file could not be read, or not be mended.
    pub(crate) fn error(&mut self, renderer: Option<&dyn Renderer>, path: &Path, message: &str) {
        self.totals.errors += 1;
        let path = platform::bytes(path).into_owned();
        if let Some(renderer) = renderer {
            self.out.extend_from_slice(renderer.error(&path, message).as_bytes());
        }
        complain(&mut self.err, &FileName::new(path), message);
    }

    /// Shows what fixes would change in a file. A terminal gets escapes for what it would obey; elsewhere every byte counts.
    pub(crate) fn diff(&mut self, path: &Path, diff: Diff) {
        if io::stdout().is_terminal() {
            for line in diff.text.split_inclusive(|&b| b == b'\n') {
                self.out.extend_from_slice(&clean_bytes(line, &['\t', '\r', '\n']));
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
        let message = format!("not in the diff, because a password is there: line {lines}");
        complain(&mut self.err, &FileName::new(platform::bytes(path).into_owned()), &message);
    }

    /// Counts what was found in a part of a file, and shows nothing of it.
    pub(crate) fn count(&mut self, report: &mut Report<'_>, part: &Part) {
        part.diagnostics.iter().for_each(|diagnostic| self.totals.count(diagnostic));
        if !part.diagnostics.is_empty() && !std::mem::replace(&mut report.is_open, true) {
            self.totals.faulty = 1;
        }
    }

    /// Shows what was found in a part of a file, on standard error if the other output holds the text.
    pub(crate) fn part(
        &mut self,
        renderer: &dyn Renderer,
        report: &mut Report<'_>,
        part: &mut Part,
        aside: bool,
    ) {
        report.secrets = std::mem::take(&mut part.secrets);
        let out = if aside { &mut self.err } else { &mut self.out };
        for diagnostic in &part.diagnostics {
            if !std::mem::replace(&mut report.is_open, true) {
                self.totals.faulty = 1;
                out.extend_from_slice(renderer.open(report.path).as_bytes());
            }
            self.totals.count(diagnostic);
            if !aside {
                out.extend_from_slice(renderer.between().as_bytes());
            }
            renderer.diagnostic(report, diagnostic, out);
        }
    }
}

/// Prints sheets, in the order in which they come.
pub(crate) struct Printer<'r, W, E> {
    renderer: &'r dyn Renderer,
    pub(crate) out: W,
    errors: E,
    pub(crate) totals: Totals,
    /// Whether what comes next is the first diagnostic.
    first: bool,
    /// Whether people look on.
    terminal: bool,
}

impl<'r, W: Write, E: Write> Printer<'r, W, E> {
    pub(crate) fn new(renderer: &'r dyn Renderer, out: W, errors: E) -> Self {
        let terminal = io::stdout().is_terminal();
        Self { renderer, out, errors, totals: Totals::default(), first: true, terminal }
    }

    pub(crate) fn print(&mut self, sheet: &Sheet) -> io::Result<()> {
        self.totals.add(&sheet.totals);
        self.errors.write_all(&sheet.err)?;
        let mut out = sheet.out.as_slice();
        if self.first && !out.is_empty() {
            out = out.strip_prefix(self.renderer.between().as_bytes()).unwrap_or(out);
            self.first = false;
        }
        self.out.write_all(out)?;
        if self.terminal { self.out.flush() } else { Ok(()) }
    }
}
