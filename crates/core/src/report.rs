//! Violations and findings: what can be said against a URL.

use crate::{Code, Level, Span};
use core::fmt;

/// Why a URL is invalid, and where: the error of [`parse()`](crate::parse()).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Report {
    /// The rule.
    pub code: Code,
    /// How grave. Most codes have one level; see [`Code::level`].
    pub level: Level,
    /// Where, in bytes within the URL.
    pub span: Span,
}

impl Report {
    /// Whether this makes the URL invalid.
    pub const fn is_violation(&self) -> bool {
        matches!(self.level, Level::Error)
    }
}
