//! One URL a line, with what ripgrep's letters ask for before it.

use super::sanitize;
use super::style::Style;
use urlsift_records::write::json;
use urlsift_records::{FileName, UrlRecord};

const PATH: &[u8] = b"\x1b[35m";
const NUMBER: &[u8] = b"\x1b[32m";
const RESET: &[u8] = b"\x1b[0m";

/// Appends `url`, which is the record's own or another reading of it.
pub(super) fn write(style: &Style, out: &mut Vec<u8>, record: &UrlRecord<'_>, url: &[u8]) {
    if style.path {
        path(style, out, &record.file, b"!/");
        out.push(if style.null { 0 } else { b':' });
    }
    let numbers = [
        record.line.filter(|_| style.line),
        record.column.filter(|_| style.column),
        style.offset.then_some(record.span.start),
    ];
    for value in numbers.into_iter().flatten() {
        if style.color {
            out.extend_from_slice(NUMBER);
        }
        json::number(out, value);
        if style.color {
            out.extend_from_slice(RESET);
        }
        out.push(b':');
    }
    out.extend_from_slice(&sanitize::clean(url, style.terminal));
    out.push(b'\n');
}

/// Appends a path, and behind `mark` the member where there is one.
pub(super) fn path(style: &Style, out: &mut Vec<u8>, file: &FileName, mark: &[u8]) {
    if style.color {
        out.extend_from_slice(PATH);
    }
    // With NUL after paths they are read by programs and come as they are.
    let terminal = style.terminal && !style.null;
    if style.null {
        out.extend_from_slice(&file.path);
    } else {
        out.extend_from_slice(&sanitize::clean(&file.path, terminal));
    }
    if let Some(member) = &file.member {
        out.extend_from_slice(mark);
        out.extend_from_slice(&sanitize::clean(member, terminal));
    }
    if style.color {
        out.extend_from_slice(RESET);
    }
}
