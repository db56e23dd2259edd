//! Writes records in the output formats: JSON Lines, CSV, TSV and CDX.

pub mod cdx;
#[cfg(feature = "serde")]
mod deserialize;
mod fields;
pub mod json;
mod json_lines;
pub mod rows;
#[cfg(feature = "serde")]
mod serde;
#[cfg(test)]
mod tests;
pub mod visible;

pub use self::fields::{CellWriter, FieldWriter};
pub use self::json_lines::JsonLines;
