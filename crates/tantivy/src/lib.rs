//! A token filter for [tantivy](https://docs.rs/tantivy) that finds URLs in text, including URLs
//! that are wrapped, quoted or broken across lines.
//!
//! Add the filter [`Urls`] last to an analyzer, after any tokenizer and its filters. They still
//! tokenize all other text. For each URL, the index contains these tokens:
//!
//! | token | for `HTTP://www.Host.dom:80/%7Ejoe/a.html` | finds |
//! |---|---|---|
//! | the URL in its normal form | `http://www.host.dom/~joe/a.html` | this URL, however it is spelled |
//! | the host in lower case, with A-labels | `www.host.dom` | URLs of this host, and of no other |
//! | the words of host and path | `www` `host` `dom` `joe` `a` `html` | URLs by phrases: `"host.dom"`, `"joe/a.html"` |
//!
//! The words are the tokens of the inner tokenizer for the host and path, with escapes decoded and
//! line breaks removed. They have consecutive positions. The tokens for the URL and the host have
//! the position of the first word. The other parts of a URL (scheme, user, password, port, query,
//! fragment) yield no words. All offsets refer to the original text, so the snippet of a broken URL
//! contains its line break.
//!
//! ```
//! use tantivy::tokenizer::{LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer};
//! use urlsift_tantivy::Urls;
//!
//! let mut analyzer = TextAnalyzer::builder(SimpleTokenizer::default())
//!     .filter(RemoveLongFilter::limit(40))
//!     .filter(LowerCaser)
//!     .filter(Urls::default()) // last, so that URLs are neither too long nor put in lower case
//!     .build();
//! let text = "> Read <http://www.host.dom/minu\n> tes> now";
//! let mut tokens = Vec::new();
//! analyzer.token_stream(text).process(&mut |token| {
//!     tokens.push((token.position, token.text.clone(), &text[token.offset_from..token.offset_to]));
//! });
//! let expected = [
//!     (0, "read", "Read"),
//!     (1, "http://www.host.dom/minutes", "http://www.host.dom/minu\n> tes"),
//!     (1, "www.host.dom", "www.host.dom"),
//!     (1, "www", "www"),
//!     (2, "host", "host"),
//!     (3, "dom", "dom"),
//!     (4, "minutes", "minu\n> tes"),
//!     (5, "now", "now"),
//! ];
//! assert!(tokens.iter().map(|(at, text, raw)| (*at, text.as_str(), *raw)).eq(expected));
//! ```
//!
//! A query that is tokenized by the same analyzer yields the same tokens, so
//! `"http://www.host.dom/minutes"` in quotation marks finds the URL, and `"www.host.dom"` its host.
//! [`Urls::url_key`] returns the term of a URL for a single-term query. It is the same for every
//! spelling of the URL.

mod filter;
mod rewritten;
mod stream;
mod urls;

pub use crate::filter::UrlTokenizer;
pub use crate::stream::UrlTokenStream;
pub use crate::urls::Urls;

/// The examples of the README, which are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The tutorial of the documentation site, which is run as a test. The file is a symbolic link, of
/// which the package has a copy.
#[cfg(doctest)]
#[doc = include_str!("../tutorial.md")]
struct Tutorial;
