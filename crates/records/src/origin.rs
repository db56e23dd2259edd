//! The origin of a text, to map spans in it back to the file.

use crate::record::Join;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use urlsift_archive::{Document, DocumentKind, Ending, Layers};
use urlsift_core::{FileSpan, Secrets, Span, hidden};
use urlsift_scanner::{Candidate, Grade, JoinKind, QuoteDepths};

/// The origin of a text.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'o> {
    /// The raw bytes in memory.
    pub(crate) raw: Raw<'o>,
    /// The decoded document, or `None` if the raw bytes are the text.
    pub(crate) document: Option<&'o Document<'o>>,
    pub(crate) around: &'o Around,
}

/// Raw bytes in memory, for counting lines and examining dropped layout.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'o> {
    pub(crate) bytes: &'o [u8],
    /// The offset in the file of the unit that they are of.
    pub(crate) base: u64,
    /// The offset of these bytes in the unit.
    pub(crate) at: usize,
}

impl<'o> Raw<'o> {
    /// Creates the origin of a unit whose bytes start at file offset `base`.
    pub(crate) fn unit(bytes: &'o [u8], base: u64) -> Self {
        Self { bytes, base, at: 0 }
    }

    /// Returns the file offset of the first byte.
    pub(crate) fn start(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Returns the bytes between two offsets in the unit.
    fn between(&self, from: usize, to: usize) -> Option<&'o [u8]> {
        self.bytes.get(from.checked_sub(self.at)?..to.checked_sub(self.at)?)
    }
}

/// The context of a text and the fields that are requested for each candidate in it.
#[derive(Default)]
pub(crate) struct Around {
    /// How the document ends, computed on first use.
    pub(crate) ending: OnceCell<Ending>,
    pub(crate) quotes: Cell<QuoteDepths>,
}

impl Around {
    pub(crate) fn quote_depth(&self, candidate: &Candidate<'_>) -> u32 {
        let mut quotes = self.quotes.get();
        let depth = quotes.of(candidate);
        self.quotes.set(quotes);
        depth
    }
}

impl<'o> Origin<'o> {
    /// Converts a span of the text to a span of the file.
    pub(crate) fn locate(&self, span: Span) -> FileSpan {
        match self.document {
            Some(document) => document.locate(span),
            None => FileSpan::based(self.raw.base, span),
        }
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &'o [u8] {
        self.document.map_or(self.raw.bytes, |document| document.text)
    }

    /// Returns the bases for relative links in it.
    pub(crate) fn bases(&self) -> &'o [&'o [u8]] {
        self.document.map_or(&[], |document| document.origin.bases)
    }

    pub(crate) fn layers(&self, span: Span) -> Layers<'o> {
        self.document.map_or_else(Layers::default, |document| document.layers(span))
    }

    /// Returns the places of secrets in a candidate's `url`, and hides those in its other readings.
    pub(crate) fn secrets(
        &self,
        which: Secrets,
        candidate: &Candidate<'_>,
        url: &[u8],
        others: &mut [Vec<u8>],
    ) -> Vec<Span> {
        let secrets = which.at(url, &candidate.map(), self.text(), candidate.span());
        for other in others {
            let found = which.of_reading(other, url, &secrets, candidate.seams().len());
            if let Cow::Owned(hidden) = hidden(other, &found) {
                *other = hidden;
            }
        }
        secrets
    }

    /// Returns the element and attribute that contain the URL.
    pub(crate) fn html(&self) -> Option<&'o str> {
        match self.document?.kind {
            DocumentKind::Attribute(name) | DocumentKind::Mention(name) => Some(name),
            _ => None,
        }
    }

    /// Adds the white space in `span` that was dropped when the text was decoded: the folds of a
    /// header field, the line breaks of an attribute. Encodings are reported as layers instead.
    pub(crate) fn dropped(&self, span: Span, joins: &mut Vec<Join>) {
        let Some(document) = self.document.filter(|document| !document.is_verbatim(span)) else {
            return;
        };
        let kind = match document.kind {
            DocumentKind::Header(_) => JoinKind::Continuation,
            _ => JoinKind::Wrapper,
        };
        let before = joins.len();
        let mut last: Option<(Span, Span)> = None;
        for (text, source) in document.pieces(span) {
            if let Some((last_text, last_source)) = last
                && last_text.end == text.start
                && let Some(gap) = self.raw.between(last_source.end, source.start)
                && !gap.is_empty()
                && gap.iter().all(u8::is_ascii_whitespace)
            {
                let gap = Span::new(last_source.end, source.start);
                let span = FileSpan::based(self.raw.base, gap);
                let is_known =
                    |join: &Join| join.span.start <= span.start && span.end <= join.span.end;
                if !joins.iter().any(is_known) {
                    joins.push(Join { span, kind, grade: Grade::Certain });
                }
            }
            last = Some((text, source));
        }
        if joins.len() > before {
            joins.sort_by_key(|join| join.span.start);
        }
    }
}
