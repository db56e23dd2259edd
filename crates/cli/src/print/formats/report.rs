//! The page of `urlsift report`: URLs and messages are only counted.

use super::output_format::OutputFormat;
use crate::print::rendered::{Complaint, Rendered};
use crate::print::sizes::{Sizes, WAIT_AT};
use crate::print::style::Style;
use std::sync::Arc;
use urlsift_records::{FileName, Message, UrlRecord};

pub(super) struct Report;

impl OutputFormat for Report {
    fn append_record(&self, _: &Style, record: &UrlRecord<'_>, out: &mut Rendered) {
        out.report_data_mut().push_url(record);
    }

    fn task_sizes(&self, style: &Style, workers: usize) -> Sizes {
        // The counts already use the available memory.
        Sizes { wait_at: WAIT_AT, ..super::text::Text.task_sizes(style, workers) }
    }

    fn append_message(
        &self,
        _: &Style,
        file: &Arc<FileName>,
        (message, _): (&Message, u64),
        out: &mut Rendered,
    ) {
        out.report_data_mut().push_message(file, message);
    }

    fn append_error(&self, _: &Style, _: &FileName, _: &Complaint, out: &mut Rendered) {
        out.report_data_mut().push_empty_row();
    }
}
