//! The capsules of the Arrow `PyCapsule` interface: the one room with `unsafe`, which takes what others have put into
//! them.

#![allow(unsafe_code)]

use crate::arguments::{failed, wrong_type};
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, RecordBatchReader, make_array};
use arrow_schema::{ArrowError, DataType, Schema};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;

const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// The arrays of a column: of anything that has `__arrow_c_array__` or `__arrow_c_stream__`.
///
/// # Errors
///
/// `TypeError` for anything else, and what the producer says.
pub(super) fn arrays(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if given.hasattr("__arrow_c_stream__")? {
        let capsule = given.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
        let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
        // SAFETY: a capsule of that name holds an initialised stream, which is moved out of it; an empty one stays.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
        let reader = ArrayStreamReader::try_new(stream).map_err(failed)?;
        return reader.collect::<Result<_, ArrowError>>().map_err(failed);
    }
    if !given.hasattr("__arrow_c_array__")? {
        let wanted = "a column of Arrow, with __arrow_c_array__ or __arrow_c_stream__";
        return Err(wrong_type(name, wanted, given));
    }
    let capsules = given.call_method0("__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of those names hold an initialised schema and an array of it, which are moved out of them;
    // released ones stay. That the array is what its schema says is the promise of whoever made them.
    let data = unsafe {
        let schema = FFI_ArrowSchema::from_raw(schema.as_ptr());
        from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), &schema)
    };
    Ok(vec![make_array(data.map_err(failed)?)])
}

/// What `__arrow_c_schema__` of an array gives.
pub(super) fn of_type<'py>(py: Python<'py>, kind: &DataType) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowSchema::try_from(kind).map_err(failed)?, SCHEMA)
}

/// What `__arrow_c_schema__` of a table gives.
pub(super) fn of_schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowSchema::try_from(schema).map_err(failed)?, SCHEMA)
}

/// What `__arrow_c_array__` gives.
pub(super) fn of_array<'py>(
    schema: Bound<'py, PyCapsule>,
    array: &dyn Array,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = schema.py();
    let array = FFI_ArrowArray::new(&array.to_data());
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    PyTuple::new(py, [schema, array])
}

/// What `__arrow_c_stream__` gives.
pub(super) fn of_stream(
    py: Python<'_>,
    batches: impl RecordBatchReader + Send + 'static,
) -> PyResult<Bound<'_, PyCapsule>> {
    let stream = FFI_ArrowArrayStream::new(Box::new(batches));
    PyCapsule::new_with_value(py, stream, STREAM)
}
