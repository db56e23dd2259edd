//! One unit scanned: what is found goes to the task's sheet.

use super::large_input::{UnitRange, UnitSlice};
use super::queue::TaskOutput;
use super::worker::Worker;
use crate::io::sliding_buffer::SlidingBuffer;
use crate::print::sheet::Note;
use crate::print::style::Style;
use std::fs::File;
use std::io;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use urlsift_archive::Container;
use urlsift_records::{FileName, LineStart, Scanned, Sink, TextScan, Unit, UrlRecord};
use urlsift_scanner::Candidate;

/// Bytes of a text that are at hand: a multiple of the size of a page, of which the largest have 64 KiB.
const HELD: usize = TextScan::MOST.next_multiple_of(64 << 10);

/// URLs lie thin that have more bytes than this each.
const THIN: u64 = 1 << 10;

/// Renders what is found.
struct Printer<'p, 'o, 's> {
    style: &'p Style,
    out: &'o mut TaskOutput<'s>,
}

impl Printer<'_, '_, '_> {
    #[inline]
    fn go_on(&mut self) -> ControlFlow<()> {
        self.out.print_some();
        if self.out.stopped() { Break(()) } else { Continue(()) }
    }
}

impl Sink for Printer<'_, '_, '_> {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.out.sheet.url(self.style, record);
        self.go_on()
    }

    #[inline]
    fn plain(&mut self, found: &Candidate<'_>) -> ControlFlow<()> {
        // No profile accepts a byte that would have to be cleaned.
        let bytes = &mut self.out.sheet.bytes;
        bytes.extend_from_slice(&found.url());
        bytes.push(b'\n');
        self.go_on()
    }
}

impl Worker<'_> {
    /// Scans a unit that is at hand. Returns what is known of lines behind it.
    pub(super) fn scan_unit(
        &mut self,
        name: &Arc<FileName>,
        container: Container,
        bytes: &[u8],
        slice: &UnitSlice,
        lines: LineStart,
        out: &mut TaskOutput<'_>,
    ) -> LineStart {
        let plan = self.plan;
        let unit =
            Unit { file: name, container, range: slice.from..slice.to, base: slice.base, lines };
        let mut printer = Printer { style: &plan.style, out };
        let scanned = plan.scan.unit(bytes, &unit, &mut printer);
        self.finish(name, &scanned, slice.last, out);
        if let Some(trouble) = &slice.trouble {
            out.sheet.error(&plan.style, name, trouble.clone());
        }
        scanned.lines
    }

    /// Scans a unit of a plain text in a file, which passes through the sliding buffer. `last` says that no
    /// unit follows it.
    pub(super) fn scan_text(
        &mut self,
        name: &Arc<FileName>,
        file: &File,
        range: &UnitRange,
        last: bool,
        lines: LineStart,
        out: &mut TaskOutput<'_>,
    ) -> io::Result<()> {
        let plan = self.plan;
        let buffer = self.sliding.get_or_insert_with(|| SlidingBuffer::new(HELD));
        buffer.clear();
        let mut text = plan.scan.text(name, range.at..range.end, lines);
        let mut printer = Printer { style: &plan.style, out };
        let scanned = loop {
            let at = text.base() + buffer.bytes().len() as u64;
            buffer.append_at(file, at, text.wanted())?;
            match text.feed(buffer.bytes(), &mut printer) {
                Continue(spent) => buffer.keep_from(spent),
                Break(scanned) => break scanned,
            }
        };
        self.is_thin = scanned.tally.urls * THIN < scanned.tally.bytes;
        self.finish(name, &scanned, last, out);
        Ok(())
    }

    fn finish(
        &self,
        name: &Arc<FileName>,
        scanned: &Scanned,
        ends: bool,
        out: &mut TaskOutput<'_>,
    ) {
        out.sheet.tally += scanned.tally;
        if self.plan.style.per_file.is_some() {
            let file = Arc::clone(name);
            out.sheet.notes.push(Note::Found { file, urls: scanned.tally.urls, ends });
        }
    }
}
