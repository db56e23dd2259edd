//! `urlsift schema`.

use clap::{Args, ValueEnum};

/// The subcommands that print records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaArg {
    /// URLs, errors and the summary
    Scan,
    /// Diagnostics, errors and the summary
    Lint,
    /// Verdicts
    Parse,
}

/// Options of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The subcommand whose records to describe
    #[arg(value_enum)]
    pub(crate) subcommand: SchemaArg,

    /// Print a table of the fields in Markdown
    #[arg(long)]
    pub(crate) table: bool,
}
