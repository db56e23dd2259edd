//! A file cut into units.

use crate::arguments::wrong_type;
use crate::options::Settings;
use crate::text::bytes;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyDict, PyList};
use std::io::{self, Read};
use urlsift_archive::Container;
use urlsift_records::fields::unit as field;
use urlsift_records::input::{Cuts, cut};
use urlsift_records::{FileName, Scan};

/// A file object, of which the error is kept that it raised.
struct Reading<'py> {
    object: Bound<'py, PyAny>,
    held: io::Cursor<PyBackedBytes>,
    raised: Option<PyErr>,
}

impl Reading<'_> {
    fn ask(&mut self, wanted: usize) -> PyResult<()> {
        let read = self.object.call_method1("read", (wanted,))?;
        let wrong = || wrong_type("what source.read() returns", "bytes", &read);
        self.held = io::Cursor::new(bytes(&read).ok_or_else(wrong)?);
        Ok(())
    }
}

impl Read for Reading<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.held.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        if let Err(error) = self.ask(buffer.len().max(1 << 20)) {
            self.raised = Some(error);
            return Err(io::ErrorKind::Other.into());
        }
        self.held.read(buffer)
    }
}

/// The units of a file object that is open in binary mode, of at least `size` bytes: dicts as `urlsift units` prints them, but
/// for what only the file system knows. What the file object raises is raised.
#[pyfunction]
#[pyo3(name = "_cut", signature = (source, name, size, /, **options))]
pub(crate) fn cut_units<'py>(
    py: Python<'py>,
    source: Bound<'py, PyAny>,
    name: String,
    size: u64,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let settings = Settings::of("units", options)?;
    let scan = Scan::new(settings.options.clone());
    let held = io::Cursor::new(pyo3::types::PyBytes::new(py, b"").into());
    let mut stream = Reading { object: source, held, raised: None };
    let how = (settings.reading, scan.archive(), settings.limits);
    let cuts = cut(&mut stream, &FileName::new(name.clone()), how, size);
    if let Some(error) = stream.raised {
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
