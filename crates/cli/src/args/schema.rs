//! `urlsift schema`.

use super::names::{RECORDS, one_of};
use clap::Args;
use urlsift_records::fields::Kind;

/// Options of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The subcommand whose records to describe
    #[arg(value_parser = one_of(RECORDS))]
    pub(crate) subcommand: (&'static str, &'static [Kind]),

    /// Print a table of the fields in Markdown
    #[arg(long)]
    pub(crate) table: bool,
}
