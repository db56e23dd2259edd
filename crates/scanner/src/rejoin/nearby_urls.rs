//! The URLs that stand unbroken around a break.
//!
//! Nothing shows better where a broken URL ends than the same URL elsewhere in one piece. In real text few
//! breaks lead to the question, so the window is searched for the joined URL itself. Where the question comes
//! up again and again, as in text made to hurt, the URLs of a block of text are entered in an index once, so
//! that time stays linear.

use super::site::WINDOW;
use super::tail::{Tail, is_closing};
use crate::options::Engine;
use crate::simd::ByteSet;
use crate::table::table;
use memchr::memmem;
use std::sync::LazyLock;
use urlsift_core::Span;

/// A block of text that is indexed at once, in bytes.
const BLOCK: usize = 64 * 1024;
/// How many times the window is searched while it reaches into the same blocks, before these are indexed, and those
/// that follow them.
const MAX_SEARCHES: usize = 6;
/// Longer URLs have no twins, in bytes.
const MAX_TWIN: usize = 2048;
/// At most so many places with the same hash are looked at.
const SAME: usize = 64;

/// Finds URLs that stand in one piece within [`WINDOW`] bytes of a break.
#[derive(Clone, Debug, Default)]
pub(super) struct NearbyUrls {
    /// How much of the first block stood before the text and is forgotten.
    before: usize,
    /// The first and the last of the blocks that the last window reached into, how many times the question came up
    /// there, and whether it did so too often before.
    around: (usize, usize),
    asked: usize,
    is_frequent: bool,
    /// The blocks that were indexed last.
    index: Vec<Block>,
    /// For some of these blocks, from the first to the last: the highest bits of their URLs' hashes. Most URLs that are
    /// looked for stand in none.
    held: Option<((usize, usize), Vec<u64>)>,
    /// Room for a URL that is looked for.
    url: Vec<u8>,
}

/// The URLs whose first colon stands in one block.
#[derive(Clone, Debug)]
struct Block {
    number: usize,
    places: Vec<Span>,
    /// The hash of each URL and, in the lowest bits, its index in `places`, sorted: numbers sort in a third of
    /// the time that places take.
    keys: Vec<u64>,
}

impl NearbyUrls {
    /// Whether the head and the first of the tails stand elsewhere within the window as one URL:
    /// alone, or going on as the further tails do.
    pub(super) fn has_twin<'t>(
        &mut self,
        text: &[u8],
        at: usize,
        head: &[u8],
        first: Tail<'t>,
        further: impl Iterator<Item = Tail<'t>>,
    ) -> bool {
        if self.stands(text, at, (head, first.core)) {
            return true;
        }
        let mut url = Vec::new();
        // Punctuation at the end of a line that is not the last belongs to the URL.
        let mut line = first.token;
        for tail in further {
            if url.is_empty() {
                url.extend_from_slice(head);
            }
            url.extend_from_slice(line);
            if url.len() + tail.core.len() > MAX_TWIN {
                return false;
            }
            if self.stands(text, at, (&url, tail.core)) {
                return true;
            }
            line = tail.token;
        }
        false
    }

    /// Whether the text around a break after a hyphen shows that the hyphen was put in: the URL without it
    /// stands unbroken within [`WINDOW`] of `at`, and the one with it does not.
    ///
    /// `head` is the URL up to the break, hyphen and all, and `tail` goes on after it; punctuation that
    /// closes the tail is not minded.
    pub(super) fn drop_hyphen(&mut self, text: &[u8], head: &[u8], tail: &[u8], at: usize) -> bool {
        let Some(bare_head) = head.strip_suffix(b"-") else { return false };
        let end = tail.iter().rposition(|byte| !is_closing(*byte)).map_or(0, |last| last + 1);
        let tail = &tail[..end];
        self.stands(text, at, (bare_head, tail)) && !self.stands(text, at, (head, tail))
    }

    /// Whether the URL that both pieces make stands within the window.
    fn stands(&mut self, text: &[u8], at: usize, (head, tail): (&[u8], &[u8])) -> bool {
        if head.len() + tail.len() > MAX_TWIN {
            return false;
        }
        let mut url = std::mem::take(&mut self.url);
        url.clear();
        url.extend_from_slice(head);
        url.extend_from_slice(tail);
        let stands = self.stands_whole(text, at, &url);
        self.url = url;
        stands
    }

    /// True if the URL is in the window.
    fn stands_whole(&mut self, text: &[u8], at: usize, url: &[u8]) -> bool {
        let (low, high) = (at.saturating_sub(WINDOW), text.len().min(at.saturating_add(WINDOW)));
        let is_end = at.saturating_add(WINDOW) > text.len();
        let is_twin =
            |place: Span| (place.start > low || at < WINDOW) && (place.end < high || is_end);
        let around = ((self.before + low) / BLOCK, (self.before + high) / BLOCK);
        if self.around != around {
            self.is_frequent = self.asked >= MAX_SEARCHES;
            (self.around, self.asked) = (around, 0);
        }
        self.asked += 1;
        if self.asked <= MAX_SEARCHES && !self.is_frequent {
            search(text, Span::new(low, high), url, is_twin)
        } else {
            self.look_up(text, low, url, is_twin)
        }
    }

    /// True if one of the URL's occurrences in the index is a twin.
    fn look_up(
        &mut self,
        text: &[u8],
        low: usize,
        url: &[u8],
        is_twin: impl Fn(Span) -> bool,
    ) -> bool {
        let hash = hash(url);
        let around = self.around;
        if !self.may_hold(text, around, hash) {
            return false;
        }
        (around.0..=around.1).any(|number| {
            let Block { places, keys, .. } = self.block(text, number);
            let alike = &keys[keys.partition_point(|key| *key < hash)..];
            if alike.first().is_none_or(|key| key & !INDEX != hash) {
                return false;
            }
            // Only in the first block stands anything before the window.
            let is_first = number == around.0;
            let before =
                if is_first { places.partition_point(|place| place.start < low) } else { 0 };
            let wanted = hash | before as u64;
            alike[alike.partition_point(|key| *key < wanted)..]
                .iter()
                .take_while(|key| *key & !INDEX == wanted & !INDEX)
                .take(SAME)
                .any(|key| {
                    let place = places[(key & INDEX) as usize];
                    text.get(place.range()) == Some(url) && is_twin(place)
                })
        })
    }

    /// Whether a URL of that hash may stand in those blocks.
    fn may_hold(&mut self, text: &[u8], around: (usize, usize), hash: u64) -> bool {
        if !matches!(&self.held, Some((blocks, _)) if *blocks == around) {
            let mut held = self.held.take().map_or_else(Vec::new, |(_, held)| held);
            held.clear();
            held.resize(HELD_WORDS, 0);
            for number in around.0..=around.1 {
                for key in &self.block(text, number).keys {
                    let (word, bit) = held_bit(*key);
                    held[word] |= bit;
                }
            }
            self.held = Some((around, held));
        }
        let (word, bit) = held_bit(hash);
        self.held.as_ref().is_some_and(|(_, held)| held[word] & bit != 0)
    }

    /// A block, which is indexed now if it has not been.
    fn block(&mut self, text: &[u8], number: usize) -> &Block {
        const KEPT: usize = 4;
        let known = self.index.iter().position(|block| block.number == number);
        let at = known.unwrap_or_else(|| {
            if self.index.len() == KEPT {
                self.index.remove(0);
            }
            let start = (number * BLOCK).saturating_sub(self.before).min(text.len());
            let stop = ((number + 1) * BLOCK - self.before).min(text.len());
            self.index.push(Block::new(text, number, Span::new(start, stop)));
            self.index.len() - 1
        });
        &self.index[at]
    }

    /// Keeps what still holds when the text has gone on behind its first `len` bytes.
    pub(super) fn gone_on(mut self, len: usize) -> Self {
        let before = self.before;
        self.held = None;
        self.index.retain(|block| (block.number + 1) * BLOCK - before + MAX_TWIN < len);
        self
    }

    /// Shifts what is known when the text has lost its first `by` bytes.
    pub(super) fn moved(mut self, by: usize) -> Self {
        let (lost, before) = ((self.before + by) / BLOCK, (self.before + by) % BLOCK);
        self.before = before;
        self.around = (usize::MAX, usize::MAX);
        self.held = None;
        self.index.retain(|block| block.number >= lost);
        for block in &mut self.index {
            block.number -= lost;
            let Block { places, keys, .. } = block;
            keys.retain(|key| places[(key & INDEX) as usize].start >= by);
            for place in places {
                let start = place.start.saturating_sub(by);
                *place = Span::new(start, place.end.saturating_sub(by).max(start));
            }
        }
        self
    }
}

/// True if one of the URL's occurrences in the window is a twin.
fn search(text: &[u8], window: Span, url: &[u8], is_twin: impl Fn(Span) -> bool) -> bool {
    let is_whole = WITHIN.run(url, 0) == url.len() && url.last().is_some_and(|b| !is_closing(*b));
    let colon = memchr::memchr(b':', url).filter(|at| url[*at..].starts_with(b"://"));
    let Some(colon) = colon.filter(|_| is_whole) else {
        return false;
    };
    // A URL holds no byte that can stand before one, so that no two of them overlap.
    memmem::find_iter(&text[window.range()], url).any(|at| {
        let place = Span::new(window.start + at, window.start + at + url.len());
        is_twin(place) && extent(text, place.start + colon) == Some(place)
    })
}

impl Block {
    fn new(text: &[u8], number: usize, area: Span) -> Self {
        let within = &text[area.start..text.len().min(area.end + 2)];
        let colons = memchr::memchr_iter(b':', within)
            .filter(|at| within[at + 1..].starts_with(b"//"))
            .map(|at| area.start + at);
        let places: Vec<_> = colons.filter_map(|colon| extent(text, colon)).collect();
        let keyed = |(index, place): (usize, &Span)| hash(&text[place.range()]) | index as u64;
        let mut keys: Vec<_> = places.iter().enumerate().map(keyed).collect();
        keys.sort_unstable();
        Self { number, places, keys }
    }
}

/// The highest bits of a hash that are kept for [`NearbyUrls::may_hold`]: with URLs as dense as they can be, one in
/// five of all values is taken.
const HELD_BITS: u32 = 16;
/// As words with one bit for each value.
const HELD_WORDS: usize = 1 << HELD_BITS >> 6;

/// The word and the bit that stand for a hash.
fn held_bit(hash: u64) -> (usize, u64) {
    let value = hash >> (u64::BITS - HELD_BITS);
    ((value >> 6) as usize, 1 << (value & 63))
}

/// The bits of a key that hold an index: a block has room for fewer URLs.
const INDEX: u64 = BLOCK as u64 - 1;

/// The URL's hash, without the bits that hold an index.
fn hash(url: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let step = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = url.as_chunks();
    let hash =
        words.iter().fold(url.len() as u64, |hash, word| step(hash, u64::from_be_bytes(*word)));
    let hash = match url.last_chunk() {
        Some(last) => step(hash, u64::from_be_bytes(*last)),
        None => rest.iter().fold(hash, |hash, byte| step(hash, u64::from(*byte))),
    };
    hash & !INDEX
}

/// The longest scheme that is looked for, in bytes.
const MAX_SCHEME: usize = 16;

/// What bounds a URL on either side, and what ends one.
const BOUNDARY: u8 = 1;
const END: u8 = 2;
/// What a scheme is made of.
const SCHEME_BYTE: u8 = 4;

static CLASSES: [u8; 256] = table!(|byte| match byte {
    0..=b' ' | b'<' | b'>' | b'(' | b'[' | b']' | b'{' | b'}' | b'"' | b'\'' | b'`' | b'|' =>
        BOUNDARY | END,
    b')' | 0x80.. => END,
    b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'.' => SCHEME_BYTE,
    _ => 0,
});

fn is(byte: u8, class: u8) -> bool {
    CLASSES[usize::from(byte)] & class != 0
}

/// What a URL runs on over; as far by every engine.
static WITHIN: LazyLock<ByteSet> =
    LazyLock::new(|| ByteSet::new(Engine::default(), CLASSES.map(|class| class & END == 0)));

/// The URL around a `://`, if it starts at a boundary: closing punctuation left out. No two overlap.
fn extent(text: &[u8], colon: usize) -> Option<Span> {
    let head = text.get(colon.saturating_sub(MAX_SCHEME)..colon)?;
    let scheme = head.iter().rev().take_while(|byte| is(**byte, SCHEME_BYTE)).count();
    let start = colon - scheme;
    if scheme == 0 || start > 0 && !is(text[start - 1], BOUNDARY) {
        return None;
    }
    let rest = &text[..text.len().min(start + MAX_TWIN + 1)];
    let end = WITHIN.run(rest, colon);
    if end - start > MAX_TWIN {
        return None;
    }
    let last = text[start..end].iter().rposition(|byte| !is_closing(*byte))?;
    Some(Span::new(start, start + last + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_kept_of_a_text_is_what_stands_in_it(
            pieces in proptest::collection::vec(proptest::sample::select(&[
                "http://a.b/c", "http://a.b/c/d.html", "https://a.b/", "ftp://x", "x://y", "/e", "-f", "(", ")", ".", " ", "\n", "é", "word",
            ][..]), 0..40),
            url in proptest::sample::select(&["http://a.b/c", "http://a.b/c/d.html/e", "ftp://x-f", "x://y", "https://a.b/-f"][..]),
            split in any::<proptest::sample::Index>(),
        ) {
            let text = pieces.concat();
            let text = text.as_bytes();
            let pieces = url.as_bytes().split_at(split.index(url.len()));
            let mut extents = memmem::find_iter(text, b"://").filter_map(|colon| extent(text, colon));
            let naive = extents.any(|place| &text[place.range()] == url.as_bytes());
            let mut nearby = NearbyUrls::default();
            // The last time it is the index that tells.
            for _ in 0..=MAX_SEARCHES {
                prop_assert_eq!(nearby.stands(text, text.len() / 2, pieces), naive);
            }
        }

        #[test]
        fn what_is_kept_of_a_text_that_goes_on_makes_no_difference(
            pieces in proptest::collection::vec((proptest::sample::select(&["http://a.b/c", "http://a.b/d", "ftp://x", "x", "\n"][..]), 0_usize..30_000), 1..40),
            steps in proptest::collection::vec((0_usize..100_000, any::<proptest::sample::Index>()), 1..8),
        ) {
            let text = pieces.iter().map(|(piece, gap)| [" ", piece, &" ".repeat(*gap)].concat());
            let text = text.collect::<Vec<_>>().concat();
            let (text, mut from, mut len) = (text.as_bytes(), 0, 0);
            let mut nearby = NearbyUrls::default();
            for (more, by) in steps {
                len = text.len().min(len + more);
                let known = &text[from..len];
                for at in (WINDOW..known.len()).step_by(10_000) {
                    for url in [&b"http://a.b/c"[..], b"http://a.b/d", b"ftp://x"] {
                        let fresh = NearbyUrls::default().stands(known, at, (url, &[]));
                        prop_assert_eq!(nearby.stands(known, at, (url, &[])), fresh);
                    }
                }
                nearby = nearby.gone_on(known.len());
                let by = by.index(known.len() + 1).min(known.len() / 2);
                nearby = nearby.moved(by);
                from += by;
            }
        }
    }
}
