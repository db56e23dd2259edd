//! Finds secrets in a URL, in URLs within it, and in the text around it.
//!
//! A password starts after the first colon of an authority and ends before an `@`. RFC 3986 would
//! parse an unencoded password differently from what its author meant, so all text between is
//! treated as a password, whatever it contains. Exceptions are text that is certainly something
//! else: the port of a host with a domain, followed by a slash or the end of the text
//! (`http://joe:80/a@b` may be a login, `http://host.dom:80/a@b` is not), and text after a complete
//! host.

mod finder;
mod rewritten;
mod symbol;
mod tokens;

use self::finder::Finder;
use crate::{Span, SpanMap};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The number of bytes of the text to examine before and after a URL: see [`Secrets::at`].
const NEIGHBOURHOOD: usize = 1024;

/// Which secrets are hidden.
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
    /// Passwords before the `@` of a host.
    #[default]
    Passwords,
    /// Passwords, the values of parameters such as `token`, `api_key` or `X-Amz-Signature`, and tokens that are known by
    /// their form, such as JSON Web Tokens.
    All,
}

impl Secrets {
    /// Returns every secret in `url`, including those of URLs inside it, even if they are
    /// percent-encoded (`//u%3Apw%40h`), written with character references, or encoded by a gateway
    /// that rewrote the link. The spans are in order, not empty and don't overlap.
    ///
    /// Linear. Accepts any text, even if it is not a URL. In doubt, text is treated as a password.
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
        found_in(url, true, self)
    }

    /// Returns every secret in running text: of URLs, and of text that is nearly a URL. The spans
    /// are in order and don't overlap.
    ///
    /// Linear. No byte affects results further away than a paragraph.
    ///
    /// ```
    /// use urlsift_core::{Secrets, Span};
    /// let text = b"At ftp://joe:secret@host.dom/ now.";
    /// assert_eq!(Secrets::Passwords.in_text(text), [Span::new(13, 19)]);
    /// ```
    pub fn in_text(self, text: &[u8]) -> Vec<Span> {
        found_in(text, false, self)
    }

    /// Returns every secret in a `url` at `span` in `text`; `map` maps the URL to the text. The
    /// result contains the secrets that [`Secrets::in_url`] finds, and parts of passwords that the
    /// ends of the URL cut, as in `ftp://joe:sec{ret@host.dom/`. The spans are within the URL, in
    /// order, and don't overlap.
    ///
    /// Depends on the URL and on 1,024 bytes before and after it; linear in all of them.
    ///
    /// ```
    /// use urlsift_core::{Secrets, Span, SpanMap};
    /// let text = b"ftp://joe:sec{ret@host.dom/";
    /// let (url, span) = (&text[..13], Span::new(0, 13));
    /// let passwords = Secrets::Passwords;
    /// assert_eq!(passwords.in_url(url), []);
    /// assert_eq!(passwords.at(url, &SpanMap::identity(), text, span), [Span::new(10, 13)]);
    /// ```
    pub fn at(self, url: &[u8], map: &SpanMap, text: &[u8], span: Span) -> Vec<Span> {
        let from = span.start.saturating_sub(NEIGHBOURHOOD).min(text.len());
        let to = span.end.saturating_add(NEIGHBOURHOOD).min(text.len());
        let reach = finder::reach(&text[..to], span.end.clamp(from, to));
        if !has_at_sign(&text[span.start.clamp(from, to)..reach]) && url.len() < NEIGHBOURHOOD {
            return self.in_url(url);
        }
        let finder = Finder::new(&text[from..to], false);
        let around = merged(finder.run(span.end.clamp(from, to) - from, to < text.len()));
        let around: Vec<Span> = around.into_iter().map(|secret| secret.shifted(from)).collect();
        secrets_among(self.in_url(url), url, map, span, &around)
    }

    /// Returns every secret in another `reading` of a URL, which differs from it by at most
    /// `hyphens` hyphens, given the result of [`Secrets::at`] for `url`. The spans are in order and
    /// don't overlap.
    ///
    /// ```
    /// use urlsift_core::{Secrets, Span};
    /// let (url, reading) = (b"ftp://joe:sec-ret@host.dom/", b"ftp://joe:secret@host.dom/");
    /// let passwords = Secrets::Passwords;
    /// assert_eq!(passwords.of_reading(reading, url, &passwords.in_url(url), 1), [Span::new(10, 16)]);
    /// ```
    pub fn of_reading(
        self,
        reading: &[u8],
        url: &[u8],
        found: &[Span],
        hyphens: usize,
    ) -> Vec<Span> {
        let mut all = self.in_url(reading);
        // One that the URL's end cuts has no `@` here, either.
        if let Some(cut) = found.last().filter(|last| last.end == url.len()) {
            let start = cut.start.saturating_sub(hyphens).min(reading.len());
            all.push(Span::new(start, reading.len()));
        }
        merged(all)
    }
}

/// Returns every secret in a `url` at `span` in a text; `map` maps the URL to the text. The result
/// contains the secrets that [`Secrets::in_url`] `found` in it, and the parts of it inside the
/// secrets `around` that were found in the text before. These must be in order and not overlap. The
/// returned spans are within the URL, in order, and don't overlap.
///
/// Linear in the URL, logarithmic in the number of secrets of the text.
///
/// ```
/// use urlsift_core::{Secrets, Span, SpanMap, secrets_among};
/// let text = b"ftp://joe:sec{ret@host.dom/";
/// let around = Secrets::Passwords.in_text(text);
/// let (url, span) = (&text[..13], Span::new(0, 13));
/// let found = Secrets::Passwords.in_url(url);
/// let found = secrets_among(found, url, &SpanMap::identity(), span, &around);
/// assert_eq!(found, [Span::new(10, 13)]);
/// ```
pub fn secrets_among(
    mut found: Vec<Span>,
    url: &[u8],
    map: &SpanMap,
    span: Span,
    around: &[Span],
) -> Vec<Span> {
    if found.is_empty() && around.is_empty() {
        return found;
    }
    let whole = Span::new(0, url.len());
    let first = around.partition_point(|secret| secret.end <= span.start);
    for &secret in around[first..].iter().take_while(|secret| secret.start < span.end) {
        // Bytes that were copied are found one by one; those that were made are hidden if their source is.
        let made = |from: usize, to: usize| {
            let made = Span::new(from, to);
            (from < to && map.source(made).overlaps(secret)).then_some(made)
        };
        let mut at = 0;
        for (derived, source) in map.pieces(whole) {
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
    merged(found)
}

/// Returns the spans in order, with overlapping and adjacent ones merged.
///
/// ```
/// use urlsift_core::{Span, merged};
/// let spans = vec![Span::new(4, 6), Span::new(1, 3), Span::new(3, 4), Span::new(8, 8)];
/// assert_eq!(merged(spans), [Span::new(1, 6)]);
/// ```
pub fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.is_empty());
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let is_one = next.start <= last.end;
        last.end = if is_one { last.end.max(next.end) } else { last.end };
        is_one
    });
    spans
}

/// Returns the text with `***` in place of each span. The spans must be in order and not overlap.
///
/// ```
/// use urlsift_core::{Secrets, hidden};
/// let url = b"ftp://joe:secret@host.dom/";
/// assert_eq!(&*hidden(url, &Secrets::Passwords.in_url(url)), b"ftp://joe:***@host.dom/");
/// ```
pub fn hidden<'t>(text: &'t [u8], spans: &[Span]) -> Cow<'t, [u8]> {
    hidden_in(text, Span::new(0, text.len()), spans)
}

/// Returns the bytes of the text at `part` with `***` in place of each span. The spans must be in
/// order and not overlap.
///
/// ```
/// use urlsift_core::{Secrets, Span, hidden_in};
/// let url = b"ftp://joe:secret@host.dom/";
/// let found = Secrets::Passwords.in_url(url);
/// assert_eq!(&*hidden_in(url, Span::new(6, 25), &found), b"joe:***@host.dom");
/// ```
#[inline]
pub fn hidden_in<'t>(text: &'t [u8], part: Span, spans: &[Span]) -> Cow<'t, [u8]> {
    if spans.iter().any(|span| span.overlaps(part)) {
        return Cow::Owned(with_stars(text, part, spans));
    }
    Cow::Borrowed(text.get(part.range()).unwrap_or_default())
}

fn with_stars(text: &[u8], part: Span, spans: &[Span]) -> Vec<u8> {
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

/// Returns the URL with `***` in place of its secrets, as found by [`Secrets::in_url`]. The URL
/// need not be valid.
///
/// ```
/// use urlsift_core::{Secrets::Passwords, masked};
/// let url = b"http://a.org/http://joe:pw@h.dom/";
/// assert_eq!(&*masked(url, Passwords), b"http://a.org/http://joe:***@h.dom/");
/// let url = b"http://a.org/?u=ftp%3A%2F%2Fu%3Apw%40h";
/// assert_eq!(&*masked(url, Passwords), b"http://a.org/?u=ftp%3A%2F%2Fu%3A***%40h");
/// ```
pub fn masked(url: &[u8], secrets: Secrets) -> Cow<'_, [u8]> {
    hidden(url, &secrets.in_url(url))
}

/// Returns the tokens and keys in `url`: the secrets that [`Secrets::All`] masks besides passwords,
/// except in rewritten links. The spans are in order and don't overlap. Linear.
///
/// ```
/// use urlsift_core::{Span, tokens};
/// assert_eq!(tokens(b"http://host.dom/?token=abc&q=x"), [Span::new(23, 26)]);
/// ```
pub fn tokens(url: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    tokens::find(url, &mut found);
    merged(found)
}

fn found_in(text: &[u8], is_url: bool, secrets: Secrets) -> Vec<Span> {
    let mut found = plain(text, is_url, secrets);
    rewritten::find(text, &|url| plain(url, true, secrets), &mut found);
    merged(found)
}

/// Returns the secrets that can be found without undoing rewritten links, in no order.
fn plain(text: &[u8], is_url: bool, secrets: Secrets) -> Vec<Span> {
    let mut found = Vec::new();
    // Without an `@` after a colon, in any encoding, there is no password.
    let colon = text.iter().position(|&byte| may_be_colon(byte));
    if colon.is_some_and(|colon| has_at_sign(&text[colon..])) {
        found = Finder::new(text, is_url).run(text.len(), false);
    }
    if secrets == Secrets::All {
        tokens::find(text, &mut found);
    }
    found
}

/// True if a colon may start with this byte, however it is written.
fn may_be_colon(byte: u8) -> bool {
    matches!(byte, b':' | b'%' | b'&' | b'\\' | 0xEF)
}

/// True if an `@` may be in the text, however it is written, or a piece of one at its end.
fn has_at_sign(text: &[u8]) -> bool {
    let may_be_one = |(at, &byte): (usize, &u8)| match byte {
        b'@' => true,
        b'%' => matches!(text.get(at + 1..at + 3), None | Some(b"40" | b"25")),
        b'&' => matches!(text.get(at + 1), None | Some(b'#' | b'c')),
        b'\\' => matches!(text.get(at + 1), None | Some(b'u' | b'x')),
        0xEF => matches!(text.get(at + 1), None | Some(0xBC | 0xB9)),
        b'a' | b'A' => finder::at_word(text, at).is_some(),
        _ => false,
    };
    text.iter().enumerate().any(may_be_one)
}

#[cfg(test)]
mod tests;
