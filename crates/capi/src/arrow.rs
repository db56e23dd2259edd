//! Scans a file into an Arrow stream.

use crate::options::urlsift_scanner;
use crate::records::open_file;
use crate::status::{Failure, URLSIFT_OK, catch_panics, guard};
use crate::text::name_from_c;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use std::ffi::{c_char, c_int};
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use urlsift_archive::unpack::Trouble;
use urlsift_arrow::Rows;
use urlsift_records::table::Columns;
use urlsift_records::{FileName, Input, Scan, Sink, UrlRecord, With};

/// The number of rows in a batch.
const ROWS: usize = 8192;
/// The maximum number of batches that wait for the consumer.
const AHEAD: usize = 2;

/// A sink that collects records as rows and sends them to the consumer in batches.
struct Batches {
    rows: Rows,
    to: SyncSender<RecordBatch>,
}

impl Batches {
    /// Sends the collected rows to the consumer as one batch, if there are any. Returns `Break` if
    /// the consumer has released the stream.
    fn send_batch(&mut self) -> ControlFlow<()> {
        if self.rows.is_empty() {
            return Continue(());
        }
        match self.rows.finish() {
            // Sending fails if the consumer has released the stream.
            Ok(batch) => self.to.send(batch).map_or(Break(()), Continue),
            Err(_) => Break(()),
        }
    }
}

impl Sink for Batches {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.rows.push_url(record);
        if self.rows.len() < ROWS { Continue(()) } else { self.send_batch() }
    }

    fn trouble(&mut self, file: &Arc<FileName>, trouble: Trouble) -> Result<(), Trouble> {
        self.rows.push_error(file, &trouble.to_string());
        Ok(())
    }
}

/// The consumer's end of the stream: an iterator over the batches that the thread sends.
struct BatchIter {
    schema: SchemaRef,
    batches: Receiver<RecordBatch>,
    thread: Option<std::thread::JoinHandle<Result<(), String>>>,
}

impl Iterator for BatchIter {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Ok(batch) = self.batches.recv() {
            return Some(Ok(batch));
        }
        let ended = self.thread.take()?.join().ok()?;
        ended.err().map(|fault| Err(ArrowError::ComputeError(fault)))
    }
}

impl RecordBatchReader for BatchIter {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// Scans a file into a stream of Arrow's C interface. `path` may contain any bytes; on Windows, it
/// is in UTF-8. The stream contains the table `urls`, as described by `urlsift schema urls`. The
/// caller provides the struct at `stream` and releases the stream. A thread reads the file, a few
/// batches ahead of the consumer. An input that can't be read results in a row with `error`.
/// Returns URLSIFT_IO if the file cannot be opened.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_scan_arrow(
    scanner: *const urlsift_scanner,
    path: *const c_char,
    stream: *mut FFI_ArrowArrayStream,
) -> c_int {
    guard(|| {
        // SAFETY: guaranteed by the caller, as the header demands.
        let (scanner, path) =
            unsafe { (urlsift_scanner::from_pointer(scanner)?, name_from_c("path", path)?) };
        if stream.is_null() {
            return Err(Failure::invalid_argument("stream", "NULL"));
        }
        let file = open_file(path)?;
        let mut options = scanner.settings.options.clone();
        options.with.extend(With::OF_TABLE);
        let scan = Scan::new(options);
        let rows = Rows::for_urls(&Columns::default());
        let (schema, (to, batches)) = (rows.schema().clone(), sync_channel(AHEAD));
        let path = path.to_owned();
        let thread = std::thread::spawn(move || {
            catch_panics(|| {
                let mut sink = Batches { rows, to };
                // The sink accepts all errors as rows.
                let _ = scan.read(Input::from_file(path, file), &mut sink);
                let _ = sink.send_batch();
            })
        });
        let batches_iter = BatchIter { schema, batches, thread: Some(thread) };
        // SAFETY: guaranteed by the caller; the previous content is overwritten, not released.
        unsafe { stream.write(FFI_ArrowArrayStream::new(Box::new(batches_iter))) };
        Ok(URLSIFT_OK)
    })
}
