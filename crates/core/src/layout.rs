//! What is known of a text's line breaks beyond its bytes.
//!
//! The rooms that read mail know which breaks of a `format=flowed` part are soft; the room that
//! joins URLs wants to know. Neither depends on the other, so the word they share stands here.

/// What kind of break stands between two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BreakKind {
    /// The line goes on: RFC 3676 §4.1 (a trailing space in a `format=flowed` part). The space
    /// before the break is the author's.
    Soft,
    /// The line goes on, and the space before the break was added by the sending program
    /// (RFC 3676 §4.1, `DelSp=yes`).
    SoftDelSp,
    /// The sender says that the paragraph ends here (a fixed line of a `format=flowed` part).
    Hard,
}

/// A line break about which the text's format says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Break {
    /// Byte offset of the break's first byte (the CR of a CRLF, else the LF).
    pub at: usize,
    /// What the format says about it.
    pub kind: BreakKind,
    /// The number of quote marks that the format strips from the *next* line.
    pub quote_depth: u32,
}
