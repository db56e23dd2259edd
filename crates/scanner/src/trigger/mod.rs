//! The search for anchors: the offsets of colons that may belong to a URL.
//!
//! One trigger byte is enough for every form: `<URL:...>`, `<scheme:...>`, `URL:scheme:...` and
//! bare URLs all contain a colon. Most colons in text are punctuation, so a colon is an anchor only
//! if
//!
//! - the next byte is `/`, or
//! - the byte before it is the last letter of a scheme that is found without `//` (`mailto`,
//!   `news`, the word `URL`, a scheme named by the user, and a few within brackets), in either
//!   case, and the two bytes before that fit the same scheme, unless layout may break it there, or
//! - the byte before it is a blank, preceded by more layout or by the last two letters of any known
//!   scheme (a wrapper may be broken right before its colon).
//!
//! The scanner examines no other offsets, except for literals and names.
//!
//! # Why colons
//!
//! Measured before the design was chosen, in 2026-08, with loops written for the purpose, in
//! memory, on one thread. The texts were 240 MB of list mail (a colon every 83 bytes, a URL every
//! 4,800) and 213 MB of link lists (a URL every 78 bytes). The last column gives the instructions
//! per byte on mail and on link lists:
//!
//! | search for candidates | mail MB/s | links MB/s | instructions |
//! |---|---|---|---|
//! | memchr's count of `:`, for comparison | 10,594 | 27,703 | .25 / .25 |
//! | **AVX2, colon and neighbors in one mask** | 9,773 | 3,354 | .46 / 2.53 |
//! | memchr on `:`, then the neighbors | 6,149 | 1,616 | .89 / 6.13 |
//! | memchr2 on `:` and `<` | 6,151 | 3,326 | .84 / 2.23 (search only) |
//! | Teddy on the schemes' three last bytes | 5,515 | 1,386 | 1.87 / 7.73 |
//! | memmem on `://`, `mailto:`, `news:`, `URL:` | 6,275 | 1,647 | 1.35 / 6.90 |
//! | aho-corasick, any case | 2,069 | | 6.8 / 12.1 |
//! | a dense DFA over each byte | 587 | 523 | 7.8 / 10.3 |
//!
//! So a search for literals is slower than the colon, which has more matches. Text contains few
//! colons, and a scan for one byte runs at the speed of memory. The neighbors cost three
//! instructions in a loop that waits for memory. It is slower to check the neighbors only next to a
//! colon than to check them everywhere. The branch predictor can't tell whether a block contains a
//! colon (one in three does), but it can tell whether it contains an anchor (one in twenty does).
//!
//! With AVX2 the loop doesn't branch within 4 KiB: each block of 64 bytes costs the same, with no
//! call or branch misprediction per anchor. A test after each block made the scanner 12 to 20 %
//! slower on real mail (2026-11-22). An AVX-512 version, which looked up pairs of letters in tables
//! of 64 bytes, made a whole run on real mail 6 % faster; that wasn't worth a second
//! implementation. Applying the rule to 32 anchors ahead, to avoid the mispredictions of the rule,
//! was not faster.

mod rule;

use crate::options::Engine;
use crate::pairs::Pairs;
use crate::simd::{Colons, Window};
use rule::Rule;

/// A search for the anchors in a text: the colons that may belong to a URL.
#[derive(Clone, Debug)]
pub(crate) struct Trigger {
    rule: Rule,
    /// True if every colon is an anchor, so that the rule isn't applied.
    accepts_all: bool,
    /// Finds the colons that the byte before or the byte after allows.
    colons: Colons,
}

impl Trigger {
    /// Builds the search. `schemes` are the schemes that are found without `//`; only their last
    /// letters matter. `known` contains the last two letters of all known schemes, including those
    /// in `schemes`.
    pub(crate) fn new<'n>(
        engine: Engine,
        schemes: impl IntoIterator<Item = &'n str>,
        known: &Pairs,
    ) -> Self {
        let rule = Rule::new(schemes.into_iter().map(str::as_bytes), known);
        let may_end = std::array::from_fn(|byte| {
            u8::try_from(byte).is_ok_and(|byte| rule.may_be_last_before_anchor(byte))
        });
        let accepts_all = engine == Engine::Reference;
        Self { colons: Colons::new(engine, &may_end), accepts_all, rule }
    }

    /// Returns an iterator over the anchors (colons that may belong to a URL) in `text` from byte
    /// `from` on, in ascending order.
    pub(crate) fn anchors_from<'s, 't>(&'s self, text: &'t [u8], from: usize) -> Anchors<'s, 't> {
        Anchors { trigger: self, text, window: Window::NONE, next: from, from }
    }

    /// True if the colon at byte `at` is an anchor, i.e. may belong to a URL. Every implementation
    /// of the search must agree with this rule.
    #[inline(always)]
    pub(crate) fn is_anchor(&self, text: &[u8], at: usize) -> bool {
        if self.accepts_all {
            return true;
        }
        let near = at.checked_sub(3).and_then(|from| text.get(from..)?.first_chunk::<5>());
        let [third, second, last, _, next] =
            near.copied().unwrap_or_else(|| bytes_near_edge(text, at));
        next == b'/' || self.rule.may_precede_anchor(third, second, last)
    }
}

/// Returns the three bytes before byte `at`, the byte itself and the byte after it. This is for the
/// edges of the text: bytes outside the text are replaced by blanks or zeros.
#[cold]
fn bytes_near_edge(text: &[u8], at: usize) -> [u8; 5] {
    let byte = |n: usize| (at + n).checked_sub(3).and_then(|at| text.get(at)).copied();
    let before = |n| byte(n).unwrap_or(b' ');
    let beside = |n| byte(n).unwrap_or(0);
    [before(0), before(1), beside(2), beside(3), beside(4)]
}

/// The anchors (colons that may belong to a URL) of one text, in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct Anchors<'s, 't> {
    trigger: &'s Trigger,
    text: &'t [u8],
    window: Window,
    /// The offset from which to search for the next window.
    next: usize,
    /// Anchors before this byte are skipped.
    from: usize,
}

impl Anchors<'_, '_> {
    /// Skips the anchors before byte `from`, which must be after the last anchor returned. There is
    /// seldom an anchor in between, so this only records where to continue.
    #[inline(always)]
    pub(crate) fn skip_anchors_before(&mut self, from: usize) {
        self.from = self.from.max(from);
    }

    /// Returns the offset of the next colon that may be an anchor, or `None` at the end of the
    /// text. It is an anchor only if [`Self::is_anchor`] also returns true.
    #[inline(always)]
    pub(crate) fn next_colon(&mut self) -> Option<usize> {
        loop {
            match self.window.pop_anchor() {
                Some(at) if at >= self.from => return Some(at),
                Some(_) => {}
                None if self.refill() => {}
                None => return None,
            }
        }
    }

    /// True if the colon at byte `at` is an anchor, i.e. may belong to a URL.
    #[inline(always)]
    pub(crate) fn is_anchor(&self, at: usize) -> bool {
        self.trigger.is_anchor(self.text, at)
    }

    /// Moves the window to the next part of the text with colons that may be anchors. Returns false
    /// if there is none.
    #[inline(never)]
    fn refill(&mut self) -> bool {
        let from = self.next.max(self.from);
        let Self { trigger, text, window, .. } = self;
        let found = trigger
            .colons
            .find_window(text, from, window, |at| trigger.is_anchor(text, at))
            .is_some();
        self.next = if found { self.window.end } else { self.text.len() };
        found
    }
}

impl Iterator for Anchors<'_, '_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        loop {
            let at = self.next_colon()?;
            if self.is_anchor(at) {
                return Some(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns a trigger of each engine except the reference engine. The triggers find `schemes`,
    /// and also `gopher` and `x`.
    fn triggers_of_all_engines<'n>(
        schemes: &(impl IntoIterator<Item = &'n str> + Clone),
    ) -> Vec<Trigger> {
        let mut known = Pairs::default();
        for name in schemes.clone().into_iter().chain(["gopher", "x"]) {
            match *name.as_bytes() {
                [.., second, last] => known.add(second, last),
                [last] => known.add_all_with_second(last),
                [] => {}
            }
        }
        let engines = Engine::all().iter().filter(|&&engine| engine != Engine::Reference);
        engines.map(|&engine| Trigger::new(engine, schemes.clone(), &known)).collect()
    }

    /// Returns the anchors in `text` at or after `from`, by applying the rule to every byte.
    fn naive(trigger: &Trigger, text: &[u8], from: usize) -> Vec<usize> {
        (from..text.len()).filter(|&at| text[at] == b':' && trigger.is_anchor(text, at)).collect()
    }

    #[test]
    fn punctuation_colon_is_not_an_anchor() {
        let triggers = triggers_of_all_engines(&["mailto", "news", "url"]);
        let text =
            b"note: http://h/ 12:30 MAILTO:x <URL:y> std::z URL\n:q C:/ Also: photo: no: To:";
        for trigger in &triggers {
            assert_eq!(trigger.anchors_from(text, 0).collect::<Vec<_>>(), [10, 28, 35, 50, 54, 76]);
            assert_eq!(trigger.anchors_from(text, 29).next(), Some(35));
            assert_eq!(trigger.anchors_from(text, 1000).next(), None);
        }
    }

    /// Checks that an anchor is found at every offset of texts of every length, including block
    /// edges, window edges and both ends.
    #[test]
    fn anchor_is_found_at_every_offset() {
        let triggers = triggers_of_all_engines(&["mailto", "news", "url"]);
        // Miri is about a thousand times slower.
        let (longest, step) = if cfg!(miri) { (70, 35) } else { (600, 1) };
        for trigger in &triggers {
            for length in (0..=longest).step_by(step) {
                let mut text = vec![0x80; length];
                assert_eq!(trigger.anchors_from(&text, 0).next(), None);
                for at in 0..length {
                    text[at] = b':';
                    for (neighbor, byte) in [(at.wrapping_sub(1), b'S'), (at + 1, b'/')] {
                        let Some(place) = text.get_mut(neighbor) else { continue };
                        *place = byte;
                        assert_eq!(trigger.anchors_from(&text, 0).collect::<Vec<_>>(), [at]);
                        assert_eq!(trigger.anchors_from(&text, at).collect::<Vec<_>>(), [at]);
                        assert_eq!(trigger.anchors_from(&text, at + 1).next(), None);
                        text[neighbor] = 0x80;
                    }
                    text[at] = 0x80;
                }
            }
        }
    }

    proptest! {
        /// Checks that the fast, the portable and the naive search agree, for any schemes and any
        /// start, and with parts skipped.
        #[test]
        fn search_agrees_with_rule_at_every_byte(
            text in proptest::collection::vec(proptest::sample::select(&b":::://osltOSL \n.<u-1\x80\xBA\xFF"[..]), 0..9000),
            names in proptest::collection::vec("[a-z0-9+.-]{1,6}", 0..4),
            strides in proptest::collection::vec(1_usize..3000, 1..6),
            from in 0_usize..64,
        ) {
            let triggers = triggers_of_all_engines(&names.iter().map(String::as_str).chain(["mailto", "news", "url"]));
            let places = naive(&triggers[0], &text, from);
            for trigger in &triggers {
                prop_assert_eq!(trigger.anchors_from(&text, from).collect::<Vec<_>>(), places.clone());
                let (mut anchors, mut expected, mut strides) = (trigger.anchors_from(&text, from), places.iter(), strides.iter().cycle());
                while let Some(at) = anchors.next() {
                    prop_assert_eq!(Some(&at), expected.next());
                    let to = at + strides.next().unwrap();
                    anchors.skip_anchors_before(to);
                    while expected.as_slice().first().is_some_and(|&next| next < to) {
                        expected.next();
                    }
                }
                prop_assert_eq!(expected.next(), None);
            }
        }
    }
}
