//! Which column has a name.

/// How many numbers are remembered; the names of a table stand within twice as many bytes.
const REMEMBERED: usize = 512;

/// The numbers of columns by their names.
///
/// Each field comes with the same text in every row, so the address of the text is remembered. Compared are names only when a
/// field comes for the first time, or shares its place with another.
#[derive(Debug)]
pub(crate) struct ColumnNumbers {
    names: Vec<&'static str>,
    remembered: Box<[Remembered; REMEMBERED]>,
}

#[derive(Clone, Copy, Debug)]
struct Remembered {
    name: &'static str,
    number: Option<u8>,
}

impl ColumnNumbers {
    /// Of fewer than 256 columns, all with names.
    pub(crate) fn new(names: Vec<&'static str>) -> Self {
        Self { names, remembered: Box::new([Remembered { name: "", number: None }; REMEMBERED]) }
    }

    /// The number of the column of that name, if there is one.
    #[inline]
    pub(crate) fn find(&mut self, name: &'static str) -> Option<usize> {
        let place = (name.as_ptr().addr() / 2) % REMEMBERED;
        let known = self.remembered[place];
        if std::ptr::eq(known.name, name) {
            known.number.map(usize::from)
        } else {
            self.search(name)
        }
    }

    #[cold]
    fn search(&mut self, name: &'static str) -> Option<usize> {
        let number = (0..).zip(&self.names).find(|(_, known)| **known == name);
        let number = number.map(|(number, _)| number);
        let place = (name.as_ptr().addr() / 2) % REMEMBERED;
        self.remembered[place] = Remembered { name, number };
        number.map(usize::from)
    }
}

#[cfg(test)]
mod tests {
    use super::ColumnNumbers;

    #[test]
    fn names_at_one_address_are_told_apart() {
        let all = "urls";
        let mut numbers = ColumnNumbers::new(vec!["start", "url", "urls"]);
        for _ in 0..3 {
            assert_eq!(numbers.find(&all[..3]), Some(1));
            assert_eq!(numbers.find(all), Some(2));
            assert_eq!(numbers.find("start"), Some(0));
            assert_eq!(numbers.find("end"), None);
        }
    }
}
