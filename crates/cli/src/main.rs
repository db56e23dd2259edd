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
use urlsift_core::{hidden, passwords_in_text};

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Scan(args) => commands::scan::run(&args),
        Command::Lint(args) => commands::lint::run(&args),
        Command::Parse(args) => commands::parse::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Units(args) => commands::units::run(&args),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::man::run(&args),
    };
    let exit = result.unwrap_or_else(|error| {
        // `urlsift scan ... | head` has done what was asked.
        if commands::is_closed_pipe(&error) {
            return Exit::Success;
        }
        let line = format!("urlsift: {error:#}\n").into_bytes();
        let _ = std::io::stderr().write_all(&hidden(&line, &passwords_in_text(&line)));
        Exit::Trouble
    });
    exit.into()
}
