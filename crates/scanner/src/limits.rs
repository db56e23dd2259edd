//! Limits that more than one module relies on, in bytes.

/// The maximum length of a URL. Longer ones are truncated.
pub(crate) const MAX_URL: usize = 65_536;

/// The maximum distance from a wrapper's `<` to its `>`.
pub(crate) const MAX_WRAPPER: usize = 4096;

/// The maximum amount of layout at a line break. Together with the limits on line breaks and on the
/// length of a URL it ensures that a URL ends within [`AFTER`] bytes of its start.
pub(crate) const MAX_GAP: usize = 1024;

/// The maximum distance searched for the start or the end of a line. In a longer line, the text
/// beyond it is ignored. In return the search has the same maximum cost everywhere, even in a text
/// without line breaks.
pub(crate) const MAX_LINE: usize = 4096;

/// The number of bytes before an offset that can affect the matches there.
pub const BEFORE: usize = 160 * 1024;

/// The number of bytes after an offset that can affect the matches there.
pub const AFTER: usize = 256 * 1024;

/// The number of bytes on each side of a URL that can affect it once all text before it was
/// scanned: 64 KiB of evidence for a join, and the lines around it. A pass needs this much text
/// before the offset where it continues, and after each match.
pub const NEARBY: usize = 96 * 1024;
