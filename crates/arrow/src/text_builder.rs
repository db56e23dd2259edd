//! Builds a column of texts or bytes.

use crate::validity::Validity;
use arrow_array::{BinaryArray, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::ArrowError;
use std::mem;

/// A builder for a column of texts or bytes. Adding a text only copies its bytes. All texts are
/// validated together when the column is finished, because nearly all of them are UTF-8.
#[derive(Debug)]
pub(crate) struct TextBuilder {
    /// The bytes of all texts.
    bytes: Vec<u8>,
    /// An initial 0, then the end of each text in `bytes`.
    ends: Vec<i32>,
    /// The cells without a value.
    valid: Validity,
}

impl Default for TextBuilder {
    fn default() -> Self {
        Self { bytes: Vec::new(), ends: vec![0], valid: Validity::default() }
    }
}

impl TextBuilder {
    /// Returns the number of cells, including null ones.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// Adds a cell with a text.
    #[inline]
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.end_offset());
    }

    /// Adds `count` null cells.
    pub(crate) fn push_nulls(&mut self, count: usize) {
        self.valid.push_nulls(self.len(), count);
        self.ends.resize(self.ends.len() + count, self.end_offset());
    }

    /// Returns the offset at which the last text ends. If it exceeds [`i32::MAX`], returns
    /// [`i32::MAX`], and [`TextBuilder::take_parts`] fails later.
    #[inline]
    fn end_offset(&self) -> i32 {
        i32::try_from(self.bytes.len()).unwrap_or(i32::MAX)
    }

    /// Returns the column as a string array, and starts a new one. Texts that are not UTF-8 are
    /// converted lossily.
    pub(crate) fn finish(&mut self) -> Result<StringArray, ArrowError> {
        if self.bytes.is_empty() && self.valid.are_all_null(self.len()) {
            // Many columns are empty, and empty texts need no validation.
            let rows = self.len();
            *self = Self::default();
            return Ok(StringArray::new_null(rows));
        }
        let (ends, bytes, valid) = self.take_parts()?;
        StringArray::try_new(ends.clone(), bytes.clone(), valid.clone()).or_else(|_| {
            let texts = BinaryArray::try_new(ends, bytes, valid)?;
            Ok(texts.iter().map(|text| text.map(String::from_utf8_lossy)).collect())
        })
    }

    /// Returns the column as a binary array, and starts a new one.
    pub(crate) fn finish_binary(&mut self) -> Result<BinaryArray, ArrowError> {
        let (ends, bytes, valid) = self.take_parts()?;
        BinaryArray::try_new(ends, bytes, valid)
    }

    /// Returns the offsets, the bytes and the null buffer of the column, and starts a new one with
    /// the same capacity. Fails if the texts total more than 2 GiB.
    fn take_parts(
        &mut self,
    ) -> Result<(OffsetBuffer<i32>, Buffer, Option<NullBuffer>), ArrowError> {
        let valid = self.valid.finish(self.len());
        let mut ends = Vec::with_capacity(self.ends.len());
        ends.push(0);
        let ends = mem::replace(&mut self.ends, ends);
        let bytes = Vec::with_capacity(self.bytes.len());
        let bytes = mem::replace(&mut self.bytes, bytes);
        if i32::try_from(bytes.len()).is_err() {
            return Err(ArrowError::OffsetOverflowError(bytes.len()));
        }
        Ok((OffsetBuffer::new(ends.into()), Buffer::from_vec(bytes), valid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_not_utf8_are_lossy_one_by_one() {
        let mut texts = TextBuilder::default();
        // Together, the second and the third text are UTF-8.
        for text in [&b"a"[..], b"\xC3", b"\xA4", "\u{e4}".as_bytes()] {
            texts.push(text);
        }
        texts.push_nulls(2);
        texts.push(b"");
        let column = texts.finish().unwrap();
        let cells: Vec<_> = column.iter().collect();
        let [lost, last] = [Some("\u{fffd}"), Some("\u{e4}")];
        assert_eq!(cells, [Some("a"), lost, lost, last, None, None, Some("")]);
        assert_eq!(texts.len(), 0);
        texts.push(b"b");
        assert_eq!(texts.finish().unwrap().value(0), "b");
    }
}
