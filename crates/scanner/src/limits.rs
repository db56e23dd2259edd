//! Bounds that more than one room relies on, in bytes.

/// The greatest length of a URL. What is longer is cut there.
pub(crate) const MAX_URL: usize = 65_536;

/// The greatest distance from a wrapper's `<` to its `>`.
pub(crate) const MAX_WRAPPER: usize = 4096;

/// The most layout at a break. With this, the breaks, and the longest URL, all that a URL
/// covers lies within [`AFTER`] bytes of its start.
pub(crate) const MAX_GAP: usize = 1024;

/// How far the start or the end of a line is sought. What stands before or behind in a longer line is not seen; in return
/// looking for it costs the same everywhere, also in a text without line breaks.
pub(crate) const MAX_LINE: usize = 4096;

/// How much text before a place can matter to what is found there, in bytes.
pub const BEFORE: usize = 160 * 1024;

/// How much text behind a place can matter to what is found there, in bytes.
pub const AFTER: usize = 256 * 1024;

/// How much text on either side of a URL's own bytes can matter to it, in bytes, once all before it was judged: 64 KiB of
/// evidence for a join, and the lines around. So much a pass needs before the place where it goes on, and behind what it
/// finds.
pub const NEARBY: usize = 96 * 1024;
