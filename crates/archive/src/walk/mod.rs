//! The walk through a file: finds the messages in a container, their parts, and the documents in
//! these.

mod body;
mod entity;
mod html;
mod json_lines;
mod long;
mod markup;
mod messages;
mod notation;
mod packed;
mod parts;
mod walker;
mod web;

pub(crate) use self::body::charset_label;
pub(crate) use self::entity::EntityHeader;
pub(crate) use self::long::{
    LongMessage, LongPage, LongRecord, page_documents, piece_documents, record_documents,
};
pub(crate) use self::parts::parse_delimiter;
pub use self::walker::Tally;
pub(crate) use self::walker::{LongPiece, PageState};
pub(crate) use self::web::{WebReading, readable_content};

use self::walker::{Stage, Walker};
use crate::container::Container;
use crate::content::{Content, PackedItem};
use crate::decode::maps::Maps;
use crate::document::{Document, DocumentKind};
use crate::mbox::MessageRange;
use crate::notation::Notation;
use crate::options::Options;
use core::ops::ControlFlow::{self, Continue};
use urlsift_core::Charset;

/// Passes every document of `raw` to `sink`, until `sink` returns `Break`.
///
/// `raw` is a file, or a range of one that starts at a message (see [`split`](crate::split) and
/// [`safe_cut`](crate::safe_cut)). `base` is the offset of `raw` in the file.
///
/// Documents are in file order: each starts after the end of the previous one, except within one
/// HTML page ([`Origin::page`](crate::Origin::page)). A page's text without its markup comes first,
/// then its attributes, comments and mentions in order. Texts in a markup language are the same:
/// their link destinations come after the rest of the text. To get all matches of a page in file
/// order, call [`Document::send_tags_before`] for each match in the text.
///
/// No input is an error: input that is malformed, nested too deeply or too long is passed on as raw
/// text. Takes time linear in the length of `raw`, times [`Options::max_depth`] at most, and memory
/// linear in the longest encoded part. A message in a 7-bit or 8-bit encoding and a superset of
/// US-ASCII is neither copied nor causes an allocation.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, documents};
///
/// let raw = b"From: joe@host.dom\nContent-Transfer-Encoding: quoted-printable\n\nx=3Dy\n";
/// let mut texts = Vec::new();
/// let tally = documents(raw, Container::Message, 0, &Options::default(), &mut |document| {
///     texts.push(document.text.to_vec());
///     ControlFlow::Continue(())
/// });
/// assert_eq!(texts, [b"x=y\n"]);
/// assert_eq!(tally.messages, 1);
/// ```
pub fn documents(
    raw: &[u8],
    container: Container,
    base: u64,
    options: &Options,
    sink: &mut dyn FnMut(&Document<'_>) -> ControlFlow<()>,
) -> Tally {
    let stage = Stage::for_unit(raw, Maps::identity());
    let mut walker = Walker::new(base, options, sink);
    let whole = stage.whole_range();
    let flow = match container.without_markup_if_too_long(raw.len() as u64, options) {
        Container::Text(dialect) => {
            walker.emit_document(&stage, whole, DocumentKind::Text(dialect), Charset::Utf8)
        }
        Container::Markup(dialect) => {
            walker.with_scannable_charset(&stage, whole, b"", |walker, stage, range, charset| {
                walker.emit_markup(stage, range, dialect, charset)
            })
        }
        Container::Html => {
            walker.walk_page_file(&stage, messages::rebuild_page_header(raw).as_deref())
        }
        Container::Encoded | Container::Defanged => {
            walker.emit_text(&stage, whole, &Content::default())
        }
        Container::Escaped(Notation::Json) if !options.json_fields.text.as_str().is_empty() => {
            walker.walk_json_lines(&stage, &options.json_fields)
        }
        Container::Escaped(notation) => walker.walk_notation(&stage, notation),
        Container::Utf16 => {
            let content = Content { charset: b"utf-16", ..Content::default() };
            walker.emit_text(&stage, whole, &content)
        }
        Container::Mbox | Container::Mboxcl => walker.walk_mailbox(&stage, container),
        Container::Message => {
            walker.walk_top_message(&stage, MessageRange { start: 0, header: 0, end: raw.len() })
        }
        Container::Web(format) => walker.walk_web_archive(&stage, format),
        Container::Index => Continue(()),
        Container::Tnef => walker.walk_packed_item(&stage, whole, PackedItem::Tnef),
        Container::Msg => walker.walk_packed_item(&stage, whole, PackedItem::Msg),
        Container::Pdf => walker.walk_packed_item(&stage, whole, PackedItem::Pdf),
        _ => container.sequence_format().map_or(Continue(()), |sequence| {
            walker.walk_sequence(&stage, (sequence.messages)(raw))
        }),
    };
    walker.tally.stopped = flow.is_break();
    walker.tally
}
