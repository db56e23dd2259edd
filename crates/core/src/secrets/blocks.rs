//! Finds the secrets around many URLs of one text, in linear time.

use super::{CONTEXT_LEN, Secrets, find_secrets, finder, has_at_sign, secrets_in_context};
use crate::{Span, SpanMap};
use alloc::vec::Vec;

/// The number of bytes of a block: the text whose secrets are found at once.
const BLOCK: u64 = 4096;
/// The number of bytes after a URL that are searched for an `@` before a block is.
const SHORT: usize = 128;

/// The secrets of a text around its URLs. They are found block by block, so that many URLs close
/// together don't cost more than the text.
///
/// Results don't depend on the order of the URLs, but a URL in the block of the last one is faster.
///
/// ```
/// use urlsift_core::{SecretBlocks, Secrets, Span, SpanMap};
/// let text = b"ftp://joe:sec{ret@host.dom/";
/// let mut blocks = SecretBlocks::new(0);
/// let (url, span) = (&text[..13], Span::new(0, 13));
/// let found = blocks.in_context(Secrets::Passwords, url, &SpanMap::identity(), text, span);
/// assert_eq!(found, [Span::new(10, 13)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SecretBlocks {
    base: u64,
    /// The number of the last block, with its secrets in the text.
    last: Option<(u64, Secrets, Vec<Span>)>,
}

impl SecretBlocks {
    /// Returns blocks of a text whose first byte is at offset `base`. With the right offset, the
    /// parts of a long text have the same blocks as the whole.
    pub fn new(base: u64) -> Self {
        Self { base, last: None }
    }

    /// Returns what [`Secrets::in_context`] returns, except that more of the text around the URL may be
    /// examined. `text` must be the same in all calls.
    pub fn in_context(
        &mut self,
        which: Secrets,
        url: &[u8],
        map: &SpanMap,
        text: &[u8],
        span: Span,
    ) -> Vec<Span> {
        let start = span.start.min(text.len());
        let to = span.end.saturating_add(SHORT).clamp(start, text.len());
        let reach = finder::max_password_end(&text[..to], span.end.clamp(start, to));
        let is_short = reach < to || to == text.len();
        if is_short && !has_at_sign(text, start..reach) && url.len() < CONTEXT_LEN {
            return which.in_url(url);
        }
        match self.around(which, text, span) {
            Some(around) => secrets_in_context(which.in_url(url), url, map, span, around),
            None => which.in_context(url, map, text, span),
        }
    }

    /// Returns the parts of secrets in `part` of the text, which contains the URL at `span`. They are
    /// in order and don't overlap. `text` must be the same in all calls.
    pub fn within(&mut self, which: Secrets, text: &[u8], part: Span, span: Span) -> Vec<Span> {
        let bytes = text.get(part.range()).unwrap_or_default();
        let around = has_at_sign(bytes, 0..bytes.len()).then(|| self.around(which, text, span));
        let Some(around) = around.flatten() else {
            let found = which.in_text(bytes).into_iter();
            return found.map(|secret| secret.shifted(part.start)).collect();
        };
        let first = around.partition_point(|secret| secret.end <= part.start);
        let around = around[first..].iter().take_while(|secret| secret.start < part.end);
        around.map(|it| Span::new(it.start.max(part.start), it.end.min(part.end))).collect()
    }

    /// Returns every secret of the text in a window that contains `span`, in order and not
    /// overlapping; `None` if the span is too long for it.
    fn around(&mut self, which: Secrets, text: &[u8], span: Span) -> Option<&[Span]> {
        let number = (self.base + span.start as u64) / BLOCK;
        let at = |offset: u64| {
            let at = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
            at.min(text.len())
        };
        let (start, end) = (at(number * BLOCK), at((number + 1) * BLOCK));
        if span.start > text.len() || span.end > end.saturating_add(CONTEXT_LEN) {
            return None;
        }
        if !matches!(&self.last, Some((last, of, _)) if (*last, *of) == (number, which)) {
            let from = start.saturating_sub(CONTEXT_LEN);
            let to = end.saturating_add(2 * CONTEXT_LEN).min(text.len());
            let found = find_secrets(&text[from..to], false, to < text.len(), which);
            let found = found.into_iter().map(|secret| secret.shifted(from)).collect();
            self.last = Some((number, which, found));
        }
        self.last.as_ref().map(|(.., found)| &found[..])
    }
}
