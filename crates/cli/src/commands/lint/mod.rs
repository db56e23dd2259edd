//! The subcommand `lint`: checks URLs in files, and fixes them.

mod change;
mod file;
mod job;

use self::file::Run;
use self::job::{CountedPrinter, LintJob, SIZES, Task};
use crate::args::{FailOn, LintArgs};
use crate::exit::Exit;
use crate::io::inputs::Inputs;
use crate::io::output::{check_outputs_and_get_ids, stdout};
use crate::io::walk::{Walk, WalkItem};
use crate::print::lint::{Printer, renderer_for};
use crate::print::progress::{Counts, Progress};
use crate::print::stats;
use crate::run::queue::{PIPE_CLOSED, Queue};
use crate::run::settings::{Finder, absolute, read_option_file};
use crate::run::threads::{self, Threads};
use crate::signals;
use anyhow::{Context as _, bail};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use urlsift_core::{Level, Secrets};
use urlsift_lint::{Applicability, Baseline, RULES, Slug};
use urlsift_records::write::visible::escape_invisible;

/// The note if there was nothing to lint.
const NOTHING_LINTED: &[u8] =
    b"urlsift: no files to lint; check the paths, the globs, and `exclude` in urlsift.toml\n";

pub(crate) fn run(args: &LintArgs) -> anyhow::Result<Exit> {
    let stop = signals::install_handlers()?;
    let finder = Finder::new(args)?;
    if args.show_settings {
        return super::print_output(format_settings(finder, args)?.as_bytes());
    }
    check_slug_is_no_path(args)?;
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
    let mut totals = std::mem::take(&mut printer.totals);
    totals.is_only_stdin = totals.files == 1
        && args.stdin_filename.is_none()
        && matches!(run.inputs.paths(), [path] if path.as_os_str() == "-");
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

/// Checks that the user didn't write `--local mdbook` in place of `--local=mdbook`, which makes
/// `mdbook` a path.
///
/// # Errors
///
/// Fails if `--local` has no value, and one of the paths is a value of `--local`, such as `mdbook`,
/// and doesn't exist.
fn check_slug_is_no_path(args: &LintArgs) -> anyhow::Result<()> {
    let is_slug = |path: &&PathBuf| {
        Slug::ALL.iter().any(|slug| path.as_os_str() == slug.name()) && !path.exists()
    };
    match args.paths.paths.iter().find(is_slug) {
        Some(path) if args.local == Some(None) => {
            let name = path.display();
            bail!("{name}: no such file or directory; did you mean `--local={name}`?")
        }
        _ => Ok(()),
    }
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
