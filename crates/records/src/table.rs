//! The columns of tables: one flat row per URL, message or file, with types that never depend on
//! the data.
//!
//! CSV, TSV, Parquet and other tables contain these columns. The type, unit and description of most
//! columns come from a [field](crate::fields) of records. New columns are added at the end, and
//! columns are never renamed.

use crate::fields::{FILE_OFFSET, Field, Value, join, message, page, report, summary, url};

/// The definition of a column of a table: its name, type and meaning.
///
/// ```
/// use urlsift_records::table::URLS;
/// let start = URLS.iter().find(|column| column.name == "start").unwrap();
/// assert!(start.doc.starts_with(char::is_uppercase));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Column {
    /// The name in the header line.
    pub name: &'static str,
    /// The type of its cells.
    pub kind: Type,
    /// True if cells are never null. A list can still be empty.
    pub never_null: bool,
    /// A sentence that describes the column, for the reference page.
    pub doc: &'static str,
}

/// The type of the cells of a column.
///
/// ```
/// use urlsift_records::table::{Type, URLS};
/// let start = URLS.iter().find(|column| column.name == "start").unwrap();
/// assert!(matches!(start.kind, Type::Int64(unit) if unit.starts_with("bytes")));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// A text in UTF-8.
    Utf8,
    /// A signed 64-bit integer. The string is its unit.
    Int64(&'static str),
    /// A boolean, `true` or `false`.
    Boolean,
    /// A time in UTC with microseconds. In CSV, it is written as in RFC 3339.
    Timestamp,
    /// A list of texts, separated by spaces in CSV.
    Texts,
    /// A list of structures with these fields.
    Structures(&'static [Field]),
    /// Arbitrary bytes. In CSV, they are written in base64.
    Binary,
}

/// Returns the column for a field of records. Panics if there is no column for it.
const fn column_of_field(field: &Field) -> Column {
    let (Some(name), doc) = (field.column, field.doc) else { panic!("a field without a column") };
    let kind = match field.value {
        Value::Text | Value::Utf8 | Value::Name(_) => Type::Utf8,
        Value::Integer(unit) => Type::Int64(unit),
        Value::Boolean => Type::Boolean,
        Value::Texts | Value::Names(_) => Type::Texts,
        Value::Object(fields) | Value::Objects(fields) => Type::Structures(fields),
        Value::Parts => panic!("no column has such a type"),
    };
    let never_null = matches!(kind, Type::Texts | Type::Structures(_));
    Column { name, kind, never_null, doc }
}

/// Creates a column for a value that is not a field of records. The column can be null.
const fn column_without_field(name: &'static str, kind: Type, doc: &'static str) -> Column {
    Column { name, kind, never_null: false, doc }
}

/// The fields that tables contain of each violation or finding.
static REPORT: &[Field] = &[report::CODE, report::LEVEL, report::START, report::END];

/// The fields of each join that tables contain.
static JOIN: &[Field] = &[join::START, join::END, join::KIND, join::GRADE];

/// The definition of a table that a scan writes: its name and its columns.
///
/// ```
/// use urlsift_records::table;
/// let names: Vec<_> = table::ALL.iter().map(|table| table.name).collect();
/// assert_eq!(names, ["urls", "messages", "files"]);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Table {
    /// The name of the table.
    pub name: &'static str,
    /// A description of the rows.
    pub doc: &'static str,
    /// The columns in order.
    pub columns: &'static [Column],
}

/// The version of the tables. It is increased if the meaning of a column changes.
pub const VERSION: u32 = 1;

/// All tables.
pub static ALL: &[Table] = &[
    Table {
        name: "urls",
        doc: "The table `urls` has one row per URL, in the order of the input. In Parquet, it also has a row \
            without `url` for each error. A missing value is an empty list or null. In CSV and TSV, null is an \
            empty cell, and the items of lists are separated by spaces. With `--unique=count`, CSV and TSV have a \
            last column `count`.",
        columns: URLS,
    },
    Table {
        name: "messages",
        doc: "The table `messages` has one row per message, including messages without URLs. Messages that filters \
            exclude are left out. Only Parquet has this table.",
        columns: MESSAGES,
    },
    Table {
        name: "files",
        doc: "The table `files` has one row per file or archive member, with its counts. An archive comes after \
            its members. Only Parquet has this table.",
        columns: FILES,
    },
];

/// The column with the bytes of a path, which several tables contain.
const PATH_BYTES: Column =
    column_without_field("path_bytes", Type::Binary, "The bytes of `path`, if they are not UTF-8.");

/// The columns of the table of messages, in order.
pub static MESSAGES: &[Column] = &[
    column_of_field(&message::ID),
    Column { kind: Type::Timestamp, ..column_of_field(&message::DATE) },
    column_of_field(&message::DATE_SOURCE),
    column_of_field(&message::DATE_RAW),
    column_of_field(&message::FROM_DOMAIN),
    column_of_field(&message::FROM_HASH),
    column_of_field(&message::FROM),
    column_of_field(&message::SUBJECT),
    column_of_field(&message::NEWSGROUPS),
    column_of_field(&message::LIST),
    column_of_field(&message::IN_REPLY_TO),
    Column { never_null: true, ..column_of_field(&url::PATH) },
    column_of_field(&url::MEMBER),
    Column { never_null: true, ..column_of_field(&message::START) },
    Column { never_null: true, ..column_of_field(&message::END) },
    column_without_field(
        "duplicate_of",
        Type::Utf8,
        "With `--dedupe`, for a copy of an earlier message with this Message-ID: the file of that message, a colon and its offset.",
    ),
    Column {
        never_null: true,
        ..column_without_field(
            "urls",
            Type::Int64("URLs"),
            "URLs that were found in the message, before `--unique` and `--dedupe`. URLs in nested messages count there.",
        )
    },
    column_without_field(
        "part",
        Type::Utf8,
        "For a message nested in another one, the number of the part that contains it. Null for other messages, which the summary counts.",
    ),
    PATH_BYTES,
];

/// The columns of the table of files, in order.
pub static FILES: &[Column] = &[
    Column { never_null: true, ..column_of_field(&url::PATH) },
    column_of_field(&url::MEMBER),
    Column {
        never_null: true,
        ..column_without_field(
            "start",
            Type::Int64(FILE_OFFSET),
            "The start of the bytes that were scanned.",
        )
    },
    Column {
        never_null: true,
        ..column_without_field("end", Type::Int64(FILE_OFFSET), "The end, one past the last byte.")
    },
    count_column(&summary::BYTES),
    count_column(&summary::MESSAGES),
    count_column(&summary::URLS),
    count_column(&summary::MALFORMED),
    count_column(&summary::ERRORS),
    count_column(&summary::TRUNCATED),
    column_without_field("error", Type::Utf8, "The error message; of several errors, the last."),
    PATH_BYTES,
];

/// Returns the column of the table of files for a count that the summary contains for all files
/// together.
const fn count_column(field: &Field) -> Column {
    let Value::Integer(unit) = field.value else { panic!("a field that is no number") };
    Column { name: field.name, kind: Type::Int64(unit), never_null: true, doc: field.doc }
}

/// The columns of the table of URLs, in order.
pub static URLS: &[Column] = &[
    Column { never_null: true, ..column_of_field(&url::PATH) },
    column_of_field(&url::MEMBER),
    column_of_field(&url::URL),
    column_of_field(&url::START),
    column_of_field(&url::END),
    column_of_field(&url::LINE),
    column_of_field(&url::COLUMN),
    column_of_field(&url::FORM),
    column_of_field(&url::SCHEME),
    column_of_field(&url::HOST),
    column_of_field(&url::FRAGMENT),
    column_of_field(&url::PROFILE),
    column_of_field(&url::VALID),
    Column { kind: Type::Structures(REPORT), ..column_of_field(&url::VIOLATIONS) },
    Column { kind: Type::Structures(REPORT), ..column_of_field(&url::FINDINGS) },
    Column { kind: Type::Structures(JOIN), ..column_of_field(&url::JOINS) },
    column_of_field(&url::READINGS),
    column_of_field(&url::QUOTE_DEPTH),
    column_of_field(&message::ID),
    Column { kind: Type::Timestamp, ..column_of_field(&message::DATE) },
    column_of_field(&message::NEWSGROUPS),
    column_of_field(&message::LIST),
    column_of_field(&url::NORMALIZED),
    column_of_field(&url::DOMAIN),
    column_of_field(&url::TLD),
    column_of_field(&url::PORT),
    column_of_field(&url::TARGET),
    column_of_field(&url::PLACE),
    column_of_field(&url::HEADER_NAME),
    column_of_field(&message::DATE_RAW),
    column_of_field(&message::DATE_SOURCE),
    column_of_field(&message::PART),
    column_of_field(&message::START),
    column_of_field(&message::END),
    column_of_field(&message::FROM_DOMAIN),
    column_of_field(&message::FROM_HASH),
    column_of_field(&page::URI),
    column_of_field(&url::DECODED),
    column_of_field(&url::HTML),
    column_of_field(&url::APPROXIMATE),
    column_of_field(&url::TRUNCATED),
    PATH_BYTES,
    column_without_field("url_bytes", Type::Binary, "The bytes of `url`, if they are not UTF-8."),
    column_without_field(
        "error",
        Type::Utf8,
        "The error message, in a row without `url`. CSV and TSV have no such rows.",
    ),
    Column { kind: Type::Timestamp, ..column_of_field(&page::DATE) },
    column_of_field(&page::ID),
    column_of_field(&url::RESOLVED),
];

/// A selection of the columns of [`URLS`], in the order in which the output contains them.
///
/// ```
/// use urlsift_records::table::Columns;
/// let columns = Columns::by_names(&["url", "path"]).unwrap();
/// assert!(columns.iter().map(|column| column.name).eq(["url", "path"]));
/// assert!(columns.indices().eq([2, 0]));
/// assert_eq!(Columns::by_names(&["url", "nothing"]), Err("nothing"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The indices of the columns in [`URLS`]. Only the first `len` elements are used.
    list: [u8; URLS.len()],
    /// The number of selected columns.
    len: u8,
}

impl Default for Columns {
    /// Returns the selection of all columns.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 256")]
    fn default() -> Self {
        Self { list: std::array::from_fn(|index| index as u8), len: URLS.len() as u8 }
    }
}

impl Columns {
    /// Selects the columns called `names`, in this order.
    ///
    /// # Errors
    ///
    /// Returns the first name that is not a column or occurs twice.
    pub fn by_names<'n>(names: &[&'n str]) -> Result<Self, &'n str> {
        let mut columns = Self { len: 0, ..Self::default() };
        for name in names {
            let found = URLS.iter().zip(0..).find(|(column, _)| column.name == *name);
            let (_, number) = found.ok_or(*name)?;
            if columns.indices().any(|before| before == usize::from(number)) {
                return Err(name);
            }
            columns.list[usize::from(columns.len)] = number;
            columns.len += 1;
        }
        Ok(columns)
    }

    /// Returns the indices in [`URLS`] of the selected columns, in order.
    pub fn indices(&self) -> impl Iterator<Item = usize> + use<'_> {
        self.list[..usize::from(self.len)].iter().map(|&number| number.into())
    }

    /// Returns the selected columns, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = &'static Column> + use<'_> {
        self.indices().map(|number| &URLS[number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_name_is_defined_once() {
        for table in ALL {
            let mut names: Vec<_> = table.columns.iter().map(|column| column.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), table.columns.len(), "{}", table.name);
        }
        let has = |columns: &[Column], name| columns.iter().any(|column| column.name == name);
        for field in url::ALL.iter().chain(message::ALL) {
            let is_there = |name| has(URLS, name) || has(MESSAGES, name);
            assert!(field.column.is_none_or(is_there), "{}", field.name);
        }
    }

    #[test]
    fn columns_are_selected_by_name() {
        let columns = Columns::by_names(&["url", "path"]).unwrap();
        assert_eq!(columns.indices().collect::<Vec<_>>(), [2, 0]);
        assert_eq!(Columns::by_names(&["url", "nothing"]), Err("nothing"));
        assert_eq!(Columns::by_names(&["url", "url"]), Err("url"));
        assert_eq!(Columns::default().iter().count(), URLS.len());
    }
}
