//! The URLs that stand unbroken around a break.
//!
//! Nothing shows better where a broken URL ends than the same URL elsewhere in one piece. Looking
//! for one at every break would cost the window each time, so the places are kept: each block of
//! text is gone through once, and every URL in it that starts at a boundary and ends at one is put
//! by. Of the URLs that are asked for hardly one is among them, which their ends tell; only where they
//! do not are the places sorted by the hashes of their texts.

use super::tail::{Tail, is_closing};
use super::{Asked, Memo, WINDOW};
use crate::Input;
use crate::simd::Set;
use crate::table::table;
use std::sync::LazyLock;
use urlsift_core::Span;

/// A block of text that is entered as one.
const BLOCK: usize = 64 * 1024;
/// Longer URLs are not entered.
const LONGEST: usize = 2048;
/// At most so many places with the same text are looked at.
const SAME: usize = 64;

/// The URLs of the blocks that were asked for last.
#[derive(Clone, Debug, Default)]
pub(super) struct Twins {
    /// How much of the first block stood before the text and is forgotten.
    before: usize,
    blocks: Vec<Block>,
    /// The first and the last of the blocks that were asked for together, and the ends of all their
    /// URLs.
    around: Option<(usize, usize)>,
    ends: Option<Ends>,
    /// What was asked for the decision at hand.
    pub(super) asked: Asked,
}

/// The URLs that start in one block.
#[derive(Clone, Debug)]
struct Block {
    index: usize,
    ends: Ends,
    places: Vec<Span>,
    /// The same by their texts, once they are asked for so.
    sorted: Option<Sorted>,
}

/// The URLs of a block, by their texts.
#[derive(Clone, Debug)]
struct Sorted {
    /// Sorted by hash, then by offset.
    places: Vec<Place>,
    /// Where the places start whose hashes have the same highest bits, and, last, where all end: so
    /// that a URL which is not among them is not sought for long.
    buckets: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    hash: u64,
    start: usize,
    end: usize,
}

impl Twins {
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
        if self.stands(text, at, (head, first.core), None) {
            return true;
        }
        let mut url = Vec::new();
        // Punctuation at the end of a line that is not the last belongs to the URL.
        let mut line = first.token;
        for tail in further {
            self.asked = Asked::Closely;
            if url.is_empty() {
                url.extend_from_slice(head);
            }
            url.extend_from_slice(line);
            if url.len() + tail.core.len() > LONGEST {
                return false;
            }
            if self.stands(text, at, (&url, tail.core), None) {
                return true;
            }
            line = tail.token;
        }
        false
    }

    /// Whether the URL stands elsewhere within the window than at `own`.
    pub(super) fn stands_alone(&mut self, text: &[u8], at: usize, url: &[u8], own: usize) -> bool {
        let end = url.iter().rposition(|byte| !is_closing(*byte)).map_or(0, |last| last + 1);
        self.stands(text, at, (&url[..end], &[]), Some(own))
    }

    /// Whether the URL that both pieces make stands within the window elsewhere than at `own`.
    fn stands(
        &mut self,
        text: &[u8],
        at: usize,
        (head, tail): (&[u8], &[u8]),
        own: Option<usize>,
    ) -> bool {
        let len = head.len() + tail.len();
        if len > LONGEST || !self.may_stand(text, at, (head, tail)) {
            return false;
        }
        self.asked = Asked::Closely;
        let (low, high) = window(text, at);
        let is_end = at.saturating_add(WINDOW) > text.len();
        let wanted = hash(hash(NOTHING, head), tail);
        let is_it = |place: &Place| {
            let within = (place.start > low || at < WINDOW) && (place.end < high || is_end);
            within
                && Some(place.start) != own
                && place.end - place.start == len
                && text.get(place.start..place.end).is_some_and(|url| {
                    url.starts_with(head) && (tail.is_empty() || url.ends_with(tail))
                })
        };
        let (first, last) = self.blocks_around(text, at);
        (first..=last).any(|index| {
            let places = self.block(text, index).sorted(text).with_hash(wanted, low);
            places.iter().take(SAME).take_while(|place| place.hash == wanted).any(is_it)
        })
    }

    /// Whether a URL that ends as the one that both pieces make stands in one of the blocks that the
    /// window reaches into.
    fn may_stand(&mut self, text: &[u8], at: usize, pieces: (&[u8], &[u8])) -> bool {
        self.asked = self.asked.max(Asked::AtSight);
        let around = self.blocks_around(text, at);
        let mut ends = self.ends.take().unwrap_or_default();
        if self.around != Some(around) {
            self.around = Some(around);
            ends.clear();
            for index in around.0..=around.1 {
                ends.add_all(&self.block(text, index).ends);
            }
        }
        let may_stand = ends.has(end_of(pieces));
        self.ends = Some(ends);
        may_stand
    }

    /// The first and the last of the blocks that the window around a break reaches into.
    fn blocks_around(&self, text: &[u8], at: usize) -> (usize, usize) {
        let (low, high) = window(text, at);
        ((self.before + low) / BLOCK, (self.before + high) / BLOCK)
    }

    /// The blocks in which no twin was found for the decision at hand, if any was looked for.
    pub(super) fn blocks_asked(&self) -> Option<(usize, usize)> {
        self.around.filter(|_| self.asked == Asked::AtSight)
    }

    /// Whether these are the blocks that the window around a break reaches into.
    pub(super) fn are_around(&self, blocks: (usize, usize), text: &[u8], at: usize) -> bool {
        self.blocks_around(text, at) == blocks
    }

    /// The block, gone through now if it has not been.
    fn block(&mut self, text: &[u8], index: usize) -> &mut Block {
        const KEPT: usize = 4;
        let at = self.blocks.iter().position(|block| block.index == index).unwrap_or_else(|| {
            if self.blocks.len() == KEPT {
                self.blocks.remove(0);
            }
            let start = (index * BLOCK).saturating_sub(self.before);
            let stop = (index + 1) * BLOCK - self.before;
            self.blocks.push(Block::new(text, index, Span::new(start, stop)));
            self.blocks.len() - 1
        });
        &mut self.blocks[at]
    }

    /// What holds of the text when it has gone on behind its first `len` bytes.
    pub(super) fn gone_on(mut self, len: usize) -> Self {
        let before = self.before;
        let is_settled =
            |block: &Block| (block.index + 1) * BLOCK - before + SCHEME + LONGEST < len;
        self.blocks.retain(is_settled);
        self.around = None;
        self
    }

    /// The same when the text has lost its first `by` bytes.
    pub(super) fn moved(mut self, by: usize) -> Self {
        let (lost, before) = ((self.before + by) / BLOCK, (self.before + by) % BLOCK);
        self.before = before;
        self.around = None;
        self.blocks.retain(|block| block.index >= lost);
        for block in &mut self.blocks {
            block.index -= lost;
            block.sorted = None;
            block.places.retain(|place| place.start >= by);
            for place in &mut block.places {
                *place = Span::new(place.start - by, place.end - by);
            }
        }
        self
    }
}

/// The window around a break.
fn window(text: &[u8], at: usize) -> (usize, usize) {
    (at.saturating_sub(WINDOW), text.len().min(at.saturating_add(WINDOW)))
}

impl Block {
    /// The block that lies there, as far as there is text.
    fn new(text: &[u8], index: usize, area: Span) -> Self {
        let (start, stop) = (area.start.min(text.len()), area.end.min(text.len()));
        let (mut places, mut ends) = (Vec::new(), Ends::default());
        let area = &text[start.saturating_sub(SCHEME)..text.len().min(stop + SCHEME)];
        let base = start.saturating_sub(SCHEME);
        for colon in memchr::memchr_iter(b':', area) {
            if area[colon..].starts_with(b"://")
                && let Some(place) = extent(text, base + colon)
                && (start..stop).contains(&place.start)
            {
                ends.add(end_of((&text[place.range()], &[])));
                places.push(place);
            }
        }
        Self { index, ends, places, sorted: None }
    }

    fn sorted(&mut self, text: &[u8]) -> &Sorted {
        self.sorted.get_or_insert_with(|| Sorted::new(text, &self.places))
    }
}

impl Sorted {
    fn new(text: &[u8], places: &[Span]) -> Self {
        let entered = |place: &Span| Place {
            hash: hash(NOTHING, &text[place.range()]),
            start: place.start,
            end: place.end,
        };
        let mut places: Vec<_> = places.iter().map(entered).collect();
        places.sort_unstable();
        let mut sorted = Self { places, buckets: vec![0] };
        sorted.sort_into_buckets();
        sorted
    }

    fn sort_into_buckets(&mut self) {
        let count = self.places.len().next_power_of_two();
        self.buckets.resize(count + 1, 0);
        let mut full = 0;
        for at in 0..self.places.len() {
            let bucket = self.bucket(self.places[at].hash);
            if bucket > full {
                self.buckets[full + 1..=bucket].fill(at);
                full = bucket;
            }
        }
        self.buckets[full + 1..].fill(self.places.len());
    }

    /// The bucket of a hash: its highest bits.
    fn bucket(&self, hash: u64) -> usize {
        let bits = (self.buckets.len() - 1).trailing_zeros();
        hash.checked_shr(u64::BITS - bits).and_then(|high| high.try_into().ok()).unwrap_or(0)
    }

    /// The places from the first one on that has that hash and starts at byte `low` or behind it, if
    /// there is one.
    fn with_hash(&self, hash: u64, low: usize) -> &[Place] {
        let bucket = self.bucket(hash);
        let places = &self.places[self.buckets[bucket]..self.buckets[bucket + 1]];
        if places.is_empty() {
            return places;
        }
        &places[places.partition_point(|place| (place.hash, place.start) < (hash, low))..]
    }
}

/// How URLs end, as a set that also holds what was never put into it, but seldom.
#[derive(Clone, Debug)]
struct Ends(Box<[u64; Self::WORDS]>);

impl Default for Ends {
    fn default() -> Self {
        Self(Box::new([0; Self::WORDS]))
    }
}

impl Ends {
    /// With 512 of them, three blocks of mail fill a thousandth of it, and link lists a tenth.
    const WORDS: usize = 512;

    fn clear(&mut self) {
        self.0.fill(0);
    }

    fn add(&mut self, end: u64) {
        let (word, bit) = Self::place(end);
        self.0[word] |= bit;
    }

    fn add_all(&mut self, others: &Self) {
        for (mine, other) in self.0.iter_mut().zip(&*others.0) {
            *mine |= other;
        }
    }

    fn has(&self, end: u64) -> bool {
        let (word, bit) = Self::place(end);
        self.0[word] & bit != 0
    }

    fn place(end: u64) -> (usize, u64) {
        let [a, b, ..] = end.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes();
        let high = usize::from(u16::from_be_bytes([a, b]));
        (high / 64 % Self::WORDS, 1 << (high % 64))
    }
}

/// What is entered of the end of the URL that both pieces make: its last eight bytes, and its length.
fn end_of((head, tail): (&[u8], &[u8])) -> u64 {
    let last = match tail.len() {
        0 => last_eight(head),
        len @ 1..8 => last_eight(tail) | last_eight(head) << (8 * len),
        _ => last_eight(tail),
    };
    let len = head.len() + tail.len();
    last ^ (len as u64).rotate_right(16)
}

/// The last eight bytes as a number, or all if they are fewer.
fn last_eight(bytes: &[u8]) -> u64 {
    match bytes.last_chunk() {
        Some(last) => u64::from_be_bytes(*last),
        None => bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)),
    }
}

/// The longest scheme that is looked for.
const SCHEME: usize = 16;

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

/// What a URL runs on over.
static WITHIN: LazyLock<Set> = LazyLock::new(|| Set::new(CLASSES.map(|class| class & END == 0)));

/// The URL around a `://`, if it starts at a boundary: closing punctuation left out. No two
/// overlap, so that going through a text is linear.
fn extent(text: &[u8], colon: usize) -> Option<Span> {
    let head = text.get(colon.saturating_sub(SCHEME)..colon)?;
    let scheme = match head {
        // Most schemes need not be gone through.
        [.., before, b'h', b't', b't', b'p'] if is(*before, BOUNDARY) => 4,
        _ => head.iter().rev().take_while(|byte| is(**byte, SCHEME_BYTE)).count(),
    };
    let start = colon - scheme;
    if scheme == 0 || start > 0 && !is(text[start - 1], BOUNDARY) {
        return None;
    }
    let rest = &text[..text.len().min(start + LONGEST + 1)];
    let end = WITHIN.run(rest, colon);
    if end - start > LONGEST {
        return None;
    }
    let last = text[start..end].iter().rposition(|byte| !is_closing(*byte))?;
    Some(Span::new(start, start + last + 1))
}

/// The hash of nothing.
const NOTHING: u64 = 0xCBF2_9CE4_8422_2325;

/// FNV-1a: short, and good enough where every hit is compared. `before` is the hash of what stands
/// before the bytes.
fn hash(before: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(before, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3))
}

/// Whether the text around a break after a hyphen shows that the hyphen was put in: the URL
/// without it stands unbroken within [`WINDOW`] of `at`, and the one with it does not.
///
/// `head` is the URL up to the break, hyphen and all, and `tail` goes on after it; punctuation that
/// closes the tail is not minded.
pub(crate) fn hyphen_dropped_by_twin(
    input: &Input<'_>,
    head: &[u8],
    tail: &[u8],
    at: usize,
    memo: &mut Memo,
) -> bool {
    let Some(bare_head) = head.strip_suffix(b"-") else { return false };
    let end = tail.iter().rposition(|byte| !is_closing(*byte)).map_or(0, |last| last + 1);
    let tail = &tail[..end];
    let text = input.text();
    let twins = &mut memo.twins;
    twins.stands(text, at, (bare_head, tail), None) && !twins.stands(text, at, (head, tail), None)
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
            own in any::<proptest::sample::Index>(),
        ) {
            let text = pieces.concat();
            let text = text.as_bytes();
            let pieces = url.as_bytes().split_at(split.index(url.len()));
            let own = own.index(text.len() + 1);
            let mut extents = memchr::memmem::find_iter(text, b"://").filter_map(|colon| extent(text, colon));
            let naive = extents.any(|place| &text[place.range()] == url.as_bytes() && place.start != own);
            prop_assert_eq!(Twins::default().stands(text, text.len() / 2, pieces, Some(own)), naive);
        }

        #[test]
        fn what_is_kept_of_a_text_that_goes_on_makes_no_difference(
            pieces in proptest::collection::vec((proptest::sample::select(&["http://a.b/c", "http://a.b/d", "ftp://x", "x", "\n"][..]), 0_usize..30_000), 1..40),
            steps in proptest::collection::vec((0_usize..100_000, any::<proptest::sample::Index>()), 1..8),
        ) {
            let text = pieces.iter().map(|(piece, gap)| [" ", piece, &" ".repeat(*gap)].concat());
            let text = text.collect::<Vec<_>>().concat();
            let (text, mut from, mut len) = (text.as_bytes(), 0, 0);
            let mut twins = Twins::default();
            for (more, by) in steps {
                len = text.len().min(len + more);
                let known = &text[from..len];
                for at in (WINDOW..known.len()).step_by(10_000) {
                    for url in [&b"http://a.b/c"[..], b"http://a.b/d", b"ftp://x"] {
                        let fresh = Twins::default().stands(known, at, (url, &[]), None);
                        prop_assert_eq!(twins.stands(known, at, (url, &[]), None), fresh);
                    }
                }
                twins = twins.gone_on(known.len());
                let by = by.index(known.len() + 1).min(known.len() / 2);
                twins = twins.moved(by);
                from += by;
            }
        }
    }
}
