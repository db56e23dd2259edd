//! Web archives: WARC (ISO 28500), with it WET, and ARC, its forerunner. Records one after the other, each with its length.

mod arc;
pub(crate) mod http;
mod record;
mod warc;

pub use self::record::WebPage;
pub(crate) use self::record::WebRecord;

use self::record::Start;
use crate::head::Head;
use crate::message::LONG;
use core::iter::once;
use core::ops::Range;
use memchr::{memchr, memchr_iter};

/// How the records of a web archive are written.
///
/// ```
/// use urlsift_archive::{Container, Head, Reading, WebFormat, detect};
/// let head = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
/// assert_eq!(detect(Head::of(head), None, Reading::Auto), Container::Web(WebFormat::Warc));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WebFormat {
    /// WARC, and WET and WAT, which are WARC.
    Warc,
    /// ARC, as the Internet Archive wrote it up to 2008.
    Arc,
}

impl WebFormat {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Warc, Self::Arc];

    /// The stable name, as in lists of units.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warc => "warc",
            Self::Arc => "arc",
        }
    }
}

/// Which records of a web archive are read (`--web-records`).
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
    /// What servers answered (`response`), and texts that were made of that (`conversion`).
    #[default]
    Pages,
    /// Also `resource`, `request`, `metadata`, `warcinfo` and `revisit`.
    All,
}

impl WebRecords {
    /// All choices.
    pub const ALL: [Self; 2] = [Self::Pages, Self::All];

    /// The stable name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::All => "all",
        }
    }
}

urlsift_core::by_name!(WebFormat, WebRecords);

/// What stands in a web archive.
#[derive(Debug)]
pub(crate) enum WebPiece<'t> {
    Record(WebRecord<'t>),
    /// A line that belongs to no record.
    Stray(Range<usize>),
}

/// The records of a text that starts with one, or between two.
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

    fn start(&self) -> Start<'t> {
        self.start_at(self.at)
    }

    fn start_at(&self, at: usize) -> Start<'t> {
        start_at(self.format, self.text, at)
    }

    /// Ends a record of whose length is not believed where the next one starts within it, or else by that length.
    fn end_by_next(&self, record: &mut WebRecord<'_>) {
        let end = record.block.end.min(self.text.len());
        let block = self.text.get(..end).unwrap_or_default();
        if let Ok(at) = next_record(self.format, block, record.block.start, true) {
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
        match self.start() {
            Start::Record(mut record) => {
                record.page.number = self.number;
                self.number += 1;
                if record.block.end > self.text.len() || is_long(&record) {
                    self.end_by_next(&mut record);
                }
                self.at = record.end.min(self.text.len());
                return Some(WebPiece::Record(record));
            }
            // A header that is cut off has nothing to read.
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

fn start_at(format: WebFormat, text: &[u8], at: usize) -> Start<'_> {
    match format {
        WebFormat::Warc => warc::start(text, at),
        WebFormat::Arc => arc::start(text, at),
    }
}

impl WebFormat {
    /// The record that starts at `at`, if one does, of which only the place is wanted.
    fn start_without_page(self, text: &[u8], at: usize) -> Start<'_> {
        match self {
            Self::Warc => warc::start_without_page(text, at),
            Self::Arc => arc::start(text, at),
        }
    }
}

/// Whether a record is so long that it ends where another one starts, whatever its length says: nobody could wait for the end
/// of a file to learn that it lies.
fn is_long(record: &WebRecord<'_>) -> bool {
    (record.block.end - record.block.start) as u64 > LONG
}

/// The first start of a record among the lines of `text` that start at `from` or behind it, where a line starts at `from`.
///
/// # Errors
///
/// There is none. No record starts before the place that is told; one may there, by what follows. Nothing follows with `last`.
pub fn next_record(
    format: WebFormat,
    text: &[u8],
    from: usize,
    last: bool,
) -> Result<usize, usize> {
    let rest = text.get(from..).unwrap_or_default();
    let lines = memchr_iter(b'\n', rest).map(|line| from + line + 1);
    for line in once(from).chain(lines) {
        match start_at(format, text, line) {
            Start::Record(_) => return Ok(line),
            Start::Unknown if !last => return Err(line),
            _ => {}
        }
    }
    Err(text.len())
}

/// Whether what `text` starts with, a record or a line that belongs to none, ends before it does. What follows may matter.
pub fn first_ends(format: WebFormat, text: &[u8]) -> bool {
    match start_at(format, text, 0) {
        Start::Record(record) => record.end < text.len(),
        Start::Unknown => false,
        Start::Nothing => memchr(b'\n', text).is_some(),
    }
}

/// The record that `text` starts with, of which the end may be missing.
pub(crate) fn record_at_start(format: WebFormat, text: &[u8]) -> Option<WebRecord<'_>> {
    match start_at(format, text, 0) {
        Start::Record(record) => Some(record),
        Start::Nothing | Start::Unknown => None,
    }
}

/// Up to where `text`, which more follows, holds whole records, or lines between them.
pub(crate) fn whole(format: WebFormat, text: &[u8]) -> usize {
    let mut pieces = WebPieces::new(format, text);
    loop {
        let at = pieces.at;
        match format.start_without_page(text, at) {
            // Behind the record stands one byte more, so that the breaks that end it are all seen.
            Start::Record(mut record) if record.end < text.len() => {
                if is_long(&record) {
                    pieces.end_by_next(&mut record);
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

/// Returns the format of the document that starts with `head`, if it is a web archive.
pub(crate) fn format(head: Head<'_>) -> Option<Option<WebFormat>> {
    let bytes = head.bytes();
    if head.starts_with(b"WARC/")? {
        if matches!(warc::start(bytes, 0), Start::Record(_)) {
            return Some(Some(WebFormat::Warc));
        }
        return if warc::ends(bytes) { Some(None) } else { head.settle(None) };
    }
    let is_arc =
        head.starts_with(b"filedesc://")? && matches!(arc::start(bytes, 0), Start::Record(_));
    Some(is_arc.then_some(WebFormat::Arc))
}
