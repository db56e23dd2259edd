//! The subcommand `lint`: checks URLs in files, and fixes them.

use crate::args::{FailOn, LintArgs};
use crate::exit::Exit;
use crate::io::explain::{error_with_message, explain};
use crate::io::inputs::Inputs;
use crate::io::open::{Input, check_is_regular_file};
use crate::io::output::{check_outputs_and_get_ids, stdout};
use crate::io::replace::replace;
use crate::io::walk::{Walk, WalkItem};
use crate::platform::{self, FileId, open_without_blocking};
use crate::print::lint::{Printer, Rendered, Renderer, Report, Totals, renderer_for};
use crate::print::progress::{Counts, Progress};
use crate::print::sizes::Sizes;
use crate::print::stats;
use crate::run::queue::{Job, Output, PIPE_CLOSED, Queue, TaskOutput, Work, Writer};
use crate::run::settings::{Finder, absolute, read_option_file};
use crate::run::threads::{self, Threads};
use crate::signals;
use anyhow::Context as _;
use std::borrow::Cow;
use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::marker::PhantomData;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use urlsift_archive::unpack::{detect_compression, detect_unreadable};
use urlsift_archive::{Container, Dialect, Head, Reading, detect, utf16_mark_is_big_endian};
use urlsift_core::{Level, Secrets};
use urlsift_lint::{
    Applicability, Baseline, Diagnostic, Fixed, Judge, Language, Linted, Part, RULES, add_ignore,
    file_name, normalize_path, unified_diff,
};
use urlsift_records::write::visible::escape_invisible;

/// The settings and state that all threads of a `lint` command share.
struct Run<'a> {
    args: &'a LintArgs,
    baseline: Option<Mutex<Baseline>>,
    renderer: Box<dyn Renderer>,
    reading: Reading,
    /// The minimum applicability of the fixes to apply. `None` means that nothing is fixed.
    least: Option<Applicability>,
    inputs: Inputs,
    /// The files that were fixed. A file that is named twice, or also by a link, must be fixed only
    /// once.
    fixed_files: Mutex<HashSet<FileId>>,
}

/// The sizes of tasks and outputs. A task is one file. A thread that is ahead stops at 256 KiB of
/// output, and waits until the output of all earlier files is printed.
const SIZES: Sizes =
    Sizes { batch: 1..=1, ahead: 8 << 20, wait_at: 256 << 10, print_at: 256 << 10, packs: false };

/// The note if there was nothing to lint.
const NOTHING_LINTED: &[u8] =
    b"urlsift: no files to lint; check the paths, the globs, and `exclude` in urlsift.toml\n";

/// The [`Job`] of `lint`: each task lints one file, and the results are printed in the order of the
/// files.
struct LintJob<'r>(PhantomData<&'r ()>);

type LintOutput<'s, 'r> = TaskOutput<'s, LintJob<'r>>;

impl<'r> Job for LintJob<'r> {
    type Item = Task;
    type Items = Box<dyn Iterator<Item = Task> + Send + 'r>;
    /// There is no remainder of a file, because files are never split into units.
    type Rest = Infallible;
    type State = ();
    type Output = Rendered;
    type Writer = CountedPrinter<'r>;
}

impl Output for Rendered {
    fn printed_size(&self) -> usize {
        self.out.len() + self.err.len()
    }

    fn memory_when_empty(&self) -> usize {
        self.out.capacity() + self.err.capacity()
    }
}

/// A printer of lint results that also updates the counts of the progress line.
struct CountedPrinter<'r> {
    printer: Printer<'r, Box<dyn io::Write + Send>, Box<dyn io::Write + Send>>,
    counts: Arc<Mutex<Counts>>,
}

impl Writer<Rendered> for CountedPrinter<'_> {
    fn print_output(&mut self, output: &mut Rendered) -> io::Result<()> {
        self.printer.print(&std::mem::take(output))?;
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) =
            progress_counts(&self.printer.totals);
        Ok(())
    }
}

/// A task for a worker: lint a file, or report an error.
enum Task {
    /// Report an error of this path.
    Error(PathBuf, String),
    /// Lint standard input under this name.
    Stdin(PathBuf, Arc<Judge>),
    /// Lint the file with this path. The flag is true if the file was found in a directory.
    File(PathBuf, bool, Arc<Judge>),
}

pub(crate) fn run(args: &LintArgs) -> anyhow::Result<Exit> {
    let stop = signals::install_handlers()?;
    let finder = Finder::new(args)?;
    if args.show_settings {
        return super::print_output(format_settings(finder, args)?.as_bytes());
    }
    let mut paths = args.paths.clone();
    if paths.paths.is_empty() && args.stdin_filename.is_some() {
        paths.paths.push("-".into());
    }
    let inputs = Inputs::new(&paths)?
        .with_option_file("--baseline", args.baseline.as_deref())
        .with_option_file("--config", args.config.as_deref());
    let outputs = check_outputs_and_get_ids(&[None], &inputs)?;
    let walk = Walk::from_args(&paths, &inputs, |_| Ok(false), outputs)?;
    let left_out = walk.skipped_inputs();
    let run = Run {
        baseline: args.baseline.as_deref().map(read_baseline).transpose()?.map(Mutex::new),
        renderer: renderer_for(args),
        reading: args.input,
        least: args.computes_fixes().then_some(if args.unsafe_fixes {
            Applicability::Unsafe
        } else {
            Applicability::Safe
        }),
        fixed_files: Mutex::default(),
        inputs,
        args,
    };
    // With several threads, it would be random which of two equal diagnostics the baseline matches.
    let alone = run.baseline.is_some().then_some(1);
    let workers =
        alone.or_else(|| threads::thread_count(args.threads)).unwrap_or_else(threads::cores);
    let workers = Threads::new(workers)?;
    let counts = Arc::new(Mutex::new(Counts::default()));
    let progress = Progress::start(Arc::clone(&counts), (&paths, &run.inputs), !args.quiet);
    let mut out = stdout()?;
    let reports = !args.diff;
    if reports {
        out.write_all(run.renderer.header().as_bytes())?;
    }
    let printer =
        Printer::new(&*run.renderer, Box::new(out) as _, Box::new(progress.stderr_writer()) as _);
    let printer = CountedPrinter { printer, counts };
    let tasks = Box::new(lint_tasks(walk, finder));
    let queue = Queue::<LintJob<'_>>::new(tasks, printer, stop, SIZES);
    let worked = queue.run(&workers, || &run);
    drop(progress);
    let (CountedPrinter { mut printer, .. }, stopped) = worked?;
    if stopped == PIPE_CLOSED {
        return Ok(Exit::Success);
    }
    let totals = std::mem::take(&mut printer.totals);
    let end = run.renderer.footer(&totals);
    if !reports || run.fixes_stdin() {
        // Standard output is read by a program here, but the summary is for people.
        io::stderr().write_all(end.as_bytes())?;
    } else {
        printer.out.write_all(end.as_bytes())?;
    }
    printer.out.flush()?;
    if !args.quiet && stopped == 0 && totals.files + totals.errors + totals.skipped == 0 {
        io::stderr().write_all(NOTHING_LINTED)?;
    }
    stats::print_skipped_outputs(&left_out.lock().unwrap_or_else(PoisonError::into_inner).outputs);
    stats::print_reached_limits(&totals.limits, "lint")?;
    let fails = args.fail_on.iter().any(|condition| match condition {
        FailOn::Level(least) => [Level::Info, Level::Warning, Level::Error]
            .into_iter()
            .any(|level| level >= *least && totals.diagnostics_at_level(level) > 0),
        FailOn::Rules(rules) => totals.codes.keys().any(|code| rules.matches(code)),
    });
    let found = if fails && !args.exit_zero { Exit::Nothing } else { Exit::Success };
    let went = if totals.errors > 0 { Exit::Trouble } else { Exit::Success };
    Ok(found.more_severe(went).more_severe(Exit::from_signal(stopped)))
}

/// Returns the counts to show in the progress line, computed from the totals of a `lint` run.
fn progress_counts(totals: &Totals) -> Counts {
    let mut counts = Counts { read: totals.bytes, ..Counts::default() };
    counts.tally.files = totals.files;
    counts.tally.messages = totals.messages;
    counts.tally.urls = totals.candidates;
    counts
}

/// Reads and parses the baseline file that `--baseline` names: the known diagnostics that are not
/// reported again.
fn read_baseline(path: &Path) -> anyhow::Result<Baseline> {
    let text = read_option_file(path)
        .with_context(|| format!("cannot read --baseline {}", path.display()))?;
    Baseline::parse(&text).with_context(|| format!("--baseline {}", path.display()))
}

/// Returns the text that `--show-settings` prints: for each path, the effective settings in the
/// syntax of `urlsift.toml`. Without paths, returns the settings of the current directory.
fn format_settings(mut finder: Finder<'_>, args: &LintArgs) -> anyhow::Result<String> {
    let mut out = String::new();
    let mut paths = args.paths.paths.clone();
    if paths.is_empty() {
        paths.push(".".into());
    }
    for path in &paths {
        let inside = if path.is_dir() { path.join("any") } else { path.clone() };
        let Some(judge) = finder.settings_for(&inside)? else { continue };
        let file =
            judge.settings_file().map_or("no file".to_owned(), |it| it.display().to_string());
        let (shown, file) = (path.display().to_string(), escape_invisible(&file));
        let linter = judge.linter_for(&absolute(&inside));
        let config = linter.config();
        let _ = write!(
            out,
            "# {}: {file}\nprofile = \"{}\"\nrejoin = \"{}\"\nschemes = {:?}\nstrict = {}\nverbatim = {}\nmask-secrets = {}\n\n[levels]\n",
            escape_invisible(&shown),
            config.profile,
            config.rejoin.name(),
            config.schemes,
            config.strict,
            config.verbatim,
            config.hides == Secrets::All,
        );
        for meta in RULES.iter().map(|rule| rule.meta()) {
            let level = config.configured_level(meta).unwrap_or(meta.level);
            let off = if config.enables(meta) { "" } else { "# off: " };
            let _ = writeln!(out, "{off}\"{}\" = \"{level}\"", meta.code);
        }
    }
    Ok(out)
}

/// Converts the items of a walk to lint tasks, each with the settings of its file. Errors in
/// settings files become error tasks, so that they are reported in the order of the files.
fn lint_tasks(walk: Walk, mut finder: Finder<'_>) -> impl Iterator<Item = Task> + Send + '_ {
    walk.filter_map(move |item| {
        let (path, is_stdin, is_listed) = match item {
            WalkItem::Error(path, message) => return Some(Task::Error(path, message)),
            WalkItem::Stdin => (finder.name_of_stdin(), true, false),
            WalkItem::File { path, listed } => (path, false, listed.is_some()),
            // Never happens: this walk recognizes no public-inboxes, and only lists contain units.
            WalkItem::PublicInbox(path) => (path, false, false),
            WalkItem::Unit(unit) => (unit.path, false, false),
        };
        match finder.settings_for(&path) {
            Ok(Some(judge)) if is_stdin => Some(Task::Stdin(path, judge)),
            Ok(Some(judge)) => Some(Task::File(path, is_listed, judge)),
            // The error in its settings was already reported.
            Ok(None) => None,
            Err(error) => Some(Task::Error(path, format!("{error:#}"))),
        }
    })
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

    /// True if this run changes files, and it has already processed the same file under another
    /// name or link. Otherwise records the file as processed.
    fn was_fixed_already(&self, path: &Path) -> bool {
        (self.least.is_some() || self.args.add_ignore)
            && fs::metadata(path).is_ok_and(|meta| {
                let mut fixed_files =
                    self.fixed_files.lock().unwrap_or_else(PoisonError::into_inner);
                platform::file_id_at(path, &meta).is_some_and(|id| !fixed_files.insert(id))
            })
    }

    /// Reports that the file at `path` could not be processed, with the reason in `message`.
    fn report_failure(&self, rendered: &mut Rendered, path: &Path, message: &str) {
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
                "not linted: larger than {}; raise the limit with --max-size",
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
    fn collect_diagnostics(&self, path: &Path, text: &[u8], judge: &Judge) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut take = |part: &mut Part| diagnostics.append(&mut part.diagnostics);
        self.lint_in_parts(path, text, judge, &mut take);
        diagnostics
    }

    /// Fixes the file at `path`, whose content is `text`. With `--diff`, renders the changes
    /// instead. Only fixes with at least the applicability `min_applicability` are applied.
    ///
    /// Returns the new text if the file was fixed, and `None` if it is unchanged. If `is_stdin` is
    /// true, the text comes from standard input, and no file is written.
    fn fix_file(
        &self,
        rendered: &mut Rendered,
        path: &Path,
        text: &[u8],
        is_stdin: bool,
        judge: &Judge,
        min_applicability: Applicability,
    ) -> Option<Vec<u8>> {
        let Fixed { applied, secrets, .. } =
            judge.fix(&absolute(path), text, self.reading, min_applicability, self.args.level);
        if applied.fixes == 0 {
            return None;
        }
        if !applied.settled {
            let message = "not changed: the fixes undo each other; please report this bug";
            self.report_failure(rendered, path, message);
            return None;
        }
        if self.args.diff {
            let diff = unified_diff(
                &name_in_diff(path),
                text,
                &applied,
                secrets.each_ref().map(|it| &**it),
            );
            rendered.add_diff(path, &diff);
            return None;
        }
        self.replace_content(rendered, path, text, &applied.text, is_stdin).then(|| {
            rendered.totals.fixed = applied.fixes as u64;
            applied.text
        })
    }

    /// Adds comments to a file that make the linter ignore its diagnostics. Returns the new text,
    /// or `None` if no comment was added or the file couldn't be written.
    fn add_ignore_comments(
        &self,
        rendered: &mut Rendered,
        path: &Path,
        text: &[u8],
        is_stdin: bool,
        judge: &Judge,
    ) -> Option<Vec<u8>> {
        let mut found = self.collect_diagnostics(path, text, judge);
        found.retain(|diagnostic| diagnostic.level >= self.args.level);
        let lint = |text: &[u8]| self.collect_diagnostics(path, text, judge);
        let ignored = add_ignore(text, file_name(path), self.reading, &found, lint);
        if ignored.comments == 0 {
            return None;
        }
        self.replace_content(rendered, path, text, &ignored.text, is_stdin).then(|| {
            rendered.totals.ignored = ignored.comments as u64;
            ignored.text
        })
    }

    /// Replaces the content of the file at `path`, which was `old_text`, by `new_text`. Does
    /// nothing if `is_stdin` is true. Returns true on success. If writing fails, reports the error
    /// and returns false.
    fn replace_content(
        &self,
        rendered: &mut Rendered,
        path: &Path,
        old_text: &[u8],
        new_text: &[u8],
        is_stdin: bool,
    ) -> bool {
        let written =
            if is_stdin { Ok(()) } else { replace(path, old_text, new_text, &self.inputs) };
        written.map_err(|error| self.report_failure(rendered, path, &format!("{error:#}"))).is_ok()
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
        let mut text = Cow::Borrowed(text);
        let changes_text = self.least.is_some() || self.args.add_ignore;
        let can_change = changes_text && is_changeable(&text);
        if changes_text && !can_change {
            out.rendered
                .add_note(path, "not changed: it contains bytes that only binary files have");
        }
        if let Some(least) = self.least
            && can_change
            && let Some(fixed) =
                self.fix_file(&mut out.rendered, path, &text, is_stdin, judge, least)
        {
            text = Cow::Owned(fixed);
        }
        if self.args.add_ignore
            && can_change
            && let Some(ignored) =
                self.add_ignore_comments(&mut out.rendered, path, &text, is_stdin, judge)
        {
            text = Cow::Owned(ignored);
        }
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
    fn fixes_stdin(&self) -> bool {
        let stdin = PathBuf::from("-");
        let args = self.args;
        (args.computes_fixes() || args.add_ignore)
            && (args.stdin_filename.is_some() || args.paths.paths.contains(&stdin))
    }
}

/// Returns the path that a diff shows for a file, with symbolic links resolved, because `--fix`
/// changes the target of a link.
///
/// The path is relative to the current directory. For a file outside of that directory, it is the
/// absolute path without its leading `/`.
fn name_in_diff(path: &Path) -> Vec<u8> {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| absolute(path));
    let full = real(path);
    let relative = full.strip_prefix(real(Path::new("."))).unwrap_or(&full);
    let names = relative.components().filter(|it| matches!(it, Component::Normal(_)));
    platform::bytes_with_slashes(&names.collect::<PathBuf>()).into_owned()
}

/// True if files in this format are not text.
fn is_binary_container(container: Container) -> bool {
    container == Container::Text(Dialect::Binary) || container.is_packed_item()
}

/// True if a fix can't damage a file with the content `text`: it is not a binary file, such as a
/// PDF file or a font, in which other bytes depend on the position of a URL. Binary files have many
/// control characters that texts don't use. A text may have a stray one, and UTF-16 has many NULs.
fn is_changeable(text: &[u8]) -> bool {
    const MAX_STRAY: usize = 2;
    let is_of_binary =
        |byte: &&u8| byte.is_ascii_control() && !b"\x08\t\n\x0b\x0c\r\x1a\x1b".contains(byte);
    detect_unreadable(None, text).is_none()
        && !detect(Head::of(text), None, Reading::Auto).is_packed_item()
        && (utf16_mark_is_big_endian(text).is_some()
            || text.iter().filter(is_of_binary).nth(MAX_STRAY).is_none())
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

#[cfg(test)]
mod tests {
    use super::{Totals, progress_counts};

    #[test]
    fn progress_counts_messages() {
        let mut all = Totals::default();
        for _ in 0..2 {
            all.add_totals(&Totals {
                files: 1,
                bytes: 9,
                messages: 3,
                candidates: 4,
                ..Totals::default()
            });
        }
        let counts = progress_counts(&all);
        assert_eq!((counts.read, counts.tally.files), (18, 2));
        assert_eq!((counts.tally.messages, counts.tally.urls), (6, 8));
    }
}
