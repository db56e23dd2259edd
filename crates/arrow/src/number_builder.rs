//! Builds a column of numbers.

use crate::validity::Validity;
use arrow_array::{ArrowPrimitiveType, PrimitiveArray};
use arrow_schema::ArrowError;
use std::mem;

/// A builder for a column of numbers. Null cells are stored as 0.
#[derive(Debug, Default)]
pub(crate) struct NumberBuilder {
    numbers: Vec<i64>,
    /// The cells without a value.
    valid: Validity,
}

impl NumberBuilder {
    /// Adds a cell with a number.
    #[inline]
    pub(crate) fn push(&mut self, number: i64) {
        self.numbers.push(number);
    }

    /// Adds `count` null cells.
    pub(crate) fn push_nulls(&mut self, count: usize) {
        self.valid.push_nulls(self.numbers.len(), count);
        self.numbers.resize(self.numbers.len() + count, 0);
    }

    /// Returns the column as an Arrow array, and starts a new one with the same capacity.
    pub(crate) fn finish<T: ArrowPrimitiveType<Native = i64>>(
        &mut self,
    ) -> Result<PrimitiveArray<T>, ArrowError> {
        let valid = self.valid.finish(self.numbers.len());
        let next = Vec::with_capacity(self.numbers.len());
        PrimitiveArray::try_new(mem::replace(&mut self.numbers, next).into(), valid)
    }
}

#[cfg(test)]
mod tests {
    use super::NumberBuilder;
    use arrow_array::Int64Array;

    #[test]
    fn numbers_between_nulls() {
        let mut numbers = NumberBuilder::default();
        for _ in 0..2 {
            numbers.push(1);
            numbers.push_nulls(2);
            numbers.push(2);
            numbers.push(3);
            let column: Int64Array = numbers.finish().unwrap();
            let cells: Vec<_> = column.iter().collect();
            assert_eq!(cells, [Some(1), None, None, Some(2), Some(3)]);
        }
        numbers.push(4);
        let column: Int64Array = numbers.finish().unwrap();
        assert_eq!(column, Int64Array::from(vec![4]));
    }
}
