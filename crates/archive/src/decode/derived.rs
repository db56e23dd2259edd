//! Builders for decoded texts with a map to their source.

use urlsift_core::{MapBuilder, Span, SpanMap};

/// A decoded text, and the map from its offsets to its source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoded {
    pub text: Vec<u8>,
    pub map: SpanMap,
}

impl Decoded {
    /// Returns the text with the map to the source of its own source, which `outer` maps to it.
    pub(crate) fn composed_with(self, outer: &SpanMap) -> Self {
        Self { map: self.map.composed_with(outer), ..self }
    }
}

/// A builder for a decoded text and its map. Its methods expect offsets in the slice that is
/// decoded, and add the slice's offset in the map's source to them.
#[derive(Debug, Default)]
pub(crate) struct Derived {
    pub text: Vec<u8>,
    map: MapBuilder,
    base: usize,
}

impl Derived {
    /// Returns an empty builder with capacity for `capacity` bytes of text. `source_offset` is the
    /// offset of the decoded slice in the map's source.
    pub(crate) fn new(capacity: usize, source_offset: usize) -> Self {
        Self::reusing_buffer(Vec::with_capacity(capacity), source_offset)
    }

    /// Returns an empty builder that reuses the buffer `text`, after clearing it. `source_offset`
    /// is the offset of the decoded slice in the map's source.
    pub(crate) fn reusing_buffer(mut text: Vec<u8>, source_offset: usize) -> Self {
        text.clear();
        Self { text, map: MapBuilder::new(), base: source_offset }
    }

    /// Appends a copy of `source[from..to]` to the text, and maps it to that range.
    #[inline]
    pub(crate) fn push_copy(&mut self, source: &[u8], from: usize, to: usize) {
        if let Some(bytes) = source.get(from..to) {
            self.text.extend_from_slice(bytes);
            self.map.push_copied(self.base + from, bytes.len());
        }
    }

    /// Appends `bytes` to the text, and maps them as a whole to the source span `from..to`, which
    /// they replace.
    #[inline]
    pub(crate) fn push_replacement(&mut self, bytes: &[u8], from: usize, to: usize) {
        self.text.extend_from_slice(bytes);
        self.map.push_replaced(Span::new(self.base + from, self.base + to), bytes.len());
    }

    /// Appends `bytes`, which encode one character, as the replacement of the source span
    /// `from..to`. Consecutive characters of equal lengths share one run of the map.
    #[inline]
    pub(crate) fn push_character(&mut self, bytes: &[u8], from: usize, to: usize) {
        self.text.extend_from_slice(bytes);
        let source = Span::new(self.base + from, self.base + to);
        match (u8::try_from(source.len()), u8::try_from(bytes.len())) {
            (Ok(wide), Ok(narrow)) if narrow > 0 => {
                self.map.push_groups(source, wide, bytes.len(), narrow);
            }
            _ => self.map.push_replaced(source, bytes.len()),
        }
    }

    /// Adds a run to the map for `len` bytes that were already appended to the text. They were
    /// decoded from `from..to` of the source in groups: each `source_group_len` bytes of the source
    /// gave `group_len` bytes.
    #[inline]
    pub(crate) fn map_groups(
        &mut self,
        from: usize,
        to: usize,
        source_group_len: u8,
        len: usize,
        group_len: u8,
    ) {
        self.map.push_groups(
            Span::new(self.base + from, self.base + to),
            source_group_len,
            len,
            group_len,
        );
    }

    /// Returns the decoded text and its map.
    pub(crate) fn finish(self) -> Decoded {
        Decoded { text: self.text, map: self.map.finish() }
    }
}
