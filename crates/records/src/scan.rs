//! From the bytes of a unit to its records: documents, candidates, verdicts, places.

use crate::dispatch::{Purpose, candidates, charset_of};
use crate::host::domain_and_tld;
use crate::judge::{Judgeable, Judged, is_misspelt};
use crate::lines::Lines;
use crate::record::{FileName, Join, Message, Place, Tally, UrlRecord};
use crate::{Detail, LineStart, Options, Unit, With, unwrap};
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::unpack::Trouble;
use urlsift_archive::{
    self as archive, Container, Document, DocumentKind, Encoding, Ending, Layer, Layers, documents,
};
use urlsift_core::{
    FileSpan, Report, Span, Url, hidden, hidden_in, passwords_at, passwords_of_reading,
};
use urlsift_scanner::{
    AFTER, BEFORE, Candidate, Form, Grade, Input, JoinKind, NEARBY, QuoteDepths, Scanner, State,
};

/// Takes what is found.
pub trait Sink {
    /// Takes a record, in the order of the file. `Break` ends the scan of the unit.
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()>;

    /// Takes a valid URL of which nothing but its bytes is wanted: only with [`Detail::Plain`], and not for all URLs.
    fn plain(&mut self, found: &Candidate<'_>) -> ControlFlow<()> {
        let _ = found;
        Continue(())
    }

    /// Takes what was counted in a unit of what [`Scan::read`] reads; `last` says that it is the file's or member's last.
    /// `Break` ends the reading.
    fn scanned(&mut self, file: &Arc<FileName>, scanned: &Scanned, last: bool) -> ControlFlow<()> {
        let _ = (file, scanned, last);
        Continue(())
    }

    /// Takes what [`Scan::read`] could not read of a file or member, or not as what it was meant to be, so that it goes on
    /// behind that.
    ///
    /// # Errors
    ///
    /// The trouble, where it is not taken: that ends the reading. So it is by default.
    fn trouble(&mut self, file: &Arc<FileName>, trouble: Trouble) -> Result<(), Trouble> {
        let _ = file;
        Err(trouble)
    }

    /// Takes a message that the filters let pass, also one without URLs, and how many were reported in it, those in
    /// messages within it not counted: only with [`Options::tell_messages`]. It comes behind the records of
    /// the message, and a message within another behind that one; its `part` is then the part that holds it, else empty.
    fn message(&mut self, file: &Arc<FileName>, message: &Arc<Message>, urls: u64) {
        let _ = (file, message, urls);
    }
}

impl Sink for Vec<UrlRecord<'static>> {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.push(record.clone().into_owned());
        Continue(())
    }
}

/// A scanner and the settings of a scan. Built once, shared between threads.
#[derive(Debug)]
pub struct Scan {
    options: Options,
    scanner: Scanner,
    archive: archive::Options,
    /// Whether nothing but the bytes of valid URLs is wanted.
    is_plain: bool,
}

/// What came of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    /// Where in the file the unit starts.
    pub start: u64,
    /// What was counted: bytes, messages and URLs.
    pub tally: Tally,
    /// What is known of lines where the unit ends.
    pub lines: LineStart,
    /// Whether the sink ended the scan.
    pub stopped: bool,
}

impl Scan {
    /// A scan with these settings. Costs as much as building a [`Scanner`].
    pub fn new(options: Options) -> Self {
        let mut builder = Scanner::builder()
            .profile(options.profile)
            .rejoin(options.rejoin)
            .schemeless(options.schemeless)
            .locators(options.locators);
        for name in &options.schemes {
            builder = builder.scheme(name);
        }
        let mut archive = archive::Options::default();
        archive.headers = options.headers;
        archive.encoding = options.encoding;
        archive.starts = options.tell_messages;
        archive.refang = options.refang;
        let is_plain =
            options.detail == Detail::Plain && options.wants_all_valid() && !options.mask_passwords;
        Self { options, scanner: builder.build(), archive, is_plain }
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The scanner that reads the texts.
    pub fn scanner(&self) -> &Scanner {
        &self.scanner
    }

    /// The bounds within which messages are taken apart.
    pub fn archive(&self) -> &archive::Options {
        &self.archive
    }

    /// A text that stands as it is in a file, in the charset that was asked for.
    fn input<'t>(&self, text: &'t [u8]) -> Input<'t> {
        let charset = self.archive.encoding.and_then(Encoding::in_place).unwrap_or_default();
        Input::new(text).charset(charset_of(charset))
    }

    /// Scans a unit that is at hand. `bytes` hold it and the context it needs.
    ///
    /// Linear in `bytes`. Memory is bounded by the longest encoded part.
    pub fn unit(&self, bytes: &[u8], unit: &Unit<'_>, sink: &mut impl Sink) -> Scanned {
        let Unit { file, container, ref range, base, lines } = *unit;
        let range = range.start.min(bytes.len())..range.end.min(bytes.len());
        let start = base + range.start as u64;
        let mut reporter = Reporter::new(self, file, start, lines);
        let flow = if let Container::Text(_) = container {
            reporter.text(bytes, base, range.clone(), sink)
        } else {
            reporter.documents(&bytes[range.clone()], start, container, sink)
        };
        reporter.tally.bytes += range.len() as u64;
        let mut lines = lines;
        if self.options.detail >= Detail::Line {
            lines = reporter.lines.go(bytes, base, base + range.end as u64);
        }
        Scanned { start, tally: reporter.tally, lines, stopped: flow.is_break() }
    }

    /// Scans a unit of a plain text that comes in pieces: see [`TextScan`].
    pub fn text<'s>(
        &'s self,
        file: &'s Arc<FileName>,
        unit: Range<u64>,
        lines: LineStart,
    ) -> TextScan<'s> {
        TextScan {
            reporter: Reporter::new(self, file, unit.start, lines),
            base: unit.start.saturating_sub(BEFORE as u64),
            unit,
            state: State::at(0),
        }
    }
}

/// The records of a unit, all of them at once. Builds the scanner anew each time: for several units, make a
/// [`Scan`].
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{Options, FileName, Unit, collect};
///
/// let file = Arc::new(FileName { path: b"a.txt".to_vec(), member: None });
/// let bytes = b"See\n  http://host.dom/a.html and more.";
/// let records = collect(bytes, &Unit::whole(&file, bytes, Reading::Auto), &Options::default());
/// assert_eq!(&*records[0].url, b"http://host.dom/a.html");
/// assert_eq!((records[0].line, records[0].column), (Some(2), Some(3)));
/// assert_eq!(records[0].host.as_deref(), Some(&b"host.dom"[..]));
/// ```
pub fn collect(bytes: &[u8], unit: &Unit<'_>, options: &Options) -> Vec<UrlRecord<'static>> {
    let mut records = Vec::new();
    Scan::new(options.clone()).unit(bytes, unit, &mut records);
    records
}

/// Bytes of a text that are looked at in one go, at least. Between two steps [`NEARBY`] bytes and those that are not settled,
/// hardly more, are moved to the front, which the step must outweigh; all of it fits into 1 MiB.
const STEP: usize = 512 << 10;

/// How far behind a URL's first byte the place can be where it was noticed: the longest wrapper.
const NOTICED: usize = 8 << 10;

/// A scan of a plain text that is handed over piece by piece, with its state.
///
/// The caller keeps the text. It goes forward through the file: before each [`TextScan::feed`] the bytes
/// at hand are those from [`TextScan::base`] on, [`TextScan::wanted`] of them unless the file ends.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// use urlsift_records::{LineStart, Options, Scan, FileName};
///
/// let bytes = b"http://host.dom/a, http://host.dom/b\n".repeat(60_000);
/// let file = Arc::new(FileName::default());
/// let scan = Scan::new(Options::default());
/// let mut text = scan.text(&file, 0..bytes.len() as u64, LineStart::default());
/// let (mut held, mut read, mut records) = (Vec::new(), 0, Vec::new());
/// let scanned = loop {
///     let more = text.wanted().saturating_sub(held.len()).min(bytes.len() - read);
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
    unit: Range<u64>,
    base: u64,
    state: State,
}

impl TextScan<'_> {
    /// The offset in the file of the first byte that matters.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// How many bytes from [`TextScan::base`] on must be at hand for the next step, unless the file ends before.
    pub fn wanted(&self) -> usize {
        (self.state.next() + STEP + AFTER).min(self.within(self.last()))
    }

    /// Takes a step. Continues with how many of the first bytes matter no more, or breaks with what came of the
    /// unit when it is at its end.
    pub fn feed(&mut self, bytes: &[u8], sink: &mut impl Sink) -> ControlFlow<Scanned, usize> {
        let wanted = self.wanted();
        let mut ends = bytes.len() < wanted || wanted == self.within(self.last());
        let (from, to) = (self.within(self.unit.start), self.within(self.unit.end));
        let limit = ends.then(|| to.saturating_add(NOTICED));
        let (scan, base) = (self.reporter.scan, self.base);
        let origin = Origin { raw: bytes, base, document: None, around: &Around::default() };
        let state = std::mem::replace(&mut self.state, State::at(0));
        let mut found = scan.scanner.find_from(scan.input(bytes), state, limit);
        let mut stopped = false;
        // What is no message is not wanted where messages are chosen.
        let is_left_out = !scan.options.messages.is_empty();
        ends |= is_left_out;
        while !is_left_out && let Some(candidate) = found.advance() {
            let start = candidate.span().start;
            if start < from {
                continue;
            }
            if start >= to {
                ends = true;
                break;
            }
            if self.reporter.report(candidate, &origin, sink).is_break() {
                stopped = true;
                break;
            }
        }
        let counts_lines = scan.options.detail >= Detail::Line;
        let lines = &mut self.reporter.lines;
        if ends || stopped {
            let mut tally = self.reporter.tally;
            tally.bytes += self.unit.end - self.unit.start;
            let end = base + to.min(bytes.len()) as u64;
            let lines =
                if counts_lines { lines.go(bytes, base, end) } else { LineStart::default() };
            return Break(Scanned { start: self.unit.start, tally, lines, stopped });
        }
        let state = found.into_state();
        let spent = state.next().saturating_sub(NEARBY);
        let end = base + spent as u64;
        if counts_lines && lines.at() < end {
            lines.go(bytes, base, end);
        }
        self.base = end;
        self.state = state.moved(spent);
        Continue(spent)
    }

    /// Where the text ends that may matter to what is found in the unit.
    fn last(&self) -> u64 {
        self.unit.end.saturating_add(AFTER as u64)
    }

    /// A place in the file as one in the bytes at hand.
    fn within(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX)
    }
}

/// Says what is asked for of the URL's host and port.
fn tell_host(record: &mut UrlRecord<'_>, url: &Url<'_>, with: &[With]) {
    if with.contains(&With::Port) {
        record.port = url.port().and_then(|port| str::from_utf8(port).ok()?.parse().ok());
    }
    if (with.contains(&With::Domain) || with.contains(&With::Tld))
        && let Some((domain, tld)) = url.host().and_then(domain_and_tld)
    {
        record.domain = domain.filter(|_| with.contains(&With::Domain));
        record.tld = Some(tld).filter(|_| with.contains(&With::Tld));
    }
}

/// Where a text comes from, and how to get back.
#[derive(Clone, Copy)]
struct Origin<'o> {
    /// The raw bytes at hand, for counting lines, and their offset in the file.
    raw: &'o [u8],
    base: u64,
    /// The text that was unpacked; `None` if the raw bytes themselves are the text.
    document: Option<&'o Document<'o>>,
    around: &'o Around,
}

/// What is known of a text and wanted of each candidate in it.
#[derive(Default)]
struct Around {
    /// How it ends, once that is asked for.
    ending: OnceCell<Ending>,
    quotes: Cell<QuoteDepths>,
}

impl Around {
    fn quote_depth(&self, candidate: &Candidate<'_>) -> u32 {
        let mut quotes = self.quotes.get();
        let depth = quotes.of(candidate);
        self.quotes.set(quotes);
        depth
    }
}

impl<'o> Origin<'o> {
    /// Where a piece of the text stands in the file.
    fn locate(&self, span: Span) -> FileSpan {
        match self.document {
            Some(document) => document.locate(span),
            None => FileSpan::based(self.base, span),
        }
    }

    fn layers(&self, span: Span) -> Layers<'o> {
        self.document.map_or_else(Layers::default, |document| document.layers(span))
    }

    /// Where passwords stand in a candidate's `url`; those in its other readings are hidden.
    fn passwords(
        &self,
        candidate: &Candidate<'_>,
        url: &[u8],
        others: &mut [Vec<u8>],
    ) -> Vec<Span> {
        let text = self.document.map_or(self.raw, |document| document.text);
        let secrets = passwords_at(url, &candidate.map(), text, candidate.span());
        for other in others {
            let found = passwords_of_reading(other, url, &secrets, candidate.seams().len());
            if let Cow::Owned(hidden) = hidden(other, &found) {
                *other = hidden;
            }
        }
        secrets
    }

    /// The element and attribute that held the URL.
    fn html(&self) -> Option<&'o str> {
        match self.document?.kind {
            DocumentKind::Attribute(name) | DocumentKind::Mention(name) => Some(name),
            _ => None,
        }
    }

    /// Adds the white space that was dropped within `span` when the text was made: the folds of a
    /// header field, the line breaks of an attribute. What was decoded is told by the layers.
    fn dropped(&self, span: Span, joins: &mut Vec<Join>) {
        let Some(document) = self.document.filter(|document| !document.is_verbatim(span)) else {
            return;
        };
        let kind = match document.kind {
            DocumentKind::Header(_) => JoinKind::Continuation,
            _ => JoinKind::Wrapper,
        };
        let before = joins.len();
        let mut last: Option<(Span, Span)> = None;
        for (text, source) in document.pieces(span) {
            if let Some((last_text, last_source)) = last
                && last_text.end == text.start
                && let Some(gap) = self.raw.get(last_source.end..source.start)
                && !gap.is_empty()
                && gap.iter().all(u8::is_ascii_whitespace)
            {
                let gap = Span::new(last_source.end, source.start);
                let span = FileSpan::based(self.base, gap);
                let is_known =
                    |join: &Join| join.span.start <= span.start && span.end <= join.span.end;
                if !joins.iter().any(is_known) {
                    joins.push(Join { span, kind, grade: Grade::Certain });
                }
            }
            last = Some((text, source));
        }
        if joins.len() > before {
            joins.sort_by_key(|join| join.span.start);
        }
    }
}

/// What makes records of candidates. Its vectors are used again for each.
#[derive(Debug)]
struct Reporter<'s> {
    scan: &'s Scan,
    file: &'s Arc<FileName>,
    lines: Lines,
    tally: Tally,
    reports: Vec<Report>,
    joins: Vec<Join>,
    /// The number of the message at hand, and what records say of it.
    message: Option<(u64, Arc<Message>)>,
    /// The messages that the sink is to be told of, by their numbers: the last one of its own and those in it.
    untold: Vec<(u64, Arc<Message>, u64)>,
}

impl<'s> Reporter<'s> {
    fn new(scan: &'s Scan, file: &'s Arc<FileName>, at: u64, start: LineStart) -> Self {
        Self {
            scan,
            file,
            lines: Lines::new(at, start),
            tally: Tally::default(),
            reports: Vec::new(),
            joins: Vec::new(),
            message: None,
            untold: Vec::new(),
        }
    }

    /// A plain text that is all at hand: its own bytes are scanned, and only those in the unit reported.
    fn text(
        &mut self,
        bytes: &[u8],
        base: u64,
        unit: Range<usize>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        if !self.scan.options.messages.is_empty() {
            return Continue(());
        }
        let origin = Origin { raw: bytes, base, document: None, around: &Around::default() };
        let mut found = self.scan.scanner.find_within(self.scan.input(bytes), unit);
        found.try_for_each(|candidate| self.report(&candidate, &origin, sink))
    }

    /// Anything that documents are unpacked from. `base` is its place in the file.
    fn documents(
        &mut self,
        raw: &[u8],
        base: u64,
        container: Container,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let Scan { options, scanner, archive, .. } = self.scan;
        let mut seen = None;
        let mut flow = Continue(());
        let walked = documents(raw, container, base, archive, &mut |document| {
            let message = document.origin.message;
            if let Some(message) = message.filter(|message| seen != Some(message.number)) {
                seen = Some(message.number);
                self.tally.undated += u64::from(options.messages.misses_date(message));
            }
            if !options.messages.is_empty()
                && !message.is_some_and(|message| options.messages.wants(message))
            {
                return Continue(());
            }
            if let (DocumentKind::Message, Some(message)) = (document.kind, message) {
                let part = document.origin.part;
                if part.is_empty() {
                    self.tell_messages(sink);
                }
                let told = Message::new(message, part, options);
                self.untold.push((message.number, Arc::new(told), 0));
                return Continue(());
            }
            let before = self.tally.urls;
            let text = document.text.as_ptr_range();
            let (own, others) = (Around::default(), Around::default());
            let mut found = |document: &Document<'_>, candidate: &Candidate<'_>| {
                if document.is_opaque(candidate.span()) {
                    return Continue(());
                }
                // What stands in the tags of a page has no ending to speak of, and each its own lines.
                let is_own = document.text.as_ptr_range() == text;
                others.quotes.take();
                let around = if is_own { &own } else { &others };
                let document = Some(document);
                self.report(candidate, &Origin { raw, base, document, around }, sink)
            };
            flow = candidates(scanner, document, Purpose::Scan, &mut found);
            if let Some(message) = message
                && let Ok(at) = self.untold.binary_search_by_key(&message.number, |known| known.0)
            {
                self.untold[at].2 += self.tally.urls - before;
            }
            flow
        });
        self.tell_messages(sink);
        self.tally.messages += walked.messages;
        flow
    }

    fn tell_messages(&mut self, sink: &mut impl Sink) {
        for (_, message, urls) in self.untold.drain(..) {
            sink.message(self.file, &message, urls);
        }
    }

    /// Hands over one candidate, unless a filter says no.
    #[inline(always)]
    fn report(
        &mut self,
        candidate: &Candidate<'_>,
        origin: &Origin<'_>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        if !self.scan.is_plain || matches!(candidate.form(), Form::Schemeless | Form::Locator) {
            return self.report_in_full(candidate, origin, sink);
        }
        if is_misspelt(candidate) || !candidate.is_valid(self.scan.options.profile) {
            self.tally.malformed += 1;
            return Continue(());
        }
        self.count(candidate);
        sink.plain(candidate)
    }

    fn count(&mut self, candidate: &Candidate<'_>) {
        self.tally.urls += 1;
        self.tally.truncated += u64::from(candidate.is_truncated());
    }

    /// Makes the record of a candidate that the filters let pass, as far as it is wanted.
    #[inline(never)]
    fn report_in_full(
        &mut self,
        candidate: &Candidate<'_>,
        origin: &Origin<'_>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let options = &self.scan.options;
        let form = candidate.form();
        if !options.wants_form(form) {
            return Continue(());
        }
        let url = candidate.url();
        let judgeable = Judgeable::new(&url, form, options.profile);
        let judged = Judged::new(&judgeable.url, form, options.profile);
        if !options.wants_scheme(&judged) {
            return Continue(());
        }
        let place = || {
            let depth = origin.around.quote_depth(candidate);
            let at = candidate.span().start;
            (depth, Place::of(origin.document, at, depth, &origin.around.ending))
        };
        let known_place = (!options.without.is_empty()).then(place);
        if known_place.is_some_and(|(_, place)| options.without.contains(&place)) {
            return Continue(());
        }
        let malformed = judged.is_malformed() || is_misspelt(candidate);
        self.tally.malformed += u64::from(malformed);
        if !options.wants_verdict(malformed) {
            return Continue(());
        }
        self.count(candidate);
        if options.detail == Detail::Count {
            return Continue(());
        }

        let span = origin.locate(candidate.span());
        let seams = candidate.seams();
        let mut others = Vec::new();
        if seams.iter().any(|seam| seam.hyphen) {
            others = candidate.readings();
            others.remove(0);
        }
        let secrets = if options.mask_passwords {
            origin.passwords(candidate, &url, &mut others)
        } else {
            Vec::new()
        };
        let shown = |part: Span| hidden_in(&url, part, &secrets);
        let mut record = UrlRecord {
            file: Cow::Borrowed(self.file),
            url: shown(Span::new(0, url.len())),
            span,
            line: None,
            column: None,
            form,
            scheme: None,
            host: None,
            fragment: None,
            profile: options.profile,
            reports: Cow::default(),
            joins: Cow::default(),
            other_readings: Cow::Owned(others),
            quote_depth: 0,
            truncated: candidate.is_truncated(),
            decoded: Cow::default(),
            approximate: false,
            html: origin.html().map(Cow::Borrowed),
            normalized: None,
            domain: None,
            tld: None,
            port: None,
            target: None,
            place: Place::Body,
            header_name: None,
            message: None,
        };
        if options.normalized || options.detail == Detail::Full {
            record.normalized = Some(if secrets.is_empty() {
                judged.normalized()
            } else {
                let judged = Judged::new(&record.url, form, options.profile);
                Cow::Owned(judged.normalized().into_owned())
            });
        }
        if options.detail >= Detail::Line {
            let here = self.lines.go(origin.raw, origin.base, span.start);
            record.line = Some(here.breaks + 1);
            record.column = Some(span.start - here.line.min(span.start) + 1);
        }
        if options.detail == Detail::Full {
            self.reports.clear();
            self.joins.clear();
            judged.report(|report| {
                self.reports.push(Report { span: judgeable.written(report.span), ..report });
            });
            self.reports.extend(judgeable.findings());
            self.reports.extend(candidate.findings());
            self.joins.extend(seams.iter().map(|seam| Join {
                span: origin.locate(seam.gap),
                kind: seam.kind,
                grade: seam.grade,
            }));
            origin.dropped(candidate.span(), &mut self.joins);
            if let Some(document) = origin.document {
                self.tell_message(document);
            }
            let layers = origin.layers(candidate.span());
            record.scheme = judged.scheme().map(|scheme| {
                let is_lower = !scheme.bytes().any(|b| b.is_ascii_uppercase());
                if is_lower { scheme.into() } else { scheme.to_ascii_lowercase().into() }
            });
            (record.quote_depth, record.place) = known_place.unwrap_or_else(place);
            if options.unwrap {
                record.target = unwrap::target(&url).map(|target| options.shown(&target));
            }
            if let Some(DocumentKind::Header(name)) = origin.document.map(|document| document.kind)
            {
                record.header_name = Some(Cow::Borrowed(name));
            }
            let shown = |part: Span| shown(judgeable.written(part));
            record.host = judged.accepted().and_then(Url::host_span).map(shown);
            record.fragment = judged.accepted().and_then(Url::fragment_span).map(shown);
            record.reports = Cow::Borrowed(&self.reports);
            record.joins = Cow::Borrowed(&self.joins);
            record.decoded = Cow::Borrowed(layers.decoded);
            if candidate.is_encoded() {
                record.decoded.to_mut().push(Layer::QuotedPrintable);
            }
            record.approximate = layers.approximate;
            if let Some(url) = judged.accepted().filter(|_| !options.with.is_empty()) {
                tell_host(&mut record, url, &options.with);
            }
            record.message = self.message.as_ref().map(|(_, message)| Cow::Borrowed(message));
        }
        sink.record(&record)
    }

    /// Makes `self.message` say what there is to say of a document's message; most often it does already.
    fn tell_message(&mut self, document: &Document<'_>) {
        let archive::Origin { message, part, .. } = document.origin;
        let Some(message) = message else {
            self.message = None;
            return;
        };
        match &mut self.message {
            Some((number, known)) if *number == message.number => {
                if known.part != part {
                    part.clone_into(&mut Arc::make_mut(known).part);
                }
            }
            known => {
                let told = Message::new(message, part, &self.scan.options);
                *known = Some((message.number, Arc::new(told)));
            }
        }
    }
}
