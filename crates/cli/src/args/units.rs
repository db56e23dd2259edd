//! `urlsift units`.

use super::option::{OfUnits, OptionArgs};
use super::paths::PathArgs;
use clap::{Args, ValueEnum};
use urlsift_records::Size;

/// How `units` prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnitsFormat {
    /// One JSON object a unit
    #[default]
    Jsonl,
    /// Path, start, end, line and start of the line between tabs; in a path a tab, line
    /// break or backslash is written `\t`, `\n`, `\r` or `\\`, and another control character byte by byte as `\x1b`
    Tsv,
}

/// Options of `units`.
#[derive(Debug, Args)]
#[command(
    after_help = "A unit is a file, or a range of one that starts and ends at a message; a compressed file is cut if it \
    is bgzf, or gzip or zstd in many pieces. \
    `urlsift scan --units LIST` prints exactly the records that a scan of the whole files has there."
)]
pub(crate) struct UnitsArgs {
    #[command(flatten)]
    pub(crate) paths: PathArgs,

    #[command(flatten)]
    pub(crate) read: OptionArgs<OfUnits>,

    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: UnitsFormat,

    /// The least size of a unit, as 4M; a file that is smaller is one unit
    #[arg(long, value_name = "SIZE", default_value = "16M")]
    pub(crate) size: Size,
}
