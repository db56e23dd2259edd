//! Texts in the making, each with the map to what it is made from.

use urlsift_core::{MapBuilder, Span, SpanMap};

/// A text, and the map to what it was made from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoded {
    pub text: Vec<u8>,
    pub map: SpanMap,
}

/// A derived text in the making: text and map grow together. Positions are given within the slice
/// that is decoded, and mapped to where that slice stands.
#[derive(Debug, Default)]
pub(crate) struct Derived {
    pub text: Vec<u8>,
    map: MapBuilder,
    base: usize,
}

impl Derived {
    /// `base`: where the slice to be decoded starts in the text that the map leads to.
    pub(crate) fn new(bytes: usize, base: usize) -> Self {
        Self::within(Vec::with_capacity(bytes), base)
    }

    /// Starts a text in the memory of an old one, whose bytes are forgotten.
    pub(crate) fn within(mut text: Vec<u8>, base: usize) -> Self {
        text.clear();
        Self { text, map: MapBuilder::new(), base }
    }

    /// Copies `source[from..to]`.
    #[inline]
    pub(crate) fn copy(&mut self, source: &[u8], from: usize, to: usize) {
        if let Some(bytes) = source.get(from..to) {
            self.text.extend_from_slice(bytes);
            self.map.copied(self.base + from, bytes.len());
        }
    }

    /// Puts `bytes` in the place of the source span `from..to`.
    #[inline]
    pub(crate) fn replace(&mut self, bytes: &[u8], from: usize, to: usize) {
        self.text.extend_from_slice(bytes);
        self.map.replaced(Span::new(self.base + from, self.base + to), bytes.len());
    }

    /// Puts one character of `bytes` in the place of the source span `from..to`; like characters
    /// in a row share one run of the map.
    #[inline]
    pub(crate) fn character(&mut self, bytes: &[u8], from: usize, to: usize) {
        self.text.extend_from_slice(bytes);
        let source = Span::new(self.base + from, self.base + to);
        match (u8::try_from(source.len()), u8::try_from(bytes.len())) {
            (Ok(wide), Ok(narrow)) if narrow > 0 => {
                self.map.groups(source, wide, bytes.len(), narrow);
            }
            _ => self.map.replaced(source, bytes.len()),
        }
    }

    /// Accounts for `len` bytes that were appended to the text already, decoded from the groups at
    /// `from..to`: `narrow` bytes from every `wide`.
    #[inline]
    pub(crate) fn groups(&mut self, from: usize, to: usize, wide: u8, len: usize, narrow: u8) {
        self.map.groups(Span::new(self.base + from, self.base + to), wide, len, narrow);
    }

    pub(crate) fn finish(self) -> Decoded {
        Decoded { text: self.text, map: self.map.finish() }
    }
}
