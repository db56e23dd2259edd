//! The formats of web archives: WARC (ISO 28500), including WET, and its predecessor ARC. A web
//! archive is a sequence of records, each with its length.

mod arc;
pub(crate) mod http;
mod record;
mod warc;

pub use self::record::WebPage;
pub(crate) use self::record::WebRecord;

use self::record::Start;
use crate::head::Head;
use crate::message::MAX_WHOLE_LEN;
use core::iter::once;
use core::ops::Range;
use memchr::{memchr, memchr_iter};

/// The format of a web archive.
///
/// ```
/// use urlsift_archive::{Container, Head, Reading, WebFormat, detect};
/// let head = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
/// assert_eq!(detect(Head::of(head), None, Reading::Auto), Container::Web(WebFormat::Warc));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WebFormat {
    /// WARC, including WET and WAT.
    Warc,
    /// ARC, which the Internet Archive wrote until 2008.
    Arc,
}

impl WebFormat {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Warc, Self::Arc];

    /// Returns the format's stable name, as used in lists of units.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warc => "warc",
            Self::Arc => "arc",
        }
    }
}

/// The records of a web archive to read (`--web-records`).
///
/// ```
/// use urlsift_archive::{Options, WebRecords};
/// let mut options = Options::default();
/// assert_eq!(options.web_records, WebRecords::Pages);
/// options.web_records = "all".parse()?;
/// # Ok::<(), urlsift_core::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WebRecords {
    /// Server responses (`response`), and texts converted from them (`conversion`).
    #[default]
    Pages,
    /// Also `resource`, `request`, `metadata`, `warcinfo` and `revisit`.
    All,
}

impl WebRecords {
    /// All values.
    pub const ALL: [Self; 2] = [Self::Pages, Self::All];

    /// Returns the value's stable name, as used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::All => "all",
        }
    }
}

urlsift_core::by_name!(WebFormat, WebRecords);

/// A record of a web archive, or a line between records.
#[derive(Debug)]
pub(crate) enum WebPiece<'t> {
    /// A record.
    Record(WebRecord<'t>),
    /// The range of a line outside of records, including its line break.
    Stray(Range<usize>),
}

/// An iterator over the records of a text, and the lines between them. The text starts at a record
/// or between two records.
#[derive(Debug)]
pub(crate) struct WebPieces<'t> {
    format: WebFormat,
    text: &'t [u8],
    at: usize,
    number: u64,
}

impl<'t> WebPieces<'t> {
    pub(crate) fn new(format: WebFormat, text: &'t [u8]) -> Self {
        Self { format, text, at: 0, number: 0 }
    }

    /// Parses the record at the current offset, if there is one.
    fn parse_current_record(&self) -> Start<'t> {
        self.parse_record_at(self.at)
    }

    /// Parses the record that starts at offset `at` of the text, if there is one.
    fn parse_record_at(&self, at: usize) -> Start<'t> {
        parse_record_at(self.format, self.text, at)
    }

    /// Sets the end of `record`, whose declared length may be wrong. If another record starts
    /// within that length, the record ends there. Otherwise it ends after its declared length, or
    /// at the end of the text.
    fn set_end_by_next_record(&self, record: &mut WebRecord<'_>) {
        let end = record.block.end.min(self.text.len());
        let block = self.text.get(..end).unwrap_or_default();
        if let Ok(at) = next_record_start(self.format, block, record.block.start, true) {
            (record.block.end, record.end) = (at, at);
        } else if record.block.end > end {
            (record.block.end, record.end) = (end, end);
        }
    }
}

impl<'t> Iterator for WebPieces<'t> {
    type Item = WebPiece<'t>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        match self.parse_current_record() {
            Start::Record(mut record) => {
                record.page.number = self.number;
                self.number += 1;
                if record.block.end > self.text.len() || has_untrusted_length(&record) {
                    self.set_end_by_next_record(&mut record);
                }
                self.at = record.end.min(self.text.len());
                return Some(WebPiece::Record(record));
            }
            // After a truncated header, there is no content to read.
            Start::Unknown if self.format == WebFormat::Warc => {
                self.at = self.text.len();
                return None;
            }
            Start::Unknown | Start::Nothing => {}
        }
        let len = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        self.at += len;
        Some(WebPiece::Stray(self.at - len..self.at))
    }
}

/// Parses the web archive record that starts at offset `at` of `text`, if there is one.
fn parse_record_at(format: WebFormat, text: &[u8], at: usize) -> Start<'_> {
    match format {
        WebFormat::Warc => warc::parse_warc_record(text, at),
        WebFormat::Arc => arc::parse_arc_record(text, at),
    }
}

impl WebFormat {
    /// Parses the record that starts at offset `at` of `text`, if there is one, without the
    /// properties of its page.
    fn parse_record_without_page(self, text: &[u8], at: usize) -> Start<'_> {
        match self {
            Self::Warc => warc::parse_warc_record_without_page(text, at),
            Self::Arc => arc::parse_arc_record(text, at),
        }
    }
}

/// True if a record is so long that its declared length is not trusted. Such a record ends at the
/// next record within that length, if there is one. If the length were trusted, a wrong length
/// could only be detected at the end of the file.
fn has_untrusted_length(record: &WebRecord<'_>) -> bool {
    (record.block.end - record.block.start) as u64 > MAX_WHOLE_LEN
}

/// Returns the offset of the first record in `text` that starts at or after `from`, which must be
/// the start of a line.
///
/// # Errors
///
/// If no record is found, returns an offset before which no record starts. The search can continue
/// there when more bytes are available. `is_last` must be true if no more bytes follow `text`.
pub fn next_record_start(
    format: WebFormat,
    text: &[u8],
    from: usize,
    is_last: bool,
) -> Result<usize, usize> {
    let rest = text.get(from..).unwrap_or_default();
    let lines = memchr_iter(b'\n', rest).map(|line| from + line + 1);
    for line in once(from).chain(lines) {
        match parse_record_at(format, text, line) {
            Start::Record(_) => return Ok(line),
            Start::Unknown if !is_last => return Err(line),
            _ => {}
        }
    }
    Err(text.len())
}

/// True if `text` contains the whole first record, and at least one byte after it. Without that
/// byte, the line breaks after the record may be incomplete. If `text` starts outside of records,
/// this is true if `text` contains the whole first line.
pub fn has_complete_first_record(format: WebFormat, text: &[u8]) -> bool {
    match parse_record_at(format, text, 0) {
        Start::Record(record) => record.end < text.len(),
        Start::Unknown => false,
        Start::Nothing => memchr(b'\n', text).is_some(),
    }
}

/// Returns the record at the start of `text`, if there is one. The end of the record may be
/// missing.
pub(crate) fn parse_first_record(format: WebFormat, text: &[u8]) -> Option<WebRecord<'_>> {
    match parse_record_at(format, text, 0) {
        Start::Record(record) => Some(record),
        Start::Nothing | Start::Unknown => None,
    }
}

/// Returns the total length in bytes of the complete records and lines at the start of `text`,
/// which is part of a web archive. Call this only if more bytes follow `text`.
pub(crate) fn complete_records_len(format: WebFormat, text: &[u8]) -> usize {
    let mut pieces = WebPieces::new(format, text);
    loop {
        let at = pieces.at;
        match format.parse_record_without_page(text, at) {
            // At least one byte must follow the record, because the line breaks that end it may
            // continue after `text`.
            Start::Record(mut record) if record.end < text.len() => {
                if has_untrusted_length(&record) {
                    pieces.set_end_by_next_record(&mut record);
                }
                pieces.at = record.end;
            }
            Start::Record(_) | Start::Unknown => return at,
            Start::Nothing => match text.get(at..).and_then(|rest| memchr(b'\n', rest)) {
                Some(line) => pieces.at = at + line + 1,
                None => return at,
            },
        }
    }
}

/// Detects a web archive by its first bytes. Returns `Some(None)` if the file is not a web archive,
/// and `None` if more bytes are needed.
#[expect(clippy::option_option, reason = "the outer `None` means that more of the head is needed")]
pub(crate) fn detect_web_format(head: Head<'_>) -> Option<Option<WebFormat>> {
    let bytes = head.bytes();
    if head.starts_with(b"WARC/")? {
        if matches!(warc::parse_warc_record(bytes, 0), Start::Record(_)) {
            return Some(Some(WebFormat::Warc));
        }
        return if warc::header_ends_within(bytes) {
            Some(None)
        } else {
            head.answer_if_complete(None)
        };
    }
    let is_arc = head.starts_with(b"filedesc://")?
        && matches!(arc::parse_arc_record(bytes, 0), Start::Record(_));
    Some(is_arc.then_some(WebFormat::Arc))
}
