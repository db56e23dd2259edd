//! Splits files and streams that are too large for one worker into units.
//!
//! Where the input is split doesn't change the results. Plain text is split anywhere, because the
//! scanner reads enough context around a unit. Mail is split only where a sequential scan would
//! also find the start of a message.

use super::packed_read::PackedRead;
use super::so_far::SoFar;
use crate::io::buffer::{BUFFER, Buffer, FileBuffer as _};
use crate::io::explain::refusal;
use crate::io::open::Pauses;
use crate::print::style::Style;
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::{Container, LOOK_BEHIND, next_start, safe_cut};
use urlsift_records::input::{MAIL_PIECE, UnitSlice, UnitStream};
use urlsift_records::{Detail, FileName, LineStart};
use urlsift_scanner::{AFTER, BEFORE};

/// The size in bytes of a unit of plain text in a file.
///
/// With this size, 7 % of the unit is read twice and 3 % is scanned twice. If units were a third
/// smaller, two workers would do a tenth more work than one. The unit is never in memory as a
/// whole, but half of its results may be.
const TEXT_UNIT: u64 = 6 << 20;
/// The size in bytes of a unit of plain text if full records are printed. They are ten times as
/// long as their URLs.
const RECORDS_UNIT: u64 = 4 << 20;
/// The factor by which units are larger in text with few URLs, whose results need little memory. In
/// larger units, a smaller share is read and scanned twice.
const SPARSE_FACTOR: u64 = 4;
/// The maximum size of a unit is 1/`PART` of the remaining bytes, so that all workers finish at
/// about the same time.
const PART: u64 = 8;
/// The number of [`MAIL_PIECE`]s in a unit of mail in a file. With smaller units, workers would be
/// idle, because waking a worker takes long.
const MAIL_PIECES: u64 = 8;
/// The number of bytes that are searched first for the end of a unit of mail. They contain a few
/// messages.
const FIRST_SEARCH: usize = 16 << 10;
/// The length in milliseconds of a pause after a complete line after which the bytes received so
/// far are scanned. Network packets rarely end at a line break, so a text is rarely split at a
/// wrong place.
const PAUSE: u32 = 200;
/// A stream that can be moved to another thread.
pub(crate) type Stream = Box<dyn Read + Send>;

/// The rest of a file or stream that is scanned unit by unit.
pub(crate) struct LargeInput {
    pub(crate) name: Arc<FileName>,
    pub(crate) source: Source,
    /// The file offset of the next unit.
    pub(crate) at: u64,
    /// The format of the input, or `None` if the first bytes of a stream were not read yet.
    pub(crate) container: Option<Container>,
    /// The line start of the next unit. Meaningless if lines aren't counted.
    pub(crate) place: LineStart,
    /// The start and end in the file, if the input is a unit from a list.
    pub(crate) unit: Option<(u64, Option<u64>)>,
    /// The number of compressed bytes read so far, if the file is compressed.
    pub(crate) packed: Option<Arc<PackedRead>>,
    /// The state after the previous unit, if units are scanned in order.
    pub(crate) so_far: SoFar,
}

/// The source of an input's bytes.
pub(crate) enum Source {
    /// A file that several workers can read at the same time, at any offset. It is read up to
    /// `stop`.
    File { file: Arc<File>, len: u64, stop: u64 },
    /// A stream that is read once, in sequence. `len` is its compressed size, if known.
    Stream { stream: UnitStream<Stream>, len: Option<u64>, file: Option<File> },
}

/// Returns a function that returns true if the input pauses. If `at_once` is true, every wait
/// counts as a pause; otherwise only one of [`PAUSE`] milliseconds does.
pub(crate) fn pause_detector(pauses: Pauses, at_once: bool) -> Box<dyn FnMut() -> bool + Send> {
    let millis = if at_once { 0 } else { PAUSE };
    Box::new(move || pauses.for_millis(millis))
}

impl LargeInput {
    /// Creates an input for the bytes `range` of a seekable file of `len` bytes.
    pub(crate) fn range(
        name: &Arc<FileName>,
        file: File,
        range: Range<u64>,
        len: u64,
        container: Container,
    ) -> Self {
        Self {
            name: Arc::clone(name),
            source: Source::File { file: Arc::new(file), len, stop: range.end },
            at: range.start,
            container: Some(container),
            place: LineStart::default(),
            unit: None,
            packed: None,
            so_far: SoFar::default(),
        }
    }

    /// Creates an input for the bytes `range` of a file. If the format can only be read in
    /// sequence, the file is read as a stream.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn part(
        name: &Arc<FileName>,
        mut file: File,
        range: Range<u64>,
        len: u64,
        container: Container,
    ) -> io::Result<Self> {
        if !container.is_sequence() || can_split(container) {
            return Ok(Self::range(name, file, range, len, container));
        }
        file.seek(SeekFrom::Start(range.start))?;
        let part: Stream = Box::new(Part { file, at: range.start, end: range.end });
        let stream = UnitStream::new(part, Buffer::default()).with_spool();
        let large = Self::stream(name, stream, None, None);
        Ok(Self { at: range.start, container: Some(container), ..large })
    }

    /// Creates an input for a stream. `len` is its compressed size, if known. `file` is the same
    /// file, if it is a zip archive and seekable.
    pub(crate) fn stream(
        name: &Arc<FileName>,
        stream: UnitStream<Stream>,
        len: Option<u64>,
        file: Option<File>,
    ) -> Self {
        Self {
            name: Arc::clone(name),
            source: Source::Stream { stream, len, file },
            at: 0,
            container: None,
            place: LineStart::default(),
            unit: None,
            packed: None,
            so_far: SoFar::default(),
        }
    }
}

/// Reads the rest of a range of a file. Fails if the file has become shorter.
struct Part {
    file: File,
    at: u64,
    end: u64,
}

impl Read for Part {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let most = left.min(room.len());
        let read = self.file.read(&mut room[..most])?;
        self.at += read as u64;
        match shrunk(self.at, self.end) {
            Some(message) if read == 0 && most > 0 => Err(refusal(message)),
            _ => Ok(read),
        }
    }
}

/// True if a file in this format can be split without reading it from its start.
pub(crate) fn can_split(container: Container) -> bool {
    container.is_splittable() || matches!(container, Container::Text(_))
}

/// Returns the size of the next unit if `left` bytes are left. If there is only one worker, or if
/// results depend on earlier units, the rest is one unit.
pub(crate) fn unit_size(
    container: Container,
    alone: bool,
    style: &Style,
    left: u64,
    is_sparse: bool,
) -> u64 {
    let text_times = if is_sparse { SPARSE_FACTOR } else { 1 };
    let (size, times) = match container {
        _ if alone || style.reads_in_order() => return u64::MAX,
        Container::Text(_) if style.detail() == Detail::Full => (RECORDS_UNIT, text_times),
        Container::Text(_) => (TEXT_UNIT, text_times),
        _ => (MAIL_PIECE as u64, MAIL_PIECES),
    };
    (left / PART).clamp(size, times * size)
}

/// Returns the line start at the end of a range, given the line start at its start. Overwrites
/// `scratch`.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn count_lines(
    file: &File,
    range: Range<u64>,
    mut place: LineStart,
    scratch: &mut Buffer,
) -> io::Result<LineStart> {
    let mut at = range.start;
    while at < range.end {
        let piece = usize::try_from(range.end - at).unwrap_or(BUFFER).min(BUFFER);
        scratch.read_at(file, at, piece)?;
        let read = scratch.bytes().len() as u64;
        if read == 0 {
            break;
        }
        place = place.after(scratch.bytes(), at);
        at += read;
    }
    Ok(place)
}

/// Returns an error message if a file could be read only up to offset `read` and not up to `end`.
pub(super) fn shrunk(read: u64, end: u64) -> Option<String> {
    let text =
        || format!("the file was truncated while it was read: bytes {read} to {end} are missing");
    (read < end).then(text)
}

/// The range of a unit of a file, and the range of its context.
pub(crate) struct UnitRange {
    /// The start of the unit.
    pub(crate) at: u64,
    /// The end of the unit.
    pub(crate) end: u64,
    /// The start of the context.
    pub(crate) base: u64,
    /// The end of the context.
    pub(crate) upto: u64,
}

impl UnitRange {
    /// Returns the unit of `file` that starts at `at`, is at least `size` bytes long and ends at or
    /// before `stop`. Overwrites `scratch`.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn cut(
        file: &File,
        len: u64,
        at: u64,
        (stop, size): (u64, u64),
        container: Container,
        scratch: &mut Buffer,
    ) -> io::Result<Self> {
        let mut wanted = at.saturating_add(size.max(1));
        if wanted >= stop || !can_split(container) {
            return Ok(Self::within(at, stop, len, container));
        }
        if matches!(container, Container::Text(_)) {
            // Text can be split anywhere, but a list of units is easier to read if units start at
            // lines.
            let look = (wanted - at).min(BUFFER as u64 / 4);
            scratch.read_at(file, wanted - look, usize::try_from(look).unwrap_or(0))?;
            let cut = urlsift_scanner::safe_cut(scratch.bytes(), scratch.bytes().len());
            let end = wanted.saturating_sub((scratch.bytes().len() - cut) as u64);
            let end = if end > at { end } else { wanted };
            return Ok(Self::within(at, end, len, container));
        }
        let mut look = FIRST_SEARCH;
        loop {
            let base = wanted - (LOOK_BEHIND as u64).min(wanted);
            scratch.read_at(file, base, look)?;
            let bytes = scratch.bytes();
            let skip = usize::try_from(wanted - base).unwrap_or(0);
            let seen = base + bytes.len() as u64;
            let ends = bytes.len() < look || seen >= stop;
            if let Some(start) = next_start(container, bytes, skip.min(bytes.len()))
                && (ends || start + LOOK_BEHIND <= bytes.len())
            {
                return Ok(Self::within(at, (base + start as u64).min(stop), len, container));
            }
            if ends {
                return Ok(Self::within(at, stop, len, container));
            }
            wanted = seen - LOOK_BEHIND as u64;
            look = BUFFER;
        }
    }

    /// Returns the part of this unit before the first message that is too long for memory, or
    /// `None` if that is the first message. Overwrites `scratch`.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn before_long(
        &self,
        file: &File,
        container: Container,
        scratch: &mut Buffer,
    ) -> io::Result<Option<Self>> {
        // A message start in the last bytes may not be recognizable, and the unit has no further
        // one.
        scratch.read_at(file, self.at, MAIL_PIECE + 2 * LOOK_BEHIND)?;
        let end = self.at + safe_cut(container, scratch.bytes(), false) as u64;
        Ok((self.at < end && end < self.end).then_some(Self { end, upto: end, ..*self }))
    }

    /// Returns the unit from `at` to `end`, with the context that it needs in a file of `len`
    /// bytes.
    pub(crate) fn within(at: u64, end: u64, len: u64, container: Container) -> Self {
        if matches!(container, Container::Text(_)) {
            let (base, upto) = (at.saturating_sub(BEFORE as u64), (end + AFTER as u64).min(len));
            Self { at, end, base, upto }
        } else {
            Self { at, end, base: at, upto: end }
        }
    }

    /// Reads the unit and its context into `buffer`. `last` is true if it is the last unit of the
    /// file.
    pub(crate) fn read(&self, file: &File, last: bool, buffer: &mut Buffer) -> UnitSlice {
        let wanted = usize::try_from(self.upto - self.base).unwrap_or(usize::MAX);
        let trouble = match buffer.read_at(file, self.base, wanted) {
            Ok(()) => shrunk(self.base + buffer.bytes().len() as u64, self.end).map(refusal),
            Err(error) => Some(error),
        };
        let within = |offset: u64| {
            usize::try_from(offset - self.base).unwrap_or(usize::MAX).min(buffer.bytes().len())
        };
        let mut slice = UnitSlice::whole(within(self.end));
        slice.from = within(self.at);
        (slice.base, slice.last, slice.trouble) = (self.base, last, trouble);
        slice
    }
}

#[cfg(test)]
mod tests {
    use super::{Buffer, UnitRange, shrunk};
    use std::io::Write as _;
    use urlsift_archive::{Container, Dialect};

    #[test]
    fn truncated_file_is_reported() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"http://h.dom/a\n").unwrap();
        let mut buffer = Buffer::default();
        let container = Container::Text(Dialect::Plain);
        // The file was 40 bytes long when it was split into units.
        let slice = UnitRange::within(0, 40, 40, container).read(&file, true, &mut buffer);
        assert_eq!((slice.from, slice.to, buffer.bytes().len()), (0, 15, 15));
        assert!(slice.trouble.unwrap().to_string().contains("bytes 15 to 40 are missing"));
        let slice = UnitRange::within(0, 15, 15, container).read(&file, true, &mut buffer);
        assert!(slice.to == 15 && slice.trouble.is_none());
        assert_eq!(shrunk(15, 15), None);
    }
}
