//! A stretch of text, and where in it anchors may be.

/// Words of a window's mask: as many as one word tells of. Half as many cost prose 2 % more.
const WORDS: usize = 64;

/// Bytes of the longest window.
pub(crate) const WINDOW: usize = 64 * WORDS;

/// A stretch of text, and which of its bytes may be anchors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Where it starts.
    start: usize,
    /// Where the search goes on.
    pub(crate) end: usize,
    /// Bit n of word w: byte `start + 64 * w + n` is a colon whose neighbours allow an anchor. Only the
    /// words that are live count.
    masks: [u64; WORDS],
    /// Bit w: word w is not zero. Whether the next word is zero is a guess that
    /// the processor loses every other time, so that it is not asked.
    live: u64,
}

impl Window {
    pub(crate) const NONE: Self = Self { start: 0, end: 0, masks: [0; WORDS], live: 0 };

    /// Makes it a window without anchors.
    pub(crate) fn begin(&mut self, start: usize, end: usize) {
        (self.start, self.end, self.live) = (start, end, 0);
    }

    /// Adds the colon at byte `at`, which stands in it, behind all others.
    pub(crate) fn add(&mut self, at: usize) {
        let bit = at - self.start;
        let (word, bit) = (bit / 64 % WORDS, bit % 64);
        let others = if self.live >> word & 1 == 0 { 0 } else { self.masks[word] };
        self.masks[word] = others | 1 << bit;
        self.live |= 1 << word;
    }

    /// Makes it the next one from byte `at` on that holds what may be an anchor. `look` gives a bit for
    /// each of the 64 bytes from a place on; it is asked at `at` and every 64 bytes, but not beyond `last`.
    /// If there is no such window, says from where on nothing was looked at.
    ///
    /// Whether there is an anchor is not asked block by block, since prose has one in ten of them, and
    /// nothing tells in which.
    #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        mut at: usize,
        last: usize,
        look: impl Fn(usize) -> u64,
    ) -> Result<(), usize> {
        while at <= last {
            self.start = at;
            let mut live = 0;
            for (word, mask) in self.masks.iter_mut().enumerate() {
                if at > last {
                    break;
                }
                *mask = look(at);
                live |= u64::from(*mask != 0) << word;
                at += 64;
            }
            if live != 0 {
                (self.live, self.end) = (live, at);
                return Ok(());
            }
        }
        Err(at)
    }

    /// The next byte that may be an anchor, which is then passed over.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<usize> {
        if self.live == 0 {
            return None;
        }
        let word = self.live.trailing_zeros() as usize;
        let mask = self.masks.get_mut(word)?;
        let at = self.start + 64 * word + mask.trailing_zeros() as usize;
        *mask &= *mask - 1;
        self.live ^= u64::from(*mask == 0) << word;
        Some(at)
    }
}

/// Asks for the bytes that stand where those at `at` do, but one window further on. While a window's anchors are
/// judged nobody reads on, and the processor itself looks ahead no further than the end of a page. Of a text
/// that is not in the cache, the scan takes a quarter less time so.
#[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
#[target_feature(enable = "sse")]
#[inline]
pub(crate) fn fetch_next(text: &[u8], at: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: beyond the end of the text it does nothing, or nothing that shows; no address is wrong for it. (Later
    // versions of Rust know it to be safe.)
    #[allow(unsafe_code, unused_unsafe, reason = "it is unsafe before Rust 1.91")]
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(text.as_ptr().wrapping_add(at + WINDOW).cast());
    }
}
