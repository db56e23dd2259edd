//! `urlsift man`: manual pages, made from the definitions of the options.

use crate::args::{Cli, ManArgs};
use crate::exit::Exit;
use anyhow::anyhow;
use clap::CommandFactory;
use clap_mangen::Man;

pub(crate) fn run(args: &ManArgs) -> anyhow::Result<Exit> {
    let mut cli = Cli::command();
    cli.build();
    let command = match &args.subcommand {
        None => cli,
        Some(name) => {
            let found = cli.find_subcommand(name).cloned().ok_or_else(|| {
                let names: Vec<_> = cli.get_subcommands().map(clap::Command::get_name).collect();
                anyhow!("there is no subcommand `{name}`; there are {}", names.join(", "))
            })?;
            found.display_name(format!("urlsift-{name}"))
        }
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    super::print(&page)
}
