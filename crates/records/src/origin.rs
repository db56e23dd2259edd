//! Maps spans in a decoded text back to the raw bytes of the file.

use crate::record::Join;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use urlsift_archive::{Document, DocumentKind, Ending, Layers};
use urlsift_core::{FileSpan, SecretBlocks, Secrets, Span, mask_spans};
use urlsift_scanner::{Candidate, Grade, JoinEvidenceSet, JoinKind, QuoteDepths};

/// The text in which a candidate was found, and the raw bytes of the file from which the text was
/// decoded.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'o> {
    /// The raw bytes that the text was decoded from.
    pub(crate) raw: Raw<'o>,
    /// The decoded document, or `None` if the raw bytes themselves are the text.
    pub(crate) document: Option<&'o Document<'o>>,
    /// Results that are cached for all candidates of the text.
    pub(crate) around: &'o TextCache,
}

/// Some raw bytes of a file and their position, used to count lines and to find dropped line
/// breaks.
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
    /// Describes the raw bytes of a whole unit, which starts at file offset `base`.
    pub(crate) fn whole_unit(bytes: &'o [u8], base: u64) -> Self {
        Self { bytes, base, at: 0 }
    }

    /// Returns the file offset at which `bytes` starts.
    pub(crate) fn file_offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Returns the bytes between the offsets `from` and `to` in the unit. Returns `None` if they
    /// are not all in memory.
    fn bytes_between(&self, from: usize, to: usize) -> Option<&'o [u8]> {
        self.bytes.get(from.checked_sub(self.at)?..to.checked_sub(self.at)?)
    }
}

/// Values that depend only on a text. They are computed when first used, and cached for all
/// candidates in the text.
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
    /// Returns the number of quote marks (`>`) at the start of the line that contains the
    /// candidate.
    pub(crate) fn quote_depth(&self, candidate: &Candidate<'_>) -> u32 {
        let mut quotes = self.quotes.get();
        let depth = quotes.depth_of(candidate);
        self.quotes.set(quotes);
        depth
    }
}

impl<'o> Origin<'o> {
    /// Converts a span of the text to the span of the file from which it was decoded.
    pub(crate) fn to_file_span(self, span: Span) -> FileSpan {
        match self.document {
            Some(document) => document.to_file_span(span),
            None => FileSpan::from_base(self.raw.base, span),
        }
    }

    /// Returns the text in which the candidate was found.
    #[inline]
    pub(crate) fn text(&self) -> &'o [u8] {
        self.document.map_or(self.raw.bytes, |document| document.text)
    }

    /// Returns the base URLs against which relative links in the document are resolved, outermost
    /// first. Returns an empty slice if the text is not a document.
    pub(crate) fn base_urls(&self) -> &'o [&'o [u8]] {
        self.document.map_or(&[], |document| document.origin.bases)
    }

    /// Returns the encodings, e.g. base64, that were decoded between the raw bytes and the bytes at
    /// `span` of the text.
    pub(crate) fn encodings_at(&self, span: Span) -> Layers<'o> {
        self.document.map_or_else(Layers::default, |document| document.layers(span))
    }

    /// Returns the cache of the secrets in the text, which are searched block by block.
    pub(crate) fn secrets_by_block(&self) -> &'o RefCell<SecretBlocks> {
        self.around.secrets.get_or_init(|| {
            let base = self.document.map_or_else(|| self.raw.file_offset(), |_| 0);
            RefCell::new(SecretBlocks::new(base))
        })
    }

    /// Returns the spans of secrets in `url`, which is the URL of `candidate`. Also masks the
    /// secrets in `others`, the other readings of the candidate. `which` are the kinds of secrets.
    pub(crate) fn find_secrets(
        &self,
        which: Secrets,
        candidate: &Candidate<'_>,
        url: &[u8],
        others: &mut [Vec<u8>],
    ) -> Vec<Span> {
        let mut blocks = self.secrets_by_block().borrow_mut();
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

    /// Returns the element and attribute that contain the URL, e.g. `a/href`. Returns `None` if the
    /// URL is not in an HTML tag.
    pub(crate) fn element_and_attribute(&self) -> Option<&'o str> {
        match self.document?.kind {
            DocumentKind::Attribute(name) | DocumentKind::Mention(name) => Some(name),
            _ => None,
        }
    }

    /// Appends a join to `joins` for each run of white space inside `span` that was dropped when
    /// the text was decoded: folds of a header field and line breaks in an attribute.
    ///
    /// Encodings are not included, because [`Origin::encodings_at`] returns them.
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
                    let evidence = JoinEvidenceSet::EMPTY;
                    joins.push(Join { span, kind, grade: Grade::Certain, evidence });
                }
            }
            last = Some((text, source));
        }
        if joins.len() > before {
            joins.sort_by_key(|join| join.span.start);
        }
    }
}
