//! The rest of an input, from which one unit after another is taken.
//!
//! The positions of the cuts don't change the records. Plain text is cut anywhere, since the
//! scanner reads enough context around a unit. Mail is cut only where a sequential scan would also
//! find the start of a message.

use super::file_range::{can_split, line_start_after, unit_end};
use super::stream::{Opened, UnitSlice, UnitStream, detect_container};
use crate::buffer::{Buffer, WHOLE};
use crate::read_at::{RangeReader, ReadAt, Seekable, unnamed_temporary_file};
use crate::record::FileName;
use crate::scan::Scan;
use crate::{Detail, LineStart};
use std::fs::File;
use std::io::{self, Chain, Cursor, Read};
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::long::{MAX_WHOLE_LEN, is_single_message};
use urlsift_archive::unpack::{
    Compression, Decompressed, Limits, Unreadable, detect_compression, detect_unreadable,
};
use urlsift_archive::{Container, Dialect, Head, Reading, next_message_start};

/// The maximum nesting depth of archives.
pub(super) const DEPTH: usize = 4;

/// The options for reading an input: its format, and limits for compressed data.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a pair of settings")]
pub struct ReadOptions {
    /// The format as which the input is read.
    pub reading: Reading,
    /// The limits for compressed data.
    pub limits: Limits,
}

/// The type of a boxed stream: `Box<dyn Read>`, or `Box<dyn Read + Send>` if several threads scan
/// the units.
pub trait BoxedRead<F>: Read + Sized {
    /// Boxes a decoder that decompresses a stream.
    fn from_decompressed(decoded: Decompressed<Chain<Cursor<Vec<u8>>, Self>>) -> Self;

    /// Boxes a reader of a range of a file.
    fn from_file_range(reader: RangeReader<F>) -> Self;
}

impl<'s, F: ReadAt + 's> BoxedRead<F> for Box<dyn Read + 's> {
    fn from_decompressed(decoded: Decompressed<Chain<Cursor<Vec<u8>>, Self>>) -> Self {
        Box::new(decoded)
    }

    fn from_file_range(reader: RangeReader<F>) -> Self {
        Box::new(reader)
    }
}

impl<F: ReadAt + Send + 'static> BoxedRead<F> for Box<dyn Read + Send> {
    fn from_decompressed(decoded: Decompressed<Chain<Cursor<Vec<u8>>, Self>>) -> Self {
        Box::new(decoded)
    }

    fn from_file_range(reader: RangeReader<F>) -> Self {
        Box::new(reader)
    }
}

/// The part of an input that was not read yet. Units are taken from it one by one, possibly by
/// several threads, and each is scanned with a [`UnitScanner`](super::unit_scanner::UnitScanner).
///
/// `R` is the type of a stream. `F` is the type of a file that can be read at any offset, and whose
/// clones share the file.
#[expect(missing_debug_implementations, reason = "most of it is bytes")]
pub struct UnitSource<R, F> {
    name: Arc<FileName>,
    bytes: Bytes<R, F>,
    options: ReadOptions,
    /// The number of further levels of nested archives that are read.
    depth: usize,
    /// The reason why the format of a file is only partly read, to be passed on with the first
    /// unit. For a stream, it is determined when that unit is taken.
    unread: Option<Unreadable>,
    /// The offset at which the next unit starts.
    at: u64,
    /// The line start of the next unit. It is meaningless if lines aren't counted.
    pub lines: LineStart,
}

enum Bytes<R, F> {
    /// A file that is cut without reading it from its start, up to `stop`.
    File { file: F, container: Container, stop: u64 },
    /// A stream that is read sequentially. The container is unknown before its first bytes were
    /// read. `file` is the file that it comes from, and its length.
    Stream { stream: UnitStream<R>, container: Option<Container>, file: Option<(F, u64)> },
    /// Nothing is left.
    Ended,
}

/// A unit that was taken from a [`UnitSource`]. Any thread can scan it.
#[expect(missing_debug_implementations, reason = "most of it is bytes")]
pub struct TakenUnit<R, F> {
    pub(super) name: Arc<FileName>,
    pub(super) contents: Contents<R, F>,
    pub(super) lines: LineStart,
    /// True if no other unit of the input follows.
    pub last: bool,
    /// True if the input paused after the unit, so that somebody may be waiting for the unit's
    /// URLs.
    pub paused: bool,
    /// The reason why the format is only partly read.
    pub(super) unread: Option<Unreadable>,
}

pub(super) enum Contents<R, F> {
    /// A unit in the buffer that was passed to [`UnitSource::take_unit`].
    Slice { container: Container, slice: UnitSlice },
    /// A range of a file.
    Range { file: F, container: Container, range: Range<u64> },
    /// A message or record that is too long for memory.
    Long(LongUnit<F>),
    /// An archive, from its first byte on, and the same file if it is seekable.
    Archive {
        kind: Compression,
        stream: R,
        file: Option<RangeReader<F>>,
        options: ReadOptions,
        depth: usize,
    },
}

pub(super) struct LongUnit<F> {
    pub(super) container: Container,
    pub(super) range: Range<u64>,
    pub(super) bytes: LongBytes<F>,
    /// The line start after the message or record.
    after: LineStart,
    /// The error that ended the input after the message or record, if there was one.
    pub(super) trouble: Option<io::Error>,
}

pub(super) enum LongBytes<F> {
    File(F),
    /// A temporary file with a copy.
    Spooled(Seekable<File>),
}

impl<R: BoxedRead<F>, F: ReadAt + Clone> UnitSource<R, F> {
    /// Creates a source from a stream, which may be compressed. `name` appears in the records.
    pub fn from_stream(name: &Arc<FileName>, stream: UnitStream<R>, options: ReadOptions) -> Self {
        Self::new(name, Bytes::Stream { stream, container: None, file: None }, options)
    }

    fn new(name: &Arc<FileName>, bytes: Bytes<R, F>, options: ReadOptions) -> Self {
        let (name, lines) = (Arc::clone(name), LineStart::default());
        Self { name, bytes, options, depth: DEPTH + 1, unread: None, at: 0, lines }
    }

    /// Creates a source from the contents of an archive member. Archives in the member are read
    /// down to `depth - 1` more levels.
    pub(super) fn from_member(
        name: &Arc<FileName>,
        stream: R,
        options: ReadOptions,
        depth: usize,
    ) -> Self {
        let stream = UnitStream::new(stream, Buffer::default());
        Self { depth, ..Self::from_stream(name, stream, options) }
    }

    /// Creates a source from a file of `len` bytes, compressed or not. `head` contains its first
    /// bytes.
    ///
    /// A long, uncompressed file whose format can be split is read in ranges, and `head` is
    /// unchanged. Any other file is read as a stream, and its bytes are removed from `head`.
    pub fn from_file(
        name: &Arc<FileName>,
        (file, len): (F, u64),
        head: &mut Buffer,
        (scan, options): (&Scan, ReadOptions),
    ) -> Self {
        let bytes = head.bytes();
        let (read, unread) = (bytes.len() as u64, detect_unreadable(name.last_component(), bytes));
        let container = detect_compression(bytes).is_none().then(|| {
            let head = Head::new(bytes, len > read);
            let container = detect_container(name, head, options.reading)
                .adapt_to_options(scan.decoding_options());
            container.without_markup_if_too_long(len, scan.decoding_options())
        });
        // A file without lines has no other offset to cut at.
        let is_cut = |container: &Container| {
            len > WHOLE as u64
                && (is_single_message(*container) && len > MAX_WHOLE_LEN
                    || can_split(*container)
                        && (!matches!(container, Container::Escaped(_))
                            || next_message_start(*container, bytes, 1).is_some()))
        };
        if let Some(container) = container.filter(is_cut) {
            let bytes = Bytes::File { file, container, stop: len };
            return Self { unread, ..Self::new(name, bytes, options) };
        }
        let rest = R::from_file_range(RangeReader::new(file.clone(), read..u64::MAX));
        let stream = UnitStream::new(rest, std::mem::take(head));
        let bytes = Bytes::Stream { stream, container, file: Some((file, len)) };
        Self { unread, ..Self::new(name, bytes, options) }
    }

    /// Creates a source from a range of an uncompressed file. The range must start and end at unit
    /// boundaries. `lines` is the line start at its beginning.
    pub fn from_range(
        name: &Arc<FileName>,
        (file, range): (F, Range<u64>),
        (container, lines): (Container, LineStart),
        (scan, options): (&Scan, ReadOptions),
    ) -> Self {
        let Range { start, end } = range;
        let container = container
            .without_markup_if_too_long(end.saturating_sub(start), scan.decoding_options());
        let bytes = if !container.is_sequence() || can_split(container) {
            Bytes::File { file, container, stop: end }
        } else {
            let reader = R::from_file_range(RangeReader::new(file.clone(), range));
            let stream = UnitStream::new(reader, Buffer::default());
            Bytes::Stream { stream, container: Some(container), file: Some((file, end)) }
        };
        Self { at: start, lines, ..Self::new(name, bytes, options) }
    }

    /// Returns the name of the input, as it appears in records.
    pub fn name(&self) -> &Arc<FileName> {
        &self.name
    }

    /// Takes the next unit from the source. The bytes of the unit may be in `buffer` afterwards.
    /// `size` returns the minimum size of a unit of a file, given the format and the number of
    /// bytes that are left.
    ///
    /// Before the following unit is taken, set `lines` to the line start after this one.
    /// [`TakenUnit::line_start_after`] and the scan of the unit both return it.
    ///
    /// # Errors
    ///
    /// Returns any error in opening the input, or in finding the end of the unit.
    pub fn take_unit(
        &mut self,
        scan: &Scan,
        size: impl FnOnce(Container, u64) -> u64,
        buffer: &mut Buffer,
    ) -> io::Result<TakenUnit<R, F>> {
        let (start, lines) = (self.at, self.lines);
        let (mut unread_as, mut paused) = (self.unread.take(), false);
        let (contents, last) = match std::mem::replace(&mut self.bytes, Bytes::Ended) {
            Bytes::Ended => {
                let container = Container::Text(Dialect::Plain);
                buffer.clear();
                (Contents::Slice { container, slice: UnitSlice::whole_file(0) }, true)
            }
            Bytes::File { mut file, container, stop } => {
                let size = size(container, stop.saturating_sub(start));
                let end = unit_end(&mut file, start, (stop, size), container, buffer)?;
                self.at = end;
                self.bytes = Bytes::File { file: file.clone(), container, stop };
                (Contents::Range { file, container, range: start..end }, end >= stop)
            }
            Bytes::Stream { stream, container, file } => {
                let (mut stream, mut container, file) = if let Some(container) = container {
                    (stream, container, file)
                } else {
                    let ReadOptions { reading, limits } = self.options;
                    let mut stream = stream;
                    let is_input_stream = file.is_none() && self.depth > DEPTH;
                    if is_input_stream {
                        unread_as =
                            detect_unreadable(self.name.last_component(), stream.peek_head());
                    }
                    let outer = detect_compression(stream.peek_head());
                    let len = file.as_ref().map(|(_, len)| *len);
                    match stream.decompress(limits, len, R::from_decompressed)? {
                        Opened::Text(mut stream) => {
                            let container = stream.detect_container(&self.name, reading);
                            let mut container = container.adapt_to_options(scan.decoding_options());
                            if is_input_stream && container.needs_file() {
                                unread_as = Some(Unreadable::Stream(container.name()));
                                container = Container::Text(Dialect::Binary);
                            }
                            (stream, container, file.filter(|_| outer.is_none()))
                        }
                        Opened::Archive(kind, stream) => {
                            let file = file.filter(|_| outer == Some(Compression::Zip));
                            let file = file.map(|(file, len)| RangeReader::new(file, 0..len));
                            let (options, depth) = (self.options, self.depth - 1);
                            let contents = Contents::Archive { kind, stream, file, options, depth };
                            return Ok(self.build_unit(contents, lines, (true, false), unread_as));
                        }
                    }
                };
                if file.is_some() || cfg!(feature = "spool") {
                    stream = stream.with_spooling_caller();
                }
                let kind = container;
                let slice =
                    stream.next_unit(&mut container, start, scan.decoding_options(), buffer);
                let (contents, last) = if slice.is_long {
                    let long = read_long_unit(
                        &mut stream,
                        (kind, &mut container),
                        (start, lines),
                        file.as_ref().map(|(file, _)| file),
                    )?;
                    let (long, last) = long;
                    self.at = long.range.end;
                    (Contents::Long(long), last)
                } else {
                    self.at = slice.base + slice.to as u64;
                    paused = slice.paused;
                    let last = slice.last;
                    (Contents::Slice { container, slice }, last)
                };
                self.bytes = Bytes::Stream { stream, container: Some(container), file };
                (contents, last)
            }
        };
        Ok(self.build_unit(contents, lines, (last, paused), unread_as))
    }

    fn build_unit(
        &self,
        contents: Contents<R, F>,
        lines: LineStart,
        (last, paused): (bool, bool),
        unread: Option<Unreadable>,
    ) -> TakenUnit<R, F> {
        TakenUnit { name: Arc::clone(&self.name), contents, lines, last, paused, unread }
    }
}

/// Reads a message or record that is too long for memory. Copies it to a temporary file, unless it
/// can be read again from `file`. The returned flag is true if the input ends after it.
fn read_long_unit<R: Read, F: Clone>(
    stream: &mut UnitStream<R>,
    (kind, container): (Container, &mut Container),
    (start, lines): (u64, LineStart),
    file: Option<&F>,
) -> io::Result<(LongUnit<F>, bool)> {
    let (bytes, spooled) = if let Some(file) = file {
        let spooled = stream.spool_long(container, (start, lines), &mut io::sink())?;
        (LongBytes::File(file.clone()), spooled)
    } else {
        let mut copy = unnamed_temporary_file()?;
        let spooled = stream.spool_long(container, (start, lines), &mut copy)?;
        (LongBytes::Spooled(Seekable::new(copy, start)), spooled)
    };
    let range = start..start + spooled.len;
    let (after, trouble) = (spooled.lines, spooled.trouble);
    Ok((LongUnit { container: kind, range, bytes, after, trouble }, spooled.last))
}

impl<R, F: ReadAt + Clone> TakenUnit<R, F> {
    /// Returns the line start after the unit, by counting the unit's lines. Use it to take the next
    /// unit before this one is scanned.
    ///
    /// `buffer` must be the one that was passed to [`UnitSource::take_unit`]. Read errors are
    /// ignored here, since the scan of the unit reports them.
    pub fn line_start_after(&self, scan: &Scan, buffer: &mut Buffer) -> LineStart {
        match &self.contents {
            _ if scan.options().detail < Detail::Line => self.lines,
            Contents::Slice { slice, .. } => {
                let unit = &buffer.bytes()[slice.from..slice.to];
                self.lines.after_bytes(unit, slice.base + slice.from as u64)
            }
            Contents::Range { file, range, .. } => {
                line_start_after(&mut file.clone(), range.clone(), self.lines, buffer)
                    .unwrap_or(self.lines)
            }
            Contents::Long(long) => long.after,
            Contents::Archive { .. } => self.lines,
        }
    }

    /// True if the unit is a range of a file in plain text.
    pub fn is_text_range(&self) -> bool {
        matches!(self.contents, Contents::Range { container: Container::Text(_), .. })
    }
}
