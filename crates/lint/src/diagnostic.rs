//! Diagnostics: the faults that rules report.

use crate::edit::Fix;
use std::borrow::Cow;
use urlsift_core::{Level, Span};

/// An additional span that a diagnostic marks, with an optional text.
///
/// ```
/// use urlsift_lint::{Config, lint};
/// // The second of two needless escapes is a label of the same diagnostic.
/// let found = lint(b"http://www.host.dom/%61/%62", &Config::default());
/// let label = found.iter().flat_map(|found| &found.labels).next().unwrap();
/// assert_eq!(label.span.range(), 24..27);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Label {
    /// The byte span in the text.
    pub span: Span,
    /// The text of the label; may be empty.
    pub text: String,
}

/// A short text that is displayed next to the faulty bytes, such as "`/` belongs here".
///
/// The text is formatted only when it is displayed, because most output formats don't use it.
///
/// ```
/// use urlsift_lint::{Config, Hint, lint};
/// let found = &lint(b"At http:/www.host.dom/ now.", &Config::default())[0];
/// assert_eq!(found.label, Hint::Insert(b"/".into()));
/// assert_eq!(found.label.to_text(), "`/` belongs here");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// No text.
    #[default]
    Nothing,
    /// Suggests removing the marked bytes.
    Remove,
    /// Suggests inserting these bytes.
    Insert(Cow<'static, [u8]>),
    /// Suggests replacing the marked bytes with these.
    Replace(Cow<'static, [u8]>),
    /// Any other text.
    Words(Cow<'static, str>),
}

impl Hint {
    /// Returns the text of the hint. Returns an empty string if there is nothing to display.
    pub fn to_text(&self) -> Cow<'_, str> {
        let quoted = |bytes: &[u8]| format!("`{}`", String::from_utf8_lossy(bytes));
        match self {
            Self::Nothing => "".into(),
            Self::Remove => "leave this out".into(),
            Self::Insert(text) => (quoted(text) + " belongs here").into(),
            Self::Replace(text) => ("write ".to_owned() + &quoted(text)).into(),
            Self::Words(words) => Cow::Borrowed(words),
        }
    }
}

impl<T: Into<Cow<'static, str>>> From<T> for Hint {
    fn from(words: T) -> Self {
        Self::Words(words.into())
    }
}

/// A diagnostic: one fault that the linter found in a text, with an optional fix.
///
/// Passwords are masked in all strings of a diagnostic. Spans and edits refer to the unmasked text.
/// Before you display this text, mask the spans in [`Linted::secrets`](crate::Linted::secrets).
///
/// ```
/// use urlsift_lint::{Config, Level, lint};
/// let found = &lint(b"At http:/www.host.dom/ now.", &Config::default())[0];
/// assert_eq!((found.code, found.level), ("scheme.single-slash", Level::Error));
/// assert_eq!(found.url.as_deref(), Some("http:/www.host.dom/"));
/// assert!(found.fix.is_some() && found.help.is_some());
/// assert!(found.to_one_line().starts_with(&*found.message));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The dotted name of the rule.
    pub code: &'static str,
    /// The level, after the configuration was applied.
    pub level: Level,
    /// The fault, as one clause without a full stop.
    pub message: Cow<'static, str>,
    /// The faulty bytes in the text. In a URL that is broken over lines, the span may include the
    /// break.
    pub span: Span,
    /// A short text next to [`Diagnostic::span`].
    pub label: Hint,
    /// Secondary spans.
    pub labels: Vec<Label>,
    /// Additional information about this occurrence.
    pub notes: Vec<String>,
    /// Instructions for fixing the fault, followed by the fixed URL if there is one.
    pub help: Option<Cow<'static, str>>,
    /// The URL or link target, without line breaks and white space inside it. `None` if the fault
    /// is not about a URL.
    pub url: Option<String>,
    /// The number of the RFC that the rule is based on.
    pub rfc: Option<u16>,
    /// The section of that RFC, without `§`; may be empty.
    pub section: &'static str,
    /// The fix, if there is one.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Returns the message, the notes and the help in one line, joined by semicolons. Use it for
    /// output formats with only one text field.
    pub fn to_one_line(&self) -> String {
        let more = self.notes.iter().map(String::as_str).chain(self.help.as_deref());
        more.fold(self.message.clone().into_owned(), |line, more| line + "; " + more)
    }

    /// Creates a diagnostic of the rule `code` at `span` of the text. Set its message afterwards.
    pub const fn new(code: &'static str, level: Level, span: Span) -> Self {
        Self {
            code,
            level,
            message: Cow::Borrowed(""),
            span,
            label: Hint::Nothing,
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            url: None,
            rfc: None,
            section: "",
            fix: None,
        }
    }

    /// Returns a citation of the standard on which the rule is based, such as `RFC 1738 §3.1`.
    /// Returns an empty string if the rule is based on none.
    pub fn cited_source(&self) -> String {
        format_citation(self.rfc, self.section)
    }
}

/// Returns the citation of a section in an RFC, e.g. `RFC 1738 §3.1` or `RFC 1738, Appendix`.
/// Returns an empty string if `rfc` is `None`.
pub(crate) fn format_citation(rfc: Option<u16>, section: &str) -> String {
    citation_pieces(rfc, section, &mut itoa::Buffer::new()).concat()
}

/// Returns the parts of a citation, which joined give the result of [`format_citation`]. `number`
/// is a buffer in which the RFC's number is formatted.
pub(crate) fn citation_pieces<'a>(
    rfc: Option<u16>,
    section: &'a str,
    number: &'a mut itoa::Buffer,
) -> [&'a str; 4] {
    let Some(rfc) = rfc else { return [""; 4] };
    let before = match section.as_bytes().first() {
        None => "",
        Some(b'0'..=b'9') => " §",
        Some(_) => ", ",
    };
    ["RFC ", number.format(rfc), before, section]
}
