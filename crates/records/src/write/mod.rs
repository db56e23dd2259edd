//! From records to bytes.

mod fields;
pub mod json;
pub mod rows;
#[cfg(test)]
mod tests;
pub mod visible;

pub use fields::Fields;
