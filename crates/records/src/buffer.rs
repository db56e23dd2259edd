//! Bytes from files and streams, into buffers that are used again.
//!
//! Reading into one buffer a worker beats mapping (each small file costs its own page tables, and
//! a mapped file counts as resident; to map a big one window by window costs as much as to copy it)
//! and reading whole files (fresh pages must be zeroed first).

use std::io::{self, Read};
use urlsift_archive::Head;

/// The number of bytes of a file that are read first and examined as one piece. Measurements showed
/// about equal results from 64 KiB to 1 MiB.
pub const BUFFER: usize = Head::LEN;
/// A file up to this size is read and scanned as a whole.
pub const WHOLE: usize = 1 << 20;
/// The initial size of a buffer. Most files of a news spool are not longer, and unused memory costs
/// nothing.
const INITIAL_LEN: usize = 16 << 10;

/// A buffer that is refilled for each file or unit.
#[derive(Debug, Default)]
pub struct Buffer {
    /// The bytes that were read, with unused (stale or zeroed) bytes before and after them.
    bytes: Vec<u8>,
    from: usize,
    filled: usize,
}

impl Buffer {
    /// Returns the buffer of a worker. It need not be zeroed: memory from the system is zeroed
    /// already, and is not allocated before it is written.
    pub fn for_worker() -> Self {
        Self { bytes: vec![0; 2 * WHOLE], from: 0, filled: 0 }
    }

    /// Returns the bytes that were read.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[self.from..self.filled]
    }

    /// Discards all bytes.
    pub fn clear(&mut self) {
        (self.from, self.filled) = (0, 0);
    }

    /// Appends bytes that were read elsewhere.
    pub fn extend(&mut self, bytes: &[u8]) {
        self.move_to_front();
        // Bytes that are zeroed already are kept, so that they need not be zeroed again.
        let room = &mut self.bytes[self.filled..];
        let (first, rest) = bytes.split_at(bytes.len().min(room.len()));
        room[..first.len()].copy_from_slice(first);
        self.bytes.extend_from_slice(rest);
        self.filled += bytes.len();
    }

    /// Discards the first `len` bytes. The rest is moved only if there must be space after it.
    pub fn drop_front(&mut self, len: usize) {
        self.from += len;
    }

    fn move_to_front(&mut self) {
        if self.from == 0 {
            return;
        }
        self.bytes.copy_within(self.from..self.filled, 0);
        (self.from, self.filled) = (0, self.filled - self.from);
    }

    /// Reads until the buffer contains `len` bytes or the input ends. Returns true at the end of
    /// the input.
    ///
    /// # Errors
    ///
    /// Returns any error from `input`. The bytes that were read before are kept.
    pub fn fill(&mut self, input: &mut impl Read, len: usize) -> io::Result<bool> {
        self.append(len, |_, _| false, |room, _| input.read(room))
    }

    /// Reads once, up to a total of `len` bytes. Returns true at the end of the input.
    ///
    /// # Errors
    ///
    /// Returns any error from `input`.
    pub fn fill_once(&mut self, input: &mut impl Read, len: usize) -> io::Result<bool> {
        self.move_to_front();
        let before = self.filled;
        let once = |room: &mut [u8], filled| {
            if filled > before { Err(io::ErrorKind::WouldBlock.into()) } else { input.read(room) }
        };
        let read = self.append(len, |_, _| false, once);
        if self.filled > before { Ok(false) } else { read }
    }

    /// Appends what `read` writes to the slice it is given, until the buffer contains `len` bytes
    /// or `read` returns 0. `read` also gets the number of bytes before the slice. After each read,
    /// `is_end` is called with the number of bytes in the buffer and the number requested; it
    /// returns true if the input has ended. Returns true at the end of the input.
    ///
    /// # Errors
    ///
    /// Returns any error from `read`. The bytes that were read before are kept.
    pub fn append(
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

    /// Gives back the memory of an unusually large input.
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
        assert!(!buffer.fill_once(&mut input, 3).unwrap());
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
