//! What one unit of a file leaves to the next.

use crate::print::lines::FileLines;

/// What is known of a file that is read unit by unit in its order.
#[derive(Clone, Debug, Default)]
pub(crate) struct SoFar {
    /// How many records there were.
    pub(crate) urls: u64,
    /// What may still be printed of it.
    pub(crate) lines: FileLines,
}
