//! Runs the rules over a text.

use crate::config::Config;
use crate::context::{Context, Findings};
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::edit::Applicability;
use crate::example;
use crate::kept::Kept;
use crate::language::Language;
use crate::markup::{self, Region};
use crate::occurrence::{self, Occurrence, occurrence};
use crate::parts::{Part, Parts};
use crate::place::Place;
use crate::registry;
use crate::rule::{Meta, On, Rule};
use crate::rules::link::{Fault, Links};
use crate::suppress::Comments;
use std::borrow::Cow;
use std::cell::{LazyCell, OnceCell};
use urlsift_archive::{LimitCounts, cells};
use urlsift_core::{Anatomy, Code, Report, Secrets, Span, SpanMap, diagnose, masked};
use urlsift_scanner::{Candidate, Form, Input, Scanner, dotted_len};

/// What was found in one text.
///
/// ```
/// use urlsift_lint::Dialect;
/// use urlsift_lint::{Config, Linter};
/// let linted = Linter::new(Config::default()).lint(b"At ftp://joe:secret@www.host.dom/ now.", Dialect::Plain);
/// assert_eq!(linted.candidates, 1);
/// assert_eq!(linted.secrets[0].range(), 13..19);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Linted {
    /// The faults, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// Where passwords stand in the text, in order, not overlapping: to be masked wherever the text is
    /// shown. If there are no diagnostics, those may be missing that no URL shows.
    pub secrets: Vec<Span>,
    /// The number of URLs and near misses looked at.
    pub candidates: usize,
    /// The number of messages and articles, those within others not counted.
    pub messages: u64,
    /// How often each limit was reached that cuts what is linted.
    pub limits: LimitCounts,
}

/// A scanner and the rules that run. Built once, shared between threads.
///
/// ```
/// use urlsift_archive::Reading;
/// use urlsift_lint::Dialect;
/// use urlsift_lint::{Config, Linter};
/// use urlsift_scanner::Input;
///
/// let linter = Linter::new(Config::default());
/// let text = b"At http:/www.host.dom/ now.";
/// let codes = |linted: urlsift_lint::Linted| -> Vec<_> {
///     linted.diagnostics.iter().map(|found| found.code).collect()
/// };
/// assert_eq!(codes(linter.lint(text, Dialect::Plain)), ["scheme.single-slash"]);
/// assert_eq!(codes(linter.lint_input(Input::new(text), Dialect::Plain)), ["scheme.single-slash"]);
/// assert_eq!(codes(linter.lint_file(text, Some(b"a.txt"), Reading::Auto)), ["scheme.single-slash"]);
/// assert_eq!(codes(linter.lint_url(b"http://www..host.dom/")), ["host.label"]);
/// assert_eq!(codes(linter.lint_value(b"../up.html", None)), [""; 0]);
/// // Of long texts, as it goes.
/// let mut parts = 0;
/// linter.lint_parts(Input::new(text), Dialect::Plain, &mut |part| parts += part.diagnostics.len());
/// assert_eq!(parts, 1);
/// ```
pub struct Linter {
    config: Config,
    scanner: Scanner,
    /// By code of core, in the order of [`urlsift_core::Code::ALL`].
    on_report: Vec<Option<&'static dyn Rule>>,
    /// By kind of near miss, as far as there are any.
    on_near_miss: Vec<Vec<&'static dyn Rule>>,
    on_url: Vec<&'static dyn Rule>,
    on_candidate: Vec<&'static dyn Rule>,
    on_non_ascii: Vec<&'static dyn Rule>,
}

impl Linter {
    /// A linter for these settings. Costs as much as building a [`Scanner`].
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

    /// What it was told.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Lints a text of which nothing but its markup is known.
    ///
    /// Linear in the text. Never fails: any bytes are a text.
    pub fn lint(&self, text: &[u8], dialect: Dialect) -> Linted {
        self.lint_input(Input::new(text), dialect)
    }

    /// Lints a text of which more is known.
    pub fn lint_input(&self, input: Input<'_>, dialect: Dialect) -> Linted {
        let mut diagnostics = Vec::new();
        let mut linted =
            self.lint_parts(input, dialect, &mut |part| diagnostics.append(&mut part.diagnostics));
        linted.diagnostics = diagnostics;
        linted
    }

    /// Lints a text and hands over what is found as it goes, in the order of the text. What it returns holds no
    /// diagnostics.
    ///
    /// Linear in the text. Memory is bounded but for some bytes a line, a password and a place of markup.
    pub fn lint_parts(
        &self,
        input: Input<'_>,
        dialect: Dialect,
        take: &mut dyn FnMut(&mut Part),
    ) -> Linted {
        let text = input.text();
        if dialect == Dialect::Jupyter {
            return self.lint_cells(text, take);
        }
        let regions = markup::regions(text, dialect);
        let kept = Kept::new(self.hides());
        let mut comments = Comments::of(text, |at| {
            markup::at(&regions, at).is_some_and(|region| region.kind.is_code())
        });
        let links = || Links::new(text, dialect, &regions);
        // Which comments silence nothing is known at the end only, and they are told in their place.
        if !comments.is_empty() {
            self.visit(input, dialect, &regions, &kept, |_, found| {
                found.retain(|diagnostic| !comments.silences(diagnostic));
            });
            let mut links = links();
            while let Some(found) = links.next_block() {
                for link in found.filter_map(|link| self.graded(link)) {
                    comments.silences(&link);
                }
            }
        }
        let mut links = links();
        let mut parts = Parts::new(text, &kept, take);
        // What no candidate shows, up to a place. Returns how far was looked.
        let mut others = |to: usize, parts: &mut Parts<'_>, comments: &mut Comments<'_>| {
            while links.at() <= to {
                parts.reach(links.at());
                let Some(found) = links.next_block() else { break };
                for link in found.filter_map(|link| self.graded(link)) {
                    if !comments.silences(&link) {
                        parts.push(link);
                    }
                }
                comments.complaints(links.at(), &self.config, |complaint| parts.push(complaint));
            }
            links.at()
        };
        let mut looked = 0;
        let mut each = |occurrence: &Occurrence<'_>, found: &mut Vec<Diagnostic>| {
            let start = occurrence.whole.start.min(occurrence.span.start);
            if looked <= start {
                looked = others(start, &mut parts, &mut comments);
            }
            parts.reach(start);
            for &secret in &occurrence.secrets {
                parts.hide(occurrence.map.source(secret));
            }
            if !comments.is_empty() {
                found.retain(|diagnostic| !comments.silences(diagnostic));
            }
            parts.append(found);
        };
        let candidates = self.visit(input, dialect, &regions, &kept, &mut each);
        others(text.len(), &mut parts, &mut comments);
        Linted { secrets: parts.finish(), candidates, ..Linted::default() }
    }

    /// Shows every candidate, in the order of the text, together with what is wrong with it. Returns how many
    /// there are.
    fn visit(
        &self,
        input: Input<'_>,
        dialect: Dialect,
        regions: &[Region],
        kept: &Kept,
        mut each: impl FnMut(&Occurrence<'_>, &mut Vec<Diagnostic>),
    ) -> usize {
        let text = input.text();
        let mut out = Findings::default();
        let mut candidates = 0;
        let mut previous = None;
        let mut visit = |found: &Occurrence<'_>| {
            candidates += 1;
            self.check(text, dialect, found, previous, kept, &mut out);
            each(found, &mut out.diagnostics);
            out.diagnostics.clear();
            previous = Some((found.form, found.span, found.whole));
        };
        let wholes = regions.iter().copied().filter(|region| region.kind.is_whole());
        let mut wholes = wholes.peekable();
        // What stands in the next of them, once somebody has asked.
        let mut next: Option<Occurrence<'_>> = None;
        let mut found = self.scanner.find(input);
        while let Some(candidate) = found.advance() {
            let span = candidate.span();
            // What stands before this candidate as a whole value goes first.
            while let Some(region) = wholes.next_if(|region| region.span.end <= span.start) {
                if next.is_none() {
                    next = self.whole(text, region, dialect, None);
                }
                next.iter().for_each(&mut visit);
                next = None;
            }
            if let Some(&region) = wholes.peek()
                && region.span.start <= span.start
                && span.start < region.span.end
            {
                // The scanner knows better what is wrong with a near miss than a parser does.
                if candidate.form() != Form::NearMiss {
                    if next.is_none() {
                        next = self.whole(text, region, dialect, Some(candidate));
                    }
                    if next.is_some() {
                        continue;
                    }
                }
                next = None;
                wholes.next();
            }
            visit(&occurrence(candidate, markup::at(regions, span.start), &self.config));
        }
        for region in wholes {
            if next.is_none() {
                next = self.whole(text, region, dialect, None);
            }
            next.iter().for_each(&mut visit);
            next = None;
        }
        candidates
    }

    /// Which secrets are hidden.
    pub(crate) fn hides(&self) -> Secrets {
        self.config.hides
    }

    /// Lints one URL that stands alone: the whole of `url` is taken for it.
    pub fn lint_url(&self, url: &[u8]) -> Linted {
        let mut out = Findings::default();
        let mut reports = Vec::new();
        diagnose(url, self.config.profile, |report| reports.push(report));
        let whole = Span::new(0, url.len());
        let secrets = self.hides().in_url(url);
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
            secrets: secrets.clone(),
        };
        let kept = Kept::of(self.hides(), secrets.clone());
        self.check(url, Dialect::Plain, &found, None, &kept, &mut out);
        Linted { diagnostics: out.diagnostics, secrets, candidates: 1, ..Linted::default() }
    }

    /// Lints a value taken whole from markup or a header field, if it has a scheme. One that has
    /// none is linted as the running text that it is `otherwise`, or not at all.
    pub fn lint_value(&self, value: &[u8], otherwise: Option<Input<'_>>) -> Linted {
        let Some(candidate) = self.scanner.attribute(value) else {
            return otherwise
                .map_or(Linted::default(), |input| self.lint_input(input, Dialect::Plain));
        };
        let mut linted = Linted { candidates: 1, ..Linted::default() };
        let mut out = Findings::default();
        let kept = Kept::new(self.hides());
        let found = occurrence(&candidate, None, &self.config);
        self.check(value, Dialect::Plain, &found, None, &kept, &mut out);
        let mut take = |part: &mut Part| linted.diagnostics.append(&mut part.diagnostics);
        let mut parts = Parts::new(value, &kept, &mut take);
        for diagnostic in out.diagnostics {
            parts.push(diagnostic);
        }
        for &secret in &found.secrets {
            parts.hide(found.map.source(secret));
        }
        linted.secrets = parts.finish();
        linted
    }

    /// A fault of a link as it is to be told, if it is.
    fn graded(&self, fault: Fault<'_>) -> Option<Diagnostic> {
        let Fault { diagnostic: mut link, target } = fault;
        let meta = registry::rule(link.code)?.meta();
        let host = Anatomy::text(&target, Anatomy::of(&target).host);
        // A target without a scheme starts with its host.
        let host = if host.is_empty() { &target[..dotted_len(&target)] } else { host };
        if self.config.excludes(&target, host) {
            return None;
        }
        link.level = self.config.level_of(meta, link.level, false, false);
        link.url = Some(String::from_utf8_lossy(&masked(&target, self.config.hides)).into_owned());
        self.config.settle(&mut link);
        self.config.enables(meta).then_some(link)
    }

    /// Lints the cells of a notebook, each as the text that it is.
    fn lint_cells(&self, json: &[u8], take: &mut dyn FnMut(&mut Part)) -> Linted {
        let kept = Kept::new(self.hides());
        let mut parts = Parts::new(json, &kept, take);
        let mut candidates = 0;
        for cell in cells(json) {
            let dialect =
                if cell.is_program { Dialect::Source(Language::Python) } else { Dialect::Markdown };
            let found = self.lint(&cell.text, dialect);
            candidates += found.candidates;
            found.secrets.iter().for_each(|&span| parts.hide(cell.map.source(span)));
            let place = Place {
                source: &|span| cell.map.source(span),
                is_verbatim: &|span| cell.map.is_verbatim(span),
                most: Applicability::Safe,
            };
            found.diagnostics.into_iter().for_each(|found| parts.push(place.put_back(found)));
        }
        Linted { secrets: parts.finish(), candidates, ..Linted::default() }
    }

    /// The value that markup delimits whole, as [`occurrence::whole`] has it.
    fn whole<'t>(
        &self,
        text: &'t [u8],
        region: Region,
        dialect: Dialect,
        found: Option<&Candidate<'t>>,
    ) -> Option<Occurrence<'t>> {
        occurrence::whole(&self.scanner, &self.config, text, region, dialect, found)
    }

    fn check(
        &self,
        text: &[u8],
        dialect: Dialect,
        found: &Occurrence<'_>,
        previous: Option<(Form, Span, Span)>,
        kept: &Kept,
        out: &mut Findings,
    ) {
        let cx = Context {
            text,
            url: &found.url,
            map: &found.map,
            parts: Anatomy::of(&found.url),
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
            dialect,
            own_secrets: &found.secrets,
            secrets: OnceCell::new(),
            template: OnceCell::new(),
            normal: OnceCell::new(),
            kept,
        };
        let from = out.diagnostics.len();
        let strict = self.config.is_strict();
        let sparing = !strict && !self.config.verbatim;
        let is_no_slip = LazyCell::new(|| example::shows_a_slip(&found.url) || cx.is_in_data());
        let speaks = |rule: &&'static dyn Rule| {
            let of_typos = rule.meta().typo || found.near_miss.is_some();
            !sparing || (rule.meta().typo || !cx.is_in_code()) && !(of_typos && *is_no_slip)
        };
        if let Some(kind) = found.near_miss {
            let own = self.on_near_miss.get(kind as usize).map_or(&[][..], Vec::as_slice);
            let shared = kind.code().and_then(|code| *self.on_report.get(code as usize)?);
            for rule in own.iter().copied().chain(shared).filter(speaks) {
                self.ask(rule, &cx, out);
            }
        } else {
            // A rule speaks once a URL, of all its reports.
            let mut spoken = [false; Code::ALL.len()];
            for report in &found.reports {
                let code = report.code as usize;
                let Some(spoken) = spoken.get_mut(code) else { continue };
                if !std::mem::replace(spoken, true)
                    && let Some(Some(rule)) = self.on_report.get(code)
                    && speaks(rule)
                {
                    self.ask(*rule, &cx, out);
                }
            }
            for rule in self.on_url.iter().filter(|rule| speaks(rule)) {
                self.ask(*rule, &cx, out);
            }
        }
        let non_ascii = if found.is_ascii_within(text) { &[][..] } else { &self.on_non_ascii };
        for rule in non_ascii.iter().chain(&self.on_candidate).filter(|rule| speaks(rule)) {
            self.ask(*rule, &cx, out);
        }
        if out.diagnostics.len() == from {
            return;
        }
        if !self.config.exclude.is_empty() && self.config.excludes(&found.url, cx.host()) {
            out.diagnostics.truncate(from);
            return;
        }
        if !strict {
            one_a_place(&mut out.diagnostics, from);
        }
        let shown = cx.shown();
        if let [rest @ .., last] = &mut out.diagnostics[from..] {
            for diagnostic in rest {
                diagnostic.url = Some(shown.clone());
            }
            last.url = Some(shown);
        }
    }

    /// Has one rule look at one URL, and gives what it says its level.
    fn ask(&self, rule: &'static dyn Rule, cx: &Context<'_>, out: &mut Findings) {
        let from = out.diagnostics.len();
        rule.check(cx, out);
        if out.diagnostics.len() == from {
            return;
        }
        let meta = rule.meta();
        if !self.config.is_strict() && !is_worth_saying(meta, cx) {
            out.diagnostics.truncate(from);
            return;
        }
        let loose = matches!(cx.form, Form::Bare | Form::Prefixed);
        let tail =
            cx.parts.query.or(cx.parts.fragment).map_or(cx.span.end, |tail| cx.locate(tail).start);
        let plain = !matches!(cx.dialect, Dialect::Markdown | Dialect::Mdx | Dialect::AsciiDoc);
        for diagnostic in &mut out.diagnostics[from..] {
            debug_assert_eq!(diagnostic.code, meta.code, "a rule speaks for itself");
            let bare = loose || diagnostic.span.start >= tail;
            diagnostic.level = self.config.level_of(meta, diagnostic.level, bare, plain);
            self.config.settle(diagnostic);
        }
    }
}

/// Whether somebody would act upon what a rule says of a URL: nobody does of the parts of templates, or of the user or port
/// where the host is an example.
fn is_worth_saying(meta: &Meta, cx: &Context<'_>) -> bool {
    match meta.on {
        On::Report(_) | On::Url if !meta.typo && cx.near_miss.is_none() => {
            !(cx.is_template()
                || meta.spares_examples() && cx.is_example()
                || meta.code == "mailto.addr-spec" && example::hides_an_address(cx.url)
                || meta.asks_the_dns() && !cx.asks_the_dns())
        }
        _ => true,
    }
}

/// Of what was said of one URL, from the `from`th diagnostic on, leaves of one byte one thing, and puts that in order.
fn one_a_place(diagnostics: &mut Vec<Diagnostic>, from: usize) {
    if diagnostics.len() - from < 2 {
        return;
    }
    // The gravest first; of equal ones the one that is about more than an escape.
    let order = |diagnostic: &Diagnostic| {
        let is_of_escape = diagnostic.code.starts_with("escape.");
        (diagnostic.span.start, core::cmp::Reverse(diagnostic.level), is_of_escape)
    };
    let mut rest = diagnostics.split_off(from);
    rest.sort_by_key(order);
    rest.dedup_by_key(|diagnostic| diagnostic.span.start);
    diagnostics.append(&mut rest);
}

/// Lints a plain text. To lint several, or markup, make a [`Linter`].
///
/// ```
/// use urlsift_lint::{Config, lint};
///
/// let found = lint(b"See http://www..host.dom/ now.", &Config::default());
/// assert_eq!(found[0].code, "host.label");
/// ```
pub fn lint(text: &[u8], config: &Config) -> Vec<Diagnostic> {
    Linter::new(config.clone()).lint(text, Dialect::Plain).diagnostics
}
