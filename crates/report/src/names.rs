//! Names by number, in little memory.

use std::collections::HashMap;
use std::hash::Hasher as _;

/// Names that are told apart, each with its number. All names stand in one text.
#[derive(Debug, Default)]
pub(crate) struct Names {
    text: Vec<u8>,
    /// Where each name ends.
    ends: Vec<usize>,
    /// The numbers by hash; of two names with the same hash, one stands at the next free one.
    numbers: HashMap<u64, u32>,
}

impl Names {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes of all names.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn name(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }

    /// The number of a name; if it has none yet, the next one.
    pub(crate) fn number(&mut self, name: &[u8]) -> u32 {
        let mut hash = hash(name);
        while let Some(&number) = self.numbers.get(&hash) {
            if self.name(number) == name {
                return number;
            }
            hash = hash.wrapping_add(1);
        }
        let number = u32::try_from(self.len()).unwrap_or(u32::MAX);
        self.text.extend_from_slice(name);
        self.ends.push(self.text.len());
        self.numbers.insert(hash, number);
        number
    }

    /// The number of a name that there is, or of a new one if there are fewer than `most`.
    pub(crate) fn number_within(&mut self, name: &[u8], most: usize) -> Option<u32> {
        if self.len() < most {
            return Some(self.number(name));
        }
        let mut hash = hash(name);
        while let Some(&number) = self.numbers.get(&hash) {
            if self.name(number) == name {
                return Some(number);
            }
            hash = hash.wrapping_add(1);
        }
        None
    }
}

/// What tells texts apart: two of a million have the same with a probability of 1 in 36 million.
pub(crate) fn hash(text: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(text);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_number() {
        let mut names = Names::default();
        let numbers: Vec<_> =
            ["a", "", "b", "a", ""].map(|name| names.number(name.as_bytes())).into();
        assert_eq!(numbers, [0, 1, 2, 0, 1]);
        assert_eq!((names.name(1), names.name(2)), (&b""[..], &b"b"[..]));
        assert_eq!(names.number_within(b"b", 3), Some(2));
        assert_eq!(names.number_within(b"c", 3), None);
    }

    #[test]
    fn names_with_the_same_hash() {
        let mut names = Names::default();
        assert_eq!(names.number(b"a"), 0);
        names.numbers.insert(hash(b"b"), 0);
        assert_eq!((names.number(b"b"), names.number(b"b")), (1, 1));
    }
}
