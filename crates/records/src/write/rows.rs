//! CSV and TSV: the fields that have a column, one row a URL.

use super::fields::Fields;
use super::json;
use super::visible::clean_bytes;
use crate::fields::{Field, message, url};
use crate::record::{Join, Message, UrlRecord};
use urlsift_core::Report;

/// The columns, in order: those of the URL, then those of its message.
fn columns() -> impl Iterator<Item = &'static str> {
    url::ALL.iter().chain(message::ALL).filter_map(|field| field.column)
}

/// How rows are written.
///
/// Characters that nobody sees, and bytes that are not UTF-8, are escapes in either: `\\x1b`, `\\u{202e}`, `\\xff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// By RFC 4180: cells are quoted where they must be. With `guarded`, a cell that a spreadsheet would take for a
    /// formula, which is one that starts with `=`, `+`, `-` or `@`, has an apostrophe before it.
    Csv {
        /// Whether formulas are guarded against.
        guarded: bool,
    },
    /// Between tabs, without quotes: a tab, line feed, carriage return and backslash within a cell are `\\t`, `\\n`,
    /// `\\r` and `\\\\`, so that a row is a line, and has as many tabs as the header.
    Tsv {
        /// As in [`Table::Csv`].
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

    /// The header line. With `counted`, the number of occurrences has a column, too.
    pub fn header(self, counted: bool) -> Vec<u8> {
        let mut out = Vec::new();
        for column in columns().chain(counted.then_some(url::COUNT.name)) {
            if !out.is_empty() {
                out.push(self.delimiter());
            }
            out.extend_from_slice(column.as_bytes());
        }
        out.push(b'\n');
        out
    }

    /// Appends the row of a URL. Lists are separated by blanks: violations and findings by their
    /// codes, joins as `start-end/kind/grade`, the readings but the first. What is absent is empty.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use urlsift_archive::Reading;
    /// # use urlsift_records::{Options, FileName, Unit, collect};
    /// use urlsift_records::write::rows::Table;
    ///
    /// let file = Arc::new(FileName { path: b"a,b.txt".to_vec(), member: None });
    /// let bytes = b"http://host.dom/";
    /// let records = collect(bytes, &Unit::whole(&file, bytes, Reading::Auto), &Options::default());
    /// let mut out = Vec::new();
    /// Table::Csv { guarded: false }.row(&mut out, &records[0]);
    /// assert_eq!(out, b"\"a,b.txt\",,http://host.dom/,0,16,1,1,bare,http,host.dom,,web,true,,,,,0,,,,\n");
    /// ```
    pub fn row(self, out: &mut Vec<u8>, record: &UrlRecord<'_>) {
        let mut row = Row { out, table: self, columns: Box::new(columns()), written: false };
        record.tell(&mut row);
        while row.columns.next().is_some() {
            row.separate();
        }
        row.out.push(b'\n');
    }

    /// Adds a number to a row that is a line already.
    pub fn amend(self, line: &mut Vec<u8>, value: u64) {
        line.pop();
        line.push(self.delimiter());
        json::number(line, value);
        line.push(b'\n');
    }

    /// Appends a cell of any bytes.
    fn cell(self, out: &mut Vec<u8>, text: &[u8]) {
        let (Self::Csv { guarded } | Self::Tsv { guarded }) = self;
        if guarded && text.first().is_some_and(|first| b"=+-@".contains(first)) {
            out.push(b'\'');
        }
        match self {
            Self::Tsv { .. } => tsv_cell(out, text),
            Self::Csv { .. } => {
                let text = clean_bytes(text, &['\t', '\n']);
                let is_quoted = text.iter().any(|byte| b",\"\n".contains(byte));
                let mark: &[u8] = if is_quoted { b"\"" } else { b"" };
                out.extend_from_slice(mark);
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

/// Appends a cell between tabs; see [`Table::Tsv`].
pub fn tsv_cell(out: &mut Vec<u8>, text: &[u8]) {
    for piece in text.split_inclusive(|byte| b"\t\n\r\\".contains(byte)) {
        let (piece, escape): (_, &[u8]) = match piece {
            [piece @ .., b'\t'] => (piece, b"\\t"),
            [piece @ .., b'\n'] => (piece, b"\\n"),
            [piece @ .., b'\r'] => (piece, b"\\r"),
            [piece @ .., b'\\'] => (piece, b"\\\\"),
            piece => (piece, b""),
        };
        out.extend_from_slice(&clean_bytes(piece, &[]));
        out.extend_from_slice(escape);
    }
}

/// A row in the making.
struct Row<'o> {
    out: &'o mut Vec<u8>,
    table: Table,
    /// The columns to come.
    columns: Box<dyn Iterator<Item = &'static str>>,
    /// Whether there is a cell before the next one.
    written: bool,
}

impl Row<'_> {
    fn separate(&mut self) {
        if std::mem::replace(&mut self.written, true) {
            self.out.push(self.table.delimiter());
        }
    }

    /// Adds a field's cell, if it has a column, behind those that were left out.
    fn cell(&mut self, field: &Field, write: impl FnOnce(&mut Vec<u8>)) {
        let Some(column) = field.column else { return };
        loop {
            self.separate();
            if self.columns.next().is_none_or(|next| next == column) {
                break;
            }
        }
        write(self.out);
    }

    /// Adds a cell of any bytes.
    fn any(&mut self, field: &Field, text: &[u8]) {
        let table = self.table;
        self.cell(field, |out| table.cell(out, text));
    }
}

impl Fields for Row<'_> {
    fn text(&mut self, field: &'static Field, text: Option<&[u8]>) {
        self.any(field, text.unwrap_or_default());
    }

    fn name(&mut self, field: &'static Field, name: &str) {
        self.cell(field, |out| out.extend_from_slice(name.as_bytes()));
    }

    fn number(&mut self, field: &'static Field, number: u64) {
        self.cell(field, |out| json::number(out, number));
    }

    fn boolean(&mut self, field: &'static Field, value: bool) {
        self.name(field, if value { "true" } else { "false" });
    }

    fn reports<'r>(&mut self, field: &'static Field, reports: impl Iterator<Item = &'r Report>) {
        let codes: Vec<_> = reports.map(|report| report.code.name()).collect();
        self.name(field, &codes.join(" "));
    }

    fn joins(&mut self, field: &'static Field, joins: &[Join]) {
        let shown = |join: &Join| {
            let (kind, grade) = (join.kind.name(), join.grade.name());
            format!("{}-{}/{kind}/{grade}", join.span.start, join.span.end)
        };
        let joins: Vec<_> = joins.iter().map(shown).collect();
        self.name(field, &joins.join(" "));
    }

    fn readings(&mut self, field: &'static Field, _: &[u8], others: &[Vec<u8>]) {
        self.texts(field, others);
    }

    fn texts(&mut self, field: &'static Field, texts: &[Vec<u8>]) {
        self.any(field, &texts.join(&b' '));
    }

    fn names(&mut self, field: &'static Field, names: impl Iterator<Item = &'static str>) {
        self.name(field, &names.collect::<Vec<_>>().join(" "));
    }

    fn message(&mut self, _: &'static Field, message: &Message) {
        message.tell(self);
    }
}
