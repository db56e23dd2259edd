//! Which cells of a column have a value.

use arrow_buffer::{NullBuffer, NullBufferBuilder};

/// Notes the cells without a value; all others have one. So a cell that has one costs nothing.
#[derive(Debug)]
pub(crate) struct Validity {
    noted: NullBufferBuilder,
    nulls: usize,
}

impl Default for Validity {
    fn default() -> Self {
        Self { noted: NullBufferBuilder::new(0), nulls: 0 }
    }
}

impl Validity {
    /// Records that the values after `before` cells are null, for `count` cells.
    pub(crate) fn push_nulls(&mut self, before: usize, count: usize) {
        self.noted.append_n_non_nulls(before - self.noted.len());
        self.noted.append_n_nulls(count);
        self.nulls += count;
    }

    /// True if none of `len` cells has a value.
    pub(crate) fn has_none(&self, len: usize) -> bool {
        len > 0 && self.nulls == len
    }

    /// Returns the null buffer for `len` cells, and starts a new one.
    pub(crate) fn finish(&mut self, len: usize) -> Option<NullBuffer> {
        self.noted.append_n_non_nulls(len - self.noted.len());
        self.nulls = 0;
        self.noted.finish()
    }
}
