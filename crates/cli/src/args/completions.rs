//! `urlsift completions`.

use clap::Args;
use clap_complete::Shell;

/// Options of `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell to print the script for
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}
