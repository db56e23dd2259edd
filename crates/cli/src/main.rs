//! The command. Everything here is glue: arguments in, records out; what a URL is, where URLs stand
//! in text, what a file holds and what is wrong with a URL is decided in the libraries.

mod args;
mod commands;
mod exit;
mod io;
mod print;
mod run;
mod signals;
mod unit;

use crate::args::{Cli, Command};
use crate::exit::Exit;
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Scan(args) => commands::scan::run(&args.0),
        Command::Lint(args) => commands::lint::run(&args.0),
        Command::Parse(args) => commands::parse::run(&args.0),
        Command::Explain(args) => commands::explain::run(&args.0),
        Command::Units(args) => commands::units::run(&args.0),
        Command::Schema(args) => commands::schema::run(&args.0),
        Command::Completions(args) => commands::completions::run(&args.0),
        Command::Man(args) => commands::man::run(&args.0),
    };
    let exit = result.unwrap_or_else(|error| {
        // `urlsift scan ... | head` has done what was asked.
        if commands::is_closed_pipe(&error) {
            return Exit::Success;
        }
        let _ = writeln!(std::io::stderr(), "urlsift: {error:#}");
        Exit::Trouble
    });
    exit.into()
}
