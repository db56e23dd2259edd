//! The report as plain data: the content of `report.json`, from which the page is drawn.

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format. It changes if the meaning of a field changes; new fields don't change
/// it.
pub const VERSION: u32 = 1;

/// The report on an archive.
///
/// Except in [`Report::counts`], numbers only include URLs that people wrote. URLs in footers and
/// header fields, which software adds, are counted separately. Dates are those of messages, in UTC.
/// Texts from the archive are copied literally, except that passwords are masked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Report {
    /// The version of the format: [`VERSION`].
    pub schema: u32,
    /// The version of the program.
    pub version: String,
    /// The command line.
    pub options: Vec<String>,
    /// True if the run was not interrupted.
    pub complete: bool,
    /// The total counts, as in the summary of a scan.
    pub counts: Vec<Count>,
    /// The number of files and directories that were skipped, by reason.
    pub skipped: Vec<Count>,
    /// The files that could not be read.
    pub errors: Errors,
    /// The sources of message dates.
    pub dates: Dates,
    /// URLs that people wrote.
    pub urls: u64,
    /// URLs in footers and header fields.
    pub added: u64,
    /// URLs that people wrote in messages without a date, or outside messages.
    pub undated: u64,
    /// URLs that the profile does not accept. They only occur in `faults`.
    pub malformed: u64,
    /// The schemes, the most frequent first.
    pub schemes: Vec<Count>,
    /// URLs by month and scheme.
    pub months: Vec<Month>,
    /// The dates at which hosts were first seen.
    pub first_seen: FirstSeen,
    /// The hosts, in lower case.
    pub hosts: Uses,
    /// The registered domains.
    pub domains: Uses,
    /// The hosts of URLs in footers and header fields.
    pub added_hosts: Uses,
    /// Top-level domains over the years.
    pub tlds: Grid,
    /// Newsgroups and lists over the years; of messages that name neither, files.
    pub lists: Grid,
    /// The forms and the layout of URLs.
    pub writing: Writing,
    /// The errors and warnings, the most frequent first.
    pub faults: Vec<Fault>,
    /// The most used URLs with the schemes http, https and ftp.
    pub most_used: Uses,
}

/// A name and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Count {
    /// The name of what is counted.
    pub name: String,
    /// The number.
    pub count: u64,
}

/// The files that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Errors {
    /// The total number of errors.
    pub count: u64,
    /// The first errors.
    pub first: Vec<FileError>,
}

/// A file that could not be read completely.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct FileError {
    /// The path; for an archive member, followed by `!/` and the member's name.
    pub path: String,
    /// The error message.
    pub message: String,
}

/// The sources of message dates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Dates {
    /// The number of messages for each source.
    pub sources: Vec<Count>,
    /// Messages without a date that have no `Date` field.
    pub missing: u64,
    /// Messages without a date whose `Date` field can't be parsed.
    pub unreadable: u64,
    /// The first of these fields.
    pub examples: Vec<String>,
}

/// The URLs of a month.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Month {
    /// The month: `1994-12`.
    pub month: String,
    /// URLs by scheme, the most frequent first.
    pub schemes: Vec<Count>,
}

/// The dates at which hosts were first seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct FirstSeen {
    /// True if a limit was reached, so that the numbers are lower bounds.
    pub at_least: bool,
    /// New hosts by month.
    pub months: Vec<Count>,
    /// The earliest hosts, with the lines that mention them.
    pub quotes: Vec<Quote>,
}

/// A URL and its line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Quote {
    /// The host.
    pub host: String,
    /// The URL without layout.
    pub url: String,
    /// The position of the URL.
    pub place: Place,
    /// The line's text before it.
    pub before: String,
    /// The URL as written, including line breaks.
    pub written: String,
    /// The line's text after it.
    pub after: String,
}

/// The position of a URL.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Place {
    /// The date of its message.
    pub date: Option<String>,
    /// The newsgroups of its message, and its mailing list.
    pub lists: Vec<String>,
    /// The Message-ID.
    pub message_id: Option<String>,
    /// The file; for an archive member, followed by `!/` and the member's name.
    pub path: String,
    /// The line in the file, counted from 1.
    pub line: u64,
}

/// Names and their uses, sorted by frequency.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Uses {
    /// The number of names.
    pub names: u64,
    /// True if a limit was reached: there are more names, and the listed numbers are lower bounds.
    pub at_least: bool,
    /// The most used names.
    pub most: Vec<Use>,
}

/// A name and its uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Use {
    /// The name.
    pub name: String,
    /// The number of URLs, each counted every time it occurs.
    pub urls: u64,
    /// The number of different URLs after normalization.
    pub different: u64,
    /// The number of messages that contain such URLs.
    pub messages: u64,
    /// The date of the first message.
    pub first: Option<String>,
    /// The date of the last message.
    pub last: Option<String>,
    /// URLs by year.
    pub years: Vec<(u16, u64)>,
}

/// Names and their numbers by year.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Grid {
    /// The number of names.
    pub names: u64,
    /// True if a limit was reached: names that came later are missing.
    pub at_least: bool,
    /// The names with the most URLs.
    pub rows: Vec<Row>,
}

/// A name and its years.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Row {
    /// The name.
    pub name: String,
    /// The total number of URLs.
    pub urls: u64,
    /// The total number of messages, if they are counted.
    pub messages: u64,
    /// URLs by year; year 0 means no date.
    pub years: Vec<(u16, u64)>,
}

/// The forms and the layout of URLs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Writing {
    /// URLs by form.
    pub forms: Vec<Count>,
    /// URLs by their place in the message.
    pub places: Vec<Count>,
    /// URLs that contain layout, such as line breaks.
    pub broken: u64,
    /// Pieces of layout that were dropped from URLs, by kind and certainty: `wrapper/certain`.
    pub breaks: Vec<Count>,
    /// URLs by the layers that had to be decoded. URLs that are in the file literally are not
    /// included.
    pub decoded: Vec<Count>,
    /// URLs broken after a hyphen that may or may not be part of them.
    pub hyphens: u64,
    /// The first of these URLs.
    pub readings: Vec<Readings>,
}

/// A URL broken after a hyphen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Readings {
    /// The position of the URL.
    pub place: Place,
    /// The possible readings, the preferred one first.
    pub readings: Vec<String>,
}

/// A kind of error or warning.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Fault {
    /// The code, as accepted by `urlsift explain`.
    pub code: String,
    /// `error`, `warning` or `info`.
    pub level: String,
    /// The number of occurrences in URLs.
    pub count: u64,
    /// The same number by year; year 0 means no date.
    pub years: Vec<(u16, u64)>,
    /// The first occurrences.
    pub examples: Vec<Example>,
}

/// An example of a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Example {
    /// The position of the URL.
    pub place: Place,
    /// The URL.
    pub url: String,
}

impl Report {
    /// Returns the report as JSON, with a trailing line break.
    ///
    /// # Errors
    ///
    /// No error is known to occur.
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// Parses a report in JSON. Check [`Report::schema`] yourself if the version matters.
    ///
    /// # Errors
    ///
    /// Returns an error if the JSON is invalid, or if the sum of its numbers does not fit into 64
    /// bits, as it does in any genuine report.
    pub fn from_json(text: &[u8]) -> serde_json::Result<Self> {
        // Later sums include each number at most once, so they can't overflow.
        sum(&serde_json::from_slice(text)?)
            .ok_or_else(|| serde_json::Error::custom("its numbers are too large to be counted"))?;
        serde_json::from_slice(text)
    }
}

/// Returns the sum of all non-negative integers in a value.
fn sum(value: &Value) -> Option<u64> {
    let add = |sum: u64, inner| sum.checked_add(self::sum(inner)?);
    match value {
        Value::Number(number) => Some(number.as_u64().unwrap_or_default()),
        Value::Array(values) => values.iter().try_fold(0, add),
        Value::Object(values) => values.values().try_fold(0, add),
        Value::Null | Value::Bool(_) | Value::String(_) => Some(0),
    }
}
