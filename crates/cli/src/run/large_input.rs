//! Files and streams that are too big for one worker, cut into units.
//!
//! Where a cut falls does not show in the results: a plain text is cut anywhere, since the scanner
//! looks at so much text around a unit as can matter; mail is cut only where a message starts that
//! a walk through the whole would also start there.

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

/// Bytes of a unit of plain text in a file. What is read twice is seven hundredths of it, and what is
/// scanned twice three; a third less, and two workers would do a tenth more than one. It is never
/// held in memory as a whole, but half of what is found in it may be.
const TEXT_UNIT: u64 = 6 << 20;
/// Bytes of such a unit where a URL's record is ten times as long as the URL.
const RECORDS_UNIT: u64 = 4 << 20;
/// How many times as long units are where URLs lie thin, so that nothing waits that is worth the name: less is
/// read and scanned twice.
const STRETCH: u64 = 4;
/// But no unit is a larger part of what is left, so that the workers end together.
const PART: u64 = 8;
/// How many of those are a unit in a file: a worker that finds nothing to take sleeps, and to wake it takes long.
const MAIL_PIECES: u64 = 8;
/// How many bytes are looked at first to find where a unit of mail ends: some messages.
const LOOK: usize = 16 << 10;
/// For how many thousandths of a second nothing must come behind a line before what has come is scanned.
/// Packets of a network seldom end where a line does, so that it is hardly ever one that ends a text too early.
const PAUSE: u32 = 200;
/// A stream that may go from thread to thread.
pub(crate) type Stream = Box<dyn Read + Send>;

/// A file or stream that is read unit by unit.
pub(crate) struct LargeInput {
    pub(crate) name: Arc<FileName>,
    pub(crate) source: Source,
    /// Where the next unit starts.
    pub(crate) at: u64,
    /// `None` while a stream was not looked at.
    pub(crate) container: Option<Container>,
    /// What is known of lines where the next unit starts; of no meaning if nobody wants lines.
    pub(crate) place: LineStart,
    /// The unit of a list that it is, from where to where in its file.
    pub(crate) unit: Option<(u64, Option<u64>)>,
    /// How far it was read, if it is packed.
    pub(crate) packed: Option<Arc<PackedRead>>,
    /// What is known of the units before, if they are read in order.
    pub(crate) so_far: SoFar,
}

/// Where the bytes come from.
pub(crate) enum Source {
    /// Any part can be read at any time, by several workers at once. It is read up to `stop`.
    File { file: Arc<File>, len: u64, stop: u64 },
    /// Comes once, from front to end.
    Stream { stream: UnitStream<Stream>, len: Option<u64>, file: Option<File> },
}

/// What tells that an input pauses, of what is handed over as soon as it does; `at_once`, not only after a while.
pub(crate) fn tells_pauses(pauses: Pauses, at_once: bool) -> Box<dyn FnMut() -> bool + Send> {
    let millis = if at_once { 0 } else { PAUSE };
    Box::new(move || pauses.for_millis(millis))
}

impl LargeInput {
    /// A file of which any part can be read at any time; it is scanned within `range`.
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

    /// A range of a file: what can only be read from front to end is read so.
    ///
    /// # Errors
    ///
    /// What the system says.
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

    /// What comes from front to end. `len` is how long it is before it is decompressed, if that is known, and
    /// `file` the same file where a zip archive can be read at any place.
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

/// What is left of a range of a file.
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

/// Whether a file of that kind is cut without reading it from its start.
pub(crate) fn can_split(container: Container) -> bool {
    container.is_splittable() || matches!(container, Container::Text(_))
}

/// The size of the units that workers take, if `left` bytes are left, and URLs lie thin or not. A worker on
/// its own takes a file as one, and so does one that must know what was found before.
pub(crate) fn unit_size(
    container: Container,
    alone: bool,
    style: &Style,
    left: u64,
    is_thin: bool,
) -> u64 {
    let text_times = if is_thin { STRETCH } else { 1 };
    let (size, times) = match container {
        _ if alone || style.reads_in_order() => return u64::MAX,
        Container::Text(_) if style.detail() == Detail::Full => (RECORDS_UNIT, text_times),
        Container::Text(_) => (TEXT_UNIT, text_times),
        _ => (MAIL_PIECE as u64, MAIL_PIECES),
    };
    (left / PART).clamp(size, times * size)
}

/// What is known of lines at the end of a range, from what is known at its start; `scratch` is overwritten.
///
/// # Errors
///
/// What the system says.
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

/// That a file became shorter while it was read, if it could be read up to `read` only, and not to `end`.
pub(super) fn shrunk(read: u64, end: u64) -> Option<String> {
    let text = || format!("became shorter while it was read: bytes {read} to {end} are gone");
    (read < end).then(text)
}

/// Where a unit of a file ends, and what to read for it.
pub(crate) struct UnitRange {
    pub(crate) at: u64,
    pub(crate) end: u64,
    /// Where the context starts that the unit is scanned with.
    pub(crate) base: u64,
    /// Where that context ends.
    pub(crate) upto: u64,
}

impl UnitRange {
    /// The unit of `file` at `at`, of at least `size` bytes but not beyond `stop`; `scratch` is
    /// overwritten.
    ///
    /// # Errors
    ///
    /// What the system says.
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
            // Any place will do; a line's start is easier on the eye.
            let look = (wanted - at).min(BUFFER as u64 / 4);
            scratch.read_at(file, wanted - look, usize::try_from(look).unwrap_or(0))?;
            let cut = urlsift_scanner::safe_cut(scratch.bytes(), scratch.bytes().len());
            let end = wanted.saturating_sub((scratch.bytes().len() - cut) as u64);
            let end = if end > at { end } else { wanted };
            return Ok(Self::within(at, end, len, container));
        }
        let mut look = LOOK;
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

    /// The messages of this unit that come before one that is too long to be held, if there are any; `scratch` is overwritten.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn before_long(
        &self,
        file: &File,
        container: Container,
        scratch: &mut Buffer,
    ) -> io::Result<Option<Self>> {
        // A start in the last bytes may not show itself, and the unit has no other behind these.
        scratch.read_at(file, self.at, MAIL_PIECE + 2 * LOOK_BEHIND)?;
        let end = self.at + safe_cut(container, scratch.bytes(), false) as u64;
        Ok((self.at < end && end < self.end).then_some(Self { end, upto: end, ..*self }))
    }

    /// The unit from `at` to `end`, with the context it needs.
    pub(crate) fn within(at: u64, end: u64, len: u64, container: Container) -> Self {
        if matches!(container, Container::Text(_)) {
            let (base, upto) = (at.saturating_sub(BEFORE as u64), (end + AFTER as u64).min(len));
            Self { at, end, base, upto }
        } else {
            Self { at, end, base: at, upto: end }
        }
    }

    /// Reads the unit.
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
    fn a_file_that_became_shorter_is_told() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"http://h.dom/a\n").unwrap();
        let mut buffer = Buffer::default();
        let container = Container::Text(Dialect::Plain);
        // It was 40 bytes long when it was cut into units.
        let slice = UnitRange::within(0, 40, 40, container).read(&file, true, &mut buffer);
        assert_eq!((slice.from, slice.to, buffer.bytes().len()), (0, 15, 15));
        assert!(slice.trouble.unwrap().to_string().contains("bytes 15 to 40 are gone"));
        let slice = UnitRange::within(0, 15, 15, container).read(&file, true, &mut buffer);
        assert!(slice.to == 15 && slice.trouble.is_none());
        assert_eq!(shrunk(15, 15), None);
    }
}
