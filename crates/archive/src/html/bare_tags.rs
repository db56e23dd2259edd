//! A lookup table for tags without attributes, which are read as words of eight bytes.

use super::tag_content::Content;
use crate::name::Name;

/// The maximum length of a name that fits into a word of eight bytes: in a start tag (with its
/// `>`), and in an end tag (with its `/` and `>`).
const MAX_NAME_LEN: [usize; 2] = [7, 6];

/// A word with the lowest bit of each byte set.
const LOW: u64 = u64::from_le_bytes([1; 8]);
/// A word with the highest bit of each byte set.
const HIGH: u64 = LOW << 7;
/// The bit that makes a letter lower case, in each byte.
const LOWER: u64 = LOW * 0x20;

/// A lookup table for short tags without attributes. A tag such as `br>` or `/td>` is read,
/// recognized and looked up as one word.
///
/// Most tags are of this kind. Finding the end of a name and looking it up by its length takes
/// twice as long. The slash is part of the word, because then reading the next tag depends on fewer
/// earlier results.
pub(super) struct BareTags<V, const SLOTS: usize> {
    /// Open addressing: each entry is at its word's slot or in the first free slot after it.
    slots: [Slot<V>; SLOTS],
    /// The value of names that are not in the table.
    unknown: V,
}

#[derive(Clone, Copy)]
struct Slot<V> {
    /// The name in lower case with its `>`, and its slash if it is an end tag. 0 in an empty slot.
    word: u64,
    /// The bit 0x20 for each byte that is a letter, because letters match in either case.
    letters: u64,
    /// The value; `None` if the tag needs the full parser.
    value: Option<V>,
}

impl<V: Copy, const SLOTS: usize> BareTags<V, SLOTS> {
    /// Returns a table that maps the names in each list of `known` to the list's value, and all
    /// other names to `unknown`. For start tags of names in `special`, a lookup returns `None`.
    pub(super) const fn new(
        known: &[(V, &[&str])],
        special: &[(Content, &[&str])],
        unknown: V,
    ) -> Self {
        let mut slots = [Slot { word: 0, letters: 0, value: None }; SLOTS];
        let (mut row, mut free) = (0, SLOTS / 2);
        while row < known.len() {
            let (value, names) = known[row];
            // The start tag of each name, then the end tag.
            let mut index = 0;
            while index < 2 * names.len() {
                let (name, slash) = (names[index / 2].as_bytes(), index % 2);
                index += 1;
                if name.len() > MAX_NAME_LEN[slash] {
                    continue;
                }
                assert!(free > 0, "too many names");
                free -= 1;
                let (mut word, mut letters) = ([b'/', 0, 0, 0, 0, 0, 0, 0], [0; 8]);
                let mut at = 0;
                while at < name.len() {
                    word[slash + at] = name[at];
                    letters[slash + at] = if name[at].is_ascii_lowercase() { 0x20 } else { 0 };
                    at += 1;
                }
                word[slash + at] = b'>';
                let (word, letters) = (u64::from_le_bytes(word), u64::from_le_bytes(letters));
                let mut slot = Self::first_slot(word);
                while slots[slot].word != 0 {
                    slot = (slot + 1) % SLOTS;
                }
                let is_special = slash == 0 && lists_contain_name(special, name);
                let value = if is_special { None } else { Some(value) };
                slots[slot] = Slot { word, letters, value };
            }
            row += 1;
        }
        Self { slots, unknown }
    }

    /// Returns the slot at which the search for a word (a short tag without its `<`) starts. Case
    /// is ignored.
    const fn first_slot(word: u64) -> usize {
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        ((word | LOWER).wrapping_mul(SPREAD) >> 40) as usize % SLOTS
    }

    /// Looks up the tag without attributes at the start of `html`, which begins after the tag's
    /// `<`. Returns the value of the tag's name, true if the tag is an end tag, and the offset of
    /// the `>`. `None` means that the tag needs the full parser, not that there is no tag.
    #[inline]
    pub(super) fn look_up_tag(&self, html: &[u8]) -> Option<(V, bool, usize)> {
        let word = u64::from_le_bytes(*html.first_chunk()?);
        let others = word ^ (LOW * u64::from(b'>'));
        // The highest bit of each `>`. Only the lowest of these bits is reliable.
        let ends = others.wrapping_sub(LOW) & !others & HIGH;
        if ends == 0 {
            return None;
        }
        let end = ends.trailing_zeros();
        let word = word & (u64::MAX >> (63 - end));
        let len = (end / 8) as usize;
        let closes = word & 0xFF == u64::from(b'/');
        let mut slot = Self::first_slot(word);
        loop {
            let known = self.slots.get(slot)?;
            if known.word == word | known.letters && known.word != 0 {
                return known.value.map(|value| (value, closes, len));
            }
            if known.word == 0 {
                let name = word & (u64::MAX >> (63 - end) >> 8);
                let slash = usize::from(closes);
                let is_name = is_letters(name >> (8 * slash), len - slash);
                return is_name.then_some((self.unknown, closes, len));
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

/// True if the `len` low bytes of `name` are all letters and `len` is not 0. The other bytes must
/// be 0.
#[inline]
fn is_letters(name: u64, len: usize) -> bool {
    let lower = name | LOWER;
    // For bytes below 0x80, the additions don't carry into the next byte. Names with other bytes
    // are rejected below.
    let from_a = lower.wrapping_add(LOW * u64::from(0x80 - b'a'));
    let past_z = lower.wrapping_add(LOW * u64::from(0x7F - b'z'));
    let letters = from_a & !past_z & HIGH;
    name & HIGH == 0 && len > 0 && letters.count_ones() as usize == len
}

/// True if one of the lists contains the name, ignoring case.
const fn lists_contain_name(lists: &[(Content, &[&str])], name: &[u8]) -> bool {
    let mut row = 0;
    while row < lists.len() {
        let names = lists[row].1;
        let mut index = 0;
        while index < names.len() {
            if Name::new(names[index].as_bytes()).as_number() == Name::new(name).as_number() {
                return true;
            }
            index += 1;
        }
        row += 1;
    }
    false
}
