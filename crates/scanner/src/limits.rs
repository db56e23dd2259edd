//! Limits that more than one module relies on, in bytes.

/// The maximum length of a URL, in bytes. Longer URLs are truncated.
pub(crate) const MAX_URL: usize = 65_536;

/// The maximum distance from a wrapper's `<` to its `>`, in bytes.
pub(crate) const MAX_WRAPPER: usize = 4096;

/// The maximum length of the layout at one break inside a URL (line breaks, blanks, quote marks),
/// in bytes. Together with the limits on line breaks and on the length of a URL it ensures that a
/// URL ends within [`AFTER`] bytes of its start.
pub(crate) const MAX_GAP: usize = 1024;

/// The maximum distance searched for the start or the end of a line, in bytes. In a longer line,
/// the text further away is ignored. So the search has the same maximum cost everywhere, even in a
/// text without line breaks.
pub(crate) const MAX_LINE: usize = 4096;

/// The number of bytes before an offset that can affect which URLs are found there. Include this
/// much text before the range in the input of
/// [`Scanner::find_within`](crate::Scanner::find_within).
pub const BEFORE: usize = 160 * 1024;

/// The number of bytes after an offset that can affect which URLs are found there. Include this
/// much text after the range in the input of [`Scanner::find_within`](crate::Scanner::find_within).
pub const AFTER: usize = 256 * 1024;

/// The number of bytes on each side of a URL that can affect it, if the scan continues from a
/// [`State`](crate::State): 64 KiB of evidence for a join, and the lines around it. Keep this much
/// text before the offset where [`Scanner::find_from`](crate::Scanner::find_from) continues.
pub const NEARBY: usize = 96 * 1024;
