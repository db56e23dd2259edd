//! A record of a web archive, and what both formats make of a header.

use crate::utc::Utc;
use core::ops::Range;
use memchr::memrchr;

/// The longest header that is believed.
pub(super) const LONGEST_HEADER: usize = 64 << 10;

/// The record of a web archive that a document stands in, as its header tells it.
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
    /// Its number among the records of the unit.
    pub number: u64,
    /// What was fetched; empty where the header does not tell.
    pub uri: &'a [u8],
    /// The identifier of the record, without angle brackets; empty in ARC.
    pub id: &'a [u8],
    /// Its type: `response`, `conversion`.
    pub kind: &'a [u8],
    pub(super) date: &'a [u8],
    /// Whether only the start of its body was read: it is packed, and goes on behind what is unpacked.
    pub is_cut: bool,
}

impl WebPage<'_> {
    /// When it was fetched.
    pub fn date(&self) -> Option<Utc> {
        of_digits(self.date).or_else(|| Utc::parse(self.date))
    }
}

/// A record, by its places in the text.
#[derive(Clone, Debug)]
pub(crate) struct WebRecord<'t> {
    pub page: WebPage<'t>,
    /// The media type of its block.
    pub content_type: &'t [u8],
    pub block: Range<usize>,
    /// Where the next one starts.
    pub(super) end: usize,
}

/// A record that starts at a place, if one does.
pub(super) enum Start<'t> {
    Record(WebRecord<'t>),
    Nothing,
    /// Its header goes on behind the text.
    Unknown,
}

/// Where the line breaks end that stand at `at`, of which a record has at most `most` bytes behind it.
pub(super) fn behind_breaks(text: &[u8], at: usize, most: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take(most).take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}

/// A number in decimal digits.
pub(super) fn number(text: &[u8]) -> Option<usize> {
    str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

/// The last word of a line, and what stands before it.
pub(super) fn last_word(line: &[u8]) -> (&[u8], &[u8]) {
    match memrchr(b' ', line) {
        Some(at) => (line.get(..at).unwrap_or_default(), line.get(at + 1..).unwrap_or_default()),
        None => (b"", line),
    }
}

/// A time of fourteen digits.
fn of_digits(digits: &[u8]) -> Option<Utc> {
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
