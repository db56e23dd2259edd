//! Values of the libraries by their names on the command line: one row each.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urlsift_core::Level;
use urlsift_records::fields::{self, Kind};
use urlsift_records::table::{self, Table};

/// A name, what it stands for, and what the help says of it.
type Row<T> = (&'static str, T, &'static str);

/// Levels of diagnostics.
pub(super) const LEVELS: &[Row<Level>] = &[
    (Level::Info.name(), Level::Info, "Worth knowing"),
    (Level::Warning.name(), Level::Warning, "Valid, but doubtful"),
    (Level::Error.name(), Level::Error, "Invalid"),
];

/// The tables, and the subcommands that print records with the kinds of records each prints.
pub(super) const SCHEMAS: &[Row<Described>] = &[
    table(0, "The table of URLs, as CSV, TSV and Parquet hold it"),
    table(1, "The table of messages, of Parquet"),
    table(2, "The table of files, of Parquet"),
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
    ("parse", Described::Records("urlsift parse --format jsonl", fields::PARSE), "Verdicts"),
    ("config", Described::Settings, "The file urlsift.toml"),
];

/// The table of that number.
const fn table(number: usize, help: &'static str) -> Row<Described> {
    let table = &table::ALL[number];
    (table.name, Described::Tables(std::slice::from_ref(table)), help)
}

/// What a schema describes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Described {
    /// Tables.
    Tables(&'static [Table]),
    /// The records of a subcommand: their title and kinds.
    Records(&'static str, &'static [Kind]),
    /// `urlsift.toml`.
    Settings,
}

/// For clap: one of the values of a table by its name.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    rows: &'static [Row<T>],
) -> impl TypedValueParser<Value = T> {
    let names = rows.iter().map(|&(name, _, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).try_map(move |given| {
        let row = rows.iter().find(|(name, ..)| *name == given);
        row.map(|&(_, value, _)| value).ok_or("there is no such value")
    })
}
