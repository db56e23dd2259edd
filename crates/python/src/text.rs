//! Accesses Python texts without copying, and converts positions.

use crate::arguments::wrong_type;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyMemoryView, PyString};

/// A str or bytes object, kept alive and read in place.
pub(crate) struct Text {
    content: Content,
    /// True if positions count characters and not all characters are a single byte.
    is_wide: bool,
}

enum Content {
    Str(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl Text {
    /// Converts `given`, the value of the argument called `name`: a str, bytes, or any other object
    /// with the buffer protocol, which is copied. A str that is not yet stored as UTF-8 is encoded
    /// once, and Python caches the result. A lone surrogate becomes three bytes that are not valid
    /// UTF-8, so no URL contains it.
    pub(crate) fn from_object(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(string) = given.cast::<PyString>() {
            let chars = string.len()?;
            let content = match string.extract::<PyBackedStr>() {
                Ok(text) => Content::Str(text),
                Err(_) => Content::Bytes(
                    string.call_method1("encode", ("utf-8", "surrogatepass"))?.extract()?,
                ),
            };
            let is_wide = content.bytes().len() != chars;
            return Ok(Self { content, is_wide });
        }
        let content = Content::Bytes(
            bytes_of_buffer(given).ok_or_else(|| wrong_type(name, "str or bytes", given))?,
        );
        Ok(Self { content, is_wide: false })
    }

    /// Returns the bytes of the text, which are UTF-8 for a str.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.content.bytes()
    }

    /// Returns a converter from byte offsets in this text to positions.
    pub(crate) fn position_converter(&self) -> Positions {
        Positions::for_text(self.is_wide)
    }
}

impl Content {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Str(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// Returns the content of `given`. A bytes object is used without a copy, and any other object with
/// the buffer protocol is copied. Returns `None` for all other objects.
pub(crate) fn bytes_of_buffer(given: &Bound<'_, PyAny>) -> Option<PyBackedBytes> {
    if let Ok(bytes) = given.cast::<PyBytes>() {
        return Some(bytes.clone().into());
    }
    let view = PyMemoryView::from(given).ok()?;
    view.call_method0("tobytes").ok()?.extract().ok()
}

/// A converter from byte offsets to the positions that Python uses: characters in a str, bytes in
/// bytes.
///
/// Continues from the offset of the last call, in either direction. Takes time linear in the
/// distance if a str contains non-ASCII characters, else constant time.
#[derive(Clone, Debug)]
pub(crate) struct Positions {
    is_wide: bool,
    byte: usize,
    position: usize,
}

impl Positions {
    /// Returns a converter for bytes, which returns all offsets unchanged.
    pub(crate) const fn for_bytes() -> Self {
        Self::for_text(false)
    }

    /// Returns a converter for a str in UTF-8. `is_wide` is true if some of its characters have
    /// more than one byte.
    pub(crate) const fn for_text(is_wide: bool) -> Self {
        Self { is_wide, byte: 0, position: 0 }
    }

    /// Converts the byte offset `at` of `text` to a position.
    pub(crate) fn position_of(&mut self, text: &[u8], at: usize) -> usize {
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
