//! Limits the work on a PDF file.

use lopdf::{DecompressError, Error};

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

    /// Returns the content of a stream that was read with a limit. Returns `None` if it could not be
    /// read, and records if this was because of the limit.
    pub(super) fn checked<T>(&mut self, content: Result<T, Error>) -> Option<T> {
        if let Err(Error::Decompress(DecompressError::MemoryLimitExceeded { .. })) = content {
            self.record_skipped();
        }
        content.ok()
    }

    /// Records that something was skipped because of a limit.
    pub(super) fn record_skipped(&mut self) {
        self.is_exceeded = true;
    }

    /// True if something was skipped because of a limit, or no bytes are left.
    pub(super) const fn is_exceeded(&self) -> bool {
        self.is_exceeded
    }
}
