//! `urlsift schema`.

use super::names::{Described, SCHEMAS, one_of};
use clap::Args;

/// Options of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The table, or the subcommand whose records to describe, or `config`; without it, all tables
    #[arg(value_parser = one_of(SCHEMAS), value_name = "WHAT")]
    pub(crate) what: Option<Described>,

    /// Print a table of the fields in Markdown (tables always are)
    #[arg(long)]
    pub(crate) table: bool,
}
