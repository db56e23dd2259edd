//! Recognizes parts of a text: backslashes, terminal escapes, blanks, lines, quote marks, page
//! furniture, letters and host names.

pub(crate) mod backslash;
pub(crate) mod blank;
pub(crate) mod host;
pub(crate) mod iri;
pub(crate) mod line;
pub(crate) mod page;
pub(crate) mod quote;
pub(crate) mod terminal;
