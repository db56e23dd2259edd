//! urlsift for Python: a thin layer over scanner, records and lint.
//!
//! What is said of arguments, units and errors for those who write Python stands in the doc comments of what is
//! exported (`help(urlsift)`) and, with types, in `__init__.pyi`. Whatever reads a text lets go of the interpreter's
//! lock while it does.

#![deny(unsafe_code)]

mod arguments;
mod arrow;
mod file_object;
mod find;
mod lint;
mod options;
mod parse;
mod record;
mod report;
mod scan;
mod scanner;
mod text;
mod units;

/// Finds URLs in text, mail and archives of mail, and judges them.
///
/// - `find(text)`: the URLs of a str or bytes, one by one
/// - `scan(source)`: the records of a file: text, mail, or an archive of mail, packed or not
/// - `lint(text)`: what is wrong with the URLs of a text, and what to do
/// - `parse(url)`: one URL in its parts, with all that is wrong with it
/// - `Scanner(...)`: the same options for many texts
///
/// Positions in a str count characters, positions in bytes count bytes, both from 0, as Python's own indices do.
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
        // Beyond that a unit is read piece by piece.
        module.add("_LONG", urlsift_archive::long::LONG)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
