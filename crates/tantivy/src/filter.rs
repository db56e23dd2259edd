//! The token filter, and the tokenizer that it creates.

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

/// A tokenizer that finds URLs and passes all other text to the tokenizer `T`. The token filter
/// [`Urls`] creates it.
#[derive(Clone, Debug)]
pub struct UrlTokenizer<T> {
    urls: Urls,
    inner: T,
    /// The text that the inner tokenizer reads; `None` if it reads the original text.
    rewritten: Option<Rewritten>,
}

impl<T: Tokenizer> Tokenizer for UrlTokenizer<T> {
    type TokenStream<'a> = UrlTokenStream<'a, T::TokenStream<'a>>;

    /// Returns the tokens of a text, including those of its URLs. First finds all URLs of the text,
    /// in linear time. Copies the text if it contains URLs.
    fn token_stream<'a>(&'a mut self, text: &'a str) -> Self::TokenStream<'a> {
        self.rewritten = Rewritten::from_text(text, &self.urls);
        match &mut self.rewritten {
            None => UrlTokenStream::new(self.inner.token_stream(text), None, &mut []),
            Some(Rewritten { text, map, tokens }) => {
                UrlTokenStream::new(self.inner.token_stream(text), Some(map), tokens)
            }
        }
    }
}
