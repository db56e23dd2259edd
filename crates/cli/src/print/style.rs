//! How found URLs are printed: one choice of options, fixed for a run.

use super::hyperlink::Hyperlinks;
use crate::args::{By, Context, Format, Unique};
use std::sync::Arc;
use urlsift_records::Detail;
use urlsift_records::table::Columns;
use urlsift_records::write::rows::Table;

/// What to print.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one a flag of the command line")]
pub(crate) struct Style {
    pub(crate) format: Format,
    /// Print the path before each URL.
    pub(crate) path: bool,
    /// Print the line before each URL.
    pub(crate) line: bool,
    /// Print the column before each URL.
    pub(crate) column: bool,
    /// Print the byte offset before each URL.
    pub(crate) offset: bool,
    /// The columns of tables.
    pub(crate) columns: Columns,
    /// Guard cells against spreadsheets.
    pub(crate) guarded: bool,
    /// Print NUL after paths.
    pub(crate) null: bool,
    /// Colour what is not the URL.
    pub(crate) color: bool,
    /// Make links of places in files.
    pub(crate) links: Option<Arc<Hyperlinks>>,
    /// People look at it: show control characters as escapes.
    pub(crate) terminal: bool,
    /// Make no link of any URL.
    pub(crate) defang: bool,
    /// Print each URL as soon as it is found.
    pub(crate) line_buffered: bool,
    /// Print the other readings too.
    pub(crate) readings: bool,
    /// Print only what `-c` or `-l` print.
    pub(crate) per_file: Option<PerFile>,
    /// Print each URL once.
    pub(crate) unique: Option<Unique>,
    /// Print how many URLs have that in common.
    pub(crate) by: Option<By>,
    /// How many bytes the groups of `by` may take.
    pub(crate) max_memory: u64,
    /// Print what stands in the first message of each Message-ID.
    pub(crate) dedupe: bool,
    /// Print no more URLs of each file.
    pub(crate) max_count: Option<u64>,
    /// Print the lines that hold URLs, and so many around them.
    pub(crate) lines: Option<Context>,
    /// Print nothing.
    pub(crate) quiet: bool,
    /// End at the first URL.
    pub(crate) ends_at_first: bool,
}

/// What is printed of a file in place of its URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PerFile {
    /// The number of its URLs.
    Count,
    /// Its path, if it holds any.
    Path,
    /// Its path, if it holds none.
    Without,
}

impl Style {
    /// The table that is printed, if it is one.
    pub(crate) fn table(&self) -> Option<Table> {
        match self.format {
            Format::Csv => Some(Table::Csv { guarded: self.guarded }),
            Format::Tsv => Some(Table::Tsv { guarded: self.guarded }),
            Format::Text | Format::Jsonl | Format::Parquet | Format::Cdx | Format::Report => None,
        }
    }

    /// Whether all is counted for a report, too.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(self.format, Format::Parquet | Format::Report)
    }

    /// Whether each URL of a file counts once.
    pub(crate) fn counts_distinct(&self) -> bool {
        self.per_file == Some(PerFile::Count) && self.unique.is_some()
    }

    /// Whether it depends on the URLs before it if a URL is printed.
    pub(crate) fn notes_records(&self) -> bool {
        self.unique.is_some() || self.dedupe
    }

    /// How many records end the reading of a file. Where some are not printed, nobody knows before their turn.
    pub(crate) fn most_of_file(&self) -> Option<u64> {
        self.max_count.filter(|_| !self.notes_records())
    }

    /// Whether a file's units are read in their order.
    pub(crate) fn reads_in_order(&self) -> bool {
        self.most_of_file().is_some() || self.lines.is_some()
    }

    /// Whether links tell lines.
    pub(crate) fn links_to_lines(&self) -> bool {
        self.links.as_ref().is_some_and(|links| links.has_line())
    }

    /// What must be known of each URL.
    pub(crate) fn detail(&self) -> Detail {
        if self.quiet || self.per_file.is_some() {
            let wants_records = self.counts_distinct() || self.most_of_file().is_some();
            return if wants_records { Detail::Url } else { Detail::Count };
        }
        let prefixed = self.path || self.offset || self.terminal || self.readings || self.defang;
        let noted = self.notes_records() || self.max_count.is_some();
        match self.format {
            Format::Jsonl
            | Format::Csv
            | Format::Tsv
            | Format::Parquet
            | Format::Cdx
            | Format::Report => Detail::Full,
            Format::Text if self.by.is_some() => Detail::Full,
            Format::Text if self.dedupe || self.lines.is_some() => Detail::Full,
            Format::Text if self.line || self.column || self.links_to_lines() => Detail::Line,
            Format::Text if prefixed || noted => Detail::Url,
            Format::Text => Detail::Plain,
        }
    }
}
