//! The report as plain data: what `report.json` holds, and all that the page is drawn from.

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the data: another one where what a field holds changes. Fields may be added.
pub const VERSION: u32 = 1;

/// All that is told of an archive. But for [`Report::counts`], numbers are of URLs that people wrote: those in footers and
/// header fields, which software adds, are counted apart. Dates are of messages, in UTC; texts of the archive
/// are as they stand there, without passwords.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Report {
    /// The version of the data: [`VERSION`].
    pub schema: u32,
    /// The version of the program.
    pub version: String,
    /// The command line.
    pub options: Vec<String>,
    /// Whether the run came to its end.
    pub complete: bool,
    /// What was counted in all: the numbers of a scan's summary.
    pub counts: Vec<Count>,
    /// Files and directories that were left unread, by the reason.
    pub skipped: Vec<Count>,
    /// What could not be read.
    pub errors: Errors,
    /// What tells when messages were sent.
    pub dates: Dates,
    /// URLs that people wrote.
    pub urls: u64,
    /// URLs in footers and header fields.
    pub added: u64,
    /// URLs that people wrote, in messages without a date or outside of messages.
    pub undated: u64,
    /// URLs that the profile does not accept. They are told of in `faults` only.
    pub malformed: u64,
    /// The schemes, the most frequent first.
    pub schemes: Vec<Count>,
    /// URLs by month and scheme.
    pub months: Vec<Month>,
    /// When hosts were seen first.
    pub first_seen: FirstSeen,
    /// The hosts, in lower case.
    pub hosts: Uses,
    /// The domains that somebody registered.
    pub domains: Uses,
    /// The hosts of URLs in footers and header fields.
    pub added_hosts: Uses,
    /// Top-level domains over the years.
    pub tlds: Grid,
    /// Newsgroups and lists over the years; of messages that name neither, files.
    pub lists: Grid,
    /// How URLs were written.
    pub writing: Writing,
    /// What is wrong or doubtful, the most frequent first.
    pub faults: Vec<Fault>,
    /// The URLs of http, https and ftp that were used most.
    pub most_used: Uses,
}

/// A name and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Count {
    /// What is counted.
    pub name: String,
    /// How many there are.
    pub count: u64,
}

/// What could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Errors {
    /// How many errors there were.
    pub count: u64,
    /// The first of them.
    pub first: Vec<FileError>,
}

/// A file that could not be read, or not to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct FileError {
    /// Its path, with the member of an archive behind `!/`.
    pub path: String,
    /// What went wrong.
    pub message: String,
}

/// What tells when messages were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Dates {
    /// Messages by what tells their date.
    pub sources: Vec<Count>,
    /// Messages without a date that have no `Date` field.
    pub missing: u64,
    /// Messages without a date whose `Date` field cannot be read.
    pub unreadable: u64,
    /// The first of such fields.
    pub examples: Vec<String>,
}

/// URLs of a month.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Month {
    /// The month: `1994-12`.
    pub month: String,
    /// URLs by scheme, the most frequent first.
    pub schemes: Vec<Count>,
}

/// When hosts were seen first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct FirstSeen {
    /// Whether a limit was reached, so that there were more.
    pub at_least: bool,
    /// New hosts by month.
    pub months: Vec<Count>,
    /// The first of all, in their lines.
    pub quotes: Vec<Quote>,
}

/// A URL in its line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Quote {
    /// The host.
    pub host: String,
    /// The URL without layout.
    pub url: String,
    /// Where it stands.
    pub place: Place,
    /// The line's text before it.
    pub before: String,
    /// The URL as it stands there, with the line breaks within it.
    pub written: String,
    /// The line's text behind it.
    pub after: String,
}

/// Where a URL stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Place {
    /// When its message was sent.
    pub date: Option<String>,
    /// The newsgroups of its message, and its mailing list.
    pub lists: Vec<String>,
    /// The Message-ID.
    pub message_id: Option<String>,
    /// The file, with the member of an archive behind `!/`.
    pub path: String,
    /// Its line in the file, from 1.
    pub line: u64,
}

/// Names by how often they are used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Uses {
    /// How many names there are.
    pub names: u64,
    /// Whether a limit was reached: there are more names, and of those listed there may have been more.
    pub at_least: bool,
    /// The most used ones.
    pub most: Vec<Use>,
}

/// A name and its uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Use {
    /// The name.
    pub name: String,
    /// URLs, each as often as it stands somewhere.
    pub urls: u64,
    /// How many different URLs these are, by their normalised form.
    pub different: u64,
    /// Messages that hold such URLs.
    pub messages: u64,
    /// The date of the first message.
    pub first: Option<String>,
    /// The date of the last message.
    pub last: Option<String>,
    /// URLs by year.
    pub years: Vec<(u16, u64)>,
}

/// Names by year.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Grid {
    /// How many names there are.
    pub names: u64,
    /// Whether a limit was reached: names that came later are not in it.
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
    /// URLs in all.
    pub urls: u64,
    /// Messages in all, where these are counted.
    pub messages: u64,
    /// URLs by year; the year 0 is none.
    pub years: Vec<(u16, u64)>,
}

/// How URLs were written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Writing {
    /// By the form in which they stand in the text.
    pub forms: Vec<Count>,
    /// By where in the message they stand.
    pub places: Vec<Count>,
    /// URLs with layout in them.
    pub broken: u64,
    /// Pieces of layout that were dropped from URLs, by kind and grade: `wrapper/certain`.
    pub breaks: Vec<Count>,
    /// By what had to be decoded to see them; the others stand in the file as they are.
    pub decoded: Vec<Count>,
    /// URLs broken after a hyphen, of which nobody can tell whether it belongs to them.
    pub hyphens: u64,
    /// The first of them.
    pub readings: Vec<Readings>,
}

/// A URL broken after a hyphen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Readings {
    /// Where it stands.
    pub place: Place,
    /// What it may be, the preferred reading first.
    pub readings: Vec<String>,
}

/// What is wrong with URLs, or doubtful.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Fault {
    /// The code, which `urlsift explain` explains.
    pub code: String,
    /// `error`, `warning` or `info`.
    pub level: String,
    /// URLs that have it, each as often as it has it.
    pub count: u64,
    /// The same by year; the year 0 is none.
    pub years: Vec<(u16, u64)>,
    /// The first of them.
    pub examples: Vec<Example>,
}

/// A URL with a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Example {
    /// Where it stands.
    pub place: Place,
    /// The URL.
    pub url: String,
}

impl Report {
    /// As JSON, with a line break at its end.
    ///
    /// # Errors
    ///
    /// None that can be thought of.
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// From JSON.
    ///
    /// # Errors
    ///
    /// What is wrong with it, also that its numbers together are more than 64 bits hold: no report has such. That it is of
    /// another version is for the caller to see.
    pub fn from_json(text: &[u8]) -> serde_json::Result<Self> {
        // Whatever is added up of it later, each number comes once in a sum.
        sum(&serde_json::from_slice(text)?)
            .ok_or_else(|| serde_json::Error::custom("its numbers are too large to be counted"))?;
        serde_json::from_slice(text)
    }
}

/// All numbers together that are no fractions and not negative.
fn sum(value: &Value) -> Option<u64> {
    let add = |sum: u64, inner| sum.checked_add(self::sum(inner)?);
    match value {
        Value::Number(number) => Some(number.as_u64().unwrap_or_default()),
        Value::Array(values) => values.iter().try_fold(0, add),
        Value::Object(values) => values.values().try_fold(0, add),
        Value::Null | Value::Bool(_) | Value::String(_) => Some(0),
    }
}
