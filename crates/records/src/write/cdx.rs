//! Writes CDX, the index format of web archives.

use crate::record::UrlRecord;
use crate::surt::surt;
use urlsift_core::percent_encode;

/// The header line of a CDX file with the fields key, date and URL.
pub const HEADER: &[u8] = b" CDX N b a\n";

/// True if a web archive can contain the resource that the URL of `record` identifies. False for
/// mail addresses, newsgroups, articles and parts of messages.
pub fn can_be_archived(record: &UrlRecord<'_>) -> bool {
    !matches!(record.scheme.as_deref(), Some("mailto" | "news" | "mid" | "cid"))
}

/// Appends a line of a CDX index for a URL: its [key](surt), the date of the message that contains
/// it, and the URL. The date has 14 digits, or is `-` if there is none.
///
/// Spaces, control characters and bytes that are not UTF-8 are percent-encoded in the URL.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{FileName, Options, Unit, collect_records, write::cdx};
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"http://www.host.dom/a");
/// let mut out = cdx::HEADER.to_vec();
/// for record in collect_records(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &Options::default()) {
///     cdx::write_cdx_line(&mut out, &record);
/// }
/// assert_eq!(out, b" CDX N b a\ndom,host)/a - http://www.host.dom/a\n");
/// ```
pub fn write_cdx_line(out: &mut Vec<u8>, record: &UrlRecord<'_>) {
    let written = record.absolute_url();
    let is_text = str::from_utf8(written).is_ok();
    let is_kept = |byte: u8| byte.is_ascii_graphic() || (is_text && !byte.is_ascii());
    let url = percent_encode(written, is_kept);
    out.extend_from_slice(&surt(written));
    out.push(b' ');
    match record.message.as_ref().and_then(|message| message.date.as_ref()) {
        Some(date) => out.extend(date.to_rfc3339().iter().filter(|byte| byte.is_ascii_digit())),
        None => out.push(b'-'),
    }
    out.push(b' ');
    out.extend_from_slice(&url);
    out.push(b'\n');
}
