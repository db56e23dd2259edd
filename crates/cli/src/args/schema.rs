//! `urlsift schema`.

use super::names::{Described, SCHEMAS, one_of};
use clap::Args;

/// Options of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The subcommand whose records to describe, or `config`
    #[arg(value_parser = one_of(SCHEMAS))]
    pub(crate) subcommand: Described,

    /// Print a table of the fields in Markdown
    #[arg(long)]
    pub(crate) table: bool,
}
