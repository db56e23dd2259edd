//! Extracts URL records from bytes.
//!
//! This crate combines three others: archive decodes files into text, the scanner finds URLs in
//! text, and core validates them. It opens no files, starts no threads, reads no clock and prints
//! nothing.
//!
//! | input or task | function |
//! |---|---|
//! | bytes, a file or a stream, compressed or not | [`Scan::read`] with an [`Input`] |
//! | an uncompressed file in memory | [`collect_records`] |
//! | many files or units, on several threads | [`Scan::scan_unit`], with a [`Sink`] |
//! | a long text that arrives in pieces | [`Scan::text_scan`] |
//! | write a record | [`UrlRecord::write_json`], [`write::rows`] |
//! | describe the fields of records | [`fields`], [`schema`] |
//! | search a document yourself | [`dispatch`] |
//!
//! # Example
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::sync::Arc;
//! use urlsift_archive::Reading;
//! use urlsift_records::{Options, Scan, Sink, FileName, Unit, UrlRecord};
//!
//! struct Lines(Vec<u8>);
//!
//! impl Sink for Lines {
//!     fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
//!         record.write_json(&mut self.0);
//!         ControlFlow::Continue(())
//!     }
//! }
//!
//! let scan = Scan::new(Options::default());
//! let file = Arc::new(FileName::new("a.txt"));
//! let bytes = b"At <URL:ftp://host.dom/a> there is more.";
//! let mut out = Lines(Vec::new());
//! let scanned = scan.scan_unit(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &mut out);
//! assert_eq!(scanned.tally.urls, 1);
//! assert!(out.0.starts_with(br#"{"type":"url","path":"a.txt","url":"ftp://host.dom/a","start":8,"#));
//! ```

mod attachment;
mod buffer;
pub mod dispatch;
pub mod fields;
mod forms;
mod guessed;
mod host;
mod judge;
mod lines;
mod list_name;
mod long;
mod message;
mod message_filter;
mod named_options;
pub mod option_table;
mod options;
mod origin;
pub mod parse;
mod patterns;
mod place;
mod quoted;
mod read;
mod read_at;
pub mod record;
mod relative;
mod reporter;
mod scan;
pub mod schema;
mod sender;
mod size;
mod strings;
mod surt;
pub mod table;
mod unit_scan;
mod units;
mod url_filter;
pub mod write;

pub use crate::forms::Forms;
pub use crate::lines::LineStart;
pub use crate::list_name::list_name_in_path;
pub use crate::message_filter::{MessageFilter, UnknownDate};
pub use crate::named_options::BadOption;
pub use crate::options::{Detail, Malformed, Options, Unwrap, With};
pub use crate::read::Input;
pub use crate::record::{
    FileName, Join, Message, Page, Place, Quoted, Skipped, Tally, UrlRecord, limit_field,
};
pub use crate::scan::{Scan, Scanned, Sink};
pub use crate::sender::PUBLIC_KEY;
pub use crate::size::Size;
pub use crate::surt::surt;
pub use crate::unit_scan::{TextScan, collect_records};
pub use crate::units::Unit;
pub use crate::url_filter::UrlFilter;
pub use urlsift_archive::Utc;

/// Reads input unit by unit, for callers that distribute units over threads.
///
/// A [`UnitSource`](input::UnitSource) is the rest of an input. Take a
/// [`TakenUnit`](input::TakenUnit) from it, leave the rest to another thread, and scan the unit
/// with a [`UnitScanner`](input::UnitScanner). [`Scan::read`] does this on one thread.
pub mod input {
    pub use crate::buffer::{BUFFER, Buffer, WHOLE};
    pub use crate::read::{
        BoxedRead, CutUnit, Cuts, MAIL_PIECE, Opened, ReadOptions, TakenUnit, UnitScanner,
        UnitSlice, UnitSource, UnitStream, can_split, cut_into_units, decompress_unit,
        decompress_unit_to, detect_container, line_start_after, range_with_context, unit_end,
    };
    #[cfg(feature = "spool")]
    pub use crate::read_at::unnamed_temporary_file;
    pub use crate::read_at::{RangeReader, ReadAt};
    pub use crate::units::RangeUnit;
}

/// The example of the crate's README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
