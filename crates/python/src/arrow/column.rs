//! Finds the URLs in each value of an Arrow column.

use super::capsule;
use super::table::ToRows;
use crate::arguments::{arrow_error, wrong_value};
use crate::find::{Hit, for_each_match};
use crate::text::Positions;
use arrow_array::builder::{BooleanBuilder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::sync::Arc;
use urlsift_arrow::Rows;
use urlsift_records::table::Columns;
use urlsift_records::{Input, Scan};

/// A column of lists, one for each value of another column. `pyarrow.array(column)` and other users
/// of the Arrow PyCapsule interface accept it.
#[pyclass(module = "urlsift", frozen)]
#[derive(Debug)]
pub struct Column(ListArray);

#[pymethods]
impl Column {
    /// Returns the data type as an Arrow capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::type_capsule(py, self.0.data_type())
    }

    /// Returns the column as Arrow capsules. Ignores requested_schema.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        drop(requested_schema);
        capsule::array_capsules(self.__arrow_c_schema__(py)?, &self.0)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("Column({} lists)", self.0.len())
    }
}

/// Calls `take` for each value of a column. The first argument of `take` is the value, or `None`
/// for null. The second one is true if the column contains strings, and false if it contains bytes.
/// `name` is the name of the argument, for error messages.
///
/// # Errors
///
/// Raises `ValueError` for a column that contains neither strings nor bytes.
fn for_each_value<'a>(
    name: &str,
    column: &'a dyn Array,
    take: &mut dyn FnMut(Option<&'a [u8]>, bool),
) -> PyResult<()> {
    macro_rules! values {
        ($array:expr, $is_text:literal) => {
            $array.iter().for_each(|value| take(value.map(AsRef::as_ref), $is_text))
        };
    }
    macro_rules! runs {
        ($index:ty) => {{
            let runs = column.as_run::<$index>();
            let physical = (0..column.len()).map(|at| Some(runs.get_physical_index(at)));
            for_each_value_at(name, runs.values(), physical, take)?;
        }};
    }
    match column.data_type() {
        // A column without any value, e.g. of an empty partition.
        DataType::Null => (0..column.len()).for_each(|_| take(None, true)),
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let keys = dictionary.normalized_keys().into_iter().enumerate();
            let keys = keys.map(|(at, key)| dictionary.keys().is_valid(at).then_some(key));
            for_each_value_at(name, dictionary.values(), keys, take)?;
        }
        DataType::RunEndEncoded(index, _) => match index.data_type() {
            DataType::Int16 => runs!(Int16Type),
            DataType::Int32 => runs!(Int32Type),
            _ => runs!(Int64Type),
        },
        DataType::Utf8 => values!(column.as_string::<i32>(), true),
        DataType::LargeUtf8 => values!(column.as_string::<i64>(), true),
        DataType::Utf8View => values!(column.as_string_view(), true),
        DataType::Binary => values!(column.as_binary::<i32>(), false),
        DataType::LargeBinary => values!(column.as_binary::<i64>(), false),
        DataType::BinaryView => values!(column.as_binary_view(), false),
        other => {
            let message = format!("a column of {other}; pass a column of strings or binary");
            return Err(wrong_value(name, message));
        }
    }
    Ok(())
}

/// Calls `take` for the values of `column` at `indexes`, where `None` is null. The other arguments
/// are those of [`for_each_value`].
fn for_each_value_at<'a>(
    name: &str,
    column: &'a dyn Array,
    indexes: impl Iterator<Item = Option<usize>>,
    take: &mut dyn FnMut(Option<&'a [u8]>, bool),
) -> PyResult<()> {
    let mut values = Vec::with_capacity(column.len());
    for_each_value(name, column, &mut |value, is_text| values.push((value, is_text)))?;
    for index in indexes {
        let (value, is_text) =
            index.and_then(|index| values.get(index)).copied().unwrap_or((None, true));
        take(value, is_text);
    }
    Ok(())
}

/// A builder for a list column. It stores the length of each list, and a flag that is false if the
/// list is null.
#[derive(Default)]
struct Lists {
    lengths: Vec<usize>,
    valid: Vec<bool>,
}

impl Lists {
    fn push(&mut self, length: usize, valid: bool) {
        self.lengths.push(length);
        self.valid.push(valid);
    }

    fn finish(self, items: StructArray) -> Result<ListArray, ArrowError> {
        if i32::try_from(items.len()).is_err() {
            return Err(ArrowError::OffsetOverflowError(items.len()));
        }
        let field = Arc::new(Field::new("item", items.data_type().clone(), true));
        let offsets = OffsetBuffer::from_lengths(self.lengths);
        let nulls = NullBuffer::from(self.valid);
        ListArray::try_new(field, offsets, Arc::new(items), Some(nulls))
    }
}

/// Finds the URLs in each value of a column of strings or bytes: see `Scanner.find_column`.
pub(crate) fn find_column(
    py: Python<'_>,
    scan: &Scan,
    column: &Bound<'_, PyAny>,
    with_normalized: bool,
) -> PyResult<Column> {
    let arrays = capsule::import_arrays("column", column)?;
    py.detach(|| {
        let mut normalized = with_normalized.then(StringBuilder::new);
        let (mut lists, mut url) = (Lists::default(), StringBuilder::new());
        let (mut start, mut end) = (Int64Builder::new(), Int64Builder::new());
        let (mut form, mut valid) = (StringBuilder::new(), BooleanBuilder::new());
        let mut take = |text: Option<&[u8]>, is_text: bool| {
            let Some(text) = text else { return lists.push(0, false) };
            let mut count = 0;
            let mut positions = Positions::for_text(is_text && !text.is_ascii());
            for_each_match(scan, text, &mut positions, &mut |hit: &Hit| {
                let written = hit.url(text);
                url.append_value(String::from_utf8_lossy(written));
                if let Some(normalized) = &mut normalized {
                    let form = hit.normalized(written, scan.options().profile);
                    normalized.append_value(String::from_utf8_lossy(&form));
                }
                start.append_value(hit.start.cast_signed() as i64);
                end.append_value(hit.end.cast_signed() as i64);
                form.append_value(hit.form.name());
                valid.append_value(hit.valid);
                count += 1;
            });
            lists.push(count, true);
        };
        arrays.iter().try_for_each(|array| for_each_value("column", array.as_ref(), &mut take))?;
        let mut columns: Vec<(&str, ArrayRef)> = vec![
            ("url", Arc::new(url.finish())),
            ("start", Arc::new(start.finish())),
            ("end", Arc::new(end.finish())),
            ("form", Arc::new(form.finish())),
            ("valid", Arc::new(valid.finish())),
        ];
        if let Some(mut normalized) = normalized {
            columns.push(("normalized", Arc::new(normalized.finish())));
        }
        let field =
            |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
        let fields: Fields = columns.iter().map(field).collect();
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let items = StructArray::try_new(fields, arrays, None).map_err(arrow_error)?;
        lists.finish(items).map(Column).map_err(arrow_error)
    })
}

/// Scans each value of a column as if it were the content of a file: see `Scanner.scan_column`.
pub(crate) fn scan_column(
    py: Python<'_>,
    scan: &Scan,
    column: &Bound<'_, PyAny>,
) -> PyResult<Column> {
    let arrays = capsule::import_arrays("column", column)?;
    py.detach(|| {
        let mut lists = Lists::default();
        let mut sink = ToRows(Rows::for_urls(&Columns::default()));
        let mut take = |bytes: Option<&[u8]>, _| {
            let Some(bytes) = bytes else { return lists.push(0, false) };
            let before = sink.0.len();
            let input = Input::from_bytes("-", bytes);
            // The sink accepts all errors as rows.
            let _ = scan.read(input, &mut sink);
            lists.push(sink.0.len() - before, true);
        };
        arrays.iter().try_for_each(|array| for_each_value("column", array.as_ref(), &mut take))?;
        let items = StructArray::from(sink.0.finish().map_err(arrow_error)?);
        lists.finish(items).map(Column).map_err(arrow_error)
    })
}
