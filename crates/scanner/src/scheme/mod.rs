//! Schemes: which are known, what must follow each, and how to find one before a colon.

pub(crate) mod anchor;
mod known;
mod misspelt;
pub(crate) mod syntax;

pub(crate) use known::*;
pub use misspelt::corrected_scheme;
