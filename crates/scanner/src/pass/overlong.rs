//! Extents longer than the maximum length of a URL, and the offsets in them where URLs could start.

use super::Candidates;
use super::state::Overlong;
use crate::extent;
use crate::limits::MAX_URL;
use crate::read::locator;
use crate::read::near_miss;
use crate::scheme::MAX_SCHEME;
use crate::text::iri;

/// The maximum number of bytes after a byte that decide whether the byte belongs to a URL. The
/// longest case is a user name between a glued scheme and its host.
const UNSETTLED: usize = 512;

impl Candidates<'_, '_> {
    /// Skips the rest of an extent (run of URL characters) that is longer than a URL may be. A
    /// match starts in the extent at byte `first`, and the extent is known up to byte `end`.
    pub(super) fn skip_overlong(&mut self, first: usize, mut end: usize) {
        let text = self.input.text;
        // If the text is cut here, its last bytes don't show yet whether the extent continues.
        let settled = text.len().saturating_sub(UNSETTLED);
        let mut last = self.last_start(first, end, end);
        loop {
            // A match that starts at or before this offset is part of the extent.
            let max_start = last + MAX_URL;
            let limit = (max_start + MAX_SCHEME + 1).min(settled).max(end);
            let from = iri::char_start(text, end);
            let reached = extent::extent_end(text, from, limit, self.extent_rules());
            if reached < limit {
                self.state.overlong = None;
                return self.skip_to(reached);
            }
            let next = self.last_start(last, reached, max_start);
            end = reached;
            if next == last || reached >= settled {
                self.state.overlong = Some(Overlong { last: next, end });
                return self.skip_to(end.min(max_start));
            }
            last = next;
        }
    }

    /// Returns the last offset in `first..=max_start` at which a candidate could start. All these
    /// bytes belong to one extent (run of URL characters), which is known up to byte `end`.
    fn last_start(&self, first: usize, end: usize, max_start: usize) -> usize {
        let text = self.input.text;
        let mut colons = memchr::memrchr_iter(b':', &text[first..end]);
        let last = colons
            .find_map(|at| {
                self.possible_start_at_anchor(first + at).filter(|&start| start <= max_start)
            })
            .map_or(first, |start| start.max(first));
        let Some(literals) = &self.scanner.literals else { return last };
        let mut last = last;
        let mut from = last + 1;
        while let Some((at, literal)) = literals.next_literal(&text[..end], from) {
            if at.start <= max_start && near_miss::start_at_literal(text, at, literal).is_some() {
                last = at.start;
            }
            from = at.start + 1;
        }
        last
    }

    /// Returns the offset at which the match with the anchor `colon` would start if nothing before
    /// it mattered. Returns `None` if there would be no match.
    fn possible_start_at_anchor(&self, colon: usize) -> Option<usize> {
        let text = self.input.text;
        let settings = &self.scanner.settings;
        let name = self.scanner.scheme_start_before(text, colon);
        if let Some(name) = name
            && let Some(near) =
                near_miss::near_miss_at_colon(&self.scanner.schemes, text, name, colon)
        {
            return Some(near.start);
        }
        if let Some(anchor) = self.scanner.anchor_at(text, colon, name)
            && anchor.is_followed_by_url(text, self.scanner.iri)
        {
            return Some(anchor.start);
        }
        settings
            .locators
            .then(|| locator::ftp_locator_at(text, colon))
            .flatten()
            .map(|locator| locator.start)
    }

    /// True if a match that starts at byte `start` belongs to the rest of an extent that was longer
    /// than a URL may be. The bytes up to `known_end` are known to be in one extent with `start`.
    pub(super) fn is_in_overlong_extent(&mut self, start: usize, known_end: usize) -> bool {
        let Some(overlong) = self.state.overlong else { return false };
        let text = self.input.text;
        let near = start.saturating_sub(overlong.last) <= MAX_URL;
        let from = iri::char_start(text, overlong.end).min(known_end);
        if near
            && extent::extent_end(text, from, known_end, self.extent_rules()) == known_end
            && extent::glued_url_start(text, known_end, &self.scanner.schemes).is_none()
        {
            // No need to check the other starts in it one by one.
            self.skip_overlong(start, known_end);
            return true;
        }
        self.state.overlong = None;
        false
    }
}
