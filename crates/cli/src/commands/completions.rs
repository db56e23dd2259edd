//! The subcommand `completions`: prints a completion script for a shell, generated from the
//! definitions of the options.

use crate::args::{Cli, CompletionsArgs};
use crate::exit::Exit;

pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command_with_help(), "urlsift", &mut script);
    super::print_output(&script)
}
