//! How many bytes of a kind stand at the start of a line, and where its blanks stand, sixteen at a time:
//! where words end cannot be guessed, so that a loop over their bytes costs a wrong guess each.

/// Bytes looked at in one go.
pub(super) const LANES: usize = size_of::<u128>();

/// The highest bit of each byte.
const HIGH: u128 = every(0x80);

/// A number with `byte` in each of its bytes.
const fn every(byte: u8) -> u128 {
    u128::from_le_bytes([byte; LANES])
}

/// How many letters of US-ASCII the text starts with.
pub(super) fn letters_len(text: &[u8]) -> usize {
    run(text, |bytes| (bytes | every(0x20)).wrapping_sub(every(b'a')), 26)
}

/// How many digits the text starts with.
pub(super) fn digits_len(text: &[u8]) -> usize {
    run(text, |bytes| bytes.wrapping_sub(every(b'0')), 10)
}

/// How many bytes at the start `shift` makes less than `count`.
///
/// What it borrows from a byte for the one before it, and what is carried, only reaches bytes behind
/// the first that does not belong.
#[inline(always)]
fn run(text: &[u8], shift: impl Fn(u128) -> u128, count: u8) -> usize {
    let mut len = 0;
    loop {
        let shifted = shift(first(text.get(len..).unwrap_or_default(), 0));
        let others = (shifted | shifted.wrapping_add(every(0x80 - count))) & HIGH;
        len += others.trailing_zeros() as usize / 8;
        if others != 0 {
            return len;
        }
    }
}

/// The first bytes of the text as a number, with `filler` for those that are not there.
#[inline(always)]
fn first(text: &[u8], filler: u8) -> u128 {
    let mut bytes = [filler; LANES];
    match text.first_chunk() {
        Some(block) => bytes = *block,
        None => bytes[..text.len()].copy_from_slice(text),
    }
    u128::from_le_bytes(bytes)
}

/// Where blanks and controls stand among the first bytes of a text, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Gaps(u128);

impl Gaps {
    /// Those among the first [`LANES`] bytes.
    #[inline(always)]
    pub(super) fn of(text: &[u8]) -> Self {
        let bytes = first(text, b'.');
        // No byte carries into the next one.
        let above = (bytes & !HIGH) + every(0x7F - b' ');
        Self(!(above | bytes) & HIGH)
    }
}

impl Iterator for Gaps {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let at = self.0.trailing_zeros() as usize / 8;
        self.0 &= self.0.wrapping_sub(1);
        (at < LANES).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_end_where_they_end(
            bytes in proptest::collection::vec(prop_oneof![30 => proptest::sample::select(&b"azAZmM"[..]), 1 => any::<u8>()], 0..60),
            digits in proptest::collection::vec(prop_oneof![30 => proptest::sample::select(&b"0519"[..]), 1 => any::<u8>()], 0..60),
        ) {
            let letters = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            prop_assert_eq!(letters_len(&bytes), letters);
            prop_assert_eq!(digits_len(&digits), digits.iter().take_while(|byte| byte.is_ascii_digit()).count());
        }
    }

    #[test]
    fn every_byte_is_told() {
        for byte in 0..=255_u8 {
            for line in [&[byte, b'a', b'0'][..], &[byte; 40]] {
                let count = |is: fn(&u8) -> bool| line.iter().take_while(|byte| is(byte)).count();
                assert_eq!(letters_len(line), count(u8::is_ascii_alphabetic), "{byte}");
                assert_eq!(digits_len(line), count(u8::is_ascii_digit), "{byte}");
                let gaps = (0..line.len().min(LANES)).filter(|at| line[*at] <= b' ');
                assert!(Gaps::of(line).eq(gaps), "{byte}");
            }
        }
    }
}
