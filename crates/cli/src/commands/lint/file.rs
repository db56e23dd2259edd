//! Lints one file: reads it, renders its diagnostics, and matches them with the baseline.

use super::job::{LintJob, LintOutput, Task};
use crate::args::LintArgs;
use crate::io::explain::{error_with_message, explain};
use crate::io::inputs::Inputs;
use crate::io::open::{Input, check_is_regular_file};
use crate::platform::{self, FileId, open_without_blocking};
use crate::print::lint::{Rendered, Renderer, Report};
use crate::run::queue::Work;
use crate::run::settings::absolute;
use crate::signals;
use std::borrow::Cow;
use std::collections::HashSet;
use std::convert::Infallible;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use urlsift_archive::unpack::{detect_compression, detect_unreadable};
use urlsift_archive::{Container, Dialect, Head, Reading, detect};
use urlsift_lint::{
    Applicability, Baseline, Diagnostic, Judge, Language, Linted, Part, file_name, normalize_path,
};

/// The error if standard input is read because no path is given, and it is empty. Otherwise a job
/// that runs with an empty pipe as standard input would succeed without checking anything.
const STDIN_IS_EMPTY: &str = "standard input is empty, so nothing was linted; to lint the current directory, run `urlsift lint .`";

/// The settings and state that all threads of a `lint` command share.
pub(super) struct Run<'a> {
    pub(super) args: &'a LintArgs,
    pub(super) baseline: Option<Mutex<Baseline>>,
    pub(super) renderer: Box<dyn Renderer>,
    pub(super) reading: Reading,
    /// The minimum applicability of the fixes to apply. `None` means that nothing is fixed.
    pub(super) least: Option<Applicability>,
    pub(super) inputs: Inputs,
    /// The files that were fixed. A file that is named twice, or also by a link, must be fixed only
    /// once.
    pub(super) fixed_files: Mutex<HashSet<FileId>>,
}

impl<'r> Work<LintJob<'r>> for &Run<'_> {
    fn scan_files(
        &mut self,
        files: std::vec::IntoIter<Task>,
        out: &mut LintOutput<'_, 'r>,
    ) -> Option<(Infallible, std::vec::IntoIter<Task>)> {
        files.for_each(|task| self.lint_task(task, out));
        None
    }

    fn scan_next_unit(&mut self, large: Infallible, _: &mut LintOutput<'_, 'r>) {
        match large {}
    }
}

impl Run<'_> {
    /// Executes a task: lints its file, or reports its error. Prints finished parts of the output
    /// early if it is the task's turn.
    fn lint_task(&self, task: Task, out: &mut LintOutput<'_, '_>) {
        if signals::must_stop() {
            return;
        }
        let (path, is_stdin, judge, input, is_listed) = match task {
            Task::Error(path, message) => {
                return self.report_failure(&mut out.rendered, &path, &message);
            }
            Task::Stdin(path, judge) => (path, true, judge, Input::stdin(), false),
            Task::File(path, _, judge)
                if judge.settings().excludes(&absolute(&path)) || self.was_fixed_already(&path) =>
            {
                return;
            }
            Task::File(path, true, judge) => {
                let file = open_without_blocking(&path)
                    .and_then(|file| check_is_regular_file(&file).map(|()| file));
                (path, false, judge, file.map(Input::from_listed_file), true)
            }
            Task::File(path, false, judge) => {
                let input = Input::open(&path);
                (path, false, judge, input, false)
            }
        };
        let name = file_name(&path).filter(|_| is_listed);
        match input.and_then(|input| self.read_input(input, name)) {
            Ok(Some(text)) if detect_compression(&text).is_some() => {
                if is_stdin && self.args.prints_fixed_text() {
                    out.rendered.out.extend_from_slice(&text);
                }
                let message = "not linted: it is an archive or compressed; unpack it first";
                // A file that the user named must not count as linted.
                if is_listed {
                    out.rendered.add_skipped_file(&path, message);
                } else {
                    self.report_failure(&mut out.rendered, &path, message);
                }
            }
            Ok(Some(text)) if text.is_empty() && is_stdin && !self.names_stdin() => {
                self.report_failure(&mut out.rendered, &path, STDIN_IS_EMPTY);
            }
            Ok(Some(text)) if is_stdin || !is_linter_report(&text) => {
                if !is_listed && self.is_binary(&text, file_name(&path)) {
                    out.rendered
                        .add_note(&path, "it is a binary file; it was linted as plain text");
                }
                self.lint_text(out, &path, &text, is_stdin, &judge);
            }
            Ok(_) => {}
            Err(error) => self.report_failure(&mut out.rendered, &path, &explain(&error)),
        }
    }

    /// Reports that the file at `path` could not be processed, with the reason in `message`.
    pub(super) fn report_failure(&self, rendered: &mut Rendered, path: &Path, message: &str) {
        rendered.add_error((!self.args.diff).then_some(&*self.renderer), path, message);
    }

    /// True if `text`, the start of a file called `name`, looks like binary data. False if the name
    /// is that of a program's source code, which is linted in any case.
    fn is_binary(&self, text: &[u8], name: Option<&[u8]>) -> bool {
        self.reading == Reading::Auto
            && name.and_then(Language::of_file).is_none()
            && (detect_unreadable(None, text).is_some()
                || is_binary_container(detect(Head::of(text), name, self.reading)))
    }

    /// Reads the whole content of a file. `name_in_directory` is the file's name if the file was
    /// found in a directory. In this case, returns `None` if the file is binary.
    fn read_input(
        &self,
        mut input: Input,
        name_in_directory: Option<&[u8]>,
    ) -> io::Result<Option<Vec<u8>>> {
        let len = input.len()?;
        let mut text = Vec::new();
        if name_in_directory.is_some() && self.reading == Reading::Auto {
            // One byte more than the head shows whether the file is longer.
            input.by_ref().take(Head::LEN as u64 + 1).read_to_end(&mut text)?;
            if self.is_binary(&text, name_in_directory) {
                return Ok(None);
            }
        }
        let most = self.args.max_size.0;
        let too_large = || {
            error_with_message(format!(
                "not linted: larger than {0}; raise the limit with --max-size, or skip such files with --max-filesize {0}",
                self.args.max_size
            ))
        };
        if len.is_some_and(|len| len > most) {
            return Err(too_large());
        }
        let rest = usize::try_from(len.unwrap_or(0)).unwrap_or(0).saturating_sub(text.len());
        text.reserve_exact(rest + 1);
        let more = most.saturating_add(1).saturating_sub(text.len() as u64);
        input.take(more).read_to_end(&mut text)?;
        if text.len() as u64 > most { Err(too_large()) } else { Ok(Some(text)) }
    }

    /// Lints `text`, the content of the file at `path`, and passes the diagnostics to `take` part
    /// by part.
    fn lint_in_parts(
        &self,
        path: &Path,
        text: &[u8],
        judge: &Judge,
        take: &mut dyn FnMut(&mut Part),
    ) -> Linted {
        judge.lint_parts(&absolute(path), text, self.reading, take)
    }

    /// Lints `text`, the content of the file at `path`, and returns all its diagnostics.
    pub(super) fn collect_diagnostics(
        &self,
        path: &Path,
        text: &[u8],
        judge: &Judge,
    ) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut take = |part: &mut Part| diagnostics.append(&mut part.diagnostics);
        self.lint_in_parts(path, text, judge, &mut take);
        diagnostics
    }
    fn lint_text(
        &self,
        out: &mut LintOutput<'_, '_>,
        path: &Path,
        text: &[u8],
        is_stdin: bool,
        judge: &Judge,
    ) {
        out.rendered.totals.files = 1;
        let len = text.len() as u64;
        let must_not_change = self.must_not_change(text);
        let text = self.change_text(&mut out.rendered, path, text, is_stdin, judge);
        // If the fixed text is printed, it is the only output on standard output.
        let is_printed = is_stdin && self.args.prints_fixed_text();
        if is_printed {
            out.rendered.out.extend_from_slice(&text);
        }
        let (shown, name) = (platform::bytes_with_slashes(path), platform::with_slashes(path));
        let names = self.names_in_baseline(path);
        let mut report = Report::new(&shown, &name, &text);
        // The number of bytes that are already in the totals. They are added part by part, for the
        // progress line.
        let mut counted = 0;
        let mut is_change_withheld = false;
        let linted = self.lint_in_parts(path, &text, judge, &mut |part| {
            part.diagnostics.retain(|diagnostic| diagnostic.level >= self.args.level);
            if let Some(baseline) = &self.baseline {
                let mut baseline = baseline.lock().unwrap_or_else(PoisonError::into_inner);
                let Part { diagnostics, secrets, .. } = part;
                diagnostics.retain(|found| {
                    let hash = || report.lines().line_hash(found.span.start, &*secrets).into();
                    let about = found.url.as_deref().map_or_else(hash, Cow::Borrowed);
                    !baseline.matches(&names, found.code, &about)
                });
            }
            if must_not_change {
                is_change_withheld |= part.diagnostics.iter().any(|found| self.changes(found));
            }
            if self.args.diff {
                out.rendered.count_part(&mut report, part);
            } else {
                let last = part.diagnostics.last().map_or(0, |last| last.span.end as u64);
                let read = last.clamp(counted, len);
                out.rendered.totals.bytes += read - counted;
                counted = read;
                out.rendered.add_part(&*self.renderer, &mut report, part, is_printed);
                out.print_if_large();
            }
        });
        if is_change_withheld {
            out.rendered
                .add_note(path, "not changed: it contains bytes that only binary files have");
        }
        out.rendered.totals.candidates = linted.candidates as u64;
        out.rendered.totals.messages = linted.messages;
        out.rendered.totals.limits = linted.limits;
        out.rendered.totals.bytes += len - counted;
        if report.is_open && !self.args.diff {
            out.rendered.out.extend_from_slice(self.renderer.file_footer().as_bytes());
        }
    }

    /// Returns the names by which a baseline may refer to the file at `path`. These are the path as
    /// given, the absolute path, and the paths relative to the current directory and to the
    /// baseline's directory.
    fn names_in_baseline(&self, path: &Path) -> Vec<String> {
        let Some(baseline) = &self.args.baseline else { return Vec::new() };
        let plain = |path: &Path| normalize_path(&path.to_string_lossy());
        let full = PathBuf::from(plain(&absolute(path)));
        let baseline = absolute(baseline);
        let bases = [std::env::current_dir().ok(), baseline.parent().map(Path::to_owned)];
        let from = bases.iter().flatten().filter_map(|base| full.strip_prefix(base).ok());
        let mut names: Vec<String> = vec![plain(path), plain(&full)];
        names.extend(from.map(plain));
        names.sort();
        names.dedup();
        names
    }

    /// True if the command reads standard input and changes the text, by fixes or suppression
    /// comments.
    pub(super) fn fixes_stdin(&self) -> bool {
        (self.args.computes_fixes() || self.args.add_ignore) && self.names_stdin()
    }

    /// True if the arguments say that standard input is read: by `-` or `--stdin-filename`.
    fn names_stdin(&self) -> bool {
        let args = self.args;
        args.stdin_filename.is_some() || args.paths.paths.iter().any(|path| path.as_os_str() == "-")
    }
}

/// True if files in this format are not text.
fn is_binary_container(container: Container) -> bool {
    container == Container::Text(Dialect::Binary) || container.is_packed_item()
}

/// True if `text`, the content of a file, is the output of this or another linter (JSON Lines or
/// SARIF). Such files are not linted.
fn is_linter_report(text: &[u8]) -> bool {
    let head = text.get(..512).unwrap_or(text).trim_ascii_start();
    let has = |mark: &[u8]| memchr::memmem::find(head, mark).is_some();
    [&br#"{"type":"diagnostic","#[..], br#"{"type":"summary","#, br#"{"type":"error","#]
        .iter()
        .any(|mark| head.starts_with(mark))
        || head.starts_with(b"{") && has(b"\"$schema\"") && has(b"sarif")
}
