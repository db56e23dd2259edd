//! The records of a file.

use crate::options::urlsift_scanner;
use crate::status::{
    Failure, URLSIFT_BAD_ARGUMENT, URLSIFT_IO, URLSIFT_OK, URLSIFT_STOPPED, guard,
};
use crate::text::{bytes, name};
use std::ffi::{c_char, c_int, c_void};
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use urlsift_archive::unpack::Trouble;
use urlsift_records::write::JsonLines;
use urlsift_records::{FileName, Input, Sink, UrlRecord};

/// Takes a text that is not ended by a zero and gone when it returns. It returns 0 to go on or anything else to stop, and must not unwind or
/// jump out of the call.
#[allow(non_camel_case_types, reason = "the name in C")]
pub type urlsift_on_text =
    Option<unsafe extern "C" fn(text: *const c_char, length: usize, context: *mut c_void) -> c_int>;

/// Reads up to so many bytes into `to`, and returns how many; 0 at the end, less where reading fails. It must not unwind or jump out of the call.
#[allow(non_camel_case_types, reason = "the name in C")]
pub type urlsift_read =
    Option<unsafe extern "C" fn(to: *mut c_char, most: usize, context: *mut c_void) -> isize>;

/// Who takes texts, and what goes with them.
#[derive(Clone, Copy)]
pub(crate) struct TextTaker {
    pub(crate) take: urlsift_on_text,
    pub(crate) context: *mut c_void,
}

impl TextTaker {
    pub(crate) fn text(self, text: &[u8]) -> ControlFlow<()> {
        let Some(take) = self.take else { return Continue(()) };
        // SAFETY: the header says what the function may do; what it is given lives until it returns.
        let said = unsafe { take(text.as_ptr().cast(), text.len(), self.context) };
        if said == 0 { Continue(()) } else { Break(()) }
    }
}

/// Hands records over as lines.
struct Lines {
    taker: TextTaker,
    json: JsonLines,
    line: Vec<u8>,
    is_stopped: bool,
}

impl Lines {
    fn hand_over(&mut self) -> ControlFlow<()> {
        let flow = self.taker.text(&self.line);
        self.line.clear();
        self.is_stopped |= flow.is_break();
        flow
    }
}

impl Sink for Lines {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.json.write(record, &mut self.line);
        self.hand_over()
    }

    fn trouble(&mut self, file: &Arc<FileName>, trouble: Trouble) -> Result<(), Trouble> {
        file.write_error(&trouble.to_string(), &mut self.line);
        if self.hand_over().is_break() { Err(trouble) } else { Ok(()) }
    }
}

/// Scans an input, and hands its records over.
fn scan(scanner: &urlsift_scanner, input: Input<'_>, taker: TextTaker) -> c_int {
    let mut lines =
        Lines { taker, json: JsonLines::default(), line: Vec::new(), is_stopped: false };
    // The sink takes all trouble.
    let _ = scanner.scan.read(input, &mut lines);
    if lines.is_stopped { URLSIFT_STOPPED } else { URLSIFT_OK }
}

/// Opens a file by its path.
pub(crate) fn open(path: &str) -> Result<File, Failure> {
    let failed = |error: io::Error| Failure::new(URLSIFT_IO, format_args!("{path}: {error}"));
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(Failure::new(URLSIFT_IO, format_args!("{path}: it is a directory")));
    }
    Ok(file)
}

/// Hands over the records of bytes, a line of JSON each, as `urlsift scan --format jsonl` prints them: mail, pages and archives are taken apart, and
/// what is packed is unpacked. The name stands in the records, and its ending may tell what the bytes are. What cannot be read is a record of
/// the type "error" in its place, and the rest is read. `urlsift schema scan` tells the fields.
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
        // SAFETY: the caller's, as the header says it.
        let (scanner, name, bytes) = unsafe {
            (
                urlsift_scanner::of(scanner)?,
                self::name("name", name)?,
                self::bytes("bytes", bytes, length)?,
            )
        };
        Ok(scan(scanner, Input::bytes(name, bytes), TextTaker { take, context }))
    })
}

/// The same of a file, by its path in UTF-8. URLSIFT_IO if it cannot be opened.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_scan_path(
    scanner: *const urlsift_scanner,
    path: *const c_char,
    take: urlsift_on_text,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's, as the header says it.
        let (scanner, path) = unsafe { (urlsift_scanner::of(scanner)?, name("path", path)?) };
        let file = open(path)?;
        Ok(scan(scanner, Input::file(path, file), TextTaker { take, context }))
    })
}

/// The same of what a function reads, from front to end. `source` goes to `read`, `context` to `take`.
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
        // SAFETY: the caller's, as the header says it.
        let (scanner, name) = unsafe { (urlsift_scanner::of(scanner)?, self::name("name", name)?) };
        let read = read.ok_or_else(|| Failure::new(URLSIFT_BAD_ARGUMENT, "read is NULL"))?;
        let input = Input::stream(name, Reader { read, source });
        Ok(scan(scanner, input, TextTaker { take, context }))
    })
}

/// A function of C as something that is read.
struct Reader {
    read: unsafe extern "C" fn(*mut c_char, usize, *mut c_void) -> isize,
    source: *mut c_void,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // SAFETY: the header says what the function may do; there are so many bytes to write to.
        let read = unsafe { (self.read)(buffer.as_mut_ptr().cast(), buffer.len(), self.source) };
        let read = usize::try_from(read).map_err(|_| io::Error::other("reading failed"))?;
        if read <= buffer.len() {
            Ok(read)
        } else {
            Err(io::Error::other("more was read than asked for"))
        }
    }
}
