//! The ARC format. A record is a header line, a block of bytes, and a line break. The words of the
//! header line are the URL, the IP address, the time, the media type, five more words in version 2,
//! and the length of the block.

use super::record::{
    MAX_HEADER_LEN, Start, WebPage, WebRecord, parse_number, skip_line_breaks, split_last_word,
};
use memchr::memchr;

/// Parses the ARC record that starts at offset `at` of `text`, if there is one.
pub(super) fn parse_arc_record(text: &[u8], at: usize) -> Start<'_> {
    let rest = text.get(at..).unwrap_or_default();
    let window = rest.get(..rest.len().min(MAX_HEADER_LEN)).unwrap_or_default();
    let Some(line) = memchr(b'\n', window) else {
        return if window.len() == rest.len() { Start::Unknown } else { Start::Nothing };
    };
    let header = window.get(..line).unwrap_or_default().trim_ascii_end();
    match parse_header_line(header, 0).or_else(|| parse_header_line(header, 5)) {
        Some((page, content_type, len)) => {
            let block = at + line + 1..(at + line + 1).saturating_add(len);
            let end = skip_line_breaks(text, block.end, 2);
            Start::Record(WebRecord { page, content_type, block, end })
        }
        None => Start::Nothing,
    }
}

/// Parses the header line of an ARC record. Returns the page, the media type and the length of the
/// block. `more` is the number of words in addition to the five of version 1. Returns `None` if the
/// line is not a header line.
fn parse_header_line(line: &[u8], more: usize) -> Option<(WebPage<'_>, &[u8], usize)> {
    let (mut rest, len) = split_last_word(line);
    let len = parse_number(len)?;
    for _ in 0..more {
        rest = split_last_word(rest).0;
    }
    let (rest, content_type) = split_last_word(rest);
    let (rest, date) = split_last_word(rest);
    let (uri, _) = split_last_word(rest);
    let is_time = (12..=14).contains(&date.len()) && date.iter().all(u8::is_ascii_digit);
    memchr(b':', uri).filter(|_| is_time)?;
    let kind: &[u8] = if uri.starts_with(b"filedesc:") { b"warcinfo" } else { b"response" };
    Some((WebPage { number: 0, uri, id: b"", kind, date, is_cut: false }, content_type, len))
}
