//! Merges the tokens of the inner tokenizer with the tokens for whole URLs and hosts.

use crate::rewritten::UrlToken;
use tantivy_tokenizer_api::{Token, TokenStream};
use urlsift_core::{Span, SpanMap};

/// The stream of tokens of a text, including the tokens for its URLs.
/// [`UrlTokenizer`](crate::UrlTokenizer) creates it.
#[derive(Debug)]
pub struct UrlTokenStream<'a, S> {
    inner: S,
    /// The map from offsets in the rewritten text to offsets in the original text. `None` if the
    /// inner tokenizer reads the original text.
    map: Option<&'a SpanMap>,
    /// A cache that saves most look-ups in the map: the copied piece that contained the last token,
    /// as its span in the rewritten text and in the original text.
    copied: (Span, Span),
    /// The tokens for whole URLs and hosts.
    own: &'a mut [UrlToken],
    /// The number of tokens of `own` that are already returned.
    returned: usize,
    /// True if the current token is the last one returned from `own`.
    is_own: bool,
    /// The state of the inner tokenizer's current token.
    inner_at: At,
    /// The position after the last token.
    end: usize,
}

/// The state of the inner tokenizer's current token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Already returned.
    Returned,
    /// Not yet returned. It starts at this offset in the rewritten text.
    Waiting(usize),
    /// The inner tokenizer has no more tokens.
    End,
}

impl<'a, S: TokenStream> UrlTokenStream<'a, S> {
    pub(crate) fn new(inner: S, map: Option<&'a SpanMap>, own: &'a mut [UrlToken]) -> Self {
        let copied = <(Span, Span)>::default();
        Self { inner, map, copied, own, returned: 0, is_own: false, inner_at: At::Returned, end: 0 }
    }

    /// Advances the inner tokenizer to its next token, and converts the token's offsets to the
    /// original text.
    fn advance_inner(&mut self, map: &SpanMap) {
        if !self.inner.advance() {
            self.inner_at = At::End;
            return;
        }
        let token = self.inner.token_mut();
        let Token { offset_from: start, offset_to: end, .. } = *token;
        self.inner_at = At::Waiting(start);
        if start < self.copied.0.start || end > self.copied.0.end {
            let stretch = map.copied_pieces(Span::new(start, usize::MAX)).next();
            self.copied = stretch.unwrap_or_default();
        }
        let (read, given) = self.copied;
        let source = if read.start <= start && end <= read.end {
            Span::new(start - read.start + given.start, end - read.start + given.start)
        } else {
            map.to_source(Span::new(start, end))
        };
        (token.offset_from, token.offset_to) = (source.start, source.end);
    }
}

impl<S: TokenStream> TokenStream for UrlTokenStream<'_, S> {
    #[inline]
    fn advance(&mut self) -> bool {
        let Some(map) = self.map else { return self.inner.advance() };
        if self.inner_at == At::Returned {
            self.advance_inner(map);
        }
        let (before, position) = match self.inner_at {
            At::Waiting(start) => (start, self.inner.token().position),
            _ => (usize::MAX, self.end),
        };
        let own = self.own.get_mut(self.returned).filter(|own| own.at <= before);
        self.is_own = own.is_some();
        if let Some(own) = own {
            own.token.position = position;
            self.returned += 1;
            return true;
        }
        if self.inner_at == At::End {
            return false;
        }
        self.inner_at = At::Returned;
        self.end = position + 1;
        true
    }

    #[inline]
    fn token(&self) -> &Token {
        if self.is_own { &self.own[self.returned - 1].token } else { self.inner.token() }
    }

    #[inline]
    fn token_mut(&mut self) -> &mut Token {
        if self.is_own { &mut self.own[self.returned - 1].token } else { self.inner.token_mut() }
    }
}
