//! The arguments of `urlsift man`.

use clap::Args;

/// Options of `man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Print the page of this subcommand; by default, the page of urlsift itself
    pub(crate) subcommand: Option<String>,
}
