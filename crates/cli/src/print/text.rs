//! One URL a line, with what ripgrep's letters ask for before it.

use super::sanitize;
use crate::output::file_name::FileName;
use crate::output::record::{Gaps, UrlRecord};
use crate::output::roll::Roll;
use crate::output::{Style, json};
use urlsift_core::Span;
use urlsift_scanner::Candidate;

const PATH: &[u8] = b"\x1b[35m";
const NUMBER: &[u8] = b"\x1b[32m";
const RESET: &[u8] = b"\x1b[0m";

/// Appends the piece of `text` at `span` as a line, without looking at it.
#[inline(always)]
pub(crate) fn line(out: &mut Roll, text: &[u8], span: Span) {
    // Most URLs are short: to copy a piece of a fixed size, of which the rest is overwritten, is
    // half the work of asking the library for one of just that length.
    const SHORT: usize = 64;
    if span.len() < SHORT
        && let Some(piece) = text.get(span.start..).and_then(|text| text.first_chunk::<SHORT>())
    {
        let room = out.room();
        *room = *piece;
        room[span.len()] = b'\n';
        out.grow(span.len() + 1);
        return;
    }
    out.extend_from_slice(&text[span.range()]);
    out.extend_from_slice(b"\n");
}

/// Appends a URL that is put together of pieces as a line, without looking at it.
#[inline(never)]
pub(crate) fn broken_line(out: &mut Roll, candidate: &Candidate<'_>) {
    candidate.written().for_each(|piece| out.extend_from_slice(piece));
    out.extend_from_slice(b"\n");
}

/// Appends `url`, which is the record's own or another reading of it.
pub(crate) fn write(style: &Style, out: &mut Vec<u8>, record: &UrlRecord<'_>, url: &[u8]) -> Gaps {
    let mut gaps = Gaps::default();
    if style.path {
        path(style, out, record.file);
        out.push(if style.null { 0 } else { b':' });
    }
    if style.line {
        number(style, out, record.line, &mut gaps.line);
    }
    if style.column {
        number(style, out, record.column, &mut gaps.column);
    }
    if style.offset {
        number(style, out, Some(record.span.start), &mut None);
    }
    out.extend_from_slice(&sanitize::clean(url, style.terminal));
    out.push(b'\n');
    gaps
}

fn number(style: &Style, out: &mut Vec<u8>, value: Option<u64>, gap: &mut Option<usize>) {
    if style.color {
        out.extend_from_slice(NUMBER);
    }
    match value {
        Some(value) => json::number(out, value),
        None => *gap = Some(out.len()),
    }
    if style.color {
        out.extend_from_slice(RESET);
    }
    out.push(b':');
}

/// Appends a path, and the member where there is one.
pub(crate) fn path(style: &Style, out: &mut Vec<u8>, file: &FileName) {
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
        out.extend_from_slice(b"!/");
        out.extend_from_slice(&sanitize::clean(member, terminal));
    }
    if style.color {
        out.extend_from_slice(RESET);
    }
}
