//! A reusable read buffer for files and streams.
//!
//! Each worker thread reads all its files into one buffer. This is faster than mapping files into
//! memory: each small file would cost its own page tables, a mapped file counts as resident memory,
//! and mapping a large file window by window costs as much as copying it. It is also faster than
//! reading each file into new memory, because new pages must be zeroed first.

use crate::read_at::ReadAt;
use std::io::{self, Read};
use urlsift_archive::Head;

/// The number of bytes that are read from the start of a file to detect its format. Measurements
/// showed about equal speed from 64 KiB to 1 MiB.
pub const BUFFER: usize = Head::LEN;
/// The maximum size of a file that is read into memory and scanned as a whole.
pub const WHOLE: usize = 1 << 20;
/// The initial number of bytes allocated for a buffer. Most articles of a news spool fit into it.
const INITIAL_LEN: usize = 16 << 10;

/// A growable byte buffer that is reused for one file or unit after another. Bytes are appended at
/// the end and dropped from the front.
#[derive(Debug, Default)]
pub struct Buffer {
    /// The allocated bytes. The data read so far is `from..filled`; the rest is stale or zeroed.
    bytes: Vec<u8>,
    /// The offset in `bytes` of the first byte of data.
    from: usize,
    /// The offset in `bytes` after the last byte of data.
    filled: usize,
}

impl Buffer {
    /// Creates an empty buffer of the usual size for a worker thread. Unused memory costs nothing,
    /// because the system provides zeroed pages only when they are written.
    pub fn for_worker() -> Self {
        Self { bytes: vec![0; 2 * WHOLE], from: 0, filled: 0 }
    }

    /// Returns the data in the buffer: all bytes that were read or appended and not dropped.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[self.from..self.filled]
    }

    /// Discards all data, but keeps the allocated memory.
    pub fn clear(&mut self) {
        (self.from, self.filled) = (0, 0);
    }

    /// Appends `bytes`, which the caller has already read, to the data.
    pub fn extend(&mut self, bytes: &[u8]) {
        self.move_to_front();
        // Copy into the free space first, so that it need not be zeroed again.
        let free = &mut self.bytes[self.filled..];
        let (first, rest) = bytes.split_at(bytes.len().min(free.len()));
        free[..first.len()].copy_from_slice(first);
        self.bytes.extend_from_slice(rest);
        self.filled += bytes.len();
    }

    /// Discards the first `len` bytes of the data. The other bytes are moved in memory only when
    /// space is needed after them.
    pub fn drop_front(&mut self, len: usize) {
        self.from += len;
    }

    /// Moves the data to the start of the allocated memory, so that all free space is after it.
    fn move_to_front(&mut self) {
        if self.from == 0 {
            return;
        }
        self.bytes.copy_within(self.from..self.filled, 0);
        (self.from, self.filled) = (0, self.filled - self.from);
    }

    /// Reads from `input` until the buffer contains `len` bytes or the input ends. Returns true if
    /// the input has ended.
    ///
    /// # Errors
    ///
    /// Returns any error from `input`. The data read before the error stays in the buffer.
    pub fn fill(&mut self, input: &mut impl Read, len: usize) -> io::Result<bool> {
        self.fill_with(len, |_, _| false, |buffer, _| input.read(buffer))
    }

    /// Reads from `input` only once, and no more than the buffer needs to contain `len` bytes.
    /// Returns true if the input has ended.
    ///
    /// # Errors
    ///
    /// Returns any error from `input`.
    pub fn read_once_up_to(&mut self, input: &mut impl Read, len: usize) -> io::Result<bool> {
        self.move_to_front();
        let before = self.filled;
        let once = |buffer: &mut [u8], filled| {
            if filled > before { Err(io::ErrorKind::WouldBlock.into()) } else { input.read(buffer) }
        };
        let read = self.fill_with(len, |_, _| false, once);
        if self.filled > before { Ok(false) } else { read }
    }

    /// Replaces the data by up to `len` bytes of `source`, starting at offset `at`. Returns true if
    /// the source ends before it has provided `len` bytes.
    ///
    /// # Errors
    ///
    /// Returns any error from `source`. The bytes read before the error stay in the buffer.
    pub fn read_at(&mut self, source: &mut impl ReadAt, at: u64, len: usize) -> io::Result<bool> {
        self.clear();
        self.fill_at(source, at, len)
    }

    /// Reads from `source` until the buffer contains `len` bytes or the source ends. Returns true
    /// if the source has ended. `base` is the offset in the source of the first byte in the buffer.
    ///
    /// # Errors
    ///
    /// Returns any error from `source`. The bytes read before the error stay in the buffer.
    pub fn fill_at(&mut self, source: &mut impl ReadAt, base: u64, len: usize) -> io::Result<bool> {
        self.fill_with(
            len,
            |_, _| false,
            |buffer, filled| source.read_at(base + filled as u64, buffer),
        )
    }

    /// Fills the buffer by calling `read` until it contains `len` bytes or the input ends. Returns
    /// true if the input has ended.
    ///
    /// `read` gets a slice to fill, and the offset of that slice in the buffer. It returns the
    /// number of bytes that it wrote; 0 means that the input has ended.
    ///
    /// After each call, `is_end` gets the number of bytes in the buffer and the number wanted. If
    /// it returns true, the input counts as ended, too.
    ///
    /// # Errors
    ///
    /// Returns any error from `read`. The data read before the error stays in the buffer.
    pub fn fill_with(
        &mut self,
        len: usize,
        is_end: impl Fn(usize, usize) -> bool,
        mut read: impl FnMut(&mut [u8], usize) -> io::Result<usize>,
    ) -> io::Result<bool> {
        if self.bytes().len() < len {
            self.move_to_front();
        }
        while self.bytes().len() < len {
            if self.filled == self.bytes.len() {
                self.bytes.resize((2 * self.filled).min(len).max(INITIAL_LEN), 0);
            }
            let wanted = self.bytes.len().min(len);
            match read(&mut self.bytes[self.filled..wanted], self.filled) {
                Ok(0) => return Ok(true),
                Ok(read) => {
                    self.filled += read.min(wanted - self.filled);
                    if is_end(self.filled, wanted) {
                        return Ok(true);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// Shrinks the buffer if a large input has grown it beyond twice [`WHOLE`] bytes. The capacity
    /// is then about [`WHOLE`] bytes, and any data after the first [`WHOLE`] bytes is discarded.
    pub fn shrink(&mut self) {
        if self.bytes.capacity() > 2 * WHOLE {
            self.move_to_front();
            self.filled = self.filled.min(WHOLE);
            self.bytes.truncate(WHOLE);
            self.bytes.shrink_to(WHOLE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_bytes_are_gone_and_free_space() {
        let (mut buffer, mut input) = (Buffer::default(), &b"0123456789"[..]);
        assert!(!buffer.fill(&mut input, 4).unwrap());
        buffer.drop_front(3);
        assert_eq!(buffer.bytes(), b"3");
        assert!(!buffer.fill(&mut input, 1).unwrap());
        assert!(!buffer.read_once_up_to(&mut input, 3).unwrap());
        assert_eq!(buffer.bytes(), b"345");
        buffer.drop_front(1);
        buffer.extend(b"ab");
        assert_eq!(buffer.bytes(), b"45ab");
        buffer.drop_front(4);
        assert!(buffer.fill(&mut input, 9).unwrap());
        assert_eq!(buffer.bytes(), b"6789");
        buffer.drop_front(2);
        buffer.clear();
        assert_eq!(buffer.bytes(), b"");
    }
}
