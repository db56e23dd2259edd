//! Bytes from files and streams, into buffers that are used again.
//!
//! Reading into one buffer a worker beats mapping (each small file costs its own page tables, and
//! a mapped file counts as resident; to map a big one window by window costs as much as to copy it)
//! and reading whole files (fresh pages must be zeroed first).

use super::open::End;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt as _;

/// How much of a file is looked at first, and read in one piece: measured best with 64 KiB to 1 MiB about equal.
pub(crate) const BUFFER: usize = 256 << 10;
/// A file up to this size is read and scanned as a whole.
pub(crate) const WHOLE: usize = 1 << 20;
/// The first size of a buffer: most files of a spool are no longer, and what is never written takes no memory.
const FIRST: usize = 16 << 10;

/// A buffer that is filled anew for each file or unit.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// What was read, and behind it bytes that were read or zeroed before and mean nothing.
    bytes: Vec<u8>,
    filled: usize,
}

impl Buffer {
    /// The buffer of a worker, for which nothing need be zeroed: what the system gives is, and takes no memory before
    /// it is written.
    pub(crate) fn for_worker() -> Self {
        Self { bytes: vec![0; 2 * WHOLE], filled: 0 }
    }

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
        // What was zeroed once is not given up, to be zeroed again.
        let room = &mut self.bytes[self.filled..];
        let (first, rest) = bytes.split_at(bytes.len().min(room.len()));
        room[..first.len()].copy_from_slice(first);
        self.bytes.extend_from_slice(rest);
        self.filled += bytes.len();
    }

    /// Forgets the first `len` bytes, and moves the others to the front.
    pub(crate) fn drop_front(&mut self, len: usize) {
        self.bytes.copy_within(len..self.filled, 0);
        self.filled -= len;
    }

    /// Appends the file's bytes from `at` on, until there are `len` or the file ends.
    ///
    /// # Errors
    ///
    /// What the system says. What was read before is kept.
    pub(crate) fn append_at(&mut self, file: &File, at: u64, len: usize) -> io::Result<()> {
        let first = self.filled;
        self.append(len, End::Nothing, |room, filled| {
            file.read_at(room, at + (filled - first) as u64)
        })?;
        Ok(())
    }

    /// Reads on until `len` bytes are at hand or the input ends, which `end` tells. Returns whether it ended.
    ///
    /// # Errors
    ///
    /// What the input says. What was read before is kept.
    pub(crate) fn fill(&mut self, input: &mut impl Read, len: usize, end: End) -> io::Result<bool> {
        self.append(len, end, |room, _| input.read(room))
    }

    /// Reads once, so that no more than `len` bytes are at hand. Returns whether the input ended.
    ///
    /// # Errors
    ///
    /// What the input says.
    pub(crate) fn fill_once(&mut self, input: &mut impl Read, len: usize) -> io::Result<bool> {
        let before = self.filled;
        let read = self.append(len, End::Nothing, |room, filled| {
            if filled > before { Err(io::ErrorKind::WouldBlock.into()) } else { input.read(room) }
        });
        if self.filled > before { Ok(false) } else { read }
    }

    /// Appends what `read` puts into the room that it is given, until there are `len` bytes or it
    /// gives none. `read` is told how much there is. Returns whether the end has come.
    fn append(
        &mut self,
        len: usize,
        end: End,
        mut read: impl FnMut(&mut [u8], usize) -> io::Result<usize>,
    ) -> io::Result<bool> {
        while self.filled < len {
            if self.filled == self.bytes.len() {
                self.bytes.resize((2 * self.filled).min(len).max(FIRST), 0);
            }
            let wanted = self.bytes.len().min(len);
            match read(&mut self.bytes[self.filled..wanted], self.filled) {
                Ok(0) => return Ok(true),
                Ok(read) => {
                    self.filled += read.min(wanted - self.filled);
                    if end.is_told_by(self.filled, wanted) {
                        return Ok(true);
                    }
                }
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
        if self.bytes.capacity() > 2 * WHOLE {
            self.filled = self.filled.min(WHOLE);
            self.bytes.truncate(WHOLE);
            self.bytes.shrink_to(WHOLE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BUFFER, Buffer, End};
    use std::io::{self, Read, Seek, Write};

    #[test]
    fn filling_stops_at_the_limit_and_at_the_end() {
        let mut buffer = Buffer::default();
        let mut input = &b"0123456789"[..];
        assert!(!buffer.fill(&mut (&mut input).take(4), 4, End::Nothing).unwrap());
        assert_eq!(buffer.bytes(), b"0123");
        assert!(buffer.fill(&mut input, 100, End::Nothing).unwrap());
        assert_eq!(buffer.bytes(), b"0123456789");
        buffer.clear();
        buffer.extend(b"ab");
        assert_eq!(buffer.bytes(), b"ab");
    }

    #[test]
    fn a_short_read_shows_the_end_but_between_blocks() {
        let broken = io::ErrorKind::Other;
        for (end, len, asked, ended) in [
            (End::Short, 100, 1, Ok(true)),
            (End::Short, 513, 1, Ok(true)),
            (End::Short, 512, 2, Err(broken)),
            (End::Short, 2000, 1, Ok(false)),
            (End::Nothing, 100, 2, Err(broken)),
        ] {
            let mut buffer = Buffer::default();
            let mut times = 0;
            let read = buffer.append(2000, end, |room, _| {
                times += 1;
                room[..len].fill(b'x');
                if times == 1 { Ok(len) } else { Err(broken.into()) }
            });
            assert_eq!(read.map_err(|error| error.kind()), ended, "{end:?} {len}");
            assert_eq!((times, buffer.bytes().len()), (asked, len), "{end:?} {len}");
        }
    }

    #[test]
    fn files_and_streams_fill_the_same_buffer() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        file.rewind().unwrap();
        let mut buffer = Buffer::default();
        buffer.fill(&mut &b"ab"[..], 2, End::Nothing).unwrap();
        assert!(!buffer.fill(&mut &file, 5, End::Nothing).unwrap());
        assert_eq!(buffer.bytes(), b"ab012");
        buffer.append_at(&file, 8, 6).unwrap();
        assert_eq!(buffer.bytes(), b"ab0128");
        buffer.clear();
        buffer.extend(b"28");
        assert!(buffer.fill(&mut &b"x"[..], 9, End::Nothing).unwrap());
        assert_eq!(buffer.bytes(), b"28x");
        assert!(buffer.fill(&mut &file, BUFFER, End::Nothing).unwrap());
        assert_eq!(buffer.bytes(), b"28x3456789");
        buffer.read_at(&file, 9, 5).unwrap();
        assert_eq!(buffer.bytes(), b"9");
        buffer.shrink();
        assert_eq!(buffer.bytes(), b"9");
    }
}
