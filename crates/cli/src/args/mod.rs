//! The command line, one file a subcommand. Help, man pages and completions are made from these.

mod completions;
mod explain;
mod hyperlink;
mod lines;
mod lint;
mod man;
mod names;
mod option;
mod parse;
mod paths;
#[cfg(feature = "pick")]
mod pick;
mod report;
mod scan;
mod schema;
mod units;
mod values;

pub(crate) use self::completions::CompletionsArgs;
pub(crate) use self::explain::ExplainArgs;
pub(crate) use self::hyperlink::{HyperlinkFormat, LinkPart};
pub(crate) use self::lines::Context;
pub(crate) use self::lint::{LintArgs, LintFormat};
pub(crate) use self::man::ManArgs;
pub(crate) use self::names::Described;
pub(crate) use self::parse::{ParseArgs, ParseFormat};
pub(crate) use self::paths::{PathArgs, SortBy};
#[cfg(feature = "pick")]
pub(crate) use self::pick::PickArgs;
pub(crate) use self::report::ReportArgs;
pub(crate) use self::scan::ScanArgs;
pub(crate) use self::schema::SchemaArgs;
pub(crate) use self::units::{UnitsArgs, UnitsFormat};
#[cfg(feature = "pick")]
pub(crate) use self::values::ColorArg;
pub(crate) use self::values::{By, Format, Unique};

use clap::{Arg, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

/// Finds, rejoins, validates and lints the URLs in mail archives, USENET spools and documents.
///
/// Exit codes: 0 something was found (parse: all valid; lint: nothing to report), 1 nothing was
/// found (parse: something invalid; lint: something to report), 2 an error, also when other files
/// went well, 130 or 143 when ended by SIGINT or SIGTERM. A closed pipe ends quietly with 0.
#[derive(Debug, Parser)]
#[command(name = "urlsift", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Parses the arguments of this process.
    ///
    /// # Errors
    ///
    /// A message for the user, or the help or version that was requested.
    pub(crate) fn from_arguments() -> Result<Self, clap::Error> {
        let mut command = Self::command().mut_subcommands(|command| command.mut_args(list_values));
        let matches = command.try_get_matches_from_mut(std::env::args_os())?;
        Self::from_arg_matches_mut(&mut matches.clone()).map_err(|error| error.format(&mut command))
    }
}

/// Lists the values of an option in its long help only. The short help has one line for each option.
fn list_values(arg: Arg) -> Arg {
    let values = arg.get_possible_values();
    let is_listed = arg.get_action().takes_values() && !values.is_empty();
    let Some(help) = arg.get_long_help().or(arg.get_help()).filter(|_| is_listed) else {
        return arg;
    };
    let mut help = format!("{help}\n\nPossible values:");
    for value in values {
        let text = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
        help.push_str(&format!("\n- {}{text}", value.get_name()));
    }
    arg.hide_possible_values(true).long_help(help)
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the URLs in files, mail archives and spools
    Scan(Box<ScanArgs>),
    /// Show the URLs of an archive at a glance: one page of HTML
    Report(Box<ReportArgs>),
    /// Report what is wrong with URLs, and mend it
    Lint(Box<LintArgs>),
    /// Take URLs apart and judge them
    Parse(ParseArgs),
    /// Choose a URL of a message, to open, copy or print it
    #[cfg(feature = "pick")]
    Pick(PickArgs),
    /// Say what a code means
    Explain(ExplainArgs),
    /// Cut files into units that can be scanned apart, on other machines too
    Units(UnitsArgs),
    /// Speak with an editor about what is wrong with URLs: the Language Server Protocol on standard input and output
    #[cfg(feature = "server")]
    Server,
    /// Describe the records of a subcommand, or urlsift.toml, as JSON Schema
    Schema(SchemaArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_hold_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_option_has_help() {
        let mut cli = Cli::command();
        cli.build();
        for command in cli.get_subcommands() {
            for arg in command.get_arguments() {
                assert!(
                    arg.get_help().is_some(),
                    "{} {} has no help",
                    command.get_name(),
                    arg.get_id()
                );
            }
        }
    }
}
