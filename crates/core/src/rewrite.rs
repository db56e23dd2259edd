//! A copy-on-write text that allocates only when it differs from the original.

use alloc::borrow::Cow;
use alloc::vec::Vec;

/// An output buffer that doesn't allocate while the output equals the start of a known text. From
/// the first difference on, it contains a copy.
pub(crate) struct Rewrite<'t> {
    /// The original text.
    before: &'t [u8],
    /// The length of the output while there is no copy, i.e. while it equals the start of `before`.
    alike: usize,
    /// The output, after the first difference.
    copy: Option<Vec<u8>>,
}

impl<'t> Rewrite<'t> {
    /// Creates an empty output buffer. It borrows from `before` while the output equals the start
    /// of `before`.
    pub(crate) const fn expecting(before: &'t [u8]) -> Self {
        Self { before, alike: 0, copy: None }
    }

    /// Returns the output so far.
    pub(crate) fn written(&self) -> &[u8] {
        self.copy.as_deref().unwrap_or(&self.before[..self.alike])
    }

    /// Appends a byte.
    #[inline]
    pub(crate) fn push(&mut self, byte: u8) {
        if self.copy.is_none() && self.before.get(self.alike) == Some(&byte) {
            self.alike += 1;
        } else {
            self.copy_mut(1).push(byte);
        }
    }

    /// Appends bytes.
    #[inline]
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        if self.copy.is_none() && self.before[self.alike..].starts_with(bytes) {
            self.alike += bytes.len();
        } else {
            self.copy_mut(bytes.len()).extend_from_slice(bytes);
        }
    }

    /// Shortens the output to its first `length` bytes.
    pub(crate) fn truncate(&mut self, length: usize) {
        match &mut self.copy {
            Some(copy) => copy.truncate(length),
            None => self.alike = self.alike.min(length),
        }
    }

    /// Returns the buffer with the copy of the output. If there is no copy yet, creates one that
    /// contains the output so far. Its capacity is the length of the original text plus `more`
    /// bytes.
    fn copy_mut(&mut self, more: usize) -> &mut Vec<u8> {
        self.copy.get_or_insert_with(|| {
            let mut copy = Vec::with_capacity(self.before.len() + more);
            copy.extend_from_slice(&self.before[..self.alike]);
            copy
        })
    }

    /// Returns the output. It is borrowed if it is a prefix of the original text.
    pub(crate) fn finish(self) -> Cow<'t, [u8]> {
        match self.copy {
            Some(copy) => Cow::Owned(copy),
            None => Cow::Borrowed(&self.before[..self.alike]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn writes_what_a_vector_would(
            before in "[ab]{0,8}",
            steps in prop::collection::vec((prop::option::of("[ab]{0,3}"), 0..8_usize), 0..6),
        ) {
            let mut rewrite = Rewrite::expecting(before.as_bytes());
            let mut expected = Vec::new();
            for (piece, length) in &steps {
                match piece {
                    Some(piece) if piece.len() == 1 => {
                        rewrite.push(piece.as_bytes()[0]);
                        expected.push(piece.as_bytes()[0]);
                    }
                    Some(piece) => {
                        rewrite.extend(piece.as_bytes());
                        expected.extend(piece.as_bytes());
                    }
                    None => {
                        rewrite.truncate(*length);
                        expected.truncate(*length);
                    }
                }
                prop_assert_eq!(rewrite.written(), &expected);
            }
            let only_grew = steps.iter().all(|(piece, _)| piece.is_some());
            let finished = rewrite.finish();
            prop_assert_eq!(&*finished, &expected);
            if only_grew {
                let begins = before.as_bytes().starts_with(&expected);
                prop_assert_eq!(matches!(finished, Cow::Borrowed(_)), begins);
            }
        }
    }
}
