//! Builds the columns of an Arrow record batch.

use crate::number_builder::NumberBuilder;
use crate::schema::{list_item_field, struct_field_type, struct_fields};
use crate::text_builder::TextBuilder;
use arrow_array::builder::BooleanBuilder;
use arrow_array::types::{Int64Type, TimestampMicrosecondType};
use arrow_array::{ArrayRef, ListArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType};
use std::mem;
use std::sync::Arc;
use urlsift_records::fields::Field;
use urlsift_records::table::Type;

/// A builder for a column, with one variant for each type of column.
#[derive(Debug)]
pub(crate) enum ColumnBuilder {
    Utf8(TextBuilder),
    Int64(NumberBuilder),
    Boolean(BooleanBuilder),
    Timestamp(NumberBuilder),
    Texts(TextListBuilder),
    Structures(StructListBuilder),
    Binary(TextBuilder),
}

impl ColumnBuilder {
    /// Creates an empty builder for a column of the type `kind`.
    pub(crate) fn new(kind: Type) -> Self {
        match kind {
            Type::Utf8 => Self::Utf8(TextBuilder::default()),
            Type::Int64(_) => Self::Int64(NumberBuilder::default()),
            Type::Boolean => Self::Boolean(BooleanBuilder::new()),
            Type::Timestamp => Self::Timestamp(NumberBuilder::default()),
            Type::Texts => Self::Texts(TextListBuilder::default()),
            Type::Structures(fields) => Self::Structures(StructListBuilder::new(fields)),
            Type::Binary => Self::Binary(TextBuilder::default()),
        }
    }

    /// Adds an empty value for each of the next `rows` rows: null, or an empty list in a column of
    /// lists.
    #[cold]
    pub(crate) fn push_empty_cells(&mut self, rows: usize) {
        match self {
            Self::Utf8(cells) | Self::Binary(cells) => cells.push_nulls(rows),
            Self::Int64(cells) | Self::Timestamp(cells) => cells.push_nulls(rows),
            Self::Boolean(cells) => cells.append_nulls(rows),
            Self::Texts(cells) => cells.lists.push_ends(rows, cells.items.len()),
            Self::Structures(cells) => cells.lists.push_ends(rows, cells.begun),
        }
    }

    /// Adds a cell with a text. The column must be a column of texts or bytes.
    #[inline]
    pub(crate) fn push_text(&mut self, text: &[u8]) {
        match self {
            Self::Utf8(cells) | Self::Binary(cells) => cells.push(text),
            _ => debug_assert!(false, "no text goes into {self:?}"),
        }
    }

    /// Returns the column, and starts a new one with the same capacity. Texts that are not UTF-8
    /// are converted lossily.
    ///
    /// # Errors
    ///
    /// Fails if the column's texts total more than 2 GiB.
    pub(crate) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Utf8(cells) => Arc::new(cells.finish()?),
            Self::Int64(cells) => Arc::new(cells.finish::<Int64Type>()?),
            Self::Boolean(cells) => Arc::new(cells.finish()),
            Self::Timestamp(cells) => {
                let times = cells.finish::<TimestampMicrosecondType>()?;
                Arc::new(times.with_timezone("UTC"))
            }
            Self::Texts(cells) => Arc::new(cells.finish()?),
            Self::Structures(cells) => Arc::new(cells.finish()?),
            Self::Binary(cells) => Arc::new(cells.finish_binary()?),
        })
    }
}

/// The ends of the lists in a list column, as offsets in the column of their items.
#[derive(Debug)]
struct ListOffsets {
    /// An initial 0, then the end of each list.
    ends: Vec<i32>,
}

impl Default for ListOffsets {
    fn default() -> Self {
        Self { ends: vec![0] }
    }
}

impl ListOffsets {
    /// Adds the lists of the next `rows` rows. All of them but the first are empty. `items` is the
    /// number of items in the column so far, including those of the first of these lists.
    #[inline]
    fn push_ends(&mut self, rows: usize, items: usize) {
        let end = i32::try_from(items).unwrap_or(i32::MAX);
        if rows == 1 {
            self.ends.push(end);
        } else {
            self.ends.resize(self.ends.len() + rows, end);
        }
    }

    /// Returns the offsets, and starts again with no lists and the same capacity.
    fn finish(&mut self) -> OffsetBuffer<i32> {
        let mut next = Vec::with_capacity(self.ends.len());
        next.push(0);
        OffsetBuffer::new(mem::replace(&mut self.ends, next).into())
    }
}

/// A builder for a column of lists of texts.
#[derive(Debug, Default)]
pub(crate) struct TextListBuilder {
    items: TextBuilder,
    lists: ListOffsets,
}

impl TextListBuilder {
    /// Adds a row whose list contains `texts`.
    pub(crate) fn push_list<T: AsRef<[u8]>>(&mut self, texts: impl Iterator<Item = T>) {
        for text in texts {
            self.items.push(text.as_ref());
        }
        self.lists.push_ends(1, self.items.len());
    }

    fn finish(&mut self) -> Result<ListArray, ArrowError> {
        let items = Arc::new(self.items.finish()?);
        ListArray::try_new(list_item_field(DataType::Utf8), self.lists.finish(), items, None)
    }
}

/// A builder for a column of lists of structures. For each structure in a row, call
/// [`begin_struct`](Self::begin_struct) and then a method for each field. After the last structure
/// of the row, call [`end_list`](Self::end_list).
#[derive(Debug)]
pub(crate) struct StructListBuilder {
    /// The fields of each structure.
    fields: &'static [Field],
    /// A column for each field, with the values of all structures.
    values: Vec<ColumnBuilder>,
    lists: ListOffsets,
    /// The number of structures begun so far.
    begun: usize,
}

impl StructListBuilder {
    fn new(fields: &'static [Field]) -> Self {
        let values =
            fields.iter().map(|field| ColumnBuilder::new(struct_field_type(field))).collect();
        Self { fields, values, lists: ListOffsets::default(), begun: 0 }
    }

    /// Begins the next structure in the current row's list.
    pub(crate) fn begin_struct(&mut self) {
        self.begun += 1;
    }

    /// Sets the field called `name` of the current structure to a text, or to null for `None`.
    pub(crate) fn set_text(&mut self, name: &str, text: Option<&str>) {
        match (self.field_builder(name), text) {
            (Some(ColumnBuilder::Utf8(cells)), Some(text)) => cells.push(text.as_bytes()),
            (Some(ColumnBuilder::Utf8(cells)), None) => cells.push_nulls(1),
            _ => debug_assert!(false, "{name}"),
        }
    }

    /// Sets the field called `name` of the current structure to a number.
    pub(crate) fn set_number(&mut self, name: &str, number: u64) {
        match self.field_builder(name) {
            Some(ColumnBuilder::Int64(cells)) => cells.push(number.cast_signed()),
            _ => debug_assert!(false, "{name}"),
        }
    }

    /// Returns the builder for the values of the field called `name`, or `None` if there is no such
    /// field.
    fn field_builder(&mut self, name: &str) -> Option<&mut ColumnBuilder> {
        let at = self.fields.iter().position(|field| field.name == name)?;
        self.values.get_mut(at)
    }

    /// Ends the list of the current row. Structures that are begun after this are in the next row.
    #[inline]
    pub(crate) fn end_list(&mut self) {
        self.lists.push_ends(1, self.begun);
    }

    fn finish(&mut self) -> Result<ListArray, ArrowError> {
        let fields = struct_fields(self.fields);
        let values = self.values.iter_mut().map(ColumnBuilder::finish).collect::<Result<_, _>>()?;
        let values = StructArray::try_new_with_length(fields.clone(), values, None, self.begun)?;
        self.begun = 0;
        let item = list_item_field(DataType::Struct(fields));
        ListArray::try_new(item, self.lists.finish(), Arc::new(values), None)
    }
}
