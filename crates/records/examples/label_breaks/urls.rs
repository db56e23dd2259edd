//! The URLs of a text, and the URLs that are known to be complete.

use crate::line_kind::kind_of;
use crate::row::host_of;
use crate::text::Text;
use std::collections::BTreeMap;
use urlsift_core::Span;
use urlsift_scanner::{Form, Rejoin, Scanner};

/// A URL on one line of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineUrl {
    /// The URL, without punctuation after it.
    pub(crate) span: Span,
    /// The offset of the line's end.
    pub(crate) line_end: usize,
    /// True if the URL is in no wrapper, such as `<…>`.
    pub(crate) is_bare: bool,
}

impl LineUrl {
    /// Returns the text between the URL and the end of its line.
    fn rest<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[self.span.end..self.line_end]
    }

    /// Returns the text from the start of the URL to the end of its line, if at most punctuation
    /// follows the URL.
    pub(crate) fn head<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        let rest = self.rest(text).trim_ascii_end();
        let is_punctuation = |byte: &u8| byte.is_ascii_punctuation() && *byte != b'>';
        let is_last = rest.len() <= 2 && rest.iter().all(is_punctuation);
        is_last.then(|| text[self.span.start..self.line_end].trim_ascii_end())
    }

    /// True if a bracket opens right before the URL and doesn't close on its line.
    pub(crate) fn is_in_open_bracket(&self, text: &[u8]) -> bool {
        let closing = match text[..self.span.start].last() {
            Some(b'(') => b')',
            Some(b'[') => b']',
            Some(b'{') => b'}',
            _ => return false,
        };
        !text[self.span.start..self.line_end].contains(&closing)
    }

    /// True if the URL is certainly complete, because it is in a wrapper or followed by more text
    /// on its line. False if this text may be the rest of a URL that contains a space.
    pub(crate) fn is_complete(&self, text: &[u8]) -> bool {
        let rest = self.rest(text);
        let blank = rest.iter().position(|byte| matches!(byte, b' ' | b'\t')).unwrap_or(rest.len());
        let (touching, after) = rest.split_at(blank);
        let is_elided = touching.starts_with(b"..") || touching.starts_with("…".as_bytes());
        let is_open = touching.first().is_some_and(|first| is_open_end(*first));
        let is_closed = touching.len() <= 3 && touching.iter().all(u8::is_ascii_punctuation);
        let word = split_word(after.trim_ascii_start()).0;
        let may_have_space = word.contains(&b'/') && touching.is_empty();
        let is_followed = after.iter().any(u8::is_ascii_alphanumeric) && !may_have_space;
        !is_elided && !is_open && (!self.is_bare || (is_closed && is_followed))
    }

    /// True if the URL ends its line, and the line below is blank.
    pub(crate) fn is_before_blank(&self, text: &[u8]) -> bool {
        self.ends_line(text) && self.line_below(text).is_empty()
    }

    /// True if the URL ends its line, and the line below is blank or can't continue it.
    fn is_last(&self, text: &[u8]) -> bool {
        let next = self.line_below(text);
        self.ends_line(text) && (next.is_empty() || kind_of(next).1)
    }

    /// True if nothing follows the URL on its line.
    fn ends_line(&self, text: &[u8]) -> bool {
        self.head(text).is_some_and(|head| head.len() == self.span.len())
    }

    /// Returns the text of the line below the URL.
    fn line_below<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        let below = text.get(self.line_end + 1..).unwrap_or_default();
        after_margin(below.split(|byte| *byte == b'\n').next().unwrap_or_default())
    }
}

/// Returns the URLs of `text`, each only up to the end of its line. Skips truncated URLs, URLs
/// without `://` or without a dot in the host, URLs with an open end ([`is_open_end`]), URLs in
/// wrappers that extend over several lines, and URLs right after one of `=/&%_*`.
pub(crate) fn line_urls(text: &[u8]) -> Vec<LineUrl> {
    let scanner = Scanner::builder().rejoin(Rejoin::Off).build();
    let located = scanner.find_iter(text).filter_map(|found| {
        let span = found.span();
        let is_usable = found.seams().is_empty()
            && !found.is_truncated()
            && !text[..span.start].last().is_some_and(|byte| b"=/&%_*".contains(byte))
            && found.url().windows(3).any(|three| three == b"://")
            && !text[..span.end].last().is_some_and(|last| is_open_end(*last))
            && matches!(host_of(&text[span.range()]), [_, rest @ .., _] if rest.contains(&b'.'));
        let rest = &text[span.end..];
        let line_end = span.end + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        let is_bare = matches!(found.form(), Form::Bare | Form::Prefixed);
        is_usable.then_some(LineUrl { span, line_end, is_bare })
    });
    located.collect()
}

/// The number of times that a URL occurs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Occurrences {
    /// The number of times that it is certainly complete.
    pub(crate) complete: usize,
    /// The number of times that nothing on the line below could continue it, although it is at the
    /// end of its line. Long URLs are often alone on a line.
    pub(crate) last: usize,
    /// The number of occurrences counted in `last` that have a blank line below.
    pub(crate) before_blank: usize,
}

impl Occurrences {
    /// Returns the number of times that the URL is complete, or nothing below could continue it.
    pub(crate) const fn total(self) -> usize {
        self.complete + self.last
    }
}

/// The URLs of a list, with their occurrences in one piece.
#[derive(Debug, Default)]
pub(crate) struct WholeUrls(BTreeMap<Vec<u8>, Occurrences>);

impl WholeUrls {
    /// Collects the URLs of `texts`.
    pub(crate) fn of(texts: &[Text]) -> Self {
        let mut urls = Self::default();
        for Text { bytes: text, .. } in texts {
            for url in line_urls(text) {
                let found = urls.0.entry(text[url.span.range()].to_vec()).or_default();
                if url.is_complete(text) {
                    found.complete += 1;
                } else if url.is_last(text) {
                    found.last += 1;
                    found.before_blank += usize::from(url.is_before_blank(text));
                }
            }
        }
        urls.0.retain(|_, found| found.total() > 0);
        urls
    }

    /// Returns how often `url` occurs in one piece.
    pub(crate) fn count(&self, url: &[u8]) -> Occurrences {
        self.0.get(url).copied().unwrap_or_default()
    }

    /// True if one of the URLs starts with `start`.
    pub(crate) fn any_starts_with(&self, start: &[u8]) -> bool {
        self.0.range(start.to_vec()..).next().is_some_and(|(url, _)| url.starts_with(start))
    }
}

/// Returns the part of a line after its indentation and quote marks.
pub(crate) fn after_margin(line: &[u8]) -> &[u8] {
    let len = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>' | b'|')).count();
    line[len..].trim_ascii_end()
}

/// Splits `line` after its first word. Returns the word, and the rest without blanks around it.
pub(crate) fn split_word(line: &[u8]) -> (&[u8], &[u8]) {
    let len = line.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    (&line[..len], line[len..].trim_ascii())
}

/// Returns `word` without the punctuation after it.
pub(crate) fn without_punctuation(mut word: &[u8]) -> &[u8] {
    while let [rest @ .., last] = word
        && ends_sentence(*last)
    {
        word = rest;
    }
    word
}

/// True if `byte` may be punctuation after a URL.
pub(crate) fn ends_sentence(byte: u8) -> bool {
    b".,;:!?)]>}\"'*_`".contains(&byte)
}

/// True if complete URLs hardly ever end with `byte`, so that a URL that does is probably cut off.
pub(crate) fn is_open_end(byte: u8) -> bool {
    b"=&?%-_+#\\".contains(&byte)
}
