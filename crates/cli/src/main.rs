//! The command `urlsift`. It parses arguments, reads files and prints results. The libraries decide
//! everything else: what a URL is, where the URLs in a text are, how files are decoded, and which
//! faults a URL has.

mod args;
mod commands;
mod exit;
mod io;
#[cfg(feature = "pick")]
mod pick;
mod platform;
mod print;
mod run;
mod signals;
mod unit;

use crate::args::{Cli, Command};
use crate::exit::Exit;
use crate::print::complain::print_error_line;
use std::borrow::Cow;
use std::io::Write;
use std::process::ExitCode;
use urlsift_core::{Secrets, mask_spans};
use urlsift_records::FileName;
use urlsift_records::write::visible::escape_invisible_bytes;

fn main() -> ExitCode {
    let cli = match Cli::from_arguments() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return print_usage_error(&error),
        // Printing the help or version can fail like any other output.
        Err(text) => {
            return report_error_and_exit_code(
                text.print()
                    .and_then(|()| std::io::stdout().flush())
                    .map_or_else(|error| Err(error.into()), |()| Ok(Exit::Success)),
            );
        }
    };
    report_error_and_exit_code(match cli.command {
        Command::Scan(args) if args.state.is_some() => commands::resume::run(&args),
        Command::Scan(args) => commands::scan::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Lint(args) => commands::lint::run(&args),
        Command::Parse(args) => commands::parse::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Units(args) => commands::units::run(&args),
        #[cfg(feature = "server")]
        Command::Server => commands::server::run(),
        #[cfg(feature = "pick")]
        Command::Pick(args) => commands::pick::run(&args),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::man::run(&args),
    })
}

/// Prints an error in the command-line arguments, and returns the exit code. Secrets in the message
/// are masked and control characters escaped, because arguments can be URLs or come from untrusted
/// files.
fn print_usage_error(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    let text = mask_spans(text.as_bytes(), &Secrets::All.in_text(text.as_bytes()));
    match (escape_invisible_bytes(&text, &['\n', '\t']), &text) {
        (Cow::Borrowed(_), Cow::Borrowed(_)) => error.exit(),
        (text, _) => {
            let _ = std::io::stderr().write_all(&text);
            Exit::Trouble.into()
        }
    }
}

/// Returns the exit code of a finished run. If the run failed, also prints the error.
fn report_error_and_exit_code(result: anyhow::Result<Exit>) -> ExitCode {
    let exit = result.unwrap_or_else(|error| {
        // `urlsift scan ... | head` closes the pipe early, which is not an error.
        if commands::is_closed_pipe(&error) {
            return Exit::Success;
        }
        let nothing = FileName::default();
        print_error_line(&mut std::io::stderr(), &nothing, &format!("{error:#}"));
        Exit::Trouble
    });
    exit.more_severe(Exit::from_signal(signals::stop_reason())).into()
}
