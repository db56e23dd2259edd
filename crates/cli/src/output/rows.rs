//! CSV and TSV: the record's plain fields, one row a URL.

use super::json;
use super::record::{Gaps, UrlRecord};
use csv::WriterBuilder;

/// The columns. More may be added at the end.
const COLUMNS: [&str; 22] = [
    "path",
    "member",
    "url",
    "start",
    "end",
    "line",
    "column",
    "form",
    "scheme",
    "host",
    "fragment",
    "profile",
    "valid",
    "violations",
    "findings",
    "joins",
    "readings",
    "quote_depth",
    "message_id",
    "date",
    "newsgroups",
    "list",
];

/// The header line.
pub(crate) fn header(delimiter: u8, counted: bool) -> Vec<u8> {
    let mut out = COLUMNS.join(char::from(delimiter).encode_utf8(&mut [0; 4])).into_bytes();
    if counted {
        out.push(delimiter);
        out.extend_from_slice(b"count");
    }
    out.push(b'\n');
    out
}

/// Appends the row of a URL. Lists are separated by blanks: violations and findings by their
/// codes, joins as `start-end/kind/grade`, the readings but the first.
pub(super) fn write(out: &mut Vec<u8>, delimiter: u8, record: &UrlRecord<'_>) -> Gaps {
    let before = out.len();
    write_row(out, delimiter, record).unwrap_or_else(|_| {
        // Writing to memory does not fail; if it ever does, half a row would be worse than none.
        out.truncate(before);
        Gaps::default()
    })
}

fn write_row(out: &mut Vec<u8>, delimiter: u8, record: &UrlRecord<'_>) -> csv::Result<Gaps> {
    let mut gaps = Gaps::default();
    let mut digits = Vec::with_capacity(20);
    let mut number = move |value: u64| {
        digits.clear();
        json::number(&mut digits, value);
        digits.clone()
    };
    let base = out.len();
    // The writer has no way to say where it is, so each half of the row is written by its own.
    let mut row = writer(delimiter);
    row.write_field(&record.file.path)?;
    row.write_field(record.file.member.as_deref().unwrap_or_default())?;
    row.write_field(record.url)?;
    row.write_field(number(record.span.start))?;
    row.write_field(number(record.span.end))?;
    out.extend_from_slice(&finish(row)?);
    out.push(delimiter);
    match record.line {
        Some(line) => out.extend_from_slice(&number(line)),
        None => gaps.line = Some(out.len()),
    }
    out.push(delimiter);
    match record.column {
        Some(column) => out.extend_from_slice(&number(column)),
        None => gaps.column = Some(out.len()),
    }
    out.push(delimiter);
    let mut row = writer(delimiter);
    row.write_field(record.form.name())?;
    row.write_field(record.scheme.unwrap_or_default())?;
    row.write_field(record.host.unwrap_or_default())?;
    row.write_field(record.fragment.unwrap_or_default())?;
    row.write_field(record.profile.name())?;
    row.write_field(if record.is_valid() { "true" } else { "false" })?;
    row.write_field(listed(record.violations().map(|report| report.code.name().as_bytes())))?;
    row.write_field(listed(record.findings().map(|report| report.code.name().as_bytes())))?;
    let joins: Vec<String> = record
        .joins
        .iter()
        .map(|join| {
            let (kind, grade) = (join.kind.name(), join.grade.name());
            format!("{}-{}/{kind}/{grade}", join.span.start, join.span.end)
        })
        .collect();
    row.write_field(joins.join(" "))?;
    row.write_field(listed(record.others.iter().map(Vec::as_slice)))?;
    row.write_field(number(u64::from(record.quote_depth)))?;
    let message = record.message;
    row.write_field(message.and_then(|m| m.id.as_deref()).unwrap_or_default())?;
    row.write_field(message.and_then(|m| m.date.as_deref()).unwrap_or_default())?;
    row.write_field(listed(message.iter().flat_map(|m| m.newsgroups.iter().map(Vec::as_slice))))?;
    row.write_field(message.and_then(|m| m.list.as_deref()).unwrap_or_default())?;
    row.write_record(None::<&[u8]>)?;
    out.extend_from_slice(&finish(row)?);
    debug_assert!(out.len() > base);
    Ok(gaps)
}

fn writer(delimiter: u8) -> csv::Writer<Vec<u8>> {
    WriterBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .buffer_capacity(256)
        .from_writer(Vec::new())
}

fn finish(row: csv::Writer<Vec<u8>>) -> csv::Result<Vec<u8>> {
    row.into_inner().map_err(|error| csv::Error::from(std::io::Error::from(error.error().kind())))
}

fn listed<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Vec<u8> {
    let mut out = Vec::new();
    for text in texts {
        if !out.is_empty() {
            out.push(b' ');
        }
        out.extend_from_slice(text);
    }
    out
}
