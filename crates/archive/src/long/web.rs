//! Reads web archive records that are too long to be in memory.

use crate::content::Content;
use crate::options::Options;
use crate::walk::{LongRecord, WebReading, readable_content};
use crate::web::{self, WebFormat, http};

/// The kind of an item of a web archive that doesn't fit into the buffer: see [`overlong_kind`].
///
/// ```
/// use urlsift_archive::long::{Overlong, overlong_kind};
/// use urlsift_archive::{Options, WebFormat};
/// let held = b"WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 1000000000\r\n\r\nGET / HTTP/1.1\r\n";
/// let header = held.len() - b"GET / HTTP/1.1\r\n".len();
/// let is = Overlong::Skipped { block: header, end: header as u64 + 1_000_000_000 };
/// assert_eq!(overlong_kind(WebFormat::Warc, held, &Options::default()), is);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Overlong {
    /// A record that is scanned.
    Read {
        /// The offset of the record's block in the buffer.
        block: usize,
        /// The offset of the block's end, by the declared length.
        end: u64,
    },
    /// A record that is skipped after its header.
    Skipped {
        /// The offset of the record's block in the buffer.
        block: usize,
        /// The offset of the block's end, by the declared length.
        end: u64,
    },
    /// Text outside of any record.
    Stray,
}

/// Returns the kind of the item at the start of `buffered`, the buffered bytes of a web archive.
/// Call this if the buffer is full and does not contain the whole item.
pub fn overlong_kind(format: WebFormat, buffered: &[u8], options: &Options) -> Overlong {
    let Some(record) = web::parse_first_record(format, buffered) else { return Overlong::Stray };
    let (block, end) = (record.block.start, record.block.end as u64);
    let is_read = match WebReading::choose(buffered, &record, options) {
        WebReading::Skipped => false,
        WebReading::Raw(_) | WebReading::Coded(..) => true,
        WebReading::Body(body, content) => {
            readable_content(buffered.get(body).unwrap_or_default(), content).is_some()
        }
    };
    if is_read { Overlong::Read { block, end } } else { Overlong::Skipped { block, end } }
}

/// Returns the facts that are needed to read the record at the start of `bytes` piece by piece, and
/// the properties of its body. [`LongRecord::body`] is the offset of the body in `bytes`.
pub(super) fn describe_long_record<'t>(
    format: WebFormat,
    bytes: &'t [u8],
    options: &Options,
) -> (LongRecord, Content<'t>) {
    let none = LongRecord { format, body: 0, kind: None, is_encoded: false };
    let Some(record) = web::parse_first_record(format, bytes) else {
        return (none, Content::default());
    };
    let (body, content, is_encoded) = match WebReading::choose(bytes, &record, options) {
        WebReading::Skipped => {
            return (LongRecord { body: record.block.start, ..none }, Content::default());
        }
        WebReading::Raw(block) => (block, Some(Content::default()), false),
        WebReading::Body(body, content) => {
            let content = readable_content(bytes.get(body.clone()).unwrap_or_default(), content);
            (body, content, false)
        }
        WebReading::Coded(response, content) => {
            let bytes = bytes.get(response.body.clone()).unwrap_or_default();
            let is_encoded = http::is_body_encoded(bytes, &response);
            let content = if is_encoded {
                Some(content.unwrap_or_default())
            } else {
                readable_content(bytes, content)
            };
            (response.body, content, is_encoded)
        }
    };
    let record = LongRecord {
        body: body.start,
        kind: content.map(|content| content.kind),
        is_encoded,
        ..none
    };
    (record, content.unwrap_or_default())
}
