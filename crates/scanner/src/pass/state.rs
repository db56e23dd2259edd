//! The state that one pass passes to the next one over the same text.

use crate::read::name::SearchProgress;
use crate::rejoin::Cache;

/// The position of a scan in its text, with the facts about earlier text that the scan needs to
/// continue: see [`Scanner::find_from`](crate::Scanner::find_from).
#[derive(Clone, Debug)]
pub struct State {
    /// The first byte that was not searched for anchors.
    pub(crate) next: usize,
    /// The earliest offset at which a URL may start, because an earlier URL covers the text before
    /// it.
    pub(super) floor: usize,
    /// The offset of the last `<` that turned out not to open a wrapper.
    pub(super) plain_open: Option<usize>,
    /// The last extent that was longer than a URL may be, if it continues.
    pub(super) overlong: Option<Overlong>,
    /// The progress of the search for names between URLs.
    pub(super) names: SearchProgress,
    /// Cached results. `None` during a pass, which then owns the cache.
    pub(super) cache: Option<Box<Cache>>,
}

impl State {
    /// Returns the state of a scan that starts at byte `from`, with no information about the text
    /// before it.
    pub const fn starting_at(from: usize) -> Self {
        let names = SearchProgress::up_to(from);
        Self { next: from, floor: from, plain_open: None, overlong: None, names, cache: None }
    }

    /// Returns the state with its cache. Afterwards, `self` has the same offsets, but no cache.
    pub(crate) fn take_with_cache(&mut self) -> Self {
        Self { cache: self.cache.take(), ..*self }
    }

    /// Returns the offset of the first byte that was not searched for URLs yet.
    pub const fn next(&self) -> usize {
        self.next
    }

    /// Adapts the state after the first `by` bytes of the text were removed, by subtracting `by`
    /// from all offsets. The removed bytes must be before [`State::next`].
    #[must_use]
    pub fn without_first(self, by: usize) -> Self {
        Self {
            next: self.next - by,
            floor: self.floor.saturating_sub(by),
            plain_open: self.plain_open.and_then(|at| at.checked_sub(by)),
            overlong: self.overlong.and_then(|overlong| overlong.without_first(by)),
            names: self.names.without_first(by),
            cache: self.cache.map(|cache| Box::new(cache.after_removing(by))),
        }
    }
}

/// An extent (run of URL characters) that is longer than a URL may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlong {
    /// The last offset in it where a URL could start.
    pub(super) last: usize,
    /// The offset up to which the extent is known.
    pub(super) end: usize,
}

impl Overlong {
    /// Adapts the extent after the first `by` bytes of the text were removed. Returns `None` if
    /// part of the extent was removed.
    fn without_first(self, by: usize) -> Option<Self> {
        Some(Self { last: self.last.checked_sub(by)?, end: self.end.checked_sub(by)? })
    }
}
