//! The output that a worker renders for a task. It waits until all earlier tasks were printed.

use super::groups::{self, Key};
#[cfg(feature = "parquet")]
use super::parquet_file::{Packed, Packer};
use super::style::Style;
use super::text;
use crate::args::Format;
use crate::io::explain::{explain, explain_trouble};
use std::io;
use std::sync::Arc;
use urlsift_archive::Limit;
use urlsift_archive::unpack::Trouble;
#[cfg(feature = "parquet")]
use urlsift_arrow::Rows;
use urlsift_records::write::{JsonLines, cdx};
use urlsift_records::{FileName, Message, Tally, UrlRecord};
use urlsift_report::Batch;

/// The rendered output of one task.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    /// The rendered text.
    pub(crate) bytes: Vec<u8>,
    /// The writer of JSON Lines, which is reused.
    json: JsonLines,
    /// The rows of the table of URLs, which Parquet output has instead of bytes.
    #[cfg(feature = "parquet")]
    pub(crate) rows: Option<Box<Rows>>,
    /// The rows of the table of messages in Parquet output.
    #[cfg(feature = "parquet")]
    pub(super) message_rows: Option<Box<Rows>>,
    /// The counts for a report. Parquet output counts the same rows.
    pub(crate) counted: Option<Box<Batch>>,
    /// The compressor of the rows, if they are compressed before it is the turn of this output.
    #[cfg(feature = "parquet")]
    pub(crate) packer: Option<Box<Packer>>,
    /// The notes, ordered by position.
    pub(crate) notes: Vec<Note>,
    /// The counts of this output.
    pub(crate) tally: Tally,
    /// The number of bytes of files that were read.
    pub(crate) read: u64,
    /// The start and end of the unit, if units from a list are scanned. Error messages contain
    /// them.
    pub(crate) unit: Option<(u64, Option<u64>)>,
    /// True if standard output must be flushed after this output, because a reader may be waiting
    /// for it.
    pub(crate) at_once: bool,
}

/// An error to report.
#[derive(Debug)]
pub(crate) struct Complaint {
    pub(crate) message: String,
    /// The stable name of the error, if it has one.
    pub(crate) code: Option<&'static str>,
    /// The limit that was reached, if that is the error.
    pub(crate) limit: Option<Limit>,
}

impl From<String> for Complaint {
    fn from(message: String) -> Self {
        Self { message, code: None, limit: None }
    }
}

impl From<&io::Error> for Complaint {
    fn from(error: &io::Error) -> Self {
        Self { message: explain(error), code: None, limit: Limit::of_error(error) }
    }
}

impl From<&Trouble> for Complaint {
    fn from(trouble: &Trouble) -> Self {
        let limit = Limit::of_trouble(trouble);
        Self { message: explain_trouble(trouble), code: None, limit }
    }
}

/// The Message-ID of a message, and where the message is.
#[derive(Debug)]
pub(crate) struct MessagePlace {
    pub(crate) id: Vec<u8>,
    pub(crate) file: Arc<FileName>,
    pub(crate) start: u64,
}

/// Something that the [`OrderedWriter`](super::ordered_writer::OrderedWriter) must know or do at a
/// position in the rendered output. Positions are offsets in the bytes, or numbers of rows.
#[derive(Debug)]
pub(crate) enum Note {
    /// The record of a URL starts here. `key` is the URL's normalized form, set with `--unique`.
    /// `message` is the message that contains the URL, set with `--dedupe`. They decide whether the
    /// record is printed.
    Record { from: usize, key: Option<Box<[u8]>>, message: Option<Box<MessagePlace>> },
    /// The output from here to the next record is printed in any case.
    Plain { from: usize },
    /// An error to report on standard error.
    Error { at: usize, file: Arc<FileName>, message: String },
    /// The number of URLs that were found in a unit of a file. `ends` is false if the file
    /// continues in the next unit.
    Found { file: Arc<FileName>, urls: u64, ends: bool },
    /// The first group of lines of a file starts here. The writer prints a separator before it,
    /// unless it is the first group of all files.
    Group { at: usize },
    /// With `--by`: the groups in which `urls` URLs are counted.
    Count { keys: Vec<Key>, file: Arc<FileName>, message: Option<Arc<Message>>, urls: u64 },
    /// With Parquet: a file starts.
    #[cfg(feature = "parquet")]
    File { file: Arc<FileName> },
    /// With Parquet: the counts of a unit that starts at offset `start`.
    #[cfg(feature = "parquet")]
    Unit { file: Arc<FileName>, start: u64, tally: Tally },
    /// With Parquet and `--dedupe`: a message and the number of its URLs. The message may be a
    /// duplicate of one in another task's output.
    #[cfg(feature = "parquet")]
    Message { file: Arc<FileName>, message: Box<Message>, urls: u64 },
}

impl Rendered {
    /// Returns the current end of the output, as a position for notes.
    fn at(&self) -> usize {
        #[cfg(feature = "parquet")]
        if let Some(rows) = &self.rows {
            return rows.len();
        }
        if let Some(counted) = &self.counted {
            return counted.len();
        }
        self.bytes.len()
    }

    /// Returns the approximate number of bytes that remain to be printed or compressed.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        #[cfg(feature = "parquet")]
        if let (Some(rows), Some(_)) = (&self.rows, &self.packer) {
            return rows.size();
        }
        #[cfg(feature = "parquet")]
        if let Some(rows) = &self.rows {
            return rows.size() + self.size_of_others();
        }
        self.bytes.len() + self.counted.as_ref().map_or(0, |counted| counted.size())
    }

    /// Returns the approximate memory of the output, in bytes.
    pub(crate) fn weight(&self) -> usize {
        #[cfg(feature = "parquet")]
        if let Some(packer) = &self.packer {
            return self.size() + packer.size() + self.size_of_others();
        }
        self.size()
    }

    /// Returns the approximate memory of the rows of URLs, in bytes.
    #[cfg(feature = "parquet")]
    pub(crate) fn size_of_rows(&self) -> usize {
        self.rows.as_ref().map_or(0, |rows| rows.size())
    }

    /// Returns the approximate memory of everything except the rows of URLs, in bytes.
    #[cfg(feature = "parquet")]
    fn size_of_others(&self) -> usize {
        let counted = self.counted.as_ref().map_or(0, |counted| counted.size());
        counted + self.message_rows.as_ref().map_or(0, |rows| rows.size())
    }

    /// Passes the rows so far to the compressor.
    #[cfg(feature = "parquet")]
    pub(crate) fn pack(&mut self) -> io::Result<()> {
        let Some(rows) = &mut self.rows else { return Ok(()) };
        let packer = match &mut self.packer {
            Some(packer) => packer,
            None => self.packer.insert(Box::new(Packer::new(rows).map_err(io::Error::other)?)),
        };
        let batch = rows.finish().map_err(io::Error::other)?;
        packer.write(&batch).map_err(io::Error::other)
    }

    /// If compression was started, compresses the last rows and completes their row group.
    #[cfg(feature = "parquet")]
    pub(crate) fn end_packing(&mut self) -> io::Result<()> {
        if self.packer.is_some() {
            self.pack()?;
        }
        self.packer.as_mut().map_or(Ok(()), |packer| packer.end()).map_err(io::Error::other)
    }

    /// Completes the compression, if it was started, and removes and returns the row groups.
    #[cfg(feature = "parquet")]
    pub(super) fn take_packed(&mut self) -> io::Result<Vec<Packed>> {
        self.end_packing()?;
        Ok(self.packer.take().map_or_else(Vec::new, |packer| packer.into_packed()))
    }

    /// Adds a note that a file starts.
    pub(crate) fn file(&mut self, style: &Style, file: &Arc<FileName>) {
        #[cfg(feature = "parquet")]
        if style.format == Format::Parquet {
            self.notes.push(Note::File { file: Arc::clone(file) });
        }
        #[cfg(not(feature = "parquet"))]
        let _ = (self, style, file);
    }

    /// Adds a message. Must be called after its URLs were added.
    pub(crate) fn message(
        &mut self,
        style: &Style,
        file: &Arc<FileName>,
        message: &Message,
        urls: u64,
    ) {
        self.counted().message(file, message);
        #[cfg(feature = "parquet")]
        if style.format == Format::Parquet && style.dedupe {
            let (file, message) = (Arc::clone(file), Box::new(message.clone()));
            self.notes.push(Note::Message { file, message, urls });
        } else if style.format == Format::Parquet {
            let rows = self.message_rows.get_or_insert_with(|| Box::new(Rows::messages()));
            rows.message(file, message, urls, None);
        }
        #[cfg(not(feature = "parquet"))]
        let _ = (style, urls);
    }

    /// Returns the counts for a report, for changing them.
    fn counted(&mut self) -> &mut Batch {
        self.counted.get_or_insert_default()
    }

    /// Returns the rows of the table of URLs, for adding to them.
    #[cfg(feature = "parquet")]
    fn rows(&mut self, style: &Style) -> &mut Rows {
        self.rows.get_or_insert_with(|| Box::new(Rows::urls(&style.columns)))
    }

    /// Adds the record of a URL.
    pub(crate) fn url(&mut self, style: &Style, record: &UrlRecord<'_>) {
        if style.notes_records() {
            let form = record.normalized.as_deref().filter(|_| style.unique.is_some());
            let message = record.message.as_ref().filter(|_| style.dedupe).and_then(|message| {
                let (id, file) = (message.id.clone()?, Arc::clone(&record.file));
                Some(Box::new(MessagePlace { id, file, start: message.span.start }))
            });
            let (from, key) = (self.at(), form.map(Box::from));
            self.notes.push(Note::Record { from, key, message });
        }
        if style.per_file.is_some() {
            return;
        }
        if let Some(by) = style.by {
            let message = record.message.as_deref();
            // A message may be in many newsgroups and contain many URLs.
            if groups::is_of_message(by)
                && let (Some(message), Some(Note::Count { file, message: Some(last), urls, .. })) =
                    (message, self.notes.last_mut())
                && last.span == message.span
                && file == &*record.file
            {
                *urls += 1;
                return;
            }
            let (keys, file) = (groups::keys(by, record), Arc::clone(&record.file));
            let message = message.cloned();
            self.notes.push(Note::Count { keys, file, message, urls: 1 });
            return;
        }
        if style.is_counted() {
            self.counted().url(record);
            #[cfg(feature = "parquet")]
            if style.format == Format::Parquet {
                self.rows(style).url(record);
            }
            return;
        }
        let out = &mut self.bytes;
        if let Some(table) = style.table() {
            table.row(&style.columns, out, record);
        } else if style.format == Format::Jsonl {
            self.json.write(record, out);
        } else if style.format == Format::Cdx {
            cdx::line(out, record);
        } else {
            text::write(style, out, record, record.absolute());
            if style.readings {
                for other in &*record.other_readings {
                    text::write(style, out, record, other);
                }
            }
        }
    }

    /// Adds an error: a note with the line for standard error, and in JSON Lines also a record.
    pub(crate) fn error(
        &mut self,
        style: &Style,
        file: &Arc<FileName>,
        complaint: impl Into<Complaint>,
    ) {
        let Complaint { mut message, code, limit } = complaint.into();
        self.tally.errors += 1;
        if let Some(limit) = limit {
            self.tally.limits.add(limit, 1);
        }
        self.notes.push(Note::Plain { from: self.at() });
        if style.format == Format::Jsonl && style.per_file.is_none() {
            file.write_error_in(self.unit, &message, code, &mut self.bytes);
        }
        if style.is_counted() {
            self.counted().skip();
        }
        #[cfg(feature = "parquet")]
        if style.format == Format::Parquet {
            let unit = self.unit;
            self.rows(style).error_in(file, unit, &message);
        }
        if let Some((start, end)) = self.unit.filter(|unit| *unit != (0, None)) {
            let end = end.map(|end| format!(" to {end}")).unwrap_or_default();
            message = format!("{message} (unit from {start}{end})");
        }
        let file = Arc::clone(file);
        self.notes.push(Note::Error { at: self.at(), file, message });
    }
}
