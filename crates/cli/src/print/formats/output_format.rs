//! The trait of an output format of `scan`.

use crate::args::By;
use crate::print::rendered::{Complaint, Rendered};
use crate::print::sizes::{BATCH, PRINT_AT, RECORDS_WAIT_AT, Sizes, WAIT_AT};
use crate::print::style::Style;
use crate::print::text::write_cells;
use std::io::Write as _;
use std::sync::Arc;
use urlsift_records::{Detail, FileName, Message, Scanned, Tally, UrlRecord};

/// An output format of `scan`.
pub(crate) trait OutputFormat: Sync {
    /// Appends a record.
    fn record(&self, style: &Style, record: &UrlRecord<'_>, out: &mut Rendered);

    /// Returns the detail that is needed for each URL.
    fn detail(&self, style: &Style) -> Detail {
        let _ = style;
        Detail::Full
    }

    /// Returns the sizes of tasks and outputs.
    fn sizes(&self, style: &Style, workers: usize) -> Sizes {
        let is_full = style.detail() == Detail::Full;
        Sizes {
            batch: BATCH,
            ahead: workers << 20,
            wait_at: if is_full { RECORDS_WAIT_AT } else { WAIT_AT },
            print_at: PRINT_AT,
            packs: false,
        }
    }

    /// Appends the header, before all records. `is_counted` is true if a record contains the number
    /// of times that its URL was seen.
    fn header(&self, style: &Style, is_counted: bool, out: &mut Vec<u8>) {
        let _ = (style, is_counted, out);
    }

    /// Notes the start of a file.
    fn file(&self, file: &Arc<FileName>, out: &mut Rendered) {
        let _ = (file, out);
    }

    /// Notes the result of a unit.
    fn unit(&self, file: &Arc<FileName>, scanned: &Scanned, out: &mut Rendered) {
        let _ = (file, scanned, out);
    }

    /// Appends a message, after its URLs.
    fn message(
        &self,
        style: &Style,
        file: &Arc<FileName>,
        (message, urls): (&Message, u64),
        out: &mut Rendered,
    ) {
        let _ = (style, file, message, urls, out);
    }

    /// Appends an error. It is also printed to standard error.
    fn error(&self, style: &Style, file: &FileName, error: &Complaint, out: &mut Rendered) {
        let _ = (style, file, error, out);
    }

    /// Appends a record with the number of times that its URL was seen.
    fn counted_record(&self, style: &Style, record: Vec<u8>, count: u64, out: &mut Vec<u8>) {
        let _ = style;
        // Writing to memory doesn't fail.
        let _ = write!(out, "{count}\t");
        out.extend_from_slice(&record);
    }

    /// Appends the header of groups.
    fn group_header(&self, style: &Style, by: By, out: &mut Vec<u8>) {
        let _ = (style, by, out);
    }

    /// Appends a group of `--by`.
    fn group(&self, style: &Style, by: By, group: &GroupRow<'_>, out: &mut Vec<u8>) {
        let _ = (style, by);
        let cells = [group.first, group.last, group.key].map(|cell| cell.unwrap_or(b"-"));
        let (urls, messages) = (group.urls.to_string(), group.messages.to_string());
        write_cells(out, [urls.as_bytes(), messages.as_bytes()].into_iter().chain(cells));
    }

    /// Appends the summary, after all records.
    fn summary(&self, tally: &Tally, out: &mut Vec<u8>) {
        let _ = (tally, out);
    }
}

/// A group of URLs with the same property.
pub(crate) struct GroupRow<'g> {
    /// The value of the property, or `None` for URLs without it.
    pub(crate) key: Option<&'g [u8]>,
    pub(crate) urls: u64,
    pub(crate) messages: u64,
    /// The dates of the first and the last message.
    pub(crate) first: Option<&'g [u8]>,
    pub(crate) last: Option<&'g [u8]>,
}
