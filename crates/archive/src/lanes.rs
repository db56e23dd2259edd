//! Which of the bytes at hand are of interest, many at a time.
//!
//! The lines of a header are short: a call of a vector search a line spends more on its entry than
//! on the bytes (75 instructions a line of list mail), and words of eight bytes still cost 45.
//! A mask of 64 bytes costs 20, and tells the ends of all lines in it. The crate `wide` puts these
//! masks into safe code: SSE2 and NEON are there on every machine, and nothing is detected.

use wide::u8x16;

/// Which bytes of a block of 64 are `byte`: bit n tells of byte n.
#[inline]
pub(crate) fn equal(block: &[u8; 64], byte: u8) -> u64 {
    let byte = u8x16::splat(byte);
    mask(block, |bytes| bytes.simd_eq(byte))
}

/// Which bytes of a block of 64 are `one` or `two`.
#[inline]
pub(crate) fn either(block: &[u8; 64], one: u8, two: u8) -> u64 {
    let (one, two) = (u8x16::splat(one), u8x16::splat(two));
    mask(block, |bytes| bytes.simd_eq(one) | bytes.simd_eq(two))
}

#[inline]
fn mask(block: &[u8; 64], choose: impl Fn(u8x16) -> u8x16) -> u64 {
    let [a, b, c, d] = *block.as_chunks::<16>().0 else { return 0 };
    let bits = |bytes| u64::from(choose(u8x16::new(bytes)).to_bitmask());
    bits(a) | bits(b) << 16 | bits(c) << 32 | bits(d) << 48
}

/// Where the first colon, blank or control character stands among 16 bytes, 16 if nowhere.
#[inline]
pub(crate) fn name_end(bytes: [u8; 16]) -> usize {
    let bytes = u8x16::new(bytes);
    let ends = bytes.simd_eq(u8x16::splat(b':')) | bytes.simd_eq(bytes.min(u8x16::splat(b' ')));
    (ends.to_bitmask() | 1 << 16).trailing_zeros() as usize
}

/// The 64 bytes of `text` from `at` on; what is beyond its end is 0.
#[inline]
pub(crate) fn block(text: &[u8], at: usize) -> [u8; 64] {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(block) => *block,
        None => last_block(rest),
    }
}

#[cold]
fn last_block(rest: &[u8]) -> [u8; 64] {
    let mut block = [0; 64];
    for (to, from) in block.iter_mut().zip(rest) {
        *to = *from;
    }
    block
}

/// The line ends of a text, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct LineEnds<'t> {
    text: &'t [u8],
    /// Where the block at hand starts, and its line feeds that are still to come.
    at: usize,
    mask: u64,
}

impl<'t> LineEnds<'t> {
    pub(crate) fn new(text: &'t [u8], from: usize) -> Self {
        Self { text, at: from, mask: equal(&block(text, from), b'\n') }
    }

    /// The offset just after the next line feed, or the text's end.
    #[inline]
    pub(crate) fn next(&mut self) -> usize {
        while self.mask == 0 {
            self.at += 64;
            if self.at >= self.text.len() {
                return self.text.len();
            }
            self.mask = equal(&block(self.text, self.at), b'\n');
        }
        let found = self.at + self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        found + 1
    }
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
            let text = bytes(64, seed);
            let block = block(&text, 0);
            for (i, byte) in text.iter().enumerate() {
                assert_eq!(equal(&block, b'\n') >> i & 1 == 1, *byte == b'\n');
                assert_eq!(either(&block, b':', b'=') >> i & 1 == 1, matches!(byte, b':' | b'='));
            }
            for name in text.as_chunks::<16>().0 {
                let end = name.iter().position(|&b| b <= b' ' || b == b':').unwrap_or(16);
                assert_eq!(name_end(*name), end);
            }
        }
    }

    #[test]
    fn line_ends_of_texts_of_every_length() {
        for len in 0..200 {
            for step in [1, 2, 3, 63, 64, 65] {
                let text: Vec<u8> =
                    (0..len).map(|i| if i % step == step - 1 { b'\n' } else { b'x' }).collect();
                for from in [0, 1, 5, 64, 70] {
                    let mut ends = LineEnds::new(&text, from);
                    let mut at = from.min(len);
                    while at < len {
                        let rest = &text[at..];
                        at += rest.iter().position(|&b| b == b'\n').map_or(rest.len(), |lf| lf + 1);
                        assert_eq!(ends.next(), at, "{len} {step} {from}");
                    }
                    assert_eq!(ends.next(), len);
                }
            }
        }
    }
}
