//! Units: files and ranges of files, in print.
//!
//! A list of units is text, one a line, so that it can be cut with `split`, shuffled, and sent to
//! other machines; `urlsift scan --units LIST` takes them in the order of the list. A line is
//! either a JSON object or fields between tabs:
//!
//! | JSON | TSV | |
//! |---|---|---|
//! | `path` (`path_bytes` in base64 if it is not UTF-8) | 1 | the file |
//! | `start`, `end` | 2, 3 | its half-open range of bytes; without an end, all of a compressed file |
//! | `line` | 4 | the number of the line that `start` stands in, from 1 |
//! | `line_start` | 5 | where that line starts |
//!
//! `line` and `line_start` spare the scan a look at all that comes before; both may be left out.

use anyhow::{Context, bail};
use serde::Deserialize;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use urlsift_records::LineStart;
use urlsift_records::fields::{Field, unit as field};
use urlsift_records::write::json::{self, Object};

/// A file, or a range of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) path: PathBuf,
    pub(crate) start: u64,
    /// `None`: to the end.
    pub(crate) end: Option<u64>,
    /// What is known of lines at `start`.
    pub(crate) place: Option<LineStart>,
}

#[derive(Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names of the fields in print")]
struct Line {
    path: String,
    path_bytes: Option<String>,
    #[serde(default)]
    start: u64,
    end: Option<u64>,
    line: Option<u64>,
    line_start: Option<u64>,
}

impl Unit {
    /// Whether it is all of a file.
    pub(crate) fn is_whole(&self) -> bool {
        self.start == 0 && self.end.is_none()
    }

    /// The unit as a line of JSON.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut object = Object::begin(&mut out, "unit");
        object.text(&field::PATH, self.path.as_os_str().as_bytes());
        for (field, value) in self.numbers() {
            object.optional_number(field, value);
        }
        object.end_line();
        out
    }

    /// The unit as fields between tabs.
    pub(crate) fn to_tsv(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for &byte in self.path.as_os_str().as_bytes() {
            match byte {
                b'\t' => out.extend_from_slice(b"\\t"),
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                b'\\' => out.extend_from_slice(b"\\\\"),
                _ => out.push(byte),
            }
        }
        for (_, value) in self.numbers() {
            out.push(b'\t');
            if let Some(value) = value {
                json::number(&mut out, value);
            }
        }
        out.push(b'\n');
        out
    }

    fn numbers(&self) -> [(&'static Field, Option<u64>); 4] {
        [
            (&field::START, Some(self.start)),
            (&field::END, self.end),
            (&field::LINE, self.place.map(|place| place.breaks + 1)),
            (&field::LINE_START, self.place.map(|place| place.line)),
        ]
    }

    /// A line of a list.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(crate) fn parse(line: &[u8]) -> anyhow::Result<Self> {
        if !line.starts_with(b"{") {
            return Self::parse_tsv(line);
        }
        let Line { path, path_bytes, start, end, line, line_start } =
            serde_json::from_slice(line).context("no unit as `urlsift units` prints them")?;
        let path = match path_bytes {
            None => PathBuf::from(path),
            Some(bytes) => {
                let bytes = data_encoding::BASE64.decode(bytes.as_bytes()).context("path_bytes")?;
                PathBuf::from(OsString::from_vec(bytes))
            }
        };
        Self::new(path, start, end, line, line_start)
    }

    fn parse_tsv(line: &[u8]) -> anyhow::Result<Self> {
        let mut fields = line.split(|&byte| byte == b'\t');
        let path = unescape(fields.next().unwrap_or_default());
        if path.is_empty() {
            bail!("no path");
        }
        let mut number = || -> anyhow::Result<Option<u64>> {
            let Some(field) = fields.next().filter(|field| !field.is_empty()) else {
                return Ok(None);
            };
            let text = String::from_utf8_lossy(field);
            text.parse().map(Some).with_context(|| format!("`{text}` is no number"))
        };
        let (start, end, line, line_start) = (number()?, number()?, number()?, number()?);
        let path = PathBuf::from(OsString::from_vec(path));
        Self::new(path, start.unwrap_or(0), end, line, line_start)
    }

    fn new(
        path: PathBuf,
        start: u64,
        end: Option<u64>,
        line: Option<u64>,
        line_start: Option<u64>,
    ) -> anyhow::Result<Self> {
        if end.is_some_and(|end| end < start) {
            bail!("it ends before it starts");
        }
        let place = match (line, line_start) {
            _ if start == 0 => Some(LineStart::default()),
            (Some(line), Some(line_start)) if line > 0 && line_start <= start => {
                Some(LineStart { breaks: line - 1, line: line_start })
            }
            _ => None,
        };
        Ok(Self { path, start, end, place })
    }
}

fn unescape(field: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(field.len());
    let mut bytes = field.iter();
    while let Some(&byte) = bytes.next() {
        out.push(match byte {
            b'\\' => match bytes.next() {
                Some(b't') => b'\t',
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
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
        fn print_and_parse(
            path in prop::collection::vec(1_u8.., 1..20),
            start in 0..1000_u64,
            len: Option<u16>,
            place: Option<(u32, u16)>,
        ) {
            let unit = Unit {
                path: PathBuf::from(OsString::from_vec(path)),
                start,
                end: len.map(|len| start + u64::from(len)),
                place: match place {
                    _ if start == 0 => Some(LineStart::default()),
                    Some((breaks, at)) => {
                        let line = u64::from(at) % (start + 1);
                        Some(LineStart { breaks: breaks.into(), line })
                    }
                    None => None,
                },
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
    fn lists_by_hand() {
        let unit = Unit::parse(b"a.mbox\t5\t9").unwrap();
        assert_eq!((unit.start, unit.end, unit.place), (5, Some(9), None));
        assert!(Unit::parse(b"a.mbox").unwrap().is_whole());
        for wrong in [&b"a\t9\t5"[..], b"a\tx", b"", b"{}", b"{\"path\":3}"] {
            assert!(Unit::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
