//! Finds URLs that occur unbroken around a break.
//!
//! The best evidence of where a broken URL ends is the same URL elsewhere in one piece. In real
//! text few breaks need this lookup, so the window is searched for the joined URL directly. If
//! lookups are frequent, as in adversarial text, the URLs of each block of text are indexed once,
//! so that the total time stays linear. An unbroken occurrence of a joined URL is called a *twin*.

use super::site::WINDOW;
use super::tail::{Tail, is_closing};
use crate::options::Engine;
use crate::simd::ByteSet;
use crate::table::table;
use memchr::memmem;
use std::sync::LazyLock;
use urlsift_core::Span;

/// The size of a block, the unit of indexing, in bytes.
const BLOCK: usize = 64 * 1024;
/// The maximum number of direct searches while the window touches the same blocks. After that,
/// these blocks and those that follow are indexed. In lists of URLs, the index of a block takes as
/// many instructions as twelve searches (2026-11-27), and a window touches two or three blocks.
const MAX_SEARCHES: usize = 24;
/// The maximum length of a twin, in bytes.
const MAX_TWIN: usize = 2048;
/// The maximum number of URLs with the same hash that are compared.
const MAX_SAME_HASH: usize = 64;

/// A search for URLs that occur in one piece within [`WINDOW`] bytes of a break. If lookups are
/// frequent, the URLs are indexed.
#[derive(Clone, Debug, Default)]
pub(super) struct NearbyUrls {
    /// The number of bytes of the first block that were removed from the start of the text.
    before: usize,
    /// The numbers of the first and last block that the last window touched.
    window_blocks: (usize, usize),
    /// The number of lookups while the window touched these blocks.
    lookups: usize,
    /// True if the window before that had too many lookups for direct searches.
    is_frequent: bool,
    /// The most recently indexed blocks.
    index: Vec<Block>,
    /// A Bloom-style filter for a range of blocks (first, last): one bit for each value of the
    /// hashes' highest bits. It rejects most lookups.
    hash_filter: Option<((usize, usize), Vec<u64>)>,
    /// A buffer for the URL that is looked up.
    url: Vec<u8>,
}

/// The index of the URLs in one block of the text. A URL is in the block that contains its first
/// colon.
#[derive(Clone, Debug)]
struct Block {
    number: usize,
    spans: Vec<Span>,
    /// The hash of each URL with its index in `spans` in the lowest bits, sorted. Sorting numbers
    /// takes a third of the time that sorting `spans` takes.
    keys: Vec<u64>,
}

impl NearbyUrls {
    /// True if the URL that is broken at byte `at` occurs nearby in one piece. `head` is the URL up
    /// to the break, and `first` the token after it.
    ///
    /// Further tokens may follow in the unbroken URL: those in `further`, from the lines below the
    /// next one.
    pub(super) fn has_twin<'t>(
        &mut self,
        text: &[u8],
        at: usize,
        head: &[u8],
        first: Tail<'t>,
        further: impl Iterator<Item = Tail<'t>>,
    ) -> bool {
        if self.occurs_joined(text, at, (head, first.core)) {
            return true;
        }
        let mut url = Vec::new();
        // At the end of a line that is not the last, punctuation belongs to the URL.
        let mut line = first.token;
        for tail in further {
            if url.is_empty() {
                url.extend_from_slice(head);
            }
            url.extend_from_slice(line);
            if url.len() + tail.core.len() > MAX_TWIN {
                return false;
            }
            if self.occurs_joined(text, at, (&url, tail.core)) {
                return true;
            }
            line = tail.token;
        }
        false
    }

    /// True if the hyphen before a break was inserted by the software that broke the line. The
    /// evidence is that the URL without the hyphen occurs unbroken within [`WINDOW`] bytes of `at`,
    /// and the URL with the hyphen does not.
    ///
    /// `head` is the URL up to and including the hyphen, and `tail` is the text after the break.
    /// Closing punctuation at the end of `tail` is ignored.
    pub(super) fn is_inserted_hyphen(
        &mut self,
        text: &[u8],
        head: &[u8],
        tail: &[u8],
        at: usize,
    ) -> bool {
        let Some(bare_head) = head.strip_suffix(b"-") else { return false };
        let end = tail.iter().rposition(|byte| !is_closing(*byte)).map_or(0, |last| last + 1);
        let tail = &tail[..end];
        self.occurs_joined(text, at, (bare_head, tail))
            && !self.occurs_joined(text, at, (head, tail))
    }

    /// True if the URL that consists of `head` and `tail` occurs in one piece in the window around
    /// byte `at`.
    fn occurs_joined(&mut self, text: &[u8], at: usize, (head, tail): (&[u8], &[u8])) -> bool {
        if head.len() + tail.len() > MAX_TWIN {
            return false;
        }
        let mut url = std::mem::take(&mut self.url);
        url.clear();
        url.extend_from_slice(head);
        url.extend_from_slice(tail);
        let occurs = self.occurs_whole(text, at, &url);
        self.url = url;
        occurs
    }

    /// True if `url` occurs in one piece in the window around byte `at`.
    fn occurs_whole(&mut self, text: &[u8], at: usize, url: &[u8]) -> bool {
        let (low, high) = (at.saturating_sub(WINDOW), text.len().min(at.saturating_add(WINDOW)));
        let is_end = at.saturating_add(WINDOW) > text.len();
        let is_twin = |span: Span| (span.start > low || at < WINDOW) && (span.end < high || is_end);
        let window_blocks = ((self.before + low) / BLOCK, (self.before + high) / BLOCK);
        if self.window_blocks != window_blocks {
            self.is_frequent = self.lookups >= MAX_SEARCHES;
            (self.window_blocks, self.lookups) = (window_blocks, 0);
        }
        self.lookups += 1;
        if self.lookups <= MAX_SEARCHES && !self.is_frequent {
            search_window(text, Span::new(low, high), url, is_twin)
        } else {
            self.look_up_in_index(text, low, url, is_twin)
        }
    }

    /// True if the index contains an occurrence of `url` that `is_twin` accepts.
    fn look_up_in_index(
        &mut self,
        text: &[u8],
        low: usize,
        url: &[u8],
        is_twin: impl Fn(Span) -> bool,
    ) -> bool {
        let hash = hash_url(url);
        let window_blocks = self.window_blocks;
        if !self.may_contain(text, window_blocks, hash) {
            return false;
        }
        (window_blocks.0..=window_blocks.1).any(|number| {
            let Block { spans, keys, .. } = self.indexed_block(text, number);
            let alike = &keys[keys.partition_point(|key| *key < hash)..];
            if alike.first().is_none_or(|key| key & !INDEX != hash) {
                return false;
            }
            // Only the first block can contain URLs before the window.
            let is_first = number == window_blocks.0;
            let before = if is_first { spans.partition_point(|span| span.start < low) } else { 0 };
            let key_from = hash | before as u64;
            alike[alike.partition_point(|key| *key < key_from)..]
                .iter()
                .take_while(|key| *key & !INDEX == key_from & !INDEX)
                .take(MAX_SAME_HASH)
                .any(|key| {
                    let span = spans[(key & INDEX) as usize];
                    text.get(span.range()) == Some(url) && is_twin(span)
                })
        })
    }

    /// True if a URL with this hash may occur in the blocks `window_blocks` (first, last). If
    /// false, there is certainly none.
    fn may_contain(&mut self, text: &[u8], window_blocks: (usize, usize), hash: u64) -> bool {
        if !matches!(&self.hash_filter, Some((blocks, _)) if *blocks == window_blocks) {
            let mut hash_filter =
                self.hash_filter.take().map_or_else(Vec::new, |(_, hash_filter)| hash_filter);
            hash_filter.clear();
            hash_filter.resize(FILTER_WORDS, 0);
            for number in window_blocks.0..=window_blocks.1 {
                for key in &self.indexed_block(text, number).keys {
                    let (word, bit) = filter_bit(*key);
                    hash_filter[word] |= bit;
                }
            }
            self.hash_filter = Some((window_blocks, hash_filter));
        }
        let (word, bit) = filter_bit(hash);
        self.hash_filter.as_ref().is_some_and(|(_, hash_filter)| hash_filter[word] & bit != 0)
    }

    /// Returns the block with this number. Indexes its URLs first, if necessary.
    fn indexed_block(&mut self, text: &[u8], number: usize) -> &Block {
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

    /// Drops the indexed blocks that may change when text is appended after the first `len` bytes.
    pub(super) fn after_appending(mut self, len: usize) -> Self {
        let before = self.before;
        self.hash_filter = None;
        self.index.retain(|block| (block.number + 1) * BLOCK - before + MAX_TWIN < len);
        self
    }

    /// Adapts the index after the first `by` bytes of the text were removed.
    pub(super) fn after_removing(mut self, by: usize) -> Self {
        let (lost, before) = ((self.before + by) / BLOCK, (self.before + by) % BLOCK);
        self.before = before;
        self.window_blocks = (usize::MAX, usize::MAX);
        self.hash_filter = None;
        self.index.retain(|block| block.number >= lost);
        for block in &mut self.index {
            block.number -= lost;
            let Block { spans, keys, .. } = block;
            keys.retain(|key| spans[(key & INDEX) as usize].start >= by);
            for span in spans {
                let start = span.start.saturating_sub(by);
                *span = Span::new(start, span.end.saturating_sub(by).max(start));
            }
        }
        self
    }
}

/// True if `window` contains an occurrence of `url` that `is_twin` accepts. Searches the text
/// directly, without the index.
fn search_window(text: &[u8], window: Span, url: &[u8], is_twin: impl Fn(Span) -> bool) -> bool {
    let is_whole =
        URL_BYTES.run_end(url, 0) == url.len() && url.last().is_some_and(|b| !is_closing(*b));
    let colon = memchr::memchr(b':', url).filter(|at| url[*at..].starts_with(b"://"));
    let Some(colon) = colon.filter(|_| is_whole) else {
        return false;
    };
    // URLs contain none of the bytes that can precede one, so no two of them overlap.
    memmem::find_iter(&text[window.range()], url).any(|at| {
        let span = Span::new(window.start + at, window.start + at + url.len());
        is_twin(span) && unbroken_url_span(text, span.start + colon) == Some(span)
    })
}

impl Block {
    /// Indexes the URLs whose first colon is in `area`, the span of block `number` in the text.
    fn new(text: &[u8], number: usize, area: Span) -> Self {
        let within = &text[area.start..text.len().min(area.end + 2)];
        let colons = memchr::memchr_iter(b':', within)
            .filter(|at| within[at + 1..].starts_with(b"//"))
            .map(|at| area.start + at);
        let spans: Vec<_> = colons.filter_map(|colon| unbroken_url_span(text, colon)).collect();
        let keyed = |(index, span): (usize, &Span)| hash_url(&text[span.range()]) | index as u64;
        let mut keys: Vec<_> = spans.iter().enumerate().map(keyed).collect();
        keys.sort_unstable();
        Self { number, spans, keys }
    }
}

/// The number of a hash's highest bits that [`NearbyUrls::may_contain`] uses. In text with as many
/// URLs as possible, one in five values is present.
const FILTER_BITS: u32 = 16;
/// The size of the filter in words, with one bit for each value.
const FILTER_WORDS: usize = 1 << FILTER_BITS >> 6;

/// Returns the position of the bit for `hash` in the filter: the index of a word, and a mask in
/// which only that bit is 1.
fn filter_bit(hash: u64) -> (usize, u64) {
    let value = hash >> (u64::BITS - FILTER_BITS);
    ((value >> 6) as usize, 1 << (value & 63))
}

/// The bits of a key that contain an index. A block contains fewer URLs than bytes, so they
/// suffice.
const INDEX: u64 = BLOCK as u64 - 1;

/// Returns a hash of the URL. The bits of [`INDEX`] are 0, to leave room for the index of a URL.
fn hash_url(url: &[u8]) -> u64 {
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

/// The maximum length of a scheme, in bytes.
const MAX_SCHEME: usize = 16;

/// The class of bytes that can be on either side of a URL.
const BOUNDARY: u8 = 1;
/// The class of bytes that end a URL.
const END: u8 = 2;
/// The class of bytes that schemes contain.
const SCHEME_BYTE: u8 = 4;

/// The classes of each byte, as a bit mask.
static CLASSES: [u8; 256] = table!(|byte| match byte {
    0..=b' ' | b'<' | b'>' | b'(' | b'[' | b']' | b'{' | b'}' | b'"' | b'\'' | b'`' | b'|' =>
        BOUNDARY | END,
    b')' | 0x80.. => END,
    b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'.' => SCHEME_BYTE,
    _ => 0,
});

/// True if `byte` belongs to the byte class `class`.
fn is_in_class(byte: u8, class: u8) -> bool {
    CLASSES[usize::from(byte)] & class != 0
}

/// The bytes that don't end a URL. All engines find the same end, so the default one is used.
static URL_BYTES: LazyLock<ByteSet> =
    LazyLock::new(|| ByteSet::new(Engine::default(), CLASSES.map(|class| class & END == 0)));

/// Returns the span of the URL whose `://` is at `colon`, without closing punctuation. Returns
/// `None` if the URL doesn't start at a boundary or is too long. No two of these spans overlap.
fn unbroken_url_span(text: &[u8], colon: usize) -> Option<Span> {
    let head = text.get(colon.saturating_sub(MAX_SCHEME)..colon)?;
    let scheme = head.iter().rev().take_while(|byte| is_in_class(**byte, SCHEME_BYTE)).count();
    let start = colon - scheme;
    if scheme == 0 || start > 0 && !is_in_class(text[start - 1], BOUNDARY) {
        return None;
    }
    let rest = &text[..text.len().min(start + MAX_TWIN + 1)];
    let end = URL_BYTES.run_end(rest, colon);
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
        fn lookup_agrees_with_naive_search(
            pieces in proptest::collection::vec(proptest::sample::select(&[
                "http://a.b/c", "http://a.b/c/d.html", "https://a.b/", "ftp://x", "x://y", "/e", "-f", "(", ")", ".", " ", "\n", "é", "word",
            ][..]), 0..40),
            url in proptest::sample::select(&["http://a.b/c", "http://a.b/c/d.html/e", "ftp://x-f", "x://y", "https://a.b/-f"][..]),
            split in any::<proptest::sample::Index>(),
        ) {
            let text = pieces.concat();
            let text = text.as_bytes();
            let pieces = url.as_bytes().split_at(split.index(url.len()));
            let mut extents = memmem::find_iter(text, b"://").filter_map(|colon| unbroken_url_span(text, colon));
            let naive = extents.any(|span| &text[span.range()] == url.as_bytes());
            let mut nearby = NearbyUrls::default();
            // The last lookup uses the index.
            for _ in 0..=MAX_SEARCHES {
                prop_assert_eq!(nearby.occurs_joined(text, text.len() / 2, pieces), naive);
            }
        }

        #[test]
        fn cached_lookup_equals_fresh_one_in_a_growing_text(
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
                        let fresh = NearbyUrls::default().occurs_joined(known, at, (url, &[]));
                        prop_assert_eq!(nearby.occurs_joined(known, at, (url, &[])), fresh);
                    }
                }
                nearby = nearby.after_appending(known.len());
                let by = by.index(known.len() + 1).min(known.len() / 2);
                nearby = nearby.after_removing(by);
                from += by;
            }
        }
    }
}
