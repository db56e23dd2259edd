//! Finds the index of a column by its name.

/// The number of hash slots. It is several times the number of fields, to keep collisions rare.
const SLOTS: usize = 512;

/// A map from the names of columns to their indices.
///
/// A caller passes the same static string for a column in every row, so a name is looked up by its
/// address. The text of a name is compared only the first time its address is seen.
#[derive(Debug)]
pub(crate) struct ColumnIndices {
    /// The names of all columns, in order.
    names: Vec<&'static str>,
    /// A hash table of the strings seen so far, with open addressing: each string is at the slot
    /// computed from its address or in the first free slot after it.
    known: Box<[Slot; SLOTS]>,
    /// The number of slots in use.
    len: usize,
}

/// A slot of the hash table: a string and the index of the column with that name.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The string, or an empty one if the slot is free.
    name: &'static str,
    /// The index of the column, or `None` if no column has this name.
    number: Option<u8>,
}

impl ColumnIndices {
    /// Creates the map for fewer than 256 columns with unique names.
    pub(crate) fn new(names: Vec<&'static str>) -> Self {
        let known = Box::new([Slot { name: "", number: None }; SLOTS]);
        Self { names, known, len: 0 }
    }

    /// Returns the index of the column called `name`, or `None` if there is no such column.
    #[inline]
    pub(crate) fn index_of(&mut self, name: &'static str) -> Option<usize> {
        // Static strings are adjacent in memory and at least three bytes long, so halving the
        // address spreads them.
        let mut place = (name.as_ptr().addr() / 2) % SLOTS;
        loop {
            let known = self.known[place];
            if std::ptr::eq(known.name, name) {
                return known.number.map(usize::from);
            }
            if known.name.is_empty() {
                return self.index_of_new_string(name, place);
            }
            place = (place + 1) % SLOTS;
        }
    }

    /// Looks up a string that is seen for the first time, and stores the result in the free slot
    /// `slot`. Returns the index of the column called `name`, or `None` if there is no such column.
    #[cold]
    fn index_of_new_string(&mut self, name: &'static str, slot: usize) -> Option<usize> {
        let number = (0..).zip(&self.names).find(|(_, known)| **known == name);
        let number = number.map(|(number, _)| number);
        if self.len < SLOTS / 2 && !name.is_empty() {
            self.known[slot] = Slot { name, number };
            self.len += 1;
        }
        number.map(usize::from)
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnIndices, SLOTS};

    #[test]
    fn names_at_one_address_are_distinguished() {
        let all = "urls";
        let mut numbers = ColumnIndices::new(vec!["start", "url", "urls"]);
        for _ in 0..SLOTS {
            assert_eq!(numbers.index_of(&all[..3]), Some(1));
            assert_eq!(numbers.index_of(all), Some(2));
            assert_eq!(numbers.index_of("start"), Some(0));
            assert_eq!(numbers.index_of("end"), None);
        }
    }
}
