//! Parses, validates and normalizes URLs.
//!
//! This crate handles one URL at a time. It supports the grammar of RFC 1738, corrected where it
//! contradicts itself (profile [`Profile::Rfc1738`]), the 1994 CERN draft ([`Profile::Cern1994`]),
//! RFC 3986 with today's scheme documents ([`Profile::Rfc3986`]), and a profile of URLs that still
//! work in practice ([`Profile::Web`], the default). It does not find URLs in text, files or mail.
//!
//! | task | function |
//! |---|---|
//! | validate a URL and get its parts | [`parse()`] (no allocation, stops at the first violation) |
//! | validate a URL that may have a `#fragment` | [`parse_reference`] |
//! | list all violations and doubtful parts | [`diagnose()`] (accepts any text, never panics) |
//! | compare two spellings of a URL | [`normalize()`]; [`NormalForm`] ignores more differences, `Url::key` has A-labels in the host |
//! | resolve a relative reference | [`resolve()`] |
//! | store a parsed URL without a borrow | [`UrlBuf`] |
//! | get the host and password of a text that may be invalid | [`outline()`] |
//! | look up a scheme name in the IANA registry | [`registry::find_entry`] |
//!
//! Features, all off by default: `serde`, and `idna` for keys with internationalized hosts in
//! A-labels (`Url::key`, `host_key` and an option of [`NormalForm`]).
//!
//! Text is always `&[u8]`, conventionally UTF-8; offsets are byte offsets, 0-based, half-open.
//!
//! # Example
//!
//! ```
//! use urlsift_core::{Profile, parse};
//!
//! let url = parse(b"ftp://ftp.uu.net/doc/a.txt;type=a", Profile::Rfc1738).unwrap();
//! assert_eq!(url.scheme(), "ftp");
//!
//! let violation = parse(b"http://host.dom/~joe/", Profile::Rfc1738).unwrap_err();
//! assert_eq!(violation.code.name(), "char.unsafe");
//! assert_eq!(violation.span.start, 16);
//! ```
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod anatomy;
mod authority;
mod blocks;
mod bytes;
mod cern;
mod charset;
mod code;
mod collector;
mod diagnose;
mod error_site;
mod escape;
mod fast;
mod fault;
mod findings;
mod form;
pub mod grammar;
mod host;
mod host_name;
mod iri;
#[cfg(feature = "idna")]
mod key;
mod layout;
mod level;
mod login;
mod map;
mod meaning;
mod named;
mod normal_form;
mod normalize;
mod outline;
mod packed;
mod parse;
mod parts;
mod profile;
mod reading;
pub mod registry;
mod report;
mod resolve;
mod rewrite;
mod rewriters;
mod scheme;
mod schemes;
mod secrets;
mod simd;
mod span;
mod url;
mod url_buf;
mod value;

pub use crate::anatomy::Anatomy;
pub use crate::authority::{AuthorityParts, authority_end, split_authority};
pub use crate::blocks::any_byte;
pub use crate::charset::Charset;
pub use crate::code::Code;
pub use crate::diagnose::{diagnose, diagnose_normalized, diagnose_parsed, diagnose_url};
pub use crate::escape::{decode_escapes, percent_encode};
pub use crate::host::Host;
#[cfg(feature = "idna")]
pub use crate::key::{diagnose_with_key, host_key};
pub use crate::layout::{Break, BreakKind, Breaks};
pub use crate::level::Level;
pub use crate::map::{MapBuilder, Pieces, SpanMap};
pub use crate::named::UnknownName;
pub use crate::normal_form::{NORMAL_FORM_VERSION, NormalForm};
pub use crate::normalize::normalize;
pub use crate::outline::{Outline, outline};
pub use crate::parse::{parse, parse_reference, viable_prefix_len};
pub use crate::profile::Profile;
pub use crate::report::{Report, Violation};
pub use crate::resolve::resolve;
pub use crate::rewriters::rewritten_target;
pub use crate::scheme::{Scheme, SchemePart};
pub use crate::secrets::{
    Secrets, blocks::SecretBlocks, mask_spans, mask_spans_in, masked, merge_spans,
    secrets_in_context, token_spans,
};
pub use crate::span::{FileSpan, Span};
pub use crate::url::Url;
pub use crate::url_buf::UrlBuf;
pub use crate::value::{Fields, Value};

/// The README, whose examples are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
