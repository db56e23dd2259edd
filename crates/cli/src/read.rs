//! Bytes from files and streams, into buffers that are used again.
//!
//! Reading into one buffer a worker beats mapping (each small file costs its own page tables, and
//! a mapped file counts as resident) and reading whole files (fresh pages must be zeroed first).

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

/// The first size of a worker's buffer: measured best with 64 KiB to 1 MiB about equal.
pub(crate) const BUFFER: usize = 256 << 10;
/// A file up to this size is read and scanned as a whole.
pub(crate) const WHOLE: usize = 1 << 20;

/// A buffer that is filled anew for each file or unit. Its bytes are zeroed once, when it grows.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    filled: usize,
}

impl Buffer {
    /// What was read last.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// Forgets what was read.
    pub(crate) fn clear(&mut self) {
        self.filled = 0;
    }

    /// Appends bytes that were read elsewhere.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.room(self.filled + bytes.len());
        self.bytes[self.filled..self.filled + bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
    }

    /// Keeps only the bytes from `from` on.
    pub(crate) fn keep_from(&mut self, from: usize) {
        let from = from.min(self.filled);
        self.bytes.copy_within(from..self.filled, 0);
        self.filled -= from;
    }

    /// Appends the file's bytes from `at` on, until there are `len` or the file ends.
    ///
    /// # Errors
    ///
    /// What the system says. What was read before is kept.
    pub(crate) fn append_at(&mut self, file: &File, at: u64, len: usize) -> io::Result<()> {
        let first = self.filled;
        self.room(len);
        while self.filled < len {
            let offset = at + (self.filled - first) as u64;
            match file.read_at(&mut self.bytes[self.filled..len], offset) {
                Ok(0) => break,
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads on until there are `len` bytes or the input ends. Returns whether it ended.
    ///
    /// # Errors
    ///
    /// What the input says. What was read before is kept.
    pub(crate) fn fill(&mut self, input: &mut impl Read, len: usize) -> io::Result<bool> {
        while self.filled < len {
            if self.bytes.len() < len && self.filled == self.bytes.len() {
                self.room((self.filled * 2).clamp(BUFFER, len.max(BUFFER)));
            }
            let end = self.bytes.len().min(len);
            match input.read(&mut self.bytes[self.filled..end]) {
                Ok(0) => return Ok(true),
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// Replaces the contents by the file's bytes from `at` on, `len` of them or fewer at its end.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn read_at(&mut self, file: &File, at: u64, len: usize) -> io::Result<()> {
        self.filled = 0;
        self.append_at(file, at, len)
    }

    /// Gives back the memory of an unusually large input.
    pub(crate) fn shrink(&mut self) {
        if self.bytes.len() > 2 * WHOLE {
            self.bytes.truncate(WHOLE);
            self.bytes.shrink_to_fit();
            self.filled = self.filled.min(WHOLE);
        }
    }

    fn room(&mut self, len: usize) {
        if self.bytes.len() < len {
            self.bytes.resize(len, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Buffer;
    use std::io::Read;

    #[test]
    fn filling_stops_at_the_limit_and_at_the_end() {
        let mut buffer = Buffer::default();
        let mut input = &b"0123456789"[..];
        assert!(!buffer.fill(&mut (&mut input).take(4), 4).unwrap());
        assert_eq!(buffer.bytes(), b"0123");
        assert!(buffer.fill(&mut input, 100).unwrap());
        assert_eq!(buffer.bytes(), b"0123456789");
        buffer.keep_from(7);
        assert_eq!(buffer.bytes(), b"789");
        buffer.clear();
        buffer.extend(b"ab");
        assert_eq!(buffer.bytes(), b"ab");
    }
}
