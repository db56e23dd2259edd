//! Where a text comes from, and how what is found in it leads back there.

use crate::record::Join;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use urlsift_archive::{Document, DocumentKind, Ending, Layers};
use urlsift_core::{FileSpan, Secrets, Span, hidden};
use urlsift_scanner::{Candidate, Grade, JoinKind, QuoteDepths};

/// Where a text comes from, and how to get back.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'o> {
    /// The raw bytes at hand.
    pub(crate) raw: Raw<'o>,
    /// The text that was unpacked; `None` if the raw bytes themselves are the text.
    pub(crate) document: Option<&'o Document<'o>>,
    pub(crate) around: &'o Around,
}

/// Raw bytes at hand, for counting lines and looking at what was dropped.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'o> {
    pub(crate) bytes: &'o [u8],
    /// The offset in the file of the unit that they are of.
    pub(crate) base: u64,
    /// Where they begin in that unit.
    pub(crate) at: usize,
}

impl<'o> Raw<'o> {
    /// The bytes from offset `base` of the file on, which are the unit.
    pub(crate) fn unit(bytes: &'o [u8], base: u64) -> Self {
        Self { bytes, base, at: 0 }
    }

    /// The offset in the file of the first of them.
    pub(crate) fn start(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Those between two places in the unit.
    fn between(&self, from: usize, to: usize) -> Option<&'o [u8]> {
        self.bytes.get(from.checked_sub(self.at)?..to.checked_sub(self.at)?)
    }
}

/// What is known of a text and wanted of each candidate in it.
#[derive(Default)]
pub(crate) struct Around {
    /// How it ends, once that is asked for.
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
    /// Where a piece of the text stands in the file.
    pub(crate) fn locate(&self, span: Span) -> FileSpan {
        match self.document {
            Some(document) => document.locate(span),
            None => FileSpan::based(self.raw.base, span),
        }
    }

    /// The text.
    pub(crate) fn text(&self) -> &'o [u8] {
        self.document.map_or(self.raw.bytes, |document| document.text)
    }

    /// What relative links in it are relative to.
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

    /// The element and attribute that held the URL.
    pub(crate) fn html(&self) -> Option<&'o str> {
        match self.document?.kind {
            DocumentKind::Attribute(name) | DocumentKind::Mention(name) => Some(name),
            _ => None,
        }
    }

    /// Adds the white space that was dropped within `span` when the text was made: the folds of a
    /// header field, the line breaks of an attribute. What was decoded is told by the layers.
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
