//! The result of the parsers: the offsets of the parts of a URL.

use crate::scheme::{Grammar, Scheme};

/// The offset of an absent part.
pub(crate) const NONE: usize = usize::MAX;

/// The offsets at which a parsed URL is split: those of the delimiters that all schemes share. The
/// text after the authority is split on demand by the scheme's own module.
///
/// Offsets are `usize`, so there is no maximum length of URLs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    /// The scheme whose production accepted the URL. [`Scheme::Other`] if the profile has no
    /// production for the scheme.
    pub(crate) scheme: Scheme,
    /// The grammar that accepted the URL.
    pub(crate) grammar: Grammar,
    /// The offset of the colon after the scheme.
    pub(crate) colon: usize,
    /// The offset after `//`, or [`NONE`] without an authority.
    pub(crate) authority: usize,
    /// The offset of the colon before the password, or [`NONE`].
    pub(crate) password: usize,
    /// The offset of the `@` after the userinfo, or [`NONE`].
    pub(crate) at_sign: usize,
    /// The end of the host. See [`Self::host_start`].
    pub(crate) host_end: usize,
    /// The end of the authority.
    pub(crate) authority_end: usize,
    /// The end of the URL without its fragment.
    pub(crate) end: usize,
}

impl Parts {
    /// Creates the parts of a URL without an authority. `colon` is the offset of the colon after
    /// the scheme.
    pub(crate) const fn new(scheme: Scheme, grammar: Grammar, colon: usize) -> Self {
        Self {
            scheme,
            grammar,
            colon,
            authority: NONE,
            password: NONE,
            at_sign: NONE,
            host_end: NONE,
            authority_end: NONE,
            end: NONE,
        }
    }

    /// Removes the authority from the parts. Call this if the text after `//` turned out not to be
    /// an authority.
    pub(crate) const fn without_authority(self) -> Self {
        Self { end: self.end, ..Self::new(self.scheme, self.grammar, self.colon) }
    }

    /// Returns the offset at which the host starts, or `None` if there is no authority.
    pub(crate) const fn host_start(&self) -> Option<usize> {
        if self.authority == NONE {
            None
        } else if self.at_sign == NONE {
            Some(self.authority)
        } else {
            Some(self.at_sign + 1)
        }
    }
}
