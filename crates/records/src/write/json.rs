//! Writes JSON objects with the fields defined in [`fields`](crate::fields).
//!
//! The output is byte for byte that of `serde_json` (tests compare them), with two exceptions:
//! invisible characters are escaped, and a text that is not UTF-8 is converted lossily and followed
//! by a field with the suffix `_bytes` that contains the original bytes in base64.
//!
//! The writer is hand-written for speed: field names are constants that include their punctuation,
//! and a record of a list of links takes a third of the time.

use super::fields::{FieldWriter, write_report};
use super::visible::{self, is_unseen};
use crate::fields::{Field, error, summary};
use crate::record::{FileName, Join, Message, Page, Tally, UrlRecord};
use std::borrow::Cow;
use std::ops::Range;
use urlsift_core::{Report, Value};

/// A writer that appends a JSON object to a buffer, member by member.
///
/// ```
/// use urlsift_records::fields::url;
/// use urlsift_records::write::json::ObjectWriter;
/// let mut out = Vec::new();
/// let mut object = ObjectWriter::begin_object(&mut out, "url");
/// object.write_text(&url::URL, b"http://host.dom/");
/// object.write_number(&url::START, 3);
/// object.end_line();
/// assert_eq!(out, b"{\"type\":\"url\",\"url\":\"http://host.dom/\",\"start\":3}\n");
/// ```
#[derive(Debug)]
pub struct ObjectWriter<'o> {
    out: &'o mut Vec<u8>,
    /// The range in `out` of the URL with its quotation marks, if nothing in the URL is escaped.
    /// The list of readings copies it.
    url: Option<Range<usize>>,
}

impl<'o> ObjectWriter<'o> {
    /// Starts an object at the end of `out`. Its first field is `"type"` with the value `kind`.
    pub fn begin_object(out: &'o mut Vec<u8>, kind: &'static str) -> Self {
        out.extend_from_slice(b"{\"type\":\"");
        out.extend_from_slice(kind.as_bytes());
        out.push(b'"');
        Self { out, url: None }
    }

    /// The end of a JSON line: a closing brace and a line break.
    pub(super) const END: &'static [u8] = b"}\n";

    /// Continues to write the object at the end of `out`. The caller must have removed
    /// [`Self::END`] from it.
    #[inline]
    pub(super) fn resume_object(out: &'o mut Vec<u8>) -> Self {
        Self { out, url: None }
    }

    /// Appends members that are already formatted as JSON. Each must start with a comma.
    #[inline]
    pub(super) fn push_raw_members(&mut self, members: &[u8]) {
        self.out.extend_from_slice(members);
    }

    /// Ends the object with a closing brace and a line break.
    #[inline]
    pub fn end_line(self) {
        self.out.extend_from_slice(Self::END);
    }

    /// Writes a text field. If `text` is not UTF-8, writes it lossily, and writes its bytes in
    /// base64 to a second field with the suffix `_bytes`.
    #[inline]
    pub fn write_text(&mut self, field: &'static Field, text: &[u8]) {
        if needs_no_escaping(text) {
            return self.write_quoted(field, text);
        }
        self.write_key(field);
        if !push_string_slow(self.out, text) {
            self.write_base64(field.name, text);
        }
    }

    /// Writes a text field, or null if `text` is `None`.
    #[inline]
    pub fn write_optional_text(&mut self, field: &'static Field, text: Option<&[u8]>) {
        match text {
            Some(text) => self.write_text(field, text),
            None => self.write_null(field),
        }
    }

    /// Writes a field with an integer.
    #[inline]
    pub fn write_number(&mut self, field: &'static Field, value: u64) {
        self.write_key(field);
        push_decimal(self.out, value);
    }

    /// Writes a field with an integer, or null if `value` is `None`.
    pub fn write_optional_number(&mut self, field: &'static Field, value: Option<u64>) {
        match value {
            Some(value) => self.write_number(field, value),
            None => self.write_null(field),
        }
    }

    /// Writes a field with the value null.
    #[inline]
    pub fn write_null(&mut self, field: &'static Field) {
        self.write_key(field);
        self.out.extend_from_slice(b"null");
    }

    /// Writes a field with a boolean.
    #[inline]
    pub fn write_boolean(&mut self, field: &'static Field, value: bool) {
        self.write_key(field);
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// Writes a field with a list of texts. If one of them is not UTF-8, also writes a field with
    /// the suffix `_bytes`, which contains all their bytes in base64.
    pub fn write_texts<'t>(
        &mut self,
        field: &'static Field,
        texts: impl Iterator<Item = &'t [u8]> + Clone,
    ) {
        self.write_key(field);
        let mut lossless = true;
        self.write_list(texts.clone(), |object, text| lossless &= push_string(object.out, text));
        if !lossless {
            self.write_bytes_key(field.name);
            self.write_list(texts, |object, text| push_base64_string(object.out, text));
        }
    }

    /// Writes a field with a nested object. `write` adds the members of the object.
    pub fn write_object(&mut self, field: &'static Field, write: impl FnOnce(&mut Self)) {
        self.write_key(field);
        self.write_braced(write);
    }

    /// Writes a field with a list of objects. `write` is called with each item and adds the members
    /// of its object.
    #[inline]
    pub fn write_objects<T>(
        &mut self,
        field: &'static Field,
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.write_key(field);
        self.write_list(items, |object, item| object.write_braced(|object| write(object, item)));
    }

    /// Writes a field with a list of violations or findings.
    pub fn write_reports<'r>(
        &mut self,
        field: &'static Field,
        reports: impl Iterator<Item = &'r Report>,
    ) {
        self.write_objects(field, reports, |object, report| write_report(report, object));
    }

    /// Writes a field with the parts of a URL as an object, or null if `parts` is `None`. If a part
    /// is not UTF-8, the object also has a member with the suffix `_bytes`, which contains the part
    /// in base64.
    pub fn write_url_parts(
        &mut self,
        field: &'static Field,
        parts: Option<&[(&'static str, Value<'_>)]>,
    ) {
        let Some(parts) = parts else { return self.write_null(field) };
        self.write_object(field, |object| {
            for (name, value) in parts {
                object.out.extend_from_slice(b",\"");
                object.out.extend_from_slice(name.as_bytes());
                object.out.extend_from_slice(b"\":");
                if !object.write_value(value) {
                    object.write_bytes_key(name);
                    object.write_value_in_base64(value);
                }
            }
        });
    }

    /// Writes a text field without escaping. `text` must be printable ASCII without quotation marks
    /// and backslashes.
    #[inline]
    fn write_plain(&mut self, field: &'static Field, text: &str) {
        debug_assert!(needs_no_escaping(text.as_bytes()), "{text}");
        self.write_quoted(field, text.as_bytes());
    }

    /// Writes a text field in quotation marks without escaping. `text` must need none.
    #[inline]
    fn write_quoted(&mut self, field: &'static Field, text: &[u8]) {
        self.out.extend_from_slice(field.text_key.as_bytes());
        self.out.extend_from_slice(text);
        self.out.push(b'"');
    }

    /// Writes the key of a field, with the comma before it and the colon after it.
    #[inline]
    fn write_key(&mut self, field: &'static Field) {
        self.out.extend_from_slice(field.key.as_bytes());
    }

    /// Writes the key of the field that contains the bytes of the field `name`: its name has the
    /// suffix `_bytes`.
    fn write_bytes_key(&mut self, name: &str) {
        self.out.extend_from_slice(b",\"");
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"_bytes\":");
    }

    /// Writes the field that contains the bytes of the field `name` in base64.
    #[cold]
    fn write_base64(&mut self, name: &str, text: &[u8]) {
        self.write_bytes_key(name);
        push_base64_string(self.out, text);
    }

    /// Writes an object whose members `write` adds. The opening brace replaces the comma before the
    /// first member.
    #[inline]
    fn write_braced(&mut self, write: impl FnOnce(&mut Self)) {
        let open = self.out.len();
        write(self);
        match self.out.get_mut(open) {
            Some(comma) => *comma = b'{',
            None => self.out.push(b'{'),
        }
        self.out.push(b'}');
    }

    /// Writes a list. `write` is called with each item and must write that item.
    #[inline]
    fn write_list<T>(
        &mut self,
        mut items: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        let Some(first) = items.next() else {
            return self.out.extend_from_slice(b"[]");
        };
        self.out.push(b'[');
        write(self, first);
        for item in items {
            self.out.push(b',');
            write(self, item);
        }
        self.out.push(b']');
    }

    /// Writes `value`, the value of one part of a URL, as JSON. Returns false if a text in `value`
    /// is not UTF-8. Such a text is converted lossily.
    fn write_value(&mut self, value: &Value<'_>) -> bool {
        match value {
            Value::Bytes(bytes) => return push_string(self.out, bytes),
            Value::Text(text) => return push_string(self.out, text.as_bytes()),
            Value::List(values) => {
                let mut lossless = true;
                self.write_list(values.iter(), |object, value| {
                    lossless &= object.write_value(value);
                });
                return lossless;
            }
            Value::Bool(yes) => {
                self.out.extend_from_slice(if *yes { b"true" } else { b"false" });
            }
            Value::Number(value) => push_decimal(self.out, *value),
            _ => self.out.extend_from_slice(b"null"),
        }
        true
    }

    /// Writes `value`, the value of one part of a URL, as JSON. Encodes every text in `value` in
    /// base64.
    fn write_value_in_base64(&mut self, value: &Value<'_>) {
        match value {
            Value::Bytes(bytes) => push_base64_string(self.out, bytes),
            Value::Text(text) => push_base64_string(self.out, text.as_bytes()),
            Value::List(values) => {
                self.write_list(values.iter(), |object, value| object.write_value_in_base64(value));
            }
            other => {
                self.write_value(other);
            }
        }
    }
}

impl FieldWriter for ObjectWriter<'_> {
    #[inline]
    fn write_url(&mut self, field: &'static Field, url: &[u8]) {
        if needs_no_escaping(url) {
            self.write_quoted(field, url);
            self.url = Some(self.out.len() - url.len() - 2..self.out.len());
        } else {
            ObjectWriter::write_text(self, field, url);
        }
    }

    #[inline]
    fn write_text(&mut self, field: &'static Field, text: Option<&[u8]>) {
        self.write_optional_text(field, text);
    }

    #[inline]
    fn write_name(&mut self, field: &'static Field, name: &str) {
        self.write_plain(field, name);
    }

    #[inline]
    fn write_number(&mut self, field: &'static Field, value: u64) {
        ObjectWriter::write_number(self, field, value);
    }

    #[inline]
    fn write_boolean(&mut self, field: &'static Field, value: bool) {
        ObjectWriter::write_boolean(self, field, value);
    }

    #[inline]
    fn write_reports<'r>(
        &mut self,
        field: &'static Field,
        reports: impl Iterator<Item = &'r Report>,
    ) {
        ObjectWriter::write_reports(self, field, reports);
    }

    #[inline]
    fn write_joins(&mut self, field: &'static Field, joins: &[Join]) {
        self.write_objects(field, joins.iter(), |object, join| join.write_fields(object));
    }

    #[inline]
    fn write_readings(&mut self, field: &'static Field, url: &[u8], others: &[Vec<u8>]) {
        match self.url.take() {
            Some(written) if others.is_empty() => {
                self.write_key(field);
                self.out.push(b'[');
                self.out.extend_from_within(written);
                self.out.push(b']');
            }
            _ => {
                let all = std::iter::once(url).chain(others.iter().map(Vec::as_slice));
                ObjectWriter::write_texts(self, field, all);
            }
        }
    }

    fn write_texts(&mut self, field: &'static Field, texts: &[Vec<u8>]) {
        ObjectWriter::write_texts(self, field, texts.iter().map(Vec::as_slice));
    }

    fn write_names(&mut self, field: &'static Field, names: impl Iterator<Item = &'static str>) {
        self.write_key(field);
        self.write_list(names, |object, name| {
            push_string(object.out, name.as_bytes());
        });
    }

    fn write_message(&mut self, field: &'static Field, message: &Message) {
        self.write_object(field, |object| message.write_fields(object));
    }

    fn write_page(&mut self, field: &'static Field, page: &Page) {
        self.write_object(field, |object| page.write_fields(object));
    }
}

impl UrlRecord<'_> {
    /// Appends the record to `out` as a line of JSON. Fields that the scan did not compute are
    /// null, empty or 0.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        // Reserve space once: most records are no longer than this.
        out.reserve(512 + 2 * self.url.len());
        let mut object = ObjectWriter::begin_object(out, "url");
        self.write_fields(&mut object);
        object.end_line();
    }
}

impl FileName {
    /// Appends the record of an error in this file to `out`, as a line of JSON. `message` is the
    /// error message, and `code` the stable name of the error, if it has one: see
    /// [`error_code`](crate::fields::error_code).
    pub fn write_error(&self, message: &str, code: Option<&str>, out: &mut Vec<u8>) {
        self.write_error_record_for_unit(None, message, code, out);
    }

    /// Appends the record of an error in a part of this file to `out`, as a line of JSON. `unit` is
    /// the range that the error concerns: its start, and its end if known. `code` is the stable
    /// name of the error, if it has one.
    pub fn write_error_record_for_unit(
        &self,
        unit: Option<(u64, Option<u64>)>,
        message: &str,
        code: Option<&str>,
        out: &mut Vec<u8>,
    ) {
        let mut object = ObjectWriter::begin_object(out, "error");
        object.write_text(&error::PATH, &self.path);
        if let Some(member) = &self.member {
            object.write_text(&error::MEMBER, member);
        }
        object.write_text(&error::MESSAGE, message.as_bytes());
        if let Some(code) = code {
            object.write_text(&error::CODE, code.as_bytes());
        }
        if let Some((start, end)) = unit {
            object.write_number(&error::START, start);
            if let Some(end) = end {
                object.write_number(&error::END, end);
            }
        }
        object.end_line();
    }
}

impl Tally {
    /// Appends the summary record with these counts to `out`, as a line of JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::begin_object(out, "summary");
        for (field, number) in self.counts().into_iter().chain(self.rare_counts()) {
            object.write_number(field, number);
        }
        if self.limit_counts().next().is_some() {
            object.write_object(&summary::LIMITS, |object| {
                for (_, field, count) in self.limit_counts() {
                    object.write_number(field, count);
                }
            });
        }
        let mut skipped = self.skipped;
        let reasons = skipped.counts_mut().map(|(field, _, count)| (field, *count));
        if reasons.iter().any(|&(_, count)| count > 0) {
            object.write_object(&summary::SKIPPED, |object| {
                for (field, count) in reasons.into_iter().filter(|&(_, count)| count > 0) {
                    object.write_number(field, count);
                }
            });
        }
        object.end_line();
    }
}

/// Adds a numeric field at the end of `line`, a line of JSON that is already complete.
///
/// ```
/// use urlsift_records::fields::url;
/// use urlsift_records::write::json::append_number_field;
/// let mut line = b"{\"type\":\"url\"}\n".to_vec();
/// append_number_field(&mut line, &url::COUNT, 3);
/// assert_eq!(line, b"{\"type\":\"url\",\"count\":3}\n");
/// ```
pub fn append_number_field(line: &mut Vec<u8>, field: &'static Field, value: u64) {
    line.truncate(line.len().saturating_sub(ObjectWriter::END.len()));
    let mut object = ObjectWriter::resume_object(line);
    object.write_number(field, value);
    object.end_line();
}

/// The escape of each byte in a JSON string: 0 for the byte itself, `u` for a `\u00XX` escape, `U`
/// if the byte may start an invisible character, otherwise the letter after the backslash.
const ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = b'u';
        byte += 1;
    }
    table[0x08] = b'b';
    table[0x09] = b't';
    table[0x0A] = b'n';
    table[0x0C] = b'f';
    table[0x0D] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[0x7F] = b'u';
    // U+0080 to U+00BF, U+0600 to U+063F, U+2000 to U+2FFF, U+F000 to U+FFFF, U+C0000 to U+FFFFF.
    let mut leads = [0xC2_usize, 0xD8, 0xE2, 0xEF, 0xF3].as_slice();
    while let [lead, others @ ..] = leads {
        table[*lead] = b'U';
        leads = others;
    }
    table
};

/// Appends `text` to `out` as a JSON string in quotation marks. Invisible characters are escaped.
/// Returns false if `text` is not UTF-8 and was converted lossily.
///
/// ```
/// use urlsift_records::write::json::push_string;
/// let mut out = Vec::new();
/// assert!(push_string(&mut out, b"a\"\x1b"));
/// assert!(!push_string(&mut out, b"\xff"));
/// assert_eq!(out, "\"a\\\"\\u001b\"\"\u{fffd}\"".as_bytes());
/// ```
#[inline]
pub fn push_string(out: &mut Vec<u8>, text: &[u8]) -> bool {
    if !needs_no_escaping(text) {
        return push_string_slow(out, text);
    }
    out.push(b'"');
    out.extend_from_slice(text);
    out.push(b'"');
    true
}

/// True if `text` is printable ASCII without quotation marks and backslashes, so that JSON needs no
/// escaping. Tests eight bytes at a time.
#[inline]
pub(super) fn needs_no_escaping(text: &[u8]) -> bool {
    const fn repeated(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    // Not zero if one of the bytes is not plain.
    let odd = |word: &[u8; 8]| {
        let word = u64::from_ne_bytes(*word);
        // Borrows and carries only affect the byte next to one that is itself a match.
        let below = |word: u64, least: u8| word.wrapping_sub(repeated(least)) & !word;
        let control = below(word, b' ');
        let quote = below(word ^ repeated(b'"'), 1);
        let backslash = below(word ^ repeated(b'\\'), 1);
        (control | quote | backslash | word.wrapping_add(repeated(1)) | word) & repeated(0x80)
    };
    // The last eight bytes overlap the chunks before.
    let Some(last) = text.last_chunk::<8>() else {
        return !text.iter().any(|&byte| ESCAPES[usize::from(byte)] != 0 || byte >= 0x7F);
    };
    text.as_chunks::<8>().0.iter().fold(odd(last), |any, word| any | odd(word)) == 0
}

/// The slow path of [`push_string`], for a text that needs escaping or is not UTF-8. Has the same
/// effect and return value.
#[inline(never)]
fn push_string_slow(out: &mut Vec<u8>, text: &[u8]) -> bool {
    let lossy = String::from_utf8_lossy(text);
    out.push(b'"');
    push_escaped(out, &lossy);
    out.push(b'"');
    matches!(lossy, Cow::Borrowed(_))
}

/// Appends `text` with JSON escapes, but without quotation marks around it.
fn push_escaped(out: &mut Vec<u8>, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| ESCAPES[usize::from(byte)] != 0) {
        let (plain, tail) = rest.split_at(at);
        out.extend_from_slice(plain.as_bytes());
        let mut tail = tail.chars();
        let c = tail.next().unwrap_or_default();
        match ESCAPES[usize::from(rest.as_bytes()[at])] {
            b'U' if !is_unseen(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            b'u' | b'U' => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
                }
            }
            letter => out.extend_from_slice(&[b'\\', letter]),
        }
        rest = tail.as_str();
    }
    out.extend_from_slice(rest.as_bytes());
}

/// Replaces invisible characters in `json`, the output of any JSON serializer, by `\u` escapes.
/// Records contain the same escapes.
///
/// ```
/// use urlsift_records::write::json::escape_unseen;
/// assert_eq!(escape_unseen("[\"a\u{202e}b\"]".to_owned()), "[\"a\\u202eb\"]");
/// ```
pub fn escape_unseen(json: String) -> String {
    // Printable ASCII is checked many bytes at once.
    if visible::is_printable_ascii(json.as_bytes()) || !json.chars().any(is_unseen) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        // In the output of serde_json, all such characters are inside strings, except the line
        // breaks between values.
        if is_unseen(c) && c != '\n' {
            out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// Appends `number` to `out` in decimal.
///
/// ```
/// use urlsift_records::write::json::push_decimal;
/// let mut out = Vec::new();
/// push_decimal(&mut out, 1738);
/// assert_eq!(out, b"1738");
/// ```
#[inline]
pub fn push_decimal(out: &mut Vec<u8>, number: u64) {
    if let Ok(digit @ 0..10) = u8::try_from(number) {
        return out.push(b'0' + digit);
    }
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Appends `bytes` to `out` as a JSON string in base64.
fn push_base64_string(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    out.extend_from_slice(encode_base64(bytes).as_bytes());
    out.push(b'"');
}

/// Returns `bytes` in base64, as fields with the suffix `_bytes` contain them.
///
/// ```
/// assert_eq!(urlsift_records::write::json::encode_base64(b"\xff"), "/w==");
/// ```
pub fn encode_base64(bytes: &[u8]) -> String {
    data_encoding::BASE64.encode(bytes)
}
