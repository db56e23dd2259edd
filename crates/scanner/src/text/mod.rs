//! Recognizes parts of a text: backslashes, terminal escapes, blanks, lines, quote marks, page
//! furniture, letters, host names and undecoded quoted-printable.

pub(crate) mod backslash;
pub(crate) mod blank;
pub(crate) mod comment;
pub(crate) mod host;
pub(crate) mod iri;
pub(crate) mod line;
pub(crate) mod page;
pub(crate) mod quote;
pub(crate) mod terminal;
pub(crate) mod undecoded;
