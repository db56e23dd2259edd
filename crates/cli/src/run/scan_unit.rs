//! One unit scanned.

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

/// URLs lie thin that have more bytes than this each.
const THIN: u64 = 1 << 10;

impl Worker<'_> {
    /// Scans a unit that is at hand.
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
            out.sheet.error(&plan.style, name, error);
        }
        scanned
    }

    /// Scans a unit of a plain text in a file, which passes through `buffer`. Also returns where the file
    /// ended, if it did.
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

    /// Scans a message of a file that is too long to be held, which passes through `buffer`.
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
            // It takes all of them.
            let _ = printer.trouble(name, trouble);
        }
        let (scanned, read) =
            plan.scan.long_message(&long, Sizes::default(), &mut source, buffer, &mut printer);
        self.finish(name, &scanned, last, out);
        if let Err(error) = read {
            out.sheet.error(&plan.style, name, &error);
        }
        scanned
    }

    /// Adds up what was counted in a unit; `ends` says that no other follows it in the file.
    pub(super) fn finish(
        &self,
        name: &Arc<FileName>,
        scanned: &Scanned,
        ends: bool,
        out: &mut TaskOutput<'_>,
    ) {
        let mut printer = Printer { style: &self.plan.style, out };
        let ends = ends || printer.leaves_file();
        // Whether to go on is asked elsewhere.
        let _ = printer.scanned(name, scanned, ends);
    }
}
