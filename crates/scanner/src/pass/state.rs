//! What a pass hands on to the next one over the same text.

use crate::read::name::Searched;
use crate::rejoin::Cache;

/// The position of a scan in a text, and what it needs of the text before: see
/// [`Scanner::find_from`](crate::Scanner::find_from).
#[derive(Clone, Debug)]
pub struct State {
    /// The first byte that no anchor was sought at.
    pub(crate) next: usize,
    /// No URL starts before this byte: an earlier one holds it.
    pub(super) floor: usize,
    /// The last `<` that turned out to open no wrapper.
    pub(super) plain: Option<usize>,
    /// The rest of an extent that was too long.
    pub(super) overlong: Option<Overlong>,
    /// How far names were sought between URLs.
    pub(super) names: Searched,
    /// What need not be found once more; while a pass goes on it has that itself.
    pub(super) cache: Option<Box<Cache>>,
}

impl State {
    /// Nothing is known of the text before byte `from`.
    pub const fn at(from: usize) -> Self {
        let names = Searched::up_to(from);
        Self { next: from, floor: from, plain: None, overlong: None, names, cache: None }
    }

    /// Moves the state out, caches included; `self` keeps its positions but loses its caches.
    pub(crate) fn take(&mut self) -> Self {
        Self { cache: self.cache.take(), ..*self }
    }

    /// The first byte that no URL was sought at.
    pub const fn next(&self) -> usize {
        self.next
    }

    /// The state for a text that has lost its first `by` bytes, all of them before [`State::next`].
    #[must_use]
    pub fn moved(self, by: usize) -> Self {
        Self {
            next: self.next - by,
            floor: self.floor.saturating_sub(by),
            plain: self.plain.and_then(|at| at.checked_sub(by)),
            overlong: self.overlong.and_then(|overlong| overlong.moved(by)),
            names: self.names.moved(by),
            cache: self.cache.map(|cache| Box::new(cache.moved(by))),
        }
    }
}

/// An extent beyond the greatest length of a URL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlong {
    /// The last place in it where a URL could start.
    pub(super) last: usize,
    /// How far it is known to run.
    pub(super) end: usize,
}

impl Overlong {
    /// What is left of it in a text that has lost its first `by` bytes; `None` if that is part of it.
    fn moved(self, by: usize) -> Option<Self> {
        Some(Self { last: self.last.checked_sub(by)?, end: self.end.checked_sub(by)? })
    }
}
