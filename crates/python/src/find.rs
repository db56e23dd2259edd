//! Finds the URLs of one text lazily.

use crate::arguments::wrong_value;
use crate::pickle::{Reduced, reduce};
use crate::text::{Positions, Text};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString, PyTuple};
use std::borrow::Cow;
use std::sync::Arc;
use urlsift_core::{Profile, Span, mask_spans};
use urlsift_records::{Options, Scan};
use urlsift_scanner::{AFTER, Candidate, Form, Input, State};

/// The size of the first piece to scan, in bytes. It is small, so that the first match is available
/// soon.
const FIRST_STEP: usize = 64 << 10;
/// The maximum size of a piece to scan, in bytes. All matches of a piece are kept until they are
/// requested.
const STEP: usize = 1 << 20;

/// A URL in a text.
// Most matches are dropped before the next one is requested, which can then reuse the memory.
#[pyclass(module = "urlsift", frozen, freelist = 64)]
#[derive(Debug)]
pub struct Match {
    // Frequently used attributes are stored as Python objects, so that reading them takes no call.
    /// The URL without the line breaks and quote marks inside it. Bytes that are not UTF-8 (only in
    /// malformed URLs) are replaced with U+FFFD: see url_bytes.
    #[pyo3(get)]
    url: Py<PyString>,
    /// The start of the URL in the text, without a wrapper or prefix: in characters for a str, in
    /// bytes for bytes.
    #[pyo3(get)]
    start: Py<PyInt>,
    /// The end of the URL in the text, one past the last character or byte. The range includes line
    /// breaks inside the URL.
    #[pyo3(get)]
    end: Py<PyInt>,
    /// The URL's bytes if they are not UTF-8.
    url_bytes: Option<Box<[u8]>>,
    form: Form,
    valid: bool,
    profile: Profile,
}

/// A match that is not yet converted to Python objects.
#[derive(Debug)]
pub(crate) struct Hit {
    /// The byte range in the text.
    span: Span,
    /// The URL, if it differs from the text in `span`.
    url: Option<Box<[u8]>>,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) form: Form,
    pub(crate) valid: bool,
}

impl Match {
    fn new(py: Python<'_>, hit: Hit, text: &[u8], profile: Profile) -> Self {
        let url = hit.url(text);
        // Let Python decode the URL without checking it first. URLs that aren't UTF-8 are malformed
        // and rare.
        let decoded = PyString::from_bytes(py, url);
        let is_text = decoded.is_ok();
        let url = decoded.unwrap_or_else(|_| PyString::new(py, &String::from_utf8_lossy(url)));
        let (Ok(start), Ok(end)) = (hit.start.into_pyobject(py), hit.end.into_pyobject(py));
        Self {
            url: url.unbind(),
            start: start.unbind(),
            end: end.unbind(),
            url_bytes: hit.url.filter(|_| !is_text),
            form: hit.form,
            valid: hit.valid,
            profile,
        }
    }
}

impl Match {
    /// Returns the values of all fields as a tuple, from which [`Match::_from_state`] restores the
    /// match.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { url, start, end, form, valid, profile, .. } = self;
        (url, start, end, self.url_bytes(py), form.name(), valid, profile.name()).into_pyobject(py)
    }
}

#[pymethods]
impl Match {
    /// The URL's bytes if they are not UTF-8, else None.
    #[getter]
    fn url_bytes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        Some(PyBytes::new(py, self.url_bytes.as_deref()?))
    }

    /// The form of the URL: "wrapped", "bracketed", "prefixed", "bare", "schemeless", "locator",
    /// "email" or "host".
    #[getter]
    fn form(&self) -> &'static str {
        self.form.name()
    }

    /// True if the profile accepts the URL.
    #[getter]
    fn valid(&self) -> bool {
        self.valid
    }

    /// The normalized form, which is the same for equivalent URLs. It is computed on each access.
    #[getter]
    fn normalized<'py>(&self, py: Python<'py>) -> PyResult<Cow<'py, str>> {
        let url = self.url.bind(py).to_cow()?;
        let form = normalize_found(url.as_bytes(), self.form, self.valid, self.profile);
        Ok(Cow::Owned(String::from_utf8_lossy(&form).into_owned()))
    }

    /// The target for a link: the URL, with "http://", "ftp://" or "mailto:" where the text has no
    /// scheme.
    #[getter]
    fn href<'py>(&self, py: Python<'py>) -> PyResult<Cow<'py, str>> {
        let url = self.url.bind(py).to_cow()?;
        let href = self.form.href(url.as_bytes());
        Ok(Cow::Owned(String::from_utf8_lossy(&href).into_owned()))
    }

    /// The scheme of href, in lower case.
    #[getter]
    fn scheme(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.form.scheme(self.url.bind(py).to_cow()?.as_bytes()))
    }

    /// The host as written, or None if the URL has none or is not valid.
    #[getter]
    fn host(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let url = self.url.bind(py).to_cow()?;
        let host = self.form.host(url.as_bytes(), self.profile);
        Ok(host.map(|host| String::from_utf8_lossy(host).into_owned()))
    }

    /// Returns the function and the arguments with which pickle restores the match.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Bound<'py, PyTuple>>> {
        reduce::<Self, _>(py, "_from_state", self.state(py)?)
    }

    /// Returns the match whose fields have these values.
    #[staticmethod]
    fn _from_state(
        url: Py<PyString>,
        start: Py<PyInt>,
        end: Py<PyInt>,
        url_bytes: Option<Vec<u8>>,
        form: &str,
        valid: bool,
        profile: &str,
    ) -> PyResult<Self> {
        let form = form.parse().map_err(|error| wrong_value("form", error))?;
        let profile = profile.parse().map_err(|error| wrong_value("profile", error))?;
        let url_bytes = url_bytes.map(Vec::into_boxed_slice);
        Ok(Self { url, start, end, url_bytes, form, valid, profile })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        self.state(py)?.eq(other.get().state(py)?)?.into_py_any(py)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.state(py)?.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Self { url, start, end, form, .. } = self;
        Ok(format!("Match({}, {start}..{end}, {})", url.bind(py).repr()?, form.name()))
    }
}

/// An iterator over the matches of a text, in text order. It scans the text lazily.
///
/// Only one thread at a time may use it.
#[pyclass(module = "urlsift")]
pub struct Matches {
    scan: Arc<Scan>,
    text: Text,
    /// The scan state after the last piece; `None` at the end of the text.
    state: Option<State>,
    step: usize,
    positions: Positions,
    hits: std::vec::IntoIter<Hit>,
}

impl Matches {
    pub(crate) fn new(scan: Arc<Scan>, text: Text) -> Self {
        let (positions, hits) = (text.position_converter(), Vec::new().into_iter());
        let (state, step) = (Some(State::starting_at(0)), FIRST_STEP);
        Self { scan, text, state, step, positions, hits }
    }

    /// Scans the next piece of the text, from `state` on, and stores the matches found there in
    /// `hits`.
    fn scan_next_piece(&mut self, state: State) {
        let text = self.text.bytes();
        let limit = state.next() + self.step;
        let is_last = limit.saturating_add(AFTER) >= text.len();
        let limit = if is_last { usize::MAX } else { limit };
        let mut found = self.scan.scanner().find_from(Input::new(text), state, Some(limit));
        let (mut hits, options) = (Vec::new(), self.scan.options());
        while let Some(candidate) = found.advance() {
            if let Some(valid) = options.validity_if_selected(candidate) {
                hits.push(Hit::new(candidate, valid, text, options, &mut self.positions));
            }
        }
        self.state = (!is_last).then(|| found.into_state());
        self.step = STEP.min(2 * self.step);
        self.hits = hits.into_iter();
    }
}

#[pymethods]
impl Matches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> Option<Match> {
        loop {
            if let Some(hit) = self.hits.next() {
                return Some(Match::new(py, hit, self.text.bytes(), self.scan.options().profile));
            }
            let state = self.state.take()?;
            py.detach(|| self.scan_next_piece(state));
        }
    }
}

impl Hit {
    /// Returns the URL of this match, without line breaks and quote marks. `text` is the text in
    /// which it was found.
    pub(crate) fn url<'h>(&'h self, text: &'h [u8]) -> &'h [u8] {
        self.url.as_deref().unwrap_or(&text[self.span.range()])
    }

    /// Returns the normalized form of `url`, which is the URL of this match.
    pub(crate) fn normalized<'u>(&self, url: &'u [u8], profile: Profile) -> Cow<'u, [u8]> {
        normalize_found(url, self.form, self.valid, profile)
    }

    fn new(
        found: &Candidate<'_>,
        valid: bool,
        text: &[u8],
        options: &Options,
        positions: &mut Positions,
    ) -> Self {
        let span = found.span();
        let mut url = found.url();
        if let Some(which) = options.hidden_secrets() {
            let secrets = which.in_context(&url, &found.span_map(), text, span);
            if !secrets.is_empty() {
                url = Cow::Owned(mask_spans(&url, &secrets).into_owned());
            }
        }
        let is_plain = matches!(url, Cow::Borrowed(_)) && (valid || str::from_utf8(&url).is_ok());
        let url = (!is_plain).then(|| Box::from(&*url));
        let (start, end) =
            (positions.position_of(text, span.start), positions.position_of(text, span.end));
        Self { span, url, start, end, form: found.form(), valid }
    }
}

/// Returns [`Form::normalized`] of a URL, without validating it again if it is known to be invalid.
fn normalize_found(url: &[u8], form: Form, valid: bool, profile: Profile) -> Cow<'_, [u8]> {
    if valid { form.normalized(url, profile) } else { Cow::Borrowed(url) }
}

/// Calls `take` for each match in `text` that the options of `scan` include. `positions` converts
/// the offsets of the matches.
pub(crate) fn for_each_match(
    scan: &Scan,
    text: &[u8],
    positions: &mut Positions,
    take: &mut dyn FnMut(&Hit),
) {
    let (mut found, options) = (scan.scanner().find_iter(text), scan.options());
    while let Some(candidate) = found.advance() {
        if let Some(valid) = options.validity_if_selected(candidate) {
            take(&Hit::new(candidate, valid, text, options, positions));
        }
    }
}
