//! The subcommand `report`: writes an HTML report.

use super::scan::{self, REPORT};
use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::io::explain::explain;
use crate::io::inputs::Inputs;
use crate::io::open::read_config_file;
use crate::io::output::Output;
use crate::print::report_data::{count_saved_report, saved_report_path};
use crate::print::run_file::{RUN, tally_from_counts};
use anyhow::{Context as _, anyhow, bail};
use serde_json::Value;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use urlsift_report::{Collector, Report, Run, VERSION, html};

pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    if args.output.is_none() && io::stdout().is_terminal() {
        bail!("the report is an HTML page; name a file for it with -o report.html");
    }
    match &*args.paths.paths {
        [directory] if directory.join(RUN).is_file() => report_from_tables(directory, args),
        _ => scan::run(&args.scan_args()),
    }
}

/// Writes a report from the data that an earlier scan wrote to `directory` with its Parquet tables.
/// The input files are not scanned again.
fn report_from_tables(directory: &Path, args: &ReportArgs) -> anyhow::Result<Exit> {
    let run = directory.join(RUN);
    let value: Value = serde_json::from_slice(&read_file_of_run(&run)?)
        .with_context(|| format!("cannot read {}", run.display()))?;
    let inputs = Inputs::from_path(&run);
    let (mut report, inputs) = match value["parts"].as_u64() {
        Some(parts) => report_of_parts(directory, &value, parts, inputs)?,
        None => report_of_whole_tables(directory, &value, inputs)?,
    };
    if args.senders && report.senders.names == 0 {
        bail!("{}: tables have no senders; name the files that were scanned", directory.display());
    }
    args.link.iter().for_each(|template| report.add_links(template));
    let output = Output::new(args.output.as_deref(), &inputs)?;
    let mut writer = output.writer()?;
    writer.write_all(html::report_page(&report).as_bytes())?;
    writer.flush()?;
    output.rename_to_final_name()?;
    Ok(if report.urls > 0 { Exit::Success } else { Exit::Nothing })
}

fn read_file_of_run(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_config_file(path).map_err(|error| anyhow!("{}: {}", path.display(), explain(&error)))
}

/// Returns the report of a scan that wrote its tables to `directory` as a whole, and `inputs` with
/// the file that contains it. `run` is the description of the scan.
fn report_of_whole_tables(
    directory: &Path,
    run: &Value,
    inputs: Inputs,
) -> anyhow::Result<(Report, Inputs)> {
    let path = directory.join(REPORT);
    let whose = || format!("cannot read the report {}", path.display());
    let report = Report::from_json(&read_file_of_run(&path)?).with_context(whose)?;
    if report.schema != VERSION {
        return Err(anyhow!(
            "unsupported version {}; use the release of urlsift that wrote it",
            report.schema
        ))
        .with_context(whose);
    }
    check_is_complete(run["complete"] == report.complete).with_context(whose)?;
    Ok((report, inputs.with_option_file("the report", Some(&path))))
}

/// Returns the report of the scans that wrote `parts` parts of tables to `directory`, and `inputs`
/// with the files that contain its data. `run` is the description of the last scan.
fn report_of_parts(
    directory: &Path,
    run: &Value,
    parts: u64,
    mut inputs: Inputs,
) -> anyhow::Result<(Report, Inputs)> {
    let parts = u32::try_from(parts).unwrap_or(u32::MAX);
    check_is_complete(run["complete"] == true)
        .with_context(|| format!("cannot make the report of {}", directory.display()))?;
    let mut collector = Collector::default();
    for number in 1..=parts {
        let path = saved_report_path(directory, number);
        count_saved_report(&path, &mut collector).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => anyhow!(
                "{}: no such file, so there is no report of these parts; name the files that were scanned",
                path.display()
            ),
            _ => anyhow!("cannot read {}: {}", path.display(), explain(&error)),
        })?;
        inputs = inputs.with_option_file("the report", Some(&path));
    }
    let mut facts = Run::default();
    facts.complete = true;
    run["version"].as_str().unwrap_or_default().clone_into(&mut facts.version);
    let options = run["options"].as_array().into_iter().flatten();
    facts.options = options.filter_map(|option| option.as_str().map(str::to_owned)).collect();
    facts.tally = tally_from_counts(&run["counts"]);
    Ok((collector.finish(facts), inputs))
}

/// Returns an error if `is_complete` is false.
fn check_is_complete(is_complete: bool) -> anyhow::Result<()> {
    if is_complete {
        return Ok(());
    }
    bail!("the scan has not finished or was stopped early; run it again to the end")
}
