//! Bounds that more than one room relies on, in bytes.

/// The greatest length of a URL. What is longer is cut there.
pub(crate) const MAX_URL: usize = 65_536;

/// The greatest distance from a wrapper's `<` to its `>`.
pub(crate) const MAX_WRAPPER: usize = 4096;

/// The most layout at a break. With this, the breaks, and the longest URL, all that a URL
/// covers lies within [`AFTER`](crate::AFTER) bytes of its start.
pub(crate) const MAX_GAP: usize = 1024;
