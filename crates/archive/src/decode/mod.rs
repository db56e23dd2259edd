//! Decoders: each makes a text and the map back to what it was made from.

pub(crate) mod base64;
pub(crate) mod charset;
pub(crate) mod flowed;
pub(crate) mod iso2022;
pub(crate) mod quoted_printable;
pub(crate) mod utf7;
