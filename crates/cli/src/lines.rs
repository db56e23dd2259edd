//! Lines and columns, counted only as far as somebody asks.

use memchr::{memchr_iter, memrchr};
use std::num::NonZero;
use wide::u8x16;

/// So few bytes hold so few line breaks that calls of a library made for long texts cost more than
/// to look at all of them.
const NEAR: usize = 192;

/// Counts line breaks (LF) along a unit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    /// How far was counted, as an offset in the file.
    at: u64,
    /// Line breaks between the unit's start and `at`.
    count: u64,
    /// Line breaks in the file before the unit, if that is known.
    base: Option<u64>,
    /// Where the line that holds `at` starts; `None` if before the unit's start.
    start: Option<u64>,
}

impl Lines {
    /// A counter at the start of a unit, which is at offset `at` of the file. `place` is the number
    /// of line breaks before it and where its first line began, if that is known.
    pub(crate) fn new(at: u64, place: Option<(u64, u64)>) -> Self {
        let (base, start) = (place.map(|(base, _)| base), place.map(|(_, start)| start));
        Self { at, count: 0, base, start }
    }

    /// Line breaks in the file before the unit, if that is known.
    pub(crate) fn base(&self) -> Option<u64> {
        self.base
    }

    /// Goes to offset `to` of the file. `text` holds the file's bytes from offset `base` on, at least
    /// those between here and there. Going back is possible, and costs the same.
    #[inline]
    pub(crate) fn go(&mut self, text: &[u8], base: u64, to: u64) {
        let index = |offset: u64| {
            usize::try_from(offset.saturating_sub(base)).unwrap_or(usize::MAX).min(text.len())
        };
        let (here, there) = (index(self.at), index(to));
        if here <= there {
            let passed = &text[here..there];
            if passed.len() < NEAR {
                let (count, after) = breaks_nearby(passed);
                if count > 0 {
                    self.count += count;
                    self.start = Some(base + (here + after) as u64);
                }
                self.at = to;
                return;
            }
            let found = memchr_iter(b'\n', passed).count() as u64;
            if found > 0 {
                self.count += found;
                self.start = memrchr(b'\n', passed).map(|at| base + (here + at + 1) as u64);
            }
        } else {
            let back = &text[there..here];
            let found = memchr_iter(b'\n', back).count() as u64;
            if found > 0 {
                self.count = self.count.saturating_sub(found);
                self.start = memrchr(b'\n', &text[..there]).map(|at| base + (at + 1) as u64);
                if self.start.is_none() && base == 0 {
                    self.start = Some(0);
                }
            }
        }
        self.at = to;
    }

    /// Goes on to byte `to` of `text`, which is a little ahead, if the line there began not long
    /// before, and not behind byte `whole`, and surely bears no quote marks. Otherwise does nothing,
    /// and the result is `None`. `base` is the offset of the text's first byte in the file.
    ///
    /// Nearly all URLs of a link list stand so, and then there is no loop whose end the processor
    /// cannot guess.
    #[inline]
    pub(crate) fn approach(
        &mut self,
        text: &[u8],
        base: u64,
        whole: usize,
        to: usize,
    ) -> Option<()> {
        let ahead = to.checked_sub(usize::try_from(self.at.checked_sub(base)?).ok()?)?;
        let near = Window::before(text, to)?;
        let (new, back) = if ahead <= 64 && near.breaks != 0 {
            (near.count(ahead), near.line()?)
        } else {
            near.further(ahead, &Window::before(text, to.checked_sub(64)?)?)?
        };
        // Where the line starts that was counted to: it may be said by a unit before this one.
        self.start?;
        let line = to - back;
        if line > whole || matches!(text.get(line..), Some([b'>', ..] | [b' ', b'>', ..])) {
            return None;
        }
        self.count += u64::from(new);
        self.start = Some(base + line as u64);
        self.at = base + to as u64;
        Some(())
    }

    /// Goes on to offset `to` of the file, where no line break is between here and there.
    #[inline]
    pub(crate) fn pass_over(&mut self, to: u64) {
        self.at = self.at.max(to);
    }

    /// How far was counted.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// The number of line breaks before here, and where the line here starts.
    pub(crate) fn place(&self) -> (u64, u64) {
        (self.base.unwrap_or(0) + self.count, self.start.unwrap_or(0))
    }

    /// Line breaks since the unit's start.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Where the line here starts, if it starts in the unit.
    pub(crate) fn line_start(&self) -> Option<u64> {
        self.start
    }
}

/// Where line breaks are in the 64 bytes before a place, the last byte in the highest bit.
struct Window {
    /// LF.
    breaks: u64,
    /// CR, which others take for the start of a line, too.
    returns: u64,
}

impl Window {
    #[inline]
    fn before(text: &[u8], to: usize) -> Option<Self> {
        let chunks: &[_; 4] = text.get(to.checked_sub(64)?..)?.as_chunks::<16>().0.first_chunk()?;
        let are = |byte: u8| chunks.map(|bytes| u8x16::new(bytes).simd_eq(u8x16::splat(byte)));
        let mask = |found: [u8x16; 4]| {
            let bits = found.map(|found| u64::from(found.to_bitmask()));
            bits[0] | bits[1] << 16 | bits[2] << 32 | bits[3] << 48
        };
        let returns = are(b'\r');
        // In most texts there are none.
        let any = returns.into_iter().fold(u8x16::ZERO, |any, found| any | found);
        let returns = if any.to_bitmask() == 0 { 0 } else { mask(returns) };
        Some(Self { breaks: mask(are(b'\n')), returns })
    }

    /// The number of line breaks in the last `ahead` bytes, at most 64.
    #[inline]
    fn count(&self, ahead: usize) -> u32 {
        let first = self.breaks.unbounded_shr(64 - u32::try_from(ahead).unwrap_or(64).min(64));
        // Most often there is one, or there are two.
        let second = first & first.wrapping_sub(1);
        if second & second.wrapping_sub(1) == 0 {
            u32::from(first != 0) + u32::from(second != 0)
        } else {
            first.count_ones()
        }
    }

    /// How many bytes back the last line starts, if it starts here and holds no carriage return.
    #[inline]
    fn line(&self) -> Option<usize> {
        let back = NonZero::new(self.breaks)?.leading_zeros();
        // By 64 less `back`, which may be none: the processor cannot guess when.
        let clean = (self.returns >> 1).wrapping_shr(63_u32.wrapping_sub(back)) == 0;
        clean.then_some(back as usize)
    }

    /// Both in this window and the one before it; `ahead` is at most 128.
    #[inline(never)]
    fn further(&self, ahead: usize, before: &Self) -> Option<(u32, usize)> {
        let new = self.count(ahead.min(64)) + before.count(ahead.saturating_sub(64));
        let back = match self.breaks {
            0 if self.returns == 0 => 64 + before.line()?,
            0 => return None,
            _ => self.line()?,
        };
        (ahead <= 128).then_some((new, back))
    }
}

/// The number of line breaks in a short text, and where the last one ends. Eight bytes at a time,
/// without a branch that depends on where they are.
#[inline]
fn breaks_nearby(text: &[u8]) -> (u64, usize) {
    const LOW: u64 = u64::from_le_bytes([0x7F; 8]);
    // The high bit of each byte that is a line break, the first byte lowest.
    let breaks = |word: [u8; 8]| {
        let word = u64::from_le_bytes(word) ^ u64::from_le_bytes([b'\n'; 8]);
        !(((word & LOW) + LOW) | word | LOW)
    };
    let (words, rest) = text.as_chunks::<8>();
    // Each byte counts for itself.
    let (mut counts, mut last, mut last_ends) = (0, 0, 0);
    for (index, &word) in words.iter().enumerate() {
        let found = breaks(word);
        counts += found >> 7;
        (last, last_ends) = if found == 0 { (last, last_ends) } else { (found, 8 * index + 8) };
    }
    let rest = match text.last_chunk::<8>() {
        _ if rest.is_empty() => 0,
        // Those that were looked at already are shifted out.
        Some(&word) => u64::from_le_bytes(word) >> (64 - 8 * rest.len()),
        None => rest.iter().rfold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    let found = breaks(rest.to_le_bytes());
    counts += found >> 7;
    (last, last_ends) = if found == 0 { (last, last_ends) } else { (found, 8 * words.len() + 8) };
    let count = counts.wrapping_mul(u64::from_le_bytes([1; 8])) >> 56;
    (count, last_ends - (last.leading_zeros() / 8) as usize * usize::from(last != 0))
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_counting_from_the_start(text in "[ab\n]{0,40}|[a-d\n]{150,400}", stops: Vec<prop::sample::Index>) {
            let text = text.as_bytes();
            let mut lines = Lines::new(0, Some((0, 0)));
            for stop in stops {
                let to = stop.index(text.len() + 1);
                lines.go(text, 0, to as u64);
                let before = &text[..to];
                prop_assert_eq!(lines.count(), before.split(|&b| b == b'\n').count() as u64 - 1);
                let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
                prop_assert_eq!(lines.line_start(), Some(start as u64));
            }
        }

        /// Where it says anything, it says what is so.
        #[test]
        fn approaches_as_it_goes(
            lines in prop::collection::vec("(> ?| >?|[|:] )?[a-d ]{0,9}(\r|[a-d>]{0,40}|[a-d]{90,140})\r?", 1..20),
            stops: Vec<(prop::sample::Index, usize)>,
            base in 0..99_u64,
        ) {
            let text = lines.join("\n").into_bytes();
            let mut stops: Vec<_> = stops.iter().map(|(stop, skip)| (stop.index(text.len() + 1), skip % 9)).collect();
            stops.sort_unstable();
            let (mut lines, mut oracle) = (Lines::new(base, Some((0, base))), Lines::new(base, Some((0, base))));
            for (to, before) in stops {
                let whole = to.saturating_sub(before);
                oracle.go(&text, base, base + to as u64);
                if lines.approach(&text, base, whole, to).is_some() {
                    let line = text[..whole].iter().rposition(|b| b"\r\n".contains(b)).map_or(0, |at| at + 1);
                    let line = &text[line..];
                    prop_assert!(!line.starts_with(b">") && !line.starts_with(b" >"));
                } else {
                    lines.go(&text, base, base + to as u64);
                }
                prop_assert_eq!((lines.at, lines.count, lines.start), (oracle.at, oracle.count, oracle.start));
            }
        }

        /// So that the test above is about something.
        #[test]
        fn a_line_that_began_not_long_ago_is_approached(
            lines in prop::collection::vec("[a-d]{40,60}", 4..9),
            to in 130..160_usize,
        ) {
            let text = lines.join("\n").into_bytes();
            let mut lines = Lines::new(0, Some((0, 0)));
            lines.go(&text, 0, 99);
            prop_assert!(lines.approach(&text, 0, to, to).is_some());
        }
    }
}
