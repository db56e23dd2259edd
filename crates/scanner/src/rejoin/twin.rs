//! The URLs that stand unbroken around a break.
//!
//! Nothing shows better where a broken URL ends than the same URL elsewhere in one piece. Looking
//! for one at every break would cost the window each time, so the places are kept: each block of
//! text is gone through once, and every URL in it that starts at a boundary and ends at one is
//! entered under the hash of its text. In link lists that costs more than looking for a few URLs by
//! themselves, and few are asked for: only where more are, a block is gone through.

use super::Memo;
use super::WINDOW;
use super::tail::{Tail, is_closing};
use crate::Input;

/// A block of text that is entered as one.
const BLOCK: usize = 64 * 1024;
/// Longer URLs are not entered.
const LONGEST: usize = 2048;
/// At most so many places with the same text are looked at.
const SAME: usize = 64;
/// So many URLs are looked for by themselves in a block before it is entered.
const FEW: u32 = 4;

/// The URLs of the blocks that were asked for last.
#[derive(Clone, Debug, Default)]
pub(super) struct Twins {
    blocks: Vec<Block>,
    /// The block in which the last window starts, and how many in a row started there.
    asked: (usize, u32),
}

/// The URLs that start in one block.
#[derive(Clone, Debug)]
struct Block {
    index: usize,
    /// Sorted by hash, then by offset.
    places: Vec<Place>,
    /// Where the places start whose hashes have the same highest bits, and, last, where all end: so
    /// that a URL which is not among them, as nearly all that are asked for, is not sought for long.
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
        if len > LONGEST {
            return false;
        }
        let low = at.saturating_sub(WINDOW);
        let high = text.len().min(at.saturating_add(WINDOW));
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
        let (first, last) = (low / BLOCK, high / BLOCK);
        self.asked = (first, if self.asked.0 == first { self.asked.1 + 1 } else { 1 });
        (first..=last).any(|index| {
            if let Some(block) = self.block(text, index) {
                let places = block.with_hash(wanted, low).iter();
                places.take(SAME).take_while(|place| place.hash == wanted).any(is_it)
            } else {
                let places = places_of(text, index, head, len).filter(|place| place.start >= low);
                places.take(SAME).any(|place| is_it(&place))
            }
        })
    }

    /// The block, gone through now if it has not been; `None` if that is not worth it yet.
    fn block(&mut self, text: &[u8], index: usize) -> Option<&Block> {
        const KEPT: usize = 4;
        let at = match self.blocks.iter().position(|block| block.index == index) {
            Some(at) => at,
            None if self.asked.1 <= FEW => return None,
            None => {
                if self.blocks.len() == KEPT {
                    self.blocks.remove(0);
                }
                self.blocks.push(Block::new(text, index));
                self.blocks.len() - 1
            }
        };
        self.blocks.get(at)
    }
}

/// The places in a block at which URLs of `len` bytes start with `head`.
fn places_of<'a>(
    text: &'a [u8],
    index: usize,
    head: &'a [u8],
    len: usize,
) -> impl Iterator<Item = Place> + 'a {
    let (start, stop) = limits(text, index);
    let area = &text[start..text.len().min(stop + head.len())];
    let colon = memchr::memmem::find(head, b"://");
    let hits = colon.map(|colon| (colon, memchr::memmem::find_iter(area, head)));
    hits.into_iter()
        .flat_map(move |(colon, hits)| {
            let hits = hits.map(move |at| start + at);
            hits.filter(move |at| extent(text, at + colon) == Some((*at, at + len)))
        })
        .map(move |start| Place { hash: NOTHING, start, end: start + len })
}

/// The bytes from which on URLs start that belong to a block.
fn limits(text: &[u8], index: usize) -> (usize, usize) {
    let start = (index * BLOCK).min(text.len());
    (start, (start + BLOCK).min(text.len()))
}

impl Block {
    fn new(text: &[u8], index: usize) -> Self {
        let (start, stop) = limits(text, index);
        let mut places = Vec::new();
        let area = &text[start.saturating_sub(SCHEME)..text.len().min(stop + SCHEME)];
        let base = start.saturating_sub(SCHEME);
        for colon in memchr::memmem::find_iter(area, b"://") {
            let colon = base + colon;
            if let Some((from, to)) = extent(text, colon)
                && (start..stop).contains(&from)
            {
                places.push(Place { hash: hash(NOTHING, &text[from..to]), start: from, end: to });
            }
        }
        places.sort_unstable();
        let mut block = Self { index, places, buckets: vec![0] };
        block.sort_into_buckets();
        block
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

/// The longest scheme that is looked for.
const SCHEME: usize = 16;

/// What bounds a URL on either side, and what ends one.
const BOUNDARY: u8 = 1;
const END: u8 = 2;
/// What a scheme is made of.
const SCHEME_BYTE: u8 = 4;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0_u8;
    loop {
        classes[byte as usize] = match byte {
            0..=b' '
            | b'<'
            | b'>'
            | b'('
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b'"'
            | b'\''
            | b'`'
            | b'|' => BOUNDARY | END,
            b')' | 0x80.. => END,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'.' => SCHEME_BYTE,
            _ => 0,
        };
        if byte == u8::MAX {
            break classes;
        }
        byte += 1;
    }
};

fn is(byte: u8, class: u8) -> bool {
    CLASSES[usize::from(byte)] & class != 0
}

/// The URL around a `://`, if it starts at a boundary: closing punctuation left out. No two
/// overlap, so that going through a text is linear.
fn extent(text: &[u8], colon: usize) -> Option<(usize, usize)> {
    let head = text.get(colon.saturating_sub(SCHEME)..colon)?;
    let scheme = head.iter().rev().take_while(|byte| is(**byte, SCHEME_BYTE)).count();
    let start = colon - scheme;
    if scheme == 0 || start > 0 && !is(text[start - 1], BOUNDARY) {
        return None;
    }
    let rest = &text[start..text.len().min(start + LONGEST + 1)];
    let len = rest.iter().position(|byte| is(*byte, END)).unwrap_or(rest.len());
    if len > LONGEST {
        return None;
    }
    let end = rest[..len].iter().rposition(|byte| !is_closing(*byte))? + 1;
    Some((start, start + end))
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
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// A URL is found by itself where it is found among those of its block.
        #[test]
        fn looking_for_one_finds_what_the_block_holds(
            pieces in proptest::collection::vec(proptest::sample::select(&[
                "http://", "http://h.dom/a", "http://h.dom/a-b", "://", "a", "-b", "h.dom/a", "xhttp://h.dom/a", "é", "(", ")", "<",
                ">", "'", ".", ",", " ", "\n", "/",
            ][..]), 0..40),
            blanks in 0..3 * BLOCK,
            head in proptest::sample::select(&["", "a", "http://", "http://h.dom/a", "http://h.dom/", "://", "http://h.dom/(a"][..]),
            tail in proptest::sample::select(&["", "a", "-b", "a-b", "h.dom/a", "\n"][..]),
            at in 0_usize..200,
            own in proptest::option::of(0_usize..200),
        ) {
            let (first, second) = pieces.split_at(pieces.len() / 2);
            let text = first.concat() + &" ".repeat(blanks) + &second.concat();
            let text = text.as_bytes();
            for (at, own) in [(at, own), (at + blanks, own.map(|own| own + blanks))] {
                let ask = |asked| {
                    let mut twins = Twins { asked: (at.saturating_sub(WINDOW) / BLOCK, asked), ..Twins::default() };
                    let stands = twins.stands(text, at, (head.as_bytes(), tail.as_bytes()), own);
                    (stands, twins.blocks.is_empty())
                };
                let (by_itself, entered) = (ask(0), ask(FEW));
                prop_assert_eq!((by_itself.1, entered.1), (true, false));
                prop_assert_eq!(by_itself.0, entered.0);
            }
        }
    }
}
