//! State that a unit of a file passes on to the next.

use crate::print::lines::FileLines;

/// The state of a file that is read unit by unit, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct SoFar {
    /// The number of records so far.
    pub(crate) urls: u64,
    /// The lines that may still be printed.
    pub(crate) lines: FileLines,
}
