//! CSV and TSV, with a header line.

use super::output_format::{GroupRow, OutputFormat};
use crate::args::By;
use crate::print::rendered::Rendered;
use crate::print::style::Style;
use urlsift_records::UrlRecord;
use urlsift_records::write::rows::Table;

pub(super) struct Csv;
pub(super) struct Tsv;

/// An output format that prints one row for each URL.
trait TableFormat: Sync {
    fn table(&self, style: &Style) -> Table;
}

impl TableFormat for Csv {
    fn table(&self, style: &Style) -> Table {
        Table::Csv { guarded: style.guarded }
    }
}

impl TableFormat for Tsv {
    fn table(&self, style: &Style) -> Table {
        Table::Tsv { guarded: style.guarded }
    }
}

impl<T: TableFormat> OutputFormat for T {
    fn append_record(&self, style: &Style, record: &UrlRecord<'_>, out: &mut Rendered) {
        self.table(style).write_row(&style.columns, &mut out.bytes, record);
    }

    fn append_header(&self, style: &Style, is_counted: bool, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.table(style).header_line(&style.columns, is_counted));
    }

    fn append_counted_record(
        &self,
        style: &Style,
        mut record: Vec<u8>,
        count: u64,
        out: &mut Vec<u8>,
    ) {
        self.table(style).append_number_cell(&mut record, count);
        out.extend_from_slice(&record);
    }

    fn append_group_header(&self, style: &Style, by: By, out: &mut Vec<u8>) {
        let names = [by.name(), "count", "messages", "first", "last"];
        self.table(style).write_cells(out, names.map(str::as_bytes));
    }

    fn append_group(&self, style: &Style, _: By, group: &GroupRow<'_>, out: &mut Vec<u8>) {
        let (urls, messages) = (group.urls.to_string(), group.messages.to_string());
        let [key, first, last] =
            [group.key, group.first, group.last].map(Option::unwrap_or_default);
        self.table(style)
            .write_cells(out, [key, urls.as_bytes(), messages.as_bytes(), first, last]);
    }
}
