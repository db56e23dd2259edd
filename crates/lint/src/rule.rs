//! The trait of rules, and the metadata that describes a rule.

use crate::context::{Context, Findings};
use crate::diagnostic::{Diagnostic, Label, format_citation};
use crate::dialect::{Dialect, Markup};
use crate::edit::{Applicability, Fix};
use std::borrow::Cow;
use urlsift_core::{Code, Level, Profile, Span};
use urlsift_scanner::NearMiss;

/// The maximum number of labels of a diagnostic.
const MAX_LABELS: usize = 16;

/// The event on which the linter runs a rule.
///
/// ```
/// use urlsift_core::Code;
/// use urlsift_lint::{On, rule};
/// assert_eq!(rule("port.default").unwrap().meta().on, On::Report(Code::PortDefault));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum On {
    /// The core crate or the scanner reports this code. The rule runs once per URL.
    Report(Code),
    /// The scanner found this kind of near miss.
    NearMiss(NearMiss),
    /// The scanner found a URL.
    Url,
    /// The scanner found a candidate: a URL or a near miss.
    Candidate,
    /// The scanner found a candidate that contains a non-ASCII byte or is adjacent to one.
    NonAscii,
    /// The linter never runs the rule on candidates. It finds the rule's faults itself when it
    /// reads the text.
    Text,
}

/// The level of a rule in lenient mode, which is the default. It has no effect if the user selects
/// the rule by name or sets [`Config::strict`](crate::Config::strict), or in profiles other than
/// `web`.
///
/// ```
/// use urlsift_lint::{Config, LenientLevel, rule};
/// let meta = rule("port.nondefault").unwrap().meta();
/// assert_eq!((meta.lenient_level, Config::default().enables(meta)), (LenientLevel::Off, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LenientLevel {
    /// The rule's own level.
    Unchanged,
    /// Level `info`.
    Info,
    /// Level `info`, unless brackets or markup delimit the URL and the fault is before its query.
    InfoIfBare,
    /// Level `info` in dialects other than Markdown, MDX and `AsciiDoc`.
    InfoInPlainText,
    /// The rule is off.
    Off,
}

/// The kind of fix that a rule offers.
///
/// ```
/// use urlsift_lint::{Applicability, FixKind};
/// assert_eq!(FixKind::Sometimes(Applicability::Safe).describe(), "safe (`--fix`)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FixKind {
    /// No fix.
    None,
    /// A fix for some faults, with this applicability at best.
    Sometimes(Applicability),
}

impl FixKind {
    /// Returns a description of the fix for `urlsift explain`, e.g. ``safe (`--fix`)``.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::None => "none: edit it by hand",
            Self::Sometimes(Applicability::Safe) => "safe (`--fix`)",
            Self::Sometimes(Applicability::Unsafe) => "unsafe (`--unsafe-fixes`)",
            Self::Sometimes(Applicability::Display) => "shown, never applied",
        }
    }
}

/// An example in the documentation of a rule: a text or URL that has the fault, or its corrected
/// version.
///
/// ```
/// use urlsift_lint::{Config, Linter, rule};
/// let example = rule("scheme.single-slash").unwrap().meta().bad;
/// let linted = Linter::new(Config::new(example.profile)).lint(example.text.as_bytes(), example.dialect);
/// assert!(!linted.diagnostics.is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Example {
    /// The text or URL.
    pub text: &'static str,
    /// True if `text` is a whole text, and not a single URL.
    pub is_text: bool,
    /// The markup of the text.
    pub dialect: Dialect,
    /// The profile with which the example is linted.
    pub profile: Profile,
}

impl Example {
    const NONE: Self = Self {
        text: "",
        is_text: false,
        dialect: Dialect::Text(Markup::Plain),
        profile: Profile::Web,
    };
}

/// The metadata of a rule: its code, level, documentation and examples. The output of `urlsift
/// explain` and the rules page are generated from it.
///
/// ```
/// use urlsift_lint::RULES;
/// // A table of all rules.
/// for meta in RULES.iter().map(|rule| rule.meta()) {
///     let _row = format!("| {} | {} | {} | {} |", meta.code, meta.level, meta.fix.describe(), meta.message);
///     assert!(!meta.what.is_empty() && !meta.why.is_empty() && !meta.advice.is_empty());
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub struct Meta {
    /// The dotted name, which never changes. Its first word is the group of the rule.
    pub code: &'static str,
    /// The version that introduced the rule.
    pub since: &'static str,
    /// The number of the RFC that the rule is based on.
    pub rfc: Option<u16>,
    /// The section of that RFC, without `§`; may be empty.
    pub section: &'static str,
    /// The default level of its diagnostics.
    pub level: Level,
    /// True if the rule runs without being selected.
    pub default: bool,
    /// The level in the default, lenient mode.
    pub lenient_level: LenientLevel,
    /// The reason for `lenient_level`, in full sentences; may be empty.
    pub lenient_because: &'static str,
    /// True if the rule finds typing mistakes in a scheme. Such a rule also runs in code and for
    /// templates, and skips hosts that are reserved for examples.
    pub typo: bool,
    /// The kind of fix that the rule offers.
    pub fix: FixKind,
    /// The event that runs the rule.
    pub on: On,
    /// The fault, as one clause without a full stop.
    pub message: &'static str,
    /// A description of the fault, in full sentences.
    pub what: &'static str,
    /// The reason why the fault matters, in full sentences.
    pub why: &'static str,
    /// Instructions for fixing the fault, as one clause without a full stop.
    pub advice: &'static str,
    /// An example that has the fault.
    pub bad: Example,
    /// The corrected example.
    pub good: Example,
    /// True if the examples are parsed as strict URLs, which have no fragment.
    pub strict: bool,
    /// Other rules that rightly report something in `bad` or `good`.
    pub other_rules: &'static [&'static str],
    /// True if the rule looks up files in a [`Tree`](crate::Tree). Without a tree, the rule reports
    /// nothing.
    pub needs_tree: bool,
}

impl Meta {
    /// Creates the metadata of a rule for a fault that the core crate reports. The name, level,
    /// message and source are those of `code`.
    pub const fn from_code(code: Code) -> Self {
        Self::new(code.name(), code.level(), On::Report(code), code.message())
            .source(code.rfc(), code.section())
    }

    /// Creates the metadata of a rule, with defaults that the other methods change. For a fault
    /// that the core crate reports, use [`Meta::from_code`].
    pub const fn new(code: &'static str, level: Level, on: On, message: &'static str) -> Self {
        Self {
            code,
            since: "0.1.0",
            rfc: None,
            section: "",
            level,
            default: true,
            lenient_level: LenientLevel::Unchanged,
            lenient_because: "",
            typo: false,
            fix: FixKind::None,
            on,
            message,
            what: "",
            why: "",
            advice: "",
            bad: Example::NONE,
            good: Example::NONE,
            strict: false,
            other_rules: &[],
            needs_tree: false,
        }
    }

    /// Sets the RFC, and the section in it, on which the rule is based.
    #[must_use]
    pub const fn source(mut self, rfc: u16, section: &'static str) -> Self {
        self.rfc = Some(rfc);
        self.section = section;
        self
    }

    /// Sets the description of the fault that the rule reports, in full sentences.
    #[must_use]
    pub const fn with_description(mut self, text: &'static str) -> Self {
        self.what = text;
        self
    }

    /// Sets the explanation why the fault matters, in full sentences.
    #[must_use]
    pub const fn with_reason(mut self, text: &'static str) -> Self {
        self.why = text;
        self
    }

    /// Sets the instructions for fixing the fault, as one clause without a full stop.
    #[must_use]
    pub const fn with_advice(mut self, text: &'static str) -> Self {
        self.advice = text;
        self
    }

    /// Sets the examples in the rule's documentation to URLs: `bad` has the fault, and `good` is
    /// the same URL corrected.
    #[must_use]
    pub const fn with_example_urls(mut self, bad: &'static str, good: &'static str) -> Self {
        self.bad.text = bad;
        self.good.text = good;
        self
    }

    /// Sets the examples in the rule's documentation to texts: `bad` has the fault, and `good` is
    /// the same text corrected.
    #[must_use]
    pub const fn with_example_texts(mut self, bad: &'static str, good: &'static str) -> Self {
        self = self.with_example_urls(bad, good);
        self.bad.is_text = true;
        self.good.is_text = true;
        self
    }

    /// Sets the profile with which the examples are linted. The default is `web`.
    #[must_use]
    pub const fn with_example_profile(mut self, profile: Profile) -> Self {
        self.bad.profile = profile;
        self.good.profile = profile;
        self
    }

    /// Sets the markup of the examples. The default is plain text.
    #[must_use]
    pub const fn with_example_dialect(mut self, dialect: Dialect) -> Self {
        self.bad.dialect = dialect;
        self.good.dialect = dialect;
        self
    }

    /// Declares that the examples are parsed as strict URLs, which have no fragment. URLs in a text
    /// are never parsed this way.
    #[must_use]
    pub const fn as_strict_urls(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Declares that the rules `codes` also report something in the examples, and correctly so.
    #[must_use]
    pub const fn with_other_rules(mut self, codes: &'static [&'static str]) -> Self {
        self.other_rules = codes;
        self
    }

    /// Sets [`Meta::needs_tree`] to true.
    #[must_use]
    pub const fn as_tree_rule(mut self) -> Self {
        self.needs_tree = true;
        self
    }

    /// Declares that the rule offers fixes, and sets their highest applicability.
    #[must_use]
    pub const fn fix(mut self, applicability: Applicability) -> Self {
        self.fix = FixKind::Sometimes(applicability);
        self
    }

    /// Turns the rule off by default. It runs only if the user selects it.
    #[must_use]
    pub const fn off_by_default(mut self) -> Self {
        self.default = false;
        self
    }

    /// Sets the level of the rule in the default, lenient mode. `because` is the reason for that
    /// level, in full sentences.
    #[must_use]
    pub const fn with_lenient_level(mut self, level: LenientLevel, because: &'static str) -> Self {
        self.lenient_level = level;
        self.lenient_because = because;
        self
    }

    /// Sets the lenient level to [`LenientLevel::InfoIfBare`], with the reason that applies to most
    /// rules about syntax.
    #[must_use]
    pub(crate) const fn lenient_if_bare(self) -> Self {
        self.with_lenient_level(
            LenientLevel::InfoIfBare,
            "In running text, such a URL is usually a pattern or part of a program, not a link.",
        )
    }

    /// Declares that the rule finds typing mistakes: see the field `typo`.
    #[must_use]
    pub const fn as_typo_rule(mut self) -> Self {
        self.typo = true;
        self
    }

    /// True if the rule is not reported for example hosts, because it is about a port, a user name,
    /// a password or a host name.
    pub(crate) fn skips_example_hosts(&self) -> bool {
        const OTHERS: [&str; 7] = [
            "host.label",
            "host.label-length",
            "host.length",
            "host.numeric-label",
            "host.single-label",
            "host.underscore",
            "security.password",
        ];
        self.code.starts_with("port.")
            || self.code.starts_with("userinfo.")
            || OTHERS.contains(&self.code)
    }

    /// True if the rule applies only to URLs with a scheme whose hosts are looked up in the DNS.
    pub(crate) fn uses_dns(&self) -> bool {
        matches!(self.code, "host.numeric-label" | "host.label-length")
    }

    /// Returns a citation of the standard on which the rule is based, such as `RFC 1738 §3.1`.
    /// Returns an empty string if the rule is based on none.
    pub fn cited_source(&self) -> String {
        format_citation(self.rfc, self.section)
    }

    /// Creates a diagnostic of this rule at `span` of the text. To convert a span of the URL, use
    /// [`Context::to_text_span`].
    pub fn diagnostic_at(&self, span: Span) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(self.code, self.level, span);
        diagnostic.message = Cow::Borrowed(self.message);
        diagnostic.rfc = self.rfc;
        diagnostic.section = self.section;
        diagnostic
    }
}

/// A lint rule. Rules are stateless and shared between threads.
///
/// ```
/// use urlsift_core::Span;
/// use urlsift_lint::{Context, Findings, Meta, Rule, rule};
///
/// /// Runs another rule for long URLs only.
/// struct OfLong(&'static dyn Rule);
/// impl Rule for OfLong {
///     fn meta(&self) -> &Meta {
///         self.0.meta()
///     }
///
///     fn check(&self, cx: &Context<'_>, out: &mut Findings) {
///         if cx.bytes_at(Span::new(0, cx.url.len())).len() > 100 {
///             self.0.check(cx, out);
///         }
///     }
/// }
/// assert_eq!(OfLong(rule("port.default").unwrap()).meta().code, "port.default");
/// ```
pub trait Rule: Sync {
    /// Returns the metadata of the rule, which never changes.
    fn meta(&self) -> &Meta;

    /// Checks the URL or near miss `cx` and adds a diagnostic to `out` for each fault. [`Meta::on`]
    /// determines for which candidates the linter calls this.
    fn check(&self, cx: &Context<'_>, out: &mut Findings);
}

/// A function that returns the fix for a fault. The arguments are the URL and the span of the fault
/// in the URL. Returns `None` if there is no automatic fix.
///
/// ```
/// use urlsift_lint::{Edit, Fix, FixFn};
/// let drop_it: FixFn = |_, span| Fix::safe_fix(Edit::delete(span));
/// # let _ = drop_it;
/// ```
pub type FixFn = fn(&Context<'_>, Span) -> Option<Fix>;

/// A rule for faults that the core crate or the scanner has already found. The rule turns each into
/// a diagnostic with an explanation and a fix.
///
/// ```
/// use urlsift_core::{Code, Level};
/// use urlsift_lint::{Applicability, Edit, Fix, Meta, On, Reported};
///
/// static META: Meta = Meta::new("port.mine", Level::Warning, On::Report(Code::PortDefault), "the port is the default one")
///     .with_advice("leave it out");
/// static RULE: Reported = Reported::with_fix(META, Applicability::Safe, |_, span| Fix::safe_fix(Edit::delete(span)))
///     .with_exclusion(|cx| cx.is_example());
/// assert!(RULE.make_fix.is_some() && RULE.note.is_none());
/// ```
#[non_exhaustive]
pub struct Reported {
    /// The metadata of the rule.
    pub meta: Meta,
    /// A function that returns the fix of one occurrence.
    pub make_fix: Option<FixFn>,
    /// True if one fix covers all occurrences in a URL.
    pub fixes_all: bool,
    /// A function that returns the wrong bytes of a near miss. If it is `None`, the whole near miss
    /// is marked.
    pub spot: Option<fn(&Context<'_>) -> Span>,
    /// A function that returns an additional note, or `None` if there is none.
    pub note: Option<fn(&Context<'_>) -> Option<String>>,
    /// A function that returns true for URLs that only look faulty. They aren't reported.
    pub unless: Option<fn(&Context<'_>) -> bool>,
    /// The advice for diagnostics whose fix only deletes text. If empty, [`Meta::advice`] applies
    /// to them, too.
    pub advice_if_deleted: &'static str,
}

impl Reported {
    /// Creates a rule that reports faults but offers no fix.
    pub const fn without_fix(meta: Meta) -> Self {
        Self {
            meta,
            make_fix: None,
            fixes_all: false,
            spot: None,
            note: None,
            unless: None,
            advice_if_deleted: "",
        }
    }

    /// Creates a rule that reports faults and fixes them with `make_fix`. `applicability` is the
    /// highest one that its fixes have.
    pub const fn with_fix(meta: Meta, applicability: Applicability, make_fix: FixFn) -> Self {
        Self { make_fix: Some(make_fix), ..Self::without_fix(meta.fix(applicability)) }
    }

    /// Declares that the fix for the first fault in a URL also fixes all other faults of this rule
    /// in the URL.
    #[must_use]
    pub const fn with_one_fix_for_all(mut self) -> Self {
        self.fixes_all = true;
        self
    }

    /// Sets the advice for diagnostics whose fix only deletes text.
    #[must_use]
    pub const fn with_advice_if_deleted(mut self, advice: &'static str) -> Self {
        self.advice_if_deleted = advice;
        self
    }

    /// Sets a function that returns an additional note for the diagnostic, or `None` for no note.
    #[must_use]
    pub const fn with_note(mut self, note: fn(&Context<'_>) -> Option<String>) -> Self {
        self.note = Some(note);
        self
    }

    /// Sets a function that returns true for URLs that only look faulty. The rule doesn't report
    /// them.
    #[must_use]
    pub const fn with_exclusion(mut self, unless: fn(&Context<'_>) -> bool) -> Self {
        self.unless = Some(unless);
        self
    }

    /// Sets a function that returns the span of the wrong bytes in a near miss. Without it, the
    /// whole near miss is marked.
    #[must_use]
    pub const fn with_fault_span(mut self, spot: fn(&Context<'_>) -> Span) -> Self {
        self.spot = Some(spot);
        self
    }
}

impl Rule for Reported {
    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        if self.unless.is_some_and(|unless| unless(cx)) {
            return;
        }
        if cx.near_miss.is_some() {
            let span = self.spot.map_or(Span::new(0, cx.url.len()), |spot| spot(cx));
            let mut diagnostic = self.meta.diagnostic_at(cx.to_text_span(span));
            cx.set_fix(
                &mut diagnostic,
                self.make_fix.and_then(|make_fix| make_fix(cx, span)),
                self.meta.advice,
            );
            out.push(diagnostic);
            return;
        }
        // One diagnostic per URL and code: to a reader, a hundred needless escapes are one fault.
        let mut spans = cx.reports.iter().filter(|report| On::Report(report.code) == self.meta.on);
        let Some(first) = spans.next() else { return };
        let rest: Vec<Span> = spans.map(|report| report.span).collect();
        let mut diagnostic = self.meta.diagnostic_at(cx.to_text_span(first.span));
        diagnostic.level = first.level;
        // Nobody reads more labels than this. The fix still covers all occurrences.
        for &span in rest.iter().take(MAX_LABELS) {
            diagnostic.labels.push(Label { span: cx.to_text_span(span), text: String::new() });
        }
        let mut fix: Option<Fix> = None;
        if let Some(make_fix) = self.make_fix {
            let rest = if self.fixes_all { Vec::new() } else { rest };
            for span in std::iter::once(first.span).chain(rest) {
                let Some(next) = make_fix(cx, span) else { continue };
                match &mut fix {
                    None => fix = Some(next),
                    Some(all) => {
                        let end = all.edits.last().map_or(0, |edit| edit.span.end);
                        if next.edits.first().is_some_and(|edit| edit.span.start >= end) {
                            all.edits.extend(next.edits);
                            all.applicability = all.applicability.min(next.applicability);
                        }
                    }
                }
            }
        }
        diagnostic.notes.extend(self.note.and_then(|note| note(cx)));
        let deletes = !self.advice_if_deleted.is_empty()
            && fix.as_ref().is_some_and(|fix| fix.edits.iter().all(|edit| edit.text.is_empty()));
        let advice = if deletes { self.advice_if_deleted } else { self.meta.advice };
        cx.set_fix(&mut diagnostic, fix, advice);
        out.push(diagnostic);
    }
}
