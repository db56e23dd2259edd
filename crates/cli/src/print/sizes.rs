//! The amounts of output that workers render, keep waiting and print at once.

use std::ops::RangeInclusive;

/// The size in bytes at which an output is printed, if it is its turn.
pub(super) const PRINT_AT: usize = 64 << 10;
/// The size in bytes at which an output waits for its turn: half of the output of the densest unit.
/// Two workers then alternate, half a unit apart, and neither waits.
pub(super) const WAIT_AT: usize = 9 << 18;
/// The size in bytes at which an output of full records waits for its turn.
pub(super) const RECORDS_WAIT_AT: usize = 8 << 20;
/// The number of files in a batch: enough to lock rarely, and few enough for the threads to end
/// together.
pub(super) const BATCH: RangeInclusive<usize> = 32..=256;

/// The sizes of tasks and output buffers, which depend on the output format.
#[derive(Clone, Debug)]
pub(crate) struct Sizes {
    /// The number of files in a batch, which increases with the number of files listed so far.
    pub(crate) batch: RangeInclusive<usize>,
    /// The number of bytes that may wait to be printed.
    pub(crate) ahead: usize,
    /// The number of bytes that a worker may render before it waits for its turn.
    pub(crate) wait_at: usize,
    /// The number of bytes that a worker renders before it prints them, if it is its turn.
    pub(crate) print_at: usize,
    /// True if a worker compresses its results before its turn.
    pub(crate) packs: bool,
}
