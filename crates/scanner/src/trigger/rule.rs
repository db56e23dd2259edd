//! The rule that says behind which bytes a colon may be an anchor.
//!
//! It goes by the kinds of the three bytes before a colon, of which there are thirty, so that all of it
//! fits into three tables of bits. It is asked at each colon that the vectors find, most of which the last two
//! bytes rule out.

use crate::pairs::Pairs;
use crate::scheme::is_scheme_byte;
use crate::table::table;
use crate::text::blank;

/// The kind of a byte: letters in either case are of the kind of their number in the alphabet, from 1.
type Kind = u8;

/// An ASCII blank.
const BLANK: Kind = 0;
/// Any other byte that can stand in a scheme.
const DIGIT: Kind = 27;
/// Any other byte that may be part of the layout that breaks a scheme within a wrapper: one byte of a
/// blank that is not in US-ASCII, a quote mark.
const PART: Kind = 28;
/// All others.
const OTHER: Kind = 29;

/// How many kinds there are, and how many there is room for.
const KINDS: Kind = 30;
const ROOM: usize = 32;

/// Indexed by the byte.
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
fn kind(byte: u8) -> Kind {
    KIND[usize::from(byte)]
}

/// The bytes that can stand in a scheme, letters in one case.
const BYTES: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789+-.";

/// The rule for one set of schemes.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// Indexed by the kind of the last but one byte: a bit for each kind that the last may have.
    pairs: [u64; ROOM],
    /// Indexed by the kind of the third byte from the last: a bit for each kind that the last but one may
    /// have where the last is a blank, and where it is a letter.
    behind_blank: [u32; ROOM],
    behind_letter: [u32; ROOM],
}

/// How far to the left the bits of `pairs` stand for the names of two letters, before which anything may stand.
const ANY_THIRD: u32 = 32;

impl Rule {
    /// The rule for the schemes that are found without `//`, and the last two letters of all known schemes.
    pub(super) fn new<'n>(schemes: impl Iterator<Item = &'n [u8]>, known: &Pairs) -> Self {
        let mut rule = Self { pairs: [0; ROOM], behind_blank: [0; ROOM], behind_letter: [0; ROOM] };
        // All kinds that the last byte may have.
        let mut lasts = 1 << BLANK;
        for name in schemes {
            let mut kinds = name.iter().rev().map(|&byte| kind(byte));
            let Some(last) = kinds.next() else { continue };
            lasts |= 1 << last;
            // Before the first letter of a scheme anything may stand.
            match kinds.next() {
                None => {
                    rule.pairs[..usize::from(KINDS)].iter_mut().for_each(|row| *row |= 1 << last);
                    rule.behind_letter = [u32::MAX; ROOM];
                }
                Some(second) => match kinds.next() {
                    None => rule.pairs[usize::from(second)] |= 1 << ANY_THIRD << last,
                    Some(third) => {
                        rule.pairs[usize::from(second)] |= 1 << last;
                        rule.behind_letter[usize::from(third)] |= 1 << second;
                    }
                },
            }
        }
        for &second in BYTES {
            for &third in BYTES.iter().filter(|&&third| known.hold(third, second)) {
                rule.behind_blank[usize::from(kind(third))] |= 1 << kind(second);
                rule.pairs[usize::from(kind(second))] |= 1 << BLANK;
            }
        }
        // Where layout parts what stands before the colon, what stands before the layout is not known.
        for parted in [BLANK, PART] {
            rule.pairs[usize::from(parted)] = lasts;
            add_any(&mut rule.behind_blank, parted);
            add_any(&mut rule.behind_letter, parted);
            rule.behind_blank[usize::from(parted)] = u32::MAX;
            rule.behind_letter[usize::from(parted)] = u32::MAX;
        }
        rule
    }

    /// Whether a colon behind those three bytes may be an anchor.
    #[inline(always)]
    pub(super) fn accepts(&self, third: u8, second: u8, last: u8) -> bool {
        let (third, second, last) = (kind(third), kind(second), kind(last));
        let row = |table: &[u32; ROOM], of: Kind| table[usize::from(of) % ROOM];
        let behind = if last == BLANK { &self.behind_blank } else { &self.behind_letter };
        let pairs = self.pairs[usize::from(second) % ROOM] >> last;
        (pairs & u64::from(row(behind, third) >> second) | pairs >> ANY_THIRD) & 1 != 0
    }

    /// Whether `last` may stand before an anchor, whatever stands before it.
    pub(super) fn may_end(&self, last: u8) -> bool {
        // Behind a blank all may.
        self.pairs[usize::from(BLANK)] >> kind(last) & 1 != 0
    }
}

/// Any kind may stand before a byte of kind `behind`.
fn add_any(table: &mut [u32; ROOM], behind: Kind) {
    for row in &mut table[..usize::from(KINDS)] {
        *row |= 1 << behind;
    }
}

#[cfg(test)]
mod tests {
    use crate::Scanner;

    #[test]
    fn a_scheme_of_any_length_may_stand_behind_anything() {
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
