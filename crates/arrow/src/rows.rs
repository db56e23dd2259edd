//! Builds rows from records, messages, files and errors.

use crate::column_builder::ColumnBuilder;
use crate::column_numbers::ColumnIndices;
use crate::schema::schema;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use std::mem;
use urlsift_archive::Utc;
use urlsift_core::{Level, Report};
use urlsift_records::fields::{Field, join, message, report};
use urlsift_records::table::{Column, Columns, FILES, MESSAGES};
use urlsift_records::write::{self, FieldWriter};
use urlsift_records::{FileName, Join, Message, Page, Tally, UrlRecord};

/// A builder for the rows of a table, which [`Rows::finish`] returns as a batch.
///
/// ```
/// use urlsift_arrow::Rows;
/// use urlsift_records::{FileName, Tally};
/// let mut rows = Rows::for_files();
/// assert!(rows.is_empty() && Rows::for_messages().is_empty());
/// let mut tally = Tally::default();
/// tally.urls = 3;
/// rows.push_file_counts(&FileName::new("a.txt"), 0, &tally, None);
/// assert!(rows.len() == 1 && rows.memory_size() > 0);
/// assert_eq!(rows.finish()?.schema(), urlsift_arrow::schema(urlsift_records::table::FILES));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[derive(Debug)]
pub struct Rows {
    schema: SchemaRef,
    /// The index of each column by name.
    numbers: ColumnIndices,
    /// The columns of the batch, in the order of the schema.
    builders: Vec<PartialColumn>,
    /// The number of rows that have ended.
    whole: usize,
    /// The approximate size of the texts in bytes.
    bytes: usize,
}

/// A column that is being built, and the number of its cells. The number is stored here, because
/// asking the builder would need a match on its type for every cell.
#[derive(Debug)]
struct PartialColumn {
    cells: ColumnBuilder,
    /// The number of rows with a cell in the column.
    filled: usize,
}

impl PartialColumn {
    /// Adds empty values until the column has `rows` cells.
    #[inline]
    fn fill_to(&mut self, rows: usize) {
        if self.filled < rows {
            self.cells.push_empty_cells(rows - self.filled);
            self.filled = rows;
        }
    }
}

impl Rows {
    /// Creates an empty batch of the table of URLs, with the columns `columns`.
    pub fn for_urls(columns: &Columns) -> Self {
        Self::new(columns.iter())
    }

    /// Creates an empty batch of the table of messages.
    pub fn for_messages() -> Self {
        Self::new(MESSAGES)
    }

    /// Creates an empty batch of the table of files.
    pub fn for_files() -> Self {
        Self::new(FILES)
    }

    fn new(columns: impl IntoIterator<Item = &'static Column>) -> Self {
        let columns: Vec<_> = columns.into_iter().collect();
        Self {
            schema: schema(columns.iter().copied()),
            numbers: ColumnIndices::new(columns.iter().map(|column| column.name).collect()),
            builders: columns
                .iter()
                .map(|column| PartialColumn { cells: ColumnBuilder::new(column.kind), filled: 0 })
                .collect(),
            whole: 0,
            bytes: 0,
        }
    }

    /// Returns the schema of the table, which all batches have in common.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Returns the number of rows added since the last batch.
    pub fn len(&self) -> usize {
        self.whole
    }

    /// True if no rows were added since the last batch.
    pub fn is_empty(&self) -> bool {
        self.whole == 0
    }

    /// Returns the approximate memory use of the rows in bytes.
    pub fn memory_size(&self) -> usize {
        self.bytes + self.whole * (8 * self.builders.len())
    }

    /// Adds a row with the record of a URL to the table of URLs.
    pub fn push_url(&mut self, record: &UrlRecord<'_>) {
        record.write_row(self);
        self.end_row();
    }

    /// Adds a row with an error to the table of URLs. `text` is the error message.
    ///
    /// ```
    /// use arrow_array::Array;
    /// use urlsift_arrow::Rows;
    /// use urlsift_records::FileName;
    /// use urlsift_records::table::Columns;
    /// let mut rows = Rows::for_urls(&Columns::default());
    /// rows.push_error(&FileName::new("a.txt"), "no such file");
    /// let batch = rows.finish()?;
    /// assert!(batch["url"].is_null(0) && !batch["error"].is_null(0));
    /// # Ok::<(), arrow_schema::ArrowError>(())
    /// ```
    pub fn push_error(&mut self, file: &FileName, text: &str) {
        self.push_unit_error(file, None, text);
    }

    /// Adds a row with an error to the table of URLs. `unit` is the byte range of the unit that the
    /// error concerns: its start, and its end or `None` if the end is unknown. `text` is the error
    /// message.
    pub fn push_unit_error(
        &mut self,
        file: &FileName,
        unit: Option<(u64, Option<u64>)>,
        text: &str,
    ) {
        self.add_file_cells(file);
        if let Some((start, end)) = unit {
            self.add_number("start", start);
            if let Some(end) = end {
                self.add_number("end", end);
            }
        }
        self.add_text("error", text.as_bytes());
        self.end_row();
    }

    /// Adds a row to the table of messages. `file`, `message` and `urls` are the arguments of
    /// [`Sink::message`](urlsift_records::Sink::message).
    ///
    /// If the message is a copy, `duplicate_of` is the position of the first message with the same
    /// Message-ID: the file, a colon and the offset.
    pub fn push_message(
        &mut self,
        file: &FileName,
        message: &Message,
        urls: u64,
        duplicate_of: Option<&[u8]>,
    ) {
        message.write_fields(self);
        self.add_file_cells(file);
        if let Some(place) = duplicate_of {
            self.add_text("duplicate_of", place);
        }
        self.add_number("urls", urls);
        self.end_row();
    }

    /// Adds a row to the table of files, with `tally`, the counts of a file or of a range of it.
    /// `start` is the offset of the range in the file, or 0 for a whole file. `error` is the error
    /// message, if reading failed.
    pub fn push_file_counts(
        &mut self,
        file: &FileName,
        start: u64,
        tally: &Tally,
        error: Option<&str>,
    ) {
        self.add_file_cells(file);
        self.add_number("start", start);
        self.add_number("end", start + tally.bytes);
        for (field, number) in tally.counts() {
            self.add_number(field.name, number);
        }
        if let Some(error) = error {
            self.add_text("error", error.as_bytes());
        }
        self.end_row();
    }

    /// Returns the rows added so far as a batch, and starts a new one.
    ///
    /// # Errors
    ///
    /// Fails if the texts of a column total more than 2 GiB.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let rows = mem::take(&mut self.whole);
        self.bytes = 0;
        let columns = self.builders.iter_mut().map(|column| {
            column.fill_to(rows);
            column.filled = 0;
            column.cells.finish()
        });
        let columns = columns.collect::<Result<_, _>>()?;
        RecordBatch::try_new(self.schema.clone(), columns)
    }

    /// Adds the cells with the name of `file` to the current row.
    fn add_file_cells(&mut self, file: &FileName) {
        file.write_fields(self);
        file.write_name_bytes(self);
    }

    /// Ends the current row. Columns without a cell in this row get empty values later: when they
    /// get their next cell, or in [`Rows::finish`].
    fn end_row(&mut self) {
        self.whole += 1;
    }

    /// Returns the builder for a column's cell in the current row. Returns `None` if there is no
    /// such column or if it already has a cell. The caller must add the cell.
    #[inline]
    fn start_cell(&mut self, column: &'static str) -> Option<&mut ColumnBuilder> {
        let column = &mut self.builders[self.numbers.index_of(column)?];
        if column.filled > self.whole {
            return None;
        }
        column.fill_to(self.whole);
        column.filled += 1;
        Some(&mut column.cells)
    }

    /// Adds a cell with a number to the current row, unless there is no column called `column`.
    #[inline]
    fn add_number(&mut self, column: &'static str, number: u64) {
        match self.start_cell(column) {
            Some(ColumnBuilder::Int64(cells)) => cells.push(number.cast_signed()),
            cell => debug_assert!(cell.is_none(), "{column} holds no number"),
        }
    }

    /// Adds a cell with a text to the current row, unless there is no column called `column`.
    #[inline]
    fn add_text(&mut self, column: &'static str, text: &[u8]) {
        if let Some(cells) = self.start_cell(column) {
            cells.push_text(text);
        }
    }

    /// Adds a cell with a list of texts to the current row, unless there is no column for `field`.
    fn add_list<T>(&mut self, field: &Field, items: impl Iterator<Item = T>)
    where
        T: AsRef<[u8]>,
    {
        let Some(column) = field.column else { return };
        if let Some(ColumnBuilder::Texts(cells)) = self.start_cell(column) {
            cells.push_list(items);
        }
    }
}

impl FieldWriter for Rows {
    #[inline]
    fn write_text(&mut self, field: &'static Field, text: Option<&[u8]>) {
        let (Some(column), Some(text)) = (field.column, text) else { return };
        // In a record, a message that is not nested has an empty `part`; in the table, null.
        if text.is_empty() && column == message::PART.name {
            return;
        }
        self.bytes += text.len();
        self.add_text(column, text);
    }

    #[inline]
    fn write_name(&mut self, field: &'static Field, name: &str) {
        let Some(column) = field.column else { return };
        self.bytes += name.len();
        self.add_text(column, name.as_bytes());
    }

    fn write_time_field(&mut self, field: &'static Field, time: Utc) {
        let Some(column) = field.column else { return };
        match self.start_cell(column) {
            Some(ColumnBuilder::Timestamp(cells)) => cells.push(time.timestamp() * 1_000_000),
            cell => debug_assert!(cell.is_none(), "{column} holds no time"),
        }
    }

    #[inline]
    fn write_number(&mut self, field: &'static Field, number: u64) {
        if let Some(column) = field.column {
            self.add_number(column, number);
        }
    }

    #[inline]
    fn write_boolean(&mut self, field: &'static Field, value: bool) {
        let Some(column) = field.column else { return };
        if let Some(ColumnBuilder::Boolean(cells)) = self.start_cell(column) {
            cells.append_value(value);
        }
    }

    fn write_reports<'r>(
        &mut self,
        field: &'static Field,
        reports: impl Iterator<Item = &'r Report>,
    ) {
        let Some(column) = field.column else { return };
        let Some(ColumnBuilder::Structures(cells)) = self.start_cell(column) else { return };
        for report in reports {
            cells.begin_struct();
            cells.set_text(report::CODE.name, Some(report.code.name()));
            let level = Some(report.level.name()).filter(|_| report.level != Level::Error);
            cells.set_text(report::LEVEL.name, level);
            cells.set_number(report::START.name, report.span.start as u64);
            cells.set_number(report::END.name, report.span.end as u64);
        }
        cells.end_list();
    }

    fn write_joins(&mut self, field: &'static Field, joins: &[Join]) {
        let Some(column) = field.column else { return };
        let Some(ColumnBuilder::Structures(cells)) = self.start_cell(column) else { return };
        for join in joins {
            cells.begin_struct();
            cells.set_number(join::START.name, join.span.start);
            cells.set_number(join::END.name, join.span.end);
            cells.set_text(join::KIND.name, Some(join.kind.name()));
            cells.set_text(join::GRADE.name, Some(join.grade.name()));
        }
        cells.end_list();
    }

    fn write_readings(&mut self, field: &'static Field, _: &[u8], others: &[Vec<u8>]) {
        self.add_list(field, others.iter());
    }

    fn write_texts(&mut self, field: &'static Field, texts: &[Vec<u8>]) {
        self.add_list(field, texts.iter());
    }

    fn write_names(&mut self, field: &'static Field, names: impl Iterator<Item = &'static str>) {
        self.add_list(field, names);
    }

    fn write_message(&mut self, _: &'static Field, message: &Message) {
        message.write_fields(self);
    }

    fn write_page(&mut self, _: &'static Field, page: &Page) {
        page.write_fields(self);
    }
}

impl write::CellWriter for Rows {
    fn write_column_bytes(&mut self, column: &'static str, bytes: &[u8]) {
        self.add_text(column, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Int64Type, TimestampMicrosecondType};
    use arrow_schema::DataType;
    use std::sync::Arc;
    use urlsift_archive::Reading;
    use urlsift_records::table::ALL;
    use urlsift_records::{Options, Unit, With, collect_records};

    const MAIL: &[u8] = b"From joe Thu Dec  1 10:00:00 1994\nFrom: joe@host.dom\nMessage-ID: <1@host.dom>\n\
        Date: Thu, 1 Dec 1994 10:00:00 +0100\nNewsgroups: comp.a,comp.b\n\n<URL:ftp://host.dom/a-\n b> and http://h.dom/\xE9\n";

    fn records() -> Vec<UrlRecord<'static>> {
        let file = Arc::new(FileName::new(*b"\xFF.mbox"));
        let mut options = Options::default();
        options.with = With::OF_TABLE.to_vec();
        collect_records(MAIL, &Unit::whole_file(&file, MAIL, Reading::Auto), &options)
    }

    #[test]
    fn rows_of_urls() {
        let mut rows = Rows::for_urls(&Columns::default());
        let records = records();
        for record in &records {
            rows.push_url(record);
        }
        rows.push_error(&FileName::new("gone"), "no such file");
        assert_eq!(rows.len(), records.len() + 1);
        let batch = rows.finish().unwrap();
        assert!(rows.is_empty());
        assert_eq!(batch["path"].as_string::<i32>().value(0), "\u{fffd}.mbox");
        assert_eq!(batch["path_bytes"].as_binary::<i32>().value(0), b"\xFF.mbox");
        let date = batch["date"].as_primitive::<TimestampMicrosecondType>();
        assert_eq!(date.value(0), 786_272_400_000_000);
        let groups = batch["newsgroups"].as_list::<i32>().value(0);
        assert_eq!(
            groups.as_string::<i32>().iter().flatten().collect::<Vec<_>>(),
            ["comp.a", "comp.b"]
        );
        let readings = batch["readings"].as_list::<i32>();
        assert_eq!(readings.value(0).as_string::<i32>().value(0), "ftp://host.dom/ab");
        let findings = batch["findings"].as_list::<i32>().value(0);
        let codes = findings.as_struct().column_by_name("code").unwrap();
        assert_eq!(codes.as_string::<i32>().value(0), "break.after-hyphen");
        let joins = batch["joins"].as_list::<i32>().value(0);
        let starts = joins.as_struct().column_by_name("start").unwrap();
        assert_eq!(starts.as_primitive::<Int64Type>().len(), 1);
        // Missing values are null, and missing lists are empty.
        let last = records.len();
        for (column, cells) in batch.schema().fields().iter().zip(batch.columns()) {
            let is_list = matches!(column.data_type(), DataType::List(_));
            let is_there = is_list || matches!(column.name().as_str(), "path" | "error");
            assert_eq!(cells.is_valid(last), is_there, "{}", column.name());
        }
    }

    #[test]
    fn second_batch_equals_the_first() {
        let mut rows =
            Rows::for_urls(&Columns::by_names(&["url", "violations", "normalized"]).unwrap());
        rows.push_url(&records()[0]);
        let first = rows.finish().unwrap();
        rows.push_url(&records()[0]);
        assert_eq!(rows.finish().unwrap(), first);
        assert_eq!(first.num_columns(), 3);
        assert_eq!(first["normalized"].as_string::<i32>().value(0), "ftp://host.dom/a-b");
    }

    #[test]
    fn rows_of_messages_and_files() {
        let record = &records()[0];
        let mut rows = Rows::for_messages();
        let mut whole = (**record.message.clone().unwrap()).clone();
        whole.part.clear();
        rows.push_message(&record.file, &whole, 2, None);
        let batch = rows.finish().unwrap();
        assert_eq!(batch["urls"].as_primitive::<Int64Type>().value(0), 2);
        assert_eq!(batch["message_id"].as_string::<i32>().value(0), "<1@host.dom>");
        assert!(batch["part"].is_null(0) && batch["from"].is_null(0));
        let mut rows = Rows::for_files();
        let mut tally = Tally::default();
        (tally.bytes, tally.urls) = (10, 3);
        rows.push_file_counts(&record.file, 5, &tally, Some("cut off"));
        let batch = rows.finish().unwrap();
        assert_eq!(batch["end"].as_primitive::<Int64Type>().value(0), 15);
        assert_eq!(batch["error"].as_string::<i32>().value(0), "cut off");
    }

    #[test]
    fn every_table_has_a_schema() {
        for table in ALL {
            assert_eq!(schema(table.columns).fields().len(), table.columns.len());
        }
    }
}
