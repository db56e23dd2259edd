//! Reads files and streams into a [`Buffer`].

use super::open::End;
use crate::platform;
use std::fs::File;
use std::io::{self, Read};
pub(crate) use urlsift_records::input::{BUFFER, Buffer, WHOLE};

/// Methods of [`Buffer`] that read parts of files.
pub(crate) trait FileBuffer {
    /// Appends the bytes of the file from offset `at` on, up to `len` bytes or the end of the file.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system. Bytes read before it stay in the buffer.
    fn append_at(&mut self, file: &File, at: u64, len: usize) -> io::Result<()>;

    /// Reads from `input` until the buffer contains `len` bytes or the input ends. `end` is the way
    /// to detect the end. Returns true if the input has ended.
    ///
    /// # Errors
    ///
    /// Returns any error from `input`. Bytes read before it stay in the buffer.
    fn fill_to(&mut self, input: &mut impl Read, len: usize, end: End) -> io::Result<bool>;

    /// Replaces the contents of the buffer by the bytes of the file from offset `at` on, up to
    /// `len` bytes or the end of the file.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    fn read_at(&mut self, file: &File, at: u64, len: usize) -> io::Result<()>;
}

impl FileBuffer for Buffer {
    fn append_at(&mut self, file: &File, at: u64, len: usize) -> io::Result<()> {
        let first = self.bytes().len();
        let read =
            |room: &mut [u8], filled| platform::read_at(file, room, at + (filled - first) as u64);
        self.append(len, |_, _| false, read)?;
        Ok(())
    }

    fn fill_to(&mut self, input: &mut impl Read, len: usize, end: End) -> io::Result<bool> {
        self.append(len, |read, wanted| end.is_shown_by(read, wanted), |room, _| input.read(room))
    }

    fn read_at(&mut self, file: &File, at: u64, len: usize) -> io::Result<()> {
        self.clear();
        self.append_at(file, at, len)
    }
}

#[cfg(test)]
mod tests {
    use super::{BUFFER, Buffer, End, FileBuffer as _};
    use std::io::{self, Read, Seek, Write};

    #[test]
    fn filling_stops_at_the_limit_and_at_the_end() {
        let mut buffer = Buffer::default();
        let mut input = &b"0123456789"[..];
        assert!(!buffer.fill(&mut (&mut input).take(4), 4).unwrap());
        assert_eq!(buffer.bytes(), b"0123");
        assert!(buffer.fill(&mut input, 100).unwrap());
        assert_eq!(buffer.bytes(), b"0123456789");
        buffer.clear();
        buffer.extend(b"ab");
        assert_eq!(buffer.bytes(), b"ab");
    }

    #[test]
    fn short_read_shows_the_end_except_between_blocks() {
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
            let read = buffer.append(
                2000,
                |read, wanted| end.is_shown_by(read, wanted),
                |room, _| {
                    times += 1;
                    room[..len].fill(b'x');
                    if times == 1 { Ok(len) } else { Err(broken.into()) }
                },
            );
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
        buffer.fill(&mut &b"ab"[..], 2).unwrap();
        assert!(!buffer.fill(&mut &file, 5).unwrap());
        assert_eq!(buffer.bytes(), b"ab012");
        buffer.append_at(&file, 8, 6).unwrap();
        assert_eq!(buffer.bytes(), b"ab0128");
        buffer.clear();
        buffer.extend(b"28");
        assert!(buffer.fill(&mut &b"x"[..], 9).unwrap());
        assert_eq!(buffer.bytes(), b"28x");
        assert!(buffer.fill(&mut &file, BUFFER).unwrap());
        assert_eq!(buffer.bytes(), b"28x3456789");
        buffer.read_at(&file, 9, 5).unwrap();
        assert_eq!(buffer.bytes(), b"9");
        buffer.shrink();
        assert_eq!(buffer.bytes(), b"9");
    }
}
