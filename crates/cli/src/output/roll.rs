//! Bytes that grow at their end, with room behind them that can be written to at once.

use std::ops::Deref;

/// What is written, and behind it bytes that mean nothing.
///
/// A vector is extended by just as many bytes as there are. To copy a piece of a fixed size, and say
/// afterwards how much of it counts, takes bytes behind the end that are there already. They are
/// zeroed once; what is rolled up leaves its bytes behind.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    bytes: Vec<u8>,
    /// How many of the bytes count.
    len: usize,
}

/// So many bytes more are zeroed when there is no room left.
const STEP: usize = 16 << 10;

impl Roll {
    /// Forgets what is written.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// How many bytes it takes up.
    pub(crate) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// The room behind what is written. What is to stay there is told to [`Roll::grow`].
    #[inline(always)]
    pub(crate) fn room<const N: usize>(&mut self) -> &mut [u8; N] {
        if self.bytes.len() < self.len + N {
            self.make_room(N);
        }
        let room = self.bytes[self.len..].first_chunk_mut();
        room.expect("there is room now")
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, least: usize) {
        self.bytes.resize(self.len + least.max(STEP), 0);
    }

    /// Takes in the first `len` bytes of the room.
    ///
    /// # Panics
    ///
    /// If there is less room.
    #[inline]
    pub(crate) fn grow(&mut self, len: usize) {
        self.len += len;
        assert!(self.len <= self.bytes.len(), "what grows was written");
    }

    pub(crate) fn extend_from_slice(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        if self.bytes.len() < end {
            self.make_room(bytes.len());
        }
        self.bytes[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }

    /// What `write` appends to a vector.
    pub(crate) fn append<T>(&mut self, write: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        self.bytes.truncate(self.len);
        let result = write(&mut self.bytes);
        self.len = self.bytes.len();
        result
    }

    /// Takes away what stands behind the first `at` bytes.
    pub(crate) fn split_off(&mut self, at: usize) -> Vec<u8> {
        let rest = self[at..].to_vec();
        self.len = at;
        rest
    }
}

impl Deref for Roll {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::Roll;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_a_vector(pieces in prop::collection::vec((any::<Vec<u8>>(), 0..6, any::<u8>()), 0..20)) {
            let (mut roll, mut vector) = (Roll::default(), Vec::new());
            for (piece, what, byte) in pieces {
                match what {
                    0 => {
                        roll.room::<7>().fill(byte);
                        let len = piece.len().min(7);
                        roll.grow(len);
                        vector.extend(std::iter::repeat_n(byte, len));
                    }
                    1 => {
                        roll.append(|out| out.extend_from_slice(&piece));
                        vector.extend_from_slice(&piece);
                    }
                    2 => {
                        let at = usize::from(byte).min(vector.len());
                        prop_assert_eq!(roll.split_off(at), vector.split_off(at));
                    }
                    3 if byte < 50 => {
                        roll.clear();
                        vector.clear();
                    }
                    _ => {
                        roll.extend_from_slice(&piece);
                        vector.extend_from_slice(&piece);
                    }
                }
                prop_assert_eq!(&*roll, &*vector);
            }
        }
    }
}
