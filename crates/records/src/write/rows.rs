//! CSV and TSV: the fields that have a column, one row a URL.

use super::fields::Fields;
use super::json;
use crate::fields::{Field, message, url};
use crate::record::{Join, Message, UrlRecord};
use urlsift_core::Report;

/// The columns, in order: those of the URL, then those of its message.
fn columns() -> impl Iterator<Item = &'static str> {
    url::ALL.iter().chain(message::ALL).filter_map(|field| field.column)
}

/// The header line. With `counted`, the number of occurrences has a column, too.
pub fn header(delimiter: u8, counted: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for column in columns().chain(counted.then_some(url::COUNT.name)) {
        if !out.is_empty() {
            out.push(delimiter);
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
/// use urlsift_records::write::rows;
///
/// let file = Arc::new(FileName { path: b"a,b.txt".to_vec(), member: None });
/// let bytes = b"http://host.dom/";
/// let records = collect(bytes, &Unit::whole(&file, bytes, Reading::Auto), &Options::default());
/// let mut out = Vec::new();
/// rows::row(&mut out, b',', &records[0]);
/// assert_eq!(out, b"\"a,b.txt\",,http://host.dom/,0,16,1,1,bare,http,host.dom,,web,true,,,,,0,,,,\n");
/// ```
pub fn row(out: &mut Vec<u8>, delimiter: u8, record: &UrlRecord<'_>) {
    let mut row = Row { out, delimiter, columns: Box::new(columns()), written: false };
    record.tell(&mut row);
    while row.columns.next().is_some() {
        row.separate();
    }
    row.out.push(b'\n');
}

/// Adds a number to a row that is a line already.
pub fn amend(line: &mut Vec<u8>, delimiter: u8, value: u64) {
    line.pop();
    line.push(delimiter);
    json::number(line, value);
    line.push(b'\n');
}

/// A row in the making.
struct Row<'o> {
    out: &'o mut Vec<u8>,
    delimiter: u8,
    /// The columns to come.
    columns: Box<dyn Iterator<Item = &'static str>>,
    /// Whether there is a cell before the next one.
    written: bool,
}

impl Row<'_> {
    fn separate(&mut self) {
        if std::mem::replace(&mut self.written, true) {
            self.out.push(self.delimiter);
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

    /// Adds a cell of any bytes: between quotation marks where they hold what ends a cell or a row.
    fn quoted(&mut self, field: &Field, text: &[u8]) {
        let delimiter = self.delimiter;
        self.cell(field, |out| {
            if !text.iter().any(|&byte| byte == delimiter || b"\"\r\n".contains(&byte)) {
                return out.extend_from_slice(text);
            }
            out.push(b'"');
            for &byte in text {
                if byte == b'"' {
                    out.push(byte);
                }
                out.push(byte);
            }
            out.push(b'"');
        });
    }
}

impl Fields for Row<'_> {
    fn text(&mut self, field: &'static Field, text: Option<&[u8]>) {
        self.quoted(field, text.unwrap_or_default());
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
        self.quoted(field, &texts.join(&b' '));
    }

    fn names(&mut self, field: &'static Field, names: impl Iterator<Item = &'static str>) {
        self.name(field, &names.collect::<Vec<_>>().join(" "));
    }

    fn message(&mut self, _: &'static Field, message: &Message) {
        message.tell(self);
    }
}
