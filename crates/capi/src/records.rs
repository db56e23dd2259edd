//! Scans files, bytes and streams into records.

use crate::options::urlsift_scanner;
use crate::status::{Failure, URLSIFT_IO, URLSIFT_OK, URLSIFT_STOPPED, guard};
use crate::text::{bytes_from_c, name_from_c};
use std::ffi::{c_char, c_int, c_void};
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::Path;
use std::sync::Arc;
use urlsift_archive::unpack::Trouble;
use urlsift_records::fields::error_code;
use urlsift_records::write::JsonLines;
use urlsift_records::{FileName, Input, Sink, UrlRecord};

/// Callback for a text (a line of JSON or a URL), which is not zero-terminated and only valid until
/// the callback returns. Returns 0 to continue or any other value to stop. It must not unwind or
/// jump out of the call.
#[allow(non_camel_case_types, reason = "the name in C")]
pub type urlsift_on_text =
    Option<unsafe extern "C" fn(text: *const c_char, length: usize, context: *mut c_void) -> c_int>;

/// Callback that reads input: stores up to `most` bytes at `to`. Returns the number of bytes read,
/// 0 at the end of the input, or less than 0 if reading fails. It must not unwind or jump out of
/// the call.
#[allow(non_camel_case_types, reason = "the name in C")]
pub type urlsift_read =
    Option<unsafe extern "C" fn(to: *mut c_char, most: usize, context: *mut c_void) -> isize>;

/// A callback for texts, and the context to pass to it.
#[derive(Clone, Copy)]
pub(crate) struct TextCallback {
    take: unsafe extern "C" fn(text: *const c_char, length: usize, context: *mut c_void) -> c_int,
    context: *mut c_void,
}

impl TextCallback {
    /// Creates a callback from the arguments `take` and `context` of a call. Fails if `take` is
    /// NULL.
    pub(crate) fn from_c(take: urlsift_on_text, context: *mut c_void) -> Result<Self, Failure> {
        let take = take.ok_or_else(|| Failure::invalid_argument("take", "NULL"))?;
        Ok(Self { take, context })
    }

    /// Passes a text to the callback. Returns `Break` if the callback returns a value other than 0.
    pub(crate) fn pass_text(self, text: &[u8]) -> ControlFlow<()> {
        // SAFETY: the header states the callback's contract; its arguments live until it returns.
        let answer = unsafe { (self.take)(text.as_ptr().cast(), text.len(), self.context) };
        if answer == 0 { Continue(()) } else { Break(()) }
    }
}

/// A sink that passes records to the callback as lines of JSON.
struct Lines {
    callback: TextCallback,
    json: JsonLines,
    line: Vec<u8>,
    is_stopped: bool,
}

impl Lines {
    /// Passes the current line to the callback, and clears it. Returns `Break` if the callback
    /// stops the scan.
    fn pass_line(&mut self) -> ControlFlow<()> {
        let flow = self.callback.pass_text(&self.line);
        self.line.clear();
        self.is_stopped |= flow.is_break();
        flow
    }
}

impl Sink for Lines {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.json.write(record, &mut self.line);
        self.pass_line()
    }

    fn trouble(&mut self, file: &Arc<FileName>, trouble: Trouble) -> Result<(), Trouble> {
        file.write_error(&trouble.to_string(), error_code(&trouble), &mut self.line);
        if self.pass_line().is_break() { Err(trouble) } else { Ok(()) }
    }
}

/// Scans an input and passes its records to the callback, one line of JSON each. Returns the status
/// code of the call.
fn scan_to_callback(scanner: &urlsift_scanner, input: Input<'_>, callback: TextCallback) -> c_int {
    let mut lines =
        Lines { callback, json: JsonLines::default(), line: Vec::new(), is_stopped: false };
    // The sink accepts all errors, so that `read` fails only if the callback stopped the scan.
    let _ = scanner.scan.read(input, &mut lines);
    if lines.is_stopped { URLSIFT_STOPPED } else { URLSIFT_OK }
}

/// Opens the file at `path`, a path from C. Fails for a directory.
pub(crate) fn open_file(path: &[u8]) -> Result<File, Failure> {
    let shown = String::from_utf8_lossy(path);
    let failed = |error: io::Error| Failure::new(URLSIFT_IO, format_args!("{shown}: {error}"));
    let file = File::open(path_from_bytes(path)?).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(Failure::new(URLSIFT_IO, format_args!("{shown}: it is a directory")));
    }
    Ok(file)
}

/// Converts a path from C. On Unix, it may contain any bytes.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "fails on other systems")]
fn path_from_bytes(path: &[u8]) -> Result<&Path, Failure> {
    use std::os::unix::ffi::OsStrExt;
    Ok(Path::new(std::ffi::OsStr::from_bytes(path)))
}

/// Converts a path from C. Fails if it is not UTF-8.
#[cfg(not(unix))]
fn path_from_bytes(path: &[u8]) -> Result<&Path, Failure> {
    let path = std::str::from_utf8(path);
    path.map(Path::new).map_err(|_| Failure::invalid_argument("path", "not UTF-8"))
}

/// Scans the bytes of a file and passes its records to `take`, one line of JSON each, as
/// `urlsift scan --format jsonl` prints them. Mail, HTML pages and archives are parsed, and
/// compressed data is decompressed. The records contain `name`, and its extension helps to
/// detect the format. An input that can't be read results in a record of type "error", and the
/// scan continues. `urlsift schema scan` describes the fields.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_scan_bytes(
    scanner: *const urlsift_scanner,
    name: *const c_char,
    bytes: *const c_char,
    length: usize,
    take: urlsift_on_text,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: guaranteed by the caller, as the header demands.
        let (scanner, name, bytes) = unsafe {
            (
                urlsift_scanner::from_pointer(scanner)?,
                name_from_c("name", name)?,
                bytes_from_c("bytes", bytes, length)?,
            )
        };
        let callback = TextCallback::from_c(take, context)?;
        Ok(scan_to_callback(scanner, Input::from_bytes(name, bytes), callback))
    })
}

/// Scans a file like urlsift_scan_bytes. `path` may contain any bytes; on Windows, it is in UTF-8.
/// Returns URLSIFT_IO if the file cannot be opened.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_scan_path(
    scanner: *const urlsift_scanner,
    path: *const c_char,
    take: urlsift_on_text,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: guaranteed by the caller, as the header demands.
        let (scanner, path) =
            unsafe { (urlsift_scanner::from_pointer(scanner)?, name_from_c("path", path)?) };
        let callback = TextCallback::from_c(take, context)?;
        let file = open_file(path)?;
        Ok(scan_to_callback(scanner, Input::from_file(path, file), callback))
    })
}

/// Scans the bytes that `read` returns, in one pass, like urlsift_scan_bytes. `source` is passed to
/// `read`, and `context` to `take`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_scan_stream(
    scanner: *const urlsift_scanner,
    name: *const c_char,
    read: urlsift_read,
    source: *mut c_void,
    take: urlsift_on_text,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: guaranteed by the caller, as the header demands.
        let (scanner, name) =
            unsafe { (urlsift_scanner::from_pointer(scanner)?, name_from_c("name", name)?) };
        let read = read.ok_or_else(|| Failure::invalid_argument("read", "NULL"))?;
        let callback = TextCallback::from_c(take, context)?;
        let input = Input::from_stream(name, Reader { read, source });
        Ok(scan_to_callback(scanner, input, callback))
    })
}

/// A reader that calls a C callback for its bytes.
struct Reader {
    read: unsafe extern "C" fn(*mut c_char, usize, *mut c_void) -> isize,
    source: *mut c_void,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // SAFETY: the header states the callback's contract; the buffer is as long as stated.
        let read = unsafe { (self.read)(buffer.as_mut_ptr().cast(), buffer.len(), self.source) };
        let read = usize::try_from(read).map_err(|_| io::Error::other("reading failed"))?;
        if read <= buffer.len() {
            Ok(read)
        } else {
            Err(io::Error::other("the read callback returned more bytes than requested"))
        }
    }
}
