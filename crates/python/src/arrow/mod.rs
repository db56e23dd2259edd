//! Tables and columns for the Arrow `PyCapsule` interface, passed without copies.

mod capsule;
mod column;
mod file;
mod table;
mod unit;

pub(crate) use column::{Column, find_column, scan_column};
pub(crate) use file::{Batches, scan_file, scan_file_batches};
pub(crate) use table::{Batch, Table, scan_batch};
pub(crate) use unit::Part;
