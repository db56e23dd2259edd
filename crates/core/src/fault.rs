//! The error type of the parsers.

use crate::{Code, Span};

/// The error of a parser: the offset of the first byte at which the text can no longer be the start
/// of a valid URL. This is the text's length if the text is merely incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    /// For a text that matches the grammar but violates a rule in the standard's prose: the rule,
    /// and the end of the faulty part, which starts at `at`.
    pub(crate) prose: Option<(Code, usize)>,
}

impl Fault {
    /// Creates a fault at byte `at`, where the text stops matching the grammar.
    pub(crate) const fn at(at: usize) -> Self {
        Self { at, prose: None }
    }

    /// Creates a fault with the code and span to report, for a rule that is not part of the
    /// grammar.
    pub(crate) const fn with_code(code: Code, span: Span) -> Self {
        Self { at: span.start, prose: Some((code, span.end)) }
    }
}
