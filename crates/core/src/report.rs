//! Violations and findings: what can be said against a URL.

use crate::{Code, Level, Span};
use core::fmt;

/// Why a URL is invalid, and where: the error of [`parse()`](crate::parse()).
///
/// ```
/// use urlsift_core::{Profile, Span, parse};
/// let violation = parse(b"http://host_1.dom/", Profile::Rfc1738).unwrap_err();
/// assert_eq!((violation.code.name(), violation.span), ("host.char", Span::new(11, 12)));
/// assert_eq!((violation.code.rfc(), violation.code.section()), (1738, "3.1"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Violation {
    /// The rule that is broken.
    pub code: Code,
    /// Where, in bytes within the URL. `start` is the end of the longest viable prefix or a little
    /// before it, never before the part that is wrong; empty only at the end of the input.
    pub span: Span,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {} ({})", self.code.message(), self.span.start, self.code.name())
    }
}

impl core::error::Error for Violation {}

/// One thing that [`diagnose()`](crate::diagnose()) has to say: a violation (level
/// [`Level::Error`]) or a finding (any other level).
///
/// ```
/// use urlsift_core::{Level, Profile, diagnose};
/// let mut reports = Vec::new();
/// diagnose(b"http://host_1.dom/", Profile::Rfc1738, |report| reports.push(report));
/// assert_eq!((reports[0].code.name(), reports[0].level), ("host.char", Level::Error));
/// assert!(reports[0].is_violation());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Report {
    /// The rule.
    pub code: Code,
    /// How grave. Most codes have one level; see [`Code::level`].
    pub level: Level,
    /// Where, in bytes within the URL.
    pub span: Span,
}

impl Report {
    /// What a code says at its own level.
    ///
    /// ```
    /// use urlsift_core::{Code, Level, Report, Span};
    /// assert_eq!(Report::new(Code::HostUppercase, Span::new(7, 8)).level, Level::Info);
    /// ```
    pub const fn new(code: Code, span: Span) -> Self {
        Self { code, level: code.level(), span }
    }

    /// Whether this makes the URL invalid.
    pub const fn is_violation(&self) -> bool {
        matches!(self.level, Level::Error)
    }
}
