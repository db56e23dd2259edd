//! Scans a unit in memory, or a plain text that arrives in pieces.

use crate::buffer::Buffer;
use crate::origin::{Origin, Raw, TextCache};
use crate::record::{FileName, UrlRecord};
use crate::reporter::Reporter;
use crate::scan::{Scan, Scanned, Sink};
use crate::strings::Strings;
use crate::units::RangeUnit;
use crate::{Detail, LineStart, Options, Unit};
use std::io::Read as _;
use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::long::{MAX_WHOLE_LEN, Sizes, can_read_in_pieces};
use urlsift_archive::{Container, Dialect, next_message_start};
use urlsift_scanner::{AFTER, BEFORE, Candidate, NEARBY, State};

impl Scan {
    /// Scans a unit in memory and passes the results to `sink`. `bytes` contains the unit, and the
    /// context that is needed to scan it: see [`Unit::range`].
    ///
    /// Takes linear time in `bytes`. The memory used is bounded by the longest encoded part.
    /// Messages and pages longer than 64 MiB are scanned in pieces.
    pub fn scan_unit(&self, bytes: &[u8], unit: &Unit<'_>, sink: &mut impl Sink) -> Scanned {
        self.scan_unit_with_limit(
            bytes,
            unit,
            usize::try_from(MAX_WHOLE_LEN).unwrap_or(usize::MAX),
            sink,
        )
    }

    /// Scans a unit in memory. Messages and pages of more than `max_len` bytes are scanned in
    /// pieces.
    fn scan_unit_with_limit(
        &self,
        bytes: &[u8],
        unit: &Unit<'_>,
        max_len: usize,
        sink: &mut impl Sink,
    ) -> Scanned {
        let range = unit.range.start.min(bytes.len())..unit.range.end.min(bytes.len());
        let container =
            unit.container.without_markup_if_too_long(range.len() as u64, &self.archive);
        let unit = &Unit { container, ..unit.clone() };
        if range.len() <= max_len || !can_read_in_pieces(unit.container) {
            return self.scan_range(bytes, unit, range, sink);
        }
        let mut all = Scanned { start: unit.base + range.start as u64, ..Scanned::default() };
        let (mut at, mut lines) = (range.start, unit.lines);
        while at < range.end && !all.stopped {
            let (end, is_long) = next_messages_len(unit.container, &bytes[at..range.end], max_len);
            let unit = Unit { lines, ..unit.clone() };
            let scanned = if is_long {
                self.scan_long_in_memory(bytes, &unit, at..at + end, sink)
            } else {
                self.scan_range(bytes, &unit, at..at + end, sink)
            };
            all.tally += scanned.tally;
            all.stopped = scanned.stopped;
            (at, lines) = (at + end, scanned.lines);
        }
        Scanned { lines, ..all }
    }

    /// Scans a message in memory that is too long to be parsed as a whole. The message is at
    /// `range` in `bytes`.
    fn scan_long_in_memory(
        &self,
        bytes: &[u8],
        unit: &Unit<'_>,
        range: Range<usize>,
        sink: &mut impl Sink,
    ) -> Scanned {
        let Unit { file, container, base, lines, .. } = *unit;
        let range = base + range.start as u64..base + range.end as u64;
        let long = RangeUnit { file, container, range, lines };
        let mut source = |at: u64, buffer: &mut [u8]| {
            let at = usize::try_from(at - base).unwrap_or(usize::MAX);
            bytes.get(at..).unwrap_or_default().read(buffer)
        };
        // Reading from a slice cannot fail.
        self.scan_long_message(&long, Sizes::default(), &mut source, &mut Buffer::default(), sink).0
    }

    /// Scans `range` of `bytes`. The range consists of whole messages, or is a part of a text,
    /// whose context `bytes` then also contains.
    fn scan_range(
        &self,
        bytes: &[u8],
        unit: &Unit<'_>,
        range: Range<usize>,
        sink: &mut impl Sink,
    ) -> Scanned {
        let Unit { file, container, base, lines, .. } = *unit;
        let start = base + range.start as u64;
        let mut reporter = Reporter::new(self, file, start, lines);
        let flow = if let Container::Text(dialect) = container {
            reporter.report_text(bytes, base, (dialect, range.clone()), sink)
        } else {
            reporter.report_documents(&bytes[range.clone()], start, container, sink)
        };
        reporter.tally.bytes += range.len() as u64;
        sink.raw_bytes(file, start, &bytes[range.clone()]);
        let mut lines = lines;
        if self.options.detail >= Detail::Line {
            lines = reporter.lines.line_start_at(bytes, base, base + range.end as u64);
        }
        Scanned { start, tally: reporter.tally, lines, stopped: flow.is_break() }
    }

    /// Starts a scan of a plain text that arrives in pieces. See [`TextScan`].
    ///
    /// `unit` is the range of the file from which URLs are reported, and `lines` is the line start
    /// at its beginning.
    pub fn text_scan<'s>(
        &'s self,
        file: &'s Arc<FileName>,
        unit: Range<u64>,
        lines: LineStart,
    ) -> TextScan<'s> {
        TextScan {
            reporter: Reporter::new(self, file, unit.start, lines),
            base: unit.start.saturating_sub(BEFORE as u64),
            passed: unit.start,
            strings: None,
            dialect: Dialect::Plain,
            unit,
            state: State::starting_at(0),
        }
    }
}

/// Returns the total length of the first messages in `bytes`, up to the first one that is longer
/// than `max_len`, and false. If the very first message is longer, returns its length and true.
///
/// Takes linear time.
fn next_messages_len(container: Container, bytes: &[u8], max_len: usize) -> (usize, bool) {
    let mut end = 0;
    while end < bytes.len() {
        let next = next_message_start(container, bytes, end + 1).unwrap_or(bytes.len());
        if next - end > max_len {
            return if end > 0 { (end, false) } else { (next, true) };
        }
        end = next;
    }
    (end, false)
}

/// Returns all records of a unit. Each call builds a new scanner, so create a [`Scan`] if you have
/// several units.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{Options, FileName, Unit, collect_records};
///
/// let file = Arc::new(FileName::new("a.txt"));
/// let bytes = b"See\n  http://host.dom/a.html and more.";
/// let records = collect_records(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &Options::default());
/// assert_eq!(&*records[0].url, b"http://host.dom/a.html");
/// assert_eq!((records[0].line, records[0].column), (Some(2), Some(3)));
/// assert_eq!(records[0].host.as_deref(), Some(&b"host.dom"[..]));
/// ```
pub fn collect_records(
    bytes: &[u8],
    unit: &Unit<'_>,
    options: &Options,
) -> Vec<UrlRecord<'static>> {
    let mut records = Vec::new();
    Scan::new(options.clone()).scan_unit(bytes, unit, &mut records);
    records
}

/// The minimum number of bytes of a text that are scanned in one step.
///
/// Between two steps, [`NEARBY`] bytes and the bytes that are not yet settled are moved to the
/// front of the buffer. A step must be long in comparison. The buffer fits into 1 MiB.
const STEP: usize = 512 << 10;

/// The maximum number of bytes between the start of a URL and the byte that triggers its detection.
/// It is the length of the longest wrapper.
const MAX_TRIGGER_DISTANCE: usize = 8 << 10;

/// A scan of a plain text that arrives in pieces. Use it for texts that are too long to keep in
/// memory.
///
/// The caller owns a buffer that contains a part of the text, and moves it forward through the
/// file. Before each call of [`TextScan::feed`], the buffer must start at file offset
/// [`TextScan::base_offset`]. It must contain [`TextScan::needed_len`] bytes, unless the file ends
/// before.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// use urlsift_records::{LineStart, Options, Scan, FileName};
///
/// let bytes = b"http://host.dom/a, http://host.dom/b\n".repeat(60_000);
/// let file = Arc::new(FileName::default());
/// let scan = Scan::new(Options::default());
/// let mut text = scan.text_scan(&file, 0..bytes.len() as u64, LineStart::default());
/// let (mut held, mut read, mut records) = (Vec::new(), 0, Vec::new());
/// let scanned = loop {
///     let more = text.needed_len().saturating_sub(held.len()).min(bytes.len() - read);
///     held.extend_from_slice(&bytes[read..read + more]);
///     read += more;
///     match text.feed(&held, &mut records) {
///         ControlFlow::Continue(spent) => drop(held.drain(..spent)),
///         ControlFlow::Break(scanned) => break scanned,
///     }
/// };
/// assert_eq!(scanned.tally.urls, 120_000);
/// assert_eq!(records[119_999].line, Some(60_000));
/// ```
#[derive(Debug)]
pub struct TextScan<'s> {
    reporter: Reporter<'s>,
    /// The range of the file to report URLs from.
    unit: Range<u64>,
    /// The file offset up to which bytes of the unit were passed to the sink.
    passed: u64,
    /// The file offset of the start of the buffer.
    base: u64,
    /// The state of the scanner at the start of the next step.
    state: State,
    /// The search for UTF-16 strings, if the text is a binary file.
    strings: Option<Strings>,
    dialect: Dialect,
}

impl TextScan<'_> {
    /// Sets the dialect of the text. In [`Dialect::Binary`], UTF-16 strings are searched, too. See
    /// also [`Dialect::has_url_labels`].
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.reporter.is_binary = dialect == Dialect::Binary;
        self.strings = self.reporter.is_binary.then(|| Strings::new(self.unit.clone()));
        self.dialect = dialect;
        self
    }

    /// Returns the file offset of the first byte that the next call of [`TextScan::feed`] needs.
    pub fn base_offset(&self) -> u64 {
        self.base
    }

    /// Returns how many bytes the next call of [`TextScan::feed`] needs, from
    /// [`TextScan::base_offset`] on. Pass fewer bytes only at the end of the file.
    pub fn needed_len(&self) -> usize {
        (self.state.next() + STEP + AFTER).min(self.buffer_index(self.needed_end()))
    }

    /// Scans the next part of the text. `bytes` is the buffer described at [`TextScan`].
    ///
    /// Returns `Continue` with the number of bytes at the start of the buffer that are no longer
    /// needed. At the end of the unit, returns `Break` with the result.
    pub fn feed(&mut self, bytes: &[u8], sink: &mut impl Sink) -> ControlFlow<Scanned, usize> {
        let wanted = self.needed_len();
        let mut ends = bytes.len() < wanted || wanted == self.buffer_index(self.needed_end());
        let (from, to) = (self.buffer_index(self.unit.start), self.buffer_index(self.unit.end));
        let limit = ends.then(|| to.saturating_add(MAX_TRIGGER_DISTANCE));
        let (scan, base) = (self.reporter.scan, self.base);
        let raw = Raw::whole_unit(bytes, base);
        let origin = Origin { raw, document: None, around: &TextCache::default() };
        if self.passed == self.unit.start {
            self.reporter.find_guessed_end(raw, from.min(bytes.len()));
        }
        let state = std::mem::replace(&mut self.state, State::starting_at(0));
        let mut found =
            scan.scanner.find_from(scan.scanner_input(bytes, self.dialect), state, limit);
        let mut stopped = false;
        let is_left_out = self.reporter.skips_text(self.unit.start);
        ends |= is_left_out;
        let (reporter, strings) = (&mut self.reporter, &mut self.strings);
        while !is_left_out && let Some(candidate) = found.advance() {
            let start = candidate.span().start;
            if start < from {
                continue;
            }
            if start >= to {
                ends = true;
                break;
            }
            let report = |found: &Candidate<'_>, origin: &Origin<'_>| {
                reporter.report_candidate(found, origin, sink)
            };
            let at = base + start as u64;
            let before =
                strings.as_mut().map(|strings| strings.report_urls_before(at, raw, scan, report));
            if before.is_some_and(|flow| flow.is_break())
                || reporter.report_candidate(candidate, &origin, sink).is_break()
            {
                stopped = true;
                break;
            }
        }
        let next = (!ends && !stopped).then(|| found.into_state());
        // No later step finds a URL that starts before this offset.
        let settled = match &next {
            Some(state) => base + state.next().saturating_sub(MAX_TRIGGER_DISTANCE) as u64,
            None => self.unit.end.min(base + bytes.len() as u64),
        };
        if let Some(strings) = strings.as_mut().filter(|_| !stopped && !is_left_out) {
            let report = |found: &Candidate<'_>, origin: &Origin<'_>| {
                reporter.report_candidate(found, origin, sink)
            };
            stopped = strings.report_urls_before(settled, raw, scan, report).is_break();
        }
        let counts_lines = scan.options.detail >= Detail::Line;
        let Some(state) = next.filter(|_| !stopped) else {
            let mut tally = self.reporter.tally;
            let read = if stopped { base + bytes.len() as u64 } else { u64::MAX };
            tally.bytes += self.unit.end.min(read) - self.unit.start;
            let end = base + to.min(bytes.len()) as u64;
            self.pass_raw_bytes(bytes, u64::MAX, sink);
            let lines = &mut self.reporter.lines;
            let lines = if counts_lines {
                lines.line_start_at(bytes, base, end)
            } else {
                LineStart::default()
            };
            return Break(Scanned { start: self.unit.start, tally, lines, stopped });
        };
        let spent = state.next().saturating_sub(NEARBY);
        let end = base + spent as u64;
        self.pass_raw_bytes(bytes, settled, sink);
        let lines = &mut self.reporter.lines;
        if counts_lines && lines.offset() < end {
            lines.line_start_at(bytes, base, end);
        }
        self.base = end;
        self.state = state.without_first(spent);
        Continue(spent)
    }

    /// Passes raw bytes of the unit to the sink, up to file offset `to` or the end of `bytes`.
    fn pass_raw_bytes(&mut self, bytes: &[u8], to: u64, sink: &mut impl Sink) {
        let (from, to) = (self.buffer_index(self.passed), self.buffer_index(to.min(self.unit.end)));
        let piece = bytes.get(from..to.min(bytes.len())).unwrap_or_default();
        sink.raw_bytes(self.reporter.file(), self.passed, piece);
        self.passed += piece.len() as u64;
    }

    /// Returns the file offset after the last byte that the unit needs. Later bytes can't affect a
    /// URL in the unit.
    fn needed_end(&self) -> u64 {
        self.unit.end.saturating_add(AFTER as u64)
    }

    /// Converts a file offset to an index of the buffer. An offset before the buffer becomes 0.
    fn buffer_index(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_among_others_gives_the_records_of_the_whole() {
        let message = |id: usize, lines: usize| {
            let head = "From joe@h.dom Thu Dec  1 10:00:00 1994\nFrom: joe@h.dom\n";
            let body = "See http://h.dom/=\na=3Db or so,\n> http://h.dom/c-\n> d\n".repeat(lines);
            format!(
                "{head}Message-ID: <{id}@h.dom>\nContent-Transfer-Encoding: quoted-printable\n\n{body}\n"
            )
        };
        let mailbox = [3, 400, 2, 300, 500, 1].iter().enumerate();
        let mailbox: String = mailbox.map(|(id, lines)| message(id, *lines)).collect();
        let bytes = mailbox.as_bytes();
        let file = Arc::new(FileName::new("a.mbox"));
        let scan = Scan::new(Options::default());
        let lines = LineStart { breaks: 5, line: 40 };
        let unit =
            Unit::new(&file, Container::Mbox, 0..bytes.len()).with_base(90).with_lines(lines);
        let (mut whole, mut pieces) = (Vec::new(), Vec::new());
        let scanned = scan.scan_unit(bytes, &unit, &mut whole);
        assert_eq!(scanned.tally.messages, 6);
        assert_eq!(whole.len(), 2 * 1206);
        for most in [500, 10_000, 20_000] {
            pieces.clear();
            let again = scan.scan_unit_with_limit(bytes, &unit, most, &mut pieces);
            assert_eq!(again.tally, scanned.tally);
            assert_eq!(again.lines, scanned.lines);
            assert_eq!(pieces, whole, "longer than {most}");
        }
    }
}
