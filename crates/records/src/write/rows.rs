//! Writes CSV and TSV: a header line and one row per URL.

use super::fields::{CellWriter, FieldWriter};
use super::json;
use super::visible::escape_invisible_bytes;
use crate::fields::{Field, url};
use crate::record::{Join, Message, Page, UrlRecord};
use crate::table::{Columns, URLS};
use data_encoding::BASE64;
use std::ops::Range;
use urlsift_core::Report;

/// The text format of a table: CSV or TSV.
///
/// Both formats write invisible characters and bytes that are not UTF-8 as escapes: `\\x1b`,
/// `\\u{202e}`, `\\xff`.
///
/// ```
/// use urlsift_records::table::Columns;
/// use urlsift_records::write::rows::Table;
/// let columns = Columns::by_names(&["url", "start"]).unwrap();
/// let csv = Table::Csv { guarded: true };
/// let mut out = csv.header_line(&columns, true);
/// csv.write_cells(&mut out, [&b"=a,b"[..], b"3", b"1"]);
/// assert_eq!(out, b"url,start,count\n\"'=a,b\",3,1\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Table {
    /// Comma-separated values as in RFC 4180. Cells are quoted if necessary.
    Csv {
        /// True to put an apostrophe before cells that a spreadsheet would read as a formula. These
        /// cells start with `=`, `+`, `-` or `@`.
        guarded: bool,
    },
    /// Tab-separated values without quotes. A tab, line feed, carriage return or backslash in a
    /// cell is written as `\\t`, `\\n`, `\\r` or `\\\\`, so each line is one row, and all rows
    /// contain the same number of tabs.
    Tsv {
        /// True to put an apostrophe before formulas, as in [`Table::Csv`].
        guarded: bool,
    },
}

impl Table {
    fn delimiter(self) -> u8 {
        match self {
            Self::Csv { .. } => b',',
            Self::Tsv { .. } => b'\t',
        }
    }

    /// Returns the header line of a table, which contains the names of `columns`. If `counted` is
    /// true, a column for the number of occurrences follows.
    pub fn header_line(self, columns: &Columns, counted: bool) -> Vec<u8> {
        let mut out = Vec::new();
        let names = columns.iter().map(|column| column.name);
        for column in names.chain(counted.then_some(url::COUNT.name)) {
            if !out.is_empty() {
                out.push(self.delimiter());
            }
            out.extend_from_slice(column.as_bytes());
        }
        out.push(b'\n');
        out
    }

    /// Appends the table row of a URL. It contains the cells of `columns`, in this order.
    ///
    /// Missing values are empty cells. The items of a list are separated by spaces: the codes of
    /// violations and findings, joins as `start-end/kind/grade`, and all readings except the first.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use urlsift_archive::Reading;
    /// # use urlsift_records::{Options, FileName, Unit, collect_records};
    /// use urlsift_records::table::Columns;
    /// use urlsift_records::write::rows::Table;
    ///
    /// let file = Arc::new(FileName::new("a,b.txt"));
    /// let bytes = b"http://host.dom/";
    /// let records = collect_records(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &Options::default());
    /// let columns = Columns::by_names(&["path", "member", "url", "end", "valid"]).unwrap();
    /// let mut out = Vec::new();
    /// Table::Csv { guarded: false }.write_row(&columns, &mut out, &records[0]);
    /// assert_eq!(out, b"\"a,b.txt\",,http://host.dom/,16,true\n");
    /// ```
    pub fn write_row(self, columns: &Columns, out: &mut Vec<u8>, record: &UrlRecord<'_>) {
        let mut row = Row {
            bytes: Vec::with_capacity(512),
            cells: [const { 0..0 }; _],
            next: 0,
            table: self,
        };
        record.write_row(&mut row);
        for (index, number) in columns.indices().enumerate() {
            if index > 0 {
                out.push(self.delimiter());
            }
            out.extend_from_slice(&row.bytes[row.cells[number].clone()]);
        }
        out.push(b'\n');
    }

    /// Appends a row with the given cells, which are escaped as necessary.
    pub fn write_cells<'c>(self, out: &mut Vec<u8>, cells: impl IntoIterator<Item = &'c [u8]>) {
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                out.push(self.delimiter());
            }
            self.write_cell(out, cell);
        }
        out.push(b'\n');
    }

    /// Adds a cell with the number `value` at the end of `line`, a row that is already complete.
    pub fn append_number_cell(self, line: &mut Vec<u8>, value: u64) {
        line.pop();
        line.push(self.delimiter());
        json::push_decimal(line, value);
        line.push(b'\n');
    }

    /// Appends a cell that contains `text`, escaped for the format. `text` can be any bytes.
    fn write_cell(self, out: &mut Vec<u8>, text: &[u8]) {
        let (Self::Csv { guarded } | Self::Tsv { guarded }) = self;
        let is_formula = guarded && text.first().is_some_and(|first| b"=+-@".contains(first));
        let guard: &[u8] = if is_formula { b"'" } else { b"" };
        match self {
            Self::Tsv { .. } => {
                out.extend_from_slice(guard);
                write_tsv_cell(out, text);
            }
            Self::Csv { .. } => {
                let text = escape_invisible_bytes(text, &['\t', '\n']);
                let is_quoted = text.iter().any(|byte| b",\"\n".contains(byte));
                let mark: &[u8] = if is_quoted { b"\"" } else { b"" };
                out.extend_from_slice(mark);
                out.extend_from_slice(guard);
                for piece in text.split_inclusive(|&byte| byte == b'"') {
                    out.extend_from_slice(piece);
                    if piece.ends_with(b"\"") {
                        out.push(b'"');
                    }
                }
                out.extend_from_slice(mark);
            }
        }
    }
}

/// Appends `text` as a cell of a TSV row. Tabs, line breaks and backslashes are escaped. See
/// [`Table::Tsv`].
///
/// ```
/// let mut out = Vec::new();
/// urlsift_records::write::rows::write_tsv_cell(&mut out, b"a\tb\\c");
/// assert_eq!(out, b"a\\tb\\\\c");
/// ```
pub fn write_tsv_cell(out: &mut Vec<u8>, text: &[u8]) {
    for piece in text.split_inclusive(|byte| b"\t\n\r\\".contains(byte)) {
        let (piece, escape): (_, &[u8]) = match piece {
            [piece @ .., b'\t'] => (piece, b"\\t"),
            [piece @ .., b'\n'] => (piece, b"\\n"),
            [piece @ .., b'\r'] => (piece, b"\\r"),
            [piece @ .., b'\\'] => (piece, b"\\\\"),
            piece => (piece, b""),
        };
        out.extend_from_slice(&escape_invisible_bytes(piece, &[]));
        out.extend_from_slice(escape);
    }
}

/// A row that is being built. It stores the cells, because the fields of a record don't arrive in
/// the order of the columns.
struct Row {
    /// The contents of all cells, in order of arrival.
    bytes: Vec<u8>,
    /// The range in `bytes` of each column's cell, indexed like [`URLS`].
    cells: [Range<usize>; URLS.len()],
    /// The index after that of the last column written. Most fields arrive in column order, so the
    /// search for a column starts here.
    next: usize,
    table: Table,
}

impl Row {
    /// Sets the cell of a column to the bytes that `write` appends. Does nothing if the table
    /// doesn't contain the column.
    fn set_column(&mut self, column: &str, write: impl FnOnce(&mut Vec<u8>)) {
        let mut numbers = (self.next..URLS.len()).chain(0..self.next);
        let Some(number) = numbers.find(|&number| URLS[number].name == column) else { return };
        let start = self.bytes.len();
        write(&mut self.bytes);
        self.cells[number] = start..self.bytes.len();
        self.next = number + 1;
    }

    /// Sets the cell for a field to the bytes that `write` appends. Does nothing if the table has
    /// no column for the field.
    fn set_cell(&mut self, field: &Field, write: impl FnOnce(&mut Vec<u8>)) {
        if let Some(column) = field.column {
            self.set_column(column, write);
        }
    }

    /// Sets the cell for a field to `text`, escaped for the format. Does nothing if the table has
    /// no column for the field.
    fn set_text(&mut self, field: &Field, text: &[u8]) {
        let table = self.table;
        self.set_cell(field, |out| table.write_cell(out, text));
    }
}

impl FieldWriter for Row {
    fn write_text(&mut self, field: &'static Field, text: Option<&[u8]>) {
        self.set_text(field, text.unwrap_or_default());
    }

    fn write_name(&mut self, field: &'static Field, name: &str) {
        self.set_cell(field, |out| out.extend_from_slice(name.as_bytes()));
    }

    fn write_number(&mut self, field: &'static Field, number: u64) {
        self.set_cell(field, |out| json::push_decimal(out, number));
    }

    fn write_boolean(&mut self, field: &'static Field, value: bool) {
        self.write_name(field, if value { "true" } else { "false" });
    }

    fn write_reports<'r>(
        &mut self,
        field: &'static Field,
        reports: impl Iterator<Item = &'r Report>,
    ) {
        let codes: Vec<_> = reports.map(|report| report.code.name()).collect();
        self.write_name(field, &codes.join(" "));
    }

    fn write_joins(&mut self, field: &'static Field, joins: &[Join]) {
        let shown = |join: &Join| {
            let (kind, grade) = (join.kind.name(), join.grade.name());
            format!("{}-{}/{kind}/{grade}", join.span.start, join.span.end)
        };
        let joins: Vec<_> = joins.iter().map(shown).collect();
        self.write_name(field, &joins.join(" "));
    }

    fn write_readings(&mut self, field: &'static Field, _: &[u8], others: &[Vec<u8>]) {
        self.write_texts(field, others);
    }

    fn write_texts(&mut self, field: &'static Field, texts: &[Vec<u8>]) {
        self.set_text(field, &texts.join(&b' '));
    }

    fn write_names(&mut self, field: &'static Field, names: impl Iterator<Item = &'static str>) {
        self.write_name(field, &names.collect::<Vec<_>>().join(" "));
    }

    fn write_message(&mut self, _: &'static Field, message: &Message) {
        message.write_fields(self);
    }

    fn write_page(&mut self, _: &'static Field, page: &Page) {
        page.write_fields(self);
    }
}

impl CellWriter for Row {
    fn write_column_bytes(&mut self, column: &'static str, bytes: &[u8]) {
        let table = self.table;
        self.set_column(column, |out| table.write_cell(out, BASE64.encode(bytes).as_bytes()));
    }
}
