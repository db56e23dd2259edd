//! Makes an overview of the URLs in a mail or news archive, with counts, dates and forms.
//!
//! | you have | call |
//! |---|---|
//! | records from a scan | [`Batch::push_url`], in any number of threads |
//! | batches, in the order of the input | [`Collector::count_urls`] |
//! | batches to count later | [`Saver`], then [`Collector::count_saved`] |
//! | no more batches | [`Collector::finish`], which returns a [`Report`] |
//! | a report | [`Report::to_json`], [`html::report_page`] |
//!
//! Memory is bounded by [`limits`] for any input. Numbers affected by a limit are lower bounds, and
//! the page says "at least".
//!
//! ```
//! use std::sync::Arc;
//! use urlsift_archive::Reading;
//! use urlsift_records::{FileName, Options, Unit, With, collect_records};
//! use urlsift_report::{Batch, Collector, Run, html};
//!
//! let file = Arc::new(FileName::new("a.txt"));
//! let bytes = b"At <URL:ftp://host.dom/a> there is more.";
//! let mut options = Options::default();
//! options.with = vec![With::Domain, With::Tld];
//! let mut batch = Batch::default();
//! for record in urlsift_records::collect_records(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &options) {
//!     batch.push_url(&record);
//! }
//! let mut collector = Collector::default();
//! collector.count_urls(&batch, 0..batch.len());
//! collector.count_messages(&batch);
//! let report = collector.finish(Run::default());
//! assert_eq!(report.hosts.most[0].name, "host.dom");
//! assert!(html::report_page(&report).starts_with("<!DOCTYPE html>"));
//! ```

mod batch;
mod collector;
mod data;
mod date;
pub mod html;
pub mod limits;
mod link;
mod names;
mod saved;
mod uses;
mod years;

pub use crate::batch::Batch;
pub use crate::collector::{Collector, Run};
pub use crate::data::{
    Count, Dates, Errors, Example, Fault, FileError, FirstSeen, Grid, Month, NameCounts, Place,
    Quote, Readings, Report, Use, Uses, VERSION, WritingCounts,
};
pub use crate::link::{BadLinkTemplate, LinkTemplate};
pub use crate::saved::Saver;

/// The example of the README, which is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
