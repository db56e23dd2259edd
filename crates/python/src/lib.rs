//! The Python interface of urlsift: a thin layer over the crates scanner, records and lint.
//!
//! The doc comments of the exported items are the docstrings that `help(urlsift)` shows. They
//! document arguments, units and errors; the types are in `__init__.pyi`. Functions release the
//! interpreter's lock while they scan a text.

#![deny(unsafe_code)]

mod arguments;
mod arrow;
mod file_object;
mod find;
mod lint;
mod options;
mod parse;
mod pickle;
mod record;
mod report;
mod scan;
mod scanner;
mod text;
mod units;

/// Finds and validates URLs in text, mail and mail archives.
///
/// - `find(text)`: finds the URLs of a str or bytes, lazily
/// - `scan(source)`: scans a file: text, mail or a mail archive, compressed or not
/// - `lint(text)`: reports faulty URLs in a text, with fixes
/// - `parse(url)`: splits one URL into components and reports every violation
/// - `Scanner(...)`: keeps the options for many texts
///
/// Positions count characters in a str and bytes in bytes, from 0, like Python's own indices.
#[pyo3::pymodule(gil_used = false, name = "_urlsift")]
mod urlsift {
    #[pymodule_export]
    use crate::arrow::{Batch, Column, Table};
    #[pymodule_export]
    use crate::find::{Match, Matches};
    #[pymodule_export]
    use crate::lint::{Diagnostic, Edit, Fix, lint};
    #[pymodule_export]
    use crate::parse::{Parsed, parse};
    #[pymodule_export]
    use crate::record::{Join, Message, Page, Record};
    #[pymodule_export]
    use crate::report::Report;
    #[pymodule_export]
    use crate::scan::{Records, ScanError, panic};
    #[pymodule_export]
    use crate::scanner::{Scanner, find, scan};
    #[pymodule_export]
    use crate::units::cut_units;

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods;
        crate::record::add_attributes(module.py())?;
        // Longer units are read in pieces.
        module.add("_LONG", urlsift_archive::long::MAX_WHOLE_LEN)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
