//! Saves the data of batches, so that a report can be made later without another scan. A scan that
//! writes its tables in parts saves this data for each part.
//!
//! The format is a line with its name and version, and entries. The length of an entry comes before
//! the entry, which has postcard's format. The last entry is an end mark. Values with a fixed set of
//! names are saved as names. The format may change with any release. Data can only be read by a
//! release with the same version of the format.

use crate::batch::{Batch, Extra, Found, MessageCount, Piece, UrlMessage};
use crate::collector::Collector;
use crate::limits;
use crate::names::Map;
use crate::uses::truncate_name;
use serde::{Deserialize, Serialize, Serializer};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::Arc;
use urlsift_core::Code;
use urlsift_records::fields::{Field, Value, join, message, url};
use urlsift_records::{FileName, Utc};

/// The first line: the name of the format, and its version.
const START: &[u8] = b"urlsift report data 2\n";

/// The maximum length of an entry in bytes. Batches are far smaller.
const MAX_ENTRY_LEN: u32 = 1 << 30;

#[derive(Serialize, Deserialize)]
enum Entry<'a> {
    /// The end mark.
    End,
    #[serde(borrow)]
    Batch(SavedBatch<'a>),
    Error(SavedFile<'a>, Text<'a>),
}

/// The data of a [`Batch`], without the rows that are not saved.
#[derive(Serialize, Deserialize)]
struct SavedBatch<'a> {
    #[serde(borrow)]
    files: Vec<SavedFile<'a>>,
    messages: Vec<SavedMessage<'a>>,
    message_counts: Vec<SavedCount<'a>>,
    urls: Vec<SavedUrl<'a>>,
}

#[derive(Serialize, Deserialize)]
struct SavedFile<'a> {
    #[serde(borrow)]
    path: Text<'a>,
    member: Option<Text<'a>>,
}

#[derive(Serialize, Deserialize)]
struct SavedMessage<'a> {
    start: u64,
    date: Option<i64>,
    #[serde(borrow)]
    id: Option<Text<'a>>,
    sender: Option<Text<'a>>,
    names: Vec<Text<'a>>,
}

#[derive(Serialize, Deserialize)]
struct SavedCount<'a> {
    file: u32,
    start: u64,
    date: Option<i64>,
    date_source: Option<&'a str>,
    #[serde(borrow)]
    date_raw: Option<Text<'a>>,
    is_outermost: bool,
    names: Vec<Text<'a>>,
}

#[derive(Serialize, Deserialize)]
struct SavedUrl<'a> {
    file: u32,
    message: Option<u32>,
    line: u64,
    #[serde(borrow)]
    scheme: Text<'a>,
    url: Text<'a>,
    /// The normalized URL, if it differs from `url`.
    normalized: Option<Text<'a>>,
    host: Option<Text<'a>>,
    domain: Option<Text<'a>>,
    tld: Option<Text<'a>>,
    form: &'a str,
    place: &'a str,
    is_added: bool,
    is_valid: bool,
    /// The text around the URL, if the report may quote it.
    quoted: Option<[Text<'a>; 3]>,
    extras: Vec<SavedExtra<'a>>,
}

#[derive(Serialize, Deserialize)]
enum SavedExtra<'a> {
    Fault(&'a str, &'a str),
    Break(&'a str, &'a str),
    Decoded(&'a str),
    #[serde(borrow)]
    Reading(Text<'a>),
}

/// A text, which need not be UTF-8.
#[derive(Clone, Copy, Deserialize)]
struct Text<'a>(&'a [u8]);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// A writer that saves the data that a [`Collector`] counts. It has the same methods, and
/// [`Collector::count_saved`] counts the saved data as if these calls had been made on the
/// collector.
#[derive(Debug)]
pub struct Saver<W> {
    out: W,
    /// The bytes that were not written yet.
    bytes: Vec<u8>,
    /// The rows of the current batch that are saved.
    rows: Vec<Range<usize>>,
    /// The first dates of hosts. Only URLs with an earlier date can be quoted in the report, so the
    /// text around all others is not saved.
    first_dates: Map<Box<[u8]>, Utc>,
}

impl<W: Write> Saver<W> {
    /// Creates a saver that writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, bytes: START.to_vec(), rows: Vec::new(), first_dates: Map::default() }
    }

    /// Saves the URLs in the range `rows` of a batch's rows. Call [`Saver::count_messages`] after
    /// the last rows of the batch.
    pub fn count_urls(&mut self, rows: Range<usize>) {
        self.rows.push(rows);
    }

    /// Saves the messages of a batch, and the URLs in the rows that were passed to
    /// [`Saver::count_urls`] before.
    ///
    /// # Errors
    ///
    /// Returns any error from the writer.
    pub fn count_messages(&mut self, batch: &Batch) -> io::Result<()> {
        let names = |names: &Range<usize>| {
            batch.names[names.clone()].iter().map(|&name| text(batch, name)).collect()
        };
        let optional = |piece: Option<Piece>| piece.map(|piece| text(batch, piece));
        let messages = batch.messages.iter().map(|message| SavedMessage {
            start: message.start,
            date: message.date.map(Utc::timestamp),
            id: optional(message.id),
            sender: optional(message.sender),
            names: names(&message.names),
        });
        let message_counts = batch.message_counts.iter().map(|message| SavedCount {
            file: message.file,
            start: message.start,
            date: message.date.map(Utc::timestamp),
            date_source: message.date_source,
            date_raw: optional(message.date_raw),
            is_outermost: message.is_outermost,
            names: names(&message.names),
        });
        let (mut urls, mut extra) = (Vec::new(), 0);
        for row in std::mem::take(&mut self.rows).into_iter().flatten() {
            let Some(found) = &batch.rows[row] else { continue };
            let extras = batch.extras_of_row(row, extra);
            extra = extras.end;
            let quoted = self.may_be_quoted(batch, found);
            let (url, normalized) = (text(batch, found.url), text(batch, found.normalized));
            urls.push(SavedUrl {
                file: found.file,
                message: found.message,
                line: found.line,
                scheme: text(batch, found.scheme),
                url,
                normalized: (url.0 != normalized.0).then_some(normalized),
                host: optional(found.host),
                domain: optional(found.domain),
                tld: optional(found.tld),
                form: found.form,
                place: found.place,
                is_added: found.is_added,
                is_valid: found.is_valid,
                quoted: quoted.then(|| found.quoted.map(|piece| text(batch, piece))),
                extras: batch.extras[extras].iter().map(|(_, extra)| saved(batch, extra)).collect(),
            });
        }
        let saved = SavedBatch {
            files: batch.files.iter().map(|file| SavedFile::of(file)).collect(),
            messages: messages.collect(),
            message_counts: message_counts.collect(),
            urls,
        };
        self.write(&Entry::Batch(saved))
    }

    /// Saves a file that could not be read, and the error message.
    ///
    /// # Errors
    ///
    /// Returns any error from the writer.
    pub fn count_error(&mut self, file: &FileName, message: &str) -> io::Result<()> {
        self.write(&Entry::Error(SavedFile::of(file), Text(message.as_bytes())))
    }

    /// Writes the end mark, and returns the writer. Data without an end mark is incomplete.
    ///
    /// # Errors
    ///
    /// Returns any error from the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.write(&Entry::End)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn write(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let entry = postcard::to_stdvec(entry).map_err(io::Error::other)?;
        let len = u32::try_from(entry.len()).unwrap_or(u32::MAX);
        if len > MAX_ENTRY_LEN {
            return Err(io::Error::other("too much data for a report"));
        }
        self.bytes.extend_from_slice(&len.to_le_bytes());
        self.bytes.extend_from_slice(&entry);
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    /// True if the report may quote the URL `found`: its message has an earlier date than all
    /// earlier URLs with the same host.
    fn may_be_quoted(&mut self, batch: &Batch, found: &Found) -> bool {
        let date = found.message.and_then(|message| batch.messages[message as usize].date);
        let (Some(host), Some(date)) = (found.host, date) else { return false };
        if found.is_added || !found.is_valid {
            return false;
        }
        let host = truncate_name(batch.bytes_of(host));
        if let Some(first) = self.first_dates.get_mut(host) {
            let is_first = date < *first;
            *first = date.min(*first);
            return is_first;
        }
        if self.first_dates.len() < limits::HOSTS {
            self.first_dates.insert(host.into(), date);
        }
        true
    }
}

impl<'a> SavedFile<'a> {
    fn of(file: &'a FileName) -> Self {
        Self { path: Text(&file.path), member: file.member.as_deref().map(Text) }
    }

    fn name(&self) -> FileName {
        let file = FileName::new(self.path.0);
        match self.member {
            Some(member) => file.with_member(member.0),
            None => file,
        }
    }
}

fn text(batch: &Batch, piece: Piece) -> Text<'_> {
    Text(batch.bytes_of(piece))
}

fn saved<'a>(batch: &'a Batch, extra: &Extra) -> SavedExtra<'a> {
    match *extra {
        Extra::Fault(code, level) => SavedExtra::Fault(code, level.name()),
        Extra::Break(kind, grade) => SavedExtra::Break(kind, grade),
        Extra::Decoded(layer) => SavedExtra::Decoded(layer),
        Extra::Reading(piece) => SavedExtra::Reading(text(batch, piece)),
    }
}

impl Collector {
    /// Counts data that a [`Saver`] wrote. The memory is bounded by the largest batch that was
    /// saved. `source` should be buffered.
    ///
    /// # Errors
    ///
    /// Fails if the data can't be read, is damaged or incomplete, or was written by another
    /// version. Some of the data may have been counted then.
    pub fn count_saved(&mut self, mut source: impl Read) -> io::Result<()> {
        let mut start = [0; START.len()];
        source.read_exact(&mut start)?;
        if start != START {
            return Err(io::Error::other(
                "unsupported version; use the release of urlsift that wrote the data",
            ));
        }
        let (mut batch, mut bytes) = (Batch::default(), Vec::new());
        loop {
            let mut len = [0; 4];
            source.read_exact(&mut len)?;
            let len = u32::from_le_bytes(len);
            if len > MAX_ENTRY_LEN {
                return Err(damaged());
            }
            bytes.clear();
            // The length may be wrong, so no memory is reserved.
            if source.by_ref().take(len.into()).read_to_end(&mut bytes)? as u64 != u64::from(len) {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            match postcard::from_bytes(&bytes).map_err(|_| damaged())? {
                Entry::End => return Ok(()),
                Entry::Error(file, message) => {
                    self.count_error(&file.name(), &String::from_utf8_lossy(message.0));
                }
                Entry::Batch(saved) => {
                    batch.clear();
                    batch.restore(&saved)?;
                    self.count_urls(&batch, 0..batch.len());
                    self.count_messages(&batch);
                }
            }
        }
    }
}

impl Batch {
    /// Adds saved data to the batch, which must be empty.
    fn restore(&mut self, saved: &SavedBatch<'_>) -> io::Result<()> {
        let files = saved.files.len();
        self.files.extend(saved.files.iter().map(|file| Arc::new(file.name())));
        for message in &saved.messages {
            let message = UrlMessage {
                start: message.start,
                date: message.date.map(date).transpose()?,
                id: self.push_optional(message.id),
                sender: self.push_optional(message.sender),
                names: self.restore_names(&message.names),
            };
            self.messages.push(message);
        }
        for message in &saved.message_counts {
            let message = MessageCount {
                file: index(message.file, files)?,
                start: message.start,
                date: message.date.map(date).transpose()?,
                date_source: message
                    .date_source
                    .map(|source| name(&message::DATE_SOURCE, source))
                    .transpose()?,
                date_raw: self.push_optional(message.date_raw),
                is_outermost: message.is_outermost,
                names: self.restore_names(&message.names),
            };
            self.message_counts.push(message);
        }
        let messages = self.messages.len();
        for (row, saved) in (0..).zip(&saved.urls) {
            let url = self.push_text(saved.url.0);
            let found = Found {
                file: index(saved.file, files)?,
                message: saved.message.map(|message| index(message, messages)).transpose()?,
                line: saved.line,
                scheme: self.push_text(saved.scheme.0),
                url,
                normalized: self.push_optional(saved.normalized).unwrap_or(url),
                host: self.push_optional(saved.host),
                domain: self.push_optional(saved.domain),
                tld: self.push_optional(saved.tld),
                form: name(&url::FORM, saved.form)?,
                place: name(&url::PLACE, saved.place)?,
                is_added: saved.is_added,
                is_valid: saved.is_valid,
                quoted: saved.quoted.unwrap_or([Text(b""); 3]).map(|text| self.push_text(text.0)),
            };
            self.rows.push(Some(found));
            for extra in &saved.extras {
                let extra = match *extra {
                    SavedExtra::Fault(code, level) => {
                        let code = Code::by_name(code).ok_or_else(damaged)?;
                        Extra::Fault(code.name(), level.parse().map_err(|_| damaged())?)
                    }
                    SavedExtra::Break(kind, grade) => {
                        Extra::Break(name(&join::KIND, kind)?, name(&join::GRADE, grade)?)
                    }
                    SavedExtra::Decoded(layer) => Extra::Decoded(name(&url::DECODED, layer)?),
                    SavedExtra::Reading(text) => Extra::Reading(self.push_text(text.0)),
                };
                self.extras.push((row, extra));
            }
        }
        Ok(())
    }

    fn push_optional(&mut self, text: Option<Text<'_>>) -> Option<Piece> {
        text.map(|text| self.push_text(text.0))
    }

    fn restore_names(&mut self, names: &[Text<'_>]) -> Range<usize> {
        let start = self.names.len();
        for name in names {
            let name = self.push_text(name.0);
            self.names.push(name);
        }
        start..self.names.len()
    }
}

/// Returns one of the names that the values of `field` have.
fn name(field: &Field, saved: &str) -> io::Result<&'static str> {
    let (Value::Name(names) | Value::Names(names)) = field.value else { return Err(damaged()) };
    names.iter().find(|known| **known == saved).copied().ok_or_else(damaged)
}

/// Checks that `number` is an index of a list with `len` elements.
fn index(number: u32, len: usize) -> io::Result<u32> {
    if (number as usize) < len { Ok(number) } else { Err(damaged()) }
}

fn date(seconds: i64) -> io::Result<Utc> {
    Utc::from_timestamp(seconds).ok_or_else(damaged)
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the data of the report is damaged")
}
