//! The arguments of `urlsift schema`.

use super::names::{Described, SCHEMAS, named_value_parser};
use clap::Args;

/// Options of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Describe this table, the records of this subcommand, or `config`; by default, all tables
    #[arg(value_parser = named_value_parser(SCHEMAS), value_name = "WHAT")]
    pub(crate) what: Option<Described>,

    /// Print the fields as a Markdown table (always done for tables)
    #[arg(long)]
    pub(crate) table: bool,
}
