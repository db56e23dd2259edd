//! Adapts Python file objects to `Read` and `Seek`.

use crate::arguments::wrong_type;
use crate::text::bytes_of_buffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};
use std::error::Error;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

/// The minimum number of bytes to request at once. A request to an object store takes longer than
/// the transfer of a megabyte.
const MIN_REQUEST: usize = 1 << 20;
/// The maximum number of bytes to request at once.
const MAX_REQUEST: usize = 8 << 20;

/// A Python file object that is open in binary mode. Each read attaches the thread to the Python
/// interpreter.
pub(crate) struct FileObject {
    object: Py<PyAny>,
    /// A buffer with the bytes that were read last, and the position in it.
    buffer: io::Cursor<PyBackedBytes>,
    /// The offset of the buffer's start: in the file, or before the first seek from where reading
    /// began.
    at: u64,
    /// The last exception of the file object.
    raised: Option<PyErr>,
}

/// The I/O error that is returned if the file object raises an exception. The exception itself is
/// in [`FileObject::raised`].
#[derive(Debug)]
struct Raised;

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the file object raised an exception")
    }
}

impl Error for Raised {}

/// True if `error` means that the system or a file object failed to read. False if it means that
/// the data is damaged.
pub(crate) fn is_read_failure(error: &io::Error) -> bool {
    let is_raised = error.get_ref().map(<dyn Error + Send + Sync>::is::<Raised>);
    error.raw_os_error().is_some() || is_raised == Some(true)
}

impl FileObject {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> Self {
        let buffer = io::Cursor::new(PyBytes::new(object.py(), b"").into());
        Self { object: object.clone().unbind(), buffer, at: 0, raised: None }
    }

    /// True if the file object supports seeking.
    pub(crate) fn is_seekable(&self, py: Python<'_>) -> PyResult<bool> {
        let object = self.object.bind(py);
        if object.hasattr("seekable")? {
            return object.call_method0("seekable")?.is_truthy();
        }
        object.hasattr("seek")
    }

    /// Returns the exception that caused the last error, and removes it.
    pub(crate) fn take_raised(&mut self) -> Option<PyErr> {
        self.raised.take()
    }

    /// Calls `call` with the file object. If it raises an exception, stores it in `raised` and
    /// returns an I/O error.
    fn call_object<T>(
        &mut self,
        call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> io::Result<T> {
        Python::attach(|py| call(self.object.bind(py))).map_err(|error| {
            self.raised = Some(error);
            io::Error::other(Raised)
        })
    }

    /// Calls the `seek` method of the file object with these arguments, and clears the buffer.
    /// Returns the new offset in the file.
    fn seek_object(&mut self, offset: i64, whence: u8) -> io::Result<u64> {
        let at =
            self.call_object(|object| object.call_method1("seek", (offset, whence))?.extract())?;
        self.buffer =
            io::Cursor::new(self.call_object(|object| Ok(PyBytes::new(object.py(), b"").into()))?);
        self.at = at;
        Ok(at)
    }
}

/// Reads `len` bytes from a file object, by calling the object's method `read`. The object may
/// return fewer bytes, and returns none at the end of the file.
///
/// # Errors
///
/// Returns any exception of the object, and a `TypeError` if it does not return bytes.
pub(crate) fn read_object(object: &Bound<'_, PyAny>, len: usize) -> PyResult<PyBackedBytes> {
    let read = object.call_method1("read", (len,))?;
    if read.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("source must be open in binary mode"));
    }
    bytes_of_buffer(&read).ok_or_else(|| wrong_type("what source.read() returns", "bytes", &read))
}

impl Read for FileObject {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.buffer.read(buffer)?;
        if len > 0 || buffer.is_empty() {
            return Ok(len);
        }
        let wanted = buffer.len().clamp(MIN_REQUEST, MAX_REQUEST);
        self.at += self.buffer.get_ref().len() as u64;
        self.buffer = io::Cursor::new(self.call_object(|object| read_object(object, wanted))?);
        self.buffer.read(buffer)
    }
}

impl Seek for FileObject {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(offset) => return self.seek_object(offset, 2),
            SeekFrom::Current(offset) => (self.at + self.buffer.position())
                .checked_add_signed(offset)
                .ok_or(io::ErrorKind::InvalidInput)?,
        };
        let buffer = self.at..self.at + self.buffer.get_ref().len() as u64;
        if buffer.contains(&at) {
            self.buffer.set_position(at - self.at);
            return Ok(at);
        }
        self.seek_object(i64::try_from(at).map_err(|_| io::ErrorKind::InvalidInput)?, 0)
    }
}
