//! WARC: a line with the version, fields as those of mail, an empty line, a block of bytes, two line breaks.

use super::record::{LONGEST_HEADER, Start, WebPage, WebRecord, behind_breaks, number};
use crate::header::Fields;
use memchr::{memchr, memchr_iter};

/// The record that starts at `at`, if one does.
pub(super) fn start(text: &[u8], at: usize) -> Start<'_> {
    let rest = text.get(at..).unwrap_or_default();
    let head = rest.get(..rest.len().min(5)).unwrap_or_default();
    if !b"WARC/".starts_with(head) {
        return Start::Nothing;
    }
    let window = rest.get(..rest.len().min(LONGEST_HEADER)).unwrap_or_default();
    let is_cut = window.len() == rest.len();
    let unknown = || if is_cut { Start::Unknown } else { Start::Nothing };
    let Some(line) = memchr(b'\n', window) else { return unknown() };
    let version = window.get(5..line).unwrap_or_default();
    if !version.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'\r')) {
        return Start::Nothing;
    }
    // Without the empty line behind it the header may go on, but not over the start of another.
    let ends = memchr_iter(b'\n', window).find_map(|at| match window.get(at + 1..)? {
        [b'\n', ..] | [b'\r', b'\n', ..] => Some(true),
        rest => rest.starts_with(b"WARC/").then_some(false),
    });
    match ends {
        Some(true) => {}
        Some(false) => return Start::Nothing,
        None => return unknown(),
    }
    let mut fields = Fields::new(window, line + 1);
    let mut page = WebPage { number: 0, uri: b"", id: b"", kind: b"", date: b"", is_cut: false };
    let (mut len, mut content_type) = (None, &b""[..]);
    for field in fields.by_ref() {
        let value = field.value().trim_ascii();
        let is = |name: &str| field.name().eq_ignore_ascii_case(name.as_bytes());
        if is("WARC-Type") {
            page.kind = value;
        } else if is("WARC-Target-URI") {
            page.uri = bare(value);
        } else if is("WARC-Date") {
            page.date = value;
        } else if is("WARC-Record-ID") {
            page.id = bare(value);
        } else if is("Content-Type") {
            content_type = value;
        } else if is("Content-Length") {
            len = number(value);
        }
    }
    let body = fields.body();
    let Some(len) = len.filter(|_| window.get(..body).is_some_and(ends_header)) else {
        return Start::Nothing;
    };
    let block = at + body..(at + body).saturating_add(len);
    let end = behind_breaks(text, block.end, 4);
    Start::Record(WebRecord { page, content_type, block, end })
}

fn ends_header(header: &[u8]) -> bool {
    header.ends_with(b"\n\r\n") || header.ends_with(b"\n\n")
}

/// What stands in angle brackets, which old writers put around all identifiers.
fn bare(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"<").and_then(|value| value.strip_suffix(b">")).unwrap_or(value)
}
