//! The options that control how a scan prints its results.

use super::hyperlink::Hyperlinks;
use crate::args::{By, Context, Format, Unique};
use std::sync::Arc;
use urlsift_records::table::Columns;

/// The options that determine how the results of a scan are printed.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Style {
    pub(crate) format: Format,
    /// True if the path is printed before each URL.
    pub(crate) path: bool,
    /// True if no path is printed, not even before the count of an archive's member.
    pub(crate) no_path: bool,
    /// True if the line number is printed before each URL.
    pub(crate) line: bool,
    /// True if the column is printed before each URL.
    pub(crate) column: bool,
    /// True if the byte offset is printed before each URL.
    pub(crate) offset: bool,
    /// The columns of tables.
    pub(crate) columns: Columns,
    /// True if cells are protected from being evaluated as formulas by spreadsheets.
    pub(crate) guarded: bool,
    /// True if paths end with a NUL byte.
    pub(crate) null: bool,
    /// True if everything except the URL is printed in color.
    pub(crate) color: bool,
    /// The writer of hyperlinks for paths and positions; `None` if hyperlinks are off.
    pub(crate) links: Option<Arc<Hyperlinks>>,
    /// True if the output is a terminal. Control characters are then printed as escapes.
    pub(crate) terminal: bool,
    /// True if URLs are changed so that no program turns them into links.
    pub(crate) defang: bool,
    /// True if each URL is printed as soon as it is found.
    pub(crate) line_buffered: bool,
    /// True if the other readings of each URL are printed, too.
    pub(crate) readings: bool,
    /// The line that is printed for each file instead of its URLs; `None` if URLs are printed.
    pub(crate) per_file: Option<PerFile>,
    /// The way to print each URL only once; `None` if every occurrence is printed.
    pub(crate) unique: Option<Unique>,
    /// The property by which URLs are counted; `None` if they are printed.
    pub(crate) by: Option<By>,
    /// True if counts in text output have a header line.
    pub(crate) header: bool,
    /// The maximum memory of the groups of `by`, in bytes.
    pub(crate) max_memory: u64,
    /// True if URLs are printed only from the first message with each Message-ID.
    pub(crate) dedupe: bool,
    /// The maximum number of URLs of each file; `None` for no limit.
    pub(crate) max_count: Option<u64>,
    /// The number of context lines to print around the lines that contain URLs; `None` if URLs are
    /// printed instead of lines.
    pub(crate) lines: Option<Context>,
    /// True if the contents of files are printed, with URLs replaced by spaces.
    pub(crate) blank: bool,
    /// True if nothing is printed.
    pub(crate) quiet: bool,
    /// True if errors of files and notes are not printed on standard error.
    pub(crate) hides_messages: bool,
    /// True if the scan ends at the first URL.
    pub(crate) ends_at_first: bool,
}

/// The line that is printed for each file instead of its URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PerFile {
    /// The number of URLs in the file.
    Count,
    /// The path of the file, if the file contains URLs.
    Path,
    /// The path of the file, if the file contains no URL.
    Without,
}

impl Style {
    /// True if the number of distinct URLs of each file is printed, so that a repeated URL counts
    /// only once.
    pub(crate) fn counts_distinct_per_file(&self) -> bool {
        self.per_file == Some(PerFile::Count) && self.unique.is_some()
    }

    /// True if earlier URLs determine whether a URL is printed, as with `--unique` and `--dedupe`.
    pub(crate) fn depends_on_earlier_urls(&self) -> bool {
        self.unique.is_some() || self.dedupe
    }

    /// Returns the number of URLs after which the rest of a file needn't be read.
    ///
    /// Returns `None` if there is no maximum. Also returns `None` if some URLs may be left out as
    /// repeated, because the maximum counts only printed URLs.
    pub(crate) fn max_urls_per_file(&self) -> Option<u64> {
        self.max_count.filter(|_| !self.depends_on_earlier_urls())
    }

    /// True if the units of a file must be read one after the other, and not in parallel.
    pub(crate) fn reads_units_in_order(&self) -> bool {
        self.max_urls_per_file().is_some() || self.lines.is_some() || self.blank
    }

    /// True if hyperlinks in the output contain line numbers, so that lines must be counted.
    pub(crate) fn has_line_numbers_in_links(&self) -> bool {
        self.links.as_ref().is_some_and(|links| links.contains_line_number())
    }
}
