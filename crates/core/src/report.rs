//! The results of parsing and diagnosing a URL: violations and findings.

use crate::{Code, Level, Span};
use core::fmt;

/// The error of [`parse()`](crate::parse()): the rule that makes a URL invalid, and the position of
/// the fault.
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
    /// The violated rule.
    pub code: Code,
    /// The position, in bytes within the URL. `start` is at or shortly before the end of the
    /// longest viable prefix, never before the faulty part. The span is empty only at the end of
    /// the input.
    pub span: Span,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {} ({})", self.code.message(), self.span.start, self.code.name())
    }
}

impl core::error::Error for Violation {}

/// A violation (level [`Level::Error`]) or finding (any other level) that
/// [`diagnose()`](crate::diagnose()) reports.
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
    /// The rule that is violated or that causes the finding.
    pub code: Code,
    /// The severity. Most codes have one level; see [`Code::level`].
    pub level: Level,
    /// The position, in bytes within the URL.
    pub span: Span,
}

impl Report {
    /// Creates a report with the code's usual level.
    ///
    /// ```
    /// use urlsift_core::{Code, Level, Report, Span};
    /// assert_eq!(Report::new(Code::HostUppercase, Span::new(7, 8)).level, Level::Info);
    /// ```
    pub const fn new(code: Code, span: Span) -> Self {
        Self { code, level: code.level(), span }
    }

    /// True if this report is a violation, i.e. the URL is invalid.
    pub const fn is_violation(&self) -> bool {
        matches!(self.level, Level::Error)
    }
}
