//! Splits a file into units. The file, which can be compressed, is read once from start to end.

use super::stream::UnitStream;
use crate::LineStart;
use crate::buffer::Buffer;
use crate::record::FileName;
use std::io::{self, Read};
use std::ops::Range;
use urlsift_archive::unpack::{Compression, Limits, PieceStart, Pieces, detect_compression};
use urlsift_archive::{Container, Options, Reading, next_message_start};

/// The maximum decompressed size of a compressed piece in which units may start at any message. To
/// scan such a unit, the whole piece must be decompressed.
const SMALL: u64 = 1 << 20;
/// The number of bytes before a desired offset that are searched for the start of a line.
const MAX_LINE_SEARCH: usize = 64 << 10;

/// The maximum number of units of a file. The limit bounds memory, because all units are kept until
/// the end of the file is reached.
const MAX_UNITS: usize = 1_000_000;

/// A unit into which a file was split. Its offsets refer to the decompressed file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CutUnit {
    /// The offset of the unit's first byte.
    pub start: u64,
    /// The offset after the unit's last byte, or `None` if the unit is a whole compressed file.
    pub end: Option<u64>,
    /// The range of bytes that is needed to scan the unit on its own, or `None` if the unit is a
    /// whole compressed file.
    pub context: Option<Range<u64>>,
    /// The range of stored bytes to decompress to get the context. `None` if the file is not
    /// compressed or is a single unit.
    pub raw: Option<Range<u64>>,
    /// The line start of the unit.
    pub lines: LineStart,
}

/// The result of [`cut_into_units`]: the units of a file, and properties of the file that were
/// found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Cuts {
    /// The units in order. There is at least one.
    pub units: Vec<CutUnit>,
    /// The format of the file, or `None` for an archive.
    pub container: Option<Container>,
    /// The length of the decompressed file as far as it was read.
    pub len: u64,
    /// The error that ended the reading, if there was one. A compressed file is then a single unit.
    pub trouble: Option<io::Error>,
}

/// Splits a file into units of at least `size` bytes each, except the last one. Reads `stream`, the
/// content of the file, which may be compressed.
///
/// Takes linear time in the decompressed length. Uses as much memory as a scan, and a few bytes for
/// each piece of a compressed file.
pub fn cut_into_units(
    stream: impl Read,
    name: &FileName,
    (reading, options, limits): (Reading, &Options, Limits),
    size: u64,
) -> Cuts {
    let mut head = Vec::new();
    let mut stream = stream;
    if let Err(error) = stream.by_ref().take(512).read_to_end(&mut head) {
        let unit = CutUnit::whole_file();
        return Cuts { units: vec![unit], container: None, len: 0, trouble: Some(error) };
    }
    let kind = detect_compression(&head);
    let readable = matches!(kind, None | Some(Compression::Gzip | Compression::Zstd));
    let whole = io::Cursor::new(head).chain(stream);
    if !readable {
        return Cuts { units: vec![CutUnit::whole_file()], container: None, len: 0, trouble: None };
    }
    let pieces = Pieces::new(whole, kind, limits);
    let mut cutter = Cutter {
        stream: UnitStream::new(pieces, Buffer::default()).with_spooling_caller(),
        is_packed: kind.is_some(),
        size: size.max(1),
        ranges: Vec::new(),
        start: 0,
        first: LineStart::default(),
        lines: LineStart::default(),
    };
    let mut cuts = cutter.cut_file(name, reading, options);
    if kind.is_some() && (cuts.units.len() == 1 || cuts.trouble.is_some()) {
        cuts.units = vec![CutUnit::whole_file()];
    }
    cuts
}

impl CutUnit {
    /// Returns a unit that consists of a whole compressed file, for a file that can't be split.
    fn whole_file() -> Self {
        Self { start: 0, end: None, context: None, raw: None, lines: LineStart::default() }
    }
}

/// The state of splitting one file into units, while the file is read sequentially.
struct Cutter<R: Read> {
    stream: UnitStream<Pieces<R>>,
    /// True if the file is compressed.
    is_packed: bool,
    /// The minimum size of units.
    size: u64,
    /// The units found so far, with the line start of each.
    ranges: Vec<(Range<u64>, LineStart)>,
    /// The file offset of the current unit, and its line start.
    start: u64,
    first: LineStart,
    /// The line start at the offset that [`Cutter::count_lines_of`] has reached.
    lines: LineStart,
}

impl<R: Read> Cutter<R> {
    /// Reads the whole file called `name`, and returns the units into which it is split.
    fn cut_file(&mut self, name: &FileName, reading: Reading, options: &Options) -> Cuts {
        let head = self.stream.peek_head();
        if self.is_packed && detect_compression(head).is_some() {
            return Cuts {
                units: vec![CutUnit::whole_file()],
                container: None,
                len: 0,
                trouble: None,
            };
        }
        let detected = self.stream.detect_container(name, reading);
        let mut container = detected.adapt_to_options(options);
        let is_text = matches!(container, Container::Text(_));
        let first = container;
        // Input that is too long for memory continues as text and is not split. Records that are
        // skipped are not split, either.
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
                return Cuts {
                    units: vec![CutUnit::whole_file()],
                    container: None,
                    len: at,
                    trouble,
                };
            }
            let slice = self.stream.next_unit(&mut container, at, options, &mut buffer);
            if slice.is_long {
                let place = (at, self.lines);
                // Nothing is stored here, so writing can't fail.
                let spooled = self.stream.spool_long(&mut container, place, &mut io::sink());
                let Ok(spooled) = spooled else { break };
                self.lines = spooled.lines;
                at += spooled.len;
                trouble = spooled.trouble.or(trouble);
                if spooled.last {
                    break;
                }
                if is_cut(container)
                    && at - self.start >= self.size
                    && self.can_start_unit_at(at, is_text)
                {
                    self.finish_unit(at);
                }
                continue;
            }
            let bytes = &buffer.bytes()[..slice.to];
            let mut done = slice.from;
            if is_cut(container) {
                while let Some(point) =
                    self.next_unit_boundary(container, bytes, (slice.base, done))
                {
                    self.count_lines_of(&bytes[done..point], slice.base + done as u64);
                    self.finish_unit(slice.base + point as u64);
                    done = point;
                }
            }
            self.count_lines_of(&bytes[done..], slice.base + done as u64);
            at = slice.base + slice.to as u64;
            if is_cut(container)
                && !slice.last
                && at - self.start >= self.size
                && self.can_start_unit_at(at, is_text)
            {
                self.finish_unit(at);
            }
            if slice.last {
                trouble = slice.trouble.or(trouble);
                break;
            }
        }
        let end = self.stream.get_ref().lengths_so_far();
        self.finish_unit(at);
        let units = self.ranges.drain(..).filter(|(range, _)| !range.is_empty() || at == 0);
        let pieces = self.is_packed.then(|| self.stream.get_ref().piece_starts());
        let units =
            units.map(|(range, lines)| make_unit(range, lines, first, pieces, end)).collect();
        Cuts { units, container: Some(detected), len: at, trouble }
    }

    /// Counts the line breaks in `bytes`, which start at file offset `from`. Pass all bytes of the
    /// file in order.
    fn count_lines_of(&mut self, bytes: &[u8], from: u64) {
        self.lines = self.lines.after_bytes(bytes, from);
    }

    /// Ends the current unit at file offset `at`. [`Cutter::count_lines_of`] must already have
    /// counted the lines up to there.
    fn finish_unit(&mut self, at: u64) {
        self.ranges.push((self.start..at, self.first));
        (self.start, self.first) = (at, self.lines);
    }

    /// Returns the offset in `bytes` at which the current unit should end. The offset is greater
    /// than `done`. Returns `None` if the unit can't end in `bytes`. `base` is the file offset of
    /// `bytes`.
    fn next_unit_boundary(
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
            return self.can_start_unit_at(base + point as u64, true).then_some(point);
        }
        if !container.is_splittable() {
            return None;
        }
        loop {
            let point =
                next_message_start(container, bytes, wish).filter(|point| *point < bytes.len())?;
            if self.can_start_unit_at(base + point as u64, false) {
                return Some(point);
            }
            // In a long compressed piece, a unit can start only at the start of the piece. Try the
            // next piece.
            let starts = self.stream.get_ref().piece_starts();
            let next = starts.partition_point(|start| start.text <= base + point as u64);
            wish = usize::try_from(starts.get(next)?.text - base).ok()?;
        }
    }

    /// True if a unit may start at file offset `at`, because scanning it needs little decompression
    /// of earlier bytes.
    fn can_start_unit_at(&self, at: u64, is_text: bool) -> bool {
        if !self.is_packed {
            return true;
        }
        let starts = self.stream.get_ref().piece_starts();
        let next = starts.partition_point(|start| start.text <= at);
        let Some(start) = next.checked_sub(1).and_then(|last| starts.get(last)) else {
            return false;
        };
        let is_small = starts.get(next).is_some_and(|next| next.text - start.text <= SMALL);
        start.text == at && !is_text || is_small
    }
}

/// Creates a unit for `range`, with the context that is needed to scan it and its range of
/// compressed bytes. `end` is the end of the file.
fn make_unit(
    range: Range<u64>,
    lines: LineStart,
    container: Container,
    pieces: Option<&[PieceStart]>,
    end: PieceStart,
) -> CutUnit {
    let mut context = super::range_with_context(range.clone(), end.text, container);
    let raw = pieces.map(|starts| {
        let first = starts.partition_point(|start| start.text <= context.start).saturating_sub(1);
        let first = starts.get(first).copied().unwrap_or_default();
        let next = starts.partition_point(|start| start.text < context.end);
        let next = starts.get(next).copied().unwrap_or(end);
        context = first.text..next.text;
        first.raw..next.raw
    });
    CutUnit { start: range.start, end: Some(range.end), context: Some(context), raw, lines }
}

/// Decompresses `raw`, the compressed bytes that contain a unit. The result must have a length of
/// `len` bytes.
///
/// # Errors
///
/// Fails if the bytes are damaged or decompress to a different length.
pub fn decompress_unit(raw: impl Read, len: u64, limits: Limits) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    decompress_unit_to(raw, len, limits, &mut text)?;
    Ok(text)
}

/// Decompresses a unit like [`decompress_unit`], but writes the decompressed bytes to `out`.
///
/// # Errors
///
/// Fails if the bytes are damaged or decompress to a different length. Returns any error from
/// `out`.
pub fn decompress_unit_to(
    raw: impl Read,
    len: u64,
    limits: Limits,
    out: &mut impl io::Write,
) -> io::Result<()> {
    let mut raw = raw;
    let mut head = Vec::new();
    raw.by_ref().take(512).read_to_end(&mut head)?;
    let kind = detect_compression(&head);
    // One more byte than expected shows that the length is wrong.
    let pieces = Pieces::new(io::Cursor::new(head).chain(raw), kind, limits);
    if io::copy(&mut pieces.take(len.saturating_add(1)), out)? == len {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "the decompressed size is not the expected one"))
}
