//! Parses records of JSON Lines. The text, the date and the identifier of a record are found by the
//! names of their fields.

use crate::notation::Notation;
use crate::utc::Utc;
use core::ops::Range;
use core::str;

/// The maximum length of a [`JsonFieldName`] in bytes.
const MAX_NAME_LEN: usize = 63;
/// The maximum length of a date or identifier, in bytes. Longer values are cut.
const MAX_VALUE_LEN: usize = 4096;
/// The maximum number that is read as seconds since 1970. It is a date in the year 5138. Larger
/// numbers are read as milliseconds.
const MAX_SECONDS: i64 = 100_000_000_000;

/// The name of a field of a JSON object, e.g. `body`. If the name is empty, no field is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct JsonFieldName {
    bytes: [u8; MAX_NAME_LEN],
    len: u8,
}

impl JsonFieldName {
    /// Creates a name. Returns `None` if it is longer than 63 bytes.
    ///
    /// ```
    /// use urlsift_archive::JsonFieldName;
    /// assert_eq!(JsonFieldName::new("body").unwrap().as_str(), "body");
    /// assert_eq!(JsonFieldName::new(&"x".repeat(64)), None);
    /// ```
    pub fn new(name: &str) -> Option<Self> {
        let mut bytes = [0; MAX_NAME_LEN];
        bytes.get_mut(..name.len())?.copy_from_slice(name.as_bytes());
        Some(Self { bytes, len: u8::try_from(name.len()).ok()? })
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        let name = self.bytes.get(..self.len.into()).unwrap_or_default();
        str::from_utf8(name).unwrap_or_default()
    }
}

impl Default for JsonFieldName {
    fn default() -> Self {
        Self { bytes: [0; MAX_NAME_LEN], len: 0 }
    }
}

impl core::fmt::Debug for JsonFieldName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_str().fmt(f)
    }
}

/// The names of the fields that are read from JSON Lines records. If `text` is empty, JSON Lines
/// are not read as records.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, JsonFieldName, Notation, Options, documents};
///
/// let mut options = Options::default();
/// options.json_fields.text = JsonFieldName::new("body").unwrap();
/// options.json_fields.id = JsonFieldName::new("id").unwrap();
/// let raw = br#"{"id":"r1","url":"http:\/\/h.dom\/","body":"At http:\/\/h.dom\/a"}"#;
/// documents(raw, Container::Escaped(Notation::Json), 0, &options, &mut |document| {
///     assert_eq!(document.text, b"At http://h.dom/a");
///     assert_eq!(document.origin.message.unwrap().id(), Some(&b"r1"[..]));
///     ControlFlow::Continue(())
/// });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JsonFields {
    /// The field with the text to scan.
    pub text: JsonFieldName,
    /// The field with the date: a text that [`Utc::parse`] accepts, or the number of seconds or
    /// milliseconds since 1970.
    pub date: JsonFieldName,
    /// The field with the identifier of the record: a text or a number.
    pub id: JsonFieldName,
}

/// A JSON Lines record.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct JsonRecord {
    /// The range of the text in the line, without its quotes. `None` if the field is missing or not
    /// a string.
    pub(crate) text: Option<Range<usize>>,
    /// A mail header with the identifier and the date.
    pub(crate) header: Vec<u8>,
}

impl JsonRecord {
    /// Parses the JSON object on `line`. Returns `None` if the line contains no object, or if the
    /// object is malformed. Takes linear time.
    pub(crate) fn parse(line: &[u8], fields: &JsonFields) -> Option<Self> {
        let mut cursor = Cursor { line, at: 0 };
        cursor.eat(b'{')?;
        let mut record = Self::default();
        let (mut date, mut id) = (None, None);
        if cursor.eat(b'}').is_some() {
            return Some(record);
        }
        loop {
            let name = cursor.string()?;
            cursor.eat(b':')?;
            let value = cursor.value()?;
            let name = decoded(line.get(name)?);
            let is = |field: &JsonFieldName| field.len > 0 && name == field.as_str().as_bytes();
            if is(&fields.text) {
                record.text = inner_of_string(line, &value);
            }
            // The same field can be the date and the identifier.
            if is(&fields.date) {
                date = Some(value.clone());
            }
            if is(&fields.id) {
                id = Some(value);
            }
            if cursor.eat(b',').is_none() {
                break;
            }
        }
        cursor.eat(b'}')?;
        for (name, value) in [("Message-ID", id), ("Date", date)] {
            let Some(value) = value else { continue };
            let text = match inner_of_string(line, &value) {
                Some(text) => decoded(line.get(text)?),
                None if name == "Date" => date_of_number(line.get(value)?),
                None => line.get(value)?.to_vec(),
            };
            let text = text.get(..MAX_VALUE_LEN).unwrap_or(&text);
            record.header.extend_from_slice(name.as_bytes());
            record.header.extend_from_slice(b": ");
            // A line break would start another field.
            record.header.extend(text.iter().map(|&b| if b < b' ' { b' ' } else { b }));
            record.header.push(b'\n');
        }
        record.header.push(b'\n');
        Some(record)
    }
}

/// Returns the range within the quotes of `value`, or `None` if the value is not a string.
fn inner_of_string(line: &[u8], value: &Range<usize>) -> Option<Range<usize>> {
    (line.get(value.start) == Some(&b'"')).then(|| value.start + 1..value.end - 1)
}

/// Returns the text of a JSON string. `raw` is the string without its quotes.
fn decoded(raw: &[u8]) -> Vec<u8> {
    let made = Notation::Json.decode_escapes(raw, 0, &mut Vec::new());
    made.map_or_else(|| raw.to_vec(), |made| made.text)
}

/// Converts a number of seconds or milliseconds since 1970 to a date. Returns the number unchanged
/// if it is out of range.
fn date_of_number(number: &[u8]) -> Vec<u8> {
    let whole = number.split(|&b| b == b'.').next().unwrap_or_default();
    let seconds = str::from_utf8(whole).ok().and_then(|text| text.parse::<i64>().ok());
    let seconds =
        seconds.map(|number| if number.abs() > MAX_SECONDS { number / 1000 } else { number });
    let date = seconds.and_then(Utc::from_timestamp);
    date.map_or_else(|| number.to_vec(), |date| date.to_rfc3339().to_vec())
}

/// A position in a line of JSON.
struct Cursor<'l> {
    line: &'l [u8],
    at: usize,
}

impl Cursor<'_> {
    /// Skips white space, and returns the byte after it.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.line.get(self.at..)?;
        self.at += rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'))?;
        self.line.get(self.at).copied()
    }

    /// Skips white space, and then `mark`. Returns `None` if the byte after the white space is not
    /// `mark`.
    fn eat(&mut self, mark: u8) -> Option<()> {
        (self.peek()? == mark).then(|| self.at += 1)
    }

    /// Skips a string, and returns its range without the quotes.
    fn string(&mut self) -> Option<Range<usize>> {
        self.eat(b'"')?;
        let start = self.at;
        loop {
            let rest = self.line.get(self.at..)?;
            self.at += memchr::memchr2(b'"', b'\\', rest)?;
            if self.line.get(self.at) == Some(&b'"') {
                self.at += 1;
                return Some(start..self.at - 1);
            }
            self.at += 2;
        }
    }

    /// Skips a value, and returns its range. The structure of arrays and objects is not checked.
    fn value(&mut self) -> Option<Range<usize>> {
        self.peek()?;
        let (start, mut depth) = (self.at, 0_usize);
        loop {
            match self.line.get(self.at)? {
                b'"' => {
                    self.string()?;
                }
                b'[' | b'{' => {
                    depth += 1;
                    self.at += 1;
                }
                b']' | b'}' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                _ => {
                    let rest = self.line.get(self.at..)?;
                    let is_end = |b: &u8| b"\"[]{},: \t\r\n".contains(b);
                    self.at += rest.iter().position(is_end)?.max(usize::from(depth > 0));
                }
            }
            if depth == 0 {
                return (self.at > start).then_some(start..self.at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonFieldName, JsonFields, JsonRecord};

    fn parse(line: &str) -> Option<(Option<String>, String)> {
        let name = |name| JsonFieldName::new(name).unwrap();
        let fields = JsonFields { text: name("body"), date: name("date"), id: name("id") };
        let record = JsonRecord::parse(line.as_bytes(), &fields)?;
        let text = record.text.map(|text| line[text].to_owned());
        Some((text, String::from_utf8(record.header).unwrap()))
    }

    #[test]
    fn fields_are_found_by_name() {
        for (line, text, header) in [
            (
                r#"{"id":"a","body":"x","date":"1994-12-01"}"#,
                Some("x"),
                "Message-ID: a\nDate: 1994-12-01\n\n",
            ),
            (
                r#" { "date" : 786272400 , "id" : 7 } "#,
                None,
                "Message-ID: 7\nDate: 1994-12-01T09:00:00Z\n\n",
            ),
            (
                r#"{"date":786272400000,"bo\u0064y":"\"y\\"}"#,
                Some(r#"\"y\\"#),
                "Date: 1994-12-01T09:00:00Z\n\n",
            ),
            (r#"{"x":{"body":"no","y":[1,{"z":"}"}]},"body":"yes"}"#, Some("yes"), "\n"),
            (r#"{"body":null,"id":"a\nTo: b"}"#, None, "Message-ID: a To: b\n\n"),
            ("{}", None, ""),
        ] {
            assert_eq!(parse(line), Some((text.map(str::to_owned), header.to_owned())), "{line}");
        }
        for wrong in
            ["", "[]", "{", r#"{"body"}"#, r#"{"body":"x"#, r#"{"body":}"#, r#"{"a":]}"#, "{,}"]
        {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
