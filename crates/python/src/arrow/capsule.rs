//! Converts Arrow data from and to the capsules of the Arrow `PyCapsule` interface. This is the
//! only module with `unsafe`, because the content of capsules comes from other libraries.

#![allow(unsafe_code)]

use crate::arguments::{arrow_error, wrong_type};
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, NullArray, RecordBatchReader, make_array};
use arrow_schema::{ArrowError, DataType, Schema};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;
use std::sync::Arc;

const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// The format string of the data type Null. Only the lengths of such arrays are read: polars gives
/// them a buffer, although the type has none, and the crate `arrow_array` refuses it.
const NULL: &str = "n";

/// Returns the arrays of `given`, a column with the method `__arrow_c_array__` or
/// `__arrow_c_stream__`. `name` is the name of the argument, for error messages.
///
/// # Errors
///
/// Raises `TypeError` for any other object, and any error of the producer.
pub(super) fn import_arrays(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if given.hasattr("__arrow_c_stream__")? {
        let capsule = given.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
        let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
        // SAFETY: a capsule of that name contains an initialized stream. It is moved out, and an
        // empty one remains.
        let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
        if let Some(nulls) = import_nulls(&mut stream) {
            return nulls.map_err(arrow_error);
        }
        let reader = ArrayStreamReader::try_new(stream).map_err(arrow_error)?;
        return reader.collect::<Result<_, ArrowError>>().map_err(arrow_error);
    }
    if !given.hasattr("__arrow_c_array__")? {
        let wanted = "a column of Arrow, with __arrow_c_array__ or __arrow_c_stream__";
        return Err(wrong_type(name, wanted, given));
    }
    let capsules = given.call_method0("__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of those names contain an initialized schema and an array of it, which are
    // moved out; released ones remain.
    let (schema, array) = unsafe {
        (FFI_ArrowSchema::from_raw(schema.as_ptr()), FFI_ArrowArray::from_raw(array.as_ptr()))
    };
    if schema.format() == NULL {
        return Ok(vec![Arc::new(NullArray::new(array.len()))]);
    }
    // SAFETY: the producer guarantees that the array matches its schema.
    let data = unsafe { from_ffi(array, &schema) };
    Ok(vec![make_array(data.map_err(arrow_error)?)])
}

/// Returns the arrays of `stream` if their data type is Null, or the producer's error. Returns
/// `None` if the schema has another type or can't be read. In this case, no array was read.
fn import_nulls(stream: &mut FFI_ArrowArrayStream) -> Option<Result<Vec<ArrayRef>, ArrowError>> {
    let (get_schema, get_next) = (stream.get_schema()?, stream.get_next()?);
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the function belongs to this stream, and the schema is empty.
    if unsafe { get_schema(stream, &raw mut schema) } != 0 || schema.format() != NULL {
        return None;
    }
    let mut arrays: Vec<ArrayRef> = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the function belongs to this stream, and the array is empty.
        let status = unsafe { get_next(stream, &raw mut array) };
        if status != 0 {
            let message = format!("cannot read a column of nulls: error {status}");
            return Some(Err(ArrowError::CDataInterface(message)));
        }
        // A released array ends the stream.
        if array.is_released() {
            return Some(Ok(arrays));
        }
        arrays.push(Arc::new(NullArray::new(array.len())));
    }
}

/// Returns the capsule for the method `__arrow_c_schema__` of an array with the data type `kind`.
pub(super) fn type_capsule<'py>(
    py: Python<'py>,
    kind: &DataType,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowSchema::try_from(kind).map_err(arrow_error)?, SCHEMA)
}

/// Returns the capsule for the method `__arrow_c_schema__` of a table or batch.
pub(super) fn schema_capsule<'py>(
    py: Python<'py>,
    schema: &Schema,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowSchema::try_from(schema).map_err(arrow_error)?, SCHEMA)
}

/// Returns the two capsules for the method `__arrow_c_array__`: the schema and the array.
pub(super) fn array_capsules<'py>(
    schema: Bound<'py, PyCapsule>,
    array: &dyn Array,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = schema.py();
    let array = FFI_ArrowArray::new(&array.to_data());
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    PyTuple::new(py, [schema, array])
}

/// Returns the capsule for the method `__arrow_c_stream__` of a table. Its consumer reads `batches`
/// from it.
pub(super) fn stream_capsule(
    py: Python<'_>,
    batches: impl RecordBatchReader + Send + 'static,
) -> PyResult<Bound<'_, PyCapsule>> {
    let stream = FFI_ArrowArrayStream::new(Box::new(batches));
    PyCapsule::new_with_value(py, stream, STREAM)
}
