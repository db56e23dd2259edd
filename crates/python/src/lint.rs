//! Lints the URLs of one text.

use crate::arguments::{required_item, str_list_argument, value_with_name, wrong_value};
use crate::pickle::{Reduced, reduce};
use crate::text::{Positions, Text};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use urlsift_core::{Profile, Secrets, Span};
use urlsift_lint::{Config, Dialect, Lines, Linter, Selector};
use urlsift_records::fields::{self, Field};
use urlsift_records::option_table;
use urlsift_scanner::Rejoin;

/// A problem that lint found. Passwords in its texts are masked as `***`.
#[pyclass(module = "urlsift", frozen, get_all, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// The stable name of the rule.
    code: String,
    /// The severity: "info", "warning" or "error".
    level: String,
    /// The start of the problem in the text: in characters for a str, in bytes for bytes.
    start: usize,
    /// The end, one past the last character or byte.
    end: usize,
    /// The line of the start, from 1.
    line: usize,
    /// The column of the start, from 1: in characters for a str, in bytes for bytes.
    column: usize,
    /// A hash of the line's text, as in the records of `urlsift lint`.
    line_hash: String,
    /// The URL concerned, or None.
    url: Option<String>,
    /// The description of the problem.
    message: String,
    /// The number of the RFC that the rule comes from, or None.
    rfc: Option<u16>,
    /// The section of that RFC, or None.
    section: Option<String>,
    /// Further information: a list of str.
    notes: Vec<String>,
    /// The suggested action, or None.
    help: Option<String>,
    /// The fix, or None.
    fix: Option<Fix>,
}

/// The edits that fix a problem.
#[pyclass(module = "urlsift", frozen, get_all, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fix {
    /// How safe it is to apply: "safe", "unsafe" (it may change the meaning), or "display" (only
    /// for display).
    applicability: String,
    /// The edits, in text order and not overlapping. Apply all of them or none.
    edits: Vec<Edit>,
}

/// An edit, which replaces the range from start to end with text.
#[pyclass(module = "urlsift", frozen, get_all, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edit {
    /// The start of the replaced range: in characters for a str, in bytes for bytes.
    start: usize,
    /// The end, one past the last character or byte.
    end: usize,
    /// The replacement.
    text: String,
}

#[pymethods]
impl Diagnostic {
    /// Returns the fields of the record of `urlsift lint`, except path, as a dict.
    fn to_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let dict = attributes_to_dict(this, fields::diagnostic::ALL)?;
        if let Some(fix) = &this.get().fix {
            let fix = fix.clone().into_pyobject(this.py())?;
            dict.set_item(fields::diagnostic::FIX.name, Fix::to_dict(&fix)?)?;
        }
        Ok(dict)
    }

    /// Returns the function and the arguments with which pickle restores the diagnostic.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Reduced<'py, (Bound<'py, PyDict>,)>> {
        reduce::<Self, _>(this.py(), "_from_dict", (Self::to_dict(this)?,))
    }

    /// Restores the diagnostic whose to_dict() returned `dict`.
    #[staticmethod]
    fn _from_dict(dict: &Bound<'_, PyDict>) -> PyResult<Self> {
        use fields::diagnostic as field;
        let fix: Option<Bound<'_, PyDict>> = required_item(dict, &field::FIX)?;
        Ok(Self {
            code: required_item(dict, &field::CODE)?,
            level: required_item(dict, &field::LEVEL)?,
            start: required_item(dict, &field::START)?,
            end: required_item(dict, &field::END)?,
            line: required_item(dict, &field::LINE)?,
            column: required_item(dict, &field::COLUMN)?,
            line_hash: required_item(dict, &field::LINE_HASH)?,
            url: required_item(dict, &field::URL)?,
            message: required_item(dict, &field::MESSAGE)?,
            rfc: required_item(dict, &field::RFC)?,
            section: required_item(dict, &field::SECTION)?,
            notes: required_item(dict, &field::NOTES)?,
            help: required_item(dict, &field::HELP)?,
            fix: fix.as_ref().map(Fix::_from_dict).transpose()?,
        })
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
    /// Returns the fields as a dict.
    fn to_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let dict = attributes_to_dict(this, fields::fix::ALL)?;
        let edits = this
            .get()
            .edits
            .iter()
            .map(|edit| Edit::to_dict(&edit.clone().into_pyobject(this.py())?));
        let edits = PyList::new(this.py(), edits.collect::<PyResult<Vec<_>>>()?)?;
        dict.set_item(fields::fix::EDITS.name, edits)?;
        Ok(dict)
    }

    /// Returns the function and the arguments with which pickle restores the fix.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Reduced<'py, (Bound<'py, PyDict>,)>> {
        reduce::<Self, _>(this.py(), "_from_dict", (Self::to_dict(this)?,))
    }

    /// Restores the fix whose to_dict() returned `dict`.
    #[staticmethod]
    fn _from_dict(dict: &Bound<'_, PyDict>) -> PyResult<Self> {
        let edits: Vec<Bound<'_, PyDict>> = required_item(dict, &fields::fix::EDITS)?;
        Ok(Self {
            applicability: required_item(dict, &fields::fix::APPLICABILITY)?,
            edits: edits.iter().map(Edit::_from_dict).collect::<PyResult<_>>()?,
        })
    }

    fn __repr__(&self) -> String {
        format!("Fix({}, {} edits)", self.applicability, self.edits.len())
    }
}

#[pymethods]
impl Edit {
    /// Returns the fields as a dict.
    fn to_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        attributes_to_dict(this, fields::edit::ALL)
    }

    /// Returns the function and the arguments with which pickle restores the edit.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Reduced<'py, (Bound<'py, PyDict>,)>> {
        reduce::<Self, _>(this.py(), "_from_dict", (Self::to_dict(this)?,))
    }

    /// Restores the edit whose to_dict() returned `dict`.
    #[staticmethod]
    fn _from_dict(dict: &Bound<'_, PyDict>) -> PyResult<Self> {
        Ok(Self {
            start: required_item(dict, &fields::edit::START)?,
            end: required_item(dict, &fields::edit::END)?,
            text: required_item(dict, &fields::edit::TEXT)?,
        })
    }

    fn __repr__(&self) -> String {
        format!("Edit({}..{}, {:?})", self.start, self.end, self.text)
    }
}

/// Returns a dict of those attributes of `object` that `fields` lists, except path.
fn attributes_to_dict<'py>(
    object: &Bound<'py, PyAny>,
    fields: &[Field],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(object.py());
    for field in fields.iter().filter(|field| field.name != fields::diagnostic::PATH.name) {
        dict.set_item(field.name, object.getattr(field.name)?)?;
    }
    Ok(dict)
}

/// Lints the URLs of a text, like `urlsift lint`. Returns a list of Diagnostic objects in text
/// order.
///
/// text is a str, whose positions count characters, or bytes, whose positions count bytes. dialect
/// is the markup or programming language of the text, e.g. "plain", "markdown", "html" or "rust";
/// the type Dialect in the stubs lists all. profile is the rule set that URLs are validated by.
/// rejoin controls how bare URLs are joined across line breaks. select and ignore name lint rules,
/// as listed by `urlsift explain`, or groups of rules ("security."). scheme names additional
/// schemes to find. strict=True reports every rule at its own level, even in code, examples and
/// templates. Passwords are always shown as `***`, and tokens with mask_secrets=True. Comments in
/// the text can suppress rules. A wrong argument raises a TypeError or ValueError that names it.
#[pyfunction]
#[pyo3(signature = (
    text, /, *, dialect = "plain", profile = "web", rejoin = "likely", select = None, ignore = None,
    scheme = None, strict = false, mask_secrets = false,
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
    mask_secrets: bool,
) -> PyResult<Vec<Diagnostic>> {
    let text = Text::from_object("text", text)?;
    let dialect = value_with_name("dialect", dialect, &Dialect::ALL, Dialect::name)?;
    let mut config =
        Config::new(value_with_name("profile", profile, &Profile::ALL, Profile::name)?);
    config.rejoin = value_with_name("rejoin", rejoin, &Rejoin::ALL, Rejoin::name)?;
    config.select = to_selectors("select", select)?;
    config.ignore = to_selectors("ignore", ignore)?;
    for name in scheme.map_or(Ok(Vec::new()), |given| str_list_argument("scheme", given))? {
        let name =
            option_table::parse_scheme_name(&name).map_err(|error| wrong_value("scheme", error))?;
        config.schemes.push(name.to_owned());
    }
    config.strict = strict;
    config.hides = Secrets::from_flags(true, mask_secrets).unwrap_or_default();
    let linted = py.detach(|| Linter::new(config).lint(text.bytes(), dialect));
    let lines = Lines::new(text.bytes());
    let mut converter =
        Converter { text: text.bytes(), positions: text.position_converter(), lines };
    let convert = |found| converter.diagnostic(found, &linted.secrets);
    Ok(linted.diagnostics.iter().map(convert).collect())
}

/// Converts `given`, the value of the argument called `name`, to selectors of lint rules. `given`
/// must be a str or an iterable of str. If it is absent, returns an empty list.
fn to_selectors(name: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Selector>> {
    let names = given.map_or(Ok(Vec::new()), |given| str_list_argument(name, given))?;
    names.iter().map(|rule| Selector::new(rule).map_err(|error| wrong_value(name, error))).collect()
}

/// A converter of the diagnostics of one text to Python objects.
struct Converter<'t> {
    text: &'t [u8],
    positions: Positions,
    lines: Lines<'t>,
}

impl Converter<'_> {
    /// Converts a byte span to the start and end positions that Python uses.
    fn positions_of(&mut self, span: Span) -> (usize, usize) {
        (
            self.positions.position_of(self.text, span.start),
            self.positions.position_of(self.text, span.end),
        )
    }

    fn diagnostic(&mut self, found: &urlsift_lint::Diagnostic, secrets: &[Span]) -> Diagnostic {
        let line = self.lines.line_number(found.span.start);
        let line_start = self.positions.position_of(self.text, self.lines.line_start(line));
        let fix = found.fix_without_secrets(secrets).map(|fix| self.fix(fix));
        let (start, end) = self.positions_of(found.span);
        Diagnostic {
            code: found.code.to_owned(),
            level: found.level.name().to_owned(),
            start,
            end,
            line,
            column: start - line_start + 1,
            line_hash: self.lines.line_hash(found.span.start, secrets),
            url: found.url.clone(),
            message: found.message.to_string(),
            rfc: found.rfc,
            section: Some(found.section.to_owned()).filter(|section| !section.is_empty()),
            notes: found.notes.clone(),
            help: found.help.as_deref().map(str::to_owned),
            fix,
        }
    }

    fn fix(&mut self, fix: &urlsift_lint::Fix) -> Fix {
        let edits = fix.edits.iter().map(|edit| {
            let (start, end) = self.positions_of(edit.span);
            Edit { start, end, text: String::from_utf8_lossy(&edit.text).into_owned() }
        });
        Fix { edits: edits.collect(), applicability: fix.applicability.name().to_owned() }
    }
}
