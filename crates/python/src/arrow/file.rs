//! Scans a unit of a file. Reads only the part of the file that the unit needs, in pieces.

use super::table::{Batch, ROWS, ToRows};
use super::unit::Listed;
use crate::arguments::arrow_error;
use crate::file_object::{FileObject, is_read_failure};
use crate::scan::open_file;
use arrow_array::RecordBatch;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::ControlFlow::{self, Break, Continue};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use urlsift_archive::Head;
use urlsift_archive::unpack::{ReadSeek, Trouble};
use urlsift_arrow::Rows;
use urlsift_records::input::{decompress_unit_to, unnamed_temporary_file};
use urlsift_records::table::Columns;
use urlsift_records::{FileName, Input, Scan, Sink, UrlRecord};

/// The maximum number of batches that wait for the consumer.
const AHEAD: usize = 2;

/// The source of a unit's bytes: a file, or a file object that can or can't seek.
enum Source {
    File(File),
    Object(FileObject),
    /// A file object that can't seek: it is read once, from start to end.
    Stream(FileObject),
}

/// A sink that collects records as rows. Read errors of the system or the file object stop the
/// scan, and other errors become rows.
struct RowSink {
    rows: ToRows,
    /// True to stop at every read error.
    is_strict: bool,
    /// The channel for batches of [`ROWS`] rows, or `None` to collect all rows in one batch.
    to: Option<SyncSender<PyResult<RecordBatch>>>,
}

impl RowSink {
    fn new(to: Option<SyncSender<PyResult<RecordBatch>>>) -> Self {
        Self { rows: ToRows(Rows::for_urls(&Columns::default())), is_strict: false, to }
    }

    /// Sends the collected rows as a batch. Returns `Break` if the receiver was dropped. Does
    /// nothing if all rows are collected in one batch.
    fn send_batch(&mut self) -> ControlFlow<()> {
        let Some(to) = &self.to else { return Continue(()) };
        let batch = self.rows.0.finish().map_err(arrow_error);
        to.send(batch).map_or(Break(()), Continue)
    }
}

impl Sink for RowSink {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.rows.record(record)?;
        if self.to.is_none() || self.rows.0.len() < ROWS { Continue(()) } else { self.send_batch() }
    }

    fn trouble(&mut self, file: &Arc<FileName>, trouble: Trouble) -> Result<(), Trouble> {
        match &trouble {
            Trouble::Read(error) if self.is_strict || is_read_failure(error) => Err(trouble),
            _ => self.rows.trouble(file, trouble),
        }
    }
}

/// The records of a unit in batches: an iterator that scans up to two batches ahead.
#[pyclass(module = "urlsift", name = "_Batches", frozen)]
pub struct Batches(Mutex<BatchReceiver>);

/// The receiver of batches, and the thread that sends them.
struct BatchReceiver {
    from: Option<Receiver<PyResult<RecordBatch>>>,
    thread: Option<JoinHandle<()>>,
}

#[pymethods]
impl Batches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        py.detach(|| {
            let mut receiver = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(batch) = receiver.from.as_ref().and_then(|from| from.recv().ok()) {
                return batch.map(Batch).map(Some);
            }
            receiver.from = None;
            if let Some(Err(panic)) = receiver.thread.take().map(JoinHandle::join) {
                resume_unwind(panic);
            }
            Ok(None)
        })
    }
}

/// Scans a unit of a file, which is a path or a file object, into one batch.
pub(crate) fn scan_file(
    py: Python<'_>,
    scan: &Scan,
    file: &Bound<'_, PyAny>,
    unit: &Bound<'_, PyDict>,
) -> PyResult<Batch> {
    let (unit, source) = (Listed::of(unit)?, Source::open_source(file)?);
    py.detach(|| {
        let mut found = RowSink::new(None);
        unit.scan_source(scan, source, &mut found)?;
        found.rows.0.finish().map(Batch).map_err(arrow_error)
    })
}

/// Starts a thread that scans a unit of a file batch by batch. The arguments are those of
/// [`scan_file`].
pub(crate) fn scan_file_batches(
    scan: &Arc<Scan>,
    file: &Bound<'_, PyAny>,
    unit: &Bound<'_, PyDict>,
) -> PyResult<Batches> {
    let (unit, source) = (Listed::of(unit)?, Source::open_source(file)?);
    let scan = Arc::clone(scan);
    let (to, from) = sync_channel(AHEAD);
    let thread = std::thread::spawn(move || {
        let mut found = RowSink::new(Some(to.clone()));
        let scanned = unit.scan_source(&scan, source, &mut found);
        // Sending fails if the iterator was dropped; that is not an error.
        let _ = if found.rows.0.is_empty() { Continue(()) } else { found.send_batch() };
        if let Err(error) = scanned {
            let _ = to.send(Err(error));
        }
    });
    Ok(Batches(Mutex::new(BatchReceiver { from: Some(from), thread: Some(thread) })))
}

impl Source {
    /// Opens `file`, a path or a file object.
    fn open_source(file: &Bound<'_, PyAny>) -> PyResult<Self> {
        if file.is_instance_of::<PyString>() {
            return open_file(&file.extract()?).map(Self::File);
        }
        let object = FileObject::new(file);
        let is_seekable = object.is_seekable(file.py())?;
        Ok(if is_seekable { Self::Object(object) } else { Self::Stream(object) })
    }
}

impl Listed {
    /// Scans this unit in `source`, the file that contains the unit, and passes the unit's records
    /// to `found`. Returns an exception if reading fails.
    fn scan_source(&self, scan: &Scan, source: Source, found: &mut RowSink) -> PyResult<()> {
        let (scanned, raised) = match source {
            Source::File(mut file) => (self.scan_opened_file(scan, &mut file, found), None),
            Source::Object(mut file) => {
                (self.scan_opened_file(scan, &mut file, found), file.take_raised())
            }
            Source::Stream(mut file) => {
                let input = Input::from_stream(self.file.path.clone(), &mut file);
                let scanned = scan.read(input, found).map(|_| ());
                (scanned, file.take_raised())
            }
        };
        match (raised, scanned) {
            (Some(raised), _) => Err(raised),
            (None, Ok(())) => Ok(()),
            (None, Err(Trouble::Read(error))) if error.raw_os_error().is_some() => {
                Err(error.into())
            }
            (None, Err(trouble)) => Err(PyOSError::new_err(trouble.to_string())),
        }
    }

    /// Scans this unit in an opened seekable file, and passes the unit's records to `found`.
    fn scan_opened_file(
        &self,
        scan: &Scan,
        file: &mut (impl Read + Seek),
        found: &mut RowSink,
    ) -> Result<(), Trouble> {
        let Some(context) = self.context.clone() else {
            let input = Input::from_file(self.file.path.clone(), file);
            return scan.read(input, found).map(|_| ());
        };
        found.is_strict = true;
        let Some(raw) = &self.raw else {
            return self.scan_range(scan, (file, 0), found);
        };
        file.seek(SeekFrom::Start(raw.start))?;
        let packed = file.take(raw.end - raw.start);
        let mut unpacked = unnamed_temporary_file()?;
        match decompress_unit_to(
            packed,
            context.end - context.start,
            scan.options().limits,
            &mut unpacked,
        ) {
            Ok(()) => self.scan_range(scan, (&mut unpacked, context.start), found),
            Err(error) if is_read_failure(&error) => Err(error.into()),
            Err(error) => {
                let message = Self::stale_unit_message(&error.to_string());
                found.rows.0.push_unit_error(&self.file, Some((self.start, self.end)), &message);
                Ok(())
            }
        }
    }

    /// Scans this unit in `source`, which starts at offset `base` of the file, and passes the
    /// unit's records to `found`.
    fn scan_range(
        &self,
        scan: &Scan,
        (source, base): (impl ReadSeek, u64),
        found: &mut RowSink,
    ) -> Result<(), Trouble> {
        let mut source = source;
        let mut head = Vec::new();
        if self.container.is_none() {
            // One more byte shows if the file is longer.
            source.rewind()?;
            source.by_ref().take(Head::LEN as u64 + 1).read_to_end(&mut head)?;
        }
        let unit =
            self.range_unit(self.container_of_unit(scan, scan.options().reading, Head::of(&head)));
        scan.read_range(&unit, (source, base), found).map(|_| ())
    }
}
