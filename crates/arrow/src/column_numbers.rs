//! Which column has a name.

/// How many names there is room for: several times as many as fields have, so that one is found at once.
const ROOM: usize = 512;

/// The numbers of columns by their names.
///
/// Each field comes with the same text in every row, so a name is known by the address of its text. Names are compared only when
/// a text comes for the first time.
#[derive(Debug)]
pub(crate) struct ColumnNumbers {
    names: Vec<&'static str>,
    /// The texts that came, each at the place that its address tells or, where another has that, behind it.
    known: Box<[Known; ROOM]>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    /// Empty where there is none.
    name: &'static str,
    number: Option<u8>,
}

impl ColumnNumbers {
    /// Of fewer than 256 columns, all with names.
    pub(crate) fn new(names: Vec<&'static str>) -> Self {
        let known = Box::new([Known { name: "", number: None }; ROOM]);
        Self { names, known, len: 0 }
    }

    /// The number of the column of that name, if there is one.
    #[inline]
    pub(crate) fn find(&mut self, name: &'static str) -> Option<usize> {
        // Texts of names stand side by side, three bytes long or more.
        let mut place = (name.as_ptr().addr() / 2) % ROOM;
        loop {
            let known = self.known[place];
            if std::ptr::eq(known.name, name) {
                return known.number.map(usize::from);
            }
            if known.name.is_empty() {
                return self.search(name, place);
            }
            place = (place + 1) % ROOM;
        }
    }

    /// The same of a text that comes for the first time; its place is free.
    #[cold]
    fn search(&mut self, name: &'static str, place: usize) -> Option<usize> {
        let number = (0..).zip(&self.names).find(|(_, known)| **known == name);
        let number = number.map(|(number, _)| number);
        if self.len < ROOM / 2 && !name.is_empty() {
            self.known[place] = Known { name, number };
            self.len += 1;
        }
        number.map(usize::from)
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnNumbers, ROOM};

    #[test]
    fn names_at_one_address_are_told_apart() {
        let all = "urls";
        let mut numbers = ColumnNumbers::new(vec!["start", "url", "urls"]);
        for _ in 0..ROOM {
            assert_eq!(numbers.find(&all[..3]), Some(1));
            assert_eq!(numbers.find(all), Some(2));
            assert_eq!(numbers.find("start"), Some(0));
            assert_eq!(numbers.find("end"), None);
        }
    }
}
