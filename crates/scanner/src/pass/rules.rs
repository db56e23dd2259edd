//! The settings of a scanner, and the tables derived from them.

use crate::candidate::{Candidate, Form};
use crate::options::{Engine, Settings};
use crate::read::name::NameKinds;
use crate::read::near_miss::Literals;
use crate::scheme::Schemes;
use crate::scheme::anchor::{self, Anchor};
use crate::trigger::Trigger;
use urlsift_core::Profile;

/// The settings of a scanner, together with the tables that are built from them once.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) settings: Settings,
    pub(crate) schemes: Schemes,
    pub(crate) trigger: Trigger,
    /// The literals to search for; `None` if the settings need none.
    pub(crate) literals: Option<Literals>,
    /// The kinds of names to search for between URLs.
    pub(crate) names: NameKinds,
    /// True if bare URLs may contain letters outside US-ASCII.
    pub(crate) iri: bool,
    /// True if the fast path is on. It is off for near misses, since only the general readers find
    /// them.
    pub(crate) is_fast: bool,
}

impl Rules {
    pub(crate) fn new(settings: Settings) -> Self {
        let mut schemes = Schemes::new(settings.profile, &settings.schemes);
        for name in &settings.only_schemes {
            if schemes.shape_of(name.as_bytes()).is_none() {
                schemes.add(name);
            }
        }
        // A URL of a common scheme may be broken before its slashes.
        let without_slashes =
            schemes.schemes_without_slashes().chain(["url"]).chain(anchor::COMMON);
        Self {
            trigger: Trigger::new(settings.engine, without_slashes, &schemes.last_letter_pairs()),
            literals: Literals::new(settings.near_misses, settings.schemeless),
            names: NameKinds { emails: settings.emails, hosts: settings.hosts },
            iri: settings.profile == Profile::Web,
            is_fast: settings.engine != Engine::Reference && !settings.near_misses,
            schemes,
            settings,
        }
    }

    /// True if the settings select the URLs of all schemes.
    #[inline]
    pub(super) fn selects_all(&self) -> bool {
        self.settings.only_schemes.is_empty()
    }

    /// True if the settings select the scheme of `candidate`.
    pub(super) fn selects(&self, candidate: &Candidate<'_>) -> bool {
        let only = &self.settings.only_schemes;
        self.selects_all()
            || candidate.form() == Form::NearMiss
            || only.contains(&candidate.scheme())
    }

    /// Returns the offset at which the possible scheme before `colon` starts. Returns `None` if
    /// near misses are off, because only they need it.
    pub(super) fn scheme_start_before(&self, text: &[u8], colon: usize) -> Option<usize> {
        self.settings.near_misses.then(|| anchor::scheme_start_without_noise(text, colon))
    }

    /// Returns the scheme at `colon` with which a bare URL starts, or `None` if there is none.
    /// `name` is the start of the possible scheme, if it is already known.
    pub(super) fn anchor_at(
        &self,
        text: &[u8],
        colon: usize,
        name: Option<usize>,
    ) -> Option<Anchor> {
        if !self.trigger.is_anchor(text, colon) {
            return None;
        }
        anchor::anchor_at(text, colon, name, &self.schemes, self.schemes.is_modern())
    }
}
