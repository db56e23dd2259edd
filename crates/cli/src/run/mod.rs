//! Scans files with several threads.

pub(crate) mod large_input;
pub(crate) mod local;
mod printer;
pub(crate) mod queue;
mod read_ahead;
pub(crate) mod scan_job;
pub(crate) mod settings;
mod so_far;
pub(crate) mod state;
pub(crate) mod threads;
pub(crate) mod worker;
