//! The WARC format. A record is a line with the version, header fields like those of mail, an empty
//! line, a block of bytes, and two line breaks.

use super::record::{MAX_HEADER_LEN, Start, WebPage, WebRecord, parse_number, skip_line_breaks};
use crate::header::{Field, Fields, visit_usual_fields};
use crate::name::Name;
use memchr::{memchr, memchr_iter};

const TYPE: Name = Name::new(b"warc-type");
const TARGET_URI: Name = Name::new(b"warc-target-uri");
const DATE: Name = Name::new(b"warc-date");
const RECORD_ID: Name = Name::new(b"warc-record-id");
const CONTENT_TYPE: Name = Name::new(b"content-type");
const CONTENT_LENGTH: Name = Name::new(b"content-length");

/// Parses the WARC record that starts at offset `at` of `text`, if there is one.
pub(super) fn parse_warc_record(text: &[u8], at: usize) -> Start<'_> {
    parse_warc_record_with::<true>(text, at)
}

/// Does the same as [`parse_warc_record`], but doesn't set the properties of the page.
pub(super) fn parse_warc_record_without_page(text: &[u8], at: usize) -> Start<'_> {
    parse_warc_record_with::<false>(text, at)
}

/// Parses the WARC record that starts at offset `at` of `text`, if there is one. Sets the
/// properties of the page if `WITH_PAGE` is true.
fn parse_warc_record_with<const WITH_PAGE: bool>(text: &[u8], at: usize) -> Start<'_> {
    let rest = text.get(at..).unwrap_or_default();
    let head = rest.get(..rest.len().min(5)).unwrap_or_default();
    if !b"WARC/".starts_with(head) {
        return Start::Nothing;
    }
    let window = rest.get(..rest.len().min(MAX_HEADER_LEN)).unwrap_or_default();
    let is_cut = window.len() == rest.len();
    let unknown = || if is_cut { Start::Unknown } else { Start::Nothing };
    let Some(line) = memchr(b'\n', window) else { return unknown() };
    let version = window.get(5..line).unwrap_or_default();
    if !version.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'\r')) {
        return Start::Nothing;
    }
    let mut header = Header::default();
    let at_odd = visit_usual_fields(window, line + 1, |_| true, &mut |field| {
        header.read_field::<WITH_PAGE>(window, &field);
    });
    let body = match window.get(at_odd..) {
        Some([b'\n', ..]) => at_odd + 1,
        Some([b'\r', b'\n', ..]) => at_odd + 2,
        _ => {
            let mut fields = Fields::resume_at(window, line + 1, at_odd);
            while !header.contains_another
                && let Some(field) = fields.next()
            {
                header.read_field::<WITH_PAGE>(window, &field);
            }
            let body = fields.body_start();
            if !header.contains_another && !window.get(..body).is_some_and(ends_with_empty_line) {
                return if header_ends_within(window) { Start::Nothing } else { unknown() };
            }
            body
        }
    };
    let Header { page, len: Some(len), content_type, contains_another: false } = header else {
        return Start::Nothing;
    };
    let block = at + body..(at + body).saturating_add(len);
    let end = skip_line_breaks(text, block.end, 4);
    Start::Record(WebRecord { page, content_type, block, end })
}

/// The values of those WARC header fields that this module uses.
struct Header<'t> {
    page: WebPage<'t>,
    /// The length of the block; `None` if the header has no valid length.
    len: Option<usize>,
    content_type: &'t [u8],
    /// True if another record starts within the header. (The empty line after the header may be
    /// missing.)
    contains_another: bool,
}

impl Default for Header<'_> {
    fn default() -> Self {
        let page = WebPage { number: 0, uri: b"", id: b"", kind: b"", date: b"", is_cut: false };
        Self { page, len: None, content_type: b"", contains_another: false }
    }
}

impl<'t> Header<'t> {
    /// Updates the values with `field`, a field of the header in `text`. If `WITH_PAGE` is false,
    /// reads only the fields that determine the record's length.
    #[inline]
    fn read_field<const WITH_PAGE: bool>(&mut self, text: &'t [u8], field: &Field<'t>) {
        self.contains_another |= field.line_starts_with(b"WARC/");
        if !WITH_PAGE && !field.line_starts_with(b"C") && !field.line_starts_with(b"c") {
            return;
        }
        let value = || field.value().trim_ascii();
        match Name::from_range(text, &field.name_range()) {
            TYPE => self.page.kind = value(),
            TARGET_URI => self.page.uri = strip_angle_brackets(value()),
            DATE => self.page.date = value(),
            RECORD_ID => self.page.id = strip_angle_brackets(value()),
            CONTENT_TYPE => self.content_type = value(),
            CONTENT_LENGTH => self.len = parse_number(value()),
            _ => {}
        }
    }
}

/// True if the header at the start of `window` ends within it: at an empty line, or because another
/// record starts.
#[cold]
pub(super) fn header_ends_within(window: &[u8]) -> bool {
    memchr_iter(b'\n', window).any(|at| match window.get(at + 1..) {
        Some(rest) => [&b"\n"[..], b"\r\n", b"WARC/"].iter().any(|end| rest.starts_with(end)),
        None => false,
    })
}

/// True if `header` ends with an empty line.
fn ends_with_empty_line(header: &[u8]) -> bool {
    header.ends_with(b"\n\r\n") || header.ends_with(b"\n\n")
}

/// Returns a value without the angle brackets around it. Old writers put them around every
/// identifier and URL.
fn strip_angle_brackets(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"<").and_then(|value| value.strip_suffix(b">")).unwrap_or(value)
}
