//! Which of the bytes at hand are of interest, many at a time.
//!
//! The lines of a header are short: a call of a vector search a line spends more on its entry than
//! on the bytes (75 instructions a line of list mail), and words of eight bytes still cost 45.
//! A mask of 64 bytes costs 40, and tells the ends of all fields in it. The crate `wide` puts these
//! masks into safe code: SSE2 and NEON are there on every machine, and nothing is detected.

use core::ops::Range;
use wide::u8x16;

/// Which bytes of a block of 64 are `one` or `two`.
#[inline]
fn either(block: &[u8; 64], one: u8, two: u8) -> u64 {
    let (one, two) = (u8x16::splat(one), u8x16::splat(two));
    block.as_chunks::<16>().0.iter().zip([0, 16, 32, 48]).fold(0, |mask, (bytes, shift)| {
        let bytes = u8x16::new(*bytes);
        mask | u64::from((bytes.simd_eq(one) | bytes.simd_eq(two)).to_bitmask()) << shift
    })
}

/// Where the first colon, blank or control character stands among 16 bytes, 16 if nowhere.
#[inline]
pub(crate) fn name_end(bytes: [u8; 16]) -> usize {
    let bytes = u8x16::new(bytes);
    let ends = bytes.simd_eq(u8x16::splat(b':')) | bytes.simd_eq(bytes.min(u8x16::splat(b' ')));
    (ends.to_bitmask() | 1 << 16).trailing_zeros() as usize
}

/// The last bytes of a text, with zeros after them.
#[cold]
fn last_block<const N: usize>(rest: &[u8]) -> [u8; N] {
    let mut block = [0; N];
    for (to, from) in block.iter_mut().zip(rest) {
        *to = *from;
    }
    block
}

/// The ends of a header's fields, one after the other: line feeds that no blank follows, since a
/// line that starts with a blank goes on with the field before it. To tell the folds apart in the
/// mask costs less than to visit them.
#[derive(Clone, Debug)]
pub(crate) struct FieldEnds<'t> {
    text: &'t [u8],
    /// Where the block at hand starts, and its ends that are still to come.
    at: usize,
    mask: u64,
}

impl<'t> FieldEnds<'t> {
    #[inline]
    pub(crate) fn new(text: &'t [u8], from: usize) -> Self {
        Self { text, at: from, mask: field_ends(text, from) }
    }

    /// The offset just after the next end, or the text's end.
    #[inline]
    pub(crate) fn next(&mut self) -> usize {
        while self.mask == 0 {
            self.at += 64;
            if self.at >= self.text.len() {
                return self.text.len();
            }
            self.mask = field_ends(self.text, self.at);
        }
        let found = self.at + self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        found + 1
    }
}

/// Which of the 64 bytes from `at` on are line feeds that no blank follows.
#[inline]
fn field_ends(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => ends_among(bytes),
        None => ends_among(&last_block(rest)),
    }
}

#[inline]
fn ends_among(bytes: &[u8; 65]) -> u64 {
    let ([here @ .., _], [_, next @ ..]) = (bytes, bytes);
    let (lf, blank, tab) = (u8x16::splat(b'\n'), u8x16::splat(b' '), u8x16::splat(b'\t'));
    let parts = here.as_chunks::<16>().0.iter().zip(next.as_chunks::<16>().0);
    parts.zip([0, 16, 32, 48]).fold(0, |mask, ((here, next), shift)| {
        let next = u8x16::new(*next);
        let folded = next.simd_eq(blank) | next.simd_eq(tab);
        let ends = u8x16::new(*here).simd_eq(lf) & !folded;
        mask | u64::from(ends.to_bitmask()) << shift
    })
}

/// The offsets of the bytes in `text[range]` that are `one` or `two`.
#[inline]
pub(crate) fn find_either(
    text: &[u8],
    range: Range<usize>,
    one: u8,
    two: u8,
) -> impl Iterator<Item = usize> {
    let mut at = range.start;
    let mut mask = 0;
    core::iter::from_fn(move || {
        while mask == 0 {
            if at >= range.end {
                return None;
            }
            let rest = text.get(at..).unwrap_or_default();
            mask = match rest.first_chunk() {
                Some(block) => either(block, one, two),
                None => either(&last_block(rest), one, two),
            };
            at += 64;
        }
        let found = at - 64 + mask.trailing_zeros() as usize;
        mask &= mask - 1;
        (found < range.end).then_some(found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A byte of every value and distance: `value * 31 + 7` runs through all of them.
    fn bytes(len: usize, seed: usize) -> Vec<u8> {
        (0..len).map(|i| u8::try_from((i * 31 + seed * 7) % 256).unwrap_or(0)).collect()
    }

    #[test]
    fn masks_agree_with_each_byte() {
        for seed in 0..256 {
            let text = bytes(200, seed);
            for name in text.as_chunks::<16>().0 {
                let end = name.iter().position(|&b| b <= b' ' || b == b':').unwrap_or(16);
                assert_eq!(name_end(*name), end);
            }
            for range in [0..200, 0..0, 10..50, 63..66, 64..128, 150..200] {
                let found: Vec<_> = find_either(&text, range.clone(), b':', b'=').collect();
                let expected: Vec<_> =
                    range.filter(|&at| matches!(text[at], b':' | b'=')).collect();
                assert_eq!(found, expected);
            }
        }
    }

    /// Lines of every length, of which every third, second or none is a fold.
    #[test]
    fn field_ends_of_texts_of_every_length() {
        for len in 0..200 {
            for (line, fold) in [(1, 2), (2, 3), (3, 2), (31, 2), (63, 3), (64, 2), (65, 9)] {
                let text: Vec<u8> = (0..len)
                    .map(|i| match i % line {
                        end if end == line - 1 => b'\n',
                        0 if i / line % fold == 1 => b" \t"[i % 2],
                        _ => b'x',
                    })
                    .collect();
                for from in [0, 1, 5, 64, 70] {
                    let mut ends = FieldEnds::new(&text, from);
                    for at in from..len {
                        let folded = matches!(text.get(at + 1), Some(b' ' | b'\t'));
                        if text[at] == b'\n' && !folded {
                            assert_eq!(ends.next(), at + 1, "{len} {line} {fold} {from}");
                        }
                    }
                    assert_eq!(ends.next(), len);
                }
            }
        }
    }
}
