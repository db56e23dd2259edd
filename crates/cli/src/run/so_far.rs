//! The state that a unit of a file passes on to the next unit.

use crate::print::blank::UrlBlanker;
use crate::print::lines::FileLines;

/// The state of a file after some of its units were scanned, which the scan of the next unit
/// continues.
#[derive(Clone, Debug, Default)]
pub(crate) struct SoFar {
    /// The number of records of the file so far.
    pub(crate) urls: u64,
    /// The lines of the file that may still be printed.
    pub(crate) lines: FileLines,
    /// The URLs that are replaced by spaces in the bytes that follow.
    pub(crate) blanker: UrlBlanker,
}
