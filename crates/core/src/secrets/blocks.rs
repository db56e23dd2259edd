//! Finds the secrets around many URLs of one text, in linear time.

use super::{CONTEXT_LEN, Secrets, find_secrets, finder, may_have_at_sign, secrets_in_context};
use crate::{Span, SpanMap};
use alloc::vec::Vec;

/// The number of bytes of a block: the text whose secrets are found at once.
const BLOCK: u64 = 4096;
/// The number of bytes after a URL that are searched for an `@` before a block is.
const SHORT: usize = 128;

/// A finder for the secrets around many URLs of one text. It searches whole blocks of 4 KiB and
/// caches the secrets of the last one. Many URLs close together therefore don't repeat the search.
///
/// The results don't depend on the order of the URLs. A lookup is faster if the URL is in the same
/// block as the previous one.
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
    /// For each kind of secrets: the number of the last block, and the spans of its secrets in the
    /// text.
    last: [Option<(u64, Vec<Span>)>; 2],
}

impl SecretBlocks {
    /// Creates a finder for a text whose first byte is at offset `base` of a longer text. With the
    /// right `base`, the parts of a long text have the same blocks as the whole.
    pub fn new(base: u64) -> Self {
        Self { base, last: [None, None] }
    }

    /// Returns the secrets of a URL that was found in `text`, as spans within `url`. The result is
    /// that of [`Secrets::in_context`], but more of the text around the URL may be examined.
    ///
    /// `text` must be the same in all calls.
    pub fn in_context(
        &mut self,
        which: Secrets,
        url: &[u8],
        map: &SpanMap,
        text: &[u8],
        span: Span,
    ) -> Vec<Span> {
        if !may_have_password(text, span) && url.len() < CONTEXT_LEN {
            return which.in_url(url);
        }
        // A token of the URL is complete in the URL. Only a password may continue outside.
        match self.secrets_in_window(Secrets::Passwords, text, span) {
            Some(around) => secrets_in_context(which.in_url(url), url, map, span, around),
            None => which.in_context(url, map, text, span),
        }
    }

    /// Returns the spans of the secrets in `part` of the text, clipped to that part. The spans are
    /// in order and don't overlap. `part` contains the URL at `span`.
    ///
    /// `text` must be the same in all calls.
    pub fn in_part(&mut self, which: Secrets, text: &[u8], part: Span, span: Span) -> Vec<Span> {
        if !may_have_password(text, part) {
            let found = which.in_text(text.get(part.range()).unwrap_or_default()).into_iter();
            return found.map(|secret| secret.shifted(part.start)).collect();
        }
        let long;
        let around = if let Some(around) = self.secrets_in_window(which, text, span) {
            around
        } else {
            // A password in the part may end after it.
            let to = text.len().min(part.end.saturating_add(CONTEXT_LEN));
            let bytes = text.get(part.start..to).unwrap_or_default();
            let found = find_secrets(bytes, false, to < text.len(), which).into_iter();
            long = found.map(|secret| secret.shifted(part.start)).collect::<Vec<_>>();
            &long
        };
        let first = around.partition_point(|secret| secret.end <= part.start);
        let around = around[first..].iter().take_while(|secret| secret.start < part.end);
        around.map(|it| Span::new(it.start.max(part.start), it.end.min(part.end))).collect()
    }

    /// Returns every secret in a window of the text that contains `span`, in order and without
    /// overlaps. Returns `None` if `span` is too long for a window.
    fn secrets_in_window(&mut self, which: Secrets, text: &[u8], span: Span) -> Option<&[Span]> {
        let number = (self.base + span.start as u64) / BLOCK;
        let at = |offset: u64| {
            let at = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
            at.min(text.len())
        };
        let (start, end) = (at(number * BLOCK), at((number + 1) * BLOCK));
        if span.start > text.len() || span.end > end.saturating_add(CONTEXT_LEN) {
            return None;
        }
        let last = &mut self.last[usize::from(which == Secrets::All)];
        if !matches!(last, Some((last, _)) if *last == number) {
            let from = start.saturating_sub(CONTEXT_LEN);
            let to = end.saturating_add(2 * CONTEXT_LEN).min(text.len());
            let found = find_secrets(&text[from..to], false, to < text.len(), which);
            let found = found.into_iter().map(|secret| secret.shifted(from)).collect();
            *last = Some((number, found));
        }
        last.as_ref().map(|(_, found)| &found[..])
    }
}

/// True if a password may start in or before `part` of the text, and end in or after it. If false,
/// there is certainly none.
fn may_have_password(text: &[u8], part: Span) -> bool {
    let start = part.start.min(text.len());
    let to = part.end.saturating_add(SHORT).clamp(start, text.len());
    let reach = finder::max_password_end(&text[..to], part.end.clamp(start, to));
    let is_short = reach < to || to == text.len();
    !is_short || may_have_at_sign(text, start..reach)
}
