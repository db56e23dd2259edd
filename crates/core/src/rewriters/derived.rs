//! A decoded text that records the source of each byte.

use crate::{Span, escape};
use alloc::vec::Vec;

/// A text that was decoded from another one, its *source*. Unlike a [`SpanMap`](crate::SpanMap), it
/// records the source span of every single byte, and a byte can have two source spans.
#[derive(Default)]
pub(crate) struct Derived {
    pub(crate) bytes: Vec<u8>,
    /// The source span of each byte.
    sources: Vec<Span>,
    /// The bytes that have a second source: their index in `bytes`, ascending, and that span.
    second_sources: Vec<(usize, Span)>,
}

impl Derived {
    /// Creates a text that is a copy of the bytes of `text` at `span`.
    pub(crate) fn copied_from(text: &[u8], span: Span) -> Self {
        let mut derived = Self::default();
        derived.push_copy(text, span);
        derived
    }

    /// Appends a copy of the bytes of `text` at `span`.
    pub(crate) fn push_copy(&mut self, text: &[u8], span: Span) {
        self.bytes.extend_from_slice(text.get(span.range()).unwrap_or_default());
        self.sources.extend(span.range().map(|at| Span::new(at, at + 1)));
    }

    /// Appends `byte`, which was decoded from the span `source`.
    pub(super) fn push(&mut self, byte: u8, source: Span) {
        self.bytes.push(byte);
        self.sources.push(source);
    }

    /// Adds `second` as the second source span of the bytes at `indices`, which must be ascending.
    pub(super) fn with_second_source_for_bytes(
        mut self,
        indices: Vec<usize>,
        second: Span,
    ) -> Self {
        self.second_sources.extend(indices.into_iter().map(|at| (at, second)));
        self.second_sources.sort_unstable();
        self
    }

    /// Inserts `prefix` before the first byte. The bytes of the prefix get an empty source span.
    pub(crate) fn insert_prefix(&mut self, prefix: &[u8]) {
        let start = self.sources.first().map_or(0, |source| source.start);
        self.bytes.splice(..0, prefix.iter().copied());
        self.sources.splice(..0, prefix.iter().map(|_| Span::new(start, start)));
        self.second_sources.iter_mut().for_each(|(at, _)| *at += prefix.len());
    }

    /// Replaces each byte by the result of `change`, and keeps the source spans.
    pub(super) fn map_bytes(mut self, change: impl Fn(u8) -> u8) -> Self {
        self.bytes.iter_mut().for_each(|byte| *byte = change(*byte));
        self
    }

    /// Returns the text with percent-escapes decoded, as by
    /// [`decode_escapes`](crate::decode_escapes).
    pub(crate) fn percent_decoded(&self) -> Self {
        let mut out = Self::default();
        let mut at = 0;
        while let Some(&byte) = self.bytes.get(at) {
            if let Some(decoded) = escape::decode_octet_at(&self.bytes, at) {
                out.push(decoded, Span::new(at, at + 3));
                at += 3;
            } else {
                out.push(byte, Span::new(at, at + 1));
                at += 1;
            }
        }
        out.composed_with(self)
    }

    /// Returns the same bytes, but with source spans in the source of `outer`. The source of `self`
    /// must be the bytes of `outer`.
    pub(crate) fn composed_with(self, outer: &Self) -> Self {
        let mut second_sources = Vec::new();
        for (at, source) in self.sources.iter().enumerate() {
            let first = outer.second_sources.partition_point(|(index, _)| *index < source.start);
            let inner = outer.second_sources[first..].iter().take_while(|(at, _)| *at < source.end);
            second_sources.extend(inner.map(|(_, second)| (at, *second)));
        }
        second_sources
            .extend(self.second_sources.iter().map(|(at, second)| (*at, outer.source_of(*second))));
        second_sources.sort_unstable();
        let sources = self.sources.iter().map(|source| outer.source_of(*source)).collect();
        Self { bytes: self.bytes, sources, second_sources }
    }

    /// Returns the smallest source span that contains the first sources of the bytes at `span`.
    fn source_of(&self, span: Span) -> Span {
        let end = self.sources.last().map_or(0, |source| source.end);
        let start = self.sources.get(span.start).map_or(end, |source| source.start);
        let last = span.end.checked_sub(1).filter(|_| !span.is_empty());
        let last = last.and_then(|last| self.sources.get(last));
        Span::new(start, last.map_or(start, |last| last.end.max(start)))
    }

    /// Returns the source spans of the bytes at `span`. The first sources of all these bytes are
    /// merged into one span; each second source is a span of its own.
    pub(crate) fn source_spans(&self, span: Span) -> impl Iterator<Item = Span> {
        let first = self.second_sources.partition_point(|(at, _)| *at < span.start);
        let second_sources =
            self.second_sources[first..].iter().take_while(move |(at, _)| *at < span.end);
        core::iter::once(self.source_of(span)).chain(second_sources.map(|(_, second)| *second))
    }
}

#[cfg(test)]
mod tests {
    use super::Derived;
    use crate::{Span, decode_escapes};
    use alloc::vec;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn decodes_as_escapes_are_decoded(text in "[%0-9a-fA-FxZ]{0,24}") {
            let whole = Derived::copied_from(text.as_bytes(), Span::new(0, text.len()));
            let once = whole.percent_decoded();
            prop_assert_eq!(&once.bytes[..], &*decode_escapes(text.as_bytes()));
            let twice = once.percent_decoded();
            prop_assert_eq!(&twice.bytes[..], &*decode_escapes(&once.bytes));
            let all = Span::new(0, twice.bytes.len());
            prop_assert_eq!(twice.source_spans(all).next(), Some(Span::new(0, text.len())));
        }
    }

    #[test]
    fn sources_map_through_two_layers() {
        let text = b"a%2541b";
        let twice = Derived::copied_from(text, Span::new(0, text.len()))
            .percent_decoded()
            .percent_decoded();
        assert_eq!(twice.bytes, b"aAb");
        assert_eq!(twice.source_spans(Span::new(1, 2)).collect::<Vec<_>>(), [Span::new(1, 6)]);
        let outer = Derived::copied_from(b"ab*c;K", Span::new(0, 3));
        let inner = outer.with_second_source_for_bytes(vec![2], Span::new(5, 6)).percent_decoded();
        let found: Vec<_> = inner.source_spans(Span::new(1, 3)).collect();
        assert_eq!(found, [Span::new(1, 3), Span::new(5, 6)]);
    }
}
