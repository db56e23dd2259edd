//! Renders the [fields](crate::fields) as JSON Schema and as Markdown tables, and the
//! [columns](crate::table) as Markdown tables.
//!
//! The schemas allow unknown fields and new values of enumerations, as the format does. Known
//! values are listed as examples.

use crate::fields::{Field, Kind, Presence, Value};
use crate::table::{Column, Type};
use crate::write::json;
use std::fmt::Write;

/// Returns a JSON Schema (draft 2020-12) for lines of JSON that contain records of these `kinds`.
/// `title` is the title of the schema, which ends with a line break.
///
/// ```
/// use urlsift_records::{fields, schema};
///
/// let text = schema::json_schema("urlsift parse", fields::PARSE);
/// assert!(text.starts_with("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"));
/// ```
pub fn json_schema(title: &str, kinds: &[Kind]) -> String {
    let mut out = PrettyWriter::default();
    out.object(|out| {
        out.text("$schema", "https://json-schema.org/draft/2020-12/schema");
        out.text("title", title);
        out.items("oneOf", kinds, |out, kind| {
            out.object(|out| {
                out.text("description", kind.doc);
                out.text("type", "object");
                out.member("properties", |out| {
                    out.object(|out| {
                        out.member("type", |out| out.object(|out| out.text("const", kind.name)));
                        write_properties(out, kind.fields);
                    });
                });
                write_required(out, Some("type"), kind.fields);
            });
        });
    });
    out.text + "\n"
}

/// Returns a Markdown section that documents records, with a table of fields for each of `kinds`.
/// `title` is its heading.
///
/// ```
/// use urlsift_records::{fields, schema};
/// let text = schema::records_markdown("Records", fields::SCAN);
/// assert!(text.starts_with("## Records\n\n### `\"type\":\"url\"`\n"));
/// ```
pub fn records_markdown(title: &str, kinds: &[Kind]) -> String {
    let mut out = format!("## {title}\n");
    for kind in kinds {
        let _ = write!(out, "\n### `\"type\":\"{}\"`\n\n{}\n", kind.name, kind.doc);
        write_fields_table(&mut out, "", kind.fields);
    }
    out
}

/// Returns a Markdown section with a table that describes `columns`. `title` is its heading, and
/// `doc` the text before the table.
///
/// ```
/// use urlsift_records::{schema, table};
///
/// let text = schema::columns_markdown("urls", "One row a URL.", table::URLS);
/// assert!(text.starts_with("## urls\n\nOne row a URL.\n\n| column | type | unit | null | meaning |\n"));
/// ```
pub fn columns_markdown(title: &str, doc: &str, columns: &[Column]) -> String {
    let mut out = format!(
        "## {title}\n\n{doc}\n\n| column | type | unit | null | meaning |\n|---|---|---|---|---|\n"
    );
    for Column { name, kind, never_null, doc } in columns {
        let unit = if let Type::Int64(unit) = kind { unit } else { "" };
        let null = if *never_null { "never" } else { "" };
        let _ =
            writeln!(out, "| `{name}` | `{}` | {unit} | {null} | {doc} |", arrow_type_name(*kind));
    }
    out
}

/// Returns the name of the Arrow type for a column of this type.
fn arrow_type_name(kind: Type) -> String {
    match kind {
        Type::Utf8 => "utf8".to_owned(),
        Type::Int64(_) => "int64".to_owned(),
        Type::Boolean => "bool".to_owned(),
        Type::Timestamp => "timestamp[us, UTC]".to_owned(),
        Type::Texts => "list<utf8>".to_owned(),
        Type::Binary => "binary".to_owned(),
        Type::Structures(fields) => {
            let fields = fields.iter().map(|field| {
                let kind = if let Value::Integer(_) = field.value { "int64" } else { "utf8" };
                format!("{} {kind}", field.name)
            });
            format!("list<struct<{}>>", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Appends a Markdown table of `fields`. `prefix` is the path of the object that contains them,
/// e.g. `message.`. Only the table of the top level, whose prefix is empty, gets a heading.
fn write_fields_table(out: &mut String, prefix: &str, fields: &[Field]) {
    let row = "\n| field | type | present | meaning |\n|---|---|---|---|\n";
    if prefix.is_empty() {
        out.push_str(row);
    }
    for field in fields {
        let name = format!("{prefix}{}", field.name);
        let there = match field.presence {
            Presence::Always => "always".to_owned(),
            Presence::Null(when) => format!("null if {when}"),
            Presence::Only(when) => when.to_owned(),
        };
        let (kind, inner): (String, &[Field]) = match field.value {
            Value::Text => ("text".to_owned(), &[]),
            Value::Utf8 => ("text (UTF-8)".to_owned(), &[]),
            Value::Name(names) => (backticked_list(names), &[]),
            Value::Integer(unit) => (format!("integer: {unit}"), &[]),
            Value::Boolean => ("boolean".to_owned(), &[]),
            Value::Texts => ("list of texts".to_owned(), &[]),
            Value::Names(names) => (format!("list of {}", backticked_list(names)), &[]),
            Value::Object(inner) => ("object".to_owned(), inner),
            Value::Objects(inner) => ("list of objects".to_owned(), inner),
            Value::Parts => ("object".to_owned(), &[]),
        };
        let _ = writeln!(out, "| `{name}` | {kind} | {there} | {} |", field.doc);
        write_fields_table(out, &format!("{name}."), inner);
    }
}

/// Returns the names as a list in Markdown: each in backticks, separated by commas.
fn backticked_list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Writes the JSON Schema of each field. For a field that can contain other bytes than UTF-8, also
/// writes that of its field with the suffix `_bytes`.
fn write_properties(out: &mut PrettyWriter, fields: &[Field]) {
    for field in fields {
        out.member(field.name, |out| out.object(|out| write_property(out, field)));
        let subject = match field.value {
            Value::Text => "they are",
            Value::Texts => "one of them is",
            _ => continue,
        };
        out.member(&format!("{}_bytes", field.name), |out| {
            out.object(|out| {
                let doc = format!("The bytes of `{}`, if {subject} not UTF-8.", field.name);
                out.text("description", &doc);
                if let Value::Texts = field.value {
                    out.text("type", "array");
                    out.member("items", |out| out.object(write_base64_schema));
                } else {
                    write_base64_schema(out);
                }
            });
        });
    }
}

/// Writes the JSON Schema of a string in base64.
fn write_base64_schema(out: &mut PrettyWriter) {
    out.text("type", "string");
    out.text("contentEncoding", "base64");
}

/// Writes the JSON Schema of one field.
fn write_property(out: &mut PrettyWriter, field: &Field) {
    let mut doc = field.doc.to_owned();
    if let Value::Integer(unit) = field.value {
        let _ = write!(doc, " Unit: {unit}.");
    }
    match field.presence {
        Presence::Always => {}
        Presence::Null(when) => drop(write!(doc, " Null if {when}.")),
        Presence::Only(when) => drop(write!(doc, " Only {when}.")),
    }
    out.text("description", &doc);
    let kind = match field.value {
        Value::Text | Value::Utf8 | Value::Name(_) => "string",
        Value::Integer(_) => "integer",
        Value::Boolean => "boolean",
        Value::Texts | Value::Names(_) | Value::Objects(_) => "array",
        Value::Object(_) | Value::Parts => "object",
    };
    match field.presence {
        Presence::Null(_) => out.list("type", &[kind, "null"]),
        _ => out.text("type", kind),
    }
    match field.value {
        Value::Name(names) => out.list("examples", names),
        Value::Integer(_) => out.member("minimum", |out| out.text += "0"),
        Value::Texts => write_items(out, "string", |_| {}),
        Value::Names(names) => write_items(out, "string", |out| out.list("examples", names)),
        Value::Object(fields) => write_object_schema(out, fields),
        Value::Objects(fields) => {
            write_items(out, "object", |out| write_object_schema(out, fields));
        }
        Value::Text | Value::Utf8 | Value::Boolean | Value::Parts => {}
    }
}

/// Writes the JSON Schema for the items of a list. `kind` is their type, and `rest` writes the
/// members after it.
fn write_items(out: &mut PrettyWriter, kind: &str, rest: impl FnOnce(&mut PrettyWriter)) {
    out.member("items", |out| {
        out.object(|out| {
            out.text("type", kind);
            rest(out);
        });
    });
}

/// Writes the JSON Schema of an object with these fields.
fn write_object_schema(out: &mut PrettyWriter, fields: &[Field]) {
    out.member("properties", |out| out.object(|out| write_properties(out, fields)));
    write_required(out, None, fields);
}

/// Writes the member `required` of a JSON Schema: the names of the fields that every object
/// contains. `first` is written before the others.
fn write_required(out: &mut PrettyWriter, first: Option<&'static str>, fields: &[Field]) {
    let always = fields.iter().filter(|field| !matches!(field.presence, Presence::Only(_)));
    let names: Vec<_> = first.into_iter().chain(always.map(|field| field.name)).collect();
    out.list("required", &names);
}

/// A writer of JSON with an indentation of two spaces per level.
#[derive(Debug, Default)]
struct PrettyWriter {
    text: String,
    depth: usize,
    /// True if a comma must precede the next member or item.
    more: bool,
}

impl PrettyWriter {
    fn string(&mut self, text: &str) {
        let mut out = Vec::new();
        json::push_string(&mut out, text.as_bytes());
        self.text += &String::from_utf8_lossy(&out);
    }

    fn line(&mut self) {
        if std::mem::replace(&mut self.more, true) {
            self.text.push(',');
        }
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }

    /// Writes an opening and a closing mark, such as `{` and `}`, and between them the indented
    /// items that `write` adds.
    fn write_nested(&mut self, marks: [char; 2], write: impl FnOnce(&mut Self)) {
        self.text.push(marks[0]);
        let more = std::mem::replace(&mut self.more, false);
        self.depth += 1;
        write(self);
        self.depth -= 1;
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.depth));
        self.text.push(marks[1]);
        self.more = more;
    }

    fn object(&mut self, write: impl FnOnce(&mut Self)) {
        self.write_nested(['{', '}'], write);
    }

    fn member(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        self.line();
        self.string(name);
        self.text += ": ";
        write(self);
    }

    fn text(&mut self, name: &str, text: &str) {
        self.member(name, |out| out.string(text));
    }

    fn list(&mut self, name: &str, texts: &[&str]) {
        self.items(name, texts, |out, text| out.string(text));
    }

    fn items<T>(&mut self, name: &str, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.member(name, |out| {
            out.write_nested(['[', ']'], |out| {
                for item in items {
                    out.line();
                    write(out, item);
                }
            });
        });
    }
}
