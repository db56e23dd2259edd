//! Argument values with fixed names: tables that map each name to its value and help text.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urlsift_core::Level;
use urlsift_lint::Slug;
use urlsift_records::fields::{self, Kind};
use urlsift_records::table::{self, Table};

/// A name of a value on the command line, the value, and its help text.
type Row<T> = (&'static str, T, &'static str);

/// The levels of diagnostics, for `lint --level` and `lint --fail-on`.
pub(super) const LEVELS: &[Row<Level>] = &[
    (Level::Info.name(), Level::Info, "Worth knowing"),
    (Level::Warning.name(), Level::Warning, "Valid, but doubtful"),
    (Level::Error.name(), Level::Error, "Invalid"),
];

/// The styles of heading IDs, for `lint --local`.
pub(super) const SLUGS: &[Row<Slug>] = &[
    (Slug::GitHub.name(), Slug::GitHub, "GitHub, and programs that use github-slugger"),
    (Slug::Mdbook.name(), Slug::Mdbook, "mdBook"),
    (Slug::Sphinx.name(), Slug::Sphinx, "Sphinx and docutils"),
    (Slug::Hugo.name(), Slug::Hugo, "Hugo"),
    (Slug::GitLab.name(), Slug::GitLab, "GitLab, according to its documentation"),
];

/// The values of `urlsift schema`: tables, and subcommands with the records that they print.
pub(super) const SCHEMAS: &[Row<Described>] = &[
    table_row(0, "The table of URLs in CSV, TSV and Parquet"),
    table_row(1, "The table of messages in Parquet"),
    table_row(2, "The table of files in Parquet"),
    (
        "scan",
        Described::Records("urlsift scan --format jsonl", fields::SCAN),
        "URLs, errors and the summary",
    ),
    (
        "lint",
        Described::Records("urlsift lint --format jsonl", fields::LINT),
        "Diagnostics, errors and the summary",
    ),
    (
        "parse",
        Described::Records("urlsift parse --format jsonl", fields::PARSE),
        "Parsed URLs with their verdicts",
    ),
    ("config", Described::Settings, "The file urlsift.toml"),
];

/// Returns the row of `SCHEMAS` for one table: the one at index `number` of `table::ALL`.
const fn table_row(number: usize, help: &'static str) -> Row<Described> {
    let table = &table::ALL[number];
    (table.name, Described::Tables(std::slice::from_ref(table)), help)
}

/// A subject that `urlsift schema` can describe.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Described {
    /// Some tables.
    Tables(&'static [Table]),
    /// The records of a subcommand: the title of the schema and the kinds of records.
    Records(&'static str, &'static [Kind]),
    /// The settings in `urlsift.toml`.
    Settings,
}

/// Returns a clap parser for an option whose values have fixed names. It accepts the names in
/// `rows` and returns the value of the given name.
pub(super) fn named_value_parser<T: Copy + Send + Sync + 'static>(
    rows: &'static [Row<T>],
) -> impl TypedValueParser<Value = T> {
    let names = rows.iter().map(|&(name, _, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).try_map(move |given| {
        let row = rows.iter().find(|(name, ..)| *name == given);
        row.map(|&(_, value, _)| value).ok_or("unknown value")
    })
}
