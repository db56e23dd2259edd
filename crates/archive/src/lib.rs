//! Finds the text in files.
//!
//! This crate unpacks mail archives, news spools and the parts of their messages into
//! [`Document`]s: texts to scan, each with a map from its offsets to the bytes of the raw file. The
//! crate doesn't know what a URL is. It opens no files, starts no threads and reads no clock.
//!
//! | you have | call |
//! |---|---|
//! | the first bytes of a file, its [`Head`] | [`detect()`], which returns its [`Container`] |
//! | a whole file, or a unit of one | [`documents()`] |
//! | a big mailbox and several cores | [`split`] |
//! | a stream of messages | [`safe_cut`] |
//! | a packed file | [`unpack`] |
//! | a program or a dump | [`find_utf16_strings()`], which finds strings that a scan of bytes misses |
//! | a record, to be checked against the file | [`redecode()`] |
//!
//! A body in a 7-bit or 8-bit encoding, in any charset that contains US-ASCII, is scanned in place,
//! without a copy. Quoted-printable, base64 and charsets in which ASCII bytes have another meaning
//! are decoded, and HTML is parsed. Each step builds a map. Broken mail is scanned as raw text, so
//! you get everything that a plain scan of the file would find.
//!
//! # Example
//!
//! ```
//! use std::ops::ControlFlow;
//! use urlsift_archive::{Head, Layer, Options, Reading, detect, documents};
//! use urlsift_core::{FileSpan, Span};
//!
//! let raw = b"From: joe@host.dom\nDate: Thu, 1 Dec 1994 10:00:00 +0100\nMessage-ID: <1@host.dom>\n\
//!             Content-Transfer-Encoding: quoted-printable\n\nhttp://h=\nost.dom/?a=3Db\n";
//! let container = detect(Head::of(raw), None, Reading::Auto);
//! documents(raw, container, 0, &Options::default(), &mut |document| {
//!     assert_eq!(&document.text[..19], b"http://host.dom/?a=");
//!     // The soft break and the escape lie within the raw span.
//!     let found = Span::new(0, 20);
//!     assert_eq!(document.to_file_span(found), FileSpan { start: 126, end: 150 });
//!     assert_eq!(document.layers(found).decoded, [Layer::QuotedPrintable]);
//!     let message = document.origin.message.unwrap();
//!     assert_eq!(message.id(), Some(&b"<1@host.dom>"[..]));
//!     assert_eq!(message.date().utc.unwrap().to_string(), "1994-12-01T09:00:00Z");
//!     ControlFlow::Continue(())
//! });
//! ```

mod attribution;
mod container;
mod content;
mod date;
mod decode;
mod detect;
mod dialect;
mod digest;
mod document;
mod encoding;
mod ending;
mod field_names;
mod footer;
mod guessed;
mod head;
mod header;
mod html;
mod hypermail;
mod json_record;
mod limit;
pub mod long;
mod lower_case;
mod markup;
mod mbox;
mod message;
mod mhonarc;
mod name;
mod notation;
mod opaque;
mod options;
mod outlook;
mod page;
#[cfg(feature = "pdf")]
mod pdf;
mod pipermail;
mod pipermail_page;
mod redecode;
mod sequences;
mod simd;
mod stream;
pub mod unpack;
mod utc;
mod utf16_strings;
mod walk;
mod web;

pub use crate::attribution::is_in_attribution;
pub use crate::container::Container;
pub use crate::decode::charset::utf16_mark_is_big_endian;
pub use crate::decode::layer::Layer;
pub use crate::detect::{detect, detect_early};
pub use crate::dialect::Dialect;
pub use crate::document::{Document, DocumentKind, Layers, Origin};
pub use crate::encoding::Encoding;
pub use crate::ending::Ending;
pub use crate::field_names::is_field_for_urls;
pub use crate::guessed::GuessedText;
pub use crate::head::Head;
pub use crate::html::{SourcePart, decode_attribute, link_text, source_parts};
pub use crate::json_record::{JsonFieldName, JsonFields};
pub use crate::limit::{Limit, LimitCounts};
pub use crate::markup::{
    Anchor, Definition, Outline, Reference, ReferenceForm, Region, RegionKind, anchors,
    decode_region_text, markup_regions, normalized_label, outline,
};
pub use crate::message::{Date, DateSource, Message, Provenance, parse_address};
pub use crate::notation::Notation;
pub use crate::notation::jupyter::{Cell, notebook_cells};
pub use crate::options::{Headers, Options, Reading};
pub use crate::redecode::redecode;
pub use crate::stream::{LOOK_BEHIND, long_cut, next_message_start, safe_cut, split};
pub use crate::utc::Utc;
pub use crate::utf16_strings::{Utf16Marks, Utf16String, find_utf16_strings};
pub use crate::walk::{Tally, documents};
pub use crate::web::{WebFormat, WebPage, WebRecords};

/// The example of the README, which is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
