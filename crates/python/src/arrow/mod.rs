//! Tables and columns by the Arrow `PyCapsule` interface, with nothing copied on the way.

mod capsule;
mod column;
mod table;

pub(crate) use column::{Column, find_column, scan_column};
pub(crate) use table::{Batch, Table, scan_batch};

use arrow_schema::ArrowError;
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

/// What Arrow says of an argument, or of what was made.
fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
