//! Sets of bytes, and the length of a run of their members.

#[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
use super::avx2;
use crate::options::Engine;

/// A set of bytes that can be searched for quickly, with the fastest method that the engine has.
#[derive(Clone, Debug)]
pub(crate) struct ByteSet {
    members: [bool; 256],
    #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
    avx2: Option<avx2::Table>,
}

impl ByteSet {
    /// Creates the set of the bytes whose entry in `members` is true.
    pub(crate) fn new(engine: Engine, members: [bool; 256]) -> Self {
        #[cfg(any(not(target_arch = "x86_64"), urlsift_portable))]
        let _ = engine;
        Self {
            #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
            avx2: avx2::Table::new(engine, &members),
            members,
        }
    }

    /// Returns the offset of the first byte at or after `from` that is not in the set, or the
    /// text's length if there is no such byte.
    #[inline(always)]
    pub(crate) fn run_end(&self, text: &[u8], from: usize) -> usize {
        #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
        if let Some(table) = &self.avx2 {
            return match table.run_end(text, from) {
                Ok(at) => at,
                Err(rest) => self.run_end_bytewise(text, rest),
            };
        }
        self.run_end_bytewise(text, from)
    }

    /// Returns the same as [`Self::run_end`], by testing one byte after the other.
    #[inline(never)]
    fn run_end_bytewise(&self, text: &[u8], from: usize) -> usize {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|&&byte| self.members[usize::from(byte)]).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that `run_end` finds each byte outside the set, at every offset of texts of every
    /// length.
    #[test]
    fn run_ends_at_first_nonmember() {
        let mut members = [false; 256];
        for byte in b"abcxyzABZ019/?#~-_" {
            members[usize::from(*byte)] = true;
        }
        // Miri is about a thousand times slower.
        let (longest, step) = if cfg!(miri) { (40, 85) } else { (140, 1) };
        for set in Engine::all().iter().map(|&engine| ByteSet::new(engine, members)) {
            for length in 0..longest {
                let mut text: Vec<u8> =
                    b"abcxyzABZ019/?#~-_".iter().copied().cycle().take(length).collect();
                assert_eq!(set.run_end(&text, 0), length);
                for at in 0..length {
                    let kept = text[at];
                    for byte in (0..=255).step_by(step) {
                        text[at] = byte;
                        assert_eq!(
                            set.run_end(&text, 0),
                            set.run_end_bytewise(&text, 0),
                            "{byte} at {at} of {length}"
                        );
                    }
                    assert_eq!(set.run_end(&text, at), at);
                    text[at] = kept;
                }
            }
        }
    }
}
