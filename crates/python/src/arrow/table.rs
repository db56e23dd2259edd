//! Converts records to Arrow tables.

use super::capsule;
use super::unit::Part;
use crate::arguments::arrow_error;
use crate::record::Record;
use crate::scan::Records;
use arrow_array::{RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyCapsule, PyTuple};
use std::ops::ControlFlow::{self, Continue};
use std::sync::{Arc, Mutex};
use urlsift_archive::unpack::Trouble;
use urlsift_arrow::Rows;
use urlsift_records::fields::MESSAGE_TOO_LONG;
use urlsift_records::table::Columns;
use urlsift_records::{FileName, Input, LineStart, Scan, Sink, Unit, UrlRecord};

/// The number of rows in a batch of a stream.
pub(super) const ROWS: usize = 8192;

/// The records of one file as a record batch. The file was passed as bytes.
/// `pyarrow.record_batch(batch)` and other users of the Arrow PyCapsule interface accept it. The
/// columns of the batch are those of `urlsift schema urls`.
#[pyclass(module = "urlsift", frozen)]
#[derive(Debug)]
pub struct Batch(pub(super) RecordBatch);

#[pymethods]
impl Batch {
    /// Returns the schema as an Arrow capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema_capsule(py, &self.0.schema())
    }

    /// Returns the batch as Arrow capsules. Ignores requested_schema.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        drop(requested_schema);
        capsule::array_capsules(self.__arrow_c_schema__(py)?, &StructArray::from(self.0.clone()))
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("Batch({} rows)", self.0.num_rows())
    }
}

/// The records of a file as a stream of record batches. `pyarrow.table(table)` and other users of
/// the Arrow PyCapsule interface accept it. The stream can be read only once, and the file is
/// scanned while the stream is read. The columns are those of `urlsift schema urls`. An error
/// becomes a row whose column `error` is set.
#[pyclass(module = "urlsift", frozen)]
pub struct Table(Mutex<Option<Batches>>);

impl Table {
    pub(crate) fn new(records: Records) -> Self {
        let rows = Rows::for_urls(&Columns::default());
        Self(Mutex::new(Some(Batches { records, rows, is_done: false })))
    }
}

#[pymethods]
impl Table {
    /// Returns the schema as an Arrow capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema_capsule(py, Rows::for_urls(&Columns::default()).schema())
    }

    /// Returns the batches as an Arrow capsule. Ignores requested_schema.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = self.0.lock().ok().and_then(|mut batches| batches.take());
        let batches = batches.ok_or_else(|| {
            PyRuntimeError::new_err(
                "this table was already read; call scan_table again to read the file again",
            )
        })?;
        capsule::stream_capsule(py, batches)
    }
}

/// An iterator that collects the records of a file into record batches of 8,192 rows.
struct Batches {
    records: Records,
    rows: Rows,
    is_done: bool,
}

impl Batches {
    /// Collects rows until the batch is full or the file ends.
    fn collect_rows(&mut self, py: Python<'_>) -> PyResult<()> {
        while !self.is_done && self.rows.len() < ROWS {
            match self.records.advance(py)? {
                Some(Record(record)) => self.rows.push_url(&record),
                None => self.is_done = true,
            }
            for error in self.records.take_errors() {
                self.rows.push_error(&error.file, &error.message);
            }
        }
        Ok(())
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(error) = Python::attach(|py| self.collect_rows(py)) {
            self.is_done = true;
            return Some(Err(ArrowError::ExternalError(Box::new(error))));
        }
        (!self.rows.is_empty()).then(|| self.rows.finish())
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.rows.schema().clone()
    }
}

/// A sink that appends records and errors to a table as rows.
pub(super) struct ToRows(pub(super) Rows);

impl Sink for ToRows {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.0.push_url(record);
        Continue(())
    }

    fn trouble(&mut self, file: &Arc<FileName>, trouble: Trouble) -> Result<(), Trouble> {
        match &trouble {
            Trouble::TooLong { range, .. } => {
                let message = format!("{MESSAGE_TOO_LONG}: {trouble}");
                self.0.push_unit_error(file, Some((range.start, Some(range.end))), &message);
            }
            _ => self.0.push_error(file, &trouble.to_string()),
        }
        Ok(())
    }
}

/// Scans `data`, the bytes of a file, into one batch. If `part` is given, scans only that part.
pub(crate) fn scan_batch(
    py: Python<'_>,
    scan: &Scan,
    data: &PyBackedBytes,
    name: String,
    part: Option<Part>,
) -> PyResult<Batch> {
    let bytes: &[u8] = data;
    let batch = py.detach(|| {
        let mut sink = ToRows(Rows::for_urls(&Columns::default()));
        let all = |name: Vec<u8>, sink: &mut ToRows| {
            let input = Input::from_bytes(name, bytes);
            // The sink accepts all errors as rows.
            let _ = scan.read(input, sink);
        };
        match part {
            None => all(name.into_bytes(), &mut sink),
            Some(Part::Range(start, end)) => {
                let file = Arc::new(FileName::new(name));
                let lines = LineStart::default().after_bytes(&bytes[..start], 0);
                let mut unit =
                    Unit::whole_file(&file, bytes, scan.options().reading).with_lines(lines);
                unit.range = start..end;
                scan.scan_unit(bytes, &unit, &mut sink);
            }
            Some(Part::Listed(unit)) => match unit.context_bytes(bytes, scan.options().limits) {
                Ok(None) => all(unit.file.path.clone(), &mut sink),
                Ok(Some(bytes)) => {
                    scan.scan_unit(
                        &bytes,
                        &unit.unit_in_context(scan, scan.options().reading, &bytes),
                        &mut sink,
                    );
                }
                Err(message) => {
                    sink.0.push_unit_error(&unit.file, Some((unit.start, unit.end)), &message);
                }
            },
        }
        sink.0.finish()
    });
    batch.map(Batch).map_err(arrow_error)
}
