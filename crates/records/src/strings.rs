//! Finds URLs in UTF-16 strings embedded in binary files, and reports them in order with the URLs
//! of the other text.

use crate::origin::{Origin, Raw, TextCache};
use crate::scan::Scan;
use std::collections::VecDeque;
use std::fmt;
use std::ops::ControlFlow::{self, Continue};
use std::ops::Range;
use urlsift_archive::{Utf16Marks, Utf16String, find_utf16_strings};
use urlsift_scanner::{AFTER, BEFORE, Candidate, Form, Input, NEARBY};

/// The size of the blocks that strings are scanned in. Blocks start at multiples of this size. A
/// string can be as long as the file, so it is not scanned as a whole. The URLs in a block depend
/// only on the block and its margins, and not on how the file is split into units.
const BLOCK: u64 = 32 << 10;

/// The number of bytes before a block that are scanned with it, and the number after it. A URL of
/// 30 Ki characters fits; longer URLs are cut.
const MARGIN_BEFORE: u64 = 16 << 10;
const MARGIN_BEHIND: u64 = 60 << 10;

/// The maximum number of bytes between the start of a URL and the byte that triggers its detection.
/// It is the length of the longest scheme.
const MAX_TRIGGER_DISTANCE: u64 = 1 << 10;

// The buffer contains a block and its margins at every step of the scan.
const _: () = assert!(BLOCK + MARGIN_BEHIND < NEARBY as u64 && NEARBY <= AFTER);
const _: () = assert!(BLOCK + MARGIN_BEFORE + (8 << 10) < NEARBY as u64 && NEARBY <= BEFORE);

/// A search for UTF-16 strings in a unit of a binary file, which reports the URLs in them. It
/// proceeds block by block.
pub(crate) struct Strings {
    /// The range of the unit in the file.
    unit: Range<u64>,
    /// The file offset of the first block that was not scanned.
    block: u64,
    /// No URL that is still to be reported starts before this file offset.
    clear: u64,
    /// The strings with URLs that were found but not reported yet, ordered by position.
    waiting: VecDeque<PendingString>,
}

/// A UTF-16 string, with the URLs in it that were not reported yet.
struct PendingString {
    string: Utf16String,
    found: VecDeque<Candidate<'static>>,
}

impl fmt::Debug for Strings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Strings").field("block", &self.block).finish_non_exhaustive()
    }
}

impl Strings {
    /// Starts a search in `unit`, a range of the file.
    pub(crate) fn new(unit: Range<u64>) -> Self {
        let block = unit.start - unit.start % BLOCK;
        Self { unit, block, clear: block, waiting: VecDeque::new() }
    }

    /// Reports the URLs that start before file offset `before` and were not reported yet, in order.
    /// Breaks if `report` breaks. `raw` must contain [`NEARBY`] bytes before and after that offset,
    /// unless the file starts or ends there.
    #[inline]
    pub(crate) fn report_urls_before(
        &mut self,
        before: u64,
        raw: Raw<'_>,
        scan: &Scan,
        report: impl FnMut(&Candidate<'_>, &Origin<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if before <= self.clear {
            Continue(())
        } else {
            self.report_before_slow(before, raw, scan, report)
        }
    }

    /// Does the same as [`Strings::report_urls_before`], on its slow path: there are URLs to report
    /// or blocks to search.
    #[inline(never)]
    fn report_before_slow(
        &mut self,
        before: u64,
        raw: Raw<'_>,
        scan: &Scan,
        mut report: impl FnMut(&Candidate<'_>, &Origin<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        loop {
            while let Some(PendingString { string, found }) = self.waiting.front_mut() {
                let document = string.as_document();
                let origin =
                    Origin { raw, document: Some(&document), around: &TextCache::default() };
                while let Some(candidate) = found.front() {
                    self.clear = document.to_file_span(candidate.span()).start;
                    if self.clear >= before {
                        return Continue(());
                    }
                    let candidate = found.pop_front().map(|found| found.with_text(document.text));
                    candidate.map_or(Continue(()), |found| report(&found, &origin))?;
                }
                self.waiting.pop_front();
            }
            self.clear = self.block;
            if self.clear >= before.min(self.unit.end) {
                return Continue(());
            }
            self.scan_block(raw, scan);
        }
    }

    /// Searches the next block for strings. URLs that start in the block and in the unit are added
    /// to `waiting`.
    fn scan_block(&mut self, raw: Raw<'_>, scan: &Scan) {
        let block = self.block..self.block + BLOCK;
        self.block = block.end;
        let within = |from: u64, to: u64| {
            let place = |at: u64| {
                usize::try_from(at.saturating_sub(raw.file_offset())).unwrap_or(usize::MAX)
            };
            place(from)..place(to)
        };
        let marked = within(block.start, block.end + MAX_TRIGGER_DISTANCE);
        let bounds = within(block.start.saturating_sub(MARGIN_BEFORE), block.end + MARGIN_BEHIND);
        let options = &scan.options;
        let names = [Form::Email, Form::Host, Form::Schemeless]
            .iter()
            .any(|form| options.finds_form(*form));
        let marks = if names { Utf16Marks::Names } else { Utf16Marks::Colon };
        let (unit, waiting) = (&self.unit, &mut self.waiting);
        let mut take = |string: Utf16String| {
            let document = string.as_document();
            let mut found = VecDeque::new();
            for mut candidate in scan.scanner.find(Input::new(document.text)) {
                let start = document.to_file_span(candidate.span()).start;
                if block.contains(&start) && unit.contains(&start) {
                    if string.may_continue() && candidate.span().end == document.text.len() {
                        candidate = candidate.mark_truncated();
                    }
                    found.push_back(candidate.with_text(&[]));
                }
            }
            if !found.is_empty() {
                waiting.push_back(PendingString { string, found });
            }
        };
        find_utf16_strings(raw.bytes, marked, bounds, raw.file_offset(), marks, &mut take);
    }
}
