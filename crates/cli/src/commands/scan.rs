//! The subcommand `scan`: finds URLs in files.

use crate::args::{Format, ScanArgs};
use crate::exit::Exit;
use crate::io::explain::explain;
use crate::io::inputs::{Inputs, only_input_error, regular_file_id};
use crate::io::open::Input;
use crate::io::output::{Output, check_outputs_and_get_ids};
#[cfg(feature = "git")]
use crate::io::public_inbox;
#[cfg(not(feature = "git"))]
use crate::io::walk::is_bare_repository;
use crate::io::walk::{IsInbox, SkippedInputs, Walk, WalkItem};
use crate::platform::{self, FileId};
use crate::print::hyperlink::Hyperlinks;
use crate::print::ordered_writer::OrderedWriter;
use crate::print::progress::Progress;
use crate::print::report_data::ReportData;
use crate::print::stats;
use crate::print::style::{PerFile, Style};
#[cfg(feature = "parquet")]
use crate::print::{
    run_file::{RUN, RunFile, counts},
    tables::{Tables, table_paths},
};
use crate::run::queue::{FOUND, PIPE_CLOSED};
use crate::run::scan_job::{Items, ScanQueue};
use crate::run::threads::{self, Threads};
use crate::run::worker::{Plan, Worker};
use crate::signals;
use crate::unit::Unit;
use anyhow::{Context as _, anyhow, bail};
use std::collections::HashSet;
use std::ffi::OsString;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use urlsift_archive::LimitCounts;
use urlsift_core::{Secrets, mask_spans};
use urlsift_records::Tally;
use urlsift_report::{Collector, Run, html};

/// The function that recognizes a public-inbox.
#[cfg(feature = "git")]
pub(super) const IS_INBOX: IsInbox = public_inbox::is_public_inbox;

/// Without the feature `git`, a git repository is an error: its contents are compressed, so no URL
/// would be found in them.
#[cfg(not(feature = "git"))]
pub(super) const IS_INBOX: IsInbox = |path| {
    if is_bare_repository(path) {
        return Err("cannot read a git repository; to scan a public-inbox, install urlsift with \
                    `--features git`"
            .to_owned());
    }
    Ok(false)
};

/// The name of the file with the data of the report, in the directory of the tables.
pub(super) const REPORT: &str = "report.json";

pub(crate) fn run(args: &ScanArgs) -> anyhow::Result<Exit> {
    if args.defang && args.format() != Format::Text {
        bail!("--defang works with text output only; JSON and tables contain the real URLs");
    }
    let style = output_style(args)?;
    let workers = worker_count(args);
    let plan = Plan::new(args, style.clone(), workers)?;
    let stop = signals::install_handlers()?;
    let directory = args.table_directory()?;
    let inputs = &scan_inputs(args)?;
    let outputs = check_outputs_and_get_ids(&output_paths(args, directory), inputs)?;
    let output = Output::new(args.output.as_deref().filter(|_| directory.is_none()), inputs)?;
    #[cfg(feature = "parquet")]
    let (mut outputs, tables) =
        (outputs, directory.map(|it| start_tables(it, &style, inputs)).transpose()?);
    #[cfg(feature = "parquet")]
    // `check_outputs_and_get_ids` found no identity for this file, because it was written after
    // that.
    outputs.extend(tables.as_ref().and_then(|(_, run)| run.file_id()));
    let data = directory.map(|directory| Output::new(Some(&directory.join(REPORT)), inputs));
    let data = data.transpose()?;
    let begin = Instant::now();
    let (files, left_out) = files_to_scan(args, inputs, outputs)?;
    let so_far = Arc::default();
    let progress = Progress::start(Arc::clone(&so_far), (&args.paths, inputs), !args.no_progress);
    let out: Box<dyn Write + Send> = if args.quiet || args.collects_report() {
        Box::new(io::sink())
    } else {
        Box::new(output.writer()?)
    };
    let errors = Box::new(progress.stderr_writer());
    let mut writer = OrderedWriter::new(out, errors, style.clone(), so_far);
    #[cfg(feature = "parquet")]
    let run_file = tables.map(|(tables, run)| {
        writer.tables = Some(tables);
        run
    });
    writer.report = args.collects_report().then(|| ReportData::Counted(Box::default()));
    writer.print_header()?;
    let queue = ScanQueue::new(files, writer, stop, style.task_sizes(workers));
    // Not for a list of units, which may be written slowly by another program. Eight batches of
    // files are enough.
    let is_walk = args.units.is_none();
    let queue =
        if is_walk && workers > 1 { queue.with_min_ready_tasks(8.min(2 * workers)) } else { queue };
    let worked = queue.run(&Threads::new(workers)?, || Worker::new(&plan));
    drop(progress);
    let (mut writer, stopped) = worked?;
    if stopped == PIPE_CLOSED || stopped == FOUND {
        return Ok(Exit::Success);
    }
    let left_out = std::mem::take(&mut *left_out.lock().unwrap_or_else(PoisonError::into_inner));
    writer.tally.skipped = left_out.counts;
    if !args.no_messages {
        stats::print_skipped_outputs(&left_out.outputs);
    }
    let replaced = output.replaced_path().or_else(|| data.as_ref()?.replaced_path());
    if let Some(replaced) = replaced
        && left_out.counts.output > 0
        && writer.tally.files == 0
    {
        return Err(only_input_error(replaced));
    }
    writer.print_footer()?;
    print_summary(args, &writer.tally, begin)?;
    let is_all_unreadable = writer.tally.errors > 0 && writer.tally.bytes == 0;
    if directory.is_none() && writer.report.is_some() && is_all_unreadable {
        // The errors were reported. An existing report is not replaced by an empty one.
        return Ok(Exit::Trouble.more_severe(Exit::from_signal(stopped)));
    }
    if let Some(ReportData::Counted(collector)) = writer.report.take() {
        write_report(args, *collector, writer.tally, stopped == 0, (output, data))?;
    } else if stopped == 0 {
        output.rename_to_final_name()?;
    }
    let (tally, has_listed) = (writer.tally, writer.has_listed);
    #[cfg(feature = "parquet")]
    if let (Some(tables), Some(run)) = (writer.tables.filter(|_| stopped == 0), run_file) {
        tables.finish_tables(false)?;
        run.write(Some(counts(&tally)?), None, inputs)?;
    }
    let is_found = if args.files_without_match { has_listed } else { tally.urls > 0 };
    let found = if is_found { Exit::Success } else { Exit::Nothing };
    let went = if tally.errors > 0 { Exit::Trouble } else { Exit::Success };
    Ok(found.more_severe(went).more_severe(Exit::from_signal(stopped)))
}

/// Creates the Parquet tables in a directory, and the file `run.json` that describes the scan.
#[cfg(feature = "parquet")]
fn start_tables(
    directory: &Path,
    style: &Style,
    inputs: &Inputs,
) -> anyhow::Result<(Tables, RunFile)> {
    if RunFile::has_parts(directory) {
        bail!(
            "{}: contains the tables of a run with --state; continue it with the same --state, or name another directory",
            directory.display()
        );
    }
    let tables = Tables::new(directory, &style.columns, None, inputs)?;
    let run = RunFile::new(directory, masked_arguments());
    run.write(None, None, inputs)?;
    Ok((tables, run))
}

/// Returns the files or units to scan, without the files in `outputs`. Also returns a list of the
/// inputs that were skipped, which is complete only after the scan.
fn files_to_scan(
    args: &ScanArgs,
    inputs: &Inputs,
    outputs: Vec<FileId>,
) -> anyhow::Result<(Items, Arc<Mutex<SkippedInputs>>)> {
    if args.max_count == Some(0) {
        return Ok((Box::new(iter::empty()), Arc::default()));
    }
    if let Some(list) = &args.units {
        let left_out = Arc::default();
        return Ok((Box::new(listed_units(list, outputs, Arc::clone(&left_out))?), left_out));
    }
    let walk = Walk::from_args(&args.paths, inputs, IS_INBOX, outputs)?;
    let left_out = walk.skipped_inputs();
    Ok((Box::new(walk), left_out))
}

/// Writes the report at the end of a scan. If the scan writes tables, writes the report's data as
/// JSON to `data`, otherwise writes the HTML page to `page`. `is_complete` is false if the scan was
/// interrupted.
fn write_report(
    args: &ScanArgs,
    collector: Collector,
    tally: Tally,
    is_complete: bool,
    (page, data): (Output, Option<Output>),
) -> anyhow::Result<()> {
    let mut run = Run::default();
    (run.version, run.options) = (env!("CARGO_PKG_VERSION").to_owned(), masked_arguments());
    (run.complete, run.tally) = (is_complete, tally);
    let mut report = collector.finish(run);
    args.link.iter().for_each(|template| report.add_links(template));
    match data {
        Some(data) => write_output(data, &report.to_json()?),
        None => write_output(page, html::report_page(&report).as_bytes()),
    }
}

/// Returns the command-line arguments of this process, with secrets in them masked.
pub(super) fn masked_arguments() -> Vec<String> {
    let shown = |option: OsString| {
        let option = platform::printed_bytes(&option);
        String::from_utf8_lossy(&mask_spans(&option, &Secrets::All.in_text(&option))).into_owned()
    };
    std::env::args_os().skip(1).map(shown).collect()
}

/// Writes `text` as the whole contents of an output file, and gives the file its final name.
fn write_output(output: Output, text: &[u8]) -> anyhow::Result<()> {
    output.write_contents(text)?;
    output.rename_to_final_name()
}

/// Prints the statistics to standard error if `--stats` is set, and a note for each limit that was
/// reached. Limits of decompression are left out, since they were reported as errors of their
/// files. `begin` is the time at which the scan started.
///
/// # Errors
///
/// Returns an error if standard error can't be written.
pub(super) fn print_summary(args: &ScanArgs, tally: &Tally, begin: Instant) -> io::Result<()> {
    if args.stats {
        io::stderr().write_all(stats::format_stats(tally, begin.elapsed()).as_bytes())?;
    }
    let mut limits = LimitCounts::default();
    for (limit, _, count) in tally.limit_counts() {
        limits.add(limit, count);
    }
    if args.no_messages {
        return Ok(());
    }
    // Otherwise, options such as `--newsgroup` exclude these files in any case.
    if args.find.options.messages.clone().undated(true).accepts_other_text() {
        stats::print_files_without_messages(tally.without_messages)?;
    }
    stats::print_reached_limits(&limits, "scan")
}

/// Returns the inputs of a scan: the paths to read, and the files that its options name.
///
/// # Errors
///
/// Returns an error if the list of `--files-from` can't be read.
pub(super) fn scan_inputs(args: &ScanArgs) -> anyhow::Result<Inputs> {
    let inputs = if args.units.is_some() { Inputs::default() } else { Inputs::new(&args.paths)? };
    Ok(inputs
        .with_option_file("--units", args.units.as_deref())
        .with_option_file("--hash-key", args.hash_key.as_deref()))
}

/// Returns the paths of the files that a scan writes. In the list, `None` means standard output.
/// `directory` is the directory of Parquet tables, if the scan writes any.
fn output_paths(args: &ScanArgs, directory: Option<&Path>) -> Vec<Option<PathBuf>> {
    #[cfg(feature = "parquet")]
    if let Some(directory) = directory {
        let others = [RUN, REPORT].map(|name| directory.join(name));
        return table_paths(directory).into_iter().chain(others).map(Some).collect();
    }
    let _ = directory;
    vec![args.output.clone()]
}

/// Reads the list of units that `--units` names, and returns the units in order. Units of files in
/// `outputs` are skipped and recorded in `skipped`.
fn listed_units(
    list: &Path,
    outputs: Vec<FileId>,
    skipped: Arc<Mutex<SkippedInputs>>,
) -> anyhow::Result<impl Iterator<Item = WalkItem> + Send + use<>> {
    let input = if list.as_os_str() == "-" { Input::stdin() } else { Input::open(list) };
    let input = input.and_then(|input| {
        if input.is_directory() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(input) }
    });
    let input =
        input.map_err(|error| anyhow!("--units {}: {}", list.display(), explain(&error)))?;
    let path = list.to_owned();
    let lines = BufReader::new(input).split(b'\n').enumerate();
    // Each file must be counted once, in whatever order its units are listed. To save memory, a
    // path is represented by a hash of 8 bytes.
    let (mut last, mut seen, hashes) = (PathBuf::new(), HashSet::new(), RandomState::new());
    // The last path that was checked, and whether it is an output.
    let (mut checked, mut is_output) = (PathBuf::new(), false);
    Ok(lines.filter_map(move |(index, line)| {
        let line = match line {
            Ok(line) if line.is_empty() => return None,
            Ok(line) => line,
            Err(error) => return Some(WalkItem::Error(path.clone(), explain(&error))),
        };
        let unit = Unit::parse(&line).map(|unit| {
            let is_repeated = unit.path == last || !seen.insert(hashes.hash_one(&unit.path));
            last.clone_from(&unit.path);
            Unit { is_repeated, ..unit }
        });
        match unit {
            Err(error) => {
                let text = format!("line {} of the list of units: {error:#}", index + 1);
                Some(WalkItem::Error(path.clone(), text))
            }
            Ok(unit) => {
                if !outputs.is_empty() && unit.path != checked {
                    is_output = regular_file_id(&unit.path).is_some_and(|id| outputs.contains(&id));
                    checked.clone_from(&unit.path);
                }
                if is_output {
                    skipped
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .add_skipped_output(unit.path);
                    return None;
                }
                Some(WalkItem::Unit(Box::new(unit)))
            }
        }
    }))
}

/// Returns the number of threads for a scan. The option `-j` sets it.
///
/// By default, it is twice the number of cores, and at least 8, since threads wait for the disk. A
/// spool of small files that are not in the page cache is read twice as fast as with one thread per
/// core. If files can't be requested in advance, it is read four times as fast. If the files are in
/// the cache, the additional threads cost nothing.
///
/// With even more threads, a scan that compresses rows would delay the thread whose output is
/// written next. One large file needs only one thread per core, because the system reads ahead.
pub(super) fn worker_count(args: &ScanArgs) -> usize {
    if let Some(threads) = threads::thread_count(args.threads) {
        return threads;
    }
    match Walk::only_file(&args.paths).filter(|_| args.units.is_none()) {
        // One thread has scanned the file before a second one would have started.
        Some(file) if file.is_small => 1,
        Some(_) => threads::cores(),
        None => (2 * threads::cores()).max(8),
    }
}

/// Returns the settings for printing the results of a scan, from the command's arguments.
pub(super) fn output_style(args: &ScanArgs) -> anyhow::Result<Style> {
    let terminal = io::stdout().is_terminal();
    let per_file = match () {
        () if args.count => Some(PerFile::Count),
        () if args.files_with_matches => Some(PerFile::Path),
        () if args.files_without_match => Some(PerFile::Without),
        () => None,
    };
    let several = args.units.is_some() || Walk::may_select_several(&args.paths);
    let color = args.format() == Format::Text && args.color.is_enabled();
    let links = Some(&args.hyperlink_format).filter(|_| color).map(Hyperlinks::new).transpose();
    let links = links.context("--hyperlink-format: cannot find the working directory")?.flatten();
    Ok(Style {
        format: args.format(),
        path: args.with_filename || (per_file.is_some() && several && !args.no_filename),
        no_path: args.no_filename,
        line: args.line_number,
        column: args.column,
        offset: args.byte_offset,
        columns: args.columns()?,
        guarded: args.guard_formulas,
        null: args.null,
        color,
        links: links.map(Arc::new),
        terminal: terminal && args.output.is_none() && args.format() == Format::Text,
        defang: args.defang,
        line_buffered: args.line_buffered,
        readings: args.readings,
        per_file,
        unique: args.unique,
        by: args.by()?,
        header: args.header,
        max_memory: args.max_memory.0,
        dedupe: args.dedupe,
        max_count: args.max_count,
        lines: args.context_lines()?,
        blank: args.blanks_urls()?,
        quiet: args.quiet,
        hides_messages: args.no_messages,
        // For statistics, the whole input must be read.
        ends_at_first: args.quiet && !args.stats,
    })
}
