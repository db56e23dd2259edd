//! The arguments of `urlsift schema`.

use super::names::{Described, SCHEMAS, one_of};
use clap::Args;

/// Options of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Describe this table, the records of this subcommand, or `config`; by default, all tables
    #[arg(value_parser = one_of(SCHEMAS), value_name = "WHAT")]
    pub(crate) what: Option<Described>,

    /// Print the fields as a Markdown table (always done for tables)
    #[arg(long)]
    pub(crate) table: bool,
}
