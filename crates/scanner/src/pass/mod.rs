//! One pass over a text.
//!
//! Everything is judged at anchors (see `trigger`), each of which is looked at once. Whether a URL
//! starts at an anchor is a matter of at most 64 KiB before it, never of the whole text before it,
//! so that a text gives the same URLs whole, in chunks, and cut over many threads:
//!
//! - A wrapper holds no `<` but its own, so only the nearest `<` before an anchor can cover it.
//! - A bare URL covers the extent that it starts, whose end is the same for every start within it.
//! - An extent longer than the greatest URL is one truncated URL; within it no further one starts,
//!   unless none could have started within 64 KiB before.

mod overlong;

use crate::candidate::{Candidate, Form, NearMiss};
use crate::extent::Reach;
use crate::fast::prefilter::Idle;
use crate::fast::{self, Past, Usual};
use crate::read::bare::{self, First};
use crate::read::locator;
use crate::read::near_miss::{self, Literal};
use crate::read::wrapper::{self, Found};
use crate::rejoin::{self, Memo};
use crate::scanner::Inner;
use crate::scheme::SCHEME_BYTE;
use crate::scheme::anchor::{self, Anchor};
use crate::trigger::Anchors;
use crate::{Input, Rejoin};
use overlong::Overlong;
use urlsift_core::Span;

/// The candidates of one text, in text order, not overlapping: see [`Scanner::find`].
#[derive(Clone, Debug)]
pub struct Candidates<'s, 't> {
    scanner: &'s Inner,
    input: Input<'t>,
    /// Those left out that lie within an earlier URL.
    anchors: Anchors<'s, 't>,
    /// Anchors from here on are left alone.
    limit: usize,
    state: State,
    /// The next anchor and the next literal, where both are looked for.
    colon: Option<usize>,
    literal: Option<(Span, Literal)>,
    /// Literals from here on are still to be sought; the greatest number if there are no more.
    searched: usize,
    /// Further URLs of the last wrapper, last first.
    pending: Vec<Candidate<'t>>,
    memo: Memo,
    idle: Idle,
    /// Where the last URL of this pass ended, its extent and all: no wrapper opens within it.
    left: usize,
    /// What was found last.
    found: Candidate<'t>,
}

/// How far a pass has come, and what it must remember of the text before.
#[derive(Clone, Debug)]
pub struct State {
    /// The first byte that no anchor was sought at.
    pub(crate) next: usize,
    /// No URL starts before this byte: an earlier one holds it.
    floor: usize,
    /// The last `<` that turned out to open no wrapper.
    plain: Option<usize>,
    /// The rest of an extent that was too long.
    overlong: Option<Overlong>,
    /// What need not be found once more; while a pass goes on it has that itself.
    memo: Option<Box<Memo>>,
}

impl State {
    /// Nothing is known of the text before byte `from`.
    pub const fn at(from: usize) -> Self {
        Self { next: from, floor: from, plain: None, overlong: None, memo: None }
    }

    /// The same with all that need not be found once more, which is gone from this one then.
    pub(crate) fn take(&mut self) -> Self {
        Self { memo: self.memo.take(), ..*self }
    }

    /// The first byte that no URL was sought at.
    pub const fn next(&self) -> usize {
        self.next
    }

    /// The same when the text has lost its first `by` bytes, all before [`State::next`].
    #[must_use]
    pub fn moved(self, by: usize) -> Self {
        Self {
            next: self.next - by,
            floor: self.floor.saturating_sub(by),
            plain: self.plain.and_then(|at| at.checked_sub(by)),
            overlong: self.overlong.and_then(|overlong| overlong.moved(by)),
            memo: self.memo.map(|memo| Box::new(memo.moved(by))),
        }
    }
}

impl<'s, 't> Candidates<'s, 't> {
    /// A pass that starts at byte `from`, with nothing known of the text before. There is one for each field of
    /// each header, so that all of it is made where it stays.
    #[inline]
    pub(crate) fn begin(scanner: &'s Inner, input: Input<'t>, from: usize, limit: usize) -> Self {
        Self {
            scanner,
            input,
            anchors: scanner.trigger.anchors(input.text, from),
            limit,
            colon: None,
            literal: None,
            searched: from,
            state: State::at(from),
            pending: Vec::new(),
            memo: Memo::default(),
            idle: Idle::default(),
            left: usize::MAX,
            found: Candidate::NONE,
        }
    }

    /// A pass that goes on where another stopped.
    pub(crate) fn resume(
        scanner: &'s Inner,
        input: Input<'t>,
        mut state: State,
        limit: usize,
    ) -> Self {
        let memo = state.memo.take();
        let from = state.next.max(state.floor);
        let mut candidates = Self { state, ..Self::begin(scanner, input, from, limit) };
        if let Some(memo) = memo {
            candidates.memo = *memo;
        }
        candidates
    }

    /// As [`Iterator::next`], but the candidate stays where it is: on link lists to move it is a
    /// twentieth of the work.
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().build();
    /// let mut candidates = scanner.find_iter(b"http://a.dom and http://b.dom");
    /// let mut starts = Vec::new();
    /// while let Some(candidate) = candidates.advance() {
    ///     starts.push(candidate.span().start);
    /// }
    /// assert_eq!(starts, [0, 17]);
    /// ```
    pub fn advance(&mut self) -> Option<&Candidate<'t>> {
        self.seek().then_some(&self.found)
    }

    /// Looks for the next candidate. Returns whether there is one.
    fn seek(&mut self) -> bool {
        if !self.pending.is_empty() {
            return self.next_pending();
        }
        if self.scanner.literals.is_some() {
            return self.seek_among_literals();
        }
        // Nothing is looked for but anchors.
        while let Some(colon) = self.anchors.next_colon()
            && colon < self.limit
        {
            if self.judge(colon) {
                return true;
            }
        }
        false
    }

    #[cold]
    fn next_pending(&mut self) -> bool {
        if let Some(candidate) = self.pending.pop() {
            self.found = candidate;
        }
        true
    }

    /// As [`Self::seek`], where something is looked for by name.
    #[inline(never)]
    fn seek_among_literals(&mut self) -> bool {
        loop {
            match self.next_place() {
                Some(Place::Colon(colon)) if colon < self.state.floor => {}
                Some(Place::Colon(colon)) if colon < self.limit => {
                    if !self.is_idle(colon) && self.judge_other(colon) {
                        return true;
                    }
                }
                Some(Place::Literal(at, literal)) if at.start < self.limit => {
                    if let Some(candidate) = self.literal(at, literal) {
                        self.found = candidate;
                        return true;
                    }
                }
                _ => return false,
            }
        }
    }

    /// What a pass over a longer text must know to go on; for when this one is at its end.
    pub fn into_state(self) -> State {
        let len = self.input.text.len();
        let memo = Some(Box::new(self.memo.gone_on(len)));
        State { next: self.limit.min(len), memo, ..self.state }
    }

    fn reach(&self) -> Reach<'s> {
        Reach {
            schemes: &self.scanner.schemes,
            surveyor: &self.scanner.surveyor,
            charset: self.input.charset,
            iri: self.scanner.iri,
        }
    }

    /// What stands before byte `end` belongs to a URL that was found.
    fn leave(&mut self, end: usize) {
        self.state.floor = end;
        self.left = end;
        self.anchors.seek(end);
    }

    /// Whether it is plain that nothing is at the anchor `colon`.
    #[inline(never)]
    fn is_idle(&mut self, colon: usize) -> bool {
        let text = self.input.text;
        match colon.checked_sub(1).and_then(|at| text.get(at..)?.first_chunk()) {
            Some([before, b':', b'/', b'/']) if SCHEME_BYTE[usize::from(*before)] => false,
            _ => self.scanner.only_urls && self.idle.holds(text, colon, &self.scanner.schemes),
        }
    }

    /// Looks for a candidate at `colon`, which is one if it is an anchor. Returns whether there is one.
    #[inline(always)]
    fn judge(&mut self, colon: usize) -> bool {
        if self.state.overlong.is_none() && !self.scanner.settings.near_misses {
            let past = self.past();
            let level = self.scanner.settings.rejoin;
            let reach = self.reach();
            // Where a scheme and its slashes stand there is an anchor.
            if let Some(url) = fast::web(&self.input, colon, &past, reach, level, &mut self.memo) {
                if url.is_broken {
                    return self.follow(&url.first(colon)) || self.judge_other(colon);
                }
                self.take_usual(&url);
                return true;
            }
            if !self.anchors.accepts(colon) {
                return false;
            }
            let wrapped =
                fast::wrapped_web(&self.input, colon, &past, reach, level, &mut self.memo);
            if let Some(is_found) = self.settle(wrapped) {
                return is_found;
            }
        } else if !self.anchors.accepts(colon) {
            return false;
        }
        !self.is_idle(colon) && self.judge_other(colon)
    }

    /// Takes a URL that was read the short way.
    #[inline(always)]
    fn take_usual(&mut self, url: &fast::Taken) {
        self.leave(url.end);
        // The last one seldom holds anything that must be dropped.
        if self.found.parted.is_some() {
            self.found.parted = None;
        }
        self.found = url.candidate(self.input.text);
    }

    /// Takes what was read the short way. Whether that is a candidate; `None` if it takes a closer look.
    #[inline(always)]
    fn settle(&mut self, usual: Option<Usual>) -> Option<bool> {
        match usual? {
            Usual::Url(url) => {
                self.take_usual(&url);
                Some(true)
            }
            Usual::Nothing(open) => {
                self.state.plain = Some(open);
                Some(false)
            }
            Usual::Unclosed(open, url) => {
                self.state.plain = Some(open);
                // Else its own colon may be left to another pass.
                let is_taken = url.end <= self.limit;
                if is_taken {
                    self.take_usual(&url);
                }
                Some(is_taken)
            }
            Usual::Broken(first) => self.follow(&first).then_some(true),
        }
    }

    /// The same for what is no usual web URL; for others it only takes longer.
    #[inline(never)]
    fn judge_other(&mut self, colon: usize) -> bool {
        if self.state.overlong.is_none() && !self.scanner.settings.near_misses {
            let usual = self.usual(colon);
            if let Some(is_found) = self.settle(usual) {
                return is_found;
            }
        }
        let found = self.judge_unusual(colon);
        let is_found = found.is_some();
        if let Some(candidate) = found {
            self.found = candidate;
        }
        is_found
    }

    fn past(&self) -> Past {
        Past { left: self.left, floor: self.state.floor, plain: self.state.plain }
    }

    #[inline]
    fn usual(&mut self, colon: usize) -> Option<Usual> {
        let past = self.past();
        let level = self.scanner.settings.rejoin;
        fast::read(&self.input, colon, past, self.reach(), level, &mut self.memo)
    }

    /// The same the long way.
    #[inline(never)]
    fn judge_unusual(&mut self, colon: usize) -> Option<Candidate<'t>> {
        let open = wrapper::open_before(&self.input, colon, &self.scanner.schemes);
        if let Some(open) = open
            && self.state.plain != Some(open)
            && let Some(candidate) = self.wrapped(open)
        {
            return Some(candidate);
        }
        let text = self.input.text;
        if self.scanner.settings.near_misses
            && let Some(near) = near_miss::at_colon(&self.scanner.schemes, text, colon)
        {
            return self
                .may_take(near.start)
                .then(|| near.read(text, self.reach()))
                .map(|found| self.take(found));
        }
        let found = self.scanner.anchor_at(text, colon).and_then(|anchor| self.bare(&anchor));
        if found.is_some() {
            return found;
        }
        let locator = self.scanner.settings.locators.then(|| locator::at(text, colon)).flatten()?;
        self.may_take(locator.start)
            .then(|| locator.read(text, self.reach()))
            .map(|found| self.take(found))
    }

    /// The first URL of the wrapper that opens with the `<` at byte `open`.
    fn wrapped(&mut self, open: usize) -> Option<Candidate<'t>> {
        let rejoin = self.scanner.settings.rejoin;
        match wrapper::read(&self.input, open, &self.scanner.schemes, rejoin) {
            Found::None => {
                self.state.plain = Some(open);
                let miss = self.scanner.settings.near_misses;
                let miss =
                    miss.then(|| near_miss::wrapped_host(self.input.text, open)).flatten()?;
                let end = miss.whole.end;
                self.may_take(miss.whole.start).then(|| self.take((miss, end)))
            }
            Found::One(mut candidate) => {
                self.leave(candidate.whole.end);
                self.prefer(&mut candidate);
                Some(candidate)
            }
            Found::Many(mut all) => {
                for candidate in &mut all {
                    self.prefer(candidate);
                }
                all.reverse();
                let first = all.pop()?;
                self.leave(first.whole.end);
                self.pending = all;
                Some(first)
            }
        }
    }

    /// Takes the hyphens at a wrapper's breaks as the text nearby takes them.
    fn prefer(&mut self, candidate: &mut Candidate<'_>) {
        if self.scanner.settings.rejoin > Rejoin::Off {
            rejoin::prefer_readings(&self.input, candidate, &mut self.memo);
        }
    }

    /// The bare URL that starts at `anchor`.
    fn bare(&mut self, anchor: &Anchor) -> Option<Candidate<'t>> {
        let text = self.input.text;
        let level = self.scanner.settings.rejoin;
        let accepted =
            anchor.accepts(text, self.scanner.iri) || rejoin::may_start(text, anchor.colon, level);
        if !accepted
            || self.is_overlong(anchor.start, anchor.colon)
            || anchor.start < self.state.floor
        {
            return None;
        }
        let bare = bare::read(&self.input, anchor, self.reach(), level, &mut self.memo);
        if bare.candidate.is_some() {
            self.leave(bare.end);
        }
        if bare.truncated {
            self.pass_over(anchor.start, bare.end);
        }
        let near_misses = self.scanner.settings.near_misses;
        bare.candidate.map(|mut candidate| {
            if near_misses && let Some(open) = near_miss::unclosed(text, &candidate) {
                candidate.form = Form::NearMiss;
                candidate.near_miss = Some(NearMiss::UnclosedWrapper);
                candidate.whole.start = open;
            }
            candidate
        })
    }

    /// Looks for the bare URL of which the first line is read. Returns whether there is one, and has done
    /// nothing if not.
    #[inline(never)]
    fn follow(&mut self, first: &First) -> bool {
        let level = self.scanner.settings.rejoin;
        let bare = bare::follow(&self.input, first, self.reach(), level, &mut self.memo);
        let Some(candidate) = bare.candidate else { return false };
        self.found = candidate;
        self.leave(bare.end);
        if bare.truncated {
            self.pass_over(first.start, bare.end);
        }
        true
    }

    /// What was found by name at `at`.
    fn literal(&mut self, at: Span, literal: Literal) -> Option<Candidate<'t>> {
        let text = self.input.text;
        let near = near_miss::at_literal(text, at, literal)?;
        if !self.may_take(near.start) {
            return None;
        }
        let found = near.read(text, self.reach());
        if self.scanner.settings.locators
            && near.form == Form::Schemeless
            && text[found.1..].starts_with(b":/")
        {
            // `ftp.uu.net:/pub` says more than a host does.
            return None;
        }
        Some(self.take(found))
    }

    /// Whether something other than a URL can start at byte `start`, for all that stands before it.
    fn may_take(&mut self, start: usize) -> bool {
        !self.is_overlong(start, start) && start >= self.state.floor
    }

    /// Takes a candidate other than a URL, whose extent ends at byte `end`.
    fn take(&mut self, (candidate, end): (Candidate<'t>, usize)) -> Candidate<'t> {
        self.leave(end.max(candidate.whole.end));
        if candidate.truncated {
            self.pass_over(candidate.span.start, end);
        }
        candidate
    }

    /// The next literal and the next anchor, whichever comes first.
    fn next_place(&mut self) -> Option<Place> {
        if self.colon.is_none() {
            self.colon = self.anchors.next();
        }
        if let Some(literals) = &self.scanner.literals {
            let floor = self.state.floor.max(self.searched);
            if self.literal.is_none_or(|(at, _)| at.start < floor) && self.searched != usize::MAX {
                self.literal = literals.next(self.input.text, floor);
                if self.literal.is_none() {
                    self.searched = usize::MAX;
                }
            }
            if let Some((at, literal)) = self.literal
                && self.colon.is_none_or(|colon| at.start < colon)
            {
                self.searched = at.start + 1;
                self.literal = None;
                return Some(Place::Literal(at, literal));
            }
        }
        self.colon.take().map(Place::Colon)
    }
}

/// A place that is looked at.
#[derive(Clone, Copy, Debug)]
enum Place {
    Colon(usize),
    Literal(Span, Literal),
}

impl Inner {
    /// The scheme that a bare URL at `colon` would have.
    fn anchor_at(&self, text: &[u8], colon: usize) -> Option<Anchor> {
        if !self.trigger.accepts(text, colon) {
            return None;
        }
        anchor::at(text, colon, &self.schemes, self.cut_glue)
    }
}

impl<'t> Iterator for Candidates<'_, 't> {
    type Item = Candidate<'t>;

    fn next(&mut self) -> Option<Candidate<'t>> {
        self.seek().then(|| std::mem::replace(&mut self.found, Candidate::NONE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::NO_HOST;
    use crate::{Rejoin, Scanner};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// Where the short way gives a URL, the long way gives the same one.
        #[test]
        fn the_short_way_is_no_other_way(
            pieces in proptest::collection::vec(proptest::sample::select(&[
                "http://", "https://", "HTTP://", "ftp://", "xhttp://", "<URL:", "<url: ", "URL:", "<", ">", "h.dom", "a", "/b/c",
                "(", ")", "'", "\"", ".", ",", ";", " ", "\n", "\r\n", "\t", "word ", "> ", "://", ":80", "&amp;", "&lt;", "[::1]",
                "](", "*", "_", "mailto:", "news:", "mailto:a-b.c@h.dom", "news:a.b@c", "news:a.b", "?subject=a-b", "+", "<news:a_b@c.d>", "<mailto:a@h.dom?", "gopher://", "telnet://", "Telnet://", ":8080/", "@", "é", "\u{a0}", "を", "=", "-", "%41", "\x1b(B", "# ", "1", "\x7f",
                "#", "?", "/a/path/that/is/longer/than/a/single/look/at/the/bytes/of/a/url?and=a&query=with&gt=more",
            ][..]), 0..24),
            tail in proptest::sample::select(&["", "#", "?", "..", "&"][..]),
            level in proptest::sample::select(&[Rejoin::Off, Rejoin::Certain, Rejoin::Likely][..]),
            // More and less room behind the last URL than a survey looks at.
            words in proptest::sample::select(&[0_usize, 1, 5, 16][..]),
        ) {
            let text = pieces.concat() + tail + &" word".repeat(words);
            let text = text.as_bytes();
            let scanner = Scanner::builder().rejoin(level).build();
            let mut pass = scanner.find_iter(text);
            while let Some(colon) = pass.anchors.next() {
                let mut long = pass.clone();
                let unusual = long.judge_unusual(colon);
                let is_told_well = |found: &Candidate<'_>| {
                    if found.plain_host > 0 {
                        let url = found.url();
                        let judged = urlsift_core::parse(&url, urlsift_core::Profile::Web).unwrap();
                        let host = judged.host().map(|host| u8::try_from(host.len()).unwrap());
                        prop_assert_eq!(host.unwrap_or(NO_HOST), found.plain_host);
                    }
                    Ok::<_, TestCaseError>(())
                };
                let is_same = |url: fast::Taken, unusual: &Option<_>, long: &Candidates<'_, '_>| {
                    let found = url.candidate(text);
                    is_told_well(&found)?;
                    let found = Candidate { plain_host: 0, ..found };
                    prop_assert_eq!(format!("{:?}", Some(found)), format!("{unusual:?}"));
                    prop_assert_eq!(url.end, long.state.floor);
                    Ok::<_, TestCaseError>(())
                };
                let is_followed = |pass: &mut Candidates<'_, '_>, first: &First, unusual: &Option<_>, long: &Candidates<'_, '_>| {
                    if pass.follow(first) {
                        let found = pass.found.clone();
                        is_told_well(&found)?;
                        prop_assert_eq!(format!("{:?}", Some(found)), format!("{unusual:?}"));
                        prop_assert_eq!(pass.state.floor, long.state.floor);
                    }
                    Ok::<_, TestCaseError>(())
                };
                let mut short = pass.clone();
                let past = short.past();
                let reach = pass.reach();
                match fast::web(&short.input, colon, &past, reach, level, &mut short.memo) {
                    Some(url) if url.is_broken => {
                        is_followed(&mut short, &url.first(colon), &unusual, &long)?;
                    }
                    Some(url) => is_same(url, &unusual, &long)?,
                    None => {}
                }
                let wrapped =
                    fast::wrapped_web(&short.input, colon, &past, reach, level, &mut short.memo);
                match wrapped {
                    Some(Usual::Url(url)) => is_same(url, &unusual, &long)?,
                    Some(Usual::Nothing(open)) => prop_assert_eq!(long.state.plain, Some(open)),
                    Some(Usual::Unclosed(open, url)) => {
                        prop_assert!(unusual.is_none());
                        prop_assert_eq!(long.state.plain, Some(open));
                        // The next colon is its own.
                        let mut next = long.clone();
                        let own = next.anchors.next().unwrap();
                        is_same(url, &next.judge_unusual(own), &next)?;
                    }
                    Some(Usual::Broken(_)) | None => {}
                }
                let short = pass.usual(colon);
                if pass.idle.holds(text, colon, &scanner.0.schemes) {
                    prop_assert!(unusual.is_none());
                }
                match short {
                    Some(Usual::Url(url)) => is_same(url, &unusual, &long)?,
                    Some(Usual::Nothing(open)) => {
                        prop_assert!(unusual.is_none());
                        prop_assert_eq!(long.state.plain, Some(open));
                    }
                    Some(Usual::Broken(first)) => {
                        is_followed(&mut pass, &first, &unusual, &long)?;
                    }
                    Some(Usual::Unclosed(..)) | None => {}
                }
                pass = long;
            }
        }
    }
}
