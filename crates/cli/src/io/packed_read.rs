//! Measures the progress in a compressed file.

use std::sync::atomic::{AtomicU64, Ordering};

/// A counter of the bytes of a compressed file that were read, for the progress line.
#[derive(Debug)]
pub(crate) struct PackedRead {
    len: u64,
    read: AtomicU64,
    /// The number of bytes that [`PackedRead::take_newly_read`] has returned so far.
    reported: AtomicU64,
}

impl PackedRead {
    /// Creates a counter for a compressed file of `len` bytes, of which `already_read` bytes were
    /// read.
    pub(crate) fn new(len: u64, already_read: usize) -> Self {
        Self { len, read: AtomicU64::new(already_read as u64), reported: AtomicU64::new(0) }
    }

    /// Adds `read` bytes to the count.
    pub(crate) fn add_read_bytes(&self, read: usize) {
        self.read.fetch_add(read as u64, Ordering::Relaxed);
    }

    /// Returns the number of bytes that were read since the last call of this function. If bytes
    /// are read twice, the sum of all calls is still at most the length of the file.
    pub(crate) fn take_newly_read(&self) -> u64 {
        let read = self.read.load(Ordering::Relaxed).min(self.len);
        read.saturating_sub(self.reported.fetch_max(read, Ordering::Relaxed))
    }

    /// Returns the number of bytes of the file that no call of [`PackedRead::take_newly_read`] has
    /// returned.
    pub(crate) fn unreported(self) -> u64 {
        self.len.saturating_sub(self.reported.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_reported_once() {
        let packed = PackedRead::new(10, 2);
        assert_eq!(packed.take_newly_read(), 2);
        packed.add_read_bytes(4);
        assert_eq!((packed.take_newly_read(), packed.take_newly_read()), (4, 0));
        assert_eq!(packed.unreported(), 4);
    }

    #[test]
    fn bytes_read_twice_count_once() {
        let packed = PackedRead::new(3, 0);
        packed.add_read_bytes(3);
        packed.add_read_bytes(3);
        assert_eq!((packed.take_newly_read(), packed.take_newly_read()), (3, 0));
    }
}
