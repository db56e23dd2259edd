//! The trait of an output format of `scan`.

use crate::args::By;
use crate::print::rendered::{Complaint, Rendered};
use crate::print::sizes::{BATCH, PRINT_AT, RECORDS_WAIT_AT, Sizes, WAIT_AT};
use crate::print::style::Style;
use crate::print::text::write_tsv_line;
use std::io::Write as _;
use std::sync::Arc;
use urlsift_records::{Detail, FileName, Message, Scanned, Tally, UrlRecord};

/// An output format of `scan`. The optional methods append nothing by default.
pub(crate) trait OutputFormat: Sync {
    /// Appends the record of one URL to `out`.
    fn append_record(&self, style: &Style, record: &UrlRecord<'_>, out: &mut Rendered);

    /// Returns how much the scan must compute about each URL for this format.
    fn required_detail(&self, style: &Style) -> Detail {
        let _ = style;
        Detail::Full
    }

    /// Returns the sizes of tasks and output buffers. `workers` is the number of threads.
    fn task_sizes(&self, style: &Style, workers: usize) -> Sizes {
        let is_full = style.required_detail() == Detail::Full;
        Sizes {
            batch: BATCH,
            ahead: workers << 20,
            wait_at: if is_full { RECORDS_WAIT_AT } else { WAIT_AT },
            print_at: PRINT_AT,
            packs: false,
        }
    }

    /// Appends the header, which precedes all records. `is_counted` is true if each record includes
    /// the number of occurrences of its URL.
    fn append_header(&self, style: &Style, is_counted: bool, out: &mut Vec<u8>) {
        let _ = (style, is_counted, out);
    }

    /// Adds a note that the output of `file` starts here.
    fn note_file_start(&self, file: &Arc<FileName>, out: &mut Rendered) {
        let _ = (file, out);
    }

    /// Adds a note with the result of scanning a unit of `file`.
    fn note_unit_result(&self, file: &Arc<FileName>, scanned: &Scanned, out: &mut Rendered) {
        let _ = (file, scanned, out);
    }

    /// Appends the record of a message. `urls` is the number of URLs in the message, whose records
    /// come before.
    fn append_message(
        &self,
        style: &Style,
        file: &Arc<FileName>,
        (message, urls): (&Message, u64),
        out: &mut Rendered,
    ) {
        let _ = (style, file, message, urls, out);
    }

    /// Appends the record of an error about `file`. The error is printed to standard error in any
    /// case.
    fn append_error(&self, style: &Style, file: &FileName, error: &Complaint, out: &mut Rendered) {
        let _ = (style, file, error, out);
    }

    /// Appends `record`, a formatted record of a URL, together with `count`, the number of
    /// occurrences of the URL.
    fn append_counted_record(&self, style: &Style, record: Vec<u8>, count: u64, out: &mut Vec<u8>) {
        let _ = style;
        // Writing to memory doesn't fail.
        let _ = write!(out, "{count}\t");
        out.extend_from_slice(&record);
    }

    /// Appends the header that precedes the groups of `--by`.
    fn append_group_header(&self, style: &Style, by: By, out: &mut Vec<u8>) {
        let _ = (style, by, out);
    }

    /// Appends one group of `--by`: a property that URLs have in common, and the number of these
    /// URLs.
    fn append_group(&self, style: &Style, by: By, group: &GroupRow<'_>, out: &mut Vec<u8>) {
        let _ = (style, by);
        let cells = [group.first, group.last, group.key].map(|cell| cell.unwrap_or(b"-"));
        let (urls, messages) = (group.urls.to_string(), group.messages.to_string());
        write_tsv_line(out, [urls.as_bytes(), messages.as_bytes()].into_iter().chain(cells));
    }

    /// Appends the summary, which follows all records.
    fn append_summary(&self, tally: &Tally, out: &mut Vec<u8>) {
        let _ = (tally, out);
    }
}

/// A group of URLs with the same value of a property, as counted by `--by`.
pub(crate) struct GroupRow<'g> {
    /// The value of the property, or `None` for URLs without it.
    pub(crate) key: Option<&'g [u8]>,
    pub(crate) urls: u64,
    pub(crate) messages: u64,
    /// The dates of the first and the last message.
    pub(crate) first: Option<&'g [u8]>,
    pub(crate) last: Option<&'g [u8]>,
}
