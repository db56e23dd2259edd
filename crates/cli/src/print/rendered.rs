//! The output that a worker renders for a task. It waits until all earlier tasks were printed.

#[cfg(feature = "parquet")]
use super::{
    parquet_file::{Packed, Packer},
    style::Style,
};
use crate::io::explain::{explain, explain_trouble};
use std::io;
use std::sync::Arc;
use urlsift_archive::Limit;
use urlsift_archive::unpack::{Trouble, Unreadable, UnreadableFormat};
#[cfg(feature = "parquet")]
use urlsift_arrow::Rows;
use urlsift_records::fields::error_code;
use urlsift_records::write::JsonLines;
use urlsift_records::{FileName, Message, Tally};
use urlsift_report::Batch;

/// The size in bytes at which the rows of an output are compressed before its turn. They become a
/// row group of their own, and a small row group costs more to write and to read than its rows.
#[cfg(feature = "parquet")]
const PACK_AT: usize = 2 << 20;

/// The rendered output of one task, which the
/// [`OrderedWriter`](super::ordered_writer::OrderedWriter) prints when it is the task's turn.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    /// The rendered text.
    pub(crate) bytes: Vec<u8>,
    pub(super) json: JsonLines,
    /// With Parquet, instead of bytes: rows of the table of URLs.
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
    pub(super) notes: Vec<Note>,
    /// The approximate memory of the notes, in bytes.
    note_bytes: usize,
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

/// An error to report about a file: the message, and data about the error that only some output
/// formats contain.
#[derive(Debug)]
pub(crate) struct Complaint {
    pub(crate) message: String,
    /// The stable name of the error, if it has one.
    pub(crate) code: Option<&'static str>,
    /// The limit that was reached, if that is the error.
    pub(crate) limit: Option<Limit>,
    /// The format of the file, if it can't be read.
    pub(crate) format: Option<&'static UnreadableFormat>,
}

impl From<String> for Complaint {
    fn from(message: String) -> Self {
        Self { message, code: None, limit: None, format: None }
    }
}

impl From<&io::Error> for Complaint {
    fn from(error: &io::Error) -> Self {
        Self { limit: Limit::from_error(error), ..explain(error).into() }
    }
}

impl From<&Trouble> for Complaint {
    fn from(trouble: &Trouble) -> Self {
        if let Trouble::Unread(reason) = trouble {
            return (*reason).into();
        }
        let (code, limit) = (error_code(trouble), Limit::from_trouble(trouble));
        Self { code, limit, ..explain_trouble(trouble).into() }
    }
}

impl From<Unreadable> for Complaint {
    fn from(reason: Unreadable) -> Self {
        let code = error_code(&Trouble::Unread(reason));
        Self { code, format: reason.format(), ..reason.to_string().into() }
    }
}

/// The key of a group. `None` is the group of URLs without the property.
pub(crate) type Key = Option<Box<[u8]>>;

/// The Message-ID and the position of a message, to recognize repeated messages.
#[derive(Debug)]
pub(crate) struct MessagePlace {
    pub(crate) id: Vec<u8>,
    pub(crate) file: Arc<FileName>,
    pub(crate) start: u64,
}

/// A note to the [`OrderedWriter`](super::ordered_writer::OrderedWriter) at a position in the
/// rendered output, e.g. that an error occurred there. Positions are byte offsets in the output or
/// numbers of rows.
#[derive(Debug)]
#[cfg_attr(
    feature = "parquet",
    expect(clippy::large_enum_variant, reason = "there is one large note per unit")
)]
pub(crate) enum Note {
    /// The record of a URL starts here. `key` is the URL's normalized form, set with `--unique`.
    /// `message` is the message that contains the URL, set with `--dedupe`. They decide whether the
    /// record is printed.
    Record { from: usize, key: Option<Box<[u8]>>, message: Option<Box<MessagePlace>> },
    /// The output from here to the next record is printed in any case.
    Plain { from: usize },
    /// An error to report on standard error. For files of an unreadable `format`, one line per
    /// format is printed at the end.
    Error {
        at: usize,
        file: Arc<FileName>,
        message: String,
        format: Option<&'static UnreadableFormat>,
    },
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

impl Note {
    /// Returns the approximate memory that the note takes, in bytes.
    fn memory_size(&self) -> usize {
        let of_key = |key: &Key| size_of::<Key>() + key.as_ref().map_or(0, |key| key.len());
        let others = match self {
            Self::Record { key, .. } => of_key(key),
            Self::Count { keys, .. } => keys.iter().map(of_key).sum(),
            _ => 0,
        };
        size_of::<Self>() + others
    }
}

impl Rendered {
    /// Adds a note at the end of the output.
    pub(crate) fn add_note(&mut self, note: Note) {
        self.note_bytes += note.memory_size();
        self.notes.push(note);
    }

    /// Removes all notes from the output and returns them.
    pub(super) fn take_notes(&mut self) -> Vec<Note> {
        self.note_bytes = 0;
        std::mem::take(&mut self.notes)
    }

    /// Returns the current end of the output as a position for notes: a byte offset, or a number of
    /// rows.
    pub(super) fn end_position(&self) -> usize {
        #[cfg(feature = "parquet")]
        if let Some(rows) = &self.rows {
            return rows.len();
        }
        if let Some(counted) = &self.counted {
            return counted.len();
        }
        self.bytes.len()
    }

    /// Returns the approximate number of bytes that remain to be printed or compressed. For output
    /// without rows, this includes the notes.
    #[inline]
    pub(crate) fn pending_size(&self) -> usize {
        #[cfg(feature = "parquet")]
        if let (Some(rows), Some(_)) = (&self.rows, &self.packer) {
            return rows.memory_size();
        }
        #[cfg(feature = "parquet")]
        if let Some(rows) = &self.rows {
            return rows.memory_size() + self.size_without_rows();
        }
        let counted = self.counted.as_ref().map_or(0, |counted| counted.memory_size());
        self.bytes.len() + counted + self.note_bytes
    }

    /// Returns the approximate memory that the whole output takes while it waits for its turn, in
    /// bytes.
    pub(crate) fn memory_size(&self) -> usize {
        #[cfg(feature = "parquet")]
        if let Some(packer) = &self.packer {
            return self.pending_size() + packer.memory_size() + self.size_without_rows();
        }
        self.pending_size()
    }

    /// Returns the approximate memory of everything in the output except the rows of URLs, in
    /// bytes.
    #[cfg(feature = "parquet")]
    fn size_without_rows(&self) -> usize {
        let counted = self.counted.as_ref().map_or(0, |counted| counted.memory_size());
        counted + self.message_rows.as_ref().map_or(0, |rows| rows.memory_size())
    }

    /// Compresses the rows before it is the output's turn to be printed, once there are enough of
    /// them. `is_next` is true if it is the output's turn now.
    ///
    /// Returns false if the rows should be printed without compressing them here, because their
    /// turn has come and none were compressed.
    #[cfg(feature = "parquet")]
    pub(crate) fn compress_ahead(&mut self, is_next: bool) -> io::Result<bool> {
        if is_next && self.packer.is_none() {
            return Ok(false);
        }
        if self.packer.is_some()
            || self.rows.as_ref().is_some_and(|rows| rows.memory_size() >= PACK_AT)
        {
            self.compress_rows()?;
        }
        Ok(true)
    }

    /// Compresses all current rows and removes them from the output.
    #[cfg(feature = "parquet")]
    fn compress_rows(&mut self) -> io::Result<()> {
        let Some(rows) = &mut self.rows else { return Ok(()) };
        let packer = match &mut self.packer {
            Some(packer) => packer,
            None => self.packer.insert(Box::new(Packer::new(rows).map_err(io::Error::other)?)),
        };
        let batch = rows.finish().map_err(io::Error::other)?;
        packer.add_batch(&batch).map_err(io::Error::other)
    }

    /// Compresses the last rows and completes their row group. Does nothing if no rows of this
    /// output were compressed.
    #[cfg(feature = "parquet")]
    pub(crate) fn finish_compression(&mut self) -> io::Result<()> {
        if self.packer.is_some() {
            self.compress_rows()?;
        }
        self.packer
            .as_mut()
            .map_or(Ok(()), |packer| packer.finish_last_group())
            .map_err(io::Error::other)
    }

    /// Completes the compression, and removes the compressed row groups from the output and returns
    /// them. Returns an empty list if no rows were compressed.
    #[cfg(feature = "parquet")]
    pub(super) fn take_compressed(&mut self) -> io::Result<Vec<Packed>> {
        self.finish_compression()?;
        Ok(self.packer.take().map_or_else(Vec::new, |packer| packer.into_row_groups()))
    }

    /// Returns this output's data for the report, so that the caller can add to it.
    pub(super) fn report_data_mut(&mut self) -> &mut Batch {
        self.counted.get_or_insert_default()
    }

    /// Returns the buffered rows of the table of URLs, so that the caller can add rows.
    #[cfg(feature = "parquet")]
    pub(super) fn rows_mut(&mut self, style: &Style) -> &mut Rows {
        self.rows.get_or_insert_with(|| Box::new(Rows::for_urls(&style.columns)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Note, Rendered};
    use std::sync::Arc;

    #[test]
    fn notes_count_as_output() {
        let mut out = Rendered::default();
        for _ in 0..100 {
            let keys = vec![Some(vec![b'x'; 1000].into()), None];
            out.add_note(Note::Count { keys, file: Arc::default(), message: None, urls: 1 });
        }
        assert!(out.pending_size() > 100_000, "{}", out.pending_size());
        assert_eq!((out.take_notes().len(), out.pending_size()), (100, 0));
    }
}
