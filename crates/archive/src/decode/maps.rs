//! Maps through several layers of decoding.

use core::fmt;
use urlsift_core::{Span, SpanMap};

/// The maps from a text to the raw bytes of the unit, one for each decoded layer.
///
/// The maps are not composed into a single one. Each map needs few bytes for a whole body, whereas
/// the composed map of nested encodings would need as many bytes as the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Maps<'a> {
    innermost: Innermost<'a>,
    /// The maps of the text that this text was decoded from; `None` if that text is the raw bytes.
    outer: Option<&'a Self>,
}

/// The map from a text to the text that it was decoded from.
#[derive(Clone, Copy, Debug)]
enum Innermost<'a> {
    Runs(&'a SpanMap),
    Other(&'a dyn OtherMap),
}

/// A map from a text to its source that doesn't store runs, unlike a [`SpanMap`], but computes the
/// spans on request.
pub(crate) trait OtherMap: fmt::Debug {
    /// Returns the smallest span of the source that covers `derived`: see [`SpanMap::to_source`].
    fn to_source_span(&self, derived: Span) -> Span;

    /// True if `derived` was copied from the source byte for byte: see [`SpanMap::is_verbatim`].
    fn is_verbatim(&self, derived: Span) -> bool;

    /// Returns the parts of `derived` that were copied from the source byte for byte: see
    /// [`SpanMap::copied_pieces`]. `derived` must not be empty.
    fn copied_pieces(&self, derived: Span) -> Vec<(Span, Span)>;
}

impl<'a> Maps<'a> {
    /// Returns the maps for the raw bytes themselves, which map each span to itself.
    pub(crate) const fn identity() -> Self {
        const IDENTITY: &SpanMap = &SpanMap::identity();
        Self { innermost: Innermost::Runs(IDENTITY), outer: None }
    }

    /// Returns the maps for a text that was decoded directly from the raw bytes. `map` is the map
    /// from the text to the raw bytes.
    pub(crate) fn from_map(map: &'a SpanMap) -> Self {
        Self { innermost: Innermost::Runs(map), outer: None }
    }

    /// Returns the maps for a text that was decoded from another text, whose maps are `self`.
    /// `innermost` is the map from the new text to that text.
    pub(crate) fn with_inner_map(&'a self, innermost: &'a SpanMap) -> Self {
        Self { innermost: Innermost::Runs(innermost), outer: self.unless_identity() }
    }

    /// Does the same as [`with_inner_map`](Self::with_inner_map) for a map that stores no runs.
    pub(crate) fn with_inner_computed_map(&'a self, innermost: &'a dyn OtherMap) -> Self {
        Self { innermost: Innermost::Other(innermost), outer: self.unless_identity() }
    }

    /// Returns `self`, or `None` if `self` only maps the raw bytes to themselves.
    fn unless_identity(&'a self) -> Option<&'a Self> {
        let is_raw = self.outer.is_none()
            && matches!(self.innermost, Innermost::Runs(map) if map.is_identity());
        (!is_raw).then_some(self)
    }

    /// Returns the smallest span of the unit that covers `derived`, a span of the text. Takes time
    /// logarithmic in the number of runs of each map.
    pub(crate) fn to_unit_span(self, derived: Span) -> Span {
        let source = self.innermost.source(derived);
        self.outer.map_or(source, |outer| outer.to_unit_span(source))
    }

    /// True if `derived`, a span of the text, was copied from the unit byte for byte.
    pub(crate) fn is_verbatim(&self, derived: Span) -> bool {
        self.innermost.is_verbatim(derived)
            && self.outer.is_none_or(|outer| outer.is_verbatim(self.innermost.source(derived)))
    }

    /// Returns the parts of `derived`, a span of the text, that were copied from the unit byte for
    /// byte, in order. Each part is a pair: its span in the text, and its span in the unit.
    pub(crate) fn copied_pieces(
        &self,
        derived: Span,
    ) -> Box<dyn Iterator<Item = (Span, Span)> + 'a> {
        let pieces = self.innermost.pieces(derived);
        let Some(outer) = self.outer else { return pieces };
        Box::new(pieces.flat_map(|(text, source)| {
            outer.copied_pieces(source).map(move |(within, raw)| {
                let start = text.start + (within.start - source.start);
                (Span::new(start, start + within.len()), raw)
            })
        }))
    }
}

impl<'a> Innermost<'a> {
    fn source(&self, derived: Span) -> Span {
        match self {
            Self::Runs(map) => map.to_source(derived),
            Self::Other(map) => map.to_source_span(derived),
        }
    }

    fn is_verbatim(&self, derived: Span) -> bool {
        match self {
            Self::Runs(map) => map.is_verbatim(derived),
            Self::Other(map) => map.is_verbatim(derived),
        }
    }

    fn pieces(&self, derived: Span) -> Box<dyn Iterator<Item = (Span, Span)> + 'a> {
        match self {
            Self::Runs(map) => Box::new(map.copied_pieces(derived)),
            Self::Other(map) => Box::new(map.copied_pieces(derived).into_iter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::MapBuilder;

    #[test]
    fn chained_maps_lead_to_the_raw_bytes() {
        // Raw `..ab=\ncdQUJD` → `abcdABC` → `bcd+C`.
        let mut outer = MapBuilder::new();
        outer.push_copied(2, 2);
        outer.push_copied(6, 2);
        outer.push_base64(Span::new(8, 12), 3);
        let outer = outer.finish();
        let mut inner = MapBuilder::new();
        inner.push_copied(1, 3);
        inner.push_replaced(Span::new(4, 6), 1);
        inner.push_copied(6, 1);
        let inner = inner.finish();
        let (raw, whole) = (Maps::identity(), inner.composed_with(&outer));
        let once = raw.with_inner_map(&outer);
        let maps = once.with_inner_map(&inner);
        for start in 0..5 {
            for end in start + 1..=5 {
                let span = Span::new(start, end);
                assert_eq!(maps.to_unit_span(span), whole.to_source(span), "{span:?}");
                assert_eq!(maps.is_verbatim(span), whole.is_verbatim(span), "{span:?}");
                assert!(maps.copied_pieces(span).eq(whole.copied_pieces(span)), "{span:?}");
            }
        }
        assert_eq!(raw.to_unit_span(Span::new(3, 4)), Span::new(3, 4));
    }
}
