//! Saves the data of batches, so that a report can be made later without another scan. A scan that
//! writes its tables in parts saves this data for each part.
//!
//! The format is a line with its name and version, entries, and an end mark. Integers use LEB128.
//! The length of a text comes before the text. A date is the number of seconds since 1970. Values
//! with a fixed set of names are saved as names. The format may change with any release. Data can
//! only be read by a release with the same version of the format.

use crate::batch::{Batch, Extra, Found, MessageCount, Piece, UrlMessage};
use crate::collector::Collector;
use crate::limits;
use crate::names::Map;
use crate::uses::truncate_name;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::Arc;
use urlsift_core::{Code, Level};
use urlsift_records::fields::{Field, Value, join, message, url};
use urlsift_records::{FileName, Utc};

/// The first line: the name of the format, and its version.
const START: &[u8] = b"urlsift report data 1\n";
/// The maximum length of a text in bytes. Batches have no longer ones.
const MAX_TEXT: u64 = 64 << 20;

/// The kinds of entries.
const END: u64 = 0;
const BATCH: u64 = 1;
const ERROR: u64 = 2;

/// The kinds of additional properties of a URL.
const FAULT: u64 = 0;
const BREAK: u64 = 1;
const DECODED: u64 = 2;
const READING: u64 = 3;

/// The flags of a URL.
const IS_ADDED: u64 = 1;
const IS_VALID: u64 = 2;
const IS_NORMALIZED: u64 = 4;
const IS_QUOTED: u64 = 8;

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
        self.push_number(BATCH);
        self.push_len(batch.files.len());
        for file in &batch.files {
            self.push_file(file);
        }
        self.push_len(batch.messages.len());
        for message in &batch.messages {
            self.push_number(message.start);
            self.push_date(message.date);
            self.push_piece(batch, message.id);
            self.push_piece(batch, message.sender);
            self.push_names(batch, &message.names);
        }
        self.push_len(batch.message_counts.len());
        for message in &batch.message_counts {
            self.push_number(message.file.into());
            self.push_number(message.start);
            self.push_date(message.date);
            self.push_optional_text(message.date_source.map(str::as_bytes));
            self.push_piece(batch, message.date_raw);
            self.push_number(message.is_outermost.into());
            self.push_names(batch, &message.names);
        }
        let rows = std::mem::take(&mut self.rows);
        let found = rows.into_iter().flatten();
        let found: Vec<_> =
            found.filter_map(|row| Some((row, batch.rows[row].as_ref()?))).collect();
        self.push_len(found.len());
        let mut extra = 0;
        for (row, found) in found {
            let extras = batch.extras_of_row(row, extra);
            extra = extras.end;
            self.push_url(batch, found, &batch.extras[extras]);
        }
        self.write_bytes()
    }

    /// Saves a file that could not be read, and the error message.
    ///
    /// # Errors
    ///
    /// Returns any error from the writer.
    pub fn count_error(&mut self, file: &FileName, message: &str) -> io::Result<()> {
        self.push_number(ERROR);
        self.push_file(file);
        self.push_text(message.as_bytes());
        self.write_bytes()
    }

    /// Writes the end mark, and returns the writer. Data without an end mark is incomplete.
    ///
    /// # Errors
    ///
    /// Returns any error from the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.push_number(END);
        self.write_bytes()?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn write_bytes(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    fn push_url(&mut self, batch: &Batch, found: &Found, extras: &[(u32, Extra)]) {
        let normalized = batch.bytes_of(found.normalized);
        let is_normalized = normalized != batch.bytes_of(found.url);
        let is_quoted = self.may_be_quoted(batch, found);
        let flags = [
            (found.is_added, IS_ADDED),
            (found.is_valid, IS_VALID),
            (is_normalized, IS_NORMALIZED),
            (is_quoted, IS_QUOTED),
        ];
        self.push_number(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum());
        self.push_number(found.file.into());
        self.push_number(found.message.map_or(0, |message| u64::from(message) + 1));
        self.push_number(found.line);
        for piece in [found.scheme, found.url] {
            self.push_text(batch.bytes_of(piece));
        }
        if is_normalized {
            self.push_text(normalized);
        }
        for piece in [found.host, found.domain, found.tld] {
            self.push_piece(batch, piece);
        }
        for name in [found.form, found.place] {
            self.push_text(name.as_bytes());
        }
        if is_quoted {
            for piece in found.quoted {
                self.push_text(batch.bytes_of(piece));
            }
        }
        self.push_len(extras.len());
        for (_, extra) in extras {
            let (kind, names) = match extra {
                Extra::Fault(code, level) => (FAULT, [Some(*code), Some(level.name())]),
                Extra::Break(kind, grade) => (BREAK, [Some(*kind), Some(*grade)]),
                Extra::Decoded(layer) => (DECODED, [Some(*layer), None]),
                Extra::Reading(piece) => {
                    self.push_number(READING);
                    self.push_text(batch.bytes_of(*piece));
                    continue;
                }
            };
            self.push_number(kind);
            for name in names.into_iter().flatten() {
                self.push_text(name.as_bytes());
            }
        }
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

    fn push_file(&mut self, file: &FileName) {
        self.push_text(&file.path);
        self.push_optional_text(file.member.as_deref());
    }

    fn push_names(&mut self, batch: &Batch, names: &Range<usize>) {
        self.push_len(names.len());
        for &name in &batch.names[names.clone()] {
            self.push_text(batch.bytes_of(name));
        }
    }

    fn push_piece(&mut self, batch: &Batch, piece: Option<Piece>) {
        self.push_optional_text(piece.map(|piece| batch.bytes_of(piece)));
    }

    fn push_date(&mut self, date: Option<Utc>) {
        self.push_number(date.is_some().into());
        if let Some(date) = date {
            // The sign becomes the lowest bit, so that small numbers are short.
            let seconds = date.timestamp();
            self.push_number((seconds << 1 ^ seconds >> 63).cast_unsigned());
        }
    }

    fn push_text(&mut self, text: &[u8]) {
        self.push_len(text.len());
        self.bytes.extend_from_slice(text);
    }

    fn push_optional_text(&mut self, text: Option<&[u8]>) {
        self.push_number(text.is_some().into());
        if let Some(text) = text {
            self.push_text(text);
        }
    }

    fn push_len(&mut self, len: usize) {
        self.push_number(len as u64);
    }

    fn push_number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.bytes.push(number.to_le_bytes()[0]);
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
    pub fn count_saved(&mut self, source: impl Read) -> io::Result<()> {
        let mut reader = Reader { source, batch: Batch::default() };
        let mut start = [0; START.len()];
        reader.source.read_exact(&mut start)?;
        if start != START {
            return Err(io::Error::other(
                "unsupported version; use the release of urlsift that wrote the data",
            ));
        }
        loop {
            match reader.number()? {
                END => return Ok(()),
                BATCH => {
                    reader.batch.clear();
                    reader.read_batch()?;
                    self.count_urls(&reader.batch, 0..reader.batch.len());
                    self.count_messages(&reader.batch);
                }
                ERROR => {
                    let file = reader.file()?;
                    let message = reader.text()?;
                    self.count_error(&file, &String::from_utf8_lossy(&message));
                }
                _ => return Err(damaged()),
            }
        }
    }
}

/// A reader of saved data.
struct Reader<R> {
    source: R,
    /// The batch that the texts are read into.
    batch: Batch,
}

impl<R: Read> Reader<R> {
    /// Reads a batch into `self.batch`, which must be empty.
    fn read_batch(&mut self) -> io::Result<()> {
        for _ in 0..self.number()? {
            let file = self.file()?;
            self.batch.files.push(Arc::new(file));
        }
        for _ in 0..self.number()? {
            let message = UrlMessage {
                start: self.number()?,
                date: self.date()?,
                id: self.optional_piece()?,
                sender: self.optional_piece()?,
                names: self.names()?,
            };
            self.batch.messages.push(message);
        }
        for _ in 0..self.number()? {
            let message = MessageCount {
                file: self.index(self.batch.files.len())?,
                start: self.number()?,
                date: self.date()?,
                date_source: match self.number()? {
                    0 => None,
                    _ => Some(self.name(&message::DATE_SOURCE)?),
                },
                date_raw: self.optional_piece()?,
                is_outermost: self.number()? != 0,
                names: self.names()?,
            };
            self.batch.message_counts.push(message);
        }
        for row in 0..self.number()? {
            let found = self.url()?;
            self.batch.rows.push(Some(found));
            let row = u32::try_from(row).map_err(|_| damaged())?;
            for _ in 0..self.number()? {
                let extra = self.extra()?;
                self.batch.extras.push((row, extra));
            }
        }
        Ok(())
    }

    fn url(&mut self) -> io::Result<Found> {
        let flags = self.number()?;
        let file = self.index(self.batch.files.len())?;
        let message = self.index(self.batch.messages.len() + 1)?.checked_sub(1);
        let (line, scheme, url) = (self.number()?, self.piece()?, self.piece()?);
        let normalized = if flags & IS_NORMALIZED == 0 { url } else { self.piece()? };
        Ok(Found {
            file,
            message,
            line,
            scheme,
            url,
            normalized,
            host: self.optional_piece()?,
            domain: self.optional_piece()?,
            tld: self.optional_piece()?,
            form: self.name(&url::FORM)?,
            place: self.name(&url::PLACE)?,
            is_added: flags & IS_ADDED != 0,
            is_valid: flags & IS_VALID != 0,
            quoted: match flags & IS_QUOTED {
                0 => Default::default(),
                _ => [self.piece()?, self.piece()?, self.piece()?],
            },
        })
    }

    fn extra(&mut self) -> io::Result<Extra> {
        Ok(match self.number()? {
            FAULT => {
                let code = self.utf8()?;
                let level: Level = self.utf8()?.parse().map_err(|_| damaged())?;
                Extra::Fault(Code::by_name(&code).ok_or_else(damaged)?.name(), level)
            }
            BREAK => Extra::Break(self.name(&join::KIND)?, self.name(&join::GRADE)?),
            DECODED => Extra::Decoded(self.name(&url::DECODED)?),
            READING => Extra::Reading(self.piece()?),
            _ => return Err(damaged()),
        })
    }

    fn file(&mut self) -> io::Result<FileName> {
        let file = FileName::new(self.text()?);
        Ok(match self.number()? {
            0 => file,
            _ => file.with_member(&self.text()?),
        })
    }

    fn names(&mut self) -> io::Result<Range<usize>> {
        let start = self.batch.names.len();
        for _ in 0..self.number()? {
            let name = self.piece()?;
            self.batch.names.push(name);
        }
        Ok(start..self.batch.names.len())
    }

    /// Reads one of the names that the values of `field` have.
    fn name(&mut self, field: &Field) -> io::Result<&'static str> {
        let name = self.utf8()?;
        let (Value::Name(names) | Value::Names(names)) = field.value else { return Err(damaged()) };
        names.iter().find(|known| **known == name).copied().ok_or_else(damaged)
    }

    fn piece(&mut self) -> io::Result<Piece> {
        let text = self.text()?;
        Ok(self.batch.push_text(&text))
    }

    fn optional_piece(&mut self) -> io::Result<Option<Piece>> {
        if self.number()? == 0 { Ok(None) } else { self.piece().map(Some) }
    }

    fn date(&mut self) -> io::Result<Option<Utc>> {
        if self.number()? == 0 {
            return Ok(None);
        }
        let number = self.number()?;
        let seconds = (number >> 1).cast_signed() ^ -(number & 1).cast_signed();
        Utc::from_timestamp(seconds).map(Some).ok_or_else(damaged)
    }

    fn utf8(&mut self) -> io::Result<String> {
        String::from_utf8(self.text()?).map_err(|_| damaged())
    }

    fn text(&mut self) -> io::Result<Vec<u8>> {
        let len = self.number()?;
        let mut text = Vec::new();
        if len > MAX_TEXT {
            return Err(damaged());
        }
        // The length may be wrong, so no memory is reserved.
        if (&mut self.source).take(len).read_to_end(&mut text)? as u64 != len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(text)
    }

    /// Reads an index of a list with `len` elements.
    fn index(&mut self, len: usize) -> io::Result<u32> {
        let index = self.number()?;
        if index >= len as u64 {
            return Err(damaged());
        }
        u32::try_from(index).map_err(|_| damaged())
    }

    fn number(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let mut byte = [0];
            self.source.read_exact(&mut byte)?;
            number |= u64::from(byte[0] & 0x7F) << shift;
            if byte[0] < 0x80 {
                return Ok(number);
            }
        }
        Err(damaged())
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the data of the report is damaged")
}
