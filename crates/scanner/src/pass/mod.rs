//! One pass over a text.
//!
//! The scanner looks for URLs only at anchors (see `trigger`), and visits each anchor once. At most
//! the 64 KiB before an anchor, never the whole text before it, decide whether a URL starts there.
//! So a text gives the same URLs whole, in chunks, and split among threads:
//!
//! - A wrapper contains no `<` but its own, so only the nearest `<` before an anchor can open one
//!   around it.
//! - A bare URL covers its whole extent, which has the same end for every start within it.
//! - An extent longer than the maximum length of a URL is one truncated URL. No other URL starts
//!   within it, unless none could have started in the 64 KiB before.

mod overlong;
mod rules;
mod state;

pub(crate) use rules::Rules;
pub use state::State;

use crate::candidate::{Candidate, Form, NearMiss};
use crate::extent::ExtentRules;
use crate::fast::{self, Outcome, PassState, prefilter};
use crate::limits::{AFTER, MAX_WRAPPER, NEARBY};
use crate::options::{Engine, Settings};
use crate::read::bare::{self, FirstLine};
use crate::read::locator;
use crate::read::name;
use crate::read::near_miss::{self, Literal};
use crate::read::news_bracket;
use crate::read::wrapper::{self, WrapperUrls};
use crate::read::wrapper_start;
use crate::rejoin::{self, Cache, Continuation};
use crate::scheme;
use crate::scheme::anchor::Anchor;
use crate::text::{backslash, terminal};
use crate::trigger::Anchors;
use crate::{Input, Rejoin};
use urlsift_core::Span;

/// An iterator over the URLs and other candidates of one text, in text order and without overlaps.
/// It is returned by [`Scanner::find`](crate::Scanner::find).
///
/// ```
/// use urlsift_core::Profile;
/// use urlsift_scanner::Scanner;
/// let scanner = Scanner::builder().build();
/// let mut found = scanner.find_iter(b"http://a.dom/ http://..b.dom/ http://c.dom/");
/// // `advance` returns a reference, so no candidate is moved.
/// let mut valid = 0;
/// while let Some(candidate) = found.advance() {
///     valid += usize::from(candidate.is_valid(Profile::Web));
/// }
/// assert_eq!(valid, 2);
/// ```
#[derive(Clone, Debug)]
pub struct Candidates<'s, 't> {
    scanner: &'s Rules,
    input: Input<'t>,
    /// The anchors, except those within a URL already found.
    anchors: Anchors<'s, 't>,
    /// Anchors from this offset on are ignored.
    limit: usize,
    /// A match that ends after this offset may change with the text that follows the input.
    reach: usize,
    state: State,
    /// The next anchor, if the scan also searches for literals.
    colon: Option<usize>,
    /// The next literal and its span, if the scan searches for literals.
    literal: Option<(Span, Literal)>,
    /// The offset from which to search for literals; `usize::MAX` if there are no more.
    searched: usize,
    /// The remaining URLs of the last wrapper, in reverse order.
    pending: Vec<Candidate<'t>>,
    cache: Cache,
    /// The end of the extent of the last URL found in this pass. No wrapper opens before it.
    last_url_end: usize,
    /// The state of the search for names between URLs; `None` if it is off.
    names: Option<Box<NameSearch<'t>>>,
    /// The last candidate found.
    found: Candidate<'t>,
}

/// The state of the search for names (email addresses and hosts) in the text between two URLs.
#[derive(Clone, Debug, Default)]
struct NameSearch<'t> {
    /// The next URL, which was found but not returned yet.
    url: Option<Candidate<'t>>,
    /// True if there are no more URLs in the text.
    ended: bool,
}

impl<'s, 't> Candidates<'s, 't> {
    /// Starts a scan at byte `from`, with no information about the text before that byte. Colons
    /// from byte `limit` on are ignored.
    ///
    /// Each field of each header is scanned separately, so the value is built in place to avoid a
    /// copy.
    #[inline]
    pub(crate) fn begin(scanner: &'s Rules, input: Input<'t>, from: usize, limit: usize) -> Self {
        Self {
            scanner,
            input,
            anchors: scanner.trigger.anchors_from(input.text, from),
            limit,
            reach: usize::MAX,
            colon: None,
            literal: None,
            searched: from,
            state: State::starting_at(from),
            pending: Vec::new(),
            cache: Cache::new(scanner.settings.engine),
            last_url_end: 0,
            names: scanner.names.is_any().then(Box::default),
            found: Candidate::NONE,
        }
    }

    /// Resumes the scan that ended with `state`. Colons from byte `limit` on are ignored.
    pub(crate) fn resume(
        scanner: &'s Rules,
        input: Input<'t>,
        mut state: State,
        limit: usize,
    ) -> Self {
        let cache = state.cache.take();
        let from = state.next.max(state.floor);
        let mut candidates = Self { state, ..Self::begin(scanner, input, from, limit) };
        if let Some(cache) = cache {
            candidates.cache = *cache;
        }
        candidates
    }

    /// Resumes the scan that ended with `state`, for a text that continues after the input. Finds
    /// only the candidates that no further text can change.
    pub(crate) fn resume_settled(scanner: &'s Rules, input: Input<'t>, state: State) -> Self {
        let Settings { near_misses, locators, .. } = scanner.settings;
        let reach = input.text.len().saturating_sub(NEARBY);
        // A candidate that isn't a URL doesn't record how much of the text it depends on.
        let finds_non_urls =
            near_misses || locators || scanner.literals.is_some() || scanner.names.is_any();
        let limit = if finds_non_urls { input.text.len().saturating_sub(AFTER) } else { reach };
        Self { reach, ..Self::resume(scanner, input, state, limit) }
    }

    /// Advances to the next candidate, and returns a reference to it. Returns `None` at the end.
    /// This avoids the move of the candidate in [`Iterator::next`], which takes a twentieth of the
    /// time on lists of links.
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
    #[inline]
    pub fn advance(&mut self) -> Option<&Candidate<'t>> {
        self.seek().then_some(&self.found)
    }

    /// Returns the candidate that was found last.
    pub(crate) const fn found(&self) -> &Candidate<'t> {
        &self.found
    }

    /// Returns the candidate that was found last, by value, and leaves an empty one in its place.
    pub(crate) fn take_found(&mut self) -> Candidate<'t> {
        std::mem::replace(&mut self.found, Candidate::NONE)
    }

    /// Finds the next candidate of a selected scheme and stores it in `found`. Returns true if there
    /// is one.
    #[inline]
    pub(crate) fn seek(&mut self) -> bool {
        if self.names.is_none() && self.scanner.selects_all() {
            return self.seek_url();
        }
        self.seek_selected()
    }

    /// Implements [`Self::seek`] for a scanner that selects only some schemes or finds names.
    #[inline(never)]
    fn seek_selected(&mut self) -> bool {
        while if self.names.is_some() { self.seek_among_names() } else { self.seek_url() } {
            if self.scanner.selects(&self.found) {
                return true;
            }
        }
        false
    }

    /// Finds the next candidate, which may be a name (an email address or a host) between URLs.
    /// Returns true if there is one.
    fn seek_among_names(&mut self) -> bool {
        let Some(mut names) = self.names.take() else { return false };
        let found = loop {
            if let Some(found) = self.next_name(&names) {
                break Some(found);
            }
            if let Some(url) = self.take_url(&mut names) {
                break Some(url);
            }
            if names.ended {
                break None;
            }
            if self.seek_url() {
                names.url = Some(std::mem::replace(&mut self.found, Candidate::NONE));
            } else {
                names.ended = true;
            }
        };
        self.names = Some(names);
        let is_found = found.is_some();
        if let Some(candidate) = found {
            self.found = candidate;
        }
        is_found
    }

    /// Returns the next name (an email address or a host) before the next URL. Returns `None` if
    /// there is none, or if the next URL isn't known yet.
    fn next_name(&mut self, names: &NameSearch<'t>) -> Option<Candidate<'t>> {
        let (text, rules) = (self.input.text, self.extent_rules());
        let (end, url) = match &names.url {
            Some(url) => (url.whole.start, url.whole.start),
            // The next pass may find a wrapper that opens before its first anchor.
            None if names.ended && self.limit < text.len() => {
                (self.limit.saturating_sub(MAX_WRAPPER), text.len())
            }
            None if names.ended => (text.len(), text.len()),
            None => return None,
        };
        name::next_name(
            text,
            &mut self.state.names,
            end,
            url,
            self.scanner.names,
            rules,
            &mut self.cache,
        )
    }

    /// Removes the next URL from `names` and returns it, or `None` if there is none. The search for
    /// names continues after it.
    fn take_url(&mut self, names: &mut NameSearch<'t>) -> Option<Candidate<'t>> {
        let url = names.url.take()?;
        self.state.names = self.state.names.after_match(url.whole.end);
        Some(url)
    }

    /// Finds the next candidate that isn't a name (an email address or a host). Returns true if
    /// there is one.
    fn seek_url(&mut self) -> bool {
        if !self.pending.is_empty() {
            return self.next_pending();
        }
        if self.scanner.literals.is_some() {
            return self.seek_among_literals();
        }
        // The scan looks for anchors only.
        while let Some(colon) = self.anchors.next()
            && colon < self.limit
        {
            if self.read_anchor(colon) {
                return true;
            }
        }
        false
    }

    /// Moves the next candidate from `pending` to `found`, if there is one. Returns true in any
    /// case.
    #[cold]
    fn next_pending(&mut self) -> bool {
        if let Some(candidate) = self.pending.pop() {
            self.found = candidate;
        }
        true
    }

    /// Finds the next candidate at an anchor (a colon that may belong to a URL) or at a literal
    /// (such as `www.`). Returns true if there is one.
    #[inline(never)]
    fn seek_among_literals(&mut self) -> bool {
        loop {
            match self.next_literal_or_anchor() {
                Some(LiteralOrAnchor::Colon(colon)) if colon < self.state.floor => {}
                Some(LiteralOrAnchor::Colon(colon)) if colon < self.limit => {
                    if self.read_anchor_among_literals(colon) {
                        return true;
                    }
                }
                Some(LiteralOrAnchor::Literal(at, literal)) if at.start < self.limit => {
                    if let Some(candidate) = self.read_literal(at, literal) {
                        self.found = candidate;
                        return true;
                    }
                }
                _ => return false,
            }
        }
    }

    /// Stops the scan early. Returns the state from which to resume after the last candidate that
    /// was returned. Also returns the candidates that were found but not returned yet, in reverse
    /// order.
    pub(crate) fn stop(mut self) -> (State, Vec<Candidate<'t>>) {
        let mut pending = std::mem::take(&mut self.pending);
        if let Some(mut names) = self.names.take() {
            let before: Vec<_> = std::iter::from_fn(|| self.next_name(&names)).collect();
            pending.extend(self.take_url(&mut names));
            pending.extend(before.into_iter().rev());
        }
        pending.retain(|candidate| self.scanner.selects(candidate));
        let floor = self.state.floor;
        let state = self.into_state();
        (State { next: state.next.min(floor), ..state }, pending)
    }

    /// Returns the state from which to resume the scan on a longer text. Call this only after the
    /// iterator has returned `None`.
    pub fn into_state(self) -> State {
        let len = self.input.text.len();
        let cache = Some(Box::new(self.cache.after_appending(len)));
        State { next: self.limit.min(len), cache, ..self.state }
    }

    /// Returns the settings that decide where the extent of a URL (its run of URL characters) ends.
    fn extent_rules(&self) -> ExtentRules<'s> {
        ExtentRules {
            schemes: &self.scanner.schemes,
            charset: self.input.charset,
            iri: self.scanner.iri,
            has_labels: self.input.has_labels,
        }
    }

    /// Marks the text before byte `end` as covered by a URL, so that no other URL starts there.
    fn skip_to(&mut self, end: usize) {
        self.state.floor = end;
        self.last_url_end = end;
        self.anchors.skip_anchors_before(end);
    }

    /// Returns the same as [`Self::read_anchor`]. The function is not inlined, so that a search for
    /// literals has no copy of its own.
    #[inline(never)]
    fn read_anchor_among_literals(&mut self, colon: usize) -> bool {
        self.read_anchor(colon)
    }

    /// Looks for a candidate at the anchor `colon`, a colon that may belong to a URL. Returns true
    /// if there is one.
    #[inline(always)]
    fn read_anchor(&mut self, colon: usize) -> bool {
        let settings = &self.scanner.settings;
        let is_fast = self.scanner.is_fast;
        if is_fast && self.state.overlong.is_none() {
            let state = self.pass_state();
            match fast::read_fast(
                &self.input,
                colon,
                &state,
                self.extent_rules(),
                settings.rejoin,
                &mut self.cache,
                &mut self.found,
            ) {
                Some(Outcome::Url(end)) => {
                    if !self.is_settled(colon, end) {
                        return false;
                    }
                    self.skip_to(end);
                    return true;
                }
                Some(Outcome::Nothing(open)) => {
                    self.state.plain_open = Some(open);
                    return false;
                }
                Some(Outcome::Continued(first, next)) if self.read_continued_url(&first, next) => {
                    return true;
                }
                _ => {}
            }
        }
        if is_fast
            && !settings.locators
            && prefilter::cannot_be_url(self.input.text, colon, &self.scanner.schemes)
        {
            return false;
        }
        let found = self.read_with_general_readers(colon);
        let is_found = found.is_some();
        if let Some(candidate) = found {
            self.found = candidate;
        }
        is_found
    }

    /// True if the match at the anchor `colon`, which ends at byte `end`, can't change with the
    /// text after the input. Otherwise ends this pass, so that the next one visits the anchor
    /// again.
    #[inline(always)]
    fn is_settled(&mut self, colon: usize, end: usize) -> bool {
        let is_settled = end <= self.reach;
        if !is_settled {
            self.limit = colon;
        }
        is_settled
    }

    /// Returns the facts about earlier text that the fast path needs.
    fn pass_state(&self) -> PassState {
        PassState {
            last_url_end: self.last_url_end,
            floor: self.state.floor,
            plain_open: self.state.plain_open,
        }
    }

    /// Returns the candidate at the anchor `colon`, as the general readers find it, or `None` if
    /// there is none. This is called if the fast path can't decide.
    #[inline(never)]
    fn read_with_general_readers(&mut self, colon: usize) -> Option<Candidate<'t>> {
        if let Some(open) = self.wrapper_start_before(colon)
            && self.state.plain_open != Some(open)
            && let Some(candidate) = self.read_wrapped(open)
        {
            return Some(candidate);
        }
        let text = self.input.text;
        let name = self.scanner.scheme_start_before(text, colon);
        if let Some(name) = name
            && let Some(near) =
                near_miss::near_miss_at_colon(&self.scanner.schemes, text, name, colon)
        {
            return self
                .may_start_non_url_at(near.start)
                .then(|| near.read_rest(text, self.extent_rules(), &mut self.cache))
                .map(|found| self.mark_covered(found));
        }
        let anchor = self.scanner.anchor_at(text, colon, name);
        if let Some(anchor) = &anchor
            && self.scanner.schemes.is_modern()
            && let Some(found) = news_bracket::read_bracketed_message_id(text, anchor)
        {
            let end = found.whole.end;
            return self
                .may_start_non_url_at(anchor.start)
                .then(|| self.mark_covered((found, end)));
        }
        let found = anchor.and_then(|anchor| self.read_bare(&anchor));
        if found.is_some() {
            return found;
        }
        let locator = self
            .scanner
            .settings
            .locators
            .then(|| locator::ftp_locator_at(text, colon))
            .flatten()?;
        self.may_start_non_url_at(locator.start)
            .then(|| locator.read_with_path(text, self.extent_rules(), &mut self.cache))
            .map(|found| self.mark_covered(found))
    }

    /// Returns the offset of the `<` of a wrapper that may open before the scheme that ends at
    /// `colon`. Returns `None` if there is no such wrapper.
    fn wrapper_start_before(&self, colon: usize) -> Option<usize> {
        let (text, schemes) = (self.input.text, &self.scanner.schemes);
        let may_open = || {
            let start = colon - scheme::scheme_run_len_before(text, colon);
            let blanks = wrapper_start::count_blanks_before(text, start);
            wrapper_start::may_have_wrapper_before(text, start, blanks, colon, schemes)
        };
        let is_reference = self.scanner.settings.engine == Engine::Reference;
        (is_reference || may_open())
            .then(|| wrapper_start::wrapper_start_before(&self.input, colon))
            .flatten()
    }

    /// Reads the wrapper that opens with the `<` at byte `open`, and returns its first URL. If the
    /// wrapper contains no URL, returns a near miss in it (`<URL:host.dom>`) if those are searched
    /// for, otherwise `None`.
    fn read_wrapped(&mut self, open: usize) -> Option<Candidate<'t>> {
        let rejoin = self.scanner.settings.rejoin;
        match wrapper::read_wrapper(&self.input, open, &self.scanner.schemes, rejoin) {
            WrapperUrls::None => {
                self.state.plain_open = Some(open);
                let miss = self.scanner.settings.near_misses;
                let miss =
                    miss.then(|| near_miss::wrapped_host(self.input.text, open)).flatten()?;
                let end = miss.whole.end;
                self.may_start_non_url_at(miss.whole.start).then(|| self.mark_covered((miss, end)))
            }
            WrapperUrls::One(mut candidate) => {
                self.skip_to(candidate.whole.end);
                self.choose_hyphens(&mut candidate);
                Some(candidate)
            }
            WrapperUrls::Many(mut all) => {
                for candidate in &mut all {
                    self.choose_hyphens(candidate);
                }
                all.reverse();
                let first = all.pop()?;
                self.skip_to(first.whole.end);
                self.pending = all;
                Some(first)
            }
        }
    }

    /// Decides for each hyphen before a line break in a wrapper whether it is part of the URL, from
    /// other occurrences of the URL nearby.
    fn choose_hyphens(&mut self, candidate: &mut Candidate<'_>) {
        if self.scanner.settings.rejoin > Rejoin::Off {
            rejoin::prefer_readings(&self.input, candidate, &mut self.cache);
        }
    }

    /// Returns the bare URL (one without a wrapper) that starts at `anchor`, or `None` if there is
    /// none.
    fn read_bare(&mut self, anchor: &Anchor) -> Option<Candidate<'t>> {
        let text = self.input.text;
        let level = self.scanner.settings.rejoin;
        let accepted = anchor.is_followed_by_url(text, self.scanner.iri)
            || rejoin::may_start_despite_break(text, anchor.colon, level)
            || level > Rejoin::Off
                && self.scanner.schemes.is_modern()
                && backslash::host_follows_escape(text, anchor.colon)
            || terminal::host_follows_codes(text, anchor.colon);
        if !accepted
            || self.is_in_overlong_extent(anchor.start, anchor.colon)
            || anchor.start < self.state.floor
        {
            return None;
        }
        let bare =
            bare::read_bare_url(&self.input, anchor, self.extent_rules(), level, &mut self.cache);
        if !self.is_settled(anchor.colon, bare.end) {
            return None;
        }
        if bare.candidate.is_some() {
            self.skip_to(bare.end);
        }
        if bare.truncated {
            self.skip_overlong(anchor.start, bare.end);
        }
        let near_misses = self.scanner.settings.near_misses;
        bare.candidate.map(|mut candidate| {
            if near_misses && let Some(open) = near_miss::unclosed_wrapper(text, &candidate) {
                candidate.form = Form::NearMiss;
                candidate.near_miss = Some(NearMiss::UnclosedWrapper);
                candidate.whole.start = open;
            }
            candidate
        })
    }

    /// Reads the rest of a bare URL after its first line, which continues at `next`. Returns true
    /// if the URL is a candidate. Otherwise, returns false and leaves the pass unchanged.
    #[inline(never)]
    fn read_continued_url(&mut self, first: &FirstLine, next: Continuation) -> bool {
        self.cache.keep_split(self.found.split.take());
        let (level, rules) = (self.scanner.settings.rejoin, self.extent_rules());
        let bare = bare::read_after_first_line(
            &self.input,
            first,
            Some(next),
            rules,
            level,
            &mut self.cache,
        );
        let Some(candidate) = bare.candidate else { return false };
        if !self.is_settled(first.colon, bare.end) {
            return false;
        }
        self.found = candidate;
        self.skip_to(bare.end);
        if bare.truncated {
            self.skip_overlong(first.start, bare.end);
        }
        true
    }

    /// Returns the candidate that starts with the literal (such as `www.` or `http//`) at the span
    /// `at`, or `None` if there is none.
    fn read_literal(&mut self, at: Span, literal: Literal) -> Option<Candidate<'t>> {
        let text = self.input.text;
        let near = near_miss::start_at_literal(text, at, literal)?;
        if !self.may_start_non_url_at(near.start) {
            return None;
        }
        let found = near.read_rest(text, self.extent_rules(), &mut self.cache);
        if self.scanner.settings.locators
            && near.form == Form::Schemeless
            && text[found.1..].starts_with(b":/")
        {
            // `ftp.uu.net:/pub` is a locator, which gives more than the host alone.
            return None;
        }
        Some(self.mark_covered(found))
    }

    /// True if a candidate that isn't a URL can start at byte `start`, because no earlier match and
    /// no overlong extent covers that byte.
    fn may_start_non_url_at(&mut self, start: usize) -> bool {
        !self.is_in_overlong_extent(start, start) && start >= self.state.floor
    }

    /// Marks the text up to byte `end`, the end of the candidate's extent, as covered. Returns the
    /// candidate. Call this for candidates that aren't URLs.
    fn mark_covered(&mut self, (candidate, end): (Candidate<'t>, usize)) -> Candidate<'t> {
        self.skip_to(end.max(candidate.whole.end));
        if candidate.truncated {
            self.skip_overlong(candidate.span.start, end);
        }
        candidate
    }

    /// Returns the next literal (such as `www.`) or anchor (a colon that may belong to a URL),
    /// whichever comes first. Returns `None` at the end of the text.
    fn next_literal_or_anchor(&mut self) -> Option<LiteralOrAnchor> {
        if self.colon.is_none() {
            self.colon = self.anchors.next();
        }
        if let Some(literals) = &self.scanner.literals {
            let floor = self.state.floor.max(self.searched);
            if self.literal.is_none_or(|(at, _)| at.start < floor) && self.searched != usize::MAX {
                self.literal = literals.next_literal(self.input.text, floor);
                if self.literal.is_none() {
                    self.searched = usize::MAX;
                }
            }
            if let Some((at, literal)) = self.literal
                && self.colon.is_none_or(|colon| at.start < colon)
            {
                self.searched = at.start + 1;
                self.literal = None;
                return Some(LiteralOrAnchor::Literal(at, literal));
            }
        }
        self.colon.take().map(LiteralOrAnchor::Colon)
    }
}

/// An offset in the text at which a candidate may be.
#[derive(Clone, Copy, Debug)]
enum LiteralOrAnchor {
    Colon(usize),
    Literal(Span, Literal),
}

impl<'t> Iterator for Candidates<'_, 't> {
    type Item = Candidate<'t>;

    fn next(&mut self) -> Option<Candidate<'t>> {
        self.seek().then(|| self.take_found())
    }
}
