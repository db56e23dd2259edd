//! One unit scanned: what is found goes to the task's sheet.

use super::large_input::{UnitRange, UnitSlice};
use super::queue::TaskOutput;
use super::worker::Worker;
use crate::io::buffer::Buffer;
use crate::print::sheet::Note;
use crate::print::style::Style;
use std::fs::File;
use std::io;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use urlsift_archive::Container;
use urlsift_records::{FileName, LineStart, Scanned, Sink, Unit, UrlRecord};
use urlsift_scanner::Candidate;

/// URLs lie thin that have more bytes than this each.
const THIN: u64 = 1 << 10;

/// Renders what is found.
struct Printer<'p, 'o, 's> {
    style: &'p Style,
    out: &'o mut TaskOutput<'s>,
}

impl Printer<'_, '_, '_> {
    #[inline(always)]
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

    #[inline(always)]
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

    /// Scans a unit of a plain text in a file, which passes through `buffer`. Also returns where the file
    /// ended, if it did.
    pub(super) fn scan_text(
        &mut self,
        name: &Arc<FileName>,
        file: &File,
        range: &UnitRange,
        lines: LineStart,
        buffer: &mut Buffer,
        out: &mut TaskOutput<'_>,
    ) -> io::Result<(Scanned, u64)> {
        let plan = self.plan;
        buffer.clear();
        let mut text = plan.scan.text(name, range.at..range.end, lines);
        let mut printer = Printer { style: &plan.style, out };
        let (scanned, read) = loop {
            let at = text.base() + buffer.bytes().len() as u64;
            let wanted = text.wanted();
            buffer.append_at(file, at, wanted)?;
            let bytes = buffer.bytes();
            // Where it gives less than was wanted, the file ends.
            let end = text.base() + bytes.len() as u64;
            let read = if bytes.len() < wanted { end } else { u64::MAX };
            match text.feed(bytes, &mut printer) {
                Continue(spent) => buffer.drop_front(spent),
                Break(scanned) => break (scanned, read),
            }
        };
        self.is_thin = scanned.tally.urls * THIN < scanned.tally.bytes;
        Ok((scanned, read))
    }

    /// Adds up what was counted in a unit; `ends` says that no other follows it.
    pub(super) fn finish(
        &self,
        name: &Arc<FileName>,
        scanned: &Scanned,
        ends: bool,
        out: &mut TaskOutput<'_>,
    ) {
        out.sheet.tally += scanned.tally;
        let style = &self.plan.style;
        if style.quiet && scanned.tally.urls > 0 {
            out.found();
        }
        if style.per_file.is_some() || style.max_count.is_some() {
            let file = Arc::clone(name);
            out.sheet.notes.push(Note::Found { file, urls: scanned.tally.urls, ends });
        }
    }
}
