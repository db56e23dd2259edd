//! The filter, and the tokenizer that it makes of another one.

use crate::rewritten::Rewritten;
use crate::stream::UrlTokenStream;
use crate::urls::Urls;
use tantivy_tokenizer_api::{TokenFilter, Tokenizer};

impl TokenFilter for Urls {
    type Tokenizer<T: Tokenizer> = UrlTokenizer<T>;

    fn transform<T: Tokenizer>(self, tokenizer: T) -> UrlTokenizer<T> {
        UrlTokenizer { urls: self, inner: tokenizer, rewritten: None }
    }
}

/// Finds URLs, and leaves the rest of a text to the tokenizer `T`. [`Urls`] makes it.
#[derive(Clone, Debug)]
pub struct UrlTokenizer<T> {
    urls: Urls,
    inner: T,
    /// What the inner tokenizer is reading, if it is not the text as given.
    rewritten: Option<Rewritten>,
}

impl<T: Tokenizer> Tokenizer for UrlTokenizer<T> {
    type TokenStream<'a> = UrlTokenStream<'a, T::TokenStream<'a>>;

    /// The whole text is searched for URLs at once, in linear time; if there are any, it is copied.
    fn token_stream<'a>(&'a mut self, text: &'a str) -> Self::TokenStream<'a> {
        self.rewritten = Rewritten::of(text, &self.urls);
        match &mut self.rewritten {
            None => UrlTokenStream::new(self.inner.token_stream(text), None, &mut []),
            Some(Rewritten { text, map, tokens }) => {
                UrlTokenStream::new(self.inner.token_stream(text), Some(map), tokens)
            }
        }
    }
}
