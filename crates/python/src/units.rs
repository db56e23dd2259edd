//! Splits files into units, which can be scanned independently.

use crate::file_object::FileObject;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use urlsift_archive::Container;
use urlsift_records::fields::unit as field;
use urlsift_records::input::{Cuts, cut_into_units};
use urlsift_records::option_table::Scope;
use urlsift_records::{FileName, Scan};

/// Splits a file object that is open in binary mode into units of at least `size` bytes. Returns a
/// list of dicts, as `urlsift units` prints them, without the fields that come from the file
/// system. Raises any exception of the file object.
#[pyfunction]
#[pyo3(name = "_cut", signature = (source, name, size, /, **options))]
pub(crate) fn cut_units<'py>(
    py: Python<'py>,
    source: Bound<'py, PyAny>,
    name: String,
    size: u64,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let scan = Scan::new(crate::options::parse_options("units", Scope::Files, options)?);
    let mut stream = FileObject::new(&source);
    let cuts = py.detach(|| {
        let how = (scan.options().reading, scan.decoding_options(), scan.options().limits);
        cut_into_units(&mut stream, &FileName::new(name.clone()), how, size)
    });
    if let Some(error) = stream.take_raised() {
        return Err(error);
    }
    if let Some(error) = cuts.trouble {
        return Err(PyOSError::new_err(error.to_string()));
    }
    let Cuts { units, container, .. } = cuts;
    let list = PyList::empty(py);
    for unit in units {
        let dict = PyDict::new(py);
        dict.set_item("type", "unit")?;
        dict.set_item(field::PATH.name, &name)?;
        dict.set_item(field::START.name, unit.start)?;
        dict.set_item(field::END.name, unit.end)?;
        dict.set_item(field::LINE.name, unit.lines.breaks + 1)?;
        dict.set_item(field::LINE_START.name, unit.lines.line)?;
        dict.set_item(field::CONTAINER.name, container.map(Container::name))?;
        let context = unit.context.as_ref();
        dict.set_item(field::CONTEXT_START.name, context.map(|context| context.start))?;
        dict.set_item(field::CONTEXT_END.name, context.map(|context| context.end))?;
        if let Some(raw) = unit.raw {
            dict.set_item(field::RAW_START.name, raw.start)?;
            dict.set_item(field::RAW_END.name, raw.end)?;
        }
        list.append(dict)?;
    }
    Ok(list)
}
