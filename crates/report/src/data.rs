//! The report as plain data: the content of `report.json`. The HTML page is made from it.

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format. It changes if the meaning of a field changes; new fields don't change
/// it.
pub const VERSION: u32 = 1;

/// The content of a report on the URLs of an archive.
///
/// Except in [`Report::counts`], numbers only include URLs that people wrote. URLs that software
/// adds are counted separately: those in header fields, footers, attributions, and around the
/// message on pages of mail archives. Dates are those of messages, in UTC.
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
    /// True if the scan was not interrupted before all input was read.
    pub complete: bool,
    /// The counts of the whole run, as in the summary of a scan.
    pub counts: Vec<Count>,
    /// The numbers of files and directories that were skipped, by reason.
    pub skipped: Vec<Count>,
    /// The files that could not be read.
    pub errors: Errors,
    /// The sources of the dates of messages.
    pub dates: Dates,
    /// The number of valid URLs that people wrote.
    pub urls: u64,
    /// The number of valid URLs that software added.
    pub added: u64,
    /// The number of valid URLs that software added, by their place, e.g. `footer`.
    pub added_places: Vec<Count>,
    /// The number of URLs that people wrote in messages without a date, or outside messages.
    pub undated: u64,
    /// The number of URLs that are not valid in the profile. They are only included in `faults`.
    pub malformed: u64,
    /// The number of URLs by scheme, the most frequent first.
    pub schemes: Vec<Count>,
    /// The number of URLs by month and scheme.
    pub months: Vec<Month>,
    /// The months in which hosts were first mentioned.
    pub first_seen: FirstSeen,
    /// The uses of hosts, which are in lower case and with A-labels.
    pub hosts: Uses,
    /// The uses of registered domains.
    pub domains: Uses,
    /// The uses of the hosts of URLs that software added.
    pub added_hosts: Uses,
    /// The number of URLs by top-level domain and year.
    pub tlds: Grid,
    /// The number of URLs by newsgroup or mailing list and year. Messages that name neither are
    /// counted under their file.
    pub lists: Grid,
    /// Counts of how URLs are written: by form, by line breaks and by encoding.
    pub writing: WritingCounts,
    /// The uses of URLs by sender, if the report was asked to count senders. The names are
    /// addresses in lower case.
    #[serde(skip_serializing_if = "Uses::is_empty")]
    pub senders: Uses,
    /// The violations and findings in URLs, the most frequent first.
    pub faults: Vec<Fault>,
    /// The uses of URLs with the schemes http, https and ftp.
    pub most_used: Uses,
}

/// A name, such as a form or a scheme, and its number of URLs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Count {
    /// The counted name, e.g. a scheme.
    pub name: String,
    /// The number.
    pub count: u64,
}

/// The number of errors while reading, and the files of the first ones.
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

/// The number of messages by the source of their date, and the messages without a date.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Dates {
    /// The number of messages for each source, e.g. the `Date` field.
    pub sources: Vec<Count>,
    /// The number of messages that have no date and no `Date` field.
    pub missing: u64,
    /// The number of messages that have no date because their `Date` field can't be parsed.
    pub unreadable: u64,
    /// The first `Date` fields that can't be parsed.
    pub examples: Vec<String>,
}

/// The number of URLs in a month, by scheme.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Month {
    /// The month, in the form `1994-12`.
    pub month: String,
    /// The number of URLs by scheme, the most frequent first.
    pub schemes: Vec<Count>,
}

/// The months in which hosts were first mentioned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct FirstSeen {
    /// True if a limit was reached, so that the numbers are lower bounds.
    pub at_least: bool,
    /// The number of hosts first mentioned in each month.
    pub months: Vec<Count>,
    /// The earliest URLs with new hosts, and the text around them.
    pub quotes: Vec<Quote>,
}

/// The first URL with a host, and the text around it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Quote {
    /// The host.
    pub host: String,
    /// The URL without line breaks and other layout.
    pub url: String,
    /// The position of the URL.
    pub place: Place,
    /// The text before the URL on its line.
    pub before: String,
    /// The URL as written, including line breaks.
    pub written: String,
    /// The text after the URL on its line.
    pub after: String,
}

/// The position of a URL: its message, file and line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Place {
    /// The date of the message.
    pub date: Option<String>,
    /// The newsgroups of the message, and its mailing list, at most 20.
    pub lists: Vec<String>,
    /// The number of newsgroups that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_lists: u64,
    /// The Message-ID of the message.
    pub message_id: Option<String>,
    /// The path of the file. For an archive member, `!/` and the member's name follow.
    pub path: String,
    /// The line in the file, counted from 1.
    pub line: u64,
    /// The link to the message: see [`Report::add_links`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde demands it")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The names of a kind, e.g. hosts, that occur most often, and how often each occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Uses {
    /// The number of names, including those that are not listed.
    pub names: u64,
    /// True if a limit was reached. There are more names in this case, and the listed numbers are
    /// lower bounds.
    pub at_least: bool,
    /// The names with the most uses, in descending order.
    pub most: Vec<Use>,
}

impl Uses {
    /// True if nothing was counted.
    fn is_empty(&self) -> bool {
        self.names == 0
    }
}

/// A name, such as a host, and the number of URLs and messages with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Use {
    /// The name, e.g. a host.
    pub name: String,
    /// The number of URLs, each counted every time it occurs.
    pub urls: u64,
    /// The number of distinct URLs after normalization.
    pub different: u64,
    /// The number of messages that contain such URLs.
    pub messages: u64,
    /// The date of the first message that contains such a URL.
    pub first: Option<String>,
    /// The date of the last message that contains such a URL.
    pub last: Option<String>,
    /// The number of URLs by year.
    pub years: Vec<(u16, u64)>,
}

/// A table of the number of URLs by name and year. The names are of one kind, such as mailing lists
/// or top-level domains.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Grid {
    /// The number of names, including those that are not listed.
    pub names: u64,
    /// True if a limit was reached, so that names that were first seen later are missing.
    pub at_least: bool,
    /// The names with the most URLs, in descending order.
    pub rows: Vec<NameCounts>,
}

/// A row of a [`Grid`]: a name, such as a mailing list or a top-level domain, and its number of
/// URLs per year.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct NameCounts {
    /// The name, e.g. a mailing list.
    pub name: String,
    /// The total number of URLs.
    pub urls: u64,
    /// The total number of messages. It is 0 for names whose messages are not counted.
    pub messages: u64,
    /// The number of URLs by year. Year 0 means no date.
    pub years: Vec<(u16, u64)>,
}

/// Counts of how URLs are written: by form, by place in the message, by line breaks and by
/// encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct WritingCounts {
    /// The number of URLs by form.
    pub forms: Vec<Count>,
    /// The number of URLs by their place in the message.
    pub places: Vec<Count>,
    /// The number of URLs that contain line breaks or other layout.
    pub broken: u64,
    /// The number of line breaks and other layout dropped from URLs, by kind and certainty, e.g.
    /// `wrapper/certain`.
    pub breaks: Vec<Count>,
    /// The number of URLs by the encodings that had to be decoded. URLs that are in the file
    /// literally are not included.
    pub decoded: Vec<Count>,
    /// The number of URLs broken after a hyphen that may or may not belong to the URL.
    pub hyphens: u64,
    /// The first URLs broken after a hyphen.
    pub readings: Vec<Readings>,
}

/// A URL broken after a hyphen, with its possible readings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Readings {
    /// The position of the URL.
    pub place: Place,
    /// The possible readings, the preferred one first.
    pub readings: Vec<String>,
}

/// A violation or finding, and the number of URLs that have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Fault {
    /// The code, as accepted by `urlsift explain`.
    pub code: String,
    /// The severity: `error`, `warning` or `info`.
    pub level: String,
    /// The number of URLs with this fault.
    pub count: u64,
    /// The number of URLs by year. Year 0 means no date.
    pub years: Vec<(u16, u64)>,
    /// The first URLs with this fault.
    pub examples: Vec<Example>,
}

/// An example of a URL with a fault.
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
    /// Fails if the serialization fails, which doesn't happen in practice.
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// Parses a report in JSON. Reports of any version are accepted; check [`Report::schema`] if
    /// the version matters.
    ///
    /// # Errors
    ///
    /// Fails if the JSON is invalid, or if the sum of all its numbers does not fit into 64 bits.
    /// The sum fits in every genuine report.
    pub fn from_json(text: &[u8]) -> serde_json::Result<Self> {
        // Later sums include each number at most once, so they can't overflow.
        sum_of_integers(&serde_json::from_slice(text)?)
            .ok_or_else(|| serde_json::Error::custom("its numbers are too large to be counted"))?;
        serde_json::from_slice(text)
    }
}

/// Returns the sum of all non-negative integers in a value, or `None` if it does not fit into 64
/// bits.
fn sum_of_integers(value: &Value) -> Option<u64> {
    let add = |sum: u64, inner| sum.checked_add(sum_of_integers(inner)?);
    match value {
        Value::Number(number) => Some(number.as_u64().unwrap_or_default()),
        Value::Array(values) => values.iter().try_fold(0, add),
        Value::Object(values) => values.values().try_fold(0, add),
        Value::Null | Value::Bool(_) | Value::String(_) => Some(0),
    }
}
