//! The subcommand `report`: writes an HTML report.

use super::scan::{self, REPORT};
use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::io::explain::explain;
use crate::io::inputs::Inputs;
use crate::io::open::read_config_file;
use crate::io::output::Output;
use anyhow::{Context as _, anyhow, bail};
use serde_json::Value;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use urlsift_report::{Report, VERSION, html};

/// The name of the file that describes the scan that wrote a directory of tables.
const RUN: &str = "run.json";

pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    if args.output.is_none() && io::stdout().is_terminal() {
        bail!("the report is an HTML page; name a file for it with -o report.html");
    }
    match &*args.paths.paths {
        [directory] if directory.join(RUN).is_file() => report_from_tables(directory, args),
        _ => scan::run(&args.scan_args()),
    }
}

/// Writes a report from the Parquet tables that an earlier scan wrote to `directory`. The input
/// files are not scanned again.
fn report_from_tables(directory: &Path, args: &ReportArgs) -> anyhow::Result<Exit> {
    let read = |name| {
        let path = directory.join(name);
        read_config_file(&path).map_err(|error| anyhow!("{}: {}", path.display(), explain(&error)))
    };
    let run: Value = serde_json::from_slice(&read(RUN)?)
        .with_context(|| format!("cannot read {}", directory.join(RUN).display()))?;
    if run["parts"].is_number() {
        bail!(
            "{}: tables written in parts have no report; name the files that were scanned",
            directory.display()
        );
    }
    let whose = || format!("cannot read the report {}", directory.join(REPORT).display());
    let mut report = Report::from_json(&read(REPORT)?).with_context(whose)?;
    if report.schema != VERSION {
        return Err(anyhow!(
            "unsupported version {}; use the release of urlsift that wrote it",
            report.schema
        ))
        .with_context(whose);
    }
    if run["complete"] != report.complete {
        return Err(anyhow!(
            "the scan has not finished or was stopped early; run it again to the end"
        ))
        .with_context(whose);
    }
    if args.senders && report.senders.names == 0 {
        bail!("{}: tables have no senders; name the files that were scanned", directory.display());
    }
    args.link.iter().for_each(|template| report.add_links(template));
    let inputs = Inputs::from_path(&directory.join(REPORT));
    let run = directory.join(RUN);
    let output =
        Output::new(args.output.as_deref(), &inputs.with_option_file("the report", Some(&run)))?;
    let mut writer = output.writer()?;
    writer.write_all(html::report_page(&report).as_bytes())?;
    writer.flush()?;
    output.rename_to_final_name()?;
    Ok(if report.urls > 0 { Exit::Success } else { Exit::Nothing })
}
