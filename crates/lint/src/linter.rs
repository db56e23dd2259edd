//! The linter: finds the URLs of a text and runs the rules on them.

use crate::caches::Caches;
use crate::config::Config;
use crate::context::{Context, Findings};
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, Markup};
use crate::edit::Applicability;
use crate::example;
use crate::generated;
use crate::language::Language;
use crate::markup::{self, Region};
use crate::occurrence::{self, Occurrence, occurrence_of_candidate};
use crate::parts::{Part, Parts};
use crate::place::SourceMap;
use crate::registry;
use crate::rule::{Meta, On, Rule};
use crate::rules::link::{Fault, Links};
use crate::suppress::Comments;
use crate::tree::check::Local;
use crate::verbatim;
use std::borrow::Cow;
use std::cell::{LazyCell, OnceCell};
use urlsift_archive::{LimitCounts, notebook_cells};
use urlsift_core::{Anatomy, Code, Level, Report, Secrets, Span, SpanMap, diagnose, masked};
use urlsift_scanner::{Candidate, Form, Input, Scanner, dotted_host_len};

/// The result of linting a text or file: the diagnostics, and the secrets to mask.
///
/// ```
/// use urlsift_lint::{Dialect, Markup};
/// use urlsift_lint::{Config, Linter};
/// let linted = Linter::new(Config::default()).lint(b"At ftp://joe:secret@www.host.dom/ now.", Dialect::Text(Markup::Plain));
/// assert_eq!(linted.candidates, 1);
/// assert_eq!(linted.secrets[0].range(), 13..19);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Linted {
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The spans of passwords in the text, in order and not overlapping. Mask them wherever the
    /// text is displayed. Without diagnostics, passwords outside of URLs may be missing.
    pub secrets: Vec<Span>,
    /// The number of URLs and near misses that were checked.
    pub candidates: usize,
    /// The number of messages and articles, not counting those inside other messages.
    pub messages: u64,
    /// How often each limit on the input was reached.
    pub limits: LimitCounts,
}

/// A linter, which checks the URLs in texts with one configuration. Create it once and share it
/// between threads.
///
/// ```
/// use urlsift_archive::Reading;
/// use urlsift_lint::{Dialect, Markup};
/// use urlsift_lint::{Config, Linter};
/// use urlsift_scanner::Input;
///
/// let linter = Linter::new(Config::default());
/// let text = b"At http:/www.host.dom/ now.";
/// let codes = |linted: urlsift_lint::Linted| -> Vec<_> {
///     linted.diagnostics.iter().map(|found| found.code).collect()
/// };
/// assert_eq!(codes(linter.lint(text, Dialect::Text(Markup::Plain))), ["scheme.single-slash"]);
/// assert_eq!(codes(linter.lint_input(Input::new(text), Dialect::Text(Markup::Plain))), ["scheme.single-slash"]);
/// assert_eq!(codes(linter.lint_file(text, Some(b"a.txt"), Reading::Auto)), ["scheme.single-slash"]);
/// assert_eq!(codes(linter.lint_url(b"http://www..host.dom/")), ["host.label"]);
/// assert_eq!(codes(linter.lint_value(b"../up.html", None)), [""; 0]);
/// // For long texts, in parts.
/// let mut parts = 0;
/// linter.lint_parts(Input::new(text), Dialect::Text(Markup::Plain), &mut |part| parts += part.diagnostics.len());
/// assert_eq!(parts, 1);
/// ```
pub struct Linter {
    config: Config,
    scanner: Scanner,
    /// The enabled rules for reports of the core crate, indexed by [`urlsift_core::Code`].
    on_report: Vec<Option<&'static dyn Rule>>,
    /// The enabled rules for near misses, indexed by kind, up to the last kind that has a rule.
    on_near_miss: Vec<Vec<&'static dyn Rule>>,
    on_url: Vec<&'static dyn Rule>,
    on_candidate: Vec<&'static dyn Rule>,
    on_non_ascii: Vec<&'static dyn Rule>,
}

impl Linter {
    /// Creates a linter. This takes time, since it builds a [`Scanner`]; so create the linter once.
    pub fn new(config: Config) -> Self {
        let mut builder =
            Scanner::builder().profile(config.profile).rejoin(config.rejoin).near_misses(true);
        for scheme in &config.schemes {
            builder = builder.scheme(scheme);
        }
        let mut linter = Self {
            scanner: builder.build(),
            on_report: vec![None; Code::ALL.len()],
            on_near_miss: Vec::new(),
            on_url: Vec::new(),
            on_candidate: Vec::new(),
            on_non_ascii: Vec::new(),
            config,
        };
        for &rule in registry::RULES {
            let meta = rule.meta();
            if !linter.config.enables(meta) {
                continue;
            }
            match meta.on {
                On::Report(code) => {
                    if let Some(slot) = linter.on_report.get_mut(code as usize) {
                        *slot = Some(rule);
                    }
                }
                On::NearMiss(kind) => {
                    let kinds = linter.on_near_miss.len().max(kind as usize + 1);
                    linter.on_near_miss.resize_with(kinds, Vec::new);
                    linter.on_near_miss[kind as usize].push(rule);
                }
                On::Url => linter.on_url.push(rule),
                On::Candidate => linter.on_candidate.push(rule),
                On::NonAscii => linter.on_non_ascii.push(rule),
                On::Text => {}
            }
        }
        linter
    }

    /// Returns the configuration that the linter was created with.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Lints a text. `dialect` is its markup or programming language.
    ///
    /// Takes linear time, and accepts any bytes.
    pub fn lint(&self, text: &[u8], dialect: Dialect) -> Linted {
        self.lint_input(Input::new(text), dialect)
    }

    /// Lints a text like [`Linter::lint`], with additional information about the text: its charset
    /// and the kinds of its line breaks.
    pub fn lint_input(&self, input: Input<'_>, dialect: Dialect) -> Linted {
        let mut diagnostics = Vec::new();
        let mut linted =
            self.lint_parts(input, dialect, &mut |part| diagnostics.append(&mut part.diagnostics));
        linted.diagnostics = diagnostics;
        linted
    }

    /// Lints a text and passes the diagnostics to `take` in parts of bounded size, in the order of
    /// the text. The returned value contains no diagnostics.
    ///
    /// Takes linear time. Memory is bounded, except for a few bytes per line, password and region
    /// of markup.
    pub fn lint_parts(
        &self,
        input: Input<'_>,
        dialect: Dialect,
        take: &mut dyn FnMut(&mut Part),
    ) -> Linted {
        self.lint_parts_of_tree(input, dialect, None, take)
    }

    /// Lints a text like [`Linter::lint_parts`]. If `local` is given, also checks relative links
    /// against the tree of files. `local` is the position of the text in this tree.
    pub(crate) fn lint_parts_of_tree(
        &self,
        input: Input<'_>,
        dialect: Dialect,
        local: Option<Local<'_>>,
        take: &mut dyn FnMut(&mut Part),
    ) -> Linted {
        let input = input.labels(dialect.has_url_labels());
        let text = input.text();
        if dialect == Dialect::Text(Markup::Jupyter) {
            return self.lint_notebook(text, take);
        }
        if !self.config.is_strict()
            && matches!(dialect, Dialect::Source(language) if language.has_linted_comments())
            && generated::is_generated_program(text)
        {
            return Linted::default();
        }
        let outline = markup::outline(text, dialect);
        let regions = &outline.regions;
        let caches = Caches::new(self.masked_secrets());
        let mut comments = Comments::find_comments(text, |at| {
            markup::region_at(regions, at).is_some_and(|region| region.kind.is_code())
        });
        let links = || Links::new(text, dialect, &outline, local);
        // The second pass reports unused comments in the order of the text, so a first pass finds
        // out which are used.
        if !comments.is_empty() {
            self.for_each_occurrence(input, dialect, regions, &caches, |_, found| {
                found.retain(|diagnostic| !comments.suppress_and_mark_used(diagnostic));
            });
            let mut links = links();
            while let Some(found) = links.next_block() {
                for link in found.filter_map(|link| self.link_fault_to_diagnostic(link)) {
                    comments.suppress_and_mark_used(&link);
                }
            }
        }
        let mut links = links();
        let mut parts = Parts::new(text, &caches, take);
        // Reports the faults of links and comments up to offset `to`. Returns the offset up to
        // which it searched.
        let mut others = |to: usize, parts: &mut Parts<'_>, comments: &mut Comments<'_>| {
            while links.next_fault_bound() <= to {
                parts.promise_no_earlier_than(links.next_fault_bound());
                let Some(found) = links.next_block() else { break };
                for link in found.filter_map(|link| self.link_fault_to_diagnostic(link)) {
                    if !comments.suppress_and_mark_used(&link) {
                        parts.add_diagnostic(link);
                    }
                }
                comments.report_unused(links.next_fault_bound(), &self.config, |unused| {
                    parts.add_diagnostic(unused);
                });
            }
            links.next_fault_bound()
        };
        let mut searched = 0;
        let mut each = |occurrence: &Occurrence<'_>, found: &mut Vec<Diagnostic>| {
            let start = occurrence.whole.start.min(occurrence.span.start);
            if searched <= start {
                searched = others(start, &mut parts, &mut comments);
            }
            parts.promise_no_earlier_than(start);
            for &secret in &occurrence.secrets {
                parts.add_secret(occurrence.map.to_source(secret));
            }
            if !comments.is_empty() {
                found.retain(|diagnostic| !comments.suppress_and_mark_used(diagnostic));
            }
            parts.add_diagnostics(found);
        };
        let candidates = self.for_each_occurrence(input, dialect, regions, &caches, &mut each);
        others(text.len(), &mut parts, &mut comments);
        Linted { secrets: parts.finish_and_take_secrets(), candidates, ..Linted::default() }
    }

    /// Calls `each` with every candidate (URL or near miss) and its diagnostics, in the order of
    /// the text. Returns the number of candidates.
    fn for_each_occurrence(
        &self,
        input: Input<'_>,
        dialect: Dialect,
        regions: &[Region],
        caches: &Caches,
        mut each: impl FnMut(&Occurrence<'_>, &mut Vec<Diagnostic>),
    ) -> usize {
        let text = input.text();
        let mut out = Findings::default();
        let mut candidates = 0;
        let mut previous = None;
        let mut visit = |found: &Occurrence<'_>| {
            candidates += 1;
            self.check_occurrence(text, dialect, found, previous, caches, &mut out);
            each(found, &mut out.diagnostics);
            out.diagnostics.clear();
            previous = Some((found.form, found.span, found.whole));
        };
        let wholes = regions.iter().copied().filter(|region| region.kind.is_whole_url());
        let mut wholes = wholes.peekable();
        // The URL in the next of these regions, if it is already parsed.
        let mut next: Option<Occurrence<'_>> = None;
        let mut found = self.scanner.find(input);
        while let Some(candidate) = found.advance() {
            let span = candidate.span();
            // Values that end before this candidate come first.
            while let Some(region) = wholes.next_if(|region| region.span.end <= span.start) {
                if next.is_none() {
                    next = self.occurrence_of_region(text, region, dialect, None);
                }
                next.iter().for_each(&mut visit);
                next = None;
            }
            if let Some(&region) = wholes.peek()
                && region.span.start <= span.start
                && span.start < region.span.end
            {
                // The scanner describes a near miss better than the parser does.
                if candidate.form() != Form::NearMiss {
                    if next.is_none() {
                        next = self.occurrence_of_region(text, region, dialect, Some(candidate));
                    }
                    if next.is_some() {
                        continue;
                    }
                }
                next = None;
                wholes.next();
            }
            visit(&occurrence_of_candidate(
                candidate,
                markup::region_at(regions, span.start),
                &self.config,
            ));
        }
        for region in wholes {
            if next.is_none() {
                next = self.occurrence_of_region(text, region, dialect, None);
            }
            next.iter().for_each(&mut visit);
            next = None;
        }
        candidates
    }

    /// Returns the kinds of secrets that the linter masks in its messages.
    pub(crate) fn masked_secrets(&self) -> Secrets {
        self.config.hides
    }

    /// Lints a single URL. All of `url` is parsed as the URL, including spaces.
    pub fn lint_url(&self, url: &[u8]) -> Linted {
        let mut out = Findings::default();
        let mut reports = Vec::new();
        diagnose(url, self.config.profile, |report| reports.push(report));
        let whole = Span::new(0, url.len());
        let secrets = self.masked_secrets().in_url(url);
        let found = Occurrence {
            url: Cow::Borrowed(url),
            map: SpanMap::identity(),
            span: whole,
            whole,
            form: Form::Attribute,
            near_miss: None,
            seams: Vec::new(),
            reports,
            readings: Vec::new(),
            region: None,
            is_overlong: false,
            secrets: secrets.clone(),
        };
        let caches = Caches::with_secrets(self.masked_secrets(), secrets.clone());
        self.check_occurrence(url, Dialect::Text(Markup::Plain), &found, None, &caches, &mut out);
        Linted { diagnostics: out.diagnostics, secrets, candidates: 1, ..Linted::default() }
    }

    /// Lints a value that is usually one complete URL: an attribute value, a link target or a
    /// header field. If `value` starts with a scheme, it is linted as a single URL. Otherwise,
    /// `fallback` is linted as running text, if it is given.
    pub fn lint_value(&self, value: &[u8], fallback: Option<Input<'_>>) -> Linted {
        let Some(candidate) = self.scanner.read_attribute(value) else {
            return fallback.map_or(Linted::default(), |input| {
                self.lint_input(input, Dialect::Text(Markup::Plain))
            });
        };
        let mut linted = Linted { candidates: 1, ..Linted::default() };
        let mut out = Findings::default();
        let caches = Caches::new(self.masked_secrets());
        let found = occurrence_of_candidate(&candidate, None, &self.config);
        self.check_occurrence(value, Dialect::Text(Markup::Plain), &found, None, &caches, &mut out);
        let mut take = |part: &mut Part| linted.diagnostics.append(&mut part.diagnostics);
        let mut parts = Parts::new(value, &caches, &mut take);
        for diagnostic in out.diagnostics {
            parts.add_diagnostic(diagnostic);
        }
        for &secret in &found.secrets {
            parts.add_secret(found.map.to_source(secret));
        }
        linted.secrets = parts.finish_and_take_secrets();
        linted
    }

    /// Converts a malformed link to a diagnostic with its configured level. Returns `None` if the
    /// configuration turns off the rule or excludes the target.
    fn link_fault_to_diagnostic(&self, fault: Fault<'_>) -> Option<Diagnostic> {
        let Fault { diagnostic: mut link, target } = fault;
        let meta = registry::rule(link.code)?.meta();
        let host = Anatomy::text(&target, Anatomy::split(&target).host);
        // A target without a scheme starts with its host.
        let host = if host.is_empty() { &target[..dotted_host_len(&target)] } else { host };
        if self.config.excludes(&target, host) {
            return None;
        }
        link.level = self.config.effective_level(meta, link.level, false, false);
        link.url = Some(String::from_utf8_lossy(&masked(&target, self.config.hides)).into_owned());
        self.config.apply_configured_applicability(&mut link);
        self.config.enables(meta).then_some(link)
    }

    /// Lints the cells of a Jupyter notebook, whose content is `json`, and passes the diagnostics
    /// to `take` in parts. Text cells are linted as Markdown, and code cells as Python.
    fn lint_notebook(&self, json: &[u8], take: &mut dyn FnMut(&mut Part)) -> Linted {
        let caches = Caches::new(self.masked_secrets());
        let mut parts = Parts::new(json, &caches, take);
        let mut candidates = 0;
        for cell in notebook_cells(json) {
            let dialect = if cell.is_program {
                Dialect::Source(Language::Python)
            } else {
                Dialect::Text(Markup::Markdown)
            };
            let found = self.lint(&cell.text, dialect);
            candidates += found.candidates;
            found.secrets.iter().for_each(|&span| parts.add_secret(cell.map.to_source(span)));
            let place = SourceMap {
                source: &|span| cell.map.to_source(span),
                is_verbatim: &|span| cell.map.is_verbatim(span),
                max: Applicability::Safe,
            };
            found
                .diagnostics
                .into_iter()
                .for_each(|found| parts.add_diagnostic(place.to_source(found)));
        }
        Linted { secrets: parts.finish_and_take_secrets(), candidates, ..Linted::default() }
    }

    /// Returns the URL that fills a region of markup, or `None` if the value there has no scheme.
    /// Calls the function of the same name in [`occurrence`] with this linter's scanner and
    /// configuration.
    fn occurrence_of_region<'t>(
        &self,
        text: &'t [u8],
        region: Region,
        dialect: Dialect,
        found: Option<&Candidate<'t>>,
    ) -> Option<Occurrence<'t>> {
        occurrence::occurrence_of_region(&self.scanner, &self.config, text, region, dialect, found)
    }

    /// Runs all rules on one candidate, and adds their diagnostics to `out`. `previous` is the form
    /// and the spans of the candidate before it.
    fn check_occurrence(
        &self,
        text: &[u8],
        dialect: Dialect,
        found: &Occurrence<'_>,
        previous: Option<(Form, Span, Span)>,
        caches: &Caches,
        out: &mut Findings,
    ) {
        let cx = Context {
            text,
            url: &found.url,
            map: &found.map,
            parts: Anatomy::split(&found.url),
            reports: &found.reports,
            valid: !found.reports.iter().any(Report::is_violation),
            profile: self.config.profile,
            form: found.form,
            near_miss: found.near_miss,
            span: found.span,
            whole: found.whole,
            seams: &found.seams,
            readings: &found.readings,
            previous,
            region: found.region,
            is_overlong: found.is_overlong,
            dialect,
            own_secrets: &found.secrets,
            secrets: OnceCell::new(),
            template: OnceCell::new(),
            normal: OnceCell::new(),
            caches,
        };
        let from = out.diagnostics.len();
        self.run_rules(found, &cx, out);
        if out.diagnostics.len() == from {
            return;
        }
        if !self.config.exclude.is_empty() && self.config.excludes(&found.url, cx.host()) {
            out.diagnostics.truncate(from);
            return;
        }
        if !self.config.is_strict() {
            keep_one_per_offset(&mut out.diagnostics, from);
        }
        let shown = cx.masked_url();
        if let [rest @ .., last] = &mut out.diagnostics[from..] {
            for diagnostic in rest {
                diagnostic.url = Some(shown.clone());
            }
            last.url = Some(shown);
        }
    }

    /// Runs all rules that apply to a candidate, and adds their diagnostics to `out`.
    fn run_rules(&self, found: &Occurrence<'_>, cx: &Context<'_>, out: &mut Findings) {
        let is_lenient = !self.config.is_strict() && !self.config.verbatim;
        let is_not_typo =
            LazyCell::new(|| example::has_reserved_host(&found.url) || cx.is_next_to_nul());
        let applies = |rule: &&'static dyn Rule| {
            let of_typos = rule.meta().typo || found.near_miss.is_some();
            !is_lenient || (rule.meta().typo || !cx.is_in_code()) && !(of_typos && *is_not_typo)
        };
        if let Some(kind) = found.near_miss {
            let own = self.on_near_miss.get(kind as usize).map_or(&[][..], Vec::as_slice);
            let shared = kind.code().and_then(|code| *self.on_report.get(code as usize)?);
            for rule in own.iter().copied().chain(shared).filter(applies) {
                self.run_rule(rule, cx, out);
            }
        } else {
            // A rule runs once per URL and covers all reports with its code.
            let mut has_run = [false; Code::ALL.len()];
            for report in &found.reports {
                let code = report.code as usize;
                let Some(has_run) = has_run.get_mut(code) else { continue };
                if !std::mem::replace(has_run, true)
                    && let Some(Some(rule)) = self.on_report.get(code)
                    && applies(rule)
                {
                    self.run_rule(*rule, cx, out);
                }
            }
            for rule in self.on_url.iter().filter(|rule| applies(rule)) {
                self.run_rule(*rule, cx, out);
            }
        }
        let non_ascii =
            if found.is_surrounded_by_ascii(cx.text) { &[][..] } else { &self.on_non_ascii };
        for rule in non_ascii.iter().chain(&self.on_candidate).filter(|rule| applies(rule)) {
            self.run_rule(*rule, cx, out);
        }
    }

    /// Runs one rule on a candidate, and adds its diagnostics with their configured levels to
    /// `out`.
    fn run_rule(&self, rule: &'static dyn Rule, cx: &Context<'_>, out: &mut Findings) {
        let from = out.diagnostics.len();
        rule.check(cx, out);
        if out.diagnostics.len() == from {
            return;
        }
        let meta = rule.meta();
        if !self.config.is_strict() && !is_useful_for(meta, cx) {
            out.diagnostics.truncate(from);
            return;
        }
        let loose = match cx.form {
            Form::Bare | Form::Prefixed => true,
            Form::Wrapped | Form::Bracketed => has_no_slashes(cx),
            _ => false,
        };
        let tail = cx.parts.query.or(cx.parts.fragment).map(|tail| cx.to_text_span(tail).start);
        let plain =
            !matches!(cx.dialect, Dialect::Text(Markup::Markdown | Markup::Mdx | Markup::AsciiDoc));
        // Most mistyped URLs in the strings of a program are input for tests.
        let is_sample = meta.typo
            && !self.config.is_strict()
            && matches!(cx.dialect, Dialect::Source(language) if language.has_linted_comments())
            && cx.is_in_code();
        let is_sample = is_sample || !self.config.is_strict() && cx.is_obfuscated_address();
        for diagnostic in &mut out.diagnostics[from..] {
            debug_assert_eq!(diagnostic.code, meta.code, "a rule reports only its own code");
            let bare = loose || tail.is_some_and(|tail| diagnostic.span.start >= tail);
            let level = if is_sample { Level::Info } else { diagnostic.level };
            diagnostic.level = self.config.effective_level(meta, level, bare, plain);
            self.config.apply_configured_applicability(diagnostic);
        }
    }
}

/// True if diagnostics of the rule are useful for this URL. They aren't for placeholders in
/// templates or, for example, for the port of an example host.
fn is_useful_for(meta: &Meta, cx: &Context<'_>) -> bool {
    // Plain text has no code regions, but authors mark literals with backquotes. A secret in one is
    // a secret nevertheless.
    let may_be_literal = cx.dialect == Dialect::Text(Markup::Plain)
        && !meta.typo
        && !meta.code.starts_with("security.")
        && cx.near_miss.is_none();
    if may_be_literal && verbatim::is_literal(cx.text, cx.whole) {
        return false;
    }
    match meta.on {
        On::Report(_) | On::Url if !meta.typo && cx.near_miss.is_none() => {
            !(cx.is_template()
                || meta.skips_example_hosts() && cx.is_example()
                || meta.code == "mailto.addr-spec"
                    && (example::is_obfuscated_address(cx.url)
                        || example::is_placeholder_address(cx.url))
                || meta.uses_dns() && !cx.has_dns_scheme())
        }
        _ => true,
    }
}

/// True if the scheme of the URL needs slashes and none follow it, as in `<URL:http:g>`. RFC 1808
/// writes a relative reference in this way, which brackets don't make a link.
fn has_no_slashes(cx: &Context<'_>) -> bool {
    let next = cx.url.get(cx.parts.scheme.end + 1);
    !matches!(next, Some(b'/' | b'\\'))
        && cx.reports.iter().any(|report| report.code == Code::CissSlashes)
}

/// Sorts the diagnostics from index `from` on, which are about the same URL. If several start at
/// the same offset, keeps only one of them.
fn keep_one_per_offset(diagnostics: &mut Vec<Diagnostic>, from: usize) {
    if diagnostics.len() - from < 2 {
        return;
    }
    // The highest level comes first. At the same level, rules about links come first, because they
    // know the reason for the fault, and those about escapes last.
    let order = |diagnostic: &Diagnostic| {
        let rank = match diagnostic.code.split('.').next() {
            Some("link") => 0,
            Some("escape") => 2,
            _ => 1,
        };
        (diagnostic.span.start, core::cmp::Reverse(diagnostic.level), rank)
    };
    let mut rest = diagnostics.split_off(from);
    rest.sort_by_key(order);
    rest.dedup_by_key(|diagnostic| diagnostic.span.start);
    diagnostics.append(&mut rest);
}

/// Lints one plain text and returns the diagnostics. To lint several texts, or a text with markup,
/// create a [`Linter`].
///
/// ```
/// use urlsift_lint::{Config, lint};
///
/// let found = lint(b"See http://www..host.dom/ now.", &Config::default());
/// assert_eq!(found[0].code, "host.label");
/// ```
pub fn lint(text: &[u8], config: &Config) -> Vec<Diagnostic> {
    Linter::new(config.clone()).lint(text, Dialect::Text(Markup::Plain)).diagnostics
}
