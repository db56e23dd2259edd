//! The arguments of `urlsift units`.

use super::option::{OfUnits, OptionArgs};
use super::paths::PathArgs;
use clap::{Args, ValueEnum};
use urlsift_records::Size;

/// The output formats of `urlsift units`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnitsFormat {
    /// One JSON object per unit
    #[default]
    Jsonl,
    /// One line per unit, with tabs between the fields: path, start, end, line and line start, then
    /// the remaining fields in the order of the JSON object. In paths, tabs, line breaks and
    /// backslashes are written `\t`, `\n`, `\r` and `\\`. Other control characters are written byte
    /// by byte, e.g. `\x1b`
    Tsv,
}

/// Options of `units`.
#[derive(Debug, Args)]
#[command(
    after_help = "A unit is a file or a range of a file. A range starts and ends between two messages or, in plain \
    text, between two lines. Compressed files are split if they are bgzf, or gzip or zstd with many members or frames. \
    `urlsift scan --units LIST` prints exactly the records that a scan of the whole files prints for these ranges."
)]
pub(crate) struct UnitsArgs {
    #[command(flatten)]
    pub(crate) paths: PathArgs,

    #[command(flatten)]
    pub(crate) read: OptionArgs<OfUnits>,

    /// Print units in this format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: UnitsFormat,

    /// Make units of at least this size, e.g. 4M; a smaller file is one unit
    #[arg(long, value_name = "SIZE", default_value = "16M")]
    pub(crate) size: Size,
}
