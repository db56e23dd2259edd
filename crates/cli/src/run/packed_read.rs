//! Measures the progress in a compressed file.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the bytes of a compressed file that were read.
#[derive(Debug)]
pub(crate) struct PackedRead {
    len: u64,
    read: AtomicU64,
    /// The number of bytes that [`PackedRead::newly_read`] has returned so far.
    reported: AtomicU64,
}

impl PackedRead {
    /// Creates a counter for a file of `len` bytes, of which `read` bytes were already read.
    pub(crate) fn new(len: u64, read: usize) -> Self {
        Self { len, read: AtomicU64::new(read as u64), reported: AtomicU64::new(0) }
    }

    /// Wraps a reader of the file, so that the bytes that it reads are counted.
    pub(crate) fn counting<R>(self: &Arc<Self>, inner: R) -> Counting<R> {
        Counting { inner, packed: Arc::clone(self) }
    }

    /// Returns the number of bytes read since the last call. Bytes that are read twice count only
    /// up to the length of the file.
    pub(crate) fn newly_read(&self) -> u64 {
        let read = self.read.load(Ordering::Relaxed).min(self.len);
        read.saturating_sub(self.reported.fetch_max(read, Ordering::Relaxed))
    }

    /// Returns the number of bytes of the file that [`PackedRead::newly_read`] has not returned.
    pub(crate) fn unreported(self) -> u64 {
        self.len.saturating_sub(self.reported.into_inner())
    }
}

/// A reader that counts the bytes it reads.
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
    fn each_byte_is_reported_once() {
        let packed = Arc::new(PackedRead::new(10, 2));
        let mut reader = packed.counting(&b"345678"[..]);
        assert_eq!(packed.newly_read(), 2);
        let mut buffer = [0; 4];
        reader.read_exact(&mut buffer).unwrap();
        assert_eq!((packed.newly_read(), packed.newly_read()), (4, 0));
        drop(reader);
        assert_eq!(Arc::into_inner(packed).unwrap().unreported(), 4);
    }

    #[test]
    fn bytes_read_twice_count_once() {
        let packed = Arc::new(PackedRead::new(3, 0));
        let mut reader = packed.counting(io::Cursor::new(b"abc"));
        for _ in 0..2 {
            reader.seek(SeekFrom::Start(0)).unwrap();
            reader.read_to_end(&mut Vec::new()).unwrap();
        }
        assert_eq!((packed.newly_read(), packed.newly_read()), (3, 0));
    }
}
