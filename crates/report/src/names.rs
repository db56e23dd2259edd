//! A compact string interner: maps names to consecutive numbers and back.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher as _;

/// A map with a random hash seed, so that nobody can craft an archive of colliding keys.
pub(crate) type Map<K, V> = hashbrown::HashMap<K, V, DefaultHashBuilder>;

/// An interner that maps distinct names to consecutive numbers and back. All names share one
/// buffer, which [`limits`](crate::limits) keep far below 4 GiB.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    /// The bytes of all names.
    text: Vec<u8>,
    /// The end of each name in `text`.
    ends: Vec<u32>,
    /// The numbers of the names, in a hash table with the hashes of the names.
    numbers: HashTable<u32>,
    seed: DefaultHashBuilder,
    /// The number looked up last. Most schemes and top-level domains occur several times in a row.
    last: u32,
}

impl Interner {
    /// Returns an empty interner with the same hash seed, so that results of [`Self::hash_of`] stay
    /// valid.
    pub(crate) fn empty_with_same_seed(&self) -> Self {
        Self { seed: self.seed.clone(), ..Self::default() }
    }

    /// Returns the number of names.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the total length of all names in bytes.
    pub(crate) fn total_len(&self) -> usize {
        self.text.len()
    }

    /// Returns the name with this number.
    pub(crate) fn name_of(&self, number: u32) -> &[u8] {
        name_in_buffer(&self.text, &self.ends, number)
    }

    /// Returns the number of a name. Adds the name if it is new.
    pub(crate) fn intern(&mut self, name: &[u8]) -> u32 {
        self.intern_within(name, usize::MAX).unwrap_or(u32::MAX)
    }

    /// Returns the number of a name. Adds the name if it is new, or returns `None` if there are
    /// already `max_names` names.
    pub(crate) fn intern_within(&mut self, name: &[u8], max_names: usize) -> Option<u32> {
        if (self.last as usize) < self.len() && self.name_of(self.last) == name {
            return Some(self.last);
        }
        let hash = self.hash_of(name);
        let number = match self.find_hashed(name, hash) {
            None if self.len() >= max_names => return None,
            None => self.insert_hashed(name, hash),
            Some(number) => number,
        };
        self.last = number;
        Some(number)
    }

    /// Returns the hash of a name, for [`Self::find_hashed`] and [`Self::insert_hashed`].
    pub(crate) fn hash_of(&self, name: &[u8]) -> u64 {
        self.seed.hash_one(name)
    }

    /// Returns the number of a name with this hash, or `None` if the interner doesn't contain the
    /// name.
    pub(crate) fn find_hashed(&self, name: &[u8], hash: u64) -> Option<u32> {
        self.numbers.find(hash, |&number| self.name_of(number) == name).copied()
    }

    /// Adds the name `new`, which the interner must not contain yet, with this hash. Returns the
    /// number of the name.
    pub(crate) fn insert_hashed(&mut self, new: &[u8], hash: u64) -> u32 {
        let number = u32::try_from(self.len()).unwrap_or(u32::MAX);
        self.text.extend_from_slice(new);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        let (text, ends, seed) = (&self.text, &self.ends, &self.seed);
        let hash_of = |&number: &u32| seed.hash_one(name_in_buffer(text, ends, number));
        self.numbers.insert_unique(hash, number, hash_of);
        number
    }
}

/// Returns the name with this number in an interner with the fields `text` and `ends`. It takes the
/// fields and not the interner, because one of its callers has borrowed the interner's other field
/// mutably.
fn name_in_buffer<'t>(text: &'t [u8], ends: &[u32], number: u32) -> &'t [u8] {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start as usize..ends[number] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_number() {
        let mut names = Interner::default();
        let numbers: Vec<_> =
            ["a", "", "b", "a", ""].map(|name| names.intern(name.as_bytes())).into();
        assert_eq!(numbers, [0, 1, 2, 0, 1]);
        assert_eq!((names.name_of(1), names.name_of(2)), (&b""[..], &b"b"[..]));
        assert_eq!(names.intern_within(b"b", 3), Some(2));
        assert_eq!(names.intern_within(b"c", 3), None);
    }

    #[test]
    fn many_names_are_found_again() {
        let mut names = Interner::default();
        for _ in 0..2 {
            for number in 0..10_000 {
                assert_eq!(names.intern(number.to_string().as_bytes()), number);
            }
        }
        assert_eq!(names.name_of(9_999), b"9999");
    }
}
