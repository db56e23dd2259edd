//! Output for people and programs, in the order of the input.

mod append;
pub(crate) mod blank;
pub(crate) mod complain;
mod formats;
pub(crate) mod groups;
pub(crate) mod hyperlink;
pub(crate) mod lines;
pub(crate) mod lint;
mod memory;
pub(crate) mod ordered_writer;
#[cfg(feature = "parquet")]
pub(crate) mod parquet_file;
pub(crate) mod progress;
pub(crate) mod rendered;
pub(crate) mod report_data;
pub(crate) mod run_file;
pub(crate) mod sanitize;
pub(crate) mod sizes;
pub(crate) mod stats;
pub(crate) mod style;
#[cfg(feature = "parquet")]
pub(crate) mod tables;
pub(crate) mod text;
mod unreadable;
