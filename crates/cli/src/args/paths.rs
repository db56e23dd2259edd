//! What to read: the paths, and which files below them. Shared by the subcommands that walk.

use super::size::Size;
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
    /// Files or directories; `-` is standard input. Without any, a pipe or file on standard input is read, else
    /// the current directory
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Take only files that match GLOB, or with a leading `!` those that do not; may be repeated,
    /// later ones win
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,

    /// Take only files of this type, as ripgrep knows them: `md`, `html`, `mail`; may be repeated
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,

    /// Leave out files that are longer, as 64M
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_filesize: Option<Size>,

    /// Read the paths in this file, too: one a line, or with NUL behind each; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,

    /// Follow symbolic links to files and directories
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,

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
