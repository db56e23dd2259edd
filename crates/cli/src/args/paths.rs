//! The arguments that select the files to read, for all subcommands that read files and
//! directories.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use urlsift_records::Size;

/// The value of `--sort`: the order in which files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortBy {
    /// In the order of the arguments; in a directory, files by name and articles by number
    #[default]
    None,
    /// Sorted by path
    Path,
    /// Sorted by time of modification, oldest first
    Modified,
    /// Sorted by time of last access, oldest first
    Accessed,
    /// Sorted by time of creation, oldest first
    Created,
}

/// The paths to read, and filters for the files in directories.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PathArgs {
    /// Files or directories to read; `-` is standard input
    ///
    /// Without PATH, a pipe or file on standard input is read, otherwise the current directory.
    /// `/dev/null` is neither.
    #[arg(value_name = "PATH", hide_short_help = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// Read only files that match GLOB; with `!GLOB`, skip files that match
    ///
    /// Give the option several times for several globs. If several globs match a file, the last one
    /// decides.
    #[arg(short, long, value_name = "GLOB", help_heading = "Input")]
    pub(crate) glob: Vec<String>,

    /// Read only files of this type, e.g. md, html or mail
    ///
    /// The types are those of ripgrep, plus `mail` for files whose names end in `.eml`, `.emlx`,
    /// `.mbox` or `.mbx`. To read several types, give the option several times.
    #[arg(short = 't', long = "type", value_name = "TYPE", help_heading = "Input")]
    pub(crate) types: Vec<String>,

    /// Skip files larger than this, e.g. 64M
    #[arg(long, value_name = "SIZE", hide_short_help = true, help_heading = "Input")]
    pub(crate) max_filesize: Option<Size>,

    /// Also read the files that FILE lists, one path per line; `-` is standard input
    ///
    /// The paths may also end with NUL bytes, as `find -print0` prints them.
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Input")]
    pub(crate) files_from: Option<PathBuf>,

    /// Follow symbolic links to files and directories
    #[arg(short = 'L', long, hide_short_help = true, help_heading = "Input")]
    pub(crate) follow: bool,

    /// Read hidden files and directories, too
    ///
    /// Maildir folders and their messages are read even without this option.
    #[arg(long, help_heading = "Input")]
    pub(crate) hidden: bool,

    /// Don't respect .gitignore, .ignore and .rgignore files
    ///
    /// With this option, urlsift doesn't respect `.git/info/exclude` and git's global ignore file
    /// either.
    #[arg(long, help_heading = "Input")]
    pub(crate) no_ignore: bool,

    /// Read files in this order
    #[arg(
        long,
        value_enum,
        value_name = "ORDER",
        default_value_t,
        hide_short_help = true,
        help_heading = "Input"
    )]
    pub(crate) sort: SortBy,
}
