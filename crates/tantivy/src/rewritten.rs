//! Prepares the text for the inner tokenizer: each URL is replaced by its host and path, between
//! spaces.

use crate::urls::Urls;
use std::str;
use tantivy_tokenizer_api::Token;
use urlsift_core::{MapBuilder, Outline, Span, SpanMap, decode_escapes, outline};
use urlsift_scanner::{Candidate, Form};

/// A text prepared for an index: its URLs are replaced by their host and path, so that the inner
/// tokenizer makes a token of each word in them. The tokens for whole URLs and hosts are kept apart.
#[derive(Clone, Debug)]
pub(crate) struct Rewritten {
    /// The text for the inner tokenizer.
    pub(crate) text: String,
    /// The map from offsets in `text` to offsets in the original text.
    pub(crate) map: SpanMap,
    /// The tokens of whole URLs and hosts, in text order.
    pub(crate) tokens: Vec<UrlToken>,
}

/// A token for a whole URL or its host.
#[derive(Clone, Debug)]
pub(crate) struct UrlToken {
    /// The offset in the rewritten text of the first word of the URL or host. The token is returned
    /// before this word.
    pub(crate) at: usize,
    /// The token. Its position is set when it is returned.
    pub(crate) token: Token,
}

impl Rewritten {
    /// Replaces each URL in `text` by its host and path, and makes the tokens for whole URLs and
    /// hosts. Returns `None` if `text` contains no URL.
    pub(crate) fn from_text(text: &str, urls: &Urls) -> Option<Self> {
        let mut writer = Writer::default();
        let mut prose = 0;
        for found in urls.scanner.find_str(text).filter(|found| found.form() != Form::NearMiss) {
            let Span { start, end } = found.span();
            writer.push_prose(text, Span::new(prose, start));
            writer.push_url(&found, urls);
            prose = end;
        }
        if writer.tokens.is_empty() {
            return None;
        }
        writer.push_prose(text, Span::new(prose, text.len()));
        Some(Self { text: writer.text, map: writer.map.finish(), tokens: writer.tokens })
    }
}

/// A [`Rewritten`] that is being built.
#[derive(Default)]
struct Writer {
    text: String,
    map: MapBuilder,
    tokens: Vec<UrlToken>,
}

impl Writer {
    /// Appends the text at `span`, which is between two URLs, unchanged.
    fn push_prose(&mut self, text: &str, span: Span) {
        self.text.push_str(&text[span.range()]);
        self.map.push_copied(span.start, span.len());
    }

    /// Appends the host and path of a URL, and adds the tokens for the whole URL and its host.
    fn push_url(&mut self, found: &Candidate<'_>, urls: &Urls) {
        let (url, map) = (found.url_lossy(), found.span_map());
        let Parts { host, path } = Parts::split(&url, found.form());
        self.push_blank(found.span().start);
        let at = self.text.len();
        let own = |text, Span { start, end }: Span| {
            let token = Token { offset_from: start, offset_to: end, text, ..Token::default() };
            UrlToken { at, token }
        };
        self.tokens.push(own(urls.url_key(&url), found.span()));
        if let Some(host) = host {
            self.push_decoded_part(&url, host, &map);
            let name = Urls::host_key(&self.text[at..]);
            // A host of a single word is already indexed as this word.
            if !name.chars().all(char::is_alphanumeric) {
                self.tokens.push(own(name, map.to_source(host)));
            }
            self.push_blank(map.to_source(host).end);
        }
        self.push_decoded_part(&url, path, &map);
        self.push_blank(map.to_source(path).end);
    }

    /// Appends the part of `url` at the span `part`, with escapes decoded. `map` maps offsets in
    /// the URL to offsets in the original text.
    fn push_decoded_part(&mut self, url: &str, part: Span, map: &SpanMap) {
        let mut at = part.start;
        if map.is_verbatim(part) && !url[part.range()].contains('%') {
            self.text.push_str(&url[part.range()]);
            self.map.push_copied(map.to_source(part).start, part.len());
            at = part.end;
        }
        while let Some((character, len)) = decode_first_char(&url[at..part.end]) {
            let source = map.to_source(Span::new(at, at + len));
            if source.len() == character.len_utf8() {
                self.map.push_copied(source.start, source.len());
            } else {
                self.map.push_replaced(source, character.len_utf8());
            }
            self.text.push(character);
            at += len;
        }
    }

    /// Appends a space, and maps it to the empty span at offset `at` of the original text.
    fn push_blank(&mut self, at: usize) {
        self.text.push(' ');
        self.map.push_replaced(Span::new(at, at), 1);
    }
}

/// The host and path of a URL, whose words are indexed.
struct Parts {
    host: Option<Span>,
    path: Span,
}

impl Parts {
    /// Finds the host and path of a URL, which need not be valid. `form` is the form in which the
    /// URL was found.
    fn split(url: &str, form: Form) -> Self {
        let Outline { scheme, host, port, .. } = match form {
            Form::Schemeless => Outline::default(),
            _ => outline(url.as_bytes()),
        };
        let before_path = scheme.map_or(0, |span| span.end + 1);
        let start = port.or(host).map_or(before_path, |span| span.end);
        let len = url[start..].find(['?', '#']).unwrap_or(url.len() - start);
        Self { host, path: Span::new(start, start + len) }
    }
}

/// Returns the first character of `part`, decoded if it is percent-encoded, and its length in
/// `part` in bytes. Returns `None` if `part` is empty.
fn decode_first_char(part: &str) -> Option<(char, usize)> {
    let plain = part.chars().next()?;
    let escaped = |len: usize| {
        let octets = decode_escapes(part.as_bytes().get(..len)?);
        let mut characters = str::from_utf8(&octets).ok()?.chars();
        // The decoded text is a third as long only if all bytes are escaped.
        (octets.len() * 3 == len).then_some((characters.next()?, len))
    };
    let decoded = (plain == '%').then(|| [3, 6, 9, 12].into_iter().find_map(escaped)).flatten();
    Some(decoded.unwrap_or((plain, plain.len_utf8())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded_as_characters() {
        let decoded = |part: &str| decode_first_char(part).unwrap();
        assert_eq!(decoded("a%41"), ('a', 1));
        assert_eq!(decoded("%41b"), ('A', 3));
        assert_eq!(decoded("%C3%A9t%C3%A9"), ('é', 6));
        assert_eq!(decoded("%E6%97%A5"), ('日', 9));
        assert_eq!(decoded("%E9t%E9"), ('%', 1));
        assert_eq!(decoded("%4"), ('%', 1));
        assert_eq!(decoded("é"), ('é', 2));
        assert_eq!(decode_first_char(""), None);
    }

    #[test]
    fn host_and_path_are_split_from_the_rest() {
        let parts = |url: &str, form| {
            let Parts { host, path } = Parts::split(url, form);
            (host.map(|span| url[span.range()].to_owned()), url[path.range()].to_owned())
        };
        let host = Some("h.dom".to_owned());
        for (url, path) in [
            ("http://h.dom", ""),
            ("http://h.dom?q", ""),
            ("ftp://joe:a?b@h.dom:21/a/b;type=i", "/a/b;type=i"),
            ("http://joe@h.dom:/a?b/c#d", "/a"),
            ("http://h.dom#a?b", ""),
        ] {
            assert_eq!(parts(url, Form::Bare), (host.clone(), path.to_owned()), "{url}");
        }
        assert_eq!(parts("mailto:joe@h.dom?subject=a", Form::Bare), (None, "joe@h.dom".to_owned()));
        assert_eq!(parts("h.dom:80/a?b", Form::Schemeless), (None, "h.dom:80/a".to_owned()));
    }
}
