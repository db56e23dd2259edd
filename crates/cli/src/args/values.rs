//! What options can be set to, where that is not what the library knows.

use clap::ValueEnum;
use std::io::IsTerminal as _;

/// How `scan` prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One URL a line
    #[default]
    Text,
    /// One JSON object a line: URLs, errors, and a summary at the end
    Jsonl,
    /// Comma-separated values with a header line
    Csv,
    /// Tab-separated values with a header line; a tab, line break or backslash in a cell is written
    /// `\t`, `\n`, `\r` or `\\`
    Tsv,
    /// Tables of URLs, messages and files, and run.json, in the directory that -o names, for databases,
    /// pandas and Spark. `urlsift schema` describes them
    Parquet,
    /// An index as web archives have it: the URL's key in them (SURT), the message's date in 14 digits or `-`, and
    /// the URL; in the order of the input
    Cdx,
    /// The page of `urlsift report`
    #[value(skip)]
    Report,
}

/// What URLs are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Their hosts, in lower case
    Host,
    /// The domains that somebody registered
    Domain,
    /// Their schemes
    Scheme,
    /// The years of their messages
    Year,
    /// The months of their messages
    Month,
    /// The newsgroups of their messages; one posted to several counts in each
    Newsgroup,
    /// The mailing lists of their messages
    List,
    /// Their normalised forms
    Url,
}

impl By {
    /// Its name in print.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Domain => "domain",
            Self::Scheme => "scheme",
            Self::Year => "year",
            Self::Month => "month",
            Self::Newsgroup => "newsgroup",
            Self::List => "list",
            Self::Url => "url",
        }
    }
}

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArg {
    /// On a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorArg {
    /// Whether to colour standard output.
    pub(crate) fn is_wanted(self) -> bool {
        self.is_wanted_on(std::io::stdout().is_terminal())
    }

    /// Whether to colour what goes to a terminal, or elsewhere.
    pub(crate) fn is_wanted_on(self, terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                terminal
                    && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                    && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
            }
        }
    }
}

/// Whether to report each URL once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unique {
    /// The first occurrence of each
    #[default]
    First,
    /// The same, with the number of occurrences, at the end of the run
    Count,
}

/// What becomes of messages without a date where dates are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Undated {
    /// They are left out; the summary counts them
    #[default]
    Drop,
    /// They are scanned
    Keep,
}
