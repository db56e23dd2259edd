//! Limits the work on a PDF file.

/// The number of bytes that may still be read.
#[derive(Debug)]
pub(super) struct Budget {
    left: usize,
    is_exceeded: bool,
}

impl Budget {
    pub(super) const fn new(len: usize) -> Self {
        Self { left: len, is_exceeded: false }
    }

    /// Returns the number of bytes that may still be read.
    pub(super) const fn left(&self) -> usize {
        self.left
    }

    /// Subtracts `len` bytes that were read.
    pub(super) fn take(&mut self, len: usize) {
        self.is_exceeded |= len >= self.left;
        self.left = self.left.saturating_sub(len);
    }

    /// Records that something was skipped because of a limit.
    pub(super) fn record_skipped(&mut self) {
        self.is_exceeded = true;
    }

    /// True if something was skipped, or nothing more may be read.
    pub(super) const fn is_exceeded(&self) -> bool {
        self.is_exceeded
    }
}
