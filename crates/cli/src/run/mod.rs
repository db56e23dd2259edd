//! Scans files with several threads.

pub(crate) mod large_input;
mod packed_read;
mod printer;
pub(crate) mod queue;
mod read_ahead;
pub(crate) mod reorder;
mod scan_unit;
pub(crate) mod settings;
mod so_far;
#[cfg(feature = "parquet")]
pub(crate) mod state;
pub(crate) mod threads;
pub(crate) mod worker;
