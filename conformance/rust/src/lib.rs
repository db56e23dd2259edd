#![doc = include_str!("../README.md")]

mod case;
mod judge;
mod suite;

pub use case::{Alternative, Answer, Case, Expected, Optional};
pub use judge::{Found, Mistakes, judge};
pub use suite::{Outcome, Suite};
