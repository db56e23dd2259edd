//! `urlsift man`.

use clap::Args;

/// Options of `man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The subcommand whose page to print; without it, the overview
    pub(crate) subcommand: Option<String>,
}
