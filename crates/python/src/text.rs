//! Texts as Python holds them, read in place.

use crate::arguments::wrong_type;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyMemoryView, PyString};

/// A str or bytes, kept alive and read where it lies.
pub(crate) struct Text {
    held: Held,
    /// Whether its positions are counted in characters that are not all of one byte.
    is_wide: bool,
}

enum Held {
    Str(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl Text {
    /// Takes a str, bytes, or anything with the buffer of bytes, which is copied. A str that is not in UTF-8 yet is
    /// encoded once, and Python keeps that. A lone surrogate is a character that no URL holds: its three bytes are
    /// not valid UTF-8.
    pub(crate) fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(string) = given.cast::<PyString>() {
            let chars = string.len()?;
            let held = match string.extract::<PyBackedStr>() {
                Ok(text) => Held::Str(text),
                Err(_) => Held::Bytes(
                    string.call_method1("encode", ("utf-8", "surrogatepass"))?.extract()?,
                ),
            };
            let is_wide = held.bytes().len() != chars;
            return Ok(Self { held, is_wide });
        }
        let held =
            Held::Bytes(bytes(given).ok_or_else(|| wrong_type(name, "str or bytes", given))?);
        Ok(Self { held, is_wide: false })
    }

    /// Its bytes; of a str, in UTF-8.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.held.bytes()
    }

    /// What counts its positions.
    pub(crate) fn positions(&self) -> Positions {
        Positions::of_text(self.is_wide)
    }
}

impl Held {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Str(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// Bytes where they lie, a copy of what else has their buffer; `None` of anything else.
pub(crate) fn bytes(given: &Bound<'_, PyAny>) -> Option<PyBackedBytes> {
    if let Ok(bytes) = given.cast::<PyBytes>() {
        return Some(bytes.clone().into());
    }
    let view = PyMemoryView::from(given).ok()?;
    view.call_method0("tobytes").ok()?.extract().ok()
}

/// Turns positions in bytes into those that Python counts by.
///
/// Going on from the place asked for last, in either direction: linear in the distance where a str holds more than
/// ASCII, constant elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Positions {
    is_wide: bool,
    byte: usize,
    position: usize,
}

impl Positions {
    /// Those of bytes, which are what they are.
    pub(crate) const fn of_bytes() -> Self {
        Self::of_text(false)
    }

    /// Those of a text, `is_wide` if not all of its characters are of one byte.
    pub(crate) const fn of_text(is_wide: bool) -> Self {
        Self { is_wide, byte: 0, position: 0 }
    }

    /// The position of byte `at` of the text.
    pub(crate) fn at(&mut self, text: &[u8], at: usize) -> usize {
        if !self.is_wide {
            return at;
        }
        if at >= self.byte {
            self.position += bytecount::num_chars(&text[self.byte..at]);
        } else {
            self.position -= bytecount::num_chars(&text[at..self.byte]);
        }
        self.byte = at;
        self.position
    }
}
