//! Prints the outputs of all workers in the order of the input. Decides which records are printed
//! if that depends on earlier ones.

use super::complain::print_error_line;
use super::groups::Groups;
use super::lines::GROUP_END;
use super::memory::Memory;
use super::progress::Counts;
use super::rendered::{Key, MessagePlace, Note, Rendered};
use super::report_data::ReportData;
use super::style::{PerFile, Style};
#[cfg(feature = "parquet")]
use super::tables::Tables;
use super::text;
use super::unreadable::UnreadableFiles;
use crate::args::Unique;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use urlsift_archive::Limit;
use urlsift_archive::unpack::UnreadableFormat;
use urlsift_records::write::json;
use urlsift_records::{FileName, Message, Tally};
use urlsift_report::Batch;

/// A writer that prints the outputs of all workers in the order of the input. If earlier records
/// decide whether a record is printed, as for `--unique`, it also makes this decision.
pub(crate) struct OrderedWriter {
    /// Standard output, or the output file.
    out: Box<dyn Write + Send>,
    /// Standard error.
    errors: Box<dyn Write + Send>,
    style: Style,
    /// With `-c` and `-l`: the number of URLs in the units of the current file so far.
    file_urls: u64,
    /// The number of records of the current file that were not left out as duplicates, for
    /// `--max-count`.
    file_printed: u64,
    /// True if a group of lines was printed.
    has_groups: bool,
    /// True if the path of a file was printed as a result.
    pub(crate) has_listed: bool,
    /// The normalized URLs seen so far. The values are indexes of `kept`, which are meaningful only
    /// with `--unique=count`.
    seen: HashMap<Box<[u8]>, usize>,
    /// With `--dedupe`: the first message with each Message-ID.
    messages: HashMap<Vec<u8>, (Arc<FileName>, u64)>,
    /// With `--unique=count`: for each distinct URL, the number of times it was seen and its first
    /// record. They are printed at the end.
    kept: Vec<(u64, Vec<u8>)>,
    /// With `--by`: the groups of URLs.
    groups: Groups,
    /// The memory of `seen`, `messages`, `kept` and `groups`.
    memory: Memory,
    /// The destination of the current record.
    target: Target,
    /// With Parquet: the tables. They receive everything except error messages.
    #[cfg(feature = "parquet")]
    pub(crate) tables: Option<Tables>,
    /// The data for a report, if it is collected.
    pub(crate) report: Option<ReportData>,
    /// The files of formats that can't be read.
    unreadable: UnreadableFiles,
    /// The counts so far.
    pub(crate) tally: Tally,
    /// The same counts, shared with the progress line.
    counts: Arc<Mutex<Counts>>,
}

/// The contents of a worker's output: bytes, table rows, or only the number of URLs.
///
/// The output's notes contain positions in these contents. A position is a byte offset, or the
/// index of a row or URL.
enum Contents {
    Bytes(Vec<u8>),
    /// The number of URLs, if they were only counted.
    Counted(usize),
    #[cfg(feature = "parquet")]
    Rows(urlsift_arrow::RecordBatch),
    /// Rows that the worker has already compressed. [`OrderedWriter::write_compressed_rows`] writes
    /// them all at once, so positions in the notes are ignored.
    #[cfg(feature = "parquet")]
    Packed,
}

impl Contents {
    /// Takes the contents out of an output. [`Contents::return_buffer`] returns the allocated
    /// memory to that output.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(clippy::unnecessary_wraps, reason = "rows may fail to become a batch")
    )]
    fn take_from(rendered: &mut Rendered) -> io::Result<Self> {
        #[cfg(feature = "parquet")]
        if rendered.packer.is_some() {
            return Ok(Self::Packed);
        }
        #[cfg(feature = "parquet")]
        if let Some(rows) = &mut rendered.rows {
            return rows.finish().map(Self::Rows).map_err(io::Error::other);
        }
        if let Some(counted) = &rendered.counted {
            return Ok(Self::Counted(counted.len()));
        }
        Ok(Self::Bytes(std::mem::take(&mut rendered.bytes)))
    }

    /// Returns the emptied buffer to the output that it came from, so that the worker can reuse it.
    fn return_buffer(self, rendered: &mut Rendered) {
        match self {
            Self::Bytes(bytes) => {
                rendered.bytes = bytes;
                rendered.bytes.clear();
            }
            Self::Counted(_) => {}
            #[cfg(feature = "parquet")]
            Self::Rows(_) | Self::Packed => {}
        }
    }

    /// True if the worker has already compressed its rows.
    fn is_packed(&self) -> bool {
        match self {
            #[cfg(feature = "parquet")]
            Self::Packed => true,
            #[cfg(feature = "parquet")]
            Self::Rows(_) => false,
            Self::Bytes(_) | Self::Counted(_) => false,
        }
    }

    /// Returns the position after the contents: the number of bytes, or of rows.
    fn end_position(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Counted(urls) => *urls,
            #[cfg(feature = "parquet")]
            Self::Rows(batch) => batch.num_rows(),
            #[cfg(feature = "parquet")]
            Self::Packed => 0,
        }
    }
}

/// The result of the search for an earlier message with the same Message-ID.
enum Earlier {
    /// There is no earlier message.
    None,
    /// The file of the first message with this Message-ID, and the message's offset in it.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(dead_code, reason = "only tables show the position")
    )]
    At(Arc<FileName>, u64),
    /// There was no memory left to remember the message.
    Unknown,
}

/// The approximate memory of an entry of `messages` without its Message-ID, in bytes: its slot in a
/// hash table that is two thirds full and was copied when it grew.
const MESSAGE_BYTES: u64 = 3 * size_of::<(Vec<u8>, (Arc<FileName>, u64))>() as u64;

/// Returns the approximate number of bytes that the key of a URL takes in `seen` and `kept`,
/// without the URL's record.
fn memory_of_seen_url(key: &[u8]) -> u64 {
    let slots = 3 * size_of::<(Box<[u8]>, usize)>() + 2 * size_of::<(u64, Vec<u8>)>();
    (slots + key.len()) as u64
}

/// The destination of a record. It depends on whether the URL or its message was seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// To standard output, the output file or the tables.
    Out,
    /// To the record with this index in [`OrderedWriter::kept`].
    Kept(usize),
    /// Nowhere, because the record is left out.
    Nowhere,
}

impl OrderedWriter {
    pub(crate) fn new(
        out: Box<dyn Write + Send>,
        errors: Box<dyn Write + Send>,
        style: Style,
        counts: Arc<Mutex<Counts>>,
    ) -> Self {
        Self {
            memory: Memory::new(style.max_memory),
            counts,
            out,
            errors,
            style,
            file_urls: 0,
            file_printed: 0,
            has_groups: false,
            has_listed: false,
            seen: HashMap::new(),
            messages: HashMap::new(),
            kept: Vec::new(),
            groups: Groups::default(),
            target: Target::Out,
            #[cfg(feature = "parquet")]
            tables: None,
            report: None,
            unreadable: UnreadableFiles::default(),
            tally: Tally::default(),
        }
    }

    /// Prints the output that precedes the records, e.g. the header line of a table. Call this
    /// before any output is printed.
    pub(crate) fn print_header(&mut self) -> io::Result<()> {
        let (style, mut header) = (&self.style, Vec::new());
        if let Some(by) = style.by {
            style.output_format().append_group_header(style, by, &mut header);
        } else if style.per_file.is_none() {
            let is_counted = style.unique == Some(Unique::Count);
            style.output_format().append_header(style, is_counted, &mut header);
        }
        self.out.write_all(&header)
    }

    /// Prints the output of one worker and empties it. The outputs must be passed in the order of
    /// the input.
    pub(crate) fn print_output(&mut self, rendered: &mut Rendered) -> io::Result<()> {
        let contents = Contents::take_from(rendered)?;
        let result = self.print_notes(rendered, &contents);
        #[cfg(feature = "parquet")]
        let result = result.and_then(|()| self.write_compressed_rows(rendered));
        #[cfg(feature = "parquet")]
        let result = result.and_then(|()| self.write_message_rows(rendered));
        contents.return_buffer(rendered);
        self.tally += rendered.tally;
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.tally = self.tally;
        counts.read += std::mem::take(&mut rendered.read);
        drop(counts);
        rendered.tally = Tally::default();
        let at_once = std::mem::take(&mut rendered.at_once) || self.style.line_buffered;
        if self.style.terminal || at_once { result.and_then(|()| self.out.flush()) } else { result }
    }

    /// Prints `contents` piece by piece. Before each piece, executes the notes of `rendered` for
    /// that position.
    fn print_notes(&mut self, rendered: &mut Rendered, contents: &Contents) -> io::Result<()> {
        let mut done = 0;
        let notes = rendered.take_notes();
        let counted = rendered.counted.as_deref();
        for note in notes {
            match note {
                Note::Record { from, key, message } => {
                    self.write_piece(contents, counted, done..from)?;
                    done = from;
                    self.target = self.target_of_next_record(key, message);
                    self.tally.unprinted += u64::from(self.target == Target::Nowhere);
                }
                Note::Plain { from } => {
                    self.write_piece(contents, counted, done..from)?;
                    done = from;
                    self.target = Target::Out;
                }
                Note::Error { at, file, message, format } => {
                    self.write_piece(contents, counted, done..at)?;
                    done = at;
                    self.print_error(&file, &message, format)?;
                }
                Note::Found { file, urls, ends } => self.count_in_file(&file, urls, ends)?,
                Note::Group { at } => {
                    self.write_piece(contents, counted, done..at)?;
                    done = at;
                    if std::mem::replace(&mut self.has_groups, true) {
                        self.out.write_all(GROUP_END)?;
                    }
                }
                Note::Count { keys, file, message, urls } => {
                    self.count_in_groups(keys, &file, (message.as_deref(), urls));
                }
                #[cfg(feature = "parquet")]
                Note::File { .. } | Note::Unit { .. } | Note::Message { .. } => {
                    self.write_row_of_note(note)?;
                }
            }
        }
        self.write_piece(contents, counted, done..contents.end_position())?;
        self.report_remaining_counts(rendered, contents)
    }

    /// Decides where the next record is written. `key` is the normalized form of its URL, or `None`
    /// if repeated URLs are not left out. `message` is the message that contains the URL, or `None`
    /// if repeated messages are not left out.
    fn target_of_next_record(
        &mut self,
        key: Option<Box<[u8]>>,
        message: Option<Box<MessagePlace>>,
    ) -> Target {
        match message.map(|message| self.find_earlier_message(*message)) {
            Some(Earlier::At(..)) => return Target::Nowhere,
            Some(Earlier::Unknown) => self.tally.limits.add(Limit::Unique, 1),
            Some(Earlier::None) | None => {}
        }
        self.target_by_url(key)
    }

    /// Reports an error about `file`: prints it to standard error, and adds it to the report and
    /// the tables.
    ///
    /// Files of an unreadable format are only counted; [`OrderedWriter::print_footer`] reports
    /// them.
    fn print_error(
        &mut self,
        file: &Arc<FileName>,
        message: &str,
        format: Option<&'static UnreadableFormat>,
    ) -> io::Result<()> {
        if let Some(report) = &mut self.report {
            report.count_error(file, message)?;
        }
        if let Some(format) = format {
            self.unreadable.add(format, file);
        } else if !self.style.hides_messages {
            // Keeps the order of output and errors on a terminal.
            self.out.flush()?;
            print_error_line(&mut self.errors, file, message);
        }
        #[cfg(feature = "parquet")]
        if let Some(tables) = &mut self.tables {
            tables.add_error(file, message.to_owned())?;
        }
        Ok(())
    }

    /// Adds the URLs of a unit to the count of its file. If `ends` is true, the file is complete:
    /// prints the file's line, if the style has one, and resets the counts.
    fn count_in_file(&mut self, file: &FileName, urls: u64, ends: bool) -> io::Result<()> {
        let counts_distinct = self.style.counts_distinct_per_file();
        if !counts_distinct {
            self.file_urls += urls;
        }
        if ends {
            self.print_file_line(file)?;
            (self.file_urls, self.file_printed) = (0, 0);
            if counts_distinct {
                self.memory.release(self.seen.keys().map(|key| memory_of_seen_url(key)).sum());
                self.seen.clear();
            }
        }
        Ok(())
    }

    /// Adds URLs to the groups `keys` of `--by`, unless their record is left out as a repetition.
    fn count_in_groups(
        &mut self,
        keys: Vec<Key>,
        file: &Arc<FileName>,
        urls_of: (Option<&Message>, u64),
    ) {
        if self.target != Target::Nowhere
            && !self.groups.count_urls(keys, file, urls_of, &mut self.memory)
        {
            self.tally.limits.add(Limit::Groups, urls_of.1);
        }
    }

    /// Adds to the report the counts of an output that [`OrderedWriter::write_piece`] has not
    /// added: those of messages, and those of URLs in compressed rows. Then clears all counts of
    /// the output.
    fn report_remaining_counts(
        &mut self,
        rendered: &mut Rendered,
        contents: &Contents,
    ) -> io::Result<()> {
        let Some(batch) = &mut rendered.counted else { return Ok(()) };
        let mut result = Ok(());
        if let Some(report) = &mut self.report {
            if contents.is_packed() {
                report.count_urls(batch, 0..batch.len());
            }
            result = report.count_messages(batch);
        }
        batch.clear();
        result
    }

    /// Writes the compressed rows of an output to the table of URLs.
    #[cfg(feature = "parquet")]
    fn write_compressed_rows(&mut self, rendered: &mut Rendered) -> io::Result<()> {
        let packed = rendered.take_compressed()?;
        let Some(tables) = &mut self.tables else { return Ok(()) };
        packed.into_iter().try_for_each(|group| tables.write_compressed_urls(group))
    }

    /// Writes the message rows of an output to the table of messages.
    #[cfg(feature = "parquet")]
    fn write_message_rows(&mut self, rendered: &mut Rendered) -> io::Result<()> {
        let Some(rows) = rendered.message_rows.as_mut().filter(|rows| !rows.is_empty()) else {
            return Ok(());
        };
        let batch = rows.finish().map_err(io::Error::other)?;
        self.tables.as_mut().map_or(Ok(()), |tables| tables.write_message_rows(&batch))
    }

    /// Adds a row to the table of messages or of files. `note` describes the row.
    #[cfg(feature = "parquet")]
    fn write_row_of_note(&mut self, note: Note) -> io::Result<()> {
        let mut duplicate_of = None;
        if let Note::Message { file, message, .. } = &note
            && self.style.dedupe
            && let Some(id) = message.id.clone()
        {
            let place = MessagePlace { id, file: Arc::clone(file), start: message.span.start };
            if let Earlier::At(file, start) = self.find_earlier_message(place) {
                let mut place = file.path.clone();
                if let Some(member) = &file.member {
                    place.extend_from_slice(b"!/");
                    place.extend_from_slice(member);
                }
                place.push(b':');
                json::push_decimal(&mut place, start);
                duplicate_of = Some(place);
            }
        }
        let Some(tables) = &mut self.tables else { return Ok(()) };
        match note {
            Note::File { file } => tables.start_file_row(file),
            Note::Unit { file, start, tally } => tables.add_unit_counts(&file, start, tally),
            Note::Message { file, message, urls } => {
                tables.add_message_row(&file, &message, urls, duplicate_of.as_deref())
            }
            _ => Ok(()),
        }
    }

    /// Prints the groups, the records kept until the end, and the summary, and reports the files of
    /// unreadable formats. Call this after all outputs were printed.
    pub(crate) fn print_footer(&mut self) -> io::Result<()> {
        self.target = Target::Out;
        if let Some(by) = self.style.by {
            self.groups.print_and_clear(&self.style, by, &mut self.out)?;
        }
        let style = &self.style;
        for (count, record) in std::mem::take(&mut self.kept) {
            let mut line = Vec::new();
            style.output_format().append_counted_record(style, record, count, &mut line);
            self.out.write_all(&line)?;
        }
        if style.per_file.is_none() {
            let mut summary = Vec::new();
            style.output_format().append_summary(&self.tally, &mut summary);
            self.out.write_all(&summary)?;
        }
        self.out.flush()?;
        if !self.style.hides_messages {
            self.unreadable.report(&mut self.errors);
        }
        Ok(())
    }

    /// Looks for an earlier message with the same Message-ID as `message`. If there is none,
    /// remembers `message` as the first one.
    fn find_earlier_message(&mut self, message: MessagePlace) -> Earlier {
        let MessagePlace { id, file, start } = message;
        match self.messages.entry(id) {
            Entry::Occupied(first) => {
                let (first, at) = first.get();
                if *at == start && *first == file {
                    Earlier::None
                } else {
                    Earlier::At(Arc::clone(first), *at)
                }
            }
            Entry::Vacant(place) => {
                if !self.memory.try_reserve(MESSAGE_BYTES + place.key().len() as u64) {
                    return Earlier::Unknown;
                }
                place.insert((file, start));
                Earlier::None
            }
        }
    }

    /// Decides where the next record is written. `key` is the normalized form of its URL, or `None`
    /// if repeated URLs are not left out.
    fn target_by_url(&mut self, key: Option<Box<[u8]>>) -> Target {
        let counting = self.style.unique == Some(Unique::Count) && self.style.per_file.is_none();
        if let Some(key) = key {
            if let Some(&at) = self.seen.get(&key) {
                if counting {
                    self.kept[at].0 += 1;
                }
                return Target::Nowhere;
            }
            if !self.memory.try_reserve(memory_of_seen_url(&key)) {
                self.tally.limits.add(Limit::Unique, 1);
                return if self.style.unique == Some(Unique::Count)
                    || self.style.counts_distinct_per_file()
                {
                    Target::Nowhere
                } else {
                    self.target_by_url(None)
                };
            }
            self.seen.insert(key, self.kept.len());
            self.file_urls += u64::from(self.style.counts_distinct_per_file());
        }
        self.file_printed += 1;
        if self.style.max_count.is_some_and(|most| self.file_printed > most) {
            return Target::Nowhere;
        }
        if counting {
            self.kept.push((1, Vec::new()));
            return Target::Kept(self.kept.len() - 1);
        }
        Target::Out
    }

    /// Prints the line for a file that is complete, if the style prints one line per file instead
    /// of URLs.
    fn print_file_line(&mut self, file: &FileName) -> io::Result<()> {
        let Some(per_file) = self.style.per_file else { return Ok(()) };
        if (self.file_urls == 0) != (per_file == PerFile::Without) {
            return Ok(());
        }
        // The path is followed by a number.
        let mut line = Vec::with_capacity(file.path.len() + 32);
        let end = if self.style.null { 0 } else { b':' };
        match per_file {
            PerFile::Count => {
                // Without the names of members, their counts would look like counts of files.
                let has_path = self.style.path || (file.member.is_some() && !self.style.no_path);
                if has_path {
                    text::write_linked_path(&self.style, &mut line, file, &[end]);
                    line.push(end);
                }
                json::push_decimal(
                    &mut line,
                    self.file_urls.min(self.style.max_count.unwrap_or(u64::MAX)),
                );
                line.push(b'\n');
            }
            PerFile::Path | PerFile::Without => {
                self.has_listed = true;
                text::write_linked_path(&self.style, &mut line, file, b"!/");
                line.push(if self.style.null { 0 } else { b'\n' });
            }
        }
        self.out.write_all(&line)
    }

    /// Writes the range `piece` of an output's contents to the current target, and adds its URLs to
    /// the report. `counted` contains the report data of the output. Does nothing for compressed
    /// rows.
    fn write_piece(
        &mut self,
        contents: &Contents,
        counted: Option<&Batch>,
        piece: Range<usize>,
    ) -> io::Result<()> {
        if contents.is_packed() {
            return Ok(());
        }
        if let (Some(report), Some(batch)) = (&mut self.report, counted)
            && self.target != Target::Nowhere
        {
            report.count_urls(batch, piece.clone());
        }
        match (self.target, contents) {
            (Target::Nowhere, _) | (_, Contents::Counted(_)) => Ok(()),
            _ if piece.is_empty() => Ok(()),
            (Target::Kept(at), Contents::Bytes(bytes)) => {
                self.memory.add_unconditionally(piece.len() as u64);
                self.kept[at].1.extend_from_slice(&bytes[piece]);
                Ok(())
            }
            (Target::Out, Contents::Bytes(bytes)) => self.out.write_all(&bytes[piece]),
            #[cfg(feature = "parquet")]
            (_, Contents::Rows(batch)) => match &mut self.tables {
                Some(tables) => tables.write_url_rows(&batch.slice(piece.start, piece.len())),
                None => Ok(()),
            },
            #[cfg(feature = "parquet")]
            (_, Contents::Packed) => Ok(()),
        }
    }
}
