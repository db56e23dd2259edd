//! `urlsift completions`: a completion script, made from the definitions of the options.

use crate::args::{Cli, CompletionsArgs};
use crate::exit::Exit;
use clap::CommandFactory;
use std::io::Write;

pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "urlsift", &mut script);
    let mut out = super::stdout()?;
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Success)
}
