//! `scan --state`: a scan that can be resumed. It writes tables or JSON Lines in parts. Each round
//! completes a part and then updates the state file.

use super::scan::{self, IS_INBOX, masked_arguments, output_style, worker_count};
use crate::args::{Format, ScanArgs};
use crate::exit::Exit;
use crate::io::explain::explain;
use crate::io::inputs::{Inputs, regular_file_id};
use crate::io::open::read_key;
use crate::io::output::{Output, check_outputs_and_get_ids};
use crate::io::shared_file::SharedFile;
use crate::io::walk::{Walk, WalkItem};
use crate::platform::parent_directory;
use crate::platform::{self, FileId, open_without_blocking};
use crate::print::complain::print_error_line;
use crate::print::ordered_writer::OrderedWriter;
use crate::print::progress::Progress;
#[cfg(feature = "parquet")]
use crate::print::report_data::{ReportData, SavedReport};
use crate::print::run_file::{RUN, RunFile, TABLES, counts};
use crate::print::style::Style;
#[cfg(feature = "parquet")]
use crate::print::tables::Tables;
use crate::run::scan_job::ScanQueue;
use crate::run::state::{
    Read, Refusal, State, files_of_killed_run, is_part_file_name, remove_files,
};
use crate::run::threads::Threads;
use crate::run::worker::{Plan, Worker};
use crate::signals;
use crate::unit::Unit;
use anyhow::{Context as _, bail};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Instant;
use urlsift_archive::Head;
use urlsift_records::{FileName, Tally};

/// Runs `urlsift scan`. With `--state`, runs it incrementally; without that option, runs an
/// ordinary scan.
pub(crate) fn run(args: &ScanArgs) -> anyhow::Result<Exit> {
    let (Some(directory), Some(path)) = (args.table_directory()?, &args.state) else {
        return scan::run(args);
    };
    let style = output_style(args)?;
    let workers = worker_count(args);
    let plan = Plan::new(args, style.clone(), workers)?;
    let stop = signals::install_handlers()?;
    let begin = Instant::now();
    let _lock = lock_directory(directory)?;
    let directory = &fs::canonicalize(directory)?;
    let inputs = &scan::scan_inputs(args)?;
    let mut outputs =
        check_outputs_and_get_ids(&[Some(directory.join(RUN)), Some(path.clone())], inputs)?;
    let mut state = State::open(path, directory, &options_that_affect_rows(args, &style)?, inputs)?;
    let left = files_of_killed_run(directory, state.parts, path)?;
    check_outputs_and_get_ids(&left.iter().cloned().map(Some).collect::<Vec<_>>(), inputs)?;
    remove_files(&left)?;
    let run = RunFile::new(directory, masked_arguments());
    run.write(None, Some(state.parts), inputs)?;
    outputs.extend(run.file_id());
    let walk = Walk::from_args(&args.paths, inputs, IS_INBOX, outputs)?;
    let left_out = walk.skipped_inputs();
    let mut planner = Planner::new(args, &plan, walk, (directory, path));
    let so_far = Arc::default();
    let progress = Progress::start(Arc::clone(&so_far), (&args.paths, inputs), !args.no_progress);
    let threads = Threads::new(workers)?;
    // A file that can't be read is recorded in no part, so the next run tries it again.
    let (mut tally, mut refused) = (Tally::default(), 0);
    let before = mem::take(&mut state.counts);
    loop {
        let (units, read) = planner.take_units_of_next_part(&state);
        for (path, why) in planner.refused.drain(..) {
            let name = FileName::new(platform::printed_bytes(&path));
            print_error_line(&mut progress.stderr_writer(), &name, &why);
            refused += 1;
        }
        if units.is_empty() {
            break;
        }
        let errors = Box::new(progress.stderr_writer());
        let number = state.parts + 1;
        let part = Part::new(&style, directory, number, inputs)?;
        let is_lines = matches!(part, Part::Lines(_));
        let mut writer =
            OrderedWriter::new(part.writer()?, errors, style.clone(), Arc::clone(&so_far));
        if !is_lines {
            writer.tally = tally;
        }
        #[cfg(feature = "parquet")]
        if !is_lines {
            writer.tables = Some(Tables::new(directory, &style.columns, Some(number), inputs)?);
            let saved = SavedReport::new(directory, number, inputs)?;
            writer.report = Some(ReportData::Saved(Box::new(saved)));
        }
        writer.print_header()?;
        let (units, sizes) = (Box::new(units.into_iter()), style.task_sizes(workers));
        let queue = ScanQueue::new(units, writer, stop.clone(), sizes);
        let (mut writer, stopped) = queue.run(&threads, || Worker::new(&plan))?;
        if stopped != 0 {
            return Ok(Exit::from_signal(stopped));
        }
        writer.print_footer()?;
        if is_lines {
            tally += writer.tally;
        } else {
            tally = writer.tally;
        }
        #[cfg(feature = "parquet")]
        if let Some(tables) = writer.tables {
            tables.finish_tables(true)?;
        }
        #[cfg(feature = "parquet")]
        if let Some(ReportData::Saved(saved)) = writer.report {
            saved.finish()?;
        }
        part.finish()?;
        state.parts = number;
        state.add_complete_part(read);
        state.counts = add_counts(&before, counts(&tally)?);
        state.write(path, inputs).with_context(|| format!("--state {}", path.display()))?;
    }
    drop(progress);
    if signals::must_stop() {
        return Ok(Exit::from_signal(signals::stop_reason()));
    }
    tally.errors += refused;
    let left_out = left_out.lock().unwrap_or_else(PoisonError::into_inner);
    // Only the run's own files are skipped as outputs, so they aren't named.
    tally.skipped = left_out.counts;
    tally.skipped.output += planner.left_out;
    run.write(
        Some(Value::Object(add_counts(&before, counts(&tally)?))),
        Some(state.parts),
        inputs,
    )?;
    scan::print_summary(args, &tally, begin)?;
    let found = if tally.urls > 0 { Exit::Success } else { Exit::Nothing };
    Ok(found.more_severe(if tally.errors > 0 { Exit::Trouble } else { Exit::Success }))
}

/// The output of a part.
enum Part {
    /// Tables, which the [`OrderedWriter`] writes.
    Tables,
    /// A file of JSON Lines. Its last line is the summary of this part.
    Lines(Output),
}

impl Part {
    /// Opens the output of the part with this number in `directory`.
    fn new(style: &Style, directory: &Path, number: u32, inputs: &Inputs) -> anyhow::Result<Self> {
        if style.format != Format::Jsonl {
            return Ok(Self::Tables);
        }
        let [urls, ..] = TABLES;
        let path = directory.join(format!("{urls}-{number:05}.jsonl"));
        Output::new(Some(&path), inputs).map(Self::Lines)
    }

    /// Returns the writer for the text of the part.
    fn writer(&self) -> io::Result<Box<dyn io::Write + Send>> {
        match self {
            Self::Tables => Ok(Box::new(io::sink())),
            Self::Lines(output) => output.writer(),
        }
    }

    /// Flushes a file of JSON Lines to disk and renames it to its final name.
    fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Tables => Ok(()),
            Self::Lines(output) => output.sync_and_rename_to_final_name(),
        }
    }
}

/// Creates a directory for tables if it doesn't exist, and locks it. The lock prevents a second run
/// from writing to the directory, and is released when the returned file is dropped.
fn lock_directory(directory: &Path) -> anyhow::Result<File> {
    let failed =
        || format!("--output {}: cannot use it as a directory for tables", directory.display());
    fs::create_dir_all(directory).with_context(failed)?;
    let lock = platform::open_lock_file(directory).with_context(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            bail!(
                "--output {}: another run with --state is writing there; wait until it ends",
                directory.display()
            )
        }
        Err(TryLockError::Error(error)) => Err(error).with_context(failed),
    }
}

/// Returns a text that contains all options on which the rows of the tables depend. The state file
/// stores it, and a run with other options is refused.
fn options_that_affect_rows(args: &ScanArgs, style: &Style) -> anyhow::Result<String> {
    let options = args.library_options(style.required_detail());
    let key = args.hash_key.as_deref().map(read_key).transpose()?;
    let version = urlsift_records::table::VERSION;
    let format = if style.format == Format::Jsonl { " jsonl" } else { "" };
    Ok(format!("{version} {options:?} {key:?} {:?}{format}", args.fields))
}

/// Returns a JSON object with the sums of the counts in `before` and `now`, field by field. The
/// counts in nested objects are added, too.
fn add_counts(before: &Map<String, Value>, now: Value) -> Map<String, Value> {
    let Value::Object(mut now) = now else { return before.clone() };
    for (name, value) in before {
        let entry = now.entry(name.clone()).or_insert(Value::Null);
        *entry = match (value, &entry) {
            (Value::Object(value), Value::Object(_)) => {
                Value::Object(add_counts(value, entry.take()))
            }
            (value, Value::Null) => value.clone(),
            _ => (value.as_u64().unwrap_or(0) + entry.as_u64().unwrap_or(0)).into(),
        };
    }
    now
}

/// The part of an incremental scan that selects the input for each part of the tables.
struct Planner<'a> {
    /// The options of the scan.
    args: &'a ScanArgs,
    plan: &'a Plan,
    /// The remaining files.
    walk: Walk,
    /// The file that didn't fit in the last part, with its entry in the state.
    rest: Option<(PathBuf, Read)>,
    /// The identity of the directory that contains the parts.
    directory: Option<FileId>,
    /// The path of the state file.
    state: &'a Path,
    /// The paths seen so far. A path that occurs twice is read once.
    met: HashSet<PathBuf>,
    /// The paths that were refused, with error messages.
    refused: Vec<(PathBuf, String)>,
    /// The number of files that were skipped because this run writes them.
    left_out: u64,
}

impl<'a> Planner<'a> {
    fn new(
        args: &'a ScanArgs,
        plan: &'a Plan,
        walk: Walk,
        (directory, state): (&Path, &'a Path),
    ) -> Self {
        let (directory, met, refused) = (directory_id(directory), HashSet::new(), Vec::new());
        Self { args, plan, walk, rest: None, directory, state, met, refused, left_out: 0 }
    }

    /// Returns the units to scan for the next part, and the state entry of each unit. Both lists
    /// are empty if no input is left.
    fn take_units_of_next_part(&mut self, state: &State) -> (Vec<WalkItem>, Vec<Read>) {
        let wanted = self.args.part_size.0.max(1);
        let (mut units, mut read, mut gathered) = (Vec::new(), Vec::new(), 0);
        while gathered < wanted && !signals::must_stop() {
            let (path, before) = match self.rest.take() {
                Some((path, before)) => (path, Some(before)),
                None => match self.walk.next() {
                    None => break,
                    Some(WalkItem::File { path, .. }) => (path, None),
                    Some(WalkItem::Stdin) => {
                        self.record_unreadable(
                            "-".into(),
                            "cannot scan standard input with --state; name files".to_owned(),
                        );
                        continue;
                    }
                    Some(WalkItem::PublicInbox(path)) => {
                        self.record_unreadable(
                            path,
                            "cannot scan a public-inbox with --state".to_owned(),
                        );
                        continue;
                    }
                    Some(WalkItem::Error(path, why)) => {
                        self.record_unreadable(path, why);
                        continue;
                    }
                    // Never happens: `--units` conflicts with `--state`.
                    Some(WalkItem::Unit(unit)) => (unit.path, None),
                },
            };
            if before.is_none() {
                if self.is_written_by_this_run(&path) {
                    self.left_out += 1;
                    continue;
                }
                if !self.met.insert(path.clone()) {
                    continue;
                }
            }
            match self.next_unit(state, &path, before.as_ref(), wanted - gathered) {
                Ok(None) => {}
                Ok(Some((unit, part))) => {
                    gathered += part.len;
                    units.push(WalkItem::Unit(Box::new(unit)));
                    if part.has_more {
                        self.rest = Some((path, part.clone()));
                    }
                    read.push(part);
                }
                Err(Refusal::Io(error)) => self.record_unreadable(path, explain(&error)),
                Err(Refusal::Replaced(what)) => {
                    let text =
                        format!("{what}; to read it, start over with another --state and -o");
                    self.record_unreadable(path, text);
                }
            }
        }
        (units, read)
    }

    /// Records that `path` can't be read. `why` is the error message, which is reported later.
    fn record_unreadable(&mut self, path: PathBuf, why: String) {
        self.refused.push((path, why));
    }

    /// Returns the next unit of a file with its new state entry. Returns `None` if the file has no
    /// bytes that were not read before.
    ///
    /// `previous` is the entry for the previous part if the file was too large for that part.
    /// `min_len` is the number of bytes that still fit in the current part.
    fn next_unit(
        &self,
        state: &State,
        path: &Path,
        previous: Option<&Read>,
        min_len: u64,
    ) -> Result<Option<(Unit, Read)>, Refusal> {
        let mut file = SharedFile::from(open_without_blocking(path)?);
        if !platform::is_regular_file(&file)? {
            return Err(Refusal::Replaced("not a regular file, so it cannot be read again"));
        }
        let name = FileName::new(platform::printed_bytes(path));
        let kind = |head: Head<'_>| self.plan.detect_format(&name, head);
        state.next_unit(path, &mut file, previous, min_len, kind)
    }

    /// True if this scan itself writes the file at `path`: the file is the state file or a part of
    /// the tables. Parts are recognized by name, because a rewritten file gets a new inode.
    fn is_written_by_this_run(&self, path: &Path) -> bool {
        let Some(name) = path.file_name() else { return false };
        name.to_str().is_some_and(is_part_file_name)
            && self
                .directory
                .is_some_and(|directory| directory_id(parent_directory(path)) == Some(directory))
            || Some(name) == self.state.file_name()
                && regular_file_id(path) == regular_file_id(self.state)
    }
}

/// Returns the identity of a directory, or `None` if there is no directory at `path`.
fn directory_id(path: &Path) -> Option<FileId> {
    platform::file_id_at(path, &fs::metadata(path).ok()?)
}
