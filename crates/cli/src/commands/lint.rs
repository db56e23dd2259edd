//! `urlsift lint`.

use crate::args::{LintArgs, LintFormat};
use crate::exit::Exit;
use crate::io::open::{Input, open, require_regular};
use crate::io::replace::replace;
use crate::io::walk::{Walk, WalkItem, explain};
use crate::print::lint::{Renderer, Report, Totals, renderer};
use crate::print::ordered_writer::complain;
use crate::run::settings::{Finder, Judge, read_named};
use crate::run::threads::{self, Threads};
use crate::signals;
use crate::unit::Unit;
use anyhow::Context as _;
use std::io::{self, Read as _, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use urlsift_archive::Reading;
use urlsift_core::{Level, Span};
use urlsift_lint::{Applicability, Baseline, Diagnostic, Lines, apply, diff};
use urlsift_records::FileName;

/// Files taken at once: enough for all threads, few enough that the output starts soon.
const BATCH: usize = 64;

/// What is the same for every file.
struct Run<'a> {
    args: &'a LintArgs,
    finder: Finder<'a>,
    baseline: Option<Mutex<Baseline>>,
    renderer: Box<dyn Renderer>,
    reading: Reading,
    /// The fixes to be made, if any.
    least: Option<Applicability>,
}

/// What came of one file.
#[derive(Default)]
struct Outcome {
    /// For standard output.
    items: Vec<String>,
    /// What was read from standard input, mended.
    mended: Option<Vec<u8>>,
    diff: String,
    error: Option<(FileName, String)>,
    totals: Totals,
}

impl Outcome {
    fn fail(&mut self, path: &Path, message: String) {
        self.totals.errors = 1;
        let path = path.as_os_str().as_bytes().to_vec();
        self.error = Some((FileName { path, member: None }, message));
    }
}

pub(crate) fn run(args: &LintArgs) -> anyhow::Result<Exit> {
    let stop = signals::watch()?;
    if args.fix || args.unsafe_fixes {
        // Too large a file is an error of the write that makes it, not the end of the process.
        let flag = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag)?;
    }
    let color = args.format == LintFormat::Text && args.color.is_wanted();
    let run = Run {
        finder: Finder::new(args)?,
        baseline: args.baseline.as_deref().map(baseline).transpose()?.map(Mutex::new),
        renderer: renderer(args.format, color),
        reading: args.input,
        least: args.mends().then_some(if args.unsafe_fixes {
            Applicability::Unsafe
        } else {
            Applicability::Safe
        }),
        args,
    };
    let mut paths = args.paths.clone();
    if paths.paths.is_empty() && args.stdin_filename.is_some() {
        paths.paths.push("-".into());
    }
    let mut files = Walk::new(&paths)?;
    let workers = threads::asked_for(args.threads).unwrap_or_else(threads::cores);
    let workers = Threads::new(workers)?;
    let mut out = super::stdout()?;
    let mut printer = Printer { run: &run, out: &mut out, totals: Totals::default(), first: true };
    printer.begin()?;
    loop {
        let batch: Vec<WalkItem> = files.by_ref().take(BATCH).collect();
        if batch.is_empty() || stop.load(Ordering::Relaxed) != 0 {
            break;
        }
        let outcomes: Vec<Outcome> = if run.baseline.is_some() {
            // Which of two equal diagnostics the baseline takes must not depend on threads.
            batch.into_iter().map(|item| run.take(item)).collect()
        } else {
            workers.map(batch, |item| run.take(item))
        };
        for outcome in outcomes {
            printer.print(&outcome)?;
        }
    }
    let totals = printer.end()?;
    let fail_on = args.fail_on;
    let faults: u64 = [Level::Info, Level::Warning, Level::Error]
        .into_iter()
        .filter(|&level| level >= fail_on)
        .map(|level| totals.of(level))
        .sum();
    let found = if faults > 0 && !args.exit_zero { Exit::Nothing } else { Exit::Success };
    let went = if totals.errors > 0 { Exit::Trouble } else { Exit::Success };
    Ok(found.and(went).and(Exit::by_signal(stop.load(Ordering::Relaxed))))
}

/// The baseline that stands in a file.
fn baseline(path: &Path) -> anyhow::Result<Baseline> {
    let text = read_named(path)
        .with_context(|| format!("--baseline {} cannot be read", path.display()))?;
    Baseline::parse(&text).with_context(|| format!("--baseline {}", path.display()))
}

impl Run<'_> {
    fn take(&self, found: WalkItem) -> Outcome {
        if signals::stopped() {
            return Outcome::default();
        }
        let (path, read) = match found {
            WalkItem::Error(path, message) => return Self::failed(&path, message),
            WalkItem::Stdin => {
                let name = self.args.stdin_filename.clone().unwrap_or_else(|| "-".into());
                (name, Input::stdin().map(|input| (input, true)))
            }
            WalkItem::File { path, listed: Some(_) } => {
                let file = open(&path).and_then(|file| require_regular(&file).map(|()| file));
                (path, file.map(|file| (Input::listed(file), false)))
            }
            // Lists of units are for scanning; a walk gives none.
            WalkItem::File { path, .. }
            | WalkItem::PublicInbox(path)
            | WalkItem::Unit(Unit { path, .. }) => {
                let input = Input::open(&path);
                (path, input.map(|input| (input, false)))
            }
        };
        let read = read.and_then(|(mut input, is_stdin)| {
            let mut text = Vec::new();
            input.read_to_end(&mut text)?;
            Ok((text, is_stdin))
        });
        let (text, is_stdin) = match read {
            Ok(read) => read,
            Err(error) => return Self::failed(&path, explain(&error)),
        };
        let judge = match self.finder.of(&path) {
            Ok(judge) => judge,
            Err(error) => return Self::failed(&path, format!("{error:#}")),
        };
        self.file(&path, &text, is_stdin, &judge)
    }

    fn failed(path: &Path, message: String) -> Outcome {
        let mut outcome = Outcome::default();
        outcome.fail(path, message);
        outcome
    }

    fn lint(&self, path: &Path, text: &[u8], judge: &Judge) -> (Vec<Diagnostic>, Vec<Span>) {
        let name = path.file_name().map(OsStrExt::as_bytes).filter(|name| *name != b"-");
        let mut linted = judge.linter.lint_file(text, name, self.reading);
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        linted.diagnostics.retain(|diagnostic| !judge.settings.silences(&path, diagnostic.code));
        (linted.diagnostics, linted.secrets)
    }

    fn file(&self, path: &Path, text: &[u8], is_stdin: bool, judge: &Judge) -> Outcome {
        let mut outcome = Outcome::default();
        outcome.totals.files = 1;
        outcome.totals.bytes = text.len() as u64;
        let (mut diagnostics, mut secrets) = self.lint(path, text, judge);
        let mut text = std::borrow::Cow::Borrowed(text);
        if let Some(least) = self.least {
            let mut first = Some(diagnostics.clone());
            let mended = apply::to_fixpoint(&text, least, |text| {
                first.take().unwrap_or_else(|| self.lint(path, text, judge).0)
            });
            if self.args.diff {
                let name = path.display().to_string();
                let new = (&mended.text[..], &self.lint(path, &mended.text, judge).1[..]);
                outcome.diff = diff(&name, (&text, &secrets), new);
            } else if mended.fixes > 0 {
                let written = if !mended.settled {
                    Err(anyhow::anyhow!(
                        "not changed: the fixes undo each other; please report this"
                    ))
                } else if is_stdin {
                    Ok(())
                } else {
                    replace(path, &text, &mended.text)
                };
                match written {
                    Ok(()) => {
                        outcome.totals.fixed = mended.fixes as u64;
                        text = std::borrow::Cow::Owned(mended.text);
                        (diagnostics, secrets) = self.lint(path, &text, judge);
                    }
                    Err(error) => outcome.fail(path, format!("{error:#}")),
                }
            }
            if is_stdin && !self.args.diff {
                outcome.mended = Some(text.to_vec());
            }
        }
        let shown = path.to_string_lossy();
        if let Some(baseline) = &self.baseline {
            let mut baseline = baseline.lock().unwrap_or_else(PoisonError::into_inner);
            diagnostics.retain(|d| !baseline.takes(&shown, d.code, d.url.as_deref()));
        }
        for diagnostic in &diagnostics {
            outcome.totals.levels[diagnostic.level as usize] += 1;
            match diagnostic.fix.as_ref().map(|fix| fix.applicability) {
                Some(Applicability::Safe) => outcome.totals.fixable += 1,
                Some(Applicability::Unsafe) => outcome.totals.fixable_unsafely += 1,
                _ => {}
            }
        }
        outcome.totals.faulty = u64::from(!diagnostics.is_empty());
        if !diagnostics.is_empty() {
            let lines = Lines::new(&text);
            outcome.items = self.renderer.file(&Report {
                path: path.as_os_str().as_bytes(),
                text: &text,
                lines: &lines,
                secrets: &secrets,
                diagnostics: &diagnostics,
            });
        }
        outcome
    }
}

/// Puts the outcomes of files into one output.
struct Printer<'r, W> {
    run: &'r Run<'r>,
    out: &'r mut W,
    totals: Totals,
    first: bool,
}

impl<W: Write> Printer<'_, W> {
    /// Whether standard output holds diagnostics, not a diff or a mended text.
    fn reports(&self) -> bool {
        !self.run.args.diff
    }

    fn begin(&mut self) -> io::Result<()> {
        if self.reports() {
            self.out.write_all(self.run.renderer.begin().as_bytes())?;
        }
        Ok(())
    }

    fn print(&mut self, outcome: &Outcome) -> io::Result<()> {
        self.totals.add(&outcome.totals);
        if let Some(mended) = &outcome.mended {
            self.out.write_all(mended)?;
            self.out.flush()?;
        }
        if let Some((file, message)) = &outcome.error {
            complain(&mut io::stderr(), file, message);
            if self.reports() {
                self.out.write_all(self.run.renderer.error(&file.path, message).as_bytes())?;
            }
        }
        self.out.write_all(outcome.diff.as_bytes())?;
        if !self.reports() {
            return Ok(());
        }
        for item in &outcome.items {
            // A text that was printed mended leaves standard output to it alone.
            if outcome.mended.is_some() {
                io::stderr().write_all(item.as_bytes())?;
                continue;
            }
            if !std::mem::take(&mut self.first) {
                self.out.write_all(self.run.renderer.between().as_bytes())?;
            }
            self.out.write_all(item.as_bytes())?;
        }
        Ok(())
    }

    fn end(self) -> io::Result<Totals> {
        let end = self.run.renderer.end(&self.totals);
        if !self.reports() || self.mends_stdin() {
            // The summary is for people here.
            io::stderr().write_all(end.as_bytes())?;
        } else {
            self.out.write_all(end.as_bytes())?;
        }
        self.out.flush()?;
        Ok(self.totals)
    }

    fn mends_stdin(&self) -> bool {
        let args = self.run.args;
        let stdin = PathBuf::from("-");
        args.mends() && (args.stdin_filename.is_some() || args.paths.paths.contains(&stdin))
    }
}
