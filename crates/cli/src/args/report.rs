//! `urlsift report`.

use super::find::{FindArgs, RuleArgs};
use super::messages::MessageArgs;
use super::paths::PathArgs;
use super::read::ReadArgs;
use super::scan::ScanArgs;
use super::values::Format;
use clap::Args;
use std::path::PathBuf;
use urlsift_records::Malformed;

/// Options of `report`.
#[derive(Debug, Args)]
#[command(
    after_help = "PATH may be the one directory of a run, into which `urlsift scan --format parquet -o DIR` wrote: then only \
    its report.json is read.\n\n\
    The page needs no network and no script. It names messages by their Message-ID, and nobody by name or address but where they \
    stand beside a URL that is quoted; passwords are shown as ***.\n\n\
    Ended by a signal, it is the report of what was read until then, and says so."
)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) paths: PathArgs,

    #[command(flatten)]
    read: ReadArgs,

    /// Write to FILE, which is there when all of it is written; without it, to standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Show tokens as ***, too: values of parameters such as `token`, `api_key` or `X-Amz-Signature`, JSON Web Tokens, and keys
    /// known by their form. Passwords are never shown
    #[arg(long, help_heading = "Output")]
    mask_secrets: bool,

    #[command(flatten)]
    rules: RuleArgs,

    /// Of messages with the same Message-ID, in one file or several, count only the first
    #[arg(long, help_heading = "What to find")]
    dedupe: bool,

    #[command(flatten)]
    messages: MessageArgs,

    /// The number of threads, at most four for each core; 0 means max(8, 2 × cores), for a single file one for each core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    threads: usize,

    /// Never show progress
    #[arg(long)]
    no_progress: bool,
}

impl ReportArgs {
    /// The scan of which the report is made.
    pub(crate) fn scan(&self) -> ScanArgs {
        let default = ScanArgs::default();
        ScanArgs {
            format: Format::Report,
            paths: self.paths.clone(),
            read: self.read.clone(),
            output: self.output.clone(),
            find: FindArgs {
                rules: self.rules.clone(),
                malformed: Malformed::Include,
                messages: self.messages.clone(),
                ..default.find
            },
            mask_passwords: true,
            mask_secrets: self.mask_secrets,
            dedupe: self.dedupe,
            threads: self.threads,
            no_progress: self.no_progress,
            ..default
        }
    }
}
