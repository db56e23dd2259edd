//! Types for URLs that are not written in one piece: they are broken over lines, or made from a
//! locator.

use super::seam::Seam;
use urlsift_core::Span;

/// The differences between a URL and the text that it is written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SplitUrl {
    /// The URL has one break, which is the most frequent case.
    OneBreak(Seam),
    /// The URL has several breaks.
    Breaks(Vec<Seam>),
    /// The URL has breaks, at least one of them a soft break of undecoded quoted-printable. It may
    /// also contain escapes of that encoding.
    EncodedBreaks(Vec<Seam>),
    /// The candidate is a locator (`ftp.uu.net:/pub`), with the URL that it denotes.
    Locator(LocatorUrl),
}

/// The ftp URL that a locator such as `ftp.uu.net:/pub` denotes, as a scheme and pieces of the
/// text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocatorUrl {
    /// The scheme with its delimiter, such as `ftp://`.
    pub(crate) scheme: &'static str,
    /// The spans of the text that follow the scheme in the URL, in order.
    pub(crate) pieces: Vec<Span>,
}

/// Buffers for a URL whose parts are being joined over breaks. They are reused for the next broken
/// URL to avoid allocations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    /// The URL without layout; empty as long as there is no break.
    pub(crate) joined: Vec<u8>,
    /// The breaks so far.
    pub(crate) seams: Vec<Seam>,
    /// An allocation that is reused for the next candidate.
    pub(crate) split: Option<Box<SplitUrl>>,
}

impl Pieces {
    /// Returns the URL that was joined so far. `line` is its part on the first line.
    pub(crate) fn url<'a>(&'a self, line: &'a [u8]) -> &'a [u8] {
        if self.seams.is_empty() { line } else { &self.joined }
    }

    /// Removes the last `cut` bytes of the URL that was joined so far, and appends `piece`, its
    /// next part after the break `seam`. `line` is the URL's part on the first line.
    pub(crate) fn append_after_break(&mut self, line: &[u8], cut: usize, seam: Seam, piece: &[u8]) {
        if self.seams.is_empty() {
            self.joined.extend_from_slice(&line[..line.len() - cut]);
        } else {
            self.joined.truncate(self.joined.len() - cut);
        }
        self.joined.extend_from_slice(piece);
        self.seams.push(seam);
    }
}
