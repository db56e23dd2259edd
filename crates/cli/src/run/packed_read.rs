//! How far a packed file was read, for those who wait for the end.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes of a packed file that were read.
#[derive(Debug)]
pub(crate) struct PackedRead {
    len: u64,
    read: AtomicU64,
    /// How many of them were told.
    told: AtomicU64,
}

impl PackedRead {
    /// Of a file of `len` bytes so many were read before.
    pub(crate) fn new(len: u64, read: usize) -> Self {
        Self { len, read: AtomicU64::new(read as u64), told: AtomicU64::new(0) }
    }

    /// Counts what is read of the file from now on.
    pub(crate) fn counting<R>(self: &Arc<Self>, inner: R) -> Counting<R> {
        Counting { inner, packed: Arc::clone(self) }
    }

    /// How many bytes were read since this was asked last. What is read twice counts up to the file's length.
    pub(crate) fn news(&self) -> u64 {
        let read = self.read.load(Ordering::Relaxed).min(self.len);
        read.saturating_sub(self.told.fetch_max(read, Ordering::Relaxed))
    }

    /// How many bytes were not told yet.
    pub(crate) fn rest(self) -> u64 {
        self.len.saturating_sub(self.told.into_inner())
    }
}

/// Counts what is read.
#[derive(Debug)]
pub(crate) struct Counting<R> {
    inner: R,
    packed: Arc<PackedRead>,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.packed.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl<R: Seek> Seek for Counting<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_are_told_once() {
        let packed = Arc::new(PackedRead::new(10, 2));
        let mut reader = packed.counting(&b"345678"[..]);
        assert_eq!(packed.news(), 2);
        let mut buffer = [0; 4];
        reader.read_exact(&mut buffer).unwrap();
        assert_eq!((packed.news(), packed.news()), (4, 0));
        drop(reader);
        assert_eq!(Arc::into_inner(packed).unwrap().rest(), 4);
    }

    #[test]
    fn what_is_read_twice_counts_once() {
        let packed = Arc::new(PackedRead::new(3, 0));
        let mut reader = packed.counting(io::Cursor::new(b"abc"));
        for _ in 0..2 {
            reader.seek(SeekFrom::Start(0)).unwrap();
            reader.read_to_end(&mut Vec::new()).unwrap();
        }
        assert_eq!((packed.news(), packed.news()), (3, 0));
    }
}
