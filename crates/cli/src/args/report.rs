//! `urlsift report`.

use super::names::{PROFILES, REJOIN, one_of};
use super::paths::PathArgs;
use super::scan::{Format, ReadArgs, ScanArgs, Undated};
use clap::Args;
use std::path::PathBuf;
use urlsift_core::Profile;
use urlsift_records::Malformed;
use urlsift_scanner::Rejoin;

/// Options of `report`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one a flag")]
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

    /// The rules to judge by
    #[arg(
        long,
        value_name = "PROFILE",
        default_value = "web",
        value_parser = one_of(PROFILES),
        help_heading = "What to find"
    )]
    profile: Profile,

    /// How far bare URLs are followed over line breaks
    #[arg(
        long,
        value_parser = one_of(REJOIN),
        value_name = "HOW",
        default_value = "likely",
        help_heading = "What to find"
    )]
    rejoin: Rejoin,

    /// Of messages with the same Message-ID, in one file or several, count only the first
    #[arg(long, help_heading = "What to find")]
    dedupe: bool,

    /// Leave out what stands on quoted lines
    #[arg(long, help_heading = "What to find")]
    no_quoted: bool,

    /// Leave out what stands in signatures of messages
    #[arg(long, help_heading = "What to find")]
    no_signature: bool,

    /// Only messages of this day or later: 1994, 1994-12, 1994-12-01 or 1994-12-01T10:00:00Z
    #[arg(long, value_name = "DATE", help_heading = "What to find")]
    since: Option<String>,

    /// Only messages of this day, month, year or earlier
    #[arg(long, value_name = "DATE", help_heading = "What to find")]
    until: Option<String>,

    /// What becomes of messages without a date that can be read, where --since or --until ask for one
    #[arg(long, value_enum, value_name = "WHAT", default_value_t, help_heading = "What to find")]
    undated: Undated,

    /// Only articles posted to a newsgroup that matches, as `comp.infosystems.*`
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', help_heading = "What to find")]
    newsgroup: Vec<String>,

    /// Only messages of a mailing list whose List-Id matches, as `*.w3.org` or `www-talk@w3.org`
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', help_heading = "What to find")]
    list: Vec<String>,

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
        ScanArgs {
            format: Format::Report,
            paths: self.paths.clone(),
            read: self.read.clone(),
            output: self.output.clone(),
            profile: self.profile,
            rejoin: self.rejoin,
            malformed: Malformed::Include,
            mask_passwords: true,
            dedupe: self.dedupe,
            since: self.since.clone(),
            until: self.until.clone(),
            undated: self.undated,
            newsgroup: self.newsgroup.clone(),
            list: self.list.clone(),
            threads: self.threads,
            no_progress: self.no_progress,
            no_quoted: self.no_quoted,
            no_signature: self.no_signature,
            ..ScanArgs::default()
        }
    }
}
