//! A file cut into units by reading it once, from front to end, packed or not.

use super::stream::UnitStream;
use crate::LineStart;
use crate::buffer::Buffer;
use crate::record::FileName;
use std::io::{self, Read};
use std::ops::Range;
use urlsift_archive::unpack::{Compression, Limits, PieceStart, Pieces, compression};
use urlsift_archive::{Container, Options, Reading, next_start};
use urlsift_scanner::{AFTER, BEFORE};

/// A piece of a packed file that is no longer than this is unpacked for the sake of a part of it.
const SMALL: u64 = 1 << 20;
/// The number of bytes before a requested offset that are searched for the start of a line.
const MAX_LINE_SEARCH: usize = 64 << 10;

/// The maximum number of units of a file that is read from its start: all units are kept until its
/// end is known.
const MAX_UNITS: usize = 1_000_000;

/// A unit, as found by reading the whole file. Offsets refer to the decompressed file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CutUnit {
    /// The unit's range; without an end it is all of a compressed file.
    pub start: u64,
    /// One past its last byte.
    pub end: Option<u64>,
    /// The range of bytes that is needed to scan it.
    pub context: Option<Range<u64>>,
    /// The range of these bytes in a compressed file, as stored.
    pub raw: Option<Range<u64>>,
    /// The line number at its start.
    pub lines: LineStart,
}

/// The units of a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Cuts {
    /// In order; there is always one.
    pub units: Vec<CutUnit>,
    /// The file format, or `None` for an archive.
    pub container: Option<Container>,
    /// The decompressed length, up to which the file was read.
    pub len: u64,
    /// The error, if any; the file is then a single unit.
    pub trouble: Option<io::Error>,
}

/// Splits a file into units of at least `size` bytes. Linear in the decompressed length. Uses as
/// much memory as a scan, plus a few bytes for each piece of a compressed file.
pub fn cut(
    stream: impl Read,
    name: &FileName,
    (reading, options, limits): (Reading, &Options, Limits),
    size: u64,
) -> Cuts {
    let mut head = Vec::new();
    let mut stream = stream;
    if let Err(error) = stream.by_ref().take(512).read_to_end(&mut head) {
        let unit = CutUnit::whole();
        return Cuts { units: vec![unit], container: None, len: 0, trouble: Some(error) };
    }
    let kind = compression(&head);
    let readable = matches!(kind, None | Some(Compression::Gzip | Compression::Zstd));
    let whole = io::Cursor::new(head).chain(stream);
    if !readable {
        return Cuts { units: vec![CutUnit::whole()], container: None, len: 0, trouble: None };
    }
    let pieces = Pieces::new(whole, kind, limits);
    let mut cutter = Cutter {
        stream: UnitStream::new(pieces, Buffer::default()).with_spool(),
        is_packed: kind.is_some(),
        size: size.max(1),
        ranges: Vec::new(),
        start: 0,
        first: LineStart::default(),
        lines: LineStart::default(),
    };
    let mut cuts = cutter.run(name, reading, options);
    if kind.is_some() && (cuts.units.len() == 1 || cuts.trouble.is_some()) {
        cuts.units = vec![CutUnit::whole()];
    }
    cuts
}

impl CutUnit {
    /// Returns a single unit for a compressed file.
    fn whole() -> Self {
        Self { start: 0, end: None, context: None, raw: None, lines: LineStart::default() }
    }
}

struct Cutter<R: Read> {
    stream: UnitStream<Pieces<R>>,
    is_packed: bool,
    size: u64,
    /// The units so far, with the line number at the start of each.
    ranges: Vec<(Range<u64>, LineStart)>,
    /// The start of the current unit, and the line number there.
    start: u64,
    first: LineStart,
    /// The line number at the offset reached by `advance`.
    lines: LineStart,
}

impl<R: Read> Cutter<R> {
    fn run(&mut self, name: &FileName, reading: Reading, options: &Options) -> Cuts {
        let head = self.stream.head();
        if self.is_packed && compression(head).is_some() {
            return Cuts { units: vec![CutUnit::whole()], container: None, len: 0, trouble: None };
        }
        let told = self.stream.container(name, reading);
        let mut container = told.with_options(options);
        let is_text = matches!(container, Container::Text(_));
        let first = container;
        // Input that became too long for memory continues as text and is not split; nor are records
        // that are skipped.
        let is_cut =
            |container: Container| container == first && (container.is_sequence() || is_text);
        let (mut at, mut buffer, mut trouble) = (0, Buffer::default(), None);
        loop {
            if self.ranges.len() > MAX_UNITS {
                let text = format!(
                    "units of {} bytes would be more than {MAX_UNITS}; choose a larger size",
                    self.size
                );
                let trouble = Some(io::Error::other(text));
                return Cuts { units: vec![CutUnit::whole()], container: None, len: at, trouble };
            }
            let slice = self.stream.next_unit(&mut container, at, options, &mut buffer);
            if slice.is_long {
                let place = (at, self.lines);
                // Nothing is to be put by, so that nothing can fail.
                let spooled = self.stream.spool(&mut container, place, &mut io::sink());
                let Ok(spooled) = spooled else { break };
                self.lines = spooled.lines;
                at += spooled.len;
                trouble = spooled.trouble.or(trouble);
                if spooled.last {
                    break;
                }
                if is_cut(container) && at - self.start >= self.size && self.is_allowed(at, is_text)
                {
                    self.end_unit(at);
                }
                continue;
            }
            let bytes = &buffer.bytes()[..slice.to];
            let mut done = slice.from;
            if is_cut(container) {
                while let Some(point) = self.point(container, bytes, (slice.base, done)) {
                    self.advance(&bytes[done..point], slice.base + done as u64);
                    self.end_unit(slice.base + point as u64);
                    done = point;
                }
            }
            self.advance(&bytes[done..], slice.base + done as u64);
            at = slice.base + slice.to as u64;
            if is_cut(container)
                && !slice.last
                && at - self.start >= self.size
                && self.is_allowed(at, is_text)
            {
                self.end_unit(at);
            }
            if slice.last {
                trouble = slice.trouble.or(trouble);
                break;
            }
        }
        let end = self.stream.get_ref().read_so_far();
        self.end_unit(at);
        let units = self.ranges.drain(..).filter(|(range, _)| !range.is_empty() || at == 0);
        let pieces = self.is_packed.then(|| self.stream.get_ref().starts());
        let units = units.map(|(range, lines)| unit(range, lines, is_text, pieces, end)).collect();
        Cuts { units, container: Some(told), len: at, trouble }
    }

    /// Advances past `bytes`, which start at `from`.
    fn advance(&mut self, bytes: &[u8], from: u64) {
        self.lines = self.lines.after(bytes, from);
    }

    /// Ends the current unit at the offset reached by `advance`.
    fn end_unit(&mut self, at: u64) {
        self.ranges.push((self.start..at, self.first));
        (self.start, self.first) = (at, self.lines);
    }

    /// Returns the next offset after `done` at which to split `bytes`; `base` is the file offset of
    /// the first byte.
    fn point(
        &self,
        container: Container,
        bytes: &[u8],
        (base, done): (u64, usize),
    ) -> Option<usize> {
        let wish = usize::try_from((self.start + self.size).saturating_sub(base)).ok()?;
        let mut wish = wish.max(done + 1);
        if wish >= bytes.len() {
            return None;
        }
        if let Container::Text(_) = container {
            let look = wish.saturating_sub(MAX_LINE_SEARCH).max(done);
            let line = look + urlsift_scanner::safe_cut(&bytes[look..wish], wish - look);
            let point = if line > done { line } else { wish };
            return self.is_allowed(base + point as u64, true).then_some(point);
        }
        if !container.is_splittable() {
            return None;
        }
        loop {
            let point = next_start(container, bytes, wish).filter(|point| *point < bytes.len())?;
            if self.is_allowed(base + point as u64, false) {
                return Some(point);
            }
            // Otherwise, units only start where a compressed piece starts.
            let starts = self.stream.get_ref().starts();
            let next = starts.partition_point(|start| start.text <= base + point as u64);
            wish = usize::try_from(starts.get(next)?.text - base).ok()?;
        }
    }

    /// True if a unit can start there without much needless decompression.
    fn is_allowed(&self, at: u64, is_text: bool) -> bool {
        if !self.is_packed {
            return true;
        }
        let starts = self.stream.get_ref().starts();
        let next = starts.partition_point(|start| start.text <= at);
        let Some(start) = next.checked_sub(1).and_then(|last| starts.get(last)) else {
            return false;
        };
        let is_small = starts.get(next).is_some_and(|next| next.text - start.text <= SMALL);
        start.text == at && !is_text || is_small
    }
}

/// Returns a unit with the bytes to read for it.
fn unit(
    range: Range<u64>,
    lines: LineStart,
    is_text: bool,
    pieces: Option<&[PieceStart]>,
    end: PieceStart,
) -> CutUnit {
    let mut context = range.clone();
    if is_text {
        context.start = context.start.saturating_sub(BEFORE as u64);
        context.end = (context.end + AFTER as u64).min(end.text);
    }
    let raw = pieces.map(|starts| {
        let first = starts.partition_point(|start| start.text <= context.start).saturating_sub(1);
        let first = starts.get(first).copied().unwrap_or_default();
        let behind = starts.partition_point(|start| start.text < context.end);
        let behind = starts.get(behind).copied().unwrap_or(end);
        context = first.text..behind.text;
        first.raw..behind.raw
    });
    CutUnit { start: range.start, end: Some(range.end), context: Some(context), raw, lines }
}

/// Decompresses the bytes of a unit to exactly `len` bytes.
///
/// # Errors
///
/// Fails if the bytes are damaged or decompress to a different length.
pub fn unpack(raw: impl Read, len: u64, limits: Limits) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    unpack_to(raw, len, limits, &mut text)?;
    Ok(text)
}

/// Like [`unpack`], but writes to a given buffer.
///
/// # Errors
///
/// Fails if the bytes are damaged, decompress to a different length or don't fit.
pub fn unpack_to(
    raw: impl Read,
    len: u64,
    limits: Limits,
    out: &mut impl io::Write,
) -> io::Result<()> {
    let mut raw = raw;
    let mut head = Vec::new();
    raw.by_ref().take(512).read_to_end(&mut head)?;
    let kind = compression(&head);
    // One byte more shows that there is more.
    let pieces = Pieces::new(io::Cursor::new(head).chain(raw), kind, limits);
    if io::copy(&mut pieces.take(len.saturating_add(1)), out)? == len {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "the decompressed size is not the expected one"))
}
