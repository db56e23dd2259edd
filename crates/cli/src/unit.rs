//! Units (files or byte ranges of files that can be scanned independently) and their text formats.
//!
//! A list of units is text with one unit per line, so that it can be divided with `split`,
//! shuffled, and sent to other machines. `urlsift scan --units LIST` scans them in the order of the
//! list. A line is either a JSON object or tab-separated fields:
//!
//! | JSON | TSV | |
//! |---|---|---|
//! | `path` (`path_bytes` in base64 if it is not UTF-8) | 1 | the file |
//! | `start`, `end` | 2, 3 | its half-open range of bytes; without an end, all of a compressed file |
//! | `line` | 4 | the 1-based number of the line that contains `start` |
//! | `line_start` | 5 | the offset of the start of that line |
//! | `container` | 6 | the type of the file |
//! | `size`, `mtime_ns` | 7, 8 | its stored size and modification time when it was cut |
//! | `etag` | 9 | the version in an object store |
//! | `context_start`, `context_end` | 10, 11 | the bytes that are needed to scan the unit on its own |
//! | `member` | 12 | the member of an archive that the offsets refer to |
//! | `raw_start`, `raw_end` | 13, 14 | the range of a compressed file that contains those bytes |
//!
//! All fields except the path are optional, because lists made by earlier releases lack some. With
//! `line` and `line_start`, the scan needn't count the lines before the unit. If the size or
//! modification time of the file differs, the unit is stale and is not scanned.

use crate::platform;
use anyhow::{Context, bail};
use data_encoding::{BASE64, DecodeError};
use serde::Deserialize;
use std::fs::Metadata;
use std::ops::Range;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;
use urlsift_archive::Container;
use urlsift_records::LineStart;
use urlsift_records::fields::{Field, unit as field};
use urlsift_records::write::json::{self, ObjectWriter};
use urlsift_records::write::visible::is_unseen;

/// A unit to scan: a whole file, or a range of a file. Lists written by `urlsift units` contain one
/// unit per line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) path: PathBuf,
    pub(crate) start: u64,
    /// The end of the range (exclusive), or `None` for the end of the file.
    pub(crate) end: Option<u64>,
    /// The line start of the unit, if known.
    pub(crate) place: Option<LineStart>,
    /// The format of the file, if known.
    pub(crate) container: Option<Container>,
    /// The size and modification time of the file when the list was made.
    pub(crate) state: FileState,
    /// The range of bytes that are needed to scan the unit on its own.
    pub(crate) context: Option<Range<u64>>,
    /// The archive member that the offsets refer to, if it is one.
    pub(crate) member: Option<Vec<u8>>,
    /// The range of the compressed file that contains the context.
    pub(crate) raw: Option<Range<u64>>,
    /// True if an earlier unit of the list is in the same file.
    pub(crate) is_repeated: bool,
}

/// The properties by which a change of a file is detected. They are recorded when the list of units
/// is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileState {
    pub(crate) size: Option<u64>,
    pub(crate) mtime_ns: Option<u64>,
    /// The version in an object store. `None` for local files.
    pub(crate) etag: Option<String>,
}

impl FileState {
    /// Returns the properties of a file with the metadata `meta`.
    pub(crate) fn from_metadata(meta: &Metadata) -> Self {
        let since = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let mtime_ns = since.and_then(|time| time.as_nanos().try_into().ok());
        Self { size: Some(meta.len()), mtime_ns, etag: None }
    }

    /// Compares the recorded properties with the current metadata of the file. Returns an error
    /// message if the file has changed, otherwise `None`.
    pub(crate) fn describe_change(&self, meta: &Metadata) -> Option<String> {
        let now = Self::from_metadata(meta);
        let again = "run `urlsift units` again";
        match (self.size, self.mtime_ns, now.mtime_ns) {
            (Some(size), ..) if size != meta.len() => Some(format!(
                "the file had {size} bytes when it was cut and has {} now; {again}",
                meta.len()
            )),
            (_, Some(then), Some(now)) if then != now => {
                Some(format!("the file was changed after it was cut; {again}"))
            }
            _ => None,
        }
    }
}

/// The fields of one line in a JSON list of units.
#[derive(Default, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_field_names, reason = "the names of the JSON fields")]
struct Line {
    path: Option<String>,
    path_bytes: Option<String>,
    start: Option<u64>,
    end: Option<u64>,
    line: Option<u64>,
    line_start: Option<u64>,
    container: Option<String>,
    size: Option<u64>,
    mtime_ns: Option<u64>,
    etag: Option<String>,
    context_start: Option<u64>,
    context_end: Option<u64>,
    member: Option<String>,
    member_bytes: Option<String>,
    raw_start: Option<u64>,
    raw_end: Option<u64>,
}

impl Unit {
    /// True if the unit is a whole file and not a range.
    pub(crate) fn is_whole(&self) -> bool {
        self.start == 0 && self.end.is_none()
    }

    /// Formats the unit as a line of a list of units in JSON.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut object = ObjectWriter::begin_object(&mut out, "unit");
        object.write_text(&field::PATH, &platform::printed_bytes(&self.path));
        for (field, value) in self.range_fields() {
            object.write_optional_number(field, value);
        }
        let container = self.container.map(|container| container.name().as_bytes());
        object.write_optional_text(&field::CONTAINER, container);
        for (field, value) in self.state_fields().into_iter().chain(self.context_fields()) {
            object.write_optional_number(field, value);
        }
        if let Some(etag) = &self.state.etag {
            object.write_text(&field::ETAG, etag.as_bytes());
        }
        if let Some(member) = &self.member {
            object.write_text(&field::MEMBER, member);
        }
        for (field, value) in self.raw_range_fields() {
            if value.is_some() {
                object.write_optional_number(field, value);
            }
        }
        object.end_line();
        out
    }

    /// Formats the unit as a line of a list of units in TSV.
    pub(crate) fn to_tsv(&self) -> Vec<u8> {
        let mut out = Vec::new();
        push_tsv_field(&mut out, &platform::printed_bytes(&self.path));
        let numbers = |out: &mut Vec<u8>, values: &[(&Field, Option<u64>)]| {
            for (_, value) in values {
                out.push(b'\t');
                if let Some(value) = value {
                    json::push_decimal(out, *value);
                }
            }
        };
        let text = |out: &mut Vec<u8>, text: Option<&[u8]>| {
            out.push(b'\t');
            push_tsv_field(out, text.unwrap_or_default());
        };
        numbers(&mut out, &self.range_fields());
        text(&mut out, self.container.map(|container| container.name().as_bytes()));
        numbers(&mut out, &self.state_fields());
        text(&mut out, self.state.etag.as_deref().map(str::as_bytes));
        numbers(&mut out, &self.context_fields());
        text(&mut out, self.member.as_deref());
        numbers(&mut out, &self.raw_range_fields());
        out.push(b'\n');
        out
    }

    /// Returns the fields for the range of the unit and the line at its start, with their values.
    fn range_fields(&self) -> [(&'static Field, Option<u64>); 4] {
        [
            (&field::START, Some(self.start)),
            (&field::END, self.end),
            (&field::LINE, self.place.map(|place| place.breaks + 1)),
            (&field::LINE_START, self.place.map(|place| place.line)),
        ]
    }

    /// Returns the fields for the properties by which a change of the file is detected, with their
    /// values.
    fn state_fields(&self) -> [(&'static Field, Option<u64>); 2] {
        [(&field::SIZE, self.state.size), (&field::MTIME_NS, self.state.mtime_ns)]
    }

    /// Returns the fields for the context of the unit (the bytes around it that must also be read),
    /// with their values.
    fn context_fields(&self) -> [(&'static Field, Option<u64>); 2] {
        let context = self.context.as_ref();
        [
            (&field::CONTEXT_START, context.map(|context| context.start)),
            (&field::CONTEXT_END, context.map(|context| context.end)),
        ]
    }

    /// Returns the fields for the range of compressed bytes that contains the unit, with their
    /// values.
    fn raw_range_fields(&self) -> [(&'static Field, Option<u64>); 2] {
        let raw = self.raw.as_ref();
        [(&field::RAW_START, raw.map(|raw| raw.start)), (&field::RAW_END, raw.map(|raw| raw.end))]
    }

    /// Parses one line of a list of units, in JSON or TSV.
    ///
    /// # Errors
    ///
    /// Returns an error that says what is wrong with the line.
    pub(crate) fn parse(line: &[u8]) -> anyhow::Result<Self> {
        if !line.starts_with(b"{") {
            return Self::parse_tsv(line);
        }
        let line: Line = serde_json::from_slice(line)
            .context("not a unit as printed by `urlsift units`; list the units again")?;
        let path = decode_text_or_base64(line.path.as_deref(), line.path_bytes.as_deref())
            .context("invalid `path_bytes`")?;
        let member = decode_text_or_base64(line.member.as_deref(), line.member_bytes.as_deref())
            .context("invalid `member_bytes`")?;
        Self::new(path.unwrap_or_default(), member, line)
    }

    /// Parses one line of a list of units in TSV.
    fn parse_tsv(line: &[u8]) -> anyhow::Result<Self> {
        let mut fields = line.split(|&byte| byte == b'\t');
        let mut text = || {
            let field = fields.next().unwrap_or_default();
            (!field.is_empty()).then(|| decode_tsv_field(field))
        };
        let path = text().unwrap_or_default();
        let utf8 = |field: Option<Vec<u8>>| {
            field.map(|field| String::from_utf8_lossy(&field).into_owned())
        };
        let number = |field: Option<Vec<u8>>| -> anyhow::Result<Option<u64>> {
            let number = utf8(field)
                .map(|text| text.parse().with_context(|| format!("`{text}` is not a number")));
            number.transpose()
        };
        let line = Line {
            start: number(text())?,
            end: number(text())?,
            line: number(text())?,
            line_start: number(text())?,
            container: utf8(text()),
            size: number(text())?,
            mtime_ns: number(text())?,
            etag: utf8(text()),
            context_start: number(text())?,
            context_end: number(text())?,
            ..Line::default()
        };
        let member = text();
        let line = Line { raw_start: number(text())?, raw_end: number(text())?, ..line };
        Self::new(path, member, line)
    }

    /// Creates a unit from the fields of a line in a list of units, and checks the fields.
    fn new(path: Vec<u8>, member: Option<Vec<u8>>, line: Line) -> anyhow::Result<Self> {
        let Line { start, end, size, mtime_ns, etag, .. } = line;
        let start = start.unwrap_or(0);
        if path.is_empty() {
            bail!("the unit has no `path`; list the units again");
        }
        if end.is_some_and(|end| end < start) {
            bail!("the unit ends before it starts; list the units again");
        }
        let place = LineStart::from_unit_list(start, line.line, line.line_start);
        let range = |start: Option<u64>, end: Option<u64>| match (start, end) {
            (Some(start), Some(end)) if start > end => {
                bail!("a range of bytes to read ends before it starts; list the units again")
            }
            (Some(start), Some(end)) => Ok(Some(start..end)),
            _ => Ok(None),
        };
        let context = range(line.context_start, line.context_end)?;
        if let (Some(context), end) = (&context, end.unwrap_or(start))
            && !(context.start <= start && end <= context.end)
        {
            bail!(
                "the range of the unit is outside of the bytes that the list names as its context; list the units again"
            );
        }
        // A format that only a later release knows is ignored. It is then detected from the file.
        let container = line.container.and_then(|name| name.parse().ok());
        Ok(Self {
            path: platform::os_string_from_printed(path).into(),
            start,
            end,
            place,
            container,
            state: FileState { size, mtime_ns, etag },
            context,
            member,
            raw: range(line.raw_start, line.raw_end)?,
            is_repeated: false,
        })
    }
}

/// Returns the value of a text that is stored in two JSON fields. If the text is not valid UTF-8,
/// `bytes` contains it in base64 and takes precedence over `text`. Returns `None` if both fields
/// are missing.
///
/// # Errors
///
/// Fails if `bytes` is not valid base64.
pub(crate) fn decode_text_or_base64(
    text: Option<&str>,
    bytes: Option<&str>,
) -> Result<Option<Vec<u8>>, DecodeError> {
    match bytes {
        Some(bytes) => BASE64.decode(bytes.as_bytes()).map(Some),
        None => Ok(text.map(|text| text.as_bytes().to_vec())),
    }
}

/// Appends `text` as a field of a TSV line. Escapes tabs, line breaks, backslashes, invisible
/// characters and invalid UTF-8.
fn push_tsv_field(out: &mut Vec<u8>, text: &[u8]) {
    let hex = |out: &mut Vec<u8>, bytes: &[u8]| {
        for byte in bytes {
            out.extend_from_slice(format!("\\x{byte:02x}").as_bytes());
        }
    };
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\t' => out.extend_from_slice(b"\\t"),
                '\n' => out.extend_from_slice(b"\\n"),
                '\r' => out.extend_from_slice(b"\\r"),
                '\\' => out.extend_from_slice(b"\\\\"),
                _ if is_unseen(c) => hex(out, c.encode_utf8(&mut [0; 4]).as_bytes()),
                _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        hex(out, chunk.invalid());
    }
}

/// True if the first two bytes of `bytes` are hexadecimal digits.
fn starts_with_hex_byte(bytes: &[u8]) -> bool {
    bytes.get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Decodes the escape sequences in a field of a TSV line, such as `\t` and `\x1b`.
fn decode_tsv_field(field: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(field.len());
    let mut bytes = field.iter();
    while let Some(&byte) = bytes.next() {
        out.push(match byte {
            b'\\' => match bytes.next() {
                Some(b't') => b'\t',
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b'x') if starts_with_hex_byte(bytes.as_slice()) => {
                    let digit = |byte: Option<&u8>| {
                        byte.and_then(|&byte| char::from(byte).to_digit(16)).unwrap_or(0)
                    };
                    let byte = digit(bytes.next()) * 16 + digit(bytes.next());
                    u8::try_from(byte).unwrap_or(0)
                }
                Some(&other) => other,
                None => b'\\',
            },
            _ => byte,
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn printed_unit_is_parsed_back(
            path in prop::collection::vec(1_u8.., 1..20),
            start in 0..1000_u64,
            len: Option<u16>,
            place: Option<(u32, u16)>,
            container in prop::option::of(prop::sample::select(Container::ALL.to_vec())),
            (size, mtime_ns, etag) in any::<(Option<u32>, Option<u32>, Option<u16>)>(),
            member in prop::option::of(prop::collection::vec(1_u8.., 1..9)),
            context: Option<(u8, u8)>,
            raw: Option<(u8, u8)>,
        ) {
            let end = len.map(|len| start + u64::from(len));
            let unit = Unit {
                path: platform::os_string_from_printed(path).into(),
                start,
                end,
                place: match place {
                    _ if start == 0 => Some(LineStart::default()),
                    Some((breaks, at)) => {
                        let line = u64::from(at) % (start + 1);
                        Some(LineStart { breaks: breaks.into(), line })
                    }
                    None => None,
                },
                container,
                state: FileState {
                    size: size.map(u64::from),
                    mtime_ns: mtime_ns.map(u64::from),
                    etag: etag.map(|etag| format!("\"{etag}\"")),
                },
                context: context.map(|(before, after)| {
                    let end = end.unwrap_or(start) + u64::from(after);
                    start.saturating_sub(before.into())..end
                }),
                member,
                raw: raw.map(|(start, len)| start.into()..u64::from(start) + u64::from(len)),
                is_repeated: false,
            };
            let json = unit.to_json();
            prop_assert_eq!(&Unit::parse(json.strip_suffix(b"\n").unwrap()).unwrap(), &unit);
            let tsv = unit.to_tsv();
            if !tsv.starts_with(b"{") {
                prop_assert_eq!(Unit::parse(tsv.strip_suffix(b"\n").unwrap()).unwrap(), unit);
            }
        }
    }

    #[test]
    fn fields_are_optional_and_checked() {
        let unit = Unit::parse(b"a.mbox\t5\t9").unwrap();
        assert_eq!((unit.start, unit.end, unit.place), (5, Some(9), None));
        assert!(Unit::parse(b"a.mbox").unwrap().is_whole());
        for wrong in
            [&b"a\t9\t5"[..], b"a\tx", b"", b"{}", b"{\"path\":3}", b"a\t5\t9\t\t\t\t\t\t\t6\t9"]
        {
            assert!(Unit::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
