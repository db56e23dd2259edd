//! urlsift for JavaScript: a thin layer over scanner, records and lint.
//!
//! What those who write JavaScript see is in `js/`; what is exported here is called by that alone. Texts come in UTF-8,
//! positions go back in UTF-16 code units, as JavaScript counts. Built with feature `find` or `lint`, for a module each.

#![deny(unsafe_code)]

#[cfg(feature = "find")]
mod find;
#[cfg(feature = "lint")]
mod lint;
#[cfg(feature = "find")]
mod parse;
mod setting;
mod units;
