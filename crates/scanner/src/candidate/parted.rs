//! How a candidate differs from what is written.

use super::seam::Seam;
use urlsift_core::Span;

/// How a candidate differs from what is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Parted {
    /// By one break, as most that have any.
    Once(Seam),
    /// By its breaks.
    Broken(Vec<Seam>),
    /// By its breaks, of which one is of quoted-printable that was not decoded, and by that encoding's escapes.
    Encoded(Vec<Seam>),
    /// A locator, by what it means.
    Meant(Meant),
}

/// The URL that a locator means: a scheme, and pieces of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meant {
    pub(crate) scheme: &'static str,
    pub(crate) pieces: Vec<Span>,
}

/// A URL that is being put together over breaks. Kept from one broken URL to the next, so that none allocates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    /// The URL without layout; empty as long as it is not broken.
    pub(crate) joined: Vec<u8>,
    pub(crate) seams: Vec<Seam>,
    /// Room for what a candidate holds of it.
    pub(crate) parted: Option<Box<Parted>>,
}

impl Pieces {
    /// Returns the URL so far, of which `line` is the part on its first line.
    pub(crate) fn url<'a>(&'a self, line: &'a [u8]) -> &'a [u8] {
        if self.seams.is_empty() { line } else { &self.joined }
    }

    /// Appends the piece after a break, and drops the last `cut` bytes before it; `line` is the URL's part on its first line.
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
