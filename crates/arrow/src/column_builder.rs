//! The columns of a batch in the making.

use crate::schema::{item, structure, type_within};
use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, BooleanBuilder, Int64Builder, ListBuilder, StringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer};
use arrow_schema::DataType;
use chrono::DateTime;
use std::mem;
use std::sync::Arc;
use urlsift_records::fields::Field;
use urlsift_records::table::Type;

/// A column in the making.
#[derive(Debug)]
pub(crate) enum ColumnBuilder {
    Utf8(StringBuilder),
    Int64(Int64Builder),
    Boolean(BooleanBuilder),
    Timestamp(TimestampMicrosecondBuilder),
    Texts(ListBuilder<StringBuilder>),
    Structures(Structures),
    Binary(BinaryBuilder),
}

impl ColumnBuilder {
    pub(crate) fn new(kind: Type) -> Self {
        match kind {
            Type::Utf8 => Self::Utf8(StringBuilder::new()),
            Type::Int64(_) => Self::Int64(Int64Builder::new()),
            Type::Boolean => Self::Boolean(BooleanBuilder::new()),
            Type::Timestamp => {
                Self::Timestamp(TimestampMicrosecondBuilder::new().with_timezone("UTC"))
            }
            Type::Texts => Self::Texts(ListBuilder::new(StringBuilder::new())),
            Type::Structures(fields) => Self::Structures(Structures::new(fields)),
            Type::Binary => Self::Binary(BinaryBuilder::new()),
        }
    }

    /// How many cells there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Utf8(cells) => cells.len(),
            Self::Int64(cells) => cells.len(),
            Self::Boolean(cells) => cells.len(),
            Self::Timestamp(cells) => cells.len(),
            Self::Texts(cells) => cells.len(),
            Self::Structures(cells) => cells.ends.len() - 1,
            Self::Binary(cells) => cells.len(),
        }
    }

    /// Adds what so many rows have that have nothing there.
    #[inline]
    pub(crate) fn push_nothing(&mut self, rows: usize) {
        if rows > 0 {
            self.push_some_nothing(rows);
        }
    }

    fn push_some_nothing(&mut self, rows: usize) {
        match self {
            Self::Utf8(cells) => cells.append_nulls(rows),
            Self::Int64(cells) => cells.append_nulls(rows),
            Self::Boolean(cells) => cells.append_nulls(rows),
            Self::Timestamp(cells) => cells.append_nulls(rows),
            Self::Texts(cells) => (0..rows).for_each(|_| cells.append(true)),
            Self::Structures(cells) => (0..rows).for_each(|_| cells.end_list()),
            Self::Binary(cells) => cells.append_nulls(rows),
        }
    }

    /// Adds a text that is UTF-8.
    pub(crate) fn push_str(&mut self, text: &str) {
        match self {
            Self::Utf8(cells) => cells.append_value(text),
            _ => self.push_text(text.as_bytes()),
        }
    }

    /// Adds a text, lossily where it is not UTF-8, or the time that it names. A cell of another type is left as it is.
    pub(crate) fn push_text(&mut self, text: &[u8]) {
        match self {
            Self::Utf8(cells) => match str::from_utf8(text) {
                Ok(text) => cells.append_value(text),
                Err(_) => cells.append_value(String::from_utf8_lossy(text)),
            },
            Self::Timestamp(cells) => {
                let time = str::from_utf8(text).ok().map(DateTime::parse_from_rfc3339);
                cells.append_option(time.and_then(|time| Some(time.ok()?.timestamp_micros())));
            }
            Self::Binary(cells) => cells.append_value(text),
            _ => {}
        }
    }

    /// The column; the next one is taken to grow as large.
    pub(crate) fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Utf8(cells) => {
                let next = StringBuilder::with_capacity(cells.len(), cells.values_slice().len());
                Arc::new(mem::replace(cells, next).finish())
            }
            Self::Int64(cells) => {
                let next = Int64Builder::with_capacity(cells.len());
                Arc::new(mem::replace(cells, next).finish())
            }
            Self::Boolean(cells) => Arc::new(cells.finish()),
            Self::Timestamp(cells) => Arc::new(cells.finish()),
            Self::Texts(cells) => Arc::new(cells.finish()),
            Self::Structures(cells) => Arc::new(cells.finish()),
            Self::Binary(cells) => Arc::new(cells.finish()),
        }
    }
}

/// A column of lists of structures in the making.
#[derive(Debug)]
pub(crate) struct Structures {
    fields: &'static [Field],
    /// What each field holds, of all structures.
    values: Vec<ColumnBuilder>,
    /// Where the list of each row ends, behind a 0.
    ends: Vec<i32>,
    /// How many structures were begun.
    begun: i32,
}

impl Structures {
    fn new(fields: &'static [Field]) -> Self {
        let values = fields.iter().map(|field| ColumnBuilder::new(type_within(field))).collect();
        Self { fields, values, ends: vec![0], begun: 0 }
    }

    /// Begins a structure.
    pub(crate) fn begin(&mut self) {
        self.begun += 1;
    }

    /// Adds a value of the structure that was begun.
    pub(crate) fn text(&mut self, name: &str, text: Option<&str>) {
        match self.cells(name) {
            Some(ColumnBuilder::Utf8(cells)) => cells.append_option(text),
            _ => debug_assert!(false, "{name}"),
        }
    }

    /// Adds a value of the structure that was begun.
    pub(crate) fn number(&mut self, name: &str, number: u64) {
        match self.cells(name) {
            Some(ColumnBuilder::Int64(cells)) => cells.append_value(number.cast_signed()),
            _ => debug_assert!(false, "{name}"),
        }
    }

    fn cells(&mut self, name: &str) -> Option<&mut ColumnBuilder> {
        let at = self.fields.iter().position(|field| field.name == name)?;
        self.values.get_mut(at)
    }

    /// Ends the list of a row.
    pub(crate) fn end_list(&mut self) {
        self.ends.push(self.begun);
    }

    fn finish(&mut self) -> ListArray {
        let fields = structure(self.fields);
        let len = usize::try_from(self.begun).unwrap_or_default();
        let mut valid = NullBufferBuilder::new(len);
        valid.append_n_non_nulls(len);
        let values = self.values.iter_mut().map(ColumnBuilder::finish).collect();
        let values = StructArray::new(fields.clone(), values, valid.finish());
        let ends = mem::replace(&mut self.ends, vec![0]);
        self.begun = 0;
        let offsets = OffsetBuffer::new(ends.into());
        ListArray::new(item(DataType::Struct(fields)), offsets, Arc::new(values), None)
    }
}
