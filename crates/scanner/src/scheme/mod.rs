//! Schemes: which are known, what must follow each, and where one starts at a colon.

pub(crate) mod anchor;
mod known;
pub(crate) mod syntax;

pub(crate) use known::*;
