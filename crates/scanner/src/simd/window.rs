//! A window of text, with a mask of the possible anchors in it.

/// The number of words in a window's mask, which is the number of bits in `live`. With half as
/// many, the scan of prose was 2 % slower.
const WORDS: usize = 64;

/// The maximum length of a window, in bytes.
pub(crate) const WINDOW: usize = 64 * WORDS;

/// A window of the text, with a bit mask of the colons in it that may be anchors, i.e. belong to a
/// URL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// The offset of the window's first byte.
    start: usize,
    /// The offset from which to search for the next window.
    pub(crate) end: usize,
    /// Bit n of word w is set if byte `start + 64 * w + n` is a colon whose neighbors allow an
    /// anchor. Only words with a bit in `live` are valid.
    masks: [u64; WORDS],
    /// Bit w is set if word w is not zero. A test of each word would be a branch that the processor
    /// mispredicts every other time.
    live: u64,
}

impl Window {
    /// An empty window at the start of a text.
    pub(crate) const NONE: Self = Self { start: 0, end: 0, masks: [0; WORDS], live: 0 };

    /// Moves the window to the bytes `start..end`, and removes all possible anchors.
    pub(crate) fn reset(&mut self, start: usize, end: usize) {
        (self.start, self.end, self.live) = (start, end, 0);
    }

    /// Adds the colon at byte `at` as a possible anchor. It must be in the window, and after all
    /// colons added before.
    pub(crate) fn add_colon(&mut self, at: usize) {
        let bit = at - self.start;
        let (word, bit) = (bit / 64 % WORDS, bit % 64);
        let rest = if self.live >> word & 1 == 0 { 0 } else { self.masks[word] };
        self.masks[word] = rest | 1 << bit;
        self.live |= 1 << word;
    }

    /// Moves the window to the next part of the text, from byte `at` on, that contains a possible
    /// anchor. If there is none, returns as an error the offset of the first byte that was not
    /// searched.
    ///
    /// `mask_at` returns one bit for each of the 64 bytes from an offset on. It is called for `at`
    /// and every 64 bytes after it, up to `last`.
    ///
    /// The loop doesn't branch after each block: in prose one block in ten has an anchor, and which
    /// one is unpredictable.
    #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
    #[inline(always)]
    pub(super) fn fill_next(
        &mut self,
        mut at: usize,
        last: usize,
        mask_at: impl Fn(usize) -> u64,
    ) -> Result<(), usize> {
        while at <= last {
            self.start = at;
            let mut live = 0;
            for (word, mask) in self.masks.iter_mut().enumerate() {
                if at > last {
                    break;
                }
                *mask = mask_at(at);
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

    /// Removes the first possible anchor from the window and returns its offset, or `None` if the
    /// window has no more.
    #[inline(always)]
    pub(crate) fn pop_anchor(&mut self) -> Option<usize> {
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

/// Prefetches the bytes one window after byte `at` into the processor's cache.
///
/// While the anchors of a window are judged, nothing reads ahead, and the processor's own
/// prefetcher stops at the end of a page. This makes the scan of a text that is not in the cache a
/// quarter faster.
#[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
#[target_feature(enable = "sse")]
#[inline]
pub(crate) fn fetch_next(text: &[u8], at: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch past the end of the text has no visible effect; every address is allowed.
    // (Later versions of Rust declare it safe.)
    #[allow(unsafe_code, unused_unsafe, reason = "it is unsafe before Rust 1.91")]
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(text.as_ptr().wrapping_add(at + WINDOW).cast());
    }
}
