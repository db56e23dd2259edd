//! Scans units, and reports their results and errors to a sink.

use super::file_range::{end_before_first_long_message, unit_end};
use super::source::{BoxedRead, Contents, DEPTH, LongBytes, ReadOptions, TakenUnit, UnitSource};
use super::stream::{MAIL_PIECE, UnitSlice};
use crate::buffer::Buffer;
use crate::long::too_long_error;
use crate::read_at::{NoFile, ReadAt, shorter_file_error};
use crate::record::FileName;
use crate::scan::{Scan, Scanned, Sink};
use crate::units::RangeUnit;
use crate::{LineStart, Unit};
use std::io::{self, Read};
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use urlsift_archive::long::{MAX_WHOLE_LEN, Sizes, can_read_in_pieces};
use urlsift_archive::unpack::{Compression, ReadSeek, Trouble, Unreadable, visit_members};
use urlsift_archive::{Container, Dialect, Limit};

/// A scanner of units that runs on one thread and passes the results to a sink.
#[expect(missing_debug_implementations, reason = "a sink need not implement it")]
pub struct UnitScanner<'r, S> {
    pub(super) scan: &'r Scan,
    buffer: &'r mut Buffer,
    /// The sink that receives the results.
    pub sink: &'r mut S,
    total: Scanned,
    /// The error that the sink did not accept.
    failed: Option<Trouble>,
    /// True if the sink wants no more of the current file or member.
    leaves: bool,
}

impl<'r, S: Sink> UnitScanner<'r, S> {
    /// Creates a scanner that passes its results to `sink`. `buffer` contains the unit if the unit
    /// is in memory. Otherwise, it is overwritten.
    pub fn new(scan: &'r Scan, buffer: &'r mut Buffer, sink: &'r mut S) -> Self {
        let total = Scanned::default();
        Self { scan, buffer, sink, total, failed: None, leaves: false }
    }

    /// Ends the scan and returns the sum of the results of all units.
    ///
    /// # Errors
    ///
    /// Returns the error that the sink did not accept, if there was one.
    pub fn finish(self) -> Result<Scanned, Trouble> {
        self.failed.map_or(Ok(self.total), Err)
    }

    /// Returns the sum of the results of all units so far.
    pub fn total(&self) -> &Scanned {
        &self.total
    }

    /// Reports an error in the file `name` to the sink. Breaks if the sink does not accept the
    /// error.
    pub(super) fn pass_trouble_to_sink(
        &mut self,
        name: &Arc<FileName>,
        trouble: Trouble,
    ) -> ControlFlow<()> {
        if let Some(limit) = Limit::from_trouble(&trouble) {
            self.total.tally.limits.add(limit, 1);
        }
        let is_unreadable = matches!(&trouble, Trouble::Unread(Unreadable::Format(_)));
        self.total.tally.unreadable += u64::from(is_unreadable);
        match self.sink.trouble(name, trouble) {
            Ok(()) => Continue(()),
            Err(trouble) => {
                self.failed = Some(trouble);
                Break(())
            }
        }
    }

    /// Takes all units of a source and scans them, one after another. Breaks if the whole scan must
    /// end.
    pub(super) fn scan_source<R: BoxedRead<F>, F: ReadAt + Clone>(
        &mut self,
        mut source: UnitSource<R, F>,
    ) -> ControlFlow<()> {
        loop {
            let unit = match source.take_unit(self.scan, |_, _| u64::MAX, self.buffer) {
                Ok(unit) => unit,
                Err(error) => break self.pass_trouble_to_sink(source.name(), Trouble::Read(error)),
            };
            let last = unit.last;
            match self.scan_unit(unit) {
                Continue(Some(lines)) if !last => source.lines = lines,
                Continue(_) => break Continue(()),
                Break(()) => break Break(()),
            }
        }
    }

    /// Scans a unit. Its bytes must still be in the buffer of this scanner, if
    /// [`UnitSource::take_unit`] has put them there.
    ///
    /// Continues with the line start after the unit, or with `None` if the sink doesn't want the
    /// rest of the file. Breaks if the whole scan must end.
    pub fn scan_unit<R: Read, F: ReadAt + Clone>(
        &mut self,
        unit: TakenUnit<R, F>,
    ) -> ControlFlow<(), Option<LineStart>> {
        let TakenUnit { name, contents, lines, last, unread, .. } = unit;
        if let Some(reason) = unread {
            self.pass_trouble_to_sink(&name, Trouble::Unread(reason))?;
        }
        let lines = match contents {
            Contents::Slice { container, slice } => {
                let buffer = std::mem::take(self.buffer);
                let flow = self.scan_bytes(&name, container, buffer.bytes(), slice, lines);
                *self.buffer = buffer;
                flow?
            }
            Contents::Range { mut file, container, range } => {
                let unit = RangeUnit { file: &name, container, range, lines };
                match container {
                    Container::Text(dialect) => {
                        self.scan_text_range(&unit, dialect, &mut file, last)?
                    }
                    _ => self.scan_messages(&unit, &mut file, last)?,
                }
            }
            Contents::Long(long) => {
                let (container, range, trouble) = (long.container, long.range, long.trouble);
                let unit = RangeUnit { file: &name, container, range, lines };
                match long.bytes {
                    LongBytes::File(mut file) => {
                        self.scan_long(&unit, &mut file, (last, trouble))?
                    }
                    LongBytes::Spooled(mut copy) => {
                        self.scan_long(&unit, &mut copy, (last, trouble))?
                    }
                }
            }
            Contents::Archive { kind, mut stream, mut file, options, depth } => {
                let file = file.as_mut().map(|file| file as &mut dyn ReadSeek);
                self.scan_members((kind, depth), &mut stream, file, &name, options)?;
                return Continue(None);
            }
        };
        Continue((!self.leaves).then_some(lines))
    }

    /// Scans a unit in memory: the part of `bytes` that `slice` describes. `lines` is the line
    /// start at the beginning of the unit.
    ///
    /// Continues with the line start after the unit. Breaks if the whole scan must end.
    pub fn scan_bytes(
        &mut self,
        name: &Arc<FileName>,
        container: Container,
        bytes: &[u8],
        slice: UnitSlice,
        lines: LineStart,
    ) -> ControlFlow<(), LineStart> {
        let UnitSlice { base, from, to, last, trouble, .. } = slice;
        let unit = Unit::new(name, container, from..to).with_base(base).with_lines(lines);
        let scanned = self.scan.scan_unit(bytes, &unit, self.sink);
        self.report_unit_result(name, &scanned, last, trouble)
    }

    /// Scans a range of a file of messages, a few messages at a time. `last` is true if the file
    /// ends after the range. Returns the same as [`UnitScanner::scan_bytes`].
    fn scan_messages(
        &mut self,
        unit: &RangeUnit<'_>,
        file: &mut impl ReadAt,
        last: bool,
    ) -> ControlFlow<(), LineStart> {
        let RangeUnit { file: name, container, ref range, mut lines } = *unit;
        let mut at = range.start;
        while at < range.end && !self.leaves {
            let (end, is_long) = match self.next_messages_end(at, range.end, container, file) {
                Ok(end) => end,
                Err(error) => {
                    self.pass_trouble_to_sink(name, Trouble::Read(error))?;
                    break;
                }
            };
            let last = last && end >= range.end;
            if is_long {
                let unit = RangeUnit { file: name, container, range: at..end, lines };
                lines = self.scan_long(&unit, file, (last, None))?;
            } else {
                let wanted = usize::try_from(end - at).unwrap_or(usize::MAX);
                let read = self.buffer.read_at(file, at, wanted);
                let buffer = std::mem::take(self.buffer);
                let read_end = at + buffer.bytes().len() as u64;
                let trouble =
                    read.err().or((read_end < end).then(|| shorter_file_error(read_end, end)));
                let mut slice = UnitSlice::whole_file(buffer.bytes().len());
                (slice.base, slice.last, slice.trouble) = (at, last, trouble);
                let flow = self.scan_bytes(name, container, buffer.bytes(), slice, lines);
                *self.buffer = buffer;
                lines = flow?;
            }
            at = end;
        }
        Continue(lines)
    }

    /// Returns the end of the next messages to scan, which start at offset `at`. The returned flag
    /// is true if they are a single message that is too long for memory. `stop` is the end of the
    /// range.
    fn next_messages_end(
        &mut self,
        at: u64,
        stop: u64,
        container: Container,
        file: &mut impl ReadAt,
    ) -> io::Result<(u64, bool)> {
        let end = unit_end(file, at, (stop, MAIL_PIECE as u64), container, self.buffer)?;
        if end - at <= MAX_WHOLE_LEN || !can_read_in_pieces(container) {
            return Ok((end, false));
        }
        let before = end_before_first_long_message(file, at..end, container, self.buffer)?;
        Ok(before.map_or((end, true), |before| (before, false)))
    }

    /// Scans a message that is too long for memory, in pieces. `last` is true if the input ends
    /// after the message. `trouble` is the error that ended the input, if there was one. Returns
    /// the same as [`UnitScanner::scan_bytes`].
    fn scan_long(
        &mut self,
        unit: &RangeUnit<'_>,
        source: &mut impl ReadAt,
        (last, trouble): (bool, Option<io::Error>),
    ) -> ControlFlow<(), LineStart> {
        if let Some(trouble) = too_long_error(&unit.range) {
            self.pass_trouble_to_sink(unit.file, trouble)?;
        }
        let (scanned, read) =
            self.scan.scan_long_message(unit, Sizes::default(), source, self.buffer, self.sink);
        self.report_unit_result(unit.file, &scanned, last, trouble.or(read.err()))
    }

    /// Scans a range of a file in plain text, whose markup is `dialect`. `last` is true if the file
    /// ends after the range. Returns the same as [`UnitScanner::scan_bytes`].
    fn scan_text_range(
        &mut self,
        unit: &RangeUnit<'_>,
        dialect: Dialect,
        source: &mut impl ReadAt,
        last: bool,
    ) -> ControlFlow<(), LineStart> {
        let RangeUnit { file, ref range, lines, .. } = *unit;
        let mut text = self.scan.text_scan(file, range.clone(), lines).with_dialect(dialect);
        self.buffer.clear();
        let (scanned, trouble) = loop {
            let (base, wanted) = (text.base_offset(), text.needed_len());
            let read = self.buffer.fill_at(source, base, wanted);
            let bytes = self.buffer.bytes();
            let end = base + bytes.len() as u64;
            let is_short = end < range.end && bytes.len() < wanted;
            match text.feed(bytes, self.sink) {
                Continue(spent) => self.buffer.drop_front(spent),
                Break(scanned) => {
                    let trouble =
                        read.err().or(is_short.then(|| shorter_file_error(end, range.end)));
                    break (scanned, trouble);
                }
            }
        };
        self.report_unit_result(file, &scanned, last, trouble)
    }

    /// Scans the members of an archive, one after another. `depth` is the number of levels of
    /// archives that are still read. Breaks if the whole scan must end.
    fn scan_members(
        &mut self,
        (kind, depth): (Compression, usize),
        stream: &mut dyn Read,
        file: Option<&mut dyn ReadSeek>,
        name: &Arc<FileName>,
        options: ReadOptions,
    ) -> ControlFlow<()> {
        let mut flow = Continue(());
        let visited = visit_members(kind, stream, file, options.limits, &mut |member, contents| {
            let member = Arc::new(name.with_member(member));
            flow = match contents {
                Ok(_) if depth == 0 => self.pass_trouble_to_sink(&member, Trouble::TooDeep(DEPTH)),
                Ok(contents) => {
                    let stream = Box::new(contents) as Box<dyn Read + '_>;
                    self.scan_source(UnitSource::<_, NoFile>::from_member(
                        &member, stream, options, depth,
                    ))
                }
                Err(trouble) => self.pass_trouble_to_sink(&member, trouble),
            };
            self.buffer.shrink();
            flow
        });
        flow?;
        match visited {
            Ok(()) => Continue(()),
            Err(trouble) => self.pass_trouble_to_sink(name, trouble),
        }
    }

    /// Adds `scanned`, the result of a unit, to the total, and passes it to the sink. Also reports
    /// the error `trouble`, if there was one. Continues with the line start after the unit. Breaks
    /// if the whole scan must end.
    fn report_unit_result(
        &mut self,
        name: &Arc<FileName>,
        scanned: &Scanned,
        last: bool,
        trouble: Option<io::Error>,
    ) -> ControlFlow<(), LineStart> {
        self.total.tally += scanned.tally;
        self.total.lines = scanned.lines;
        self.leaves = scanned.stopped && self.sink.ends_file_after_break();
        self.total.stopped = scanned.stopped && !self.leaves;
        let flow = self.sink.unit_scanned(name, scanned, last || self.leaves);
        if let Some(error) = trouble {
            self.pass_trouble_to_sink(name, Trouble::Read(error))?;
        }
        self.total.stopped |= flow.is_break();
        if self.total.stopped { Break(()) } else { Continue(scanned.lines) }
    }
}
