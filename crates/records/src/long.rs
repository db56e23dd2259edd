//! Scans messages, pages and web archive records that are too long to keep in memory, piece by
//! piece: see [`urlsift_archive::long`].

use crate::Detail;
use crate::buffer::Buffer;
use crate::lines::LineCounter;
use crate::origin::Raw;
use crate::read_at::{ReadAt, shorter_file_error};
use crate::reporter::Reporter;
use crate::scan::{Scan, Scanned, Sink};
use crate::units::RangeUnit;
use std::io;
use std::ops::Range;
use urlsift_archive::long::{LongMessage, MAX_PARSED_LEN, Sizes};
use urlsift_archive::unpack::Trouble;

/// The number of bytes of a long message that are read at a time to find its parts.
const STEP: usize = 1 << 20;

/// Returns the error for a message, page or record that is longer than [`MAX_PARSED_LEN`], and is
/// therefore scanned as raw text. Returns `None` for a shorter one. `range` is the range of the
/// message, page or record in the file.
pub(crate) fn too_long_error(range: &Range<u64>) -> Option<Trouble> {
    let is_too_long = range.end - range.start > MAX_PARSED_LEN;
    is_too_long.then(|| Trouble::TooLong { range: range.clone(), max_len: MAX_PARSED_LEN })
}

impl Scan {
    /// Scans a message, page or record of any length in pieces, whose sizes are given by `sizes`.
    /// Reads `source` twice, and overwrites `buffer`.
    ///
    /// The records are those of [`Scan::scan_unit`], with the exceptions listed at
    /// [`urlsift_archive::long`]. If reading fails, the result includes everything before the
    /// error.
    pub fn scan_long_message(
        &self,
        unit: &RangeUnit<'_>,
        sizes: Sizes,
        source: &mut impl ReadAt,
        buffer: &mut Buffer,
        sink: &mut impl Sink,
    ) -> (Scanned, io::Result<()>) {
        let RangeUnit { file, container, ref range, lines } = *unit;
        let archive = &self.decoding_options_for(file);
        let mut reporter = Reporter::new(self, file, range.start, lines);
        let mut scanned = Scanned { start: range.start, lines, ..Scanned::default() };
        let message = self.read_outline(unit, sizes, source, buffer);
        let (mut message, mut read) = match message {
            Ok(message) => (message, Ok(())),
            Err(error) => {
                let none = LongMessage::new(container, 0, archive, sizes);
                (none, Err(error))
            }
        };
        for (index, piece) in message.pieces().iter().enumerate() {
            let at = range.start + piece.context.start;
            let len =
                usize::try_from(piece.context.end - piece.context.start).unwrap_or(usize::MAX);
            match buffer.read_at(source, at, len) {
                Ok(false) => {}
                Ok(true) => {
                    read = Err(shorter_file_error(at + buffer.bytes().len() as u64, range.end));
                }
                Err(error) => read = Err(error),
            }
            if read.is_err() {
                break;
            }
            let bytes = buffer.bytes();
            let (from, to) = (range.start + piece.range.start, range.start + piece.range.end);
            reporter.lines = LineCounter::new(from, scanned.lines);
            let place = usize::try_from(piece.context.start).unwrap_or(usize::MAX);
            let raw = Raw { bytes, base: range.start, at: place };
            let (walked, flow) =
                reporter.report_walked_documents(raw, Some(&(from..to)), sink, |each| {
                    message.documents(piece, bytes, range.start, archive, each)
                });
            if index == 0 {
                reporter.tally.messages += walked.messages;
                reporter.tally.limits += walked.limits;
            }
            let within = |offset: u64| usize::try_from(offset - at).unwrap_or(usize::MAX);
            sink.raw_bytes(file, from, bytes.get(within(from)..within(to)).unwrap_or_default());
            reporter.tally.bytes += to - from;
            if self.options.detail >= Detail::Line {
                scanned.lines = reporter.lines.line_start_at(bytes, at, to);
            }
            scanned.stopped = flow.is_break();
            if scanned.stopped {
                break;
            }
        }
        reporter.report_messages(sink);
        scanned.tally = reporter.tally;
        (scanned, read)
    }

    /// Reads a long message once to find its parts, and the pieces in which to scan it.
    fn read_outline(
        &self,
        unit: &RangeUnit<'_>,
        sizes: Sizes,
        source: &mut impl ReadAt,
        buffer: &mut Buffer,
    ) -> io::Result<LongMessage> {
        let RangeUnit { container, ref range, .. } = *unit;
        let mut message =
            LongMessage::new(container, range.end - range.start, &self.archive, sizes);
        let (mut at, mut step) = (range.start, STEP);
        buffer.clear();
        while at < range.end {
            let left = range.end - at;
            let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(step);
            let ended = buffer.fill_at(source, at, wanted)?;
            if ended && (buffer.bytes().len() as u64) < left.min(wanted as u64) {
                return Err(shorter_file_error(at + buffer.bytes().len() as u64, range.end));
            }
            let last = buffer.bytes().len() as u64 == left;
            let taken = message.push(buffer.bytes(), last);
            // A header can be longer than the bytes read so far.
            step = if taken == 0 { 2 * step } else { STEP };
            buffer.drop_front(taken);
            at += taken as u64;
            if last {
                break;
            }
        }
        Ok(message)
    }
}
