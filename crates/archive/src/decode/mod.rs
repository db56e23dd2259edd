//! Decoders for transfer encodings, charsets and header fields. Each returns a text, and the map
//! from its offsets to its source.

pub(crate) mod base64;
mod character;
pub(crate) mod charset;
pub(crate) mod content_lines;
pub(crate) mod derived;
pub(crate) mod encoded_word;
pub(crate) mod flowed;
pub(crate) mod guess;
pub(crate) mod iso2022;
pub(crate) mod layer;
pub(crate) mod maps;
pub(crate) mod quoted_printable;
mod utf7;
