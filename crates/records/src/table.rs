//! The columns of tables: one flat row per URL, message or file, with types that never depend on
//! the data.
//!
//! CSV, TSV, Parquet and other tables contain these columns. The type, unit and description of most
//! columns come from a [field](crate::fields) of records. New columns are added at the end, and
//! columns are never renamed.

use crate::fields::{FILE_OFFSET, Field, Value, join, message, page, report, summary, url};

/// The definition of a column of a table.
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

/// The type of a column's cells.
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

/// Returns the column that contains `field`. Panics if the field has none.
const fn of(field: &Field) -> Column {
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

/// Creates a column that is not a field of records. It can be null.
const fn other(name: &'static str, kind: Type, doc: &'static str) -> Column {
    Column { name, kind, never_null: false, doc }
}

/// The fields that tables contain of each violation or finding.
static REPORT: &[Field] = &[report::CODE, report::LEVEL, report::START, report::END];

/// The definition of a table.
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
        doc: "One row per URL, in the order of the input. Parquet also has one row per error, without `url`. A missing value is an empty \
              list or null. CSV and TSV write null as an empty cell and separate the items of lists with spaces; with \
              `--unique=count` the last column is `count`.",
        columns: URLS,
    },
    Table {
        name: "messages",
        doc: "One row per message, including messages without URLs, but not those that filters exclude. Parquet only.",
        columns: MESSAGES,
    },
    Table {
        name: "files",
        doc: "One row per file or archive member, with its counts. An archive comes after its members. \
              Parquet only.",
        columns: FILES,
    },
];

/// The column with the bytes of a path, which several tables contain.
const PATH_BYTES: Column =
    other("path_bytes", Type::Binary, "The bytes of `path`, if they are not UTF-8.");

/// The columns of the table of messages, in order.
pub static MESSAGES: &[Column] = &[
    of(&message::ID),
    Column { kind: Type::Timestamp, ..of(&message::DATE) },
    of(&message::DATE_SOURCE),
    of(&message::DATE_RAW),
    of(&message::FROM_DOMAIN),
    of(&message::FROM_HASH),
    of(&message::FROM),
    of(&message::SUBJECT),
    of(&message::NEWSGROUPS),
    of(&message::LIST),
    of(&message::IN_REPLY_TO),
    Column { never_null: true, ..of(&url::PATH) },
    of(&url::MEMBER),
    Column { never_null: true, ..of(&message::START) },
    Column { never_null: true, ..of(&message::END) },
    other(
        "duplicate_of",
        Type::Utf8,
        "With `--dedupe`, for a copy of an earlier message with this Message-ID: the file of that message, a colon and its offset.",
    ),
    Column {
        never_null: true,
        ..other(
            "urls",
            Type::Int64("URLs"),
            "URLs that were found in the message, before `--unique` and `--dedupe`. URLs in nested messages count there.",
        )
    },
    other(
        "part",
        Type::Utf8,
        "For a message nested in another one, the number of the part that contains it. Null for other messages, which the summary counts.",
    ),
    PATH_BYTES,
];

/// The columns of the table of files, in order.
pub static FILES: &[Column] = &[
    Column { never_null: true, ..of(&url::PATH) },
    of(&url::MEMBER),
    Column {
        never_null: true,
        ..other("start", Type::Int64(FILE_OFFSET), "The start of the bytes that were scanned.")
    },
    Column {
        never_null: true,
        ..other("end", Type::Int64(FILE_OFFSET), "The end, one past the last byte.")
    },
    counted(&summary::BYTES),
    counted(&summary::MESSAGES),
    counted(&summary::URLS),
    counted(&summary::MALFORMED),
    counted(&summary::ERRORS),
    counted(&summary::TRUNCATED),
    other("error", Type::Utf8, "The error message; of several errors, the last."),
    PATH_BYTES,
];

/// Returns the column for a count of the summary, counted for each file.
const fn counted(field: &Field) -> Column {
    let Value::Integer(unit) = field.value else { panic!("a field that is no number") };
    Column { name: field.name, kind: Type::Int64(unit), never_null: true, doc: field.doc }
}

/// The columns of the table of URLs, in order.
pub static URLS: &[Column] = &[
    Column { never_null: true, ..of(&url::PATH) },
    of(&url::MEMBER),
    of(&url::URL),
    of(&url::START),
    of(&url::END),
    of(&url::LINE),
    of(&url::COLUMN),
    of(&url::FORM),
    of(&url::SCHEME),
    of(&url::HOST),
    of(&url::FRAGMENT),
    of(&url::PROFILE),
    of(&url::VALID),
    Column { kind: Type::Structures(REPORT), ..of(&url::VIOLATIONS) },
    Column { kind: Type::Structures(REPORT), ..of(&url::FINDINGS) },
    Column { kind: Type::Structures(join::ALL), ..of(&url::JOINS) },
    of(&url::READINGS),
    of(&url::QUOTE_DEPTH),
    of(&message::ID),
    Column { kind: Type::Timestamp, ..of(&message::DATE) },
    of(&message::NEWSGROUPS),
    of(&message::LIST),
    of(&url::NORMALIZED),
    of(&url::DOMAIN),
    of(&url::TLD),
    of(&url::PORT),
    of(&url::TARGET),
    of(&url::PLACE),
    of(&url::HEADER_NAME),
    of(&message::DATE_RAW),
    of(&message::DATE_SOURCE),
    of(&message::PART),
    of(&message::START),
    of(&message::END),
    of(&message::FROM_DOMAIN),
    of(&message::FROM_HASH),
    of(&page::URI),
    of(&url::DECODED),
    of(&url::HTML),
    of(&url::APPROXIMATE),
    of(&url::TRUNCATED),
    PATH_BYTES,
    other("url_bytes", Type::Binary, "The bytes of `url`, if they are not UTF-8."),
    other(
        "error",
        Type::Utf8,
        "The error message, in a row without `url`. CSV and TSV have no such rows.",
    ),
    Column { kind: Type::Timestamp, ..of(&page::DATE) },
    of(&page::ID),
    of(&url::RESOLVED),
];

/// A selection of the columns of [`URLS`], in the order in which a table contains them.
///
/// ```
/// use urlsift_records::table::Columns;
/// let columns = Columns::named(&["url", "path"]).unwrap();
/// assert!(columns.iter().map(|column| column.name).eq(["url", "path"]));
/// assert!(columns.numbers().eq([2, 0]));
/// assert_eq!(Columns::named(&["url", "nothing"]), Err("nothing"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The indices of the columns in [`URLS`]. Only the first `len` elements are used.
    list: [u8; URLS.len()],
    /// The number of selected columns.
    len: u8,
}

impl Default for Columns {
    /// Selects all columns.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 256")]
    fn default() -> Self {
        Self { list: std::array::from_fn(|index| index as u8), len: URLS.len() as u8 }
    }
}

impl Columns {
    /// Selects the columns with these names, in this order.
    ///
    /// # Errors
    ///
    /// Returns the first name that is not a column or occurs twice.
    pub fn named<'n>(names: &[&'n str]) -> Result<Self, &'n str> {
        let mut columns = Self { len: 0, ..Self::default() };
        for name in names {
            let found = URLS.iter().zip(0..).find(|(column, _)| column.name == *name);
            let (_, number) = found.ok_or(*name)?;
            if columns.numbers().any(|before| before == usize::from(number)) {
                return Err(name);
            }
            columns.list[usize::from(columns.len)] = number;
            columns.len += 1;
        }
        Ok(columns)
    }

    /// Returns the indices of the columns in [`URLS`], in order.
    pub fn numbers(&self) -> impl Iterator<Item = usize> + use<'_> {
        self.list[..usize::from(self.len)].iter().map(|&number| number.into())
    }

    /// Returns the selected columns, in order.
    pub fn iter(&self) -> impl Iterator<Item = &'static Column> + use<'_> {
        self.numbers().map(|number| &URLS[number])
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
        let columns = Columns::named(&["url", "path"]).unwrap();
        assert_eq!(columns.numbers().collect::<Vec<_>>(), [2, 0]);
        assert_eq!(Columns::named(&["url", "nothing"]), Err("nothing"));
        assert_eq!(Columns::named(&["url", "url"]), Err("url"));
        assert_eq!(Columns::default().iter().count(), URLS.len());
    }
}
