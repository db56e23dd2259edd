//! Types for URLs that are not written in one piece.

use super::seam::Seam;
use urlsift_core::Span;

/// The way in which a URL differs from its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Parted {
    /// It has one break, like most that have any.
    Once(Seam),
    /// It has several breaks.
    Broken(Vec<Seam>),
    /// It has breaks, at least one of them of undecoded quoted-printable, and perhaps escapes of
    /// that encoding.
    Encoded(Vec<Seam>),
    /// It is a locator, with the URL that it denotes.
    Meant(Meant),
}

/// The URL that a locator denotes: a scheme, and pieces of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meant {
    pub(crate) scheme: &'static str,
    pub(crate) pieces: Vec<Span>,
}

/// The URL being joined over breaks. Reused from one broken URL to the next to avoid allocations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    /// The URL without layout; empty as long as there is no break.
    pub(crate) joined: Vec<u8>,
    pub(crate) seams: Vec<Seam>,
    /// An allocation to reuse for the next candidate.
    pub(crate) parted: Option<Box<Parted>>,
}

impl Pieces {
    /// Returns the URL so far; `line` is its part on the first line.
    pub(crate) fn url<'a>(&'a self, line: &'a [u8]) -> &'a [u8] {
        if self.seams.is_empty() { line } else { &self.joined }
    }

    /// Removes the last `cut` bytes of the URL so far and appends the piece after a break. `line`
    /// is the URL's part on the first line.
    pub(crate) fn join(&mut self, line: &[u8], cut: usize, seam: Seam, piece: &[u8]) {
        if self.seams.is_empty() {
            self.joined.extend_from_slice(&line[..line.len() - cut]);
        } else {
            self.joined.truncate(self.joined.len() - cut);
        }
        self.joined.extend_from_slice(piece);
        self.seams.push(seam);
    }
}
