//! Finds secrets (passwords and access tokens) in a URL, in URLs nested inside a URL, and in
//! running text, so that callers can mask them.
//!
//! A password starts after the first colon of an authority and ends before an `@`. RFC 3986 would
//! parse an unencoded password differently from what its author meant, so all text in between is
//! treated as a password, whatever it contains. There are two exceptions:
//!
//! - A port is not a password if a host with a domain precedes it, and a slash or the end of the
//!   text follows: `http://host.dom:80/a@b` has no password, but `http://joe:80/a@b` may have one.
//! - Text after a complete host is not a password.

pub(crate) mod blocks;
mod finder;
mod rewritten;
mod symbol;
mod tokens;

use self::finder::Finder;
use crate::{Span, SpanMap, simd};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::iter;
use core::ops::Range;
use wide::u8x16;

/// The number of bytes of text to examine before and after a URL in [`Secrets::in_context`].
const CONTEXT_LEN: usize = 1024;

/// The kinds of secrets to find or mask.
///
/// ```
/// use urlsift_core::{Secrets, masked};
/// let url = b"ftp://joe:secret@host.dom/?token=abc";
/// assert_eq!(&*masked(url, Secrets::Passwords), b"ftp://joe:***@host.dom/?token=abc");
/// assert_eq!(&*masked(url, Secrets::All), b"ftp://joe:***@host.dom/?token=***");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Secrets {
    /// Only passwords: the text between `:` and `@` before a host.
    #[default]
    Passwords,
    /// Passwords; the values of parameters such as `token`, `api_key` or `X-Amz-Signature`; and
    /// tokens with a recognizable form, such as JSON Web Tokens.
    All,
}

impl Secrets {
    /// Returns the kinds of secrets that the options `mask_passwords` and `mask_secrets` hide, or
    /// `None` if both are false. `mask_secrets` also hides passwords.
    ///
    /// ```
    /// use urlsift_core::Secrets;
    /// assert_eq!(Secrets::from_flags(false, true), Some(Secrets::All));
    /// assert_eq!(Secrets::from_flags(false, false), None);
    /// ```
    pub fn from_flags(mask_passwords: bool, mask_secrets: bool) -> Option<Self> {
        if mask_secrets { Some(Self::All) } else { mask_passwords.then_some(Self::Passwords) }
    }

    /// Returns the span of every secret in `url`, in order. Spans are not empty and don't overlap.
    ///
    /// URLs nested in `url` are searched as well. They may be percent-encoded (`//u%3Apw%40h`),
    /// written with HTML character references, or encoded by a mail gateway that rewrote the link.
    ///
    /// Takes linear time. `url` need not be valid. Text that may or may not be a password is
    /// reported as one.
    ///
    /// ```
    /// use urlsift_core::{Secrets, Span};
    /// let passwords = Secrets::Passwords;
    /// assert_eq!(passwords.in_url(b"ftp://joe:secret@host.dom/"), [Span::new(10, 16)]);
    /// assert_eq!(passwords.in_url(b"http://host.dom:80/"), []);
    /// let rewritten = b"https://urldefense.proofpoint.com/v2/url?u=ftp-3A__joe-3Asecret-40host.dom";
    /// assert_eq!(passwords.in_url(rewritten), [Span::new(57, 63)]);
    /// ```
    pub fn in_url(self, url: &[u8]) -> Vec<Span> {
        find_secrets(url, true, false, self)
    }

    /// Returns the span of every secret in running text, in order and without overlaps. Text that
    /// is almost a URL is searched as well, e.g. `joe:secret@www.host.dom`.
    ///
    /// Takes linear time. A byte only affects results within its own paragraph.
    ///
    /// ```
    /// use urlsift_core::{Secrets, Span};
    /// let text = b"At ftp://joe:secret@host.dom/ now.";
    /// assert_eq!(Secrets::Passwords.in_text(text), [Span::new(13, 19)]);
    /// ```
    pub fn in_text(self, text: &[u8]) -> Vec<Span> {
        find_secrets(text, false, false, self)
    }

    /// Returns the secrets of a URL that was found in `text`, as spans within `url`, in order and
    /// without overlaps.
    ///
    /// Unlike [`Secrets::in_url`], this also finds a password that continues outside the URL. For
    /// example, in `ftp://joe:sec{ret@host.dom/` the URL ends before `{`, and `sec` is part of a
    /// password.
    ///
    /// `span` is the URL's span in `text`, and `map` maps offsets in `url` to offsets in `text`.
    ///
    /// Examines the URL and up to 1,024 bytes of text before and after it, in linear time.
    ///
    /// ```
    /// use urlsift_core::{Secrets, Span, SpanMap};
    /// let text = b"ftp://joe:sec{ret@host.dom/";
    /// let (url, span) = (&text[..13], Span::new(0, 13));
    /// let passwords = Secrets::Passwords;
    /// assert_eq!(passwords.in_url(url), []);
    /// assert_eq!(passwords.in_context(url, &SpanMap::identity(), text, span), [Span::new(10, 13)]);
    /// ```
    pub fn in_context(self, url: &[u8], map: &SpanMap, text: &[u8], span: Span) -> Vec<Span> {
        let from = span.start.saturating_sub(CONTEXT_LEN).min(text.len());
        let to = span.end.saturating_add(CONTEXT_LEN).min(text.len());
        let reach = finder::max_password_end(&text[..to], span.end.clamp(from, to));
        let start = span.start.clamp(from, to);
        if !may_have_at_sign(&text[..to], start..reach) && url.len() < CONTEXT_LEN {
            return self.in_url(url);
        }
        let finder = Finder::new(&text[from..to], false);
        let text_secrets =
            merge_spans(finder.find_passwords(span.end.clamp(from, to) - from, to < text.len()));
        let text_secrets: Vec<Span> =
            text_secrets.into_iter().map(|secret| secret.shifted(from)).collect();
        secrets_in_context(self.in_url(url), url, map, span, &text_secrets)
    }

    /// Returns the secrets in `reading`, an alternative spelling of `url` with up to `hyphens`
    /// hyphens added or removed at line breaks. The spans are within `reading`, in order and
    /// without overlaps.
    ///
    /// `found` is the result of [`Secrets::in_context`] for `url`.
    ///
    /// ```
    /// use urlsift_core::{Secrets, Span};
    /// let (url, reading) = (b"ftp://joe:sec-ret@host.dom/", b"ftp://joe:secret@host.dom/");
    /// let passwords = Secrets::Passwords;
    /// assert_eq!(passwords.in_reading(reading, url, &passwords.in_url(url), 1), [Span::new(10, 16)]);
    /// ```
    pub fn in_reading(
        self,
        reading: &[u8],
        url: &[u8],
        found: &[Span],
        hyphens: usize,
    ) -> Vec<Span> {
        let mut all = self.in_url(reading);
        // A password that is cut off by the end of `url` has no `@` in `reading`, so `in_url`
        // misses it.
        if let Some(cut) = found.last().filter(|last| last.end == url.len()) {
            let start = cut.start.saturating_sub(hyphens).min(reading.len());
            all.push(Span::new(start, reading.len()));
        }
        merge_spans(all)
    }
}

/// Combines the secrets found in a URL with those found in the text that contains the URL. Returns
/// spans within `url`, in order and without overlaps.
///
/// `found` is the result of [`Secrets::in_url`] for `url`. `text_secrets` is the result of
/// [`Secrets::in_text`] for the text. `span` is the URL's span in the text, and `map` maps offsets
/// in `url` to offsets in the text.
///
/// Takes time linear in the URL's length and logarithmic in the number of secrets in the text.
///
/// ```
/// use urlsift_core::{Secrets, Span, SpanMap, secrets_in_context};
/// let text = b"ftp://joe:sec{ret@host.dom/";
/// let text_secrets = Secrets::Passwords.in_text(text);
/// let (url, span) = (&text[..13], Span::new(0, 13));
/// let found = Secrets::Passwords.in_url(url);
/// let found = secrets_in_context(found, url, &SpanMap::identity(), span, &text_secrets);
/// assert_eq!(found, [Span::new(10, 13)]);
/// ```
pub fn secrets_in_context(
    mut found: Vec<Span>,
    url: &[u8],
    map: &SpanMap,
    span: Span,
    text_secrets: &[Span],
) -> Vec<Span> {
    if found.is_empty() && text_secrets.is_empty() {
        return found;
    }
    let whole = Span::new(0, url.len());
    let first = text_secrets.partition_point(|secret| secret.end <= span.start);
    for &secret in text_secrets[first..].iter().take_while(|secret| secret.start < span.end) {
        // Of bytes copied from the text, exactly those inside the secret are added. Bytes that were
        // produced by decoding are added if their source overlaps the secret.
        let made = |from: usize, to: usize| {
            let made = Span::new(from, to);
            (from < to && map.to_source(made).overlaps(secret)).then_some(made)
        };
        let mut at = 0;
        for (derived, source) in map.copied_pieces(whole) {
            found.extend(made(at, derived.start));
            let (start, end) = (source.start.max(secret.start), source.end.min(secret.end));
            if start < end {
                let start = derived.start + (start - source.start);
                found.push(Span::new(start, derived.start + (end - source.start)));
            }
            at = derived.end;
        }
        found.extend(made(at, url.len()));
    }
    merge_spans(found)
}

/// Sorts the spans, merges those that overlap or touch, and removes empty ones.
///
/// ```
/// use urlsift_core::{Span, merge_spans};
/// let spans = vec![Span::new(4, 6), Span::new(1, 3), Span::new(3, 4), Span::new(8, 8)];
/// assert_eq!(merge_spans(spans), [Span::new(1, 6)]);
/// ```
pub fn merge_spans(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.is_empty());
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let is_one = next.start <= last.end;
        last.end = if is_one { last.end.max(next.end) } else { last.end };
        is_one
    });
    spans
}

/// Returns `text` with each of `spans` replaced by `***`. Borrows if there are no spans. The spans
/// must be in order and must not overlap.
///
/// ```
/// use urlsift_core::{Secrets, mask_spans};
/// let url = b"ftp://joe:secret@host.dom/";
/// assert_eq!(&*mask_spans(url, &Secrets::Passwords.in_url(url)), b"ftp://joe:***@host.dom/");
/// ```
pub fn mask_spans<'t>(text: &'t [u8], spans: &[Span]) -> Cow<'t, [u8]> {
    mask_spans_in(text, Span::new(0, text.len()), spans)
}

/// Returns the bytes of `text` at `part` with each of `spans` replaced by `***`. Spans are offsets
/// within the whole `text`; those outside `part` are ignored. They must be in order and must not
/// overlap.
///
/// ```
/// use urlsift_core::{Secrets, Span, mask_spans_in};
/// let url = b"ftp://joe:secret@host.dom/";
/// let found = Secrets::Passwords.in_url(url);
/// assert_eq!(&*mask_spans_in(url, Span::new(6, 25), &found), b"joe:***@host.dom");
/// ```
#[inline]
pub fn mask_spans_in<'t>(text: &'t [u8], part: Span, spans: &[Span]) -> Cow<'t, [u8]> {
    if spans.iter().any(|span| span.overlaps(part)) {
        return Cow::Owned(build_masked(text, part, spans));
    }
    Cow::Borrowed(text.get(part.range()).unwrap_or_default())
}

/// Builds the result of [`mask_spans_in`]. This is the slow path, for text in which at least one of
/// the spans overlaps `part`.
fn build_masked(text: &[u8], part: Span, spans: &[Span]) -> Vec<u8> {
    let bytes = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let mut out = Vec::new();
    let mut at = part.start;
    for span in spans.iter().filter(|span| span.overlaps(part)) {
        out.extend_from_slice(bytes(at, span.start));
        out.extend_from_slice(b"***");
        at = span.end;
    }
    out.extend_from_slice(bytes(at, part.end));
    out
}

/// Returns `url` with its secrets, as found by [`Secrets::in_url`], replaced by `***`. The URL need
/// not be valid.
///
/// ```
/// use urlsift_core::{Secrets::Passwords, masked};
/// let url = b"http://a.org/http://joe:pw@h.dom/";
/// assert_eq!(&*masked(url, Passwords), b"http://a.org/http://joe:***@h.dom/");
/// let url = b"http://a.org/?u=ftp%3A%2F%2Fu%3Apw%40h";
/// assert_eq!(&*masked(url, Passwords), b"http://a.org/?u=ftp%3A%2F%2Fu%3A***%40h");
/// ```
pub fn masked(url: &[u8], secrets: Secrets) -> Cow<'_, [u8]> {
    mask_spans(url, &secrets.in_url(url))
}

/// Returns the spans of access tokens and keys in `url`, in order and without overlaps. These are
/// the secrets that [`Secrets::All`] adds to [`Secrets::Passwords`], except those inside links that
/// a mail gateway rewrote. Takes linear time.
///
/// ```
/// use urlsift_core::{Span, token_spans};
/// assert_eq!(token_spans(b"http://host.dom/?token=abc&q=x"), [Span::new(23, 26)]);
/// ```
pub fn token_spans(url: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    tokens::find_tokens(url, &mut found);
    merge_spans(found)
}

/// Returns the spans of all secrets in `text`, including those inside rewritten links, in order.
/// `is_url` is true if the whole text is one URL. `is_truncated` is true if the text is truncated:
/// see [`Finder::find_passwords`].
fn find_secrets(text: &[u8], is_url: bool, is_truncated: bool, secrets: Secrets) -> Vec<Span> {
    let mut found = visible_secrets(text, is_url, is_truncated, secrets);
    rewritten::find_in_rewritten_links(
        text,
        &|url| visible_secrets(url, true, false, secrets),
        &mut found,
    );
    merge_spans(found)
}

/// Returns the spans of the secrets that are visible without decoding rewritten links, in no
/// particular order. The parameters are those of [`find_secrets`].
fn visible_secrets(text: &[u8], is_url: bool, is_truncated: bool, secrets: Secrets) -> Vec<Span> {
    let mut found = Vec::new();
    // There is no password unless an `@` follows a colon, each in any encoding. In a truncated
    // text, the `@` may be missing.
    let colon = text.iter().position(|&byte| may_be_colon(byte));
    if colon.is_some_and(|colon| is_truncated || may_have_at_sign(text, colon..text.len())) {
        found = Finder::new(text, is_url).find_passwords(text.len(), is_truncated);
    }
    if secrets == Secrets::All {
        tokens::find_tokens(text, &mut found);
    }
    found
}

/// True if a colon in any spelling (`:`, `%3A`, `&#58;`, `\u003a`, `：`) may start with this byte.
/// If false, certainly none does.
fn may_be_colon(byte: u8) -> bool {
    matches!(byte, b':' | b'%' | b'&' | b'\\' | 0xEF)
}

/// True if `range` of the text may contain an `@` in any spelling, or if the text may end in the
/// middle of one. False only if there is certainly no `@`.
fn may_have_at_sign(text: &[u8], range: Range<usize>) -> bool {
    let may_be_one = |at: usize| match text[at] {
        b'@' => true,
        b'%' => matches!(text.get(at + 1..at + 3), None | Some(b"40" | b"25")),
        b'&' => matches!(text.get(at + 1), None | Some(b'#' | b'c')),
        b'\\' => matches!(text.get(at + 1), None | Some(b'u' | b'x')),
        0xEF => matches!(text.get(at + 1), None | Some(0xBC | 0xB9)),
        _ => finder::at_word_end(text, at).is_some(),
    };
    let next = |from| simd::find_in_class(&text[..range.end], from, may_start_at_sign);
    iter::successors(next(range.start), |&at| next(at + 1)).any(may_be_one)
}

/// Returns a vector that marks the bytes with which an `@` in any spelling, or the word `at`, may
/// start.
#[inline]
fn may_start_at_sign(bytes: u8x16) -> u8x16 {
    let of = |byte| simd::equal_to(bytes, byte);
    of(b'@') | of(b'%') | of(b'&') | of(b'\\') | of(0xEF) | of(b'a') | of(b'A')
}

#[cfg(test)]
mod tests;
