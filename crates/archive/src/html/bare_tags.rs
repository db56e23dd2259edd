//! Tags without attributes, by words of eight bytes.

use super::tag_content::Content;
use crate::name::Name;

/// How long a name may be that stands in a word with the `>` behind it, or with the slash of an end tag before it, too.
const LONGEST: [usize; 2] = [7, 6];

const LOW: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = LOW << 7;
/// What makes a letter one in lower case.
const LOWER: u64 = LOW * 0x20;

/// What is known of the elements that have tags without attributes, if their names are short: `br>` and `/td>` are read, told from all
/// others and looked up as one word. Most tags are of this kind, and to find the end of a name and look it up by its length takes twice
/// as long. The slash is in the word, because what follows a tag is read the sooner, the less its place depends on.
pub(super) struct BareTags<V, const SLOTS: usize> {
    /// Each as near behind the place that its word tells as there was room.
    slots: [Slot<V>; SLOTS],
    unknown: V,
}

#[derive(Clone, Copy)]
struct Slot<V> {
    /// The name in lower case with its `>`, and the slash of an end tag; 0 where there is none.
    word: u64,
    /// Where it has letters, which may be of either case.
    letters: u64,
    /// `None`: such a tag is to be looked at closer.
    value: Option<V>,
}

impl<V: Copy, const SLOTS: usize> BareTags<V, SLOTS> {
    /// Of the names in each list, what stands before it, if it is not the start tag of one among `special`; of all others, `unknown`.
    pub(super) const fn new(
        known: &[(V, &[&str])],
        special: &[(Content, &[&str])],
        unknown: V,
    ) -> Self {
        let mut slots = [Slot { word: 0, letters: 0, value: None }; SLOTS];
        let (mut row, mut free) = (0, SLOTS / 2);
        while row < known.len() {
            let (value, names) = known[row];
            // Of each name the start tag, then the end tag.
            let mut index = 0;
            while index < 2 * names.len() {
                let (name, slash) = (names[index / 2].as_bytes(), index % 2);
                index += 1;
                if name.len() > LONGEST[slash] {
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
                let mut slot = Self::slot(word);
                while slots[slot].word != 0 {
                    slot = (slot + 1) % SLOTS;
                }
                let is_special = slash == 0 && is_among(special, name);
                let value = if is_special { None } else { Some(value) };
                slots[slot] = Slot { word, letters, value };
            }
            row += 1;
        }
        Self { slots, unknown }
    }

    /// Where the search for a word starts, in which letters are of either case.
    const fn slot(word: u64) -> usize {
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        ((word | LOWER).wrapping_mul(SPREAD) >> 40) as usize % SLOTS
    }

    /// What is known of the element of which a tag without attributes stands in `html`, from behind its `<` on, whether it is an end tag, and
    /// where its `>` stands. `None` says nothing.
    #[inline]
    pub(super) fn get(&self, html: &[u8]) -> Option<(V, bool, usize)> {
        let word = u64::from_le_bytes(*html.first_chunk()?);
        let others = word ^ (LOW * u64::from(b'>'));
        // The highest bit of each byte up to the first that is a `>`; of what follows it may tell nothing.
        let ends = others.wrapping_sub(LOW) & !others & HIGH;
        if ends == 0 {
            return None;
        }
        let end = ends.trailing_zeros();
        let word = word & (u64::MAX >> (63 - end));
        let len = (end / 8) as usize;
        let closes = word & 0xFF == u64::from(b'/');
        let mut slot = Self::slot(word);
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

/// Whether the `len` low bytes of `name`, of which the others are 0, are all letters, and there is one.
#[inline]
fn is_letters(name: u64, len: usize) -> bool {
    let lower = name | LOWER;
    // Of bytes below 80 there is no carry into the next, and of others nothing is told.
    let from_a = lower.wrapping_add(LOW * u64::from(0x80 - b'a'));
    let behind_z = lower.wrapping_add(LOW * u64::from(0x7F - b'z'));
    let letters = from_a & !behind_z & HIGH;
    name & HIGH == 0 && len > 0 && letters.count_ones() as usize == len
}

const fn is_among(lists: &[(Content, &[&str])], name: &[u8]) -> bool {
    let mut row = 0;
    while row < lists.len() {
        let names = lists[row].1;
        let mut index = 0;
        while index < names.len() {
            if Name::new(names[index].as_bytes()).number() == Name::new(name).number() {
                return true;
            }
            index += 1;
        }
        row += 1;
    }
    false
}
