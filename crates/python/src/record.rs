//! Exposes records as Python objects. The attributes have the names and documentation of the fields
//! in `urlsift_records::fields`. They are added to the classes when the module is created.

use crate::arguments::wrong_value;
use crate::pickle::{Reduced, reduce};
use crate::report::Report;
use crate::text::Positions;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCFunction, PyDict, PyList, PyString, PyTuple, PyType};
use pyo3::{IntoPyObjectExt, PyTypeInfo};
use serde::{Deserialize, Serialize};
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;
use urlsift_records::fields::{self, Field, Presence, Value};
use urlsift_records::write::FieldWriter;
use urlsift_records::{Message as RecordMessage, Page as RecordPage, UrlRecord};
use urlsift_scanner::{Grade, JoinEvidence, JoinKind};

/// A URL in a file: the record of `urlsift scan`, with the same fields.
///
/// A field that is absent in JSON is None, False or []. Bytes that are not UTF-8 are replaced with
/// U+FFFD in a str. The attribute with the suffix _bytes then contains the original bytes;
/// otherwise, it is None.
#[pyclass(module = "urlsift", frozen)]
#[derive(Debug)]
pub struct Record(pub(crate) UrlRecord<'static>);

/// The mail message or news article that contains the URL of a Record.
#[pyclass(module = "urlsift", frozen, eq, hash)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Message(Arc<RecordMessage>);

/// The web archive record that contains the URL of a Record.
#[pyclass(module = "urlsift", frozen, eq, hash)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Page(Arc<RecordPage>);

/// A line break, with the quote marks and spaces around it, that was removed from a URL.
#[pyclass(module = "urlsift", frozen, eq, hash)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Join {
    /// The start of the removed bytes in the file.
    #[pyo3(get)]
    start: u64,
    /// The end of the removed bytes, one past the last.
    #[pyo3(get)]
    end: u64,
    /// The evidence for removing them.
    #[pyo3(get)]
    kind: &'static str,
    /// The confidence: "certain" or "likely".
    #[pyo3(get)]
    grade: &'static str,
    /// The pieces of evidence that a bare URL continues after the line break. Empty if the kind
    /// alone explains the join.
    #[pyo3(get)]
    evidence: Vec<&'static str>,
}

impl Record {
    fn json(&self) -> Vec<u8> {
        let mut line = Vec::new();
        self.0.write_json(&mut line);
        line
    }
}

/// Deserializes `json`, the value of the argument called `name`. Raises a `ValueError` if it is not
/// valid.
fn read_json<'j, T: Deserialize<'j>>(name: &str, json: &'j str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|error| wrong_value(name, error))
}

/// Returns the values that `__reduce__` returns for an object of the class `T` with these fields.
fn reduce_to_json<'py, T: PyTypeInfo>(
    py: Python<'py>,
    fields: &impl Serialize,
) -> PyResult<Reduced<'py, (String,)>> {
    let json = serde_json::to_string(fields).map_err(|error| wrong_value("fields", error))?;
    reduce::<T, _>(py, "_from_json", (json,))
}

#[pymethods]
impl Record {
    /// Returns the record, as in JSON Lines, as nested dicts and lists. Text that is not UTF-8 is
    /// encoded in base64.
    pub(crate) fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let json = self.to_json(py)?;
        Ok(py.import("json")?.call_method1("loads", (json,))?.cast_into()?)
    }

    /// Returns the line that `urlsift scan --format jsonl` prints, as a str without the line break.
    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        Ok(PyString::new(py, String::from_utf8_lossy(&self.json()).trim_end()))
    }

    /// Returns the record in a line that `urlsift scan --format jsonl` printed. line is a str.
    /// Raises a ValueError if it is not such a line.
    #[staticmethod]
    fn from_json(line: &str) -> PyResult<Self> {
        read_json("line", line).map(Self)
    }

    /// Returns the function and the argument with which pickle restores the record.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Bound<'py, PyString>,)>> {
        reduce::<Self, _>(py, "from_json", (self.to_json(py)?,))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.json() == other.json()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        (&self.0.url, self.0.span.start, &self.0.file.path, &self.0.file.member).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let url = PyString::new(py, &String::from_utf8_lossy(&self.0.url)).repr()?;
        Ok(format!("Record({url}, {}..{})", self.0.span.start, self.0.span.end))
    }
}

#[pymethods]
impl Message {
    /// Restores the object from its fields in JSON.
    #[staticmethod]
    fn _from_json(json: &str) -> PyResult<Self> {
        Ok(Self(Arc::new(read_json("json", json)?)))
    }

    /// Returns the function and the argument with which pickle restores the object.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (String,)>> {
        reduce_to_json::<Self>(py, &*self.0)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let id = self.0.id.as_ref().map(|id| String::from_utf8_lossy(id));
        Ok(format!("Message({})", id.into_bound_py_any(py)?.repr()?))
    }
}

#[pymethods]
impl Page {
    /// Restores the object from its fields in JSON.
    #[staticmethod]
    fn _from_json(json: &str) -> PyResult<Self> {
        Ok(Self(Arc::new(read_json("json", json)?)))
    }

    /// Returns the function and the argument with which pickle restores the object.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (String,)>> {
        reduce_to_json::<Self>(py, &*self.0)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let uri = self.0.uri.as_ref().map(|uri| String::from_utf8_lossy(uri));
        Ok(format!("Page({})", uri.into_bound_py_any(py)?.repr()?))
    }
}

#[pymethods]
impl Join {
    /// Returns the function and the arguments with which pickle restores the join.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Bound<'py, PyTuple>>> {
        let Self { start, end, kind, grade, evidence } = self;
        let state = (start, end, kind, grade, evidence).into_pyobject(py)?;
        reduce::<Self, _>(py, "_from_state", state)
    }

    /// Restores the join from the values of its fields.
    #[staticmethod]
    fn _from_state(
        start: u64,
        end: u64,
        kind: &str,
        grade: &str,
        evidence: Vec<String>,
    ) -> PyResult<Self> {
        let kind: JoinKind = kind.parse().map_err(|error| wrong_value("kind", error))?;
        let grade: Grade = grade.parse().map_err(|error| wrong_value("grade", error))?;
        let evidence = evidence.iter().map(|name| name.parse().map(JoinEvidence::name));
        let evidence = evidence.collect::<Result<_, _>>();
        let evidence = evidence.map_err(|error| wrong_value("evidence", error))?;
        Ok(Self { start, end, kind: kind.name(), grade: grade.name(), evidence })
    }

    fn __repr__(&self) -> String {
        format!("Join({}..{}, {}, {})", self.start, self.end, self.kind, self.grade)
    }
}

/// Adds an attribute for each field of a record to the classes Record, Message and Page.
pub(crate) fn add_attributes(py: Python<'_>) -> PyResult<()> {
    let property = py.import("builtins")?.getattr("property")?;
    let record = py.get_type::<Record>();
    for field in fields::url::ALL.iter().filter(|field| field.name != fields::url::COUNT.name) {
        add_attribute(&property, &record, field, |of, pick| {
            let record = &of.cast::<Record>()?.get().0;
            match &record.message {
                // All records of a message share its object.
                Some(message) if pick.field.name == fields::url::MESSAGE.name => {
                    let message = Arc::clone(message);
                    pick.store_if_requested(pick.field, |py| {
                        Message(message).into_bound_py_any(py)
                    });
                }
                _ if pick.field.name == fields::url::PAGE.name => {
                    if let Some(page) = &record.page {
                        let page = Arc::clone(page);
                        pick.store_if_requested(pick.field, |py| Page(page).into_bound_py_any(py));
                    }
                }
                _ => record.write_fields(pick),
            }
            Ok(())
        })?;
    }
    let message = py.get_type::<Message>();
    for field in fields::message::ALL {
        add_attribute(&property, &message, field, |of, pick| {
            of.cast::<Message>()?.get().0.write_fields(pick);
            Ok(())
        })?;
    }
    let page = py.get_type::<Page>();
    for field in fields::page::ALL {
        add_attribute(&property, &page, field, |of, pick| {
            of.cast::<Page>()?.get().0.write_fields(pick);
            Ok(())
        })?;
    }
    // `from` is a Python keyword.
    message.setattr("from_", message.getattr("from")?)
}

/// A function that passes the fields of a Python object to a [`Pick`].
type PassFields = fn(&Bound<'_, PyAny>, &mut Pick<'_>) -> PyResult<()>;

/// Adds the attribute for `field` to a Python class. If the field is a text, also adds the
/// attribute with the suffix `_bytes`.
fn add_attribute(
    property: &Bound<'_, PyAny>,
    class: &Bound<'_, PyType>,
    field: &'static Field,
    pass_fields: PassFields,
) -> PyResult<()> {
    let py = class.py();
    let getter = |wants_bytes: bool| {
        PyCFunction::new_closure(py, None, None, move |given: &Bound<'_, PyTuple>, _| {
            let py = given.py();
            let mut pick = Pick { py, field, wants_bytes, value: None };
            pass_fields(&given.get_item(0)?, &mut pick)?;
            match pick.value {
                Some(value) => value.map(Bound::unbind),
                None => absent_value(py, field, wants_bytes),
            }
        })
    };
    let doc = field_docstring(field);
    class.setattr(field.name, property.call1((getter(false)?, py.None(), py.None(), doc))?)?;
    if matches!(field.value, Value::Text | Value::Texts) {
        let doc = format!("The bytes of {}, where they are not UTF-8; else None.", field.name);
        let property = property.call1((getter(true)?, py.None(), py.None(), doc))?;
        class.setattr(format!("{}_bytes", field.name), property)?;
    }
    Ok(())
}

/// Returns the value of the attribute for `field` if the record doesn't have this field: None,
/// False or an empty list. `wants_bytes` is true for the attribute with the suffix `_bytes`.
fn absent_value(py: Python<'_>, field: &Field, wants_bytes: bool) -> PyResult<Py<PyAny>> {
    match field.value {
        _ if wants_bytes => Ok(py.None()),
        Value::Boolean => false.into_py_any(py),
        Value::Names(_) | Value::Texts | Value::Objects(_) => Ok(PyList::empty(py).into()),
        _ => Ok(py.None()),
    }
}

/// Returns the docstring of a field: its meaning, its unit, and when it is absent.
fn field_docstring(field: &Field) -> String {
    let mut doc = field.doc.to_owned();
    if let Value::Integer(unit) = field.value {
        doc = format!("{doc} In {unit}.");
    }
    match field.presence {
        Presence::Always => doc,
        Presence::Null(when) => format!("{doc} None if {when}."),
        Presence::Only(when) => format!("{doc} There {when}."),
    }
}

/// A visitor that picks one field of a record and converts it to a Python object.
struct Pick<'py> {
    py: Python<'py>,
    field: &'static Field,
    /// True to get the bytes of a text, if they are not UTF-8.
    wants_bytes: bool,
    value: Option<PyResult<Bound<'py, PyAny>>>,
}

impl<'py> Pick<'py> {
    /// Stores the value if `field` is the requested one.
    fn store_if_requested(
        &mut self,
        field: &'static Field,
        value: impl FnOnce(Python<'py>) -> PyResult<Bound<'py, PyAny>>,
    ) {
        if field.name == self.field.name {
            self.value = Some(value(self.py));
        }
    }

    /// Stores a list of values if `field` is the requested one.
    fn store_list<T>(
        &mut self,
        field: &'static Field,
        items: impl Iterator<Item = T>,
        each: impl Fn(Python<'py>, T) -> PyResult<Bound<'py, PyAny>>,
    ) {
        self.store_if_requested(field, |py| {
            let items: Vec<_> = items.map(|item| each(py, item)).collect::<PyResult<_>>()?;
            Ok(PyList::new(py, items)?.into_any())
        });
    }

    /// Stores a list of texts, or of their bytes, if `field` is the requested one.
    fn store_texts<'t>(
        &mut self,
        field: &'static Field,
        mut texts: impl Iterator<Item = &'t [u8]> + Clone,
    ) {
        if !self.wants_bytes {
            self.store_list(field, texts, to_python_str);
        } else if texts.clone().any(|text| str::from_utf8(text).is_err()) {
            self.store_list(
                field,
                texts.by_ref(),
                |py, text| Ok(PyBytes::new(py, text).into_any()),
            );
        }
    }
}

/// Converts bytes to a str, with invalid UTF-8 replaced by U+FFFD.
fn to_python_str<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    Ok(PyString::new(py, &String::from_utf8_lossy(text)).into_any())
}

impl FieldWriter for Pick<'_> {
    fn write_text(&mut self, field: &'static Field, value: Option<&[u8]>) {
        let Some(value) = value else { return };
        if !self.wants_bytes {
            self.store_if_requested(field, |py| to_python_str(py, value));
        } else if str::from_utf8(value).is_err() {
            self.store_if_requested(field, |py| Ok(PyBytes::new(py, value).into_any()));
        }
    }

    fn write_name(&mut self, field: &'static Field, name: &str) {
        self.store_if_requested(field, |py| name.into_bound_py_any(py));
    }

    fn write_number(&mut self, field: &'static Field, number: u64) {
        self.store_if_requested(field, |py| number.into_bound_py_any(py));
    }

    fn write_boolean(&mut self, field: &'static Field, value: bool) {
        self.store_if_requested(field, |py| value.into_bound_py_any(py));
    }

    fn write_reports<'r>(
        &mut self,
        field: &'static Field,
        reports: impl Iterator<Item = &'r urlsift_core::Report>,
    ) {
        self.store_list(field, reports, |py, report| {
            Report::new(report, &[], &mut Positions::for_bytes()).into_bound_py_any(py)
        });
    }

    fn write_joins(&mut self, field: &'static Field, joins: &[urlsift_records::Join]) {
        self.store_list(field, joins.iter(), |py, join| {
            let (start, end) = (join.span.start, join.span.end);
            let (kind, grade) = (join.kind.name(), join.grade.name());
            let evidence = join.evidence.iter().map(JoinEvidence::name).collect();
            Join { start, end, kind, grade, evidence }.into_bound_py_any(py)
        });
    }

    fn write_readings(&mut self, field: &'static Field, url: &[u8], others: &[Vec<u8>]) {
        self.store_texts(field, std::iter::once(url).chain(others.iter().map(Vec::as_slice)));
    }

    fn write_texts(&mut self, field: &'static Field, texts: &[Vec<u8>]) {
        self.store_texts(field, texts.iter().map(Vec::as_slice));
    }

    fn write_names(&mut self, field: &'static Field, names: impl Iterator<Item = &'static str>) {
        self.store_list(field, names, |py, name| name.into_bound_py_any(py));
    }

    fn write_message(&mut self, _: &'static Field, _: &RecordMessage) {}

    fn write_page(&mut self, _: &'static Field, _: &RecordPage) {}
}
