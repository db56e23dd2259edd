//! Scans the units of an input in sequence. Long messages are read a second time, from the source
//! or from a temporary file.

use super::stream::{UnitSlice, UnitStream};
use crate::buffer::Buffer;
use crate::long::{ReadAt, shorter, too_long};
use crate::record::FileName;
use crate::scan::{Scan, Scanned, Sink};
use crate::units::RangeUnit;
use crate::{LineStart, Unit};
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::long::{MAX_WHOLE_LEN, Sizes, is_single};
use urlsift_archive::unpack::{Limits, ReadSeek, Trouble};
use urlsift_archive::{Container, Dialect, Limit, Reading};

impl Scan {
    /// Scans a unit of any length. `source` contains the unit and, for text, its context; `base` is
    /// the file offset of its first byte.
    ///
    /// At most one message or page of up to 64 MiB, or a piece of a longer one or of a text, is
    /// kept in memory. Messages and pages longer than 64 MiB are read three times.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Scan::read`].
    #[doc(hidden)]
    pub fn read_range(
        &self,
        unit: &RangeUnit<'_>,
        (source, base): (impl ReadSeek, u64),
        sink: &mut impl Sink,
    ) -> Result<Scanned, Trouble> {
        let mut reader = Reader::new(self, Reading::default(), Limits::default(), sink);
        let source: Box<dyn ReadSeek + '_> = Box::new(source);
        let source = RefCell::new(Seekable::new(source, base));
        let RangeUnit { file, container, ref range, lines } = *unit;
        // The result of `end` includes whether the sink ended the scan.
        let _ = if let Container::Text(dialect) = container {
            reader.text(unit, dialect, &mut *source.borrow_mut())
        } else {
            let stream: Box<dyn Read + '_> = Box::new(FromPlace::new(&source, range.clone()));
            let stream = UnitStream::new(stream, Buffer::default());
            let seekable_input = Some(SeekableInput { source: &source, end: range.end });
            reader.units(file, stream, container, (range.start, lines), seekable_input)
        };
        reader.end()
    }
}

/// A seekable source that remembers its position, so that it seeks only if necessary.
pub(super) struct Seekable<S> {
    source: S,
    /// The file offset of the source's first byte.
    base: u64,
    /// The current file offset, or `None` if it is unknown.
    at: Option<u64>,
}

impl<S> Seekable<S> {
    /// Wraps a source whose first byte is at file offset `base`.
    pub(super) fn new(source: S, base: u64) -> Self {
        Self { source, base, at: None }
    }
}

impl<S: Read + Seek> ReadAt for Seekable<S> {
    fn read_at(&mut self, at: u64, room: &mut [u8]) -> io::Result<usize> {
        if self.at.take() != Some(at) {
            self.source.seek(SeekFrom::Start(at.saturating_sub(self.base)))?;
        }
        let read = self.source.read(room)?;
        self.at = Some(at + read as u64);
        Ok(read)
    }
}

/// A seekable source that a stream reads in sequence and that is also read at other offsets.
type Source<'s> = RefCell<Seekable<Box<dyn ReadSeek + 's>>>;

/// The seekable source that a stream reads from, for reading long messages a second time.
#[derive(Clone, Copy)]
pub(super) struct SeekableInput<'a, 's> {
    pub(super) source: &'a Source<'s>,
    /// The end of the file or unit in the source.
    pub(super) end: u64,
}

/// Reads a range of a seekable source in sequence.
pub(super) struct FromPlace<'a, 's> {
    source: &'a Source<'s>,
    left: Range<u64>,
}

impl<'a, 's> FromPlace<'a, 's> {
    pub(super) fn new(source: &'a Source<'s>, range: Range<u64>) -> Self {
        Self { source, left: range }
    }
}

impl Read for FromPlace<'_, '_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.left.end - self.left.start).unwrap_or(usize::MAX);
        let len = room.len().min(left);
        if len == 0 {
            return Ok(0);
        }
        let read = self.source.borrow_mut().read_at(self.left.start, &mut room[..len])?;
        self.left.start += read as u64;
        Ok(read)
    }
}

/// The state while one input is read.
pub(super) struct Reader<'r, S> {
    pub(super) scan: &'r Scan,
    pub(super) reading: Reading,
    pub(super) limits: Limits,
    sink: &'r mut S,
    buffer: Buffer,
    total: Scanned,
    /// The error that the sink did not accept.
    failed: Option<Trouble>,
    /// True if the sink wants no more records of the current file or archive member.
    leaves: bool,
}

impl<'r, S: Sink> Reader<'r, S> {
    pub(super) fn new(scan: &'r Scan, reading: Reading, limits: Limits, sink: &'r mut S) -> Self {
        let (buffer, total) = (Buffer::default(), Scanned::default());
        Self { scan, reading, limits, sink, buffer, total, failed: None, leaves: false }
    }

    /// Returns the result, or the error that the sink did not accept.
    pub(super) fn end(self) -> Result<Scanned, Trouble> {
        self.failed.map_or(Ok(self.total), Err)
    }

    /// Reports an error to the sink. Breaks if the sink does not accept it.
    pub(super) fn trouble(&mut self, name: &Arc<FileName>, trouble: Trouble) -> ControlFlow<()> {
        if let Some(limit) = Limit::of_trouble(&trouble) {
            self.total.tally.limits.add(limit, 1);
        }
        match self.sink.trouble(name, trouble) {
            Ok(()) => Continue(()),
            Err(trouble) => {
                self.failed = Some(trouble);
                Break(())
            }
        }
    }

    /// Scans a unit in memory. Continues with the line start of the next unit.
    pub(super) fn unit(
        &mut self,
        name: &Arc<FileName>,
        container: Container,
        bytes: &[u8],
        slice: UnitSlice,
        lines: LineStart,
    ) -> ControlFlow<(), LineStart> {
        let UnitSlice { base, from, to, last, trouble, .. } = slice;
        let unit = Unit::new(name, container, from..to).at(base).with_lines(lines);
        let scanned = self.scan.unit(bytes, &unit, self.sink);
        self.count(name, &scanned, last, trouble)
    }

    /// Reads the units of a stream from a file offset to its end.
    pub(super) fn units(
        &mut self,
        name: &Arc<FileName>,
        stream: UnitStream<Box<dyn Read + '_>>,
        mut container: Container,
        (mut at, mut lines): (u64, LineStart),
        seekable_input: Option<SeekableInput<'_, '_>>,
    ) -> ControlFlow<()> {
        if let Some(SeekableInput { source, end }) = seekable_input
            && is_single(container)
            && end - at > MAX_WHOLE_LEN
        {
            let source = &mut *source.borrow_mut();
            let told = self.long(name, container, (at..end, lines), source, (true, None));
            return told.map_continue(|_| ());
        }
        let spools = seekable_input.is_some() || cfg!(feature = "spool");
        let mut stream = if spools { stream.with_spool() } else { stream };
        let mut buffer = std::mem::take(&mut self.buffer);
        let flow = loop {
            let slice = stream.next_unit(&mut container, at, self.scan.archive(), &mut buffer);
            let (end, last, told);
            if slice.is_long {
                let (kind, place) = (container, (at, lines));
                let mut file = None;
                let spooled = match seekable_input {
                    Some(_) => stream.spool(&mut container, place, &mut io::sink()),
                    None => spool()
                        .and_then(|new| stream.spool(&mut container, place, file.insert(new))),
                };
                let spooled = match spooled {
                    Ok(spooled) => spooled,
                    Err(error) => break self.trouble(name, Trouble::Read(error)),
                };
                (end, last) = (at + spooled.len, spooled.last);
                let (of, rest) = ((at..end, lines), (last, spooled.trouble));
                told = match (seekable_input, file) {
                    (Some(SeekableInput { source, .. }), _) => {
                        self.long(name, kind, of, &mut *source.borrow_mut(), rest)
                    }
                    (None, Some(file)) => {
                        self.long(name, kind, of, &mut Seekable::new(file, at), rest)
                    }
                    (None, None) => Continue(spooled.lines),
                };
            } else {
                (end, last) = (slice.base + slice.to as u64, slice.last);
                told = self.unit(name, container, buffer.bytes(), slice, lines);
            }
            at = end;
            match told {
                Continue(next) => lines = next,
                Break(()) => break Break(()),
            }
            if last || self.leaves {
                break Continue(());
            }
        };
        buffer.shrink();
        self.buffer = buffer;
        flow
    }

    /// Scans a message that is too long for memory. `last` is true if nothing follows the message,
    /// and `trouble` is the error that occurred while it was copied, if there was one.
    fn long(
        &mut self,
        file: &Arc<FileName>,
        container: Container,
        (range, lines): (Range<u64>, LineStart),
        source: &mut impl ReadAt,
        (last, trouble): (bool, Option<io::Error>),
    ) -> ControlFlow<(), LineStart> {
        if let Some(trouble) = too_long(&range) {
            self.trouble(file, trouble)?;
        }
        let unit = RangeUnit { file, container, range, lines };
        let mut buffer = Buffer::default();
        let (scanned, read) =
            self.scan.long_message(&unit, Sizes::default(), source, &mut buffer, self.sink);
        self.count(file, &scanned, last, trouble.or(read.err()))
    }

    /// Scans a unit of a plain text.
    fn text(
        &mut self,
        unit: &RangeUnit<'_>,
        dialect: Dialect,
        source: &mut impl ReadAt,
    ) -> ControlFlow<()> {
        let RangeUnit { file, ref range, lines, .. } = *unit;
        let mut text = self.scan.text(file, range.clone(), lines).written_in(dialect);
        let mut buffer = Buffer::default();
        let (scanned, trouble) = loop {
            let (base, wanted) = (text.base(), text.wanted());
            let read = |room: &mut [u8], filled| source.read_at(base + filled as u64, room);
            let read = buffer.append(wanted, |_, _| false, read);
            let bytes = buffer.bytes();
            let is_short = base + (bytes.len() as u64) < range.end && bytes.len() < wanted;
            match text.feed(bytes, self.sink) {
                Continue(spent) => buffer.drop_front(spent),
                Break(scanned) => break (scanned, read.err().or(is_short.then(shorter))),
            }
        };
        self.count(file, &scanned, true, trouble).map_continue(|_| ())
    }

    /// Adds the counts of a unit to the total. Continues with the line start of the next unit.
    pub(super) fn count(
        &mut self,
        name: &Arc<FileName>,
        scanned: &Scanned,
        last: bool,
        trouble: Option<io::Error>,
    ) -> ControlFlow<(), LineStart> {
        self.total.tally += scanned.tally;
        self.total.lines = scanned.lines;
        self.leaves = scanned.stopped && self.sink.leaves_file();
        self.total.stopped = scanned.stopped && !self.leaves;
        let flow = self.sink.scanned(name, scanned, last || self.leaves);
        if let Some(error) = trouble {
            self.trouble(name, Trouble::Read(error))?;
        }
        self.total.stopped |= flow.is_break();
        if self.total.stopped { Break(()) } else { Continue(scanned.lines) }
    }
}

/// Creates an unnamed temporary file for input that can be read only once.
///
/// # Errors
///
/// Returns any error from the operating system.
#[cfg(feature = "spool")]
pub fn spool() -> io::Result<File> {
    tempfile::tempfile()
}

/// Fails, because temporary files need the feature `spool`.
#[cfg(not(feature = "spool"))]
fn spool() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}
