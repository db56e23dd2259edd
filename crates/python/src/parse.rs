//! Parses a single URL.

use crate::arguments::{required_item, value_with_name};
use crate::pickle::{Reduced, reduce};
use crate::report::Report;
use crate::text::Text;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use urlsift_core::{Profile, Secrets, Url, masked};
use urlsift_records::fields::parse as fields;
use urlsift_records::parse::ParseRecord;

/// The result of parsing one URL.
#[pyclass(module = "urlsift", frozen)]
pub struct Parsed {
    record: Py<PyDict>,
    violations: Vec<Report>,
    findings: Vec<Report>,
    host: Option<String>,
    normalized: Option<String>,
}

impl Parsed {
    /// Returns the field of the record called `name`, or `None` if the record doesn't have it.
    fn record_field<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.record.bind(py).get_item(name)
    }

    /// Returns the values from which [`Parsed::_from_state`] restores the result.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (&self.record, &self.host, &self.normalized).into_pyobject(py)
    }
}

#[pymethods]
impl Parsed {
    /// The input, as a str.
    #[getter]
    fn input<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.record_field(py, "input")
    }

    /// True if the URL is valid, i.e. if violations is empty.
    #[getter]
    fn valid<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.record_field(py, "valid")
    }

    /// The profile that the URL was validated by.
    #[getter]
    fn profile<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.record_field(py, "profile")
    }

    /// The scheme, in lower case if it is known, or None if the URL has no scheme.
    #[getter]
    fn scheme<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.record_field(py, "scheme")
    }

    /// The components as written: a dict by name, whose keys depend on the scheme. An absent
    /// component is None, and an empty one is ''. The dict itself is None if the URL is not valid,
    /// or if the profile only validates.
    #[getter]
    fn components<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.record_field(py, "components")
    }

    /// The decoded meaning of the components as a dict by name, or None if the URL is not valid.
    #[getter]
    fn semantics<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.record_field(py, "semantics")
    }

    /// The violations, in the order of their positions.
    #[getter]
    fn violations(&self) -> Vec<Report> {
        self.violations.clone()
    }

    /// The findings that are not violations, in the order of their positions.
    #[getter]
    fn findings(&self) -> Vec<Report> {
        self.findings.clone()
    }

    /// The host as written, or None if the URL has none or is not valid.
    #[getter]
    fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// The normalized form, which is the same for equivalent URLs, or None if the URL is not valid.
    #[getter]
    fn normalized(&self) -> Option<&str> {
        self.normalized.as_deref()
    }

    /// Returns the record of `urlsift parse --format jsonl`, as a dict. Positions in a str count
    /// characters.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.record.bind(py).copy()
    }

    /// Returns the function and the arguments with which pickle restores the result.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Bound<'py, PyTuple>>> {
        reduce::<Self, _>(py, "_from_state", self.state(py)?)
    }

    /// Restores the result whose to_dict() returned `record`.
    #[staticmethod]
    fn _from_state(
        record: Bound<'_, PyDict>,
        host: Option<String>,
        normalized: Option<String>,
    ) -> PyResult<Self> {
        let reports = |field| -> PyResult<Vec<Report>> {
            let dicts: Vec<Bound<'_, PyDict>> = required_item(&record, field)?;
            dicts.iter().map(Report::_from_dict).collect()
        };
        let (violations, findings) = (reports(&fields::VIOLATIONS)?, reports(&fields::FINDINGS)?);
        Ok(Self { record: record.unbind(), violations, findings, host, normalized })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        self.state(py)?.eq(other.get().state(py)?)?.into_py_any(py)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (self.input(py)?, self.profile(py)?, &self.normalized).into_pyobject(py)?.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let input = self.record_field(py, "input")?.map(|input| input.repr()).transpose()?;
        let verdict = if self.violations.is_empty() { "valid" } else { "not valid" };
        Ok(format!("Parsed({}, {verdict})", input.map_or(String::new(), |input| input.to_string())))
    }
}

/// Splits one URL into components and reports every violation.
///
/// url is a str or bytes. Positions in violations and findings count characters in a str and bytes
/// in bytes. profile is the rule set to validate by. With reference=True, a fragment may follow the
/// URL even if the profile doesn't allow it. With mask_passwords=True, passwords are replaced with
/// `***` everywhere, and with mask_secrets=True, passwords and tokens. A wrong argument raises a
/// TypeError or ValueError that names it. An invalid URL doesn't raise an error, but has violations.
#[pyfunction]
#[pyo3(signature = (url, /, *, profile = "web", reference = false, mask_passwords = false, mask_secrets = false))]
pub(crate) fn parse(
    py: Python<'_>,
    url: &Bound<'_, PyAny>,
    profile: &str,
    reference: bool,
    mask_passwords: bool,
    mask_secrets: bool,
) -> PyResult<Parsed> {
    let text = Text::from_object("url", url)?;
    let profile = value_with_name("profile", profile, &Profile::ALL, Profile::name)?;
    let mut record = ParseRecord::new(text.bytes(), profile, reference);
    let hides = Secrets::from_flags(mask_passwords, mask_secrets);
    let masked = hides.map(|hides| masked(text.bytes(), hides));
    if let Some(masked) = &masked {
        record = record.with_masked(masked);
    }
    let url = record.result.as_ref().ok();
    let to_string = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
    let host = url.and_then(Url::host).map(to_string);
    let normalized = url.map(|url| to_string(&url.key()));
    let mut positions = text.position_converter();
    let (mut violations, mut findings) = (Vec::new(), Vec::new());
    for report in &record.reports {
        let reports_of_kind = if report.is_violation() { &mut violations } else { &mut findings };
        reports_of_kind.push(Report::new(report, text.bytes(), &mut positions));
    }
    let mut line = Vec::new();
    record.write_json(&mut line);
    let line = PyString::new(py, &String::from_utf8_lossy(&line));
    let dict = py.import("json")?.call_method1("loads", (line,))?.cast_into::<PyDict>()?;
    for (name, reports) in [("violations", &violations), ("findings", &findings)] {
        let dicts: Vec<_> = reports.iter().map(|it| it.to_dict(py)).collect::<PyResult<_>>()?;
        dict.set_item(name, PyList::new(py, dicts)?)?;
    }
    Ok(Parsed { record: dict.unbind(), violations, findings, host, normalized })
}
