//! What stands in strings in UTF-16 amid the bytes of a text, in its place among what else is found there.

use crate::origin::{Around, Origin, Raw};
use crate::scan::Scan;
use std::collections::VecDeque;
use std::fmt;
use std::ops::ControlFlow::{self, Continue};
use std::ops::Range;
use urlsift_archive::{Utf16Marks, Utf16String, utf16_strings};
use urlsift_scanner::{AFTER, BEFORE, Candidate, Form, Input, NEARBY};

/// A string may be as long as the file, so it is looked at in blocks, which start at multiples of this in the file: what
/// is found in a block depends on it and what stands around, and not on how the file is cut.
const BLOCK: u64 = 32 << 10;

/// How much of a string matters before the block, and behind it: a URL of 30 Ki characters. One that goes on is cut there.
const MARGIN_BEFORE: u64 = 16 << 10;
const MARGIN_BEHIND: u64 = 60 << 10;

/// How far behind its first byte the mark can be by which a URL is noticed: the longest scheme.
const NOTICED: u64 = 1 << 10;

// All of it is at hand where a pass over the text stands.
const _: () = assert!(BLOCK + MARGIN_BEHIND < NEARBY as u64 && NEARBY <= AFTER);
const _: () = assert!(BLOCK + MARGIN_BEFORE + (8 << 10) < NEARBY as u64 && NEARBY <= BEFORE);

/// The strings of a unit of a text.
pub(crate) struct Strings {
    unit: Range<u64>,
    /// The first byte of the first block that was not looked at.
    block: u64,
    /// No string that waits, or is still to be found, holds anything before this byte of the file.
    clear: u64,
    waiting: VecDeque<Waiting>,
}

/// A string, and what was found in it and not reported.
struct Waiting {
    string: Utf16String,
    found: VecDeque<Candidate<'static>>,
}

impl fmt::Debug for Strings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Strings").field("block", &self.block).finish_non_exhaustive()
    }
}

impl Strings {
    /// Those of which something starts in that range of a file.
    pub(crate) fn new(unit: Range<u64>) -> Self {
        let block = unit.start - unit.start % BLOCK;
        Self { unit, block, clear: block, waiting: VecDeque::new() }
    }

    /// Hands over what starts before byte `before` of the file and was not handed over yet, in order. [`NEARBY`] bytes before
    /// and behind that place are in `raw`, as far as the file has them.
    #[inline]
    pub(crate) fn before(
        &mut self,
        before: u64,
        raw: Raw<'_>,
        scan: &Scan,
        report: impl FnMut(&Candidate<'_>, &Origin<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if before <= self.clear { Continue(()) } else { self.go_to(before, raw, scan, report) }
    }

    #[inline(never)]
    fn go_to(
        &mut self,
        before: u64,
        raw: Raw<'_>,
        scan: &Scan,
        mut report: impl FnMut(&Candidate<'_>, &Origin<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        loop {
            while let Some(Waiting { string, found }) = self.waiting.front_mut() {
                let document = string.document();
                let origin = Origin { raw, document: Some(&document), around: &Around::default() };
                while let Some(candidate) = found.front() {
                    self.clear = document.locate(candidate.span()).start;
                    if self.clear >= before {
                        return Continue(());
                    }
                    let candidate = found.pop_front().map(|found| found.within(document.text));
                    candidate.map_or(Continue(()), |found| report(&found, &origin))?;
                }
                self.waiting.pop_front();
            }
            self.clear = self.block;
            if self.clear >= before.min(self.unit.end) {
                return Continue(());
            }
            self.look(raw, scan);
        }
    }

    /// Looks at the next block.
    fn look(&mut self, raw: Raw<'_>, scan: &Scan) {
        let block = self.block..self.block + BLOCK;
        self.block = block.end;
        let within = |from: u64, to: u64| {
            let place =
                |at: u64| usize::try_from(at.saturating_sub(raw.start())).unwrap_or(usize::MAX);
            place(from)..place(to)
        };
        let marked = within(block.start, block.end + NOTICED);
        let bounds = within(block.start.saturating_sub(MARGIN_BEFORE), block.end + MARGIN_BEHIND);
        let options = &scan.options;
        let names =
            [Form::Email, Form::Host, Form::Schemeless].iter().any(|form| options.finds(*form));
        let marks = if names { Utf16Marks::Names } else { Utf16Marks::Colon };
        let (unit, waiting) = (&self.unit, &mut self.waiting);
        let mut take = |string: Utf16String| {
            let document = string.document();
            let mut found = VecDeque::new();
            for mut candidate in scan.scanner.find(Input::new(document.text)) {
                let start = document.locate(candidate.span()).start;
                if block.contains(&start) && unit.contains(&start) {
                    if string.is_cut() && candidate.span().end == document.text.len() {
                        candidate = candidate.cut();
                    }
                    found.push_back(candidate.within(&[]));
                }
            }
            if !found.is_empty() {
                waiting.push_back(Waiting { string, found });
            }
        };
        utf16_strings(raw.bytes, marked, bounds, raw.start(), marks, &mut take);
    }
}
