//! What lint shows.

use crate::edit::Fix;
use std::borrow::Cow;
use urlsift_core::{Level, Span};

/// A further place that a diagnostic points at.
///
/// ```
/// use urlsift_lint::{Config, lint};
/// // The second of two needless escapes is a further place of one fault.
/// let found = lint(b"http://www.host.dom/%61/%62", &Config::default());
/// let label = found.iter().flat_map(|found| &found.labels).next().unwrap();
/// assert_eq!(label.span.range(), 24..27);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Label {
    /// Where, in bytes of the text.
    pub span: Span,
    /// What is to be said of it; may be empty.
    pub text: String,
}

/// A few words at a fault, which are put together when they are shown: most formats have no place for them.
///
/// ```
/// use urlsift_lint::{Config, Hint, lint};
/// let found = &lint(b"At http:/www.host.dom/ now.", &Config::default())[0];
/// assert_eq!(found.label, Hint::Insert(b"/".into()));
/// assert_eq!(found.label.words(), "`/` belongs here");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// None.
    #[default]
    Nothing,
    /// To leave out what stands there.
    LeaveOut,
    /// To put these bytes there.
    Insert(Cow<'static, [u8]>),
    /// To write these bytes in place of what stands there.
    Write(Cow<'static, [u8]>),
    /// These words.
    Words(Cow<'static, str>),
}

impl Hint {
    /// The words; may be empty.
    pub fn words(&self) -> Cow<'_, str> {
        let quoted = |bytes: &[u8]| format!("`{}`", String::from_utf8_lossy(bytes));
        match self {
            Self::Nothing => "".into(),
            Self::LeaveOut => "leave this out".into(),
            Self::Insert(text) => (quoted(text) + " belongs here").into(),
            Self::Write(text) => ("write ".to_owned() + &quoted(text)).into(),
            Self::Words(words) => Cow::Borrowed(words),
        }
    }
}

impl<T: Into<Cow<'static, str>>> From<T> for Hint {
    fn from(words: T) -> Self {
        Self::Words(words.into())
    }
}

/// One fault found in a text.
///
/// Passwords are masked in every string of it. Spans and edits are positions in the text as it
/// stands; to show the text itself, mask [`Linted::secrets`](crate::Linted::secrets) first.
///
/// ```
/// use urlsift_lint::{Config, Level, lint};
/// let found = &lint(b"At http:/www.host.dom/ now.", &Config::default())[0];
/// assert_eq!((found.code, found.level), ("scheme.single-slash", Level::Error));
/// assert_eq!(found.url.as_deref(), Some("http:/www.host.dom/"));
/// assert!(found.fix.is_some() && found.help.is_some());
/// assert!(found.one_line().starts_with(&*found.message));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The dotted name of the rule.
    pub code: &'static str,
    /// How grave, after the configuration had its say.
    pub level: Level,
    /// What is wrong, as one clause without a final stop.
    pub message: Cow<'static, str>,
    /// Where: the bytes at fault. Within a URL broken over lines it covers the break.
    pub span: Span,
    /// A few words to stand at [`Diagnostic::span`].
    pub label: Hint,
    /// Further places.
    pub labels: Vec<Label>,
    /// Why it matters here; sentences.
    pub notes: Vec<String>,
    /// What to do, with the mended URL where there is one.
    pub help: Option<Cow<'static, str>>,
    /// The URL or link target that it is about, without layout; `None` for a fault of the text.
    pub url: Option<String>,
    /// The number of the RFC that the rule comes from.
    pub rfc: Option<u16>,
    /// The section of that RFC, without the sign; empty without one.
    pub section: &'static str,
    /// How to mend it.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// The message, its notes and its help in one line, for formats that have but one place for them.
    pub fn one_line(&self) -> String {
        let more = self.notes.iter().map(String::as_str).chain(self.help.as_deref());
        more.fold(self.message.clone().into_owned(), |line, more| line + "; " + more)
    }

    /// A diagnostic that says nothing yet.
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

    /// Where the rule comes from, as people cite it: `RFC 1738 §3.1`. Empty if from nowhere.
    pub fn source(&self) -> String {
        cite(self.rfc, self.section)
    }
}

/// `RFC 1738 §3.1`, `RFC 1738, Appendix`, or nothing.
pub(crate) fn cite(rfc: Option<u16>, section: &str) -> String {
    cited(rfc, section, &mut itoa::Buffer::new()).concat()
}

/// The same in pieces; the number is written into `number`.
pub(crate) fn cited<'a>(
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
