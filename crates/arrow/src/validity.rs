//! Records which cells of a column are null.

use arrow_buffer::{NullBuffer, NullBufferBuilder};

/// The null cells of a column that is being built. Cells with a value need no call, so they cost
/// nothing.
#[derive(Debug)]
pub(crate) struct Validity {
    /// The cells up to the last null.
    noted: NullBufferBuilder,
    /// The number of null cells.
    nulls: usize,
}

impl Default for Validity {
    fn default() -> Self {
        Self { noted: NullBufferBuilder::new(0), nulls: 0 }
    }
}

impl Validity {
    /// Records that the `count` cells after the first `before` cells are null.
    pub(crate) fn push_nulls(&mut self, before: usize, count: usize) {
        self.noted.append_n_non_nulls(before - self.noted.len());
        self.noted.append_n_nulls(count);
        self.nulls += count;
    }

    /// True if all of the column's `len` cells are null. False if `len` is 0.
    pub(crate) fn are_all_null(&self, len: usize) -> bool {
        len > 0 && self.nulls == len
    }

    /// Returns the null buffer of a column of `len` cells (`None` if no cell is null), and starts a
    /// new one.
    pub(crate) fn finish(&mut self, len: usize) -> Option<NullBuffer> {
        self.noted.append_n_non_nulls(len - self.noted.len());
        self.nulls = 0;
        self.noted.finish()
    }
}
