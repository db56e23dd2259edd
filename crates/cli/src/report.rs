//! From a candidate to its record: judged, filtered, and its positions pushed back through the
//! maps to the raw file, once.

use crate::args::{Malformed, ScanArgs};
use crate::lines::Lines;
use crate::message::MessageFilter;
use crate::output::brief::{self, Brief, Glance};
use crate::output::file_name::FileName;
use crate::output::record::{Join, MessageRecord, Page, UrlRecord};
use crate::output::{Note, Sheet, Style, json};
use crate::print::text;
use std::borrow::Cow;
use urlsift_archive::{Document, DocumentKind, Layers};
use urlsift_core::{
    FileSpan, Profile, Report, Scheme, Span, Url, Violation, diagnose, diagnose_parsed, outline,
    parse_reference,
};
use urlsift_lint::masked;
use urlsift_scanner::{Candidate, Form, Grade, JoinKind};

/// What to report, fixed for a run.
#[derive(Debug)]
pub(crate) struct Filter {
    pub(crate) profile: Profile,
    malformed: Malformed,
    /// Empty: all.
    schemes: Vec<String>,
    /// Empty: all.
    forms: Vec<Form>,
    mask_passwords: bool,
    pub(crate) messages: MessageFilter,
    /// Whether the domain of the sender is to be told.
    pub(crate) from_domain: bool,
    short_cut: Option<ShortCut>,
}

/// What is asked for in nearly all runs. For these most URLs go to the sheet on a short way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShortCut {
    /// The valid URLs, each on a line: see [`plain`].
    Plain,
    /// Records of all or of the valid ones: see [`Scratch::brief`].
    Records,
}

impl Filter {
    /// # Errors
    ///
    /// A filter that cannot be understood.
    pub(crate) fn new(args: &ScanArgs, style: &Style) -> anyhow::Result<Self> {
        let all = args.scheme.is_empty() && args.form.is_empty() && !args.mask_passwords;
        let short_cut = match args.malformed {
            Malformed::Skip if all && style.is_plain() => Some(ShortCut::Plain),
            Malformed::Skip | Malformed::Include if all && style.is_records() => {
                Some(ShortCut::Records)
            }
            _ => None,
        };
        Ok(Self {
            short_cut,
            profile: args.profile,
            malformed: args.malformed,
            schemes: args.scheme.iter().map(|name| name.to_ascii_lowercase()).collect(),
            forms: args.form.iter().map(|form| form.form()).collect(),
            mask_passwords: args.mask_passwords,
            messages: MessageFilter::new(args)?,
            from_domain: args.from_domain,
        })
    }
}

/// Where a text comes from, and how to get back.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub(crate) file: &'a FileName,
    /// The raw bytes at hand, for counting lines.
    pub(crate) raw: &'a [u8],
    /// Their offset in the file.
    pub(crate) raw_base: u64,
    /// The text that was unpacked; `None` if the raw bytes themselves are the text.
    pub(crate) document: Option<&'a Document<'a>>,
    pub(crate) message: Option<&'a MessageRecord>,
}

impl<'a> Origin<'a> {
    /// Where a piece of the text stands in the file.
    fn locate(&self, span: Span) -> FileSpan {
        match self.document {
            Some(document) => document.locate(span),
            None => FileSpan::based(self.raw_base, span),
        }
    }

    /// The text that was scanned.
    #[inline]
    fn text(&self) -> &'a [u8] {
        self.document.map_or(self.raw, |document| document.text)
    }

    fn layers(&self, span: Span) -> Layers<'a> {
        self.document.map_or_else(Layers::default, |document| document.layers(span))
    }

    /// Adds the white space that was dropped within `span` when the text was made: the folds of a
    /// header field, the line breaks of an attribute. What was decoded is told by the layers.
    fn dropped(&self, document: &Document<'_>, span: Span, joins: &mut Vec<Join>) {
        if document.is_verbatim(span) {
            return;
        }
        let kind = match document.kind {
            DocumentKind::Header(_) => JoinKind::Continuation,
            _ => JoinKind::Wrapper,
        };
        let before = joins.len();
        let mut last: Option<(Span, Span)> = None;
        for (text, source) in document.pieces(span) {
            if let Some((last_text, last_source)) = last
                && last_text.end == text.start
                && self
                    .raw
                    .get(last_source.end..source.start)
                    .is_some_and(|gap| !gap.is_empty() && gap.iter().all(u8::is_ascii_whitespace))
            {
                let gap = Span::new(last_source.end, source.start);
                let span = FileSpan::based(self.raw_base, gap);
                if !joins
                    .iter()
                    .any(|join| join.span.start <= span.start && span.end <= join.span.end)
                {
                    joins.push(Join { span, kind, grade: Grade::Certain });
                }
            }
            last = Some((text, source));
        }
        if joins.len() > before {
            joins.sort_by_key(|join| join.span.start);
        }
    }

    /// The element and attribute that held the URL.
    fn html(&self) -> Option<&'a str> {
        match self.document?.kind {
            DocumentKind::Attribute(name) | DocumentKind::Mention(name) => Some(name),
            _ => None,
        }
    }
}

/// Vectors that are used again for each candidate.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    reports: Vec<Report>,
    joins: Vec<Join>,
    page: Page,
}

impl Scratch {
    /// Puts one candidate on the sheet, unless a filter says no. Returns whether it did.
    #[inline(always)]
    pub(crate) fn report(
        &mut self,
        filter: &Filter,
        style: &Style,
        candidate: &Candidate<'_>,
        origin: &Origin<'_>,
        lines: &mut Lines,
        sheet: &mut Sheet,
    ) -> bool {
        let printed = match filter.short_cut {
            Some(ShortCut::Plain) => plain(filter.profile, candidate, origin.text(), sheet),
            Some(ShortCut::Records) => self.brief(filter.profile, candidate, origin, lines, sheet),
            None => None,
        };
        printed
            .unwrap_or_else(|| self.report_in_full(filter, style, candidate, origin, lines, sheet))
    }

    /// The same where records are asked for, of a valid URL without breaks that is short, needs no escape
    /// in JSON, and stands in a text that is its own file. Of others nothing is done, and the result is
    /// `None`.
    ///
    /// In a link list nearly all are so, and without the steps of the long way that come to nothing here,
    /// a record costs a third as much.
    #[inline(never)]
    fn brief(
        &mut self,
        profile: Profile,
        candidate: &Candidate<'_>,
        origin: &Origin<'_>,
        lines: &mut Lines,
        sheet: &mut Sheet,
    ) -> Option<bool> {
        if origin.document.is_some() {
            return None;
        }
        self.reports.clear();
        let seen = self.look(profile, candidate, origin.raw)?;
        let url = candidate.span();
        let (line, column, quote_depth) = stand(candidate, origin, lines);
        let brief = Brief {
            file: origin.file,
            text: origin.raw,
            base: origin.raw_base,
            url,
            seen,
            line,
            column,
            form: candidate.form(),
            profile,
            quote_depth,
            findings: &self.reports,
        };
        // One that was cut off is longer.
        if !Style::brief(&mut self.page, sheet, &brief) {
            return None;
        }
        sheet.tally.urls += 1;
        sheet.printed += 1;
        // It holds no line break.
        lines.pass_over(origin.raw_base + url.end as u64);
        Some(true)
    }

    /// What there is to say of a URL, if it is valid and may have a brief
    /// record. The findings are put by.
    #[inline(never)]
    fn look(&mut self, profile: Profile, candidate: &Candidate<'_>, text: &[u8]) -> Option<Glance> {
        let span = candidate.span();
        if !candidate.seams().is_empty() || span.len() > brief::MAX_URL {
            return None;
        }
        let url = text.get(span.range()).filter(|url| json::is_plain(url))?;
        self.reports.clear();
        let accepted = parse_reference(url, profile).ok()?;
        let scheme = match accepted.kind() {
            // RFC 1738 does not know https.
            Scheme::Other => Scheme::by_name(accepted.scheme().as_bytes()),
            kind => kind,
        };
        let host = accepted.host_span()?.shifted(span.start);
        let fragment = accepted.fragment_span().map(|fragment| fragment.shifted(span.start));
        diagnose_parsed(&accepted, |report| self.reports.push(report));
        Some(Glance { scheme, host, fragment })
    }

    /// The same for whatever was asked for.
    #[inline(never)]
    fn report_in_full(
        &mut self,
        filter: &Filter,
        style: &Style,
        candidate: &Candidate<'_>,
        origin: &Origin<'_>,
        lines: &mut Lines,
        sheet: &mut Sheet,
    ) -> bool {
        let form = candidate.form();
        if !filter.forms.is_empty() && !filter.forms.contains(&form) {
            return false;
        }
        let url = candidate.url();
        let judged = judge(&url, form, filter.profile);
        let verdict = &judged.verdict;
        if !filter.schemes.is_empty()
            && !judged.scheme(&url).is_some_and(|scheme| {
                filter.schemes.iter().any(|name| name.eq_ignore_ascii_case(scheme))
            })
        {
            return false;
        }
        if verdict.is_err() {
            sheet.tally.malformed += 1;
        }
        match filter.malformed {
            Malformed::Skip if verdict.is_err() => return false,
            Malformed::Only if verdict.is_ok() => return false,
            _ => {}
        }
        sheet.tally.urls += 1;
        sheet.tally.truncated += u64::from(candidate.is_truncated());
        if style.per_file.is_some() {
            return true;
        }
        if style.unique.is_some() {
            let key: Box<[u8]> = match verdict {
                Ok(Some(url)) => url.normalized().into(),
                _ => url.as_ref().into(),
            };
            sheet.notes.push(Note::Unique { from: sheet.bytes.len(), key });
        }
        sheet.printed += 1;
        let span = origin.locate(candidate.span());
        let (mut line, mut column) = (None, None);
        if style.wants_lines() {
            (line, column) = count_lines(origin, lines, span.start);
        }
        self.reports.clear();
        self.joins.clear();
        if style.wants_reports() {
            match verdict {
                // Without a scheme there is nothing to say by the rules.
                Ok(None) => {}
                Ok(Some(url)) => diagnose_parsed(url, |report| self.reports.push(report)),
                Err(_) => diagnose(&url, filter.profile, |report| self.reports.push(report)),
            }
            if !candidate.seams().is_empty() {
                self.reports.extend(candidate.findings());
                self.joins.extend(candidate.seams().iter().map(|seam| Join {
                    span: origin.locate(seam.gap),
                    kind: seam.kind,
                    grade: seam.grade,
                }));
            }
        }
        if style.wants_reports()
            && let Some(document) = origin.document
        {
            origin.dropped(document, candidate.span(), &mut self.joins);
        }
        let mut others = Vec::new();
        if (style.readings || style.wants_reports())
            && candidate.seams().iter().any(|seam| seam.hyphen)
        {
            others = candidate.readings();
            others.remove(0);
        }
        let accepted = verdict.as_ref().ok().and_then(Option::as_ref);
        let shown = if filter.mask_passwords { masked(&url) } else { Cow::Borrowed(&*url) };
        if filter.mask_passwords {
            for other in &mut others {
                if let Cow::Owned(shown) = masked(other) {
                    *other = shown;
                }
            }
        }
        // What text output does not show is not worked out: on link lists that was a fifth of all.
        let full = style.wants_reports();
        let accepted = accepted.filter(|_| full);
        let layers = if full { origin.layers(candidate.span()) } else { Layers::default() };
        let record = UrlRecord {
            file: origin.file,
            url: &shown,
            span,
            line,
            column,
            form,
            scheme: full.then(|| judged.scheme(&url)).flatten(),
            host: accepted.and_then(Url::host),
            fragment: accepted.and_then(Url::fragment),
            profile: filter.profile,
            reports: &self.reports,
            joins: &self.joins,
            others: &others,
            quote_depth: if full { candidate.quote_depth() } else { 0 },
            truncated: candidate.is_truncated(),
            decoded: layers.decoded,
            approximate: layers.approximate,
            html: origin.html(),
            message: origin.message,
        };
        style.url(&mut self.page, sheet, &record);
        true
    }
}

/// Puts one candidate on the sheet where nothing is asked for but the valid URLs, each on a line.
/// Returns whether it did, or `None` for what claims no scheme or is meant otherwise than it stands in
/// `text`.
///
/// This is what nearly all of a dense scan is, and the long way, which builds a record and asks the
/// style at every step, cost 500 instructions a URL beside judging it; this way costs 90.
#[inline(always)]
fn plain(
    profile: Profile,
    candidate: &Candidate<'_>,
    text: &[u8],
    sheet: &mut Sheet,
) -> Option<bool> {
    if matches!(candidate.form(), Form::Schemeless | Form::Locator) {
        return None;
    }
    if !candidate.is_valid(profile) {
        sheet.tally.malformed += 1;
        return Some(false);
    }
    sheet.tally.urls += 1;
    sheet.tally.truncated += u64::from(candidate.is_truncated());
    sheet.printed += 1;
    // No profile accepts a byte that would have to be cleaned.
    if candidate.seams().is_empty() {
        text::line(&mut sheet.bytes, text, candidate.span());
    } else {
        text::broken_line(&mut sheet.bytes, candidate);
    }
    Some(true)
}

/// What the profile says of a candidate.
struct Judged<'u> {
    /// `Ok(None)`: it claims no scheme, so that there is nothing to judge.
    verdict: Result<Option<Url<'u>>, Violation>,
}

fn judge(url: &[u8], form: Form, profile: Profile) -> Judged<'_> {
    if matches!(form, Form::Schemeless | Form::Locator) {
        return Judged { verdict: Ok(None) };
    }
    Judged { verdict: parse_reference(url, profile).map(Some) }
}

impl<'u> Judged<'u> {
    fn scheme<'t>(&'t self, text: &'t [u8]) -> Option<&'t str>
    where
        'u: 't,
    {
        match &self.verdict {
            Ok(Some(url)) => Some(url.scheme()),
            Ok(None) => None,
            Err(_) => scheme_of(text),
        }
    }
}

/// The line and column of a candidate in a text that is its own file, as far as they are known, and its
/// quote depth.
#[inline(always)]
fn stand(
    candidate: &Candidate<'_>,
    origin: &Origin<'_>,
    lines: &mut Lines,
) -> (Option<u64>, Option<u64>, u32) {
    let at = candidate.span().start;
    let offset = origin.raw_base + at as u64;
    if lines.approach(origin.raw, origin.raw_base, candidate.whole().start, at).is_some() {
        let (line, column) = place(lines, offset);
        (line, column, 0)
    } else {
        let (line, column) = count_lines(origin, lines, offset);
        (line, column, quote_depth(candidate, origin, lines))
    }
}

/// The line and column of offset `at` in the file, as far as they are known.
#[inline(never)]
fn count_lines(origin: &Origin<'_>, lines: &mut Lines, at: u64) -> (Option<u64>, Option<u64>) {
    lines.go(origin.raw, origin.raw_base, at);
    place(lines, at)
}

/// The same where the counting is done.
#[inline]
fn place(lines: &Lines, at: u64) -> (Option<u64>, Option<u64>) {
    let line = lines.base().map(|base| base + lines.count() + 1);
    (line, lines.line_start().map(|start| at - start.min(at) + 1))
}

/// [`Candidate::quote_depth`] in a text that is its own file. It is 0 where the line holds no mark
/// before the URL, which is cheap to see when it is known where the line starts.
#[inline]
fn quote_depth(candidate: &Candidate<'_>, origin: &Origin<'_>, lines: &Lines) -> u32 {
    const NEAR: usize = 128;
    let to = candidate.whole().start;
    let from = lines.line_start().and_then(|start| start.checked_sub(origin.raw_base));
    let before = from
        .and_then(|from| origin.raw.get(usize::try_from(from).ok()?..to))
        .filter(|before| before.len() < NEAR);
    match before {
        Some(before) if !holds_mark(before) => 0,
        _ => candidate.quote_depth(),
    }
}

/// Whether there is a `>`. Eight bytes at a time.
#[inline]
fn holds_mark(text: &[u8]) -> bool {
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let holds = |word: [u8; 8]| {
        let word = u64::from_ne_bytes(word) ^ u64::from_ne_bytes([b'>'; 8]);
        // The high bit of a byte that is 0, and perhaps of others beside it.
        word.wrapping_sub(LOW) & !word & HIGH
    };
    let (words, rest) = text.as_chunks::<8>();
    let any = words.iter().fold(0, |any, &word| any | holds(word));
    match text.last_chunk::<8>() {
        Some(&last) => any | holds(last) != 0,
        None => rest.contains(&b'>'),
    }
}

/// What stands before the first colon, if that can be a scheme at all.
pub(crate) fn scheme_of(text: &[u8]) -> Option<&str> {
    outline(text).scheme.and_then(|scheme| str::from_utf8(&text[scheme.range()]).ok())
}

#[cfg(test)]
mod tests {
    use super::{Filter, Origin, Scratch, scheme_of};
    use crate::args::{Cli, Command};
    use crate::lines::Lines;
    use crate::output::file_name::FileName;
    use crate::output::{Sheet, Style};
    use clap::Parser;
    use proptest::prelude::*;
    use urlsift_core::{Profile, parse_reference};
    use urlsift_scanner::{Input, Scanner};

    /// What is printed of a text, on the short way or the long one.
    fn sheet(text: &[u8], scanner: &Scanner, args: &[&str], short: bool) -> Sheet {
        let args = ["urlsift", "scan"].iter().chain(args);
        let Command::Scan(args) = Cli::parse_from(args).command else { panic!() };
        let args = args.0;
        let style = Style { format: args.format, ..Style::default() };
        let mut filter = Filter::new(&args, &style).unwrap();
        assert!(filter.short_cut.is_some(), "the defaults are what is to be fast");
        if !short {
            filter.short_cut = None;
        }
        let file = FileName::default();
        let origin = Origin { file: &file, raw: text, raw_base: 0, document: None, message: None };
        let mut lines = Lines::new(0, Some((0, 0)));
        let (mut scratch, mut sheet) = (Scratch::default(), Sheet::default());
        for candidate in scanner.find(Input::new(text)) {
            scratch.report(&filter, &style, &candidate, &origin, &mut lines, &mut sheet);
        }
        sheet
    }

    proptest! {
        #[test]
        fn the_short_way_leads_to_the_same_place(pieces in prop::collection::vec(prop_oneof![
            "[a-z <>\n.,\"()]{0,8}",
            "(<URL:)?(http|https|ftp|mailto|news|foo|www)(://|:|\\.)[a-z0-9@.:-]{0,20}(/[a-z%~?#/=-]{0,70})?>?",
            "(http|HTTP|ftp)://(User:p@)?[a-zA-Z]{1,9}\\.[a-z]{1,4}(:80)?/[a-z]{0,60}",
            "[\n\r](> ?){0,2}",
            "(\n> ?)?<URL:[\n ]{0,2}> ?http://h[.]d/>?",
            "[-\n\r\t\u{0}\u{7f}\u{e9}\u{3042}]",
            // Most are beyond doubt.
            "\n([> ]|<a>)?[a-z ]{0,9}(URL:)?<?(http|https|ftp)://[a-z]{1,30}\\.[a-z.-]{1,9}(/[a-z./?~_=]{1,30}){0,3}(#[a-z]{0,9})?>?\r?\n",
        ], 0..20), behind in prop_oneof![Just(0_usize), Just(200)]) {
            let mut text = pieces.concat().into_bytes();
            // A short way needs some text behind.
            text.extend(b"\n.".iter().cycle().take(behind));
            let scanner = Scanner::builder().schemeless(true).locators(true).build();
            for args in [
                &[][..],
                &["--format=jsonl"],
                &["--format=jsonl", "--malformed=include"],
                &["--format=jsonl", "--profile=rfc1738"],
            ] {
                let short = sheet(&text, &scanner, args, true);
                let long = sheet(&text, &scanner, args, false);
                let lines = |sheet: &Sheet| sheet.bytes.escape_ascii().to_string();
                prop_assert_eq!(lines(&short), lines(&long));
                prop_assert_eq!(short.tally, long.tally);
                prop_assert_eq!(short.printed, long.printed);
            }
        }

        /// So that what is accepted need not be cleaned for a pipe.
        #[test]
        fn no_profile_accepts_what_ends_records(
            url in "(http|ftp|gopher|wais|prospero|file|telnet)://[a-z.]{1,9}(:[0-9]{1,3})?(/[a-z%20?;=#&/-]{0,20})?|(mailto|news|foo):[a-z@.:]{1,9}",
            at: prop::sample::Index,
            byte in prop::sample::select(&b"\n\r\0"[..]),
        ) {
            let mut url = url.into_bytes();
            url.insert(at.index(url.len() + 1), byte);
            for profile in [Profile::Web, Profile::Rfc1738, Profile::Rfc3986, Profile::Cern1994] {
                prop_assert!(parse_reference(&url, profile).is_err(), "{}", url.escape_ascii());
            }
        }
    }

    #[test]
    fn schemes_of_anything() {
        assert_eq!(scheme_of(b"http:x"), Some("http"));
        assert_eq!(scheme_of(b"ht tp:x"), None);
        assert_eq!(scheme_of(b":x"), None);
    }
}
