//! The arguments of `urlsift report`.

use super::option::{OfReport, OptionArgs};
use super::paths::PathArgs;
use super::scan::ScanArgs;
use super::values::Format;
use clap::Args;
use std::path::PathBuf;
use urlsift_records::{Malformed, With};
use urlsift_report::LinkTemplate;

/// Options of `report`.
#[derive(Debug, Args)]
#[command(
    after_help = "PATH may also be a single directory that `urlsift scan --format parquet -o DIR` wrote, with or \
        without --state. In this case, only the data for the report in it is read.\n\n\
    URLs in header fields other than the subject, in footers that list software adds, around the message on pages of mail \
    archives, and in the lines that mail programs add before a quotation, are counted separately as added by \
    software. All other numbers of the report exclude these URLs.\n\n\
    The report is a page that needs no network and no scripts. It identifies messages by their Message-ID. Names and addresses of people \
    appear only in quoted lines with a URL, and with --senders; passwords are shown as `***`.\n\n\
    If a signal ends the run, the report covers the input read so far, and says so."
)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) paths: PathArgs,

    /// Write to FILE instead of standard output
    ///
    /// FILE is created or replaced only when the output is complete.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    find: OptionArgs<OfReport>,

    /// Link each example to its message, e.g. `https://lore.kernel.org/all/{id}/`
    ///
    /// TEMPLATE contains at least one of these placeholders: `{id}` (the Message-ID without angle
    /// brackets), `{list}` (the first newsgroup or list), `{path}` (the file) and `{line}` (the
    /// line of the URL). Their values are percent-encoded.
    #[arg(long, value_name = "TEMPLATE", help_heading = "Output")]
    pub(crate) link: Option<LinkTemplate>,

    /// Also count URLs by sender; the report then contains addresses of people
    #[arg(long, help_heading = "Output")]
    pub(crate) senders: bool,

    /// Count messages with the same Message-ID only once
    #[arg(long, help_heading = "Which messages to scan")]
    dedupe: bool,

    /// Use NUM threads; 0 chooses the number automatically
    #[arg(short = 'j', long, value_name = "NUM", default_value_t = 0)]
    threads: usize,

    /// Never show progress
    #[arg(long, hide_short_help = true)]
    no_progress: bool,
}

impl ReportArgs {
    /// Returns the arguments for the scan that collects the data of the report.
    pub(crate) fn scan_args(&self) -> ScanArgs {
        let default = ScanArgs::default();
        let mut options = self.find.options.clone();
        options.malformed = Malformed::Include;
        options.mask_passwords = true;
        options.with.extend(self.senders.then_some(With::From));
        ScanArgs {
            format: Format::Report,
            paths: self.paths.clone(),
            output: self.output.clone(),
            find: OptionArgs::new(options),
            dedupe: self.dedupe,
            link: self.link.clone(),
            threads: self.threads,
            no_progress: self.no_progress,
            ..default
        }
    }
}
