//! The values of options that exist in the command but not in the library.

use clap::ValueEnum;
use std::io::IsTerminal as _;

/// The output formats of `urlsift scan`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One URL per line
    #[default]
    Text,
    /// One JSON object per line: URLs, errors, and a summary at the end
    Jsonl,
    /// Comma-separated values with a header line
    Csv,
    /// Tab-separated values with a header line; tabs, line breaks and backslashes in cells are
    /// written `\t`, `\n`, `\r` and `\\`
    Tsv,
    /// A directory, named by -o, with tables of URLs, messages and files, and run.json; `urlsift
    /// schema` describes the tables
    Parquet,
    /// An index for web archives: the SURT key, the date of the message in 14 digits or `-`, and
    /// the URL; without `mailto:` and `news:` URLs
    Cdx,
    /// The page of `urlsift report`
    #[value(skip)]
    Report,
}

/// The property by which `--by` counts URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// The host, in lower case and with A-labels (`xn--...`)
    Host,
    /// The registrable domain, e.g. `example.co.uk`
    Domain,
    /// The scheme
    Scheme,
    /// The year of the message
    Year,
    /// The month of the message
    Month,
    /// The newsgroup of the message; an article in several newsgroups counts for each of them
    Newsgroup,
    /// The mailing list of the message, from List-Id, or else from the path, e.g. `www-talk` for
    /// `lists/www-talk.1994-12.mbox.gz`
    List,
    /// The address of the sender of the message, in lower case
    Sender,
    /// The normalized form, with A-labels in the host
    Url,
}

impl By {
    /// Returns the name of the property, e.g. `host`, as the output contains it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Domain => "domain",
            Self::Scheme => "scheme",
            Self::Year => "year",
            Self::Month => "month",
            Self::Newsgroup => "newsgroup",
            Self::List => "list",
            Self::Sender => "sender",
            Self::Url => "url",
        }
    }
}

/// The value of `--color`: when to print colored output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArg {
    /// On a terminal, unless `NO_COLOR` is set and not empty, or `TERM` is `dumb` or unset
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorArg {
    /// True if text printed on standard output should be colored.
    pub(crate) fn is_enabled(self) -> bool {
        self.is_enabled_on(std::io::stdout().is_terminal())
    }

    /// True if output to some destination should be colored. `is_terminal` is true if the
    /// destination is a terminal.
    pub(crate) fn is_enabled_on(self, is_terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                is_terminal
                    && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                    && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
            }
        }
    }
}

/// The value of `--unique`: how to print each URL only once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unique {
    /// Print the first occurrence of each URL
    #[default]
    First,
    /// Print each URL with the number of occurrences, at the end
    Count,
}
