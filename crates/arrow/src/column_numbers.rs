//! Which column has a name.

/// The number of hash slots: several times the number of fields, to keep collisions rare.
const SLOTS: usize = 512;

/// The indices of columns by name.
///
/// A field passes the same static string in every row, so a name is looked up by its address. Names
/// are compared only the first time an address is seen.
#[derive(Debug)]
pub(crate) struct ColumnNumbers {
    names: Vec<&'static str>,
    /// Open addressing: each string is at the slot computed from its address or in the first free
    /// slot after it.
    known: Box<[Slot; SLOTS]>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Empty if the slot is free.
    name: &'static str,
    number: Option<u8>,
}

impl ColumnNumbers {
    /// Creates the map for fewer than 256 columns with unique names.
    pub(crate) fn new(names: Vec<&'static str>) -> Self {
        let known = Box::new([Slot { name: "", number: None }; SLOTS]);
        Self { names, known, len: 0 }
    }

    /// Returns the index of the column with that name, if there is one.
    #[inline]
    pub(crate) fn find(&mut self, name: &'static str) -> Option<usize> {
        // Static strings are adjacent in memory and at least three bytes long.
        let mut place = (name.as_ptr().addr() / 2) % SLOTS;
        loop {
            let known = self.known[place];
            if std::ptr::eq(known.name, name) {
                return known.number.map(usize::from);
            }
            if known.name.is_empty() {
                return self.search(name, place);
            }
            place = (place + 1) % SLOTS;
        }
    }

    /// Looks up a string that is seen for the first time, and stores it in its free slot.
    #[cold]
    fn search(&mut self, name: &'static str, place: usize) -> Option<usize> {
        let number = (0..).zip(&self.names).find(|(_, known)| **known == name);
        let number = number.map(|(number, _)| number);
        if self.len < SLOTS / 2 && !name.is_empty() {
            self.known[place] = Slot { name, number };
            self.len += 1;
        }
        number.map(usize::from)
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnNumbers, SLOTS};

    #[test]
    fn names_at_one_address_are_distinguished() {
        let all = "urls";
        let mut numbers = ColumnNumbers::new(vec!["start", "url", "urls"]);
        for _ in 0..SLOTS {
            assert_eq!(numbers.find(&all[..3]), Some(1));
            assert_eq!(numbers.find(all), Some(2));
            assert_eq!(numbers.find("start"), Some(0));
            assert_eq!(numbers.find("end"), None);
        }
    }
}
