//! Tokens of the inner tokenizer, and between them those of whole URLs and hosts.

use crate::rewritten::Own;
use tantivy_tokenizer_api::{Token, TokenStream};
use urlsift_core::{Span, SpanMap};

/// The tokens of a text in which URLs were looked for.
#[derive(Debug)]
pub struct UrlTokenStream<'a, S> {
    inner: S,
    /// From the text that the inner tokenizer reads to that which was given, if these are two.
    map: Option<&'a SpanMap>,
    /// The stretch of the one that tokens come from, and where it was copied from in the other: what most tokens need of the map.
    copied: (Span, Span),
    own: &'a mut [Own],
    /// How many of `own` were told.
    told: usize,
    /// Whether the token at hand is the last one told of these.
    is_own: bool,
    inner_at: At,
    /// The position behind the last token.
    end: usize,
}

/// What is known of the inner tokenizer's token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// It was told.
    Told,
    /// It starts here, and is next when all before it were told.
    Waiting(usize),
    /// There are no more.
    End,
}

impl<'a, S: TokenStream> UrlTokenStream<'a, S> {
    pub(crate) fn new(inner: S, map: Option<&'a SpanMap>, own: &'a mut [Own]) -> Self {
        let copied = <(Span, Span)>::default();
        Self { inner, map, copied, own, told: 0, is_own: false, inner_at: At::Told, end: 0 }
    }

    /// Has the inner tokenizer make a token, with offsets in the text as given.
    fn read(&mut self, map: &SpanMap) {
        if !self.inner.advance() {
            self.inner_at = At::End;
            return;
        }
        let token = self.inner.token_mut();
        let Token { offset_from: start, offset_to: end, .. } = *token;
        self.inner_at = At::Waiting(start);
        if start < self.copied.0.start || end > self.copied.0.end {
            let stretch = map.pieces(Span::new(start, usize::MAX)).next();
            self.copied = stretch.unwrap_or_default();
        }
        let (read, given) = self.copied;
        let source = if read.start <= start && end <= read.end {
            Span::new(start - read.start + given.start, end - read.start + given.start)
        } else {
            map.source(Span::new(start, end))
        };
        (token.offset_from, token.offset_to) = (source.start, source.end);
    }
}

impl<S: TokenStream> TokenStream for UrlTokenStream<'_, S> {
    #[inline]
    fn advance(&mut self) -> bool {
        let Some(map) = self.map else { return self.inner.advance() };
        if self.inner_at == At::Told {
            self.read(map);
        }
        let (before, position) = match self.inner_at {
            At::Waiting(start) => (start, self.inner.token().position),
            _ => (usize::MAX, self.end),
        };
        let own = self.own.get_mut(self.told).filter(|own| own.at <= before);
        self.is_own = own.is_some();
        if let Some(own) = own {
            own.token.position = position;
            self.told += 1;
            return true;
        }
        if self.inner_at == At::End {
            return false;
        }
        self.inner_at = At::Told;
        self.end = position + 1;
        true
    }

    #[inline]
    fn token(&self) -> &Token {
        if self.is_own { &self.own[self.told - 1].token } else { self.inner.token() }
    }

    #[inline]
    fn token_mut(&mut self) -> &mut Token {
        if self.is_own { &mut self.own[self.told - 1].token } else { self.inner.token_mut() }
    }
}
