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
