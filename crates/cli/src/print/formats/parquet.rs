//! Parquet: tables of URLs, messages and files, and the counts for their report.

use super::output_format::OutputFormat;
use super::report::Report;
use crate::print::rendered::{Complaint, Note, Rendered};
use crate::print::sizes::{RECORDS_WAIT_AT, Sizes};
use crate::print::style::Style;
use std::sync::Arc;
use urlsift_arrow::Rows;
use urlsift_records::{FileName, Message, Scanned, UrlRecord};

/// The size in bytes at which rows are printed: they compress faster in large batches.
const BATCH_AT: usize = 1 << 20;
/// The size in bytes at which rows and the counts for their report wait for their turn, for two
/// workers. Waiting within a unit would cost a third of the time. With more workers each gets less,
/// so that the total stays the same, but at least [`RECORDS_WAIT_AT`].
const ROWS_WAIT_AT: usize = 24 << 20;
/// The number of bytes of rows that may wait to be printed.
const ROWS_AHEAD: usize = 16 << 20;

pub(super) struct Parquet;

impl OutputFormat for Parquet {
    fn append_record(&self, style: &Style, record: &UrlRecord<'_>, out: &mut Rendered) {
        out.report_data_mut().push_url(record);
        out.rows_mut(style).push_url(record);
    }

    fn task_sizes(&self, style: &Style, workers: usize) -> Sizes {
        Sizes {
            ahead: ROWS_AHEAD,
            wait_at: (2 * ROWS_WAIT_AT / workers.max(2)).max(RECORDS_WAIT_AT),
            print_at: BATCH_AT,
            packs: !style.depends_on_earlier_urls(),
            ..Report.task_sizes(style, workers)
        }
    }

    fn note_file_start(&self, file: &Arc<FileName>, out: &mut Rendered) {
        out.add_note(Note::File { file: Arc::clone(file) });
    }

    fn note_unit_result(&self, file: &Arc<FileName>, scanned: &Scanned, out: &mut Rendered) {
        let (file, Scanned { start, tally, .. }) = (Arc::clone(file), *scanned);
        out.add_note(Note::Unit { file, start, tally });
    }

    fn append_message(
        &self,
        style: &Style,
        file: &Arc<FileName>,
        (message, urls): (&Message, u64),
        out: &mut Rendered,
    ) {
        out.report_data_mut().push_message(file, message);
        if style.dedupe {
            let (file, message) = (Arc::clone(file), Box::new(message.clone()));
            out.add_note(Note::Message { file, message, urls });
        } else {
            let rows = out.message_rows.get_or_insert_with(|| Box::new(Rows::for_messages()));
            rows.push_message(file, message, urls, None);
        }
    }

    fn append_error(&self, style: &Style, file: &FileName, error: &Complaint, out: &mut Rendered) {
        out.report_data_mut().push_empty_row();
        let unit = out.unit;
        out.rows_mut(style).push_unit_error(file, unit, &error.message);
    }
}
