//! Scans one unit of an input.

use super::large_input::UnitRange;
use super::printer::Printer;
use super::queue::TaskOutput;
use super::worker::Worker;
use crate::io::buffer::{Buffer, FileBuffer as _};
use crate::platform;
use std::fs::File;
use std::io;
use std::ops::ControlFlow::{Break, Continue};
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::long::Sizes;
use urlsift_archive::{Container, Dialect};
use urlsift_records::input::{RangeUnit, UnitSlice, too_long};
use urlsift_records::{FileName, LineStart, Scanned, Sink as _, Unit};

/// The minimum number of bytes per URL in a text that counts as having few URLs.
const SPARSE: u64 = 1 << 10;

impl Worker<'_> {
    /// Scans a unit that is in memory.
    pub(super) fn scan_unit(
        &mut self,
        name: &Arc<FileName>,
        container: Container,
        bytes: &[u8],
        slice: &UnitSlice,
        lines: LineStart,
        out: &mut TaskOutput<'_>,
    ) -> Scanned {
        let plan = self.plan;
        let unit = Unit::new(name, container, slice.from..slice.to).at(slice.base);
        let unit = unit.with_lines(lines);
        let mut printer = Printer { style: &plan.style, out };
        let scanned = plan.scan.unit(bytes, &unit, &mut printer);
        self.finish(name, &scanned, slice.last, out);
        if let Some(error) = &slice.trouble {
            out.rendered.error(&plan.style, name, error);
        }
        scanned
    }

    /// Scans a unit of plain text in a file, piece by piece in `buffer`. Also returns the offset of
    /// the end of the file if it was reached, otherwise `u64::MAX`.
    pub(super) fn scan_text(
        &mut self,
        name: &Arc<FileName>,
        file: &File,
        (range, dialect): (&UnitRange, Dialect),
        lines: LineStart,
        buffer: &mut Buffer,
        out: &mut TaskOutput<'_>,
    ) -> io::Result<(Scanned, u64)> {
        let plan = self.plan;
        buffer.clear();
        let mut text = plan.scan.text(name, range.at..range.end, lines).written_in(dialect);
        let mut printer = Printer { style: &plan.style, out };
        let (scanned, read) = loop {
            let at = text.base() + buffer.bytes().len() as u64;
            let wanted = text.wanted();
            buffer.append_at(file, at, wanted)?;
            let bytes = buffer.bytes();
            // If there are fewer bytes than requested, the file has ended.
            let end = text.base() + bytes.len() as u64;
            let read = if bytes.len() < wanted { end } else { u64::MAX };
            match text.feed(bytes, &mut printer) {
                Continue(spent) => buffer.drop_front(spent),
                Break(scanned) => break (scanned, read),
            }
        };
        self.is_sparse = scanned.tally.urls * SPARSE < scanned.tally.bytes;
        Ok((scanned, read))
    }

    /// Scans a message that is too long for memory, piece by piece in `buffer`.
    pub(super) fn scan_long(
        &mut self,
        name: &Arc<FileName>,
        file: &File,
        (container, lines): (Container, LineStart),
        (range, last): (Range<u64>, bool),
        buffer: &mut Buffer,
        out: &mut TaskOutput<'_>,
    ) -> Scanned {
        let plan = self.plan;
        let mut source = |at: u64, room: &mut [u8]| platform::read_at(file, room, at);
        let long = RangeUnit { file: name, container, range, lines };
        let mut printer = Printer { style: &plan.style, out };
        if let Some(trouble) = too_long(&long.range) {
            // The printer accepts all errors, so this never fails.
            let _ = printer.trouble(name, trouble);
        }
        let (scanned, read) =
            plan.scan.long_message(&long, Sizes::default(), &mut source, buffer, &mut printer);
        self.finish(name, &scanned, last, out);
        if let Err(error) = read {
            out.rendered.error(&plan.style, name, &error);
        }
        scanned
    }

    /// Adds the counts of a unit to the output. `ends` is true for the last unit of a file.
    pub(super) fn finish(
        &self,
        name: &Arc<FileName>,
        scanned: &Scanned,
        ends: bool,
        out: &mut TaskOutput<'_>,
    ) {
        let mut printer = Printer { style: &self.plan.style, out };
        let ends = ends || printer.leaves_file();
        // The caller checks whether the run must stop.
        let _ = printer.scanned(name, scanned, ends);
    }
}
