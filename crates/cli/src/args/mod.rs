//! The command-line arguments, with a module for each subcommand. The help texts, man pages and
//! shell completions are generated from these types.

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
pub(crate) use self::lint::{FailOn, LintArgs, LintFormat};
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
use std::fmt::Write as _;

/// Finds, rejoins, validates and lints the URLs in mail archives, USENET spools and documents.
///
/// Exit status: 0 if a URL was found (parse: all URLs are valid; lint: nothing to report), 1 if
/// none was found (parse: a URL is invalid; lint: something to report), 2 on an error (even if
/// other files were read), 130 after SIGINT, 143 after SIGTERM. If the reader of the output closes
/// the pipe, the status is 0.
#[derive(Debug, Parser)]
#[command(
    name = "urlsift",
    version,
    propagate_version = true,
    max_term_width = 100,
    args_override_self = true
)]
pub(crate) struct Cli {
    /// The subcommand to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Parses the command-line arguments of this process.
    ///
    /// # Errors
    ///
    /// Returns an error if the arguments are invalid. Also returns an "error" with the text to
    /// print if the help or version was requested.
    pub(crate) fn from_arguments() -> Result<Self, clap::Error> {
        // Only help and error texts need the final help. Building it takes a third of the
        // instructions at startup, so it is built only if parsing fails.
        Self::from_arguments_of(Self::command()).or_else(|_| {
            let with_values = |command: clap::Command| command.mut_args(move_values_to_long_help);
            Self::from_arguments_of(Self::command_with_help().mut_subcommands(with_values))
        })
    }

    /// Returns the definitions of the command line, with the names of options in the help as the
    /// command spells them.
    pub(crate) fn command_with_help() -> clap::Command {
        let spell_names = |command: clap::Command| command.mut_args(option::spell_names_in_help);
        Self::command().mut_subcommands(spell_names)
    }

    /// Parses the command-line arguments of this process with the definitions in `command`.
    fn from_arguments_of(mut command: clap::Command) -> Result<Self, clap::Error> {
        let mut matches = command.try_get_matches_from_mut(std::env::args_os())?;
        Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
    }
}

/// Moves the list of possible values of an option from its short help to its long help, since the
/// short help has only one line for each option.
fn move_values_to_long_help(arg: Arg) -> Arg {
    let values = arg.get_possible_values();
    let is_listed = arg.get_action().takes_values() && !values.is_empty();
    let Some(help) = arg.get_long_help().or(arg.get_help()).filter(|_| is_listed) else {
        return arg;
    };
    let mut help = format!("{help}\n\nPossible values:");
    for value in values {
        let text = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
        let _ = write!(help, "\n- {}{text}", value.get_name());
    }
    arg.hide_possible_values(true).long_help(help)
}

/// The subcommands.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "only one value exists, created at startup")]
pub(crate) enum Command {
    /// Find the URLs in files, mail archives and spools
    Scan(Box<ScanArgs>),
    /// Make an HTML page of charts and tables from an archive
    Report(Box<ReportArgs>),
    /// Report malformed URLs in documents, and fix them
    ///
    /// Without PATH, the command fails if standard input is an empty pipe or file, so that a CI job
    /// can't succeed without checking anything. Give `.` to lint the current directory.
    Lint(Box<LintArgs>),
    /// Show the parts of URLs, and validate them
    Parse(ParseArgs),
    /// Choose a URL in a message, and open, copy or print it
    #[cfg(feature = "pick")]
    Pick(PickArgs),
    /// Explain a rule or another code
    Explain(ExplainArgs),
    /// Split files into units that can be scanned independently, e.g. on a cluster
    Units(UnitsArgs),
    /// Run a language server on standard input and output, for editors
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
