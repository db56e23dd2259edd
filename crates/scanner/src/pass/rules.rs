//! What a pass goes by: the settings, and the tables that follow from them.

use crate::options::{Engine, Settings};
use crate::read::name::Wanted;
use crate::read::near_miss::Literals;
use crate::scheme::Schemes;
use crate::scheme::anchor::{self, Anchor};
use crate::trigger::Trigger;
use urlsift_core::Profile;

/// The settings of a scanner, and what is worked out of them once.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) settings: Settings,
    pub(crate) schemes: Schemes,
    pub(crate) trigger: Trigger,
    /// What is looked for by name, where something is.
    pub(crate) literals: Option<Literals>,
    /// What is looked for between URLs.
    pub(crate) names: Wanted,
    /// Whether letters outside US-ASCII belong to bare URLs.
    pub(crate) iri: bool,
    /// Whether the common URL is read at once. Near misses are for the readers, which see all there is.
    pub(crate) is_fast: bool,
}

impl Rules {
    pub(crate) fn new(settings: Settings) -> Self {
        let schemes = Schemes::new(settings.profile, &settings.schemes);
        let without_slashes = schemes.without_slashes().chain(["url"]);
        Self {
            trigger: Trigger::new(settings.engine, without_slashes, &schemes.endings()),
            literals: Literals::new(settings.near_misses, settings.schemeless),
            names: Wanted { emails: settings.emails, hosts: settings.hosts },
            iri: settings.profile == Profile::Web,
            is_fast: settings.engine != Engine::Reference && !settings.near_misses,
            schemes,
            settings,
        }
    }

    /// Where near misses are looked for: where what may be a scheme before `colon` starts.
    pub(super) fn name_before(&self, text: &[u8], colon: usize) -> Option<usize> {
        self.settings.near_misses.then(|| anchor::name_start(text, colon))
    }

    /// The scheme that a bare URL at `colon` would have, whose name may start at `name`, if that is known.
    pub(super) fn anchor_at(
        &self,
        text: &[u8],
        colon: usize,
        name: Option<usize>,
    ) -> Option<Anchor> {
        if !self.trigger.accepts(text, colon) {
            return None;
        }
        anchor::at(text, colon, name, &self.schemes, self.schemes.is_modern())
    }
}
