//! The `Scanner` class, and the functions that create one for a single call.

use crate::arguments::{value_with_name, wrong_type};
use crate::arrow::{self, Batch, Batches, Column, Table};
use crate::find::Matches;
use crate::options::parse_options;
use crate::scan::Records;
use crate::text::{Text, bytes_of_buffer};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use std::sync::{Arc, OnceLock};
use urlsift_records::option_table::Scope;
use urlsift_records::{Scan, With};

/// Scans many texts with the same options. It contains the options, and search tables built from
/// them.
///
/// It can be pickled, and any number of threads can use it at the same time. Scanning a text
/// doesn't block other threads.
///
/// The keyword arguments have the names of the options of `urlsift scan`. They are:
///
/// - input (not for find): Read the input as this format: "auto", "text", "mail", "html", "markdown",
///   "rst", "asciidoc", "json", "jsonl", "xml", "tex", "man", "ipynb", "ics", "po", "binary"
///   (default: auto)
/// - text_field (not for find): In JSON Lines, scan only the text in this field of each record
/// - date_field (not for find): In JSON Lines, read the date of a record from this field
/// - id_field (not for find): In JSON Lines, read the identifier of a record from this field
/// - encoding (not for find): Use this charset for text that doesn't declare one
/// - max_expand (not for find): Stop unpacking a compressed file beyond this size (default: 100x)
/// - max_window (not for find): Refuse xz and zst files that need a larger window than this (default:
///   128M)
/// - profile: Validate URLs against web, rfc3986, rfc1738 or cern1994: "rfc1738", "cern1994",
///   "rfc3986", "web" (default: web)
/// - malformed: Report invalid URLs: skip, include or only: "skip", "include", "only" (default: skip)
/// - scheme: Report only URLs of these schemes
/// - host: Report only URLs whose host matches, e.g. `*.w3.org` or `!localhost`
/// - domain: Report only URLs of hosts in these domains, e.g. `w3.org`
/// - url: Report only URLs that match, e.g. `*.pdf` or `!*cgi-bin*`
/// - form: Report only URLs in these forms; `+FORM` adds to the default: "wrapped", "bracketed",
///   "prefixed", "bare", "attribute", "schemeless", "locator", "relative", "email", "host"
/// - without (not for find): Skip URLs in these places: quote, signature, footer, …: "body", "quote",
///   "attribution", "signature", "footer", "chrome", "header", "attribute"
/// - rejoin: Join URLs across line breaks: off, certain or likely: "off", "certain", "likely"
///   (default: likely)
/// - resolve (not for find): Also find relative links of HTML, and resolve them
/// - refang (not for find): Find defanged URLs, such as `hxxp://h[.]dom/`, and restore them
/// - headers (not for find): Scan these header fields of messages: none, urls or all: "none", "urls",
///   "all" (default: urls)
/// - web_records (not for find): Scan these records of web archives: pages or all: "pages", "all"
///   (default: pages)
/// - since (not for find): Scan only messages from this date on, e.g. `1994-12`
/// - until (not for find): Scan only messages up to this date, inclusive
/// - undated (not for find): Drop or keep messages without a valid date if dates are restricted:
///   "drop", "keep" (default: drop)
/// - newsgroup (not for find): Scan only articles in newsgroups that match, e.g. `comp.*`
/// - list (not for find): Scan only messages of mailing lists that match, e.g. `*.w3.org`
/// - sender (not for find): Scan only messages from these senders, e.g. `*@w3.org`
/// - subject (not for find): Scan only messages whose subject matches, e.g. `*announce*`
/// - with_ (not for find): Add these fields to records: domain, tld, port, from_domain, …: "domain",
///   "tld", "port", "from_domain", "from_hash", "from", "subject", "link_text"
/// - unwrap (not for find): Add the target of links that a mail gateway or tracker rewrote: "replace"
/// - mask_passwords: Show passwords as `***`
/// - mask_secrets: Show passwords and tokens as `***`
/// - hash_key (not for find): Use this key for the hashes of `--with from_hash`
#[pyclass(module = "urlsift", frozen)]
pub struct Scanner {
    scan: Arc<Scan>,
    /// A scan that fills all columns of tables, created on first use.
    table_scan: OnceLock<Arc<Scan>>,
    /// The keyword arguments that the scanner was created with.
    given: Py<PyDict>,
}

impl Scanner {
    /// Creates a scanner from `given`, the keyword arguments of the function called `function`.
    fn from_arguments(
        py: Python<'_>,
        function: &str,
        scope: Scope,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let scan = Arc::new(Scan::new(parse_options(function, scope, given)?));
        let given = given.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)?;
        Ok(Self { scan, table_scan: OnceLock::new(), given: given.unbind() })
    }

    /// Returns the scan that fills all columns of tables. Creates it at the first call.
    fn scan_for_tables(&self) -> &Arc<Scan> {
        self.table_scan.get_or_init(|| {
            let mut options = self.scan.options().clone();
            options.with.extend(With::OF_TABLE);
            Arc::new(Scan::new(options))
        })
    }

    /// Returns a scanner for one call of the function called `function` with the keyword arguments
    /// `given`. The scanner without arguments is cached.
    fn for_one_call(
        py: Python<'_>,
        function: &str,
        scope: Scope,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<Self>> {
        static DEFAULT: PyOnceLock<Py<Scanner>> = PyOnceLock::new();
        if given.is_some_and(|given| !given.is_empty()) {
            return Py::new(py, Self::from_arguments(py, function, scope, given)?);
        }
        let made = DEFAULT
            .get_or_try_init(py, || Py::new(py, Self::from_arguments(py, function, scope, None)?));
        made.map(|scanner| scanner.clone_ref(py))
    }
}

#[pymethods]
impl Scanner {
    #[new]
    #[pyo3(signature = (**options), text_signature = "(*, profile='web', input='auto', **options)")]
    fn new(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self::from_arguments(py, "Scanner", Scope::Files, options)
    }

    /// Finds the URLs of a text lazily: see find().
    #[pyo3(signature = (text, /))]
    fn find(&self, text: &Bound<'_, PyAny>) -> PyResult<Matches> {
        let text = Text::from_object("text", text)?;
        Ok(Matches::new(Arc::clone(&self.scan), text))
    }

    /// Scans one file: see scan().
    #[pyo3(signature = (source, /, *, name = None, errors = "raise"))]
    fn scan(
        &self,
        source: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        errors: &str,
    ) -> PyResult<Records> {
        let raises =
            value_with_name("errors", errors, &[("raise", true), ("collect", false)], |it| it.0)?.1;
        Records::start(&self.scan, source, name, raises)
    }

    /// Scans one file into a Table, a stream of record batches for Arrow libraries. The arguments
    /// are those of scan(). An error becomes a row whose column `error` is set.
    #[pyo3(signature = (source, /, *, name = None))]
    fn scan_table(
        &self,
        source: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Table> {
        Records::start(self.scan_for_tables(), source, name, false).map(Table::new)
    }

    /// Scans the bytes of one file into a Batch, a record batch for Arrow libraries.
    ///
    /// unit=(start, end) reports only what starts in that byte range. The range may start and end
    /// anywhere in plain text, but only at message starts in mail, as `urlsift units` lists them.
    /// With unit=dict, a line of that list, data contains only the bytes from context_start to
    /// context_end, or from raw_start to raw_end of a compressed file. The records are the same as
    /// in a scan of the whole file. If data has the wrong length, the result is a row with `error`:
    /// `unit.stale`.
    #[pyo3(signature = (data, /, *, name = "-", unit = None))]
    fn scan_batch(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        name: &str,
        unit: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Batch> {
        let bytes = bytes_of_buffer(data).ok_or_else(|| wrong_type("data", "bytes", data))?;
        let part = unit.map(|unit| arrow::Part::parse(unit, bytes.len())).transpose()?;
        arrow::scan_batch(py, self.scan_for_tables(), &bytes, name.to_owned(), part)
    }

    /// Scans a unit of a file, which is a path or a file object: see scan_unit().
    #[pyo3(name = "_scan_file", signature = (file, unit, /))]
    fn scan_file(
        &self,
        py: Python<'_>,
        file: &Bound<'_, PyAny>,
        unit: &Bound<'_, PyDict>,
    ) -> PyResult<Batch> {
        arrow::scan_file(py, self.scan_for_tables(), file, unit)
    }

    /// Scans a unit in batches: see scan_unit_batches().
    #[pyo3(name = "_scan_file_batches", signature = (file, unit, /))]
    fn scan_file_batches(
        &self,
        file: &Bound<'_, PyAny>,
        unit: &Bound<'_, PyDict>,
    ) -> PyResult<Batches> {
        arrow::scan_file_batches(self.scan_for_tables(), file, unit)
    }

    /// Finds the URLs in each value of a column of strings or bytes. Returns a Column for Arrow
    /// libraries: lists of structs with url, start, end, form and valid, and with normalized=True
    /// also the normalized form. Positions count characters in strings and bytes in bytes. Null
    /// stays null.
    #[pyo3(signature = (column, /, *, normalized = false))]
    fn find_column(
        &self,
        py: Python<'_>,
        column: &Bound<'_, PyAny>,
        normalized: bool,
    ) -> PyResult<Column> {
        arrow::find_column(py, &self.scan, column, normalized)
    }

    /// Scans each value of a column as the bytes of a file. Returns a Column for Arrow libraries:
    /// lists of structs with the columns of `urlsift schema urls`. Null stays null.
    #[pyo3(signature = (column, /))]
    fn scan_column(&self, py: Python<'_>, column: &Bound<'_, PyAny>) -> PyResult<Column> {
        arrow::scan_column(py, self.scan_for_tables(), column)
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        Ok((PyTuple::empty(py), self.given.bind(py).copy()?))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut arguments = Vec::new();
        for (name, value) in self.given.bind(py) {
            arguments.push(format!("{name}={}", value.repr()?));
        }
        Ok(format!("Scanner({})", arguments.join(", ")))
    }
}

/// Finds the URLs of a text. Returns an iterator that scans lazily and returns Match objects in
/// text order.
///
/// text is a str, whose positions count characters, or bytes, whose positions count bytes. Other
/// objects with the buffer protocol are copied. Bytes are read as UTF-8, but may be invalid. A lone
/// surrogate in a str counts as one character and is never part of a URL.
///
/// The options are those of Scanner that have an effect on plain text. For many texts, create a
/// Scanner. Takes linear time. A wrong argument raises a TypeError or ValueError that names it.
#[pyfunction]
#[pyo3(signature = (text, /, **options), text_signature = "(text, /, *, profile='web', **options)")]
pub(crate) fn find(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Matches> {
    Scanner::for_one_call(py, "find", Scope::Text, options)?.get().find(text)
}

/// Scans one file. Returns an iterator of Record objects in file order, like the output of `urlsift
/// scan`.
///
/// source is a path (str or os.PathLike), bytes, or a file object that is open in binary mode,
/// which is read lazily. Mail is decoded, and gz, bz2, xz, zst, lz4, lz, Z, zip and tar files are
/// unpacked. Positions count bytes of the raw file, from 0: in compressed input, decompressed
/// bytes; in an archive, bytes of the member.
///
/// name is the path in records; for bytes and file objects it is "-" by default. Its extension
/// helps to detect the format, e.g. `.md`. An error in the file raises ScanError at that point, and
/// iteration can continue. With errors="collect", errors are only added to the iterator's attribute
/// errors. The other options are those of Scanner. A file that can't be opened raises an OSError, and
/// a wrong argument a TypeError or ValueError that names it.
#[pyfunction]
#[pyo3(
    signature = (source, /, *, name = None, errors = "raise", **options),
    text_signature = "(source, /, *, name=None, errors='raise', profile='web', input='auto', headers='urls', **options)"
)]
pub(crate) fn scan(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    name: Option<&Bound<'_, PyAny>>,
    errors: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Records> {
    Scanner::for_one_call(py, "scan", Scope::Files, options)?.get().scan(source, name, errors)
}
