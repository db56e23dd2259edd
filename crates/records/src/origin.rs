//! Maps spans in a decoded text back to the raw bytes of the file.

use crate::record::Join;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use urlsift_archive::{Document, DocumentKind, Ending, Layers};
use urlsift_core::{FileSpan, SecretBlocks, Secrets, Span, mask_spans};
use urlsift_scanner::{Candidate, Grade, JoinKind, QuoteDepths};

/// The text that contains a candidate, and the place of this text in the file.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'o> {
    /// The raw bytes that the text was decoded from.
    pub(crate) raw: Raw<'o>,
    /// The decoded document, or `None` if the raw bytes themselves are the text.
    pub(crate) document: Option<&'o Document<'o>>,
    /// Results that are cached for all candidates of the text.
    pub(crate) around: &'o TextCache,
}

/// A range of raw bytes of a file, for counting lines and finding dropped line breaks.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'o> {
    /// The raw bytes.
    pub(crate) bytes: &'o [u8],
    /// The file offset of the unit that contains `bytes`.
    pub(crate) base: u64,
    /// The offset of `bytes` in the unit.
    pub(crate) at: usize,
}

impl<'o> Raw<'o> {
    /// Returns the raw bytes of a whole unit that starts at file offset `base`.
    pub(crate) fn whole_unit(bytes: &'o [u8], base: u64) -> Self {
        Self { bytes, base, at: 0 }
    }

    /// Returns the file offset of the first byte of `bytes`.
    pub(crate) fn start(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Returns the bytes between two offsets in the unit, or `None` if they are not in memory.
    fn bytes_between(&self, from: usize, to: usize) -> Option<&'o [u8]> {
        self.bytes.get(from.checked_sub(self.at)?..to.checked_sub(self.at)?)
    }
}

/// Results about a text that are computed on first use and cached for its other candidates.
#[derive(Default)]
pub(crate) struct TextCache {
    /// The start of the text's signature and footer.
    pub(crate) ending: OnceCell<Ending>,
    /// The quote depths of the text's lines, computed up to the last candidate.
    pub(crate) quotes: Cell<QuoteDepths>,
    /// The secrets of the text, created on first use.
    secrets: OnceCell<RefCell<SecretBlocks>>,
}

impl TextCache {
    /// Returns the number of quote marks before the candidate's line.
    pub(crate) fn quote_depth(&self, candidate: &Candidate<'_>) -> u32 {
        let mut quotes = self.quotes.get();
        let depth = quotes.depth_of(candidate);
        self.quotes.set(quotes);
        depth
    }
}

impl<'o> Origin<'o> {
    /// Converts a span of the text to a span of the file.
    pub(crate) fn to_file_span(self, span: Span) -> FileSpan {
        match self.document {
            Some(document) => document.to_file_span(span),
            None => FileSpan::from_base(self.raw.base, span),
        }
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &'o [u8] {
        self.document.map_or(self.raw.bytes, |document| document.text)
    }

    /// Returns the base URLs for relative links in the document, outermost first.
    pub(crate) fn bases(&self) -> &'o [&'o [u8]] {
        self.document.map_or(&[], |document| document.origin.bases)
    }

    /// Returns the encodings between the raw bytes and a span of the text.
    pub(crate) fn layers(&self, span: Span) -> Layers<'o> {
        self.document.map_or_else(Layers::default, |document| document.layers(span))
    }

    /// Returns the secrets of the text, by block.
    pub(crate) fn secret_blocks(&self) -> &'o RefCell<SecretBlocks> {
        self.around.secrets.get_or_init(|| {
            let base = self.document.map_or_else(|| self.raw.start(), |_| 0);
            RefCell::new(SecretBlocks::new(base))
        })
    }

    /// Returns the spans of secrets in `url`, the URL of `candidate`, and replaces secrets in its
    /// other readings by `***`.
    pub(crate) fn find_secrets(
        &self,
        which: Secrets,
        candidate: &Candidate<'_>,
        url: &[u8],
        others: &mut [Vec<u8>],
    ) -> Vec<Span> {
        let mut blocks = self.secret_blocks().borrow_mut();
        let secrets =
            blocks.in_context(which, url, &candidate.span_map(), self.text(), candidate.span());
        for other in others {
            let found = which.in_reading(other, url, &secrets, candidate.seams().len());
            if let Cow::Owned(hidden) = mask_spans(other, &found) {
                *other = hidden;
            }
        }
        secrets
    }

    /// Returns the element and attribute that contain the URL, e.g. `a/href`, or `None` outside of
    /// HTML tags.
    pub(crate) fn html_place(&self) -> Option<&'o str> {
        match self.document?.kind {
            DocumentKind::Attribute(name) | DocumentKind::Mention(name) => Some(name),
            _ => None,
        }
    }

    /// Adds a join to `joins` for each run of white space that was dropped from `span` when the
    /// text was decoded: the folds of a header field or the line breaks of an attribute. Encodings
    /// are not included, because [`Origin::layers`] reports them.
    pub(crate) fn push_dropped_joins(&self, span: Span, joins: &mut Vec<Join>) {
        let Some(document) = self.document.filter(|document| !document.is_verbatim(span)) else {
            return;
        };
        let kind = match document.kind {
            DocumentKind::Header(_) => JoinKind::Continuation,
            _ => JoinKind::Wrapper,
        };
        let before = joins.len();
        let mut last: Option<(Span, Span)> = None;
        for (text, source) in document.copied_pieces(span) {
            if let Some((last_text, last_source)) = last
                && last_text.end == text.start
                && let Some(gap) = self.raw.bytes_between(last_source.end, source.start)
                && !gap.is_empty()
                && gap.iter().all(u8::is_ascii_whitespace)
            {
                let gap = Span::new(last_source.end, source.start);
                let span = FileSpan::from_base(self.raw.base, gap);
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
