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
    /// the URL. URLs with the scheme `mailto`, `news`, `mid` or `cid` are left out
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
    /// The mailing list of the message. The name comes from the List-Id field or, without this
    /// field, from the path of the file: `www-talk` for `lists/www-talk.1994-12.mbox.gz`
    List,
    /// The sender's address, in lower case
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
    /// Only on a terminal, and not if `NO_COLOR` is set to a non-empty value, or if `TERM` is unset
    /// or `dumb`
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
