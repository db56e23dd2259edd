//! Exposes violations and findings as Python objects.

use crate::arguments::{required_item, wrong_value};
use crate::pickle::{Reduced, reduce};
use crate::text::Positions;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlsift_core::{Code, Level};
use urlsift_records::fields::report;

/// A violation or a finding: a fault in a URL, or a doubtful part of it.
#[pyclass(module = "urlsift", frozen, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Report {
    /// The stable code of the rule.
    #[pyo3(get)]
    code: &'static str,
    /// "warning" or "info" for a finding, None for a violation.
    #[pyo3(get)]
    level: Option<&'static str>,
    /// The start within the URL.
    #[pyo3(get)]
    start: usize,
    /// The end within the URL, one past the last character or byte.
    #[pyo3(get)]
    end: usize,
    /// The number of the RFC that the rule comes from.
    #[pyo3(get)]
    rfc: u16,
    /// The section of that RFC.
    #[pyo3(get)]
    section: &'static str,
    /// The description of the rule.
    #[pyo3(get)]
    message: &'static str,
}

impl Report {
    /// Converts a report about `url`. `positions` converts its offsets.
    pub(crate) fn new(found: &urlsift_core::Report, url: &[u8], positions: &mut Positions) -> Self {
        let start = positions.position_of(url, found.span.start);
        Self::at(start, positions.position_of(url, found.span.end), found.code, found.level)
    }

    /// Creates a report about the part of a URL from `start` to `end`.
    fn at(start: usize, end: usize, code: Code, level: Level) -> Self {
        let level = (level != Level::Error).then(|| level.name());
        let (rfc, section, message) = (code.rfc(), code.section(), code.message());
        Self { code: code.name(), level, start, end, rfc, section, message }
    }
}

#[pymethods]
impl Report {
    /// Restores the report whose to_dict() returned `dict`.
    #[staticmethod]
    pub(crate) fn _from_dict(dict: &Bound<'_, PyDict>) -> PyResult<Self> {
        let code: String = required_item(dict, &report::CODE)?;
        let code = Code::by_name(&code)
            .ok_or_else(|| wrong_value("code", format_args!("there is no rule {code:?}")))?;
        let level = dict.get_item(report::LEVEL.name)?.map(|name| name.extract::<String>());
        let level = level.transpose()?.map_or(Ok(Level::Error), |name| name.parse());
        let level = level.map_err(|error| wrong_value("level", error))?;
        let start = required_item(dict, &report::START)?;
        Ok(Self::at(start, required_item(dict, &report::END)?, code, level))
    }

    /// Returns the function and the arguments with which pickle restores the report.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Bound<'py, PyDict>,)>> {
        reduce::<Self, _>(py, "_from_dict", (self.to_dict(py)?,))
    }

    /// Returns the fields as a dict, as in JSON Lines.
    pub(crate) fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item(report::CODE.name, self.code)?;
        if let Some(level) = self.level {
            dict.set_item(report::LEVEL.name, level)?;
        }
        dict.set_item(report::START.name, self.start)?;
        dict.set_item(report::END.name, self.end)?;
        dict.set_item(report::RFC.name, self.rfc)?;
        dict.set_item(report::SECTION.name, self.section)?;
        dict.set_item(report::MESSAGE.name, self.message)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("Report({}, {}..{}: {})", self.code, self.start, self.end, self.message)
    }
}
