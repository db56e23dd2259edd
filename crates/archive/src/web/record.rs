//! A record of a web archive, and the functions that the header parsers of both formats use.

use crate::utc::Utc;
use core::ops::Range;
use memchr::memrchr;

/// The maximum length of a header in bytes.
pub(super) const MAX_HEADER_LEN: usize = 64 << 10;

/// The web archive record that contains a document. The fields are data from the record's header.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, WebFormat, documents};
///
/// let raw = b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://host.dom/\r\n\
///             WARC-Date: 1996-01-01T00:00:00Z\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nHello\r\n\r\n";
/// documents(raw, Container::Web(WebFormat::Warc), 0, &Options::default(), &mut |document| {
///     let page = document.origin.web.unwrap();
///     assert_eq!((page.uri, page.kind, page.number), (&b"http://host.dom/"[..], &b"conversion"[..], 0));
///     assert_eq!(page.date().unwrap().to_string(), "1996-01-01T00:00:00Z");
///     ControlFlow::Continue(())
/// });
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct WebPage<'a> {
    /// The number of the record in the unit, counted from 0.
    pub number: u64,
    /// The URL of the page; empty if the record's header has no URL.
    pub uri: &'a [u8],
    /// The identifier of the record, without angle brackets; empty in ARC.
    pub id: &'a [u8],
    /// The type of the record, for example `response` or `conversion`.
    pub kind: &'a [u8],
    /// The time at which the page was fetched, as written in the header.
    pub(super) date: &'a [u8],
    /// True if only the start of the body was read. This happens to packed bodies that are too long
    /// or of which the end is not in memory.
    pub is_cut: bool,
}

impl WebPage<'_> {
    /// Returns the time at which the page was fetched, or `None` if the header has no valid time.
    pub fn date(&self) -> Option<Utc> {
        parse_digits_as_date(self.date).or_else(|| Utc::parse(self.date))
    }
}

/// A parsed record of a web archive: the data from its header, and the range of its block.
#[derive(Clone, Debug)]
pub(crate) struct WebRecord<'t> {
    pub page: WebPage<'t>,
    /// The media type of the block; empty if it isn't in the header.
    pub content_type: &'t [u8],
    /// The range of the block in the text. It may extend past the end of the text.
    pub block: Range<usize>,
    /// The offset after the line breaks that end the record.
    pub(super) end: usize,
}

/// The result of looking for the start of a web archive record at an offset.
pub(super) enum Start<'t> {
    /// A record starts there.
    Record(WebRecord<'t>),
    /// No record starts there.
    Nothing,
    /// Unknown, because the header may continue after the end of the text.
    Unknown,
}

/// Returns the offset after the line break characters at `at`, at most `max_count` of them.
pub(super) fn skip_line_breaks(text: &[u8], at: usize, max_count: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take(max_count).take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}

/// Parses a decimal number. Blanks around it are ignored. Returns `None` if it is not a number.
pub(super) fn parse_number(text: &[u8]) -> Option<usize> {
    str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

/// Splits a line at its last space. Returns the text before it and the last word.
pub(super) fn split_last_word(line: &[u8]) -> (&[u8], &[u8]) {
    match memrchr(b' ', line) {
        Some(at) => (line.get(..at).unwrap_or_default(), line.get(at + 1..).unwrap_or_default()),
        None => (b"", line),
    }
}

/// Parses a time of fourteen digits, such as `19960101000000`. Returns `None` for any other text.
fn parse_digits_as_date(digits: &[u8]) -> Option<Utc> {
    if digits.len() != 14 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let text = str::from_utf8(digits).ok()?;
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let written = format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0, 4),
        part(4, 6),
        part(6, 8),
        part(8, 10),
        part(10, 12),
        part(12, 14)
    );
    Utc::parse(written.as_bytes())
}
