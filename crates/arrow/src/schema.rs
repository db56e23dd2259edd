//! The Arrow schema of a table and the Arrow types of its columns.

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use std::collections::HashMap;
use std::sync::Arc;
use urlsift_records::fields::{self, Value};
use urlsift_records::table::{Column, Type, VERSION};

/// Returns the Arrow schema of a table with the given columns.
///
/// All columns are nullable in the schema, as readers expect. [`Column::never_null`] is true for
/// the columns that never contain null.
///
/// ```
/// use urlsift_records::table::URLS;
/// let schema = urlsift_arrow::schema(URLS);
/// assert_eq!(schema.fields().len(), URLS.len());
/// assert!(schema.field_with_name("url")?.is_nullable());
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn schema<'c>(columns: impl IntoIterator<Item = &'c Column>) -> SchemaRef {
    let columns = columns.into_iter();
    let fields: Fields =
        columns.map(|column| Field::new(column.name, arrow_type(column.kind), true)).collect();
    let metadata = HashMap::from([("urlsift.schema".to_owned(), VERSION.to_string())]);
    Arc::new(Schema::new_with_metadata(fields, metadata))
}

/// Returns the Arrow type of a column with values of the type `kind`.
fn arrow_type(kind: Type) -> DataType {
    match kind {
        Type::Utf8 => DataType::Utf8,
        Type::Int64(_) => DataType::Int64,
        Type::Boolean => DataType::Boolean,
        Type::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        Type::Binary => DataType::Binary,
        Type::Texts => DataType::List(list_item_field(DataType::Utf8)),
        Type::Structures(fields) => {
            DataType::List(list_item_field(DataType::Struct(struct_fields(fields))))
        }
    }
}

/// Returns the Arrow field for the items of a list, which have the type `kind`.
pub(crate) fn list_item_field(kind: DataType) -> Arc<Field> {
    Arc::new(Field::new("item", kind, true))
}

/// Returns the Arrow fields of a structure that consists of `fields`.
pub(crate) fn struct_fields(fields: &[fields::Field]) -> Fields {
    let fields = fields.iter();
    fields.map(|field| Field::new(field.name, arrow_type(struct_field_type(field)), true)).collect()
}

/// Returns the column type for a field of a structure: an integer or a text.
pub(crate) fn struct_field_type(field: &fields::Field) -> Type {
    match field.value {
        Value::Integer(unit) => Type::Int64(unit),
        _ => Type::Utf8,
    }
}
