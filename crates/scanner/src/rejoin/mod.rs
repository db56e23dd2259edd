//! Whether a bare URL goes on after a line break.

use crate::{Grade, Input, JoinKind, Rejoin};
use urlsift_core::Span;

/// A URL that reaches the end of its line, and what is known about the place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    pub(crate) input: &'a Input<'a>,
    /// The URL so far on this line, untrimmed, up to the blanks before the break.
    pub(crate) url: Span,
    /// Offset of the line break (the CR of a CRLF).
    pub(crate) break_at: usize,
    /// The bracket or quote that opened before the URL and is still open.
    pub(crate) opener: Option<u8>,
    /// The number of quote marks before the line.
    pub(crate) quote_depth: u32,
    pub(crate) level: Rejoin,
    /// The URL's text so far, without layout.
    pub(crate) joined_so_far: &'a [u8],
}

/// Where the URL goes on, and how we know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Continuation {
    /// Where the URL's text goes on, on the next line.
    pub(crate) resume: usize,
    pub(crate) kind: JoinKind,
    pub(crate) grade: Grade,
}

/// Facts about one text that are worth keeping between decisions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {}

/// Decides whether the URL goes on on the next line.
pub(crate) fn decide(site: &Site<'_>, memo: &mut Memo) -> Option<Continuation> {
    let _ = (site.input, site.url, site.break_at, site.opener, site.quote_depth);
    let _ = (site.level, site.joined_so_far, memo);
    None
}
