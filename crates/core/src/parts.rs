//! Offsets of the parts of a URL.

use crate::scheme::{Grammar, Scheme};

/// No such part.
pub(crate) const NONE: usize = usize::MAX;

/// Offsets of the delimiters that all schemes share. The text after the authority is split by the
/// scheme's own module, on demand.
///
/// Offsets are `usize`, so that URLs have no maximum length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    /// Whose production accepted the URL; [`Scheme::Other`] also for the schemes that the profile
    /// does not know.
    pub(crate) scheme: Scheme,
    pub(crate) grammar: Grammar,
    /// The colon after the scheme.
    pub(crate) colon: usize,
    /// The byte after `//`, or [`NONE`] without an authority.
    pub(crate) authority: usize,
    /// The first colon of the userinfo, or [`NONE`].
    pub(crate) password: usize,
    /// The `@` after the userinfo, or [`NONE`].
    pub(crate) at_sign: usize,
    /// The end of the host; its start follows from the above.
    pub(crate) host_end: usize,
    /// The end of the authority.
    pub(crate) authority_end: usize,
    /// The end of the URL proper: the text's end or its fragment's `#`.
    pub(crate) end: usize,
}

impl Parts {
    /// Returns the parts of a URL with only the scheme set.
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

    /// Removes the authority, if it turned out not to be one.
    pub(crate) const fn without_authority(self) -> Self {
        Self { end: self.end, ..Self::new(self.scheme, self.grammar, self.colon) }
    }

    /// Returns the start of the host, if there is an authority.
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
