//! What to read: the paths, and which files below them. Shared by the subcommands that walk.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The order in which files are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortBy {
    /// Arguments as given; within a directory by name, articles by number
    #[default]
    None,
    /// All files by path
    Path,
    /// Last changed first to last
    Modified,
    /// Last read first to last
    Accessed,
    /// First made first to last
    Created,
}

/// The paths, and how to walk below them.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PathArgs {
    /// Files or directories; `-` is standard input, which is also read when there is no path and
    /// it is not a terminal
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Take only files that match GLOB, or with a leading `!` those that do not; may be repeated,
    /// later ones win
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,

    /// Also take hidden files and directories (Maildir folders and their parts are never skipped)
    #[arg(long)]
    pub(crate) hidden: bool,

    /// Do not heed .gitignore, .ignore and .rgignore
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// The order in which files are taken
    #[arg(long, value_enum, value_name = "ORDER", default_value_t)]
    pub(crate) sort: SortBy,
}
