//! The command line, one file a subcommand. Help, man pages and completions are made from these.

mod completions;
mod explain;
mod find;
mod hyperlink;
mod lines;
mod lint;
mod man;
mod messages;
mod names;
mod parse;
mod paths;
#[cfg(feature = "pick")]
mod pick;
mod read;
mod report;
mod scan;
mod schema;
mod size;
mod units;
mod values;

pub(crate) use self::completions::CompletionsArgs;
pub(crate) use self::explain::ExplainArgs;
pub(crate) use self::hyperlink::{HyperlinkFormat, LinkPart};
pub(crate) use self::lines::Context;
pub(crate) use self::lint::{LintArgs, LintFormat};
pub(crate) use self::man::ManArgs;
pub(crate) use self::names::{Described, NO_SCHEME};
pub(crate) use self::parse::{ParseArgs, ParseFormat};
pub(crate) use self::paths::{PathArgs, SortBy};
#[cfg(feature = "pick")]
pub(crate) use self::pick::PickArgs;
pub(crate) use self::report::ReportArgs;
pub(crate) use self::scan::ScanArgs;
pub(crate) use self::schema::SchemaArgs;
pub(crate) use self::size::Size;
pub(crate) use self::units::{UnitsArgs, UnitsFormat};
#[cfg(feature = "pick")]
pub(crate) use self::values::ColorArg;
pub(crate) use self::values::{By, Format, Unique};

use clap::{Parser, Subcommand};

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
