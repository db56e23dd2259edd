//! The options that control how a scan prints its results.

use super::hyperlink::Hyperlinks;
use crate::args::{By, Context, Format, Unique};
use std::sync::Arc;
use urlsift_records::table::Columns;

/// The output options.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
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
    /// Protect cells from being evaluated as formulas by spreadsheets.
    pub(crate) guarded: bool,
    /// End paths with NUL.
    pub(crate) null: bool,
    /// Use colors for everything except the URL.
    pub(crate) color: bool,
    /// Print paths and positions as hyperlinks, if set.
    pub(crate) links: Option<Arc<Hyperlinks>>,
    /// The output is a terminal. Control characters are printed as escapes.
    pub(crate) terminal: bool,
    /// Change URLs so that no program turns them into links.
    pub(crate) defang: bool,
    /// Print each URL as soon as it is found.
    pub(crate) line_buffered: bool,
    /// Print the other readings of each URL too.
    pub(crate) readings: bool,
    /// Print one line per file instead of the URLs, if set.
    pub(crate) per_file: Option<PerFile>,
    /// Print each URL once.
    pub(crate) unique: Option<Unique>,
    /// Print the number of URLs in each group.
    pub(crate) by: Option<By>,
    /// The maximum memory of the groups of `by`, in bytes.
    pub(crate) max_memory: u64,
    /// Print only the URLs in the first message of each Message-ID.
    pub(crate) dedupe: bool,
    /// The maximum number of URLs of each file.
    pub(crate) max_count: Option<u64>,
    /// Print the lines that contain URLs, with context lines.
    pub(crate) lines: Option<Context>,
    /// Print nothing.
    pub(crate) quiet: bool,
    /// End the run at the first URL.
    pub(crate) ends_at_first: bool,
}

/// What is printed for a file instead of its URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PerFile {
    /// The number of its URLs.
    Count,
    /// Its path, if it contains URLs.
    Path,
    /// Its path, if it contains no URL.
    Without,
}

impl Style {
    /// True if each distinct URL of a file counts once.
    pub(crate) fn counts_distinct(&self) -> bool {
        self.per_file == Some(PerFile::Count) && self.unique.is_some()
    }

    /// True if it depends on earlier URLs whether a URL is printed.
    pub(crate) fn notes_records(&self) -> bool {
        self.unique.is_some() || self.dedupe
    }

    /// Returns the number of records after which the rest of a file needn't be read. Returns `None`
    /// if there is no maximum, or if it counts only the records that are printed and some may not
    /// be.
    pub(crate) fn max_urls_per_file(&self) -> Option<u64> {
        self.max_count.filter(|_| !self.notes_records())
    }

    /// True if the units of a file must be read in order.
    pub(crate) fn reads_in_order(&self) -> bool {
        self.max_urls_per_file().is_some() || self.lines.is_some()
    }

    /// True if hyperlinks contain line numbers.
    pub(crate) fn links_to_lines(&self) -> bool {
        self.links.as_ref().is_some_and(|links| links.has_line())
    }
}
