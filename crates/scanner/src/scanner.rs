//! A scanner, and what it is told to look for.

use crate::options::Rejoin;
use crate::pass::Candidates;
use crate::read::near_miss::Literals;
use crate::scheme::Schemes;
use crate::simd::Surveyor;
use crate::trigger::Trigger;
use crate::{Input, extent};
use std::sync::Arc;
use urlsift_core::Profile;

/// Says what a [`Scanner`] looks for.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    pub(crate) profile: Profile,
    pub(crate) rejoin: Rejoin,
    pub(crate) schemes: Vec<String>,
    pub(crate) schemeless: bool,
    pub(crate) locators: bool,
    pub(crate) near_misses: bool,
}

impl Builder {
    /// The profile whose known schemes and characters bound what is found. Default: `web`.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// How far bare URLs are followed over line breaks.
    #[must_use]
    pub fn rejoin(mut self, rejoin: Rejoin) -> Self {
        self.rejoin = rejoin;
        self
    }

    /// A further scheme to look for, also without `//`. In any case; a trailing colon is dropped.
    #[must_use]
    pub fn scheme(mut self, name: &str) -> Self {
        self.schemes.push(name.trim_end_matches(':').to_ascii_lowercase());
        self
    }

    /// Whether to report hosts without a scheme.
    #[must_use]
    pub fn schemeless(mut self, yes: bool) -> Self {
        self.schemeless = yes;
        self
    }

    /// Whether to report the locators of USENET before there were URLs.
    #[must_use]
    pub fn locators(mut self, yes: bool) -> Self {
        self.locators = yes;
        self
    }

    /// Whether to report what is nearly a URL.
    #[must_use]
    pub fn near_misses(mut self, yes: bool) -> Self {
        self.near_misses = yes;
        self
    }

    /// The scanner.
    pub fn build(self) -> Scanner {
        let schemes = Schemes::new(self.profile, &self.schemes);
        let literals = Literals::new(self.near_misses, self.schemeless);
        let trigger = Trigger::new(schemes.without_slashes().chain(["url"]), &schemes.endings());
        Scanner(Arc::new(Inner {
            schemes,
            trigger,
            surveyor: extent::surveyor(),
            literals,
            iri: self.profile == Profile::Web,
            cut_glue: !matches!(self.profile, Profile::Rfc1738 | Profile::Cern1994),
            only_urls: !self.near_misses && !self.locators,
            settings: self,
        }))
    }
}

/// Finds URLs in texts.
///
/// Built once and shared between threads: a clone is one pointer to the same tables.
#[derive(Clone, Debug)]
pub struct Scanner(pub(crate) Arc<Inner>);

/// What a scanner is made of. Its tables are aligned to the vectors that read them, which the objects of
/// other languages are not: hence the `Arc`.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) settings: Builder,
    pub(crate) schemes: Schemes,
    pub(crate) trigger: Trigger,
    pub(crate) surveyor: Surveyor,
    /// What is looked for by name, where something is.
    pub(crate) literals: Option<Literals>,
    /// Whether letters outside US-ASCII belong to bare URLs.
    pub(crate) iri: bool,
    /// Whether letters glued to a scheme are cut off.
    pub(crate) cut_glue: bool,
    /// Whether nothing but URLs is looked for at colons.
    pub(crate) only_urls: bool,
}

impl Scanner {
    /// A scanner with other than the default settings.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The candidates of a plain text, in text order, not overlapping. Time is linear in the text.
    pub fn find_iter<'s, 't>(&'s self, text: &'t [u8]) -> Candidates<'s, 't> {
        self.find(Input::new(text))
    }

    /// The candidates of a text of which more is known.
    pub fn find<'s, 't>(&'s self, input: Input<'t>) -> Candidates<'s, 't> {
        Candidates::begin(&self.0, input, 0, usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scanner_is_one_pointer() {
        const fn is_shared<T: Send + Sync + Clone>() {}
        const { is_shared::<Scanner>() };
        assert_eq!(size_of::<Scanner>(), size_of::<usize>());
        assert_eq!(align_of::<Scanner>(), align_of::<usize>());
    }
}
