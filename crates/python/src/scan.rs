//! Scans one file and yields its records lazily.
//!
//! A separate thread reads and scans, a few records ahead of the consumer. The thread never calls
//! Python. If it needs bytes of a file object, it requests them from the iterator, which has the
//! interpreter's lock when it is called.

use crate::arguments::{str_argument, wrong_type};
use crate::file_object;
use crate::record::Record;
use crate::text::bytes_of_buffer;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow::{self, Break, Continue};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use urlsift_archive::unpack::{Refusal, Trouble};
use urlsift_records::fields::{Field, error_code, summary};
use urlsift_records::{FileName, Input, Scan, Scanned, Sink, Tally, UrlRecord};

create_exception!(
    urlsift,
    ScanError,
    PyException,
    "An error in a scanned file or an archive member. Its attributes are path, member (or None) and\n\
     message. Everything before the error was scanned, and iteration can continue."
);

/// The maximum number of records in a batch.
const BATCH: usize = 256;
/// The error number of "is a directory" on all platforms.
const EISDIR: i32 = 21;
/// The maximum number of messages that wait for the consumer.
const AHEAD: usize = 4;

/// A message from the scanning thread to the iterator.
enum ScanMessage {
    Records(Vec<UrlRecord<'static>>),
    Error(ReadError),
    /// A request for a number of bytes of the file object.
    Read(usize),
    Done(Box<Tally>),
}

/// An error in the scanned file or in a member of it.
pub(crate) struct ReadError {
    pub(crate) file: Arc<FileName>,
    pub(crate) message: String,
    /// The stable name of the error, if it has one.
    code: Option<&'static str>,
}

/// An iterator over the records of a file, in file order. It scans a few records ahead.
///
/// Only one thread at a time may use it.
#[pyclass(module = "urlsift")]
pub struct Records {
    /// The messages from the scanning thread. The mutex only makes the type `Sync`: the iterator is
    /// accessed exclusively and doesn't lock it.
    messages: Option<Mutex<Receiver<ScanMessage>>>,
    /// The channel to send bytes of the file object to the thread.
    answers: Option<SyncSender<PyBackedBytes>>,
    object: Option<Py<PyAny>>,
    thread: Option<JoinHandle<()>>,
    batch: std::vec::IntoIter<UrlRecord<'static>>,
    raises: bool,
    errors: Vec<ReadError>,
    tally: Option<Tally>,
}

/// The source of the bytes to scan: a file, bytes or a file object.
enum Source {
    File(File),
    Bytes(PyBackedBytes),
    Object(ObjectReader),
}

/// A reader for the scanning thread that requests the bytes of a file object from the iterator.
struct ObjectReader {
    requests: SyncSender<ScanMessage>,
    answers: Receiver<PyBackedBytes>,
    buffer: io::Cursor<PyBackedBytes>,
}

impl Read for ObjectReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.buffer.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        // The iterator was dropped, or the file object failed and the iterator raises its
        // exception.
        let gone = |()| io::Error::from(io::ErrorKind::BrokenPipe);
        self.requests.send(ScanMessage::Read(buffer.len())).map_err(|_| gone(()))?;
        self.buffer = io::Cursor::new(self.answers.recv().map_err(|_| gone(()))?);
        self.buffer.read(buffer)
    }
}

/// A sink that sends records to the iterator in batches.
struct RecordSender {
    to: SyncSender<ScanMessage>,
    batch: Vec<UrlRecord<'static>>,
}

impl RecordSender {
    /// Sends the collected records, and then `message`. Returns `Break` if the iterator was
    /// dropped.
    fn send(&mut self, message: ScanMessage) -> ControlFlow<()> {
        self.send_batch()?;
        self.to.send(message).map_or(Break(()), Continue)
    }

    /// Sends the collected records, if there are any. Returns `Break` if the iterator was dropped.
    fn send_batch(&mut self) -> ControlFlow<()> {
        if self.batch.is_empty() {
            return Continue(());
        }
        let batch = std::mem::take(&mut self.batch);
        self.to.send(ScanMessage::Records(batch)).map_or(Break(()), Continue)
    }
}

impl Sink for RecordSender {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.batch.push(record.clone().into_owned());
        if self.batch.len() < BATCH { Continue(()) } else { self.send_batch() }
    }

    fn trouble(&mut self, file: &Arc<FileName>, trouble: Trouble) -> Result<(), Trouble> {
        let (message, code) = (explain_error(&trouble), error_code(&trouble));
        match self.send(ScanMessage::Error(ReadError { file: Arc::clone(file), message, code })) {
            Continue(()) => Ok(()),
            Break(()) => Err(trouble),
        }
    }

    fn unit_scanned(&mut self, _: &Arc<FileName>, _: &Scanned, _: bool) -> ControlFlow<()> {
        self.send_batch()
    }
}

impl Records {
    /// Starts a thread that scans a source: a path, bytes or a file object. `raises` is true if
    /// errors are raised and not only collected.
    pub(crate) fn start(
        scan: &Arc<Scan>,
        source: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        raises: bool,
    ) -> PyResult<Self> {
        let (to, messages) = sync_channel(AHEAD);
        let (mut answers, mut object) = (None, None);
        let (source, path) = if let Some(path) = path_of_source(source)? {
            (Source::File(open_file(&path)?), Some(path))
        } else if let Some(bytes) = bytes_of_buffer(source) {
            (Source::Bytes(bytes), None)
        } else if source.hasattr("read")? {
            let (sender, receiver) = sync_channel(1);
            answers = Some(sender);
            object = Some(source.clone().unbind());
            let buffer = io::Cursor::new(PyBytes::new(source.py(), b"").into());
            (Source::Object(ObjectReader { requests: to.clone(), answers: receiver, buffer }), None)
        } else {
            return Err(wrong_type("source", "a path, bytes or a file object", source));
        };
        let name = match (name, path) {
            (Some(name), _) => str_argument("name", name)?.into_bytes(),
            (None, Some(path)) => path.into_os_string().into_encoded_bytes(),
            (None, None) => b"-".to_vec(),
        };
        let scan = Arc::clone(scan);
        let thread = std::thread::spawn(move || {
            scan_and_send(&scan, name, source, RecordSender { to, batch: Vec::new() });
        });
        Ok(Self { answers, object, ..Self::receiving(thread, messages, raises) })
    }

    /// Creates an iterator over the records that `thread` sends through `messages`. `raises` is
    /// true if errors are raised and not only collected.
    fn receiving(thread: JoinHandle<()>, messages: Receiver<ScanMessage>, raises: bool) -> Self {
        Self {
            messages: Some(Mutex::new(messages)),
            answers: None,
            object: None,
            thread: Some(thread),
            batch: Vec::new().into_iter(),
            raises,
            errors: Vec::new(),
            tally: None,
        }
    }

    /// Returns the next record, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error of the scan, unless errors are collected, and any exception of the file
    /// object.
    pub(crate) fn advance(&mut self, py: Python<'_>) -> PyResult<Option<Record>> {
        loop {
            if let Some(record) = self.batch.next() {
                return Ok(Some(Record(record)));
            }
            let Some(messages) = &mut self.messages else { return Ok(None) };
            let messages = messages.get_mut().unwrap_or_else(PoisonError::into_inner);
            match py.detach(move || messages.recv()) {
                Ok(ScanMessage::Records(batch)) => self.batch = batch.into_iter(),
                Ok(ScanMessage::Read(wanted)) => self.answer_read_request(py, wanted)?,
                Ok(ScanMessage::Error(error)) => {
                    let ReadError { file, message, .. } = &error;
                    let exception =
                        self.raises.then(|| to_exception(py, file, message)).transpose()?;
                    self.errors.push(error);
                    if let Some(exception) = exception {
                        return Err(exception);
                    }
                }
                Ok(ScanMessage::Done(tally)) => {
                    self.tally = Some(*tally);
                    self.stop(py);
                }
                Err(_) => self.stop(py),
            }
        }
    }

    /// Returns the errors collected since the last call, and removes them.
    pub(crate) fn take_errors(&mut self) -> Vec<ReadError> {
        std::mem::take(&mut self.errors)
    }

    /// Reads `len` bytes from the file object, which the scanning thread has requested, and
    /// sends them to the thread.
    fn answer_read_request(&mut self, py: Python<'_>, len: usize) -> PyResult<()> {
        let Some(object) = &self.object else { return Ok(()) };
        match file_object::read_object(object.bind(py), len) {
            Ok(read) => {
                if let Some(answers) = &self.answers {
                    let _ = answers.send(read);
                }
                Ok(())
            }
            Err(error) => {
                self.stop(py);
                Err(error)
            }
        }
    }

    /// Stops the scanning thread, and waits until it ends. If the thread has panicked, panics as
    /// well.
    fn stop(&mut self, py: Python<'_>) {
        (self.messages, self.answers, self.object) = (None, None, None);
        if let Some(thread) = self.thread.take()
            && let Err(panic) = py.detach(|| thread.join())
        {
            resume_unwind(panic);
        }
    }
}

#[pymethods]
impl Records {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Record>> {
        self.advance(py)
    }
    /// The errors so far, as dicts with path, message, (in archives) member and, for some errors,
    /// code.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let json = py.import("json")?;
        let dict = |ReadError { file, message, code }: &ReadError| {
            let mut line = Vec::new();
            file.write_error(message, *code, &mut line);
            json.call_method1("loads", (String::from_utf8_lossy(&line),))
        };
        self.errors.iter().map(dict).collect()
    }

    /// The totals of the scan, or None until the iteration has ended. The totals are a dict with
    /// bytes (after decompression), messages, urls, malformed and truncated, and with undated and
    /// cut_pages if they are not 0.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(tally) = &self.tally else { return Ok(None) };
        let dict = PyDict::new(py);
        // Omit the counts of files and errors, because only one file is scanned.
        let is_shown =
            |field: &Field| ![summary::FILES.name, summary::ERRORS.name].contains(&field.name);
        let counts = tally.counts().into_iter().filter(|(field, _)| is_shown(field));
        for (field, number) in counts.chain(tally.rare_counts()) {
            dict.set_item(field.name, number)?;
        }
        Ok(Some(dict))
    }
}

/// Returns the `ScanError` for an error in a file.
fn to_exception(py: Python<'_>, file: &FileName, message: &str) -> PyResult<PyErr> {
    let path = String::from_utf8_lossy(&file.path);
    let member = file.member.as_ref().map(|member| String::from_utf8_lossy(member));
    let text = match &member {
        Some(member) => format!("{path}: {member}: {message}"),
        None => format!("{path}: {message}"),
    };
    let error = ScanError::new_err(text);
    let value = error.value(py);
    value.setattr("path", path)?;
    value.setattr("member", member)?;
    value.setattr("message", message)?;
    Ok(error)
}

/// Returns the path if `source` is a str or has the method `__fspath__`, otherwise `None`.
fn path_of_source(source: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    let is_path = source.is_instance_of::<PyString>() || source.hasattr("__fspath__")?;
    if !is_path {
        return Ok(None);
    }
    source.extract().map(Some)
}

/// Opens a file, which must not be a directory.
///
/// # Errors
///
/// Raises `OSError` with the path, like `open()`.
pub(crate) fn open_file(path: &PathBuf) -> PyResult<File> {
    let file = File::open(path).and_then(|file| {
        let is_directory = file.metadata()?.is_dir();
        if is_directory { Err(io::Error::from_raw_os_error(EISDIR)) } else { Ok(file) }
    });
    file.map_err(|error| {
        let text = error.to_string();
        let text = text.split(" (os error").next().unwrap_or_default().to_owned();
        // Python turns `OSError(number, text, path)` into the subclass for that number.
        PyOSError::new_err((error.raw_os_error(), text, path.as_os_str().to_owned()))
    })
}

/// Scans a source to its end, and sends its records, its errors and finally the totals.
fn scan_and_send(scan: &Scan, path: Vec<u8>, source: Source, mut sender: RecordSender) {
    let buffer;
    let input = match source {
        Source::File(file) if file.metadata().is_ok_and(|meta| meta.is_file()) => {
            Input::from_file(path, file)
        }
        Source::File(file) => Input::from_stream(path, file),
        Source::Bytes(bytes) => {
            buffer = bytes;
            Input::from_bytes(path, &buffer)
        }
        Source::Object(object) => Input::from_stream(path, object),
    };
    // The sink accepts all errors, unless the iterator is gone.
    if let Ok(scanned) = scan.read(input, &mut sender) {
        let _ = sender.send(ScanMessage::Done(Box::new(scanned.tally)));
    }
}

/// Returns the message of an error. If a limit was exceeded, the message also names the argument
/// that raises the limit.
fn explain_error(trouble: &Trouble) -> String {
    let refusal = match trouble {
        Trouble::Read(error) => Refusal::from_error(error),
        _ => None,
    };
    match refusal {
        Some(Refusal::TooBig(_)) => format!("{trouble}: max_expand allows more"),
        Some(Refusal::TooWide(_)) => format!("{trouble}: max_window allows more"),
        _ => trouble.to_string(),
    }
}

/// Panics in a scanning thread if `in_thread` is true, and in the calling thread otherwise. Python
/// gets a PanicException. Only tests call this.
#[pyfunction]
#[pyo3(name = "_panic")]
pub(crate) fn panic(in_thread: bool) -> Records {
    assert!(in_thread, "as it was asked for");
    let (to, messages) = sync_channel(AHEAD);
    let work = move || {
        drop(RecordSender { to, batch: Vec::new() });
        panic!("as it was asked for");
    };
    Records::receiving(std::thread::spawn(work), messages, true)
}
