//! The rule that decides, from the bytes before a colon, whether it may be an anchor.
//!
//! The rule puts each of the three bytes before the colon into one of thirty kinds, so that it fits
//! into three tables of bits. It is applied to each colon that the vector search finds; the last
//! two bytes rule out most of those.

use crate::pairs::Pairs;
use crate::scheme::is_scheme_byte;
use crate::table::table;
use crate::text::blank;

/// The kind of a byte. A letter, in either case, has its number in the alphabet, from 1.
type Kind = u8;

/// The kind of ASCII blanks.
const BLANK: Kind = 0;
/// A digit, `+`, `-` or `.`: any other byte that may be part of a scheme.
const DIGIT: Kind = 27;
/// Any other byte that may be part of layout that breaks a scheme within a wrapper: a byte of a
/// blank outside US-ASCII, or a quote mark.
const PART: Kind = 28;
/// The kind of all other bytes.
const OTHER: Kind = 29;

/// The number of kinds.
const KINDS: Kind = 30;
/// The length of a table indexed by a kind: a power of two, so that the index needs no check.
const CAPACITY: usize = 32;

/// The kind of each byte.
static KIND: [Kind; 256] = table!(|byte| if blank::is_ascii_blank(byte) {
    BLANK
} else if byte.is_ascii_alphabetic() {
    byte & 31
} else if is_scheme_byte(byte) {
    DIGIT
} else if byte >= 0x80 || byte == b'>' {
    PART
} else {
    OTHER
});

#[inline(always)]
fn kind_of(byte: u8) -> Kind {
    KIND[usize::from(byte)]
}

/// The bytes that may be part of a scheme, with the letters in one case.
const BYTES: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789+-.";

/// A rule that decides, from the three bytes before a colon, whether the colon may belong to a URL.
/// It is built for one set of schemes.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// Indexed by the kind of the second-to-last byte: one bit for each kind that the last byte may
    /// have.
    pairs: [u64; CAPACITY],
    /// Indexed by the kind of the third-to-last byte: one bit for each kind that the second-to-last
    /// byte may have. The first table is for a blank as the last byte, the second for a letter.
    before_blank: [u32; CAPACITY],
    before_letter: [u32; CAPACITY],
}

/// The position in a row of `pairs` of the bits for scheme names of two letters. Any byte may come
/// before such a name.
const ANY_THIRD: u32 = 32;

impl Rule {
    /// Builds the rule. `schemes` are the schemes that are found without `//`, and `known` contains
    /// the last two letters of all known schemes.
    pub(super) fn new<'n>(schemes: impl Iterator<Item = &'n [u8]>, known: &Pairs) -> Self {
        let mut rule = Self {
            pairs: [0; CAPACITY],
            before_blank: [0; CAPACITY],
            before_letter: [0; CAPACITY],
        };
        // All kinds that the last byte may have.
        let mut lasts = 1 << BLANK;
        for name in schemes {
            let mut kinds = name.iter().rev().map(|&byte| kind_of(byte));
            let Some(last) = kinds.next() else { continue };
            lasts |= 1 << last;
            // Any byte may come before the first letter of a scheme.
            match kinds.next() {
                None => {
                    rule.pairs[..usize::from(KINDS)].iter_mut().for_each(|row| *row |= 1 << last);
                    rule.before_letter = [u32::MAX; CAPACITY];
                }
                Some(second) => match kinds.next() {
                    None => rule.pairs[usize::from(second)] |= 1 << ANY_THIRD << last,
                    Some(third) => {
                        rule.pairs[usize::from(second)] |= 1 << last;
                        rule.before_letter[usize::from(third)] |= 1 << second;
                    }
                },
            }
        }
        for &second in BYTES {
            for &third in BYTES.iter().filter(|&&third| known.contains(third, second)) {
                rule.before_blank[usize::from(kind_of(third))] |= 1 << kind_of(second);
                rule.pairs[usize::from(kind_of(second))] |= 1 << BLANK;
            }
        }
        // If layout may break the scheme here, the bytes before the layout are unknown.
        for split in [BLANK, PART] {
            rule.pairs[usize::from(split)] = lasts;
            allow_after_any(&mut rule.before_blank, split);
            allow_after_any(&mut rule.before_letter, split);
            rule.before_blank[usize::from(split)] = u32::MAX;
            rule.before_letter[usize::from(split)] = u32::MAX;
        }
        rule
    }

    /// True if a colon after the bytes `third`, `second` and `last`, in this order, may be an
    /// anchor, i.e. belong to a URL. `last` is the byte right before the colon.
    #[inline(always)]
    pub(super) fn may_precede_anchor(&self, third: u8, second: u8, last: u8) -> bool {
        let (third, second, last) = (kind_of(third), kind_of(second), kind_of(last));
        let row = |table: &[u32; CAPACITY], of: Kind| table[usize::from(of) % CAPACITY];
        let seconds = if last == BLANK { &self.before_blank } else { &self.before_letter };
        let pairs = self.pairs[usize::from(second) % CAPACITY] >> last;
        (pairs & u64::from(row(seconds, third) >> second) | pairs >> ANY_THIRD) & 1 != 0
    }

    /// True if `last` may be the byte right before an anchor, for at least some bytes before it.
    pub(super) fn may_be_last_before_anchor(&self, last: u8) -> bool {
        // Every last byte is allowed after a blank.
        self.pairs[usize::from(BLANK)] >> kind_of(last) & 1 != 0
    }
}

/// Sets the bit of the kind `next` in every row of `table`, i.e. allows a byte of that kind after a
/// byte of any kind.
fn allow_after_any(table: &mut [u32; CAPACITY], next: Kind) {
    for row in &mut table[..usize::from(KINDS)] {
        *row |= 1 << next;
    }
}

#[cfg(test)]
mod tests {
    use crate::Scanner;

    #[test]
    fn scheme_of_any_length_is_found_after_any_byte() {
        for name in ["x", "xy", "xyz"] {
            let scanner = Scanner::builder().scheme(name).build();
            for before in ["", " ", "(", "((", "y=(", "\"[", "é("] {
                let text = format!("{before}{name}:foo\n");
                let found: Vec<_> = scanner
                    .find_iter(text.as_bytes())
                    .map(|found| found.url().into_owned())
                    .collect();
                assert_eq!(found, [format!("{name}:foo").into_bytes()], "{text}");
            }
        }
    }
}
