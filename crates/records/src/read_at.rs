//! Sources that can be read at any offset.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::rc::Rc;

/// A source of bytes, such as a file, that can be read at any offset.
pub trait ReadAt {
    /// Reads bytes at offset `at` into `buffer`. Returns the number of bytes read, which is 0 at
    /// the end of the source.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

impl<F: FnMut(u64, &mut [u8]) -> io::Result<usize>> ReadAt for F {
    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self(at, buffer)
    }
}

/// A wrapper that implements [`ReadAt`] for a seekable source. It seeks only if necessary. All
/// clones share one cursor.
pub(crate) struct Seekable<S>(Rc<RefCell<Cursor<S>>>);

struct Cursor<S> {
    source: S,
    /// The offset of the source's first byte.
    base: u64,
    /// The current offset, if known.
    at: Option<u64>,
}

impl<S> Seekable<S> {
    /// Wraps a seekable source. `base` is the offset of its first byte.
    pub(crate) fn new(source: S, base: u64) -> Self {
        Self(Rc::new(RefCell::new(Cursor { source, base, at: None })))
    }
}

impl<S> Clone for Seekable<S> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<S: Read + Seek> ReadAt for Seekable<S> {
    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut cursor = self.0.borrow_mut();
        if cursor.at.take() != Some(at) {
            let start = at.saturating_sub(cursor.base);
            cursor.source.seek(SeekFrom::Start(start))?;
        }
        let read = cursor.source.read(buffer)?;
        cursor.at = Some(at + read as u64);
        Ok(read)
    }
}

/// The file type for an input that has no file, and can be read only once. It has no values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NoFile {}

impl ReadAt for NoFile {
    fn read_at(&mut self, _: u64, _: &mut [u8]) -> io::Result<usize> {
        match *self {}
    }
}

/// A sequential reader of a range of a source. Reading fails if the source ends before the range
/// does, unless the range ends at `u64::MAX`. Seek positions are relative to the start of the
/// source.
#[expect(missing_debug_implementations, reason = "a source need not implement it")]
pub struct RangeReader<F> {
    source: F,
    left: Range<u64>,
}

impl<F> RangeReader<F> {
    /// Creates a reader of the bytes at `range` in a source.
    pub fn new(source: F, range: Range<u64>) -> Self {
        Self { source, left: range }
    }
}

impl<F: ReadAt> Read for RangeReader<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Range { start, end } = self.left;
        let left = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
        let len = buffer.len().min(left);
        if len == 0 {
            return Ok(0);
        }
        let read = self.source.read_at(start, &mut buffer[..len])?;
        if read == 0 && end < u64::MAX {
            return Err(shorter_file_error(start, end));
        }
        self.left.start += read as u64;
        Ok(read)
    }
}

impl<F: ReadAt> Seek for RangeReader<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.left.end.checked_add_signed(by),
            SeekFrom::Current(by) => self.left.start.checked_add_signed(by),
        };
        self.left.start = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.left.start)
    }
}

/// Returns the error for a file that ends at offset `read`, although it should contain the bytes up
/// to `end`.
pub(crate) fn shorter_file_error(read: u64, end: u64) -> io::Error {
    let message =
        format!("the file was truncated while it was read: bytes {read} to {end} are missing");
    io::Error::new(io::ErrorKind::UnexpectedEof, message)
}

/// Creates an unnamed temporary file, into which input that can be read only once is copied.
///
/// # Errors
///
/// Returns any error from the operating system.
#[cfg(feature = "spool")]
pub fn unnamed_temporary_file() -> io::Result<File> {
    tempfile::tempfile()
}

#[cfg(not(feature = "spool"))]
pub(crate) fn unnamed_temporary_file() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}
