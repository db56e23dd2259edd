//! The arguments of `urlsift completions`.

use clap::Args;
use clap_complete::Shell;

/// Options of `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Print the completion script for this shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}
