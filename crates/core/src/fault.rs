//! The offset at which parsing fails.

use crate::{Code, Span};

/// The byte at which a text can no longer be the beginning of a URL (its length, if the text is
/// merely incomplete), or the breach of a rule that no grammar carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    /// The rule broken by a text that the grammar accepts, and the end of the part that breaks it.
    pub(crate) prose: Option<(Code, usize)>,
}

impl Fault {
    pub(crate) const fn at(at: usize) -> Self {
        Self { at, prose: None }
    }

    pub(crate) const fn prose(code: Code, span: Span) -> Self {
        Self { at: span.start, prose: Some((code, span.end)) }
    }
}
