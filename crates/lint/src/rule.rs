//! What a rule is, and what it tells of itself.

use crate::context::{Context, Findings};
use crate::diagnostic::{Diagnostic, Label, cite};
use crate::dialect::Dialect;
use crate::edit::{Applicability, Fix};
use std::borrow::Cow;
use urlsift_core::{Code, Level, Profile, Span};
use urlsift_scanner::NearMiss;

/// Further places that one diagnostic points at.
const MOST_PLACES: usize = 16;

/// What makes a rule run.
///
/// ```
/// use urlsift_core::Code;
/// use urlsift_lint::{On, rule};
/// assert_eq!(rule("port.default").unwrap().meta().on, On::Report(Code::PortDefault));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum On {
    /// core or the scanner reports this code; once for each URL that it is reported of.
    Report(Code),
    /// The scanner found this kind of near miss.
    NearMiss(NearMiss),
    /// Every candidate that is a URL, whatever is said of it.
    Url,
    /// Every candidate, near misses too.
    Candidate,
    /// Every candidate, near misses too, that holds a byte beyond US-ASCII or stands right beside one.
    NonAscii,
    /// The linter itself raises it, once it has seen the whole text.
    Text,
}

/// What a rule says where strictness is not asked for, neither by [`Config::strict`](crate::Config::strict)
/// nor by the profile, and the rule is not selected by name.
///
/// ```
/// use urlsift_lint::{Config, Usually, rule};
/// let meta = rule("port.nondefault").unwrap().meta();
/// assert_eq!((meta.usually, Config::default().enables(meta)), (Usually::Nothing, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Usually {
    /// What it says at its strictest.
    Same,
    /// At most a remark of level `info`.
    Remark,
    /// At most a remark, unless markup or a wrapper delimits the URL, and the fault is in what comes before its query.
    RemarkIfBare,
    /// At most a remark in a plain text.
    RemarkInPlainText,
    /// Nothing.
    Nothing,
}

/// What a rule can do about the fault.
///
/// ```
/// use urlsift_lint::{Applicability, FixKind};
/// assert_eq!(FixKind::Sometimes(Applicability::Safe).describe(), "safe (`--fix`)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FixKind {
    /// It takes a person.
    None,
    /// It can mend it, this far to be trusted at best.
    Sometimes(Applicability),
}

impl FixKind {
    /// As `urlsift explain` says it.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::None => "none: it takes a person",
            Self::Sometimes(Applicability::Safe) => "safe (`--fix`)",
            Self::Sometimes(Applicability::Unsafe) => "unsafe (`--unsafe-fixes`)",
            Self::Sometimes(Applicability::Display) => "shown, never made",
        }
    }
}

/// A text, or one URL, that shows a fault or its absence.
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
    /// Whether it is a whole text to be searched, not just one URL.
    pub is_text: bool,
    /// The markup of the text.
    pub dialect: Dialect,
    /// The profile to judge it by.
    pub profile: Profile,
}

impl Example {
    const NONE: Self =
        Self { text: "", is_text: false, dialect: Dialect::Plain, profile: Profile::Web };
}

/// What a rule tells of itself: the source of `urlsift explain` and of the rules page.
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
pub struct Meta {
    /// The dotted name, stable for ever. Its first word is the part that the rule is about.
    pub code: &'static str,
    /// The version that brought it.
    pub since: &'static str,
    /// The number of the RFC that it comes from.
    pub rfc: Option<u16>,
    /// The section of that RFC, without the sign.
    pub section: &'static str,
    /// How grave, unless the configuration says otherwise.
    pub level: Level,
    /// Whether it runs without being selected.
    pub default: bool,
    /// What it says where strictness is not asked for.
    pub usually: Usually,
    /// Why it says no more than that; sentences, or nothing.
    pub usually_because: &'static str,
    /// Whether it finds slips of the keyboard in a scheme, which are none of an example's business: it
    /// speaks in program text and of templates, too.
    pub typo: bool,
    /// What it can do about it.
    pub fix: FixKind,
    /// What makes it run.
    pub on: On,
    /// The fault, as one clause without a final stop.
    pub message: &'static str,
    /// What it looks at; sentences.
    pub what: &'static str,
    /// Why that is a fault; sentences.
    pub why: &'static str,
    /// What to do; one sentence without a final stop.
    pub advice: &'static str,
    /// An example that has the fault.
    pub bad: Example,
    /// The corrected example, which does not have the fault.
    pub good: Example,
    /// Whether the examples are judged as a URL to the letter, which has no fragment.
    pub strict: bool,
    /// Other rules that speak up at `bad`, or at `good`, and rightly so.
    pub beside: &'static [&'static str],
}

impl Meta {
    /// A rule about something that core or the scanner reports, with their name, level and source.
    pub const fn of(code: Code) -> Self {
        Self {
            code: code.name(),
            since: "0.1.0",
            rfc: Some(code.rfc()),
            section: code.section(),
            level: code.level(),
            default: true,
            usually: Usually::Same,
            usually_because: "",
            typo: false,
            fix: FixKind::None,
            on: On::Report(code),
            message: code.message(),
            what: "",
            why: "",
            advice: "",
            bad: Example::NONE,
            good: Example::NONE,
            strict: false,
            beside: &[],
        }
    }

    /// A rule of lint's own.
    pub const fn new(code: &'static str, level: Level, on: On, message: &'static str) -> Self {
        Self {
            code,
            since: "0.1.0",
            rfc: None,
            section: "",
            level,
            default: true,
            usually: Usually::Same,
            usually_because: "",
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
            beside: &[],
        }
    }

    /// Where the rule comes from.
    #[must_use]
    pub const fn source(mut self, rfc: u16, section: &'static str) -> Self {
        self.rfc = Some(rfc);
        self.section = section;
        self
    }

    /// What it looks at.
    #[must_use]
    pub const fn what(mut self, text: &'static str) -> Self {
        self.what = text;
        self
    }

    /// Why that is a fault.
    #[must_use]
    pub const fn why(mut self, text: &'static str) -> Self {
        self.why = text;
        self
    }

    /// What to do.
    #[must_use]
    pub const fn advice(mut self, text: &'static str) -> Self {
        self.advice = text;
        self
    }

    /// A bad and a good URL.
    #[must_use]
    pub const fn urls(mut self, bad: &'static str, good: &'static str) -> Self {
        self.bad.text = bad;
        self.good.text = good;
        self
    }

    /// A bad and a good text.
    #[must_use]
    pub const fn texts(mut self, bad: &'static str, good: &'static str) -> Self {
        self = self.urls(bad, good);
        self.bad.is_text = true;
        self.good.is_text = true;
        self
    }

    /// The profile to judge the examples by.
    #[must_use]
    pub const fn under(mut self, profile: Profile) -> Self {
        self.bad.profile = profile;
        self.good.profile = profile;
        self
    }

    /// The markup of the examples.
    #[must_use]
    pub const fn dialect(mut self, dialect: Dialect) -> Self {
        self.bad.dialect = dialect;
        self.good.dialect = dialect;
        self
    }

    /// The examples are judged as a URL to the letter, which has no fragment. In a text nothing is.
    #[must_use]
    pub const fn strictly(mut self) -> Self {
        self.strict = true;
        self
    }

    /// The rules that rightly speak up at the examples too.
    #[must_use]
    pub const fn beside(mut self, codes: &'static [&'static str]) -> Self {
        self.beside = codes;
        self
    }

    /// What it can do about the fault, at best.
    #[must_use]
    pub const fn fix(mut self, applicability: Applicability) -> Self {
        self.fix = FixKind::Sometimes(applicability);
        self
    }

    /// Runs only where it is selected by name.
    #[must_use]
    pub const fn off(mut self) -> Self {
        self.default = false;
        self
    }

    /// Says less where strictness is not asked for, and why.
    #[must_use]
    pub const fn usually(mut self, usually: Usually, because: &'static str) -> Self {
        self.usually = usually;
        self.usually_because = because;
        self
    }

    /// Speaks in program text and of templates, too.
    #[must_use]
    pub const fn typo(mut self) -> Self {
        self.typo = true;
        self
    }

    /// Whether it is about what an example's host does not have to keep to, such as its port or a password.
    pub(crate) fn spares_examples(&self) -> bool {
        const OTHERS: [&str; 5] = [
            "host.label",
            "host.numeric-label",
            "host.single-label",
            "host.underscore",
            "security.password",
        ];
        self.code.starts_with("port.")
            || self.code.starts_with("userinfo.")
            || OTHERS.contains(&self.code)
    }

    /// Whether it is about what only the DNS cares for: other schemes may name their hosts as they please.
    pub(crate) fn asks_the_dns(&self) -> bool {
        matches!(self.code, "host.numeric-label" | "host.label-length")
    }

    /// Where the rule comes from, as people cite it: `RFC 1738 §3.1`. Empty if from nowhere.
    pub fn cited(&self) -> String {
        cite(self.rfc, self.section)
    }

    /// A diagnostic of this rule at `span`, of the text, with the rule's own words.
    pub fn at(&self, span: Span) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(self.code, self.level, span);
        diagnostic.message = Cow::Borrowed(self.message);
        diagnostic.rfc = self.rfc;
        diagnostic.section = self.section;
        diagnostic
    }
}

/// One rule. Stateless and shared.
///
/// ```
/// use urlsift_core::Span;
/// use urlsift_lint::{Context, Findings, Meta, Rule, rule};
///
/// /// What another rule says, said of long URLs only.
/// struct OfLong(&'static dyn Rule);
/// impl Rule for OfLong {
///     fn meta(&self) -> &Meta {
///         self.0.meta()
///     }
///
///     fn check(&self, cx: &Context<'_>, out: &mut Findings) {
///         if cx.bytes(Span::new(0, cx.url.len())).len() > 100 {
///             self.0.check(cx, out);
///         }
///     }
/// }
/// assert_eq!(OfLong(rule("port.default").unwrap()).meta().code, "port.default");
/// ```
pub trait Rule: Sync {
    /// What it tells of itself.
    fn meta(&self) -> &Meta;

    /// Looks at one candidate and says what is wrong with it. Called when [`Meta::on`] says so.
    fn check(&self, cx: &Context<'_>, out: &mut Findings);
}

/// Works out how to mend what is wrong at a place in the URL; `None` where it takes a person.
///
/// ```
/// use urlsift_lint::{Edit, Fix, Mend};
/// let drop_it: Mend = |_, span| Fix::safe(Edit::delete(span));
/// # let _ = drop_it;
/// ```
pub type Mend = fn(&Context<'_>, Span) -> Option<Fix>;

/// A rule about something that core, or the scanner, has already found: it explains and mends.
///
/// ```
/// use urlsift_core::{Code, Level};
/// use urlsift_lint::{Applicability, Edit, Fix, Meta, On, Reported};
///
/// static META: Meta = Meta::new("port.mine", Level::Warning, On::Report(Code::PortDefault), "the port is the default one")
///     .advice("leave it out");
/// static RULE: Reported = Reported::mended(META, Applicability::Safe, |_, span| Fix::safe(Edit::delete(span)))
///     .unless(|cx| cx.is_example());
/// assert!(RULE.mend.is_some() && RULE.note.is_none());
/// ```
#[non_exhaustive]
pub struct Reported {
    /// What it tells of itself.
    pub meta: Meta,
    /// How to mend one occurrence.
    pub mend: Option<Mend>,
    /// Whether that mends all occurrences in a URL at once.
    pub at_once: bool,
    /// For a near miss: which bytes of it are wrong. All, if not given.
    pub spot: Option<fn(&Context<'_>) -> Span>,
    /// What more is to be said of this URL.
    pub note: Option<fn(&Context<'_>) -> Option<String>>,
    /// Whether it looks like a fault and is something else.
    pub unless: Option<fn(&Context<'_>) -> bool>,
}

impl Reported {
    /// A rule that leaves the mending to a person.
    pub const fn of(meta: Meta) -> Self {
        Self { meta, mend: None, at_once: false, spot: None, note: None, unless: None }
    }

    /// A rule that knows how to mend, at best that safely.
    pub const fn mended(meta: Meta, applicability: Applicability, mend: Mend) -> Self {
        Self {
            meta: meta.fix(applicability),
            mend: Some(mend),
            at_once: false,
            spot: None,
            note: None,
            unless: None,
        }
    }

    /// To mend one occurrence is to mend all of them.
    #[must_use]
    pub const fn at_once(mut self) -> Self {
        self.at_once = true;
        self
    }

    /// Says more about some URLs.
    #[must_use]
    pub const fn noting(mut self, note: fn(&Context<'_>) -> Option<String>) -> Self {
        self.note = Some(note);
        self
    }

    /// Says nothing of some.
    #[must_use]
    pub const fn unless(mut self, unless: fn(&Context<'_>) -> bool) -> Self {
        self.unless = Some(unless);
        self
    }

    /// Points at these bytes of a near miss.
    #[must_use]
    pub const fn pointing(mut self, spot: fn(&Context<'_>) -> Span) -> Self {
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
            let mut diagnostic = self.meta.at(cx.locate(span));
            cx.mend(&mut diagnostic, self.mend.and_then(|mend| mend(cx, span)), self.meta.advice);
            out.push(diagnostic);
            return;
        }
        // One diagnostic a URL and code: a hundred needless escapes are one fault to a reader.
        let mut spans = cx.reports.iter().filter(|report| On::Report(report.code) == self.meta.on);
        let Some(first) = spans.next() else { return };
        let rest: Vec<Span> = spans.map(|report| report.span).collect();
        let mut diagnostic = self.meta.at(cx.locate(first.span));
        diagnostic.level = first.level;
        // More would not be looked at; the fix still mends them all.
        for &span in rest.iter().take(MOST_PLACES) {
            diagnostic.labels.push(Label { span: cx.locate(span), text: String::new() });
        }
        let mut mending: Option<Fix> = None;
        if let Some(mend) = self.mend {
            let rest = if self.at_once { Vec::new() } else { rest };
            for span in std::iter::once(first.span).chain(rest) {
                let Some(next) = mend(cx, span) else { continue };
                match &mut mending {
                    None => mending = Some(next),
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
        cx.mend(&mut diagnostic, mending, self.meta.advice);
        out.push(diagnostic);
    }
}
