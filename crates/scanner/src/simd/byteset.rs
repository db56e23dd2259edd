//! How far the bytes of a set run: the other thing that is done byte by byte.

#[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
use super::arch::{avx2, avx512};

/// A set of bytes, and the fastest way that the machine has to run along them.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    members: [bool; 256],
    #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
    avx512: Option<avx512::Table>,
    #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
    avx2: Option<avx2::Table>,
}

impl Set {
    pub(crate) fn new(members: [bool; 256]) -> Self {
        Self {
            #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
            avx512: avx512::Table::new(&members.map(u8::from)),
            #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
            avx2: avx2::Table::new(&members),
            members,
        }
    }

    /// The first byte at or after `from` that is not in the set; the text's length if there is
    /// none.
    #[inline]
    pub(crate) fn run(&self, text: &[u8], from: usize) -> usize {
        match self.run_by_vectors(text, from) {
            Ok(at) => at,
            Err(rest) => self.walk(text, rest),
        }
    }

    /// The same, or where the rest starts that is too short for a vector.
    #[inline]
    fn run_by_vectors(&self, text: &[u8], from: usize) -> Result<usize, usize> {
        #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
        {
            if let Some(table) = &self.avx512 {
                return table.run(text, from);
            }
            if let Some(table) = &self.avx2 {
                return table.run(text, from);
            }
        }
        Err(from)
    }

    fn walk(&self, text: &[u8], from: usize) -> usize {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|&&byte| self.members[usize::from(byte)]).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stop at every place of texts of every length, for every byte.
    #[test]
    fn runs_to_the_first_other_byte() {
        let mut members = [false; 256];
        for byte in b"abcxyzABZ019/?#~-_" {
            members[usize::from(*byte)] = true;
        }
        let fastest = Set::new(members);
        #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
        let ways = [fastest.clone(), Set { avx512: None, ..fastest }];
        #[cfg(any(not(target_arch = "x86_64"), urlsift_portable))]
        let ways = [fastest];
        for (fast, length) in
            ways.iter().flat_map(|fast| (0..140).map(move |length| (fast, length)))
        {
            let mut text: Vec<u8> =
                b"abcxyzABZ019/?#~-_".iter().copied().cycle().take(length).collect();
            assert_eq!(fast.run(&text, 0), length);
            for at in 0..length {
                let kept = text[at];
                for byte in 0..=255 {
                    text[at] = byte;
                    assert_eq!(
                        fast.run(&text, 0),
                        fast.walk(&text, 0),
                        "{byte} at {at} of {length}"
                    );
                }
                assert_eq!(fast.run(&text, at), at);
                text[at] = kept;
            }
        }
    }
}
