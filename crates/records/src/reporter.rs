//! Turns the candidates found in a unit into records: validates them, applies the filters, computes
//! the requested fields and passes the records to the sink.

use crate::dispatch::{Purpose, for_each_candidate};
use crate::guessed::{reread, touches_other_byte, word_before};
use crate::host::{domain_and_tld, host_of_name, is_probably_host};
use crate::judge::{Judgeable, Judged, is_misspelt};
use crate::lines::LineCounter;
use crate::message::MessageFiller;
use crate::origin::{Origin, Raw, TextCache};
use crate::record::{FileName, Join, Message, Page, Place, Quoted, Tally, UrlRecord};
use crate::scan::{Scan, Sink};
use crate::strings::Strings;
use crate::{Detail, LineStart, Unwrap, With, relative};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::ControlFlow::{self, Continue};
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::{
    self as archive, Container, Dialect, Document, DocumentKind, Layer, documents,
};
use urlsift_core::{Report, Secrets, Span, Url, mask_spans_in, rewritten_target};
use urlsift_scanner::{Candidate, Form, JoinKind};

/// The maximum number of message descriptions to keep for reuse. Usually only one message is in use
/// at a time; a nested message needs another.
const MAX_SPARE: usize = 4;

/// Sets those of the fields `port`, `domain` and `tld` of `record` that `with` requests.
fn set_host_fields<'a>(
    record: &mut UrlRecord<'a>,
    host: Option<&'a [u8]>,
    url: Option<&Url<'_>>,
    with: &[With],
) {
    if with.contains(&With::Port) {
        record.port =
            url.and_then(Url::port).and_then(|port| str::from_utf8(port).ok()?.parse().ok());
    }
    let (domain, tld) = (with.contains(&With::Domain), with.contains(&With::Tld));
    if (domain || tld)
        && let Some((found, last)) = host.and_then(domain_and_tld)
    {
        record.domain = found.filter(|_| domain);
        record.tld = Some(last).filter(|_| tld);
    }
}

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

/// Returns the possible spellings of a candidate, except the most likely one, which is its URL.
fn other_readings(candidate: &Candidate<'_>) -> Vec<Vec<u8>> {
    if !candidate.is_ambiguous() {
        return Vec::new();
    }
    let mut readings = candidate.readings();
    readings.remove(0);
    readings
}

/// A candidate that passed all filters, with the values that the filters computed.
struct Accepted<'a> {
    candidate: &'a Candidate<'a>,
    origin: &'a Origin<'a>,
    /// The URL as written, without layout.
    written: &'a [u8],
    /// The URL to report. It is the resolved URL of a relative link, or the original URL of a
    /// rewritten link, if these are requested.
    url: &'a [u8],
    is_resolved: bool,
    /// The original URL of a rewritten link, if it is reported instead of the link.
    target: Option<&'a [u8]>,
    /// The result of [`quote_depth_and_place`], if it was needed.
    known_place: Option<(u32, Place)>,
}

impl Accepted<'_> {
    /// Returns the spans of secrets in the URL, and masks the secrets in `others`, the other
    /// readings. `hides` are the kinds of secrets. If it is `None`, no secrets are searched.
    #[inline(always)]
    fn mask_and_find_secrets(&self, hides: Option<Secrets>, others: &mut [Vec<u8>]) -> Vec<Span> {
        let Some(which) = hides else { return Vec::new() };
        if !self.is_resolved {
            return self.origin.find_secrets(which, self.candidate, self.url, others);
        }
        for other in others {
            *other = relative::mask_link(other, which).into_owned();
        }
        which.in_url(self.url)
    }

    /// Returns the excerpt of the text around the URL. `secrets` are the spans of secrets in the
    /// URL. Secrets of the kinds `hides` are also masked in the text around it.
    fn excerpt(&self, hides: Option<Secrets>, secrets: &[Span]) -> Quoted<'_> {
        let map = self.candidate.span_map();
        let of_url = if self.is_resolved { &[] } else { secrets };
        let of_url: Vec<Span> = of_url.iter().map(|secret| map.to_source(*secret)).collect();
        let hides = hides.map(|which| (which, self.origin.secrets_by_block()));
        Quoted::new(self.origin.text(), self.candidate.span(), hides, &of_url)
    }
}

/// A message whose record is passed to the sink after all URLs of the message.
#[derive(Debug, Default)]
struct PendingMessage {
    /// The number of the message in the unit.
    number: u64,
    message: Message,
    /// The number of URLs reported in the message so far.
    urls: u64,
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
    /// The violations and findings of the current candidate.
    reports: Vec<Report>,
    /// The joins of the current candidate.
    joins: Vec<Join>,
    /// The number and offset of the last message that was checked by the filter for messages, and
    /// true if the filter accepts it.
    checked: Option<((u64, u64), bool)>,
    /// The message that contains the current candidate: its number and its description.
    message: Option<(u64, Arc<Message>)>,
    /// The web archive record that contains the current candidate: its number and its description.
    page: Option<(u64, Arc<Page>)>,
    /// Messages that were not yet reported to the sink, ordered by number: the current top-level
    /// message and those nested in it. Only the first `pending_count` are valid; the others are
    /// kept for reuse.
    pending: Vec<PendingMessage>,
    /// The number of valid entries in `pending`.
    pending_count: usize,
    /// True if the input is a binary file. Its charset is not guessed.
    pub(crate) is_binary: bool,
    /// The file offset of the end of the last URL that was read in a guessed charset. Candidates
    /// that start before this offset are parts of that URL and are skipped. A candidate after it
    /// resets this field to 0.
    guessed_end: u64,
    /// The result of [`quote_depth_and_place`] for the current candidate, if it was read in a
    /// guessed charset. Otherwise `None`, and the result is computed when it is needed.
    place: Option<(u32, Place)>,
    /// Descriptions of earlier messages, oldest first. An entry is reused if no record references
    /// it.
    spare: VecDeque<Arc<Message>>,
    filler: MessageFiller<'s>,
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
            reports: Vec::new(),
            joins: Vec::new(),
            checked: None,
            message: None,
            page: None,
            pending: Vec::new(),
            pending_count: 0,
            is_binary: false,
            guessed_end: 0,
            place: None,
            spare: VecDeque::new(),
            filler: MessageFiller::new(&scan.options, &scan.senders),
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
                Some(message) => self.accepts_message(message),
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
                if self.pending.len() == self.pending_count {
                    self.pending.push(PendingMessage::default());
                }
                let pending = &mut self.pending[self.pending_count];
                (pending.number, pending.urls) = (message.number, 0);
                self.filler.describe_into(&mut pending.message, message, part);
                self.pending_count += 1;
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
            if let Some(message) = message
                && let Some(at) = self.pending_index(message.number)
            {
                self.pending[at].urls += self.tally.urls - before;
            }
            flow
        });
        let is_skipped = has_skipped_text && walked.messages == 0 && raw.file_offset() == 0;
        self.tally.without_messages += u64::from(is_skipped);
        (walked, flow)
    }

    /// True if the message filter accepts `message`. Also counts messages without a date. The last
    /// result is cached, because a message may have many parts.
    fn accepts_message(&mut self, message: &archive::Message<'_>) -> bool {
        let this = (message.number, message.span.start);
        if let Some((_, is_wanted)) = self.checked.filter(|(last, _)| *last == this) {
            return is_wanted;
        }
        let checked = self.scan.options.messages.check(message);
        self.tally.undated += u64::from(checked.misses_date);
        self.checked = Some((this, checked.is_wanted));
        checked.is_wanted
    }

    /// Passes the records of all pending messages to the sink. Call this when the messages have
    /// ended.
    pub(crate) fn report_messages(&mut self, sink: &mut impl Sink) {
        for PendingMessage { message, urls, .. } in &self.pending[..self.pending_count] {
            sink.message(self.file, message, *urls);
        }
        self.pending_count = 0;
        self.pending.truncate(MAX_SPARE);
    }

    /// Returns the index in `pending` of the message with the number `message_number`. Returns
    /// `None` if that message is not pending.
    fn pending_index(&self, message_number: u64) -> Option<usize> {
        self.pending[..self.pending_count]
            .binary_search_by_key(&message_number, |known| known.number)
            .ok()
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

    /// Passes the record of a candidate to the sink, unless a filter rejects it. This is the slow
    /// path of [`Reporter::report_candidate`].
    #[inline(never)]
    fn report_in_full(
        &mut self,
        candidate: &Candidate<'_>,
        origin: &Origin<'_>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let options = &self.scan.options;
        let form = candidate.form();
        if !options.selects_form(form) {
            return Continue(());
        }
        let written = candidate.url();
        let mut resolved = None;
        if form == Form::Relative {
            resolved = relative::resolve_link(origin.base_urls(), &written);
            if resolved.is_none() {
                return Continue(());
            }
        }
        // For a relative link, the resolved URL is validated.
        let url: &[u8] = resolved.as_deref().unwrap_or(&written);
        if !is_probably_host(url, form) {
            return Continue(());
        }
        let target = if options.unwrap == Unwrap::Replace { rewritten_target(url) } else { None };
        let target = target.filter(|target| {
            let judgeable = Judgeable::new(target, form, options.profile);
            !Judged::new(&judgeable.url, form, options.profile).is_malformed()
        });
        let is_resolved = resolved.is_some() || target.is_some();
        let target = target.as_deref();
        let url = target.unwrap_or(url);
        let judgeable = Judgeable::new(url, form, options.profile);
        let judged = Judged::new(&judgeable.url, form, options.profile);
        if !options.selects_scheme(&judged) || !options.selects_url(url, &judged, form) {
            return Continue(());
        }
        let find_place =
            || (!options.without.is_empty()).then(|| quote_depth_and_place(candidate, origin));
        let known_place = self.place.or_else(find_place);
        if known_place.is_some_and(|(_, place)| options.without.contains(&place)) {
            return Continue(());
        }
        let malformed = judged.is_malformed() || is_misspelt(candidate);
        self.tally.malformed += u64::from(malformed);
        if !options.selects_validity(malformed) {
            return Continue(());
        }
        self.count(candidate);
        if options.detail == Detail::Count {
            return Continue(());
        }
        let accepted = Accepted {
            candidate,
            origin,
            written: &written,
            url,
            is_resolved,
            target,
            known_place,
        };
        self.report_record(&accepted, &judgeable, &judged, sink)
    }

    /// Makes the record of a candidate that passed all filters, and passes it to the sink.
    #[inline(always)]
    fn report_record(
        &mut self,
        accepted: &Accepted<'_>,
        judgeable: &Judgeable<'_>,
        judged: &Judged<'_>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let options = &self.scan.options;
        let &Accepted {
            candidate,
            origin,
            written,
            url,
            is_resolved,
            target: original,
            known_place,
        } = accepted;
        let form = candidate.form();
        let span = origin.to_file_span(candidate.span());
        let mut others = if original.is_some() { Vec::new() } else { other_readings(candidate) };
        let secrets = accepted.mask_and_find_secrets(options.hidden_secrets(), &mut others);
        let shown = |part: Span| mask_spans_in(url, part, &secrets);
        let shown_whole = shown(Span::new(0, url.len()));
        // Each field is a separate variable, and the record is built last. Assigning to a variable
        // that is known to be empty needs no code to drop its old value.
        let (mut line, mut column) = (None, None);
        if options.detail >= Detail::Line {
            let here =
                self.lines.line_start_at(origin.raw.bytes, origin.raw.file_offset(), span.start);
            line = Some(here.breaks + 1);
            column = Some(span.start - here.line.min(span.start) + 1);
        }
        let (mut scheme, mut host_span, mut host, mut fragment) = (None, None, None, None);
        let (mut target, mut header_name) = (None, None);
        let (mut decoded, mut approximate) = (Cow::default(), false);
        let (mut quote_depth, mut place_of) = (0, Place::Body);
        let mut normalized = None;
        self.reports.clear();
        self.joins.clear();
        if options.detail == Detail::Full {
            normalized = Some(self.set_reports_and_joins(accepted, judgeable, judged));
            scheme = judged.scheme().map(|scheme| {
                let is_lower = !scheme.bytes().any(|b| b.is_ascii_uppercase());
                if is_lower { scheme.into() } else { scheme.to_ascii_lowercase().into() }
            });
            (quote_depth, place_of) =
                known_place.unwrap_or_else(|| quote_depth_and_place(candidate, origin));
            if options.unwrap != Unwrap::Off {
                target = original
                    .map(<[u8]>::to_vec)
                    .or_else(|| rewritten_target(url))
                    .map(|target| options.mask_for_display(&target).into_owned());
            }
            if let Some(DocumentKind::Header(name)) = origin.document.map(|document| document.kind)
            {
                header_name = Some(Cow::Borrowed(name));
            }
            let shown = |part: Span| shown(judgeable.to_written_span(part));
            let named = || host_of_name(url, form);
            host_span = judged.valid_url().and_then(Url::host_span).or_else(named);
            host = host_span.map(shown);
            fragment = judged.valid_url().and_then(Url::fragment_span).map(shown);
            let layers = origin.encodings_at(candidate.span());
            decoded = Cow::Borrowed(layers.decoded);
            if candidate.is_encoded() {
                decoded.to_mut().push(Layer::QuotedPrintable);
            }
            if candidate.seams().iter().any(|seam| seam.kind == JoinKind::Ansi) {
                decoded.to_mut().push(Layer::Ansi);
            }
            approximate = layers.approximate;
        }
        if normalized.is_none() && options.normalized {
            normalized = Some(judged.normalized_or_written());
        }
        if normalized.is_some() && !secrets.is_empty() {
            let judged = Judged::new(&shown_whole, form, options.profile);
            normalized = Some(Cow::Owned(judged.normalized_or_written().into_owned()));
        }
        self.set_item(origin.document.map_or(b"", |document| document.origin.item));
        let file = self.item.as_ref().map_or(self.file, |(_, file)| file);
        let message = self.message.as_ref().filter(|_| options.detail == Detail::Full);
        let page = self.page.as_ref().filter(|_| options.detail == Detail::Full);
        let (shown_url, shown_resolved) = match (is_resolved, options.hidden_secrets()) {
            (false, _) => (shown_whole, None),
            (true, Some(which)) => (relative::mask_link(written, which), Some(shown_whole)),
            (true, None) => (Cow::Borrowed(written), Some(shown_whole)),
        };
        let mut record = UrlRecord {
            file: Cow::Borrowed(file),
            url: shown_url,
            resolved: shown_resolved,
            span,
            line,
            column,
            form,
            scheme,
            host,
            fragment,
            profile: options.profile,
            reports: Cow::Borrowed(&self.reports),
            joins: Cow::Borrowed(&self.joins),
            other_readings: Cow::Owned(others),
            quote_depth,
            truncated: candidate.is_truncated(),
            decoded,
            approximate,
            html: origin.element_and_attribute().map(Cow::Borrowed),
            normalized,
            domain: None,
            tld: None,
            port: None,
            target,
            link_text: None,
            place: place_of,
            header_name,
            message: message.map(|(_, message)| Cow::Borrowed(message)),
            page: page.map(|(_, page)| Cow::Borrowed(page)),
            quoted: None,
        };
        if options.quoted {
            record.quoted = Some(Box::new(accepted.excerpt(options.hidden_secrets(), &secrets)));
        }
        if options.detail == Detail::Full && !options.with.is_empty() {
            if options.with.contains(&With::LinkText) {
                let text = origin.document.and_then(archive::link_text);
                record.link_text = text.map(|text| options.mask_for_display(&text).into_owned());
            }
            let host = host_span.map(|host| &judgeable.url[host.range()]);
            set_host_fields(&mut record, host, judged.valid_url(), &options.with);
        }
        sink.record(&record)
    }

    /// Sets `self.reports` and `self.joins` for a candidate, and `self.message` and `self.page` to
    /// those that contain it. Returns the normalized URL.
    #[inline(always)]
    fn set_reports_and_joins<'u>(
        &mut self,
        accepted: &Accepted<'_>,
        judgeable: &Judgeable<'_>,
        judged: &Judged<'u>,
    ) -> Cow<'u, [u8]> {
        let Accepted { candidate, origin, .. } = accepted;
        let normalized = judged.report_violations(|mut report| {
            report.span = judgeable.to_written_span(report.span);
            self.reports.push(report);
        });
        self.reports.extend(judgeable.space_findings());
        // These findings are about the URL as written.
        if !accepted.is_resolved {
            self.reports.extend(candidate.findings());
        }
        self.joins.extend(candidate.seams().iter().map(|seam| Join {
            span: origin.to_file_span(seam.gap),
            kind: seam.kind,
            grade: seam.grade,
            evidence: seam.evidence,
        }));
        origin.push_dropped_joins(candidate.span(), &mut self.joins);
        if let Some(document) = origin.document {
            self.update_message(document);
        }
        normalized
    }

    /// Sets `self.item` to the item called `name`, or to `None` if the name is empty.
    #[inline(always)]
    fn set_item(&mut self, name: &[u8]) {
        if name.is_empty() {
            self.item = None;
        } else if self.item.as_ref().is_none_or(|(known, _)| known != name) {
            self.item = Some((name.to_vec(), Arc::new(self.file.with_member(name))));
        }
    }

    /// Sets `self.page` to the description of `web`, the web archive record that contains the
    /// current document. Does nothing if `self.page` already describes this record.
    fn update_page(&mut self, web: Option<&archive::WebPage<'_>>) {
        let known = self.page.as_ref().map(|(number, _)| *number);
        if known != web.map(|web| web.number) {
            let page = |web: &archive::WebPage<'_>| Arc::new(Page::new(web, &self.scan.options));
            self.page = web.map(|web| (web.number, page(web)));
        }
    }

    /// Sets `self.message` to the description of the message that contains `document`. Does nothing
    /// if `self.message` already describes this message.
    fn update_message(&mut self, document: &Document<'_>) {
        let archive::Origin { message, part, web, .. } = document.origin;
        self.update_page(web);
        let Some(message) = message else {
            self.message = None;
            return;
        };
        let number = message.number;
        if let Some((known_number, known)) = &mut self.message
            && *known_number == number
        {
            if known.part != part {
                part.clone_into(&mut Arc::make_mut(known).part);
            }
            return;
        }
        let mut description = self.take_spare_message();
        let filled = Arc::make_mut(&mut description);
        match self.pending_index(number) {
            Some(at) => {
                filled.clone_from(&self.pending[at].message);
                part.clone_into(&mut filled.part);
            }
            None => self.filler.describe_into(filled, message, part),
        }
        self.message = Some((number, description));
    }

    /// Returns a message description that can be overwritten, because no record refers to it. The
    /// current description is kept for reuse.
    fn take_spare_message(&mut self) -> Arc<Message> {
        if self.spare.len() == MAX_SPARE {
            self.spare.pop_front();
        }
        self.spare.extend(self.message.take().map(|(_, known)| known));
        let free = self.spare.iter().position(|known| Arc::strong_count(known) == 1);
        free.and_then(|at| self.spare.remove(at)).unwrap_or_default()
    }
}
