//! The JavaScript interface of urlsift: a thin layer over the crates scanner, records and lint.
//!
//! The public JavaScript interface is in `js/`, the only caller of the functions here. Texts are
//! passed as UTF-8, and positions are returned in UTF-16 code units, as JavaScript counts. The
//! features `find` and `lint` each build a separate module.

#![deny(unsafe_code)]

#[cfg(feature = "find")]
mod find;
#[cfg(feature = "lint")]
mod lint;
#[cfg(feature = "find")]
mod parse;
mod setting;
mod units;
