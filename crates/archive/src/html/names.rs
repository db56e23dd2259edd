//! A lookup table for the names of elements and attributes.

use crate::name::Name;

/// A map from names to values, built at compile time. It is a hash table with `SLOTS` slots.
/// `SLOTS` is a power of two, and at most half of the slots are used. A tag needs two lookups on
/// average, so they must be fast: comparing with each name in turn would take as long as reading
/// the rest of the tag.
pub(super) struct NameTable<V, const SLOTS: usize> {
    /// Open addressing: each entry is at its number's slot or in the first free slot after it. No
    /// name has the number 0.
    slots: [(u128, V); SLOTS],
    /// The value of names that are not in the table.
    unknown: V,
    /// The number of names that can still be added.
    free: usize,
}

impl<V: Copy, const SLOTS: usize> NameTable<V, SLOTS> {
    /// Returns a table without names, which maps every name to `unknown`.
    pub(super) const fn with_default(unknown: V) -> Self {
        Self { slots: [(0, unknown); SLOTS], unknown, free: SLOTS / 2 }
    }

    /// Returns a table that maps the names in each list to the list's value, and all others to
    /// `unknown`.
    pub(super) const fn new(known: &[(V, &[&str])], unknown: V) -> Self {
        let mut names = Self::with_default(unknown);
        let mut row = 0;
        while row < known.len() {
            let mut index = 0;
            while index < known[row].1.len() {
                names.insert(known[row].1[index], known[row].0);
                index += 1;
            }
            row += 1;
        }
        names
    }

    /// Adds a name, which must not be in the table yet.
    pub(super) const fn insert(&mut self, name: &str, value: V) {
        let name = Name::new(name.as_bytes()).as_number();
        assert!(name != 0 && self.free > 0, "a name too long, or too many names");
        self.free -= 1;
        let mut slot = Self::first_slot(name);
        while self.slots[slot].0 != 0 {
            slot = (slot + 1) % SLOTS;
        }
        self.slots[slot] = (name, value);
    }

    /// Returns the slot at which the search for a name starts.
    #[expect(clippy::cast_possible_truncation, reason = "the bits that are cut were folded in")]
    const fn first_slot(name: u128) -> usize {
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        let folded = (name as u64) ^ (name >> 64) as u64;
        (folded.wrapping_mul(SPREAD) >> 40) as usize % SLOTS
    }

    /// Returns the value of a name, or the value for unknown names.
    #[inline]
    pub(super) fn get(&self, name: Name) -> V {
        let name = name.as_number();
        if name == 0 {
            return self.unknown;
        }
        let mut slot = Self::first_slot(name);
        loop {
            match self.slots.get(slot) {
                Some(&(known, value)) if known == name => return value,
                Some((1.., _)) => slot = (slot + 1) % SLOTS,
                _ => return self.unknown,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Name, NameTable};

    #[test]
    fn names_match_in_any_case() {
        const NAMES: NameTable<u8, 8> =
            NameTable::new(&[(1, &["a", "b"]), (2, &["xlink:href", "c"])], 0);
        for (name, expected) in [
            ("a", 1),
            ("B", 1),
            ("C", 2),
            ("XLink:href", 2),
            ("xlink:hre", 0),
            ("ab", 0),
            ("", 0),
            ("a-name-that-is-too-long", 0),
        ] {
            assert_eq!(NAMES.get(Name::new(name.as_bytes())), expected, "{name}");
            for html in [format!("<{name}"), format!("<{name} OR MORE OF THEM>")] {
                let found = NAMES.get(Name::from_range(html.as_bytes(), &(1..1 + name.len())));
                assert_eq!(found, expected, "{html}");
            }
        }
    }
}
