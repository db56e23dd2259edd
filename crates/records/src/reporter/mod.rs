//! Reports the URLs of a unit: finds the candidates in its text or documents, counts valid ones, and
//! rereads those that a guessed charset extends.

mod messages;
mod record;

use self::messages::Messages;
use crate::LineStart;
use crate::dispatch::{Purpose, for_each_candidate};
use crate::guessed::{reread, touches_other_byte, word_before};
use crate::judge::is_misspelt;
use crate::lines::LineCounter;
use crate::origin::{Origin, Raw, TextCache};
use crate::record::{FileName, Join, Place, Tally};
use crate::scan::{Scan, Sink};
use crate::strings::Strings;
use std::ops::ControlFlow::{self, Continue};
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::{self as archive, Container, Dialect, Document, DocumentKind, documents};
use urlsift_core::{Report, Span};
use urlsift_scanner::{Candidate, Form};

/// True if a document overlaps `range` of the file. A document that marks the start of a message
/// counts only if it starts in the range.
fn overlaps_file_range(document: &Document<'_>, range: &Range<u64>) -> bool {
    if let (DocumentKind::Message, Some(message)) = (document.kind, document.origin.message) {
        return range.contains(&message.span.start);
    }
    let whole = document.to_file_span(Span::new(0, document.text.len()));
    whole.start < range.end && range.start < whole.end
}

/// Returns the number of quote marks (`>`) at the start of a candidate's line, and the candidate's
/// place in the document, e.g. the signature.
fn quote_depth_and_place(candidate: &Candidate<'_>, origin: &Origin<'_>) -> (u32, Place) {
    let depth = origin.around.quote_depth(candidate);
    (depth, Place::in_document(origin.document, candidate.span(), depth, &origin.around.ending))
}

/// A component that makes records from the candidates in one unit and passes them to a sink. It
/// reuses its buffers for each candidate.
#[derive(Debug)]
pub(crate) struct Reporter<'s> {
    pub(crate) scan: &'s Scan,
    file: &'s Arc<FileName>,
    /// The name of the item that contains the last candidate, and the file name with that item as
    /// the archive member. Only used in files with items.
    item: Option<(Vec<u8>, Arc<FileName>)>,
    pub(crate) lines: LineCounter,
    pub(crate) tally: Tally,
    /// The messages and web archive records that contain the candidates.
    messages: Messages<'s>,
    /// The violations and findings of the current candidate.
    reports: Vec<Report>,
    /// The joins of the current candidate.
    joins: Vec<Join>,
    /// True if the input is a binary file. Its charset is not guessed.
    pub(crate) is_binary: bool,
    /// The file offset of the end of the last URL that was read in a guessed charset. Candidates
    /// that start before this offset are parts of that URL and are skipped. A candidate after it
    /// resets this field to 0.
    guessed_end: u64,
    /// The result of [`quote_depth_and_place`] for the current candidate, if it was read in a
    /// guessed charset. Otherwise `None`, and the result is computed when it is needed.
    place: Option<(u32, Place)>,
}

impl<'s> Reporter<'s> {
    /// Creates a reporter for a unit of `file`. The unit starts at file offset `at`, and `start` is
    /// the line start there.
    pub(crate) fn new(scan: &'s Scan, file: &'s Arc<FileName>, at: u64, start: LineStart) -> Self {
        Self {
            scan,
            file,
            item: None,
            lines: LineCounter::new(at, start),
            tally: Tally::default(),
            messages: Messages::new(scan),
            reports: Vec::new(),
            joins: Vec::new(),
            is_binary: false,
            guessed_end: 0,
            place: None,
        }
    }

    /// Returns the name of the file that contains the unit.
    pub(crate) fn file(&self) -> &'s Arc<FileName> {
        self.file
    }

    /// Scans a plain text that is completely in memory, and reports the URLs that start in `unit`.
    /// `bytes` also contains the text around the unit, and `base` is the file offset of `bytes`.
    /// Breaks if the sink ends the scan.
    pub(crate) fn report_text(
        &mut self,
        bytes: &[u8],
        base: u64,
        (dialect, unit): (Dialect, Range<usize>),
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        if self.skips_text(base + unit.start as u64) {
            return Continue(());
        }
        let raw = Raw::whole_unit(bytes, base);
        let origin = Origin { raw, document: None, around: &TextCache::default() };
        let in_file = base + unit.start as u64..base + unit.end as u64;
        let end = in_file.end;
        self.is_binary = dialect == Dialect::Binary;
        self.find_guessed_end(raw, unit.start);
        // UTF-16 strings in binary files are scanned separately.
        let mut strings = (dialect == Dialect::Binary).then(|| Strings::new(in_file));
        let mut strings_before = |end: u64, reporter: &mut Self, sink: &mut _| match &mut strings {
            Some(strings) => {
                let scan = reporter.scan;
                strings.report_urls_before(end, raw, scan, |found, origin| {
                    reporter.report_candidate(found, origin, sink)
                })
            }
            None => Continue(()),
        };
        let mut found =
            self.scan.scanner.find_within(self.scan.scanner_input(bytes, dialect), unit);
        while let Some(candidate) = found.advance() {
            strings_before(base + candidate.span().start as u64, self, sink)?;
            self.report_candidate(candidate, &origin, sink)?;
        }
        strings_before(end, self, sink)
    }

    /// True if the message filter rejects text outside messages. If so, and if `start`, the offset
    /// of the unit that contains the text, is 0, counts the file in `tally.without_messages`.
    pub(crate) fn skips_text(&mut self, start: u64) -> bool {
        let is_skipped = !self.scan.options.messages.accepts_other_text();
        self.tally.without_messages += u64::from(is_skipped && start == 0);
        is_skipped
    }

    /// Decodes `raw`, the bytes of a unit, into documents, and reports the URLs in them. `base` is
    /// the file offset of `raw`. Breaks if the sink ends the scan.
    pub(crate) fn report_documents(
        &mut self,
        raw: &[u8],
        base: u64,
        container: Container,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let archive = &self.scan.decoding_options_for(self.file);
        let raw_at = Raw::whole_unit(raw, base);
        let (walked, flow) = self.report_walked_documents(raw_at, None, sink, |each| {
            documents(raw, container, base, archive, each)
        });
        self.report_messages(sink);
        self.tally.messages += walked.messages;
        self.tally.limits += walked.limits;
        flow
    }

    /// Reports the URLs in the documents that `walk` passes to its callback. If `within` is a range
    /// of the file, only URLs that start in it are reported.
    ///
    /// Returns the counts from `walk`, and `Break` if the sink has ended the scan.
    pub(crate) fn report_walked_documents(
        &mut self,
        raw: Raw<'_>,
        within: Option<&Range<u64>>,
        sink: &mut impl Sink,
        walk: impl FnOnce(&mut dyn FnMut(&Document<'_>) -> ControlFlow<()>) -> archive::Tally,
    ) -> (archive::Tally, ControlFlow<()>) {
        let Scan { options, scanner, .. } = self.scan;
        let (mut flow, mut has_skipped_text) = (Continue(()), false);
        let walked = walk(&mut |document| {
            let message = document.origin.message;
            if within.is_some_and(|within| !overlaps_file_range(document, within)) {
                return Continue(());
            }
            let is_wanted = match message {
                _ if options.messages.is_empty() => true,
                Some(message) => self.messages.accepts(message, &mut self.tally),
                None => options.messages.accepts_other_text(),
            };
            if !is_wanted {
                has_skipped_text |= message.is_none();
                return Continue(());
            }
            if let (DocumentKind::Message, Some(message)) = (document.kind, message) {
                let part = document.origin.part;
                if part.is_empty() {
                    self.report_messages(sink);
                }
                self.messages.start(message, part);
                return Continue(());
            }
            let before = self.tally.urls;
            let text = document.text.as_ptr_range();
            let (own, others) = (TextCache::default(), TextCache::default());
            let mut found = |document: &Document<'_>, candidate: &Candidate<'_>| {
                let is_elsewhere = |within: &Range<u64>| {
                    !within.contains(&document.to_file_span(candidate.span()).start)
                };
                if within.is_some_and(is_elsewhere) || document.is_opaque(candidate.span()) {
                    return Continue(());
                }
                // Only the text of the document itself can have a signature, and the values of a
                // page's tags have lines of their own.
                let is_own = document.text.as_ptr_range() == text;
                others.quotes.take();
                let around = if is_own { &own } else { &others };
                let document = Some(document);
                self.report_candidate(candidate, &Origin { raw, document, around }, sink)
            };
            flow = for_each_candidate(scanner, document, Purpose::Scan, &mut found);
            if let Some(message) = message {
                self.messages.add_urls(message.number, self.tally.urls - before);
            }
            flow
        });
        let is_skipped = has_skipped_text && walked.messages == 0 && raw.file_offset() == 0;
        self.tally.without_messages += u64::from(is_skipped);
        (walked, flow)
    }

    /// Passes the records of all pending messages to the sink. Call this when the messages have
    /// ended.
    pub(crate) fn report_messages(&mut self, sink: &mut impl Sink) {
        self.messages.report(self.file, sink);
    }

    /// Passes the record of a candidate to the sink, unless a filter rejects it. If only the bytes
    /// of valid URLs are needed, takes a fast path without a record. Breaks if the sink ends the
    /// scan.
    #[inline(always)]
    pub(crate) fn report_candidate(
        &mut self,
        candidate: &Candidate<'_>,
        origin: &Origin<'_>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        if (self.guessed_end > 0 || touches_other_byte(origin.text(), candidate))
            && let Some(flow) = self.report_guessed(candidate, origin, sink)
        {
            return flow;
        }
        self.report_as_found(candidate, origin, sink)
    }

    /// Reports a URL that contains or touches letters in an undeclared charset, like
    /// [`Reporter::report_candidate`]. Skips the candidate if it is part of the last such URL, or
    /// if it is cut inside its host and no charset can be guessed. Returns `None` for all other
    /// candidates, without reporting them.
    #[cold]
    fn report_guessed(
        &mut self,
        candidate: &Candidate<'_>,
        origin: &Origin<'_>,
        sink: &mut impl Sink,
    ) -> Option<ControlFlow<()>> {
        if self.guessed_end > 0 {
            if origin.to_file_span(candidate.span()).start < self.guessed_end {
                return Some(Continue(()));
            }
            self.guessed_end = 0;
        }
        if self.is_binary || !touches_other_byte(origin.text(), candidate) {
            return None;
        }
        let plain;
        let document = if let Some(document) = origin.document {
            document
        } else {
            let charset = self.scan.charset();
            plain = Document::of_plain_text(origin.raw.bytes, origin.raw.base, charset);
            &plain
        };
        let flow = reread(&self.scan.scanner, document, candidate, |document, found| {
            self.guessed_end = document.to_file_span(found.span()).end;
            self.place = Some(quote_depth_and_place(candidate, origin));
            let (document, around) = (Some(document), &TextCache::default());
            let flow = self.report_as_found(found, &Origin { document, around, ..*origin }, sink);
            self.place = None;
            flow
        });
        // Without a charset, the rest of the host is unknown.
        flow.or_else(|| candidate.is_cut_in_host().then_some(Continue(())))
    }

    /// Sets `guessed_end` for a unit that starts at byte `start` of the text `raw`. This is needed
    /// because a URL that is read in a guessed charset may start before the unit and end in it.
    pub(crate) fn find_guessed_end(&mut self, raw: Raw<'_>, start: usize) {
        let scanner = &self.scan.scanner;
        let range = word_before(raw.bytes, start);
        if self.is_binary || range.is_empty() {
            return;
        }
        let document = Document::of_plain_text(raw.bytes, raw.base, self.scan.charset());
        let input = self.scan.scanner_input(raw.bytes, Dialect::Plain);
        for candidate in scanner.find_within(input, range) {
            if touches_other_byte(raw.bytes, &candidate) {
                let end = reread(scanner, &document, &candidate, |document, found| {
                    document.to_file_span(found.span()).end
                });
                self.guessed_end = self.guessed_end.max(end.unwrap_or(0));
            }
        }
    }

    /// Reports the candidate like [`Reporter::report_candidate`], but doesn't guess a charset.
    #[inline(always)]
    fn report_as_found(
        &mut self,
        candidate: &Candidate<'_>,
        origin: &Origin<'_>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let form = candidate.form();
        if !self.scan.is_plain || !form.claims_scheme() || form == Form::Relative {
            return self.report_in_full(candidate, origin, sink);
        }
        if is_misspelt(candidate) || !candidate.is_valid(self.scan.options.profile) {
            // An attribute value may be valid once its spaces are encoded.
            if form == Form::Attribute {
                return self.report_in_full(candidate, origin, sink);
            }
            self.tally.malformed += 1;
            return Continue(());
        }
        self.count(candidate);
        sink.plain_url(candidate)
    }

    /// Adds a reported URL to the counts.
    fn count(&mut self, candidate: &Candidate<'_>) {
        self.tally.urls += 1;
        self.tally.truncated += u64::from(candidate.is_overlong());
    }
}
