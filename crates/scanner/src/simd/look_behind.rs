//! A look back: what kinds of bytes stand in the 64 before a place.

#[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
use super::arch::{avx2, avx512};

/// Bytes that are looked at.
pub(crate) const BLOCK: usize = 64;

/// Three classes of ASCII bytes that share none, in the form in which the machine tells them fastest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Behind {
    #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
    avx512: Option<avx512::Table>,
    #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
    avx2: Option<[avx2::Table; 3]>,
}

impl Behind {
    /// `classes` has a bit for each class that a byte is of: 1, 2 or 4.
    pub(crate) fn new(classes: &[u8; 256]) -> Self {
        #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
        {
            let table = |class: u8| avx2::Table::new(&classes.map(|classes| classes & class != 0));
            let tables = || Some([table(1)?, table(2)?, table(4)?]);
            Self { avx512: avx512::Table::new(classes), avx2: tables() }
        }
        #[cfg(any(not(target_arch = "x86_64"), urlsift_portable))]
        Self {}
    }

    /// For each class, which of the 64 bytes are of it, the first in the lowest bit; `None` where the
    /// machine has no vectors.
    #[inline]
    pub(crate) fn look(&self, block: &[u8; BLOCK]) -> Option<[u64; 3]> {
        #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
        {
            if let Some(table) = &self.avx512 {
                return Some(table.classes(block));
            }
            if let Some(tables) = &self.avx2 {
                return Some(tables.each_ref().map(|table| table.members(block)));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_of_its_classes() {
        let classes = std::array::from_fn(|byte| match byte {
            0..0x20 | 0x7F => 1,
            0x3C => 2,
            0x40..0x60 => 4,
            _ => 0,
        });
        let fastest = Behind::new(&classes);
        #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
        let ways = [fastest, Behind { avx512: None, ..fastest }];
        #[cfg(any(not(target_arch = "x86_64"), urlsift_portable))]
        let ways = [fastest];
        for behind in ways {
            for first in 0..=255_u8 {
                let block = std::array::from_fn(|at| {
                    first.wrapping_add(u8::try_from(at).unwrap().wrapping_mul(3))
                });
                let Some(found) = behind.look(&block) else { continue };
                for (class, mask) in [1, 2, 4].into_iter().zip(found) {
                    for (at, byte) in block.into_iter().enumerate() {
                        let is = classes[usize::from(byte)] & class != 0;
                        assert_eq!(mask >> at & 1 != 0, is, "{byte:02X} of class {class}");
                    }
                }
            }
        }
    }
}
