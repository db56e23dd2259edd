//! What is wrong with the URLs of one text.

use crate::arguments::{one_of, strings, wrong_value};
use crate::text::{Positions, Text};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use urlsift_core::{Profile, Span};
use urlsift_lint::{Config, Dialect, Lines, Linter, Selector};
use urlsift_records::fields::{self, Field};
use urlsift_records::option_table;
use urlsift_scanner::Rejoin;

/// A fault that lint found. Passwords in its texts are `***`.
#[pyclass(module = "urlsift", frozen, get_all)]
#[derive(Debug)]
pub struct Diagnostic {
    /// The stable name of the rule.
    code: &'static str,
    /// How much it matters: "info", "warning" or "error".
    level: &'static str,
    /// Where the fault starts in the text: in characters of a str, in bytes of bytes.
    start: usize,
    /// Where it ends, one past the last.
    end: usize,
    /// The line that it starts on, from 1.
    line: usize,
    /// Where on that line it starts, from 1: in characters of a str, in bytes of bytes.
    column: usize,
    /// The URL that it concerns, or None.
    url: Option<String>,
    /// What is wrong.
    message: String,
    /// The number of the RFC that the rule comes from, or None.
    rfc: Option<u16>,
    /// The section of that RFC, or None.
    section: Option<&'static str>,
    /// What else there is to know: a list of str.
    notes: Vec<String>,
    /// What to do, or None.
    help: Option<String>,
    /// What mends it, or None.
    fix: Option<Py<Fix>>,
}

/// What mends a fault.
#[pyclass(module = "urlsift", frozen, get_all)]
#[derive(Debug)]
pub struct Fix {
    /// How far it can be trusted: "safe", "unsafe", or only for "display".
    applicability: &'static str,
    /// The replacements, by place, not overlapping: they are made together or not at all.
    edits: Vec<Py<Edit>>,
}

/// A replacement: text comes in the place of what stands from start to end.
#[pyclass(module = "urlsift", frozen, get_all)]
#[derive(Debug)]
pub struct Edit {
    /// Where what is replaced starts: in characters of a str, in bytes of bytes.
    start: usize,
    /// Where it ends, one past the last.
    end: usize,
    /// What comes in its place.
    text: String,
}

#[pymethods]
impl Diagnostic {
    /// The fields of the record of `urlsift lint`, but for path, as a dict.
    fn to_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let dict = to_dict(this, fields::diagnostic::ALL)?;
        if let Some(fix) = &this.get().fix {
            dict.set_item(fields::diagnostic::FIX.name, Fix::to_dict(fix.bind(this.py()))?)?;
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!(
            "Diagnostic({}[{}] {}:{}: {})",
            self.level, self.code, self.line, self.column, self.message
        )
    }
}

#[pymethods]
impl Fix {
    /// The fields as a dict.
    fn to_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let dict = to_dict(this, fields::fix::ALL)?;
        let edits = this.get().edits.iter().map(|edit| Edit::to_dict(edit.bind(this.py())));
        let edits = PyList::new(this.py(), edits.collect::<PyResult<Vec<_>>>()?)?;
        dict.set_item(fields::fix::EDITS.name, edits)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("Fix({}, {} edits)", self.applicability, self.edits.len())
    }
}

#[pymethods]
impl Edit {
    /// The fields as a dict.
    fn to_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(this, fields::edit::ALL)
    }

    fn __repr__(&self) -> String {
        format!("Edit({}..{}, {:?})", self.start, self.end, self.text)
    }
}

/// The attributes of an object that are fields of a record.
fn to_dict<'py>(object: &Bound<'py, PyAny>, fields: &[Field]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(object.py());
    for field in fields.iter().filter(|field| field.name != fields::diagnostic::PATH.name) {
        dict.set_item(field.name, object.getattr(field.name)?)?;
    }
    Ok(dict)
}

/// What is wrong with the URLs of a text, by place: a list of Diagnostic objects, as `urlsift lint` tells it.
///
/// text is a str, of which positions count characters, or bytes, of which they count bytes. dialect is its markup:
/// "plain", "markdown", "mdx", "rst", "asciidoc", "html" or "jupyter", or a programming language: "c", "go",
/// "javascript", "json", "python", "rust" or "shell". profile names the rules for URLs, rejoin says how far bare ones
/// are followed over line breaks. select and ignore name rules of lint, as `urlsift explain` lists them, or rooms of
/// them ("security."); scheme names further schemes to look for; strict=True has every rule speak of every URL. Comments
/// in the text that silence rules do. Raises TypeError or ValueError, naming the argument.
#[pyfunction]
#[pyo3(signature = (
    text, /, *, dialect = "plain", profile = "web", rejoin = "likely", select = None, ignore = None,
    scheme = None, strict = false,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn lint(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    dialect: &str,
    profile: &str,
    rejoin: &str,
    select: Option<&Bound<'_, PyAny>>,
    ignore: Option<&Bound<'_, PyAny>>,
    scheme: Option<&Bound<'_, PyAny>>,
    strict: bool,
) -> PyResult<Vec<Diagnostic>> {
    let text = Text::of("text", text)?;
    let dialect = one_of("dialect", dialect, &Dialect::ALL, Dialect::name)?;
    let mut config = Config::new(one_of("profile", profile, &Profile::ALL, Profile::name)?);
    config.rejoin = one_of("rejoin", rejoin, &Rejoin::ALL, Rejoin::name)?;
    config.select = selectors("select", select)?;
    config.ignore = selectors("ignore", ignore)?;
    for name in scheme.map_or(Ok(Vec::new()), |given| strings("scheme", given))? {
        let name = option_table::scheme(&name).map_err(|error| wrong_value("scheme", error))?;
        config.schemes.push(name.to_owned());
    }
    config.strict = strict;
    let linted = py.detach(|| Linter::new(config).lint(text.bytes(), dialect));
    let lines = Lines::new(text.bytes());
    let mut told = Told { text: text.bytes(), positions: text.positions(), lines };
    let tell = |found| told.diagnostic(py, found, &linted.secrets);
    linted.diagnostics.iter().map(tell).collect()
}

fn selectors(name: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Selector>> {
    let names = given.map_or(Ok(Vec::new()), |given| strings(name, given))?;
    names.iter().map(|rule| Selector::new(rule).map_err(|error| wrong_value(name, error))).collect()
}

/// A text, and what its positions are for Python.
struct Told<'t> {
    text: &'t [u8],
    positions: Positions,
    lines: Lines<'t>,
}

impl Told<'_> {
    fn range(&mut self, span: Span) -> (usize, usize) {
        (self.positions.at(self.text, span.start), self.positions.at(self.text, span.end))
    }

    fn diagnostic(
        &mut self,
        py: Python<'_>,
        found: &urlsift_lint::Diagnostic,
        secrets: &[Span],
    ) -> PyResult<Diagnostic> {
        let line = self.lines.line(found.span.start);
        let line_start = self.positions.at(self.text, self.lines.start(line));
        let fix = found.shown_fix(secrets).map(|fix| self.fix(py, fix)).transpose()?;
        let (start, end) = self.range(found.span);
        Ok(Diagnostic {
            code: found.code,
            level: found.level.name(),
            start,
            end,
            line,
            column: start - line_start + 1,
            url: found.url.clone(),
            message: found.message.to_string(),
            rfc: found.rfc,
            section: Some(found.section).filter(|section| !section.is_empty()),
            notes: found.notes.clone(),
            help: found.help.as_deref().map(str::to_owned),
            fix,
        })
    }

    fn fix(&mut self, py: Python<'_>, fix: &urlsift_lint::Fix) -> PyResult<Py<Fix>> {
        let mut edits = Vec::new();
        for edit in &fix.edits {
            let (start, end) = self.range(edit.span);
            let text = String::from_utf8_lossy(&edit.text).into_owned();
            edits.push(Py::new(py, Edit { start, end, text })?);
        }
        Py::new(py, Fix { applicability: fix.applicability.name(), edits })
    }
}
