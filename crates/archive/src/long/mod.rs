//! Reads messages, web archive records and pages piece by piece, if they are too long to be in
//! memory as a whole.
//!
//! Only bodies are long. So one pass finds the outline of the message, that is, its headers and
//! delimiters, and keeps it in memory. Then the message is walked once for each piece, with the
//! whole outline, but only that piece of the bodies and some context around it. A body that is
//! longer than a piece is cut at offsets from which its encoding can be decoded.
//!
//! The matches in a piece are the same as in a walk through the whole message, with these
//! exceptions:
//!
//! - An HTML tag, or a block that isn't text (uuencode, PGP), of which more than [`Sizes::context`]
//!   is in another piece; markup in a page (a tag, a script) that is never closed; a `<base>`
//!   outside the page's first piece; and hints from the text around a URL, if there is more markup
//!   than that in between.
//! - A message or multipart body that is itself encoded, and a digest in plain text: their parts
//!   are recognized only within a piece.
//! - The charset and encoding that were decoded, which are reported as they are found in the piece.

mod cuts;
mod outline;
mod web;

pub use self::web::{Overlong, overlong_kind};
pub use crate::message::MAX_WHOLE_LEN;
pub use crate::web::{has_complete_first_record, next_record_start};

use self::outline::{Leaf, Outliner};
use crate::Container;
use crate::content::{Content, MediaType};
use crate::decode::derived::Decoded;
use crate::document::Document;
use crate::head::Head;
use crate::html;
use crate::options::Options;
use crate::sequences::MessageStart;
use crate::walk::{
    self, LongPage, LongPiece, LongRecord, PageState, Tally, page_documents, piece_documents,
    record_documents,
};
use core::ops::{ControlFlow, Range};
use memchr::memchr;
use urlsift_core::{MapBuilder, Span};

/// The maximum length of a message or page that is parsed, in bytes. Longer ones are scanned as raw
/// text.
pub const MAX_PARSED_LEN: u64 = 8 << 30;

/// True if long messages in the container can be read piece by piece. If the whole container is one
/// message or page, this applies to that message or page.
///
/// ```
/// use urlsift_archive::Container;
/// use urlsift_archive::long::can_read_in_pieces;
/// assert!(can_read_in_pieces(Container::Mbox) && can_read_in_pieces(Container::Html) && !can_read_in_pieces(Container::Utf16));
/// ```
pub fn can_read_in_pieces(container: Container) -> bool {
    is_mailbox(container) || is_single_message(container) || container.sequence_format().is_some()
}

/// True if the container is a single message or page.
///
/// ```
/// use urlsift_archive::Container;
/// use urlsift_archive::long::is_single_message;
/// assert!(is_single_message(Container::Message) && is_single_message(Container::Html) && !is_single_message(Container::Mbox));
/// ```
pub const fn is_single_message(container: Container) -> bool {
    matches!(container, Container::Message | Container::Html)
}

/// True if the messages in the container start after `From ` lines.
const fn is_mailbox(container: Container) -> bool {
    matches!(container, Container::Mbox | Container::Mboxcl)
}

/// Returns the offsets of the message and of its header in `bytes`. The container may have other
/// lines before them, such as a `From ` line. Returns `None` if more bytes are needed. `is_last` is
/// true if no more bytes follow.
fn message_and_header_start(
    container: Container,
    bytes: &[u8],
    is_last: bool,
) -> Option<(usize, usize)> {
    let MessageStart { start, header, otherwise } =
        if let Some(sequence) = container.sequence_format() {
            (sequence.message_start)(bytes)
        } else {
            let line = memchr(b'\n', bytes).map(|end| end + 1);
            let has_envelope = is_mailbox(container) && bytes.starts_with(b"From ");
            let header = if has_envelope { line } else { Some(0) };
            MessageStart { start: 0, header, otherwise: bytes.len() }
        };
    if header.is_none() && !is_last && bytes.len() < MAX_ENVELOPE_LEN {
        return None;
    }
    Some((start, header.unwrap_or(otherwise)))
}

/// The sizes of the pieces in which a long message is read, in bytes.
///
/// ```
/// use urlsift_archive::long::Sizes;
/// let sizes = Sizes::default();
/// assert!(sizes.context < sizes.piece && sizes.piece <= sizes.whole);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Sizes {
    /// The length of a piece, in bytes.
    pub piece: u64,
    /// The maximum length of a body that is not cut.
    pub whole: u64,
    /// The length of the context that is read before and after a piece of a body.
    pub context: u64,
    /// The maximum length that is read of a record whose body is compressed or chunked, so that it
    /// can only be read from its start.
    pub coded: u64,
}

impl Default for Sizes {
    fn default() -> Self {
        Self::new(8 << 20, 8 << 20, 1 << 20)
    }
}

impl Sizes {
    /// Returns the sizes with these values for the fields. Tests pass small values, so that short
    /// messages are cut, too.
    pub fn new(piece: u64, whole: u64, context: u64) -> Self {
        Self { piece, whole, context, coded: MAX_WHOLE_LEN }
    }
}

/// The number of possible cuts of a body per [`Sizes::context`] bytes.
const CUTS: u64 = 4;

/// The maximum length of the text before a message's header, in bytes.
const MAX_ENVELOPE_LEN: usize = 1 << 20;

/// A piece of a long message, with offsets in the message.
///
/// Only matches that start in `range` belong to the piece.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// The range of the piece. Together the ranges cover the message.
    pub range: Range<u64>,
    /// The range of the bytes to pass to [`LongMessage::documents`].
    pub context: Range<u64>,
    /// The index of the body that the piece is cut from; `None` if the piece contains whole bodies.
    leaf: Option<usize>,
    /// The start of the context of the next piece, and the start of that piece itself. `None` if
    /// the next piece is not from the same body.
    next: Option<(u64, u64)>,
    /// True if the piece is not scanned.
    is_skipped: bool,
}

/// The kind of item that is read piece by piece: a message, a web archive record or a page.
#[derive(Debug)]
enum Kind {
    Message(walk::LongMessage),
    Record(LongRecord),
    Page(LongPage),
}

/// A reader that reads a long message piece by piece: see [the module](self).
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::long::{LongMessage, Sizes};
/// use urlsift_archive::{Container, Options};
///
/// let line = "http://host.dom/ and so on\n";
/// let raw = format!("Subject: long\n\n{}", line.repeat(1000)).into_bytes();
/// let (options, sizes) = (Options::default(), Sizes::new(4000, 8000, 1000));
/// let mut message = LongMessage::new(Container::Message, raw.len() as u64, &options, sizes);
/// // The message can be passed in chunks of any length.
/// assert_eq!(message.push(&raw, true), raw.len());
/// let mut found = 0;
/// for piece in message.pieces() {
///     let (from, to) = (piece.context.start as usize, piece.context.end as usize);
///     message.documents(&piece, &raw[from..to], 0, &options, &mut |document| {
///         for at in memchr::memmem::find_iter(document.text, "http://") {
///             let start = document.to_unit_span(urlsift_core::Span::new(at, at + 1)).start as u64;
///             found += usize::from(piece.range.contains(&start));
///         }
///         ControlFlow::Continue(())
///     });
/// }
/// assert_eq!(found, 1000);
/// ```
#[derive(Debug)]
pub struct LongMessage {
    outline: Outliner,
    len: u64,
    sizes: Sizes,
    /// The item that is read; `None` until the start of the message was read.
    kind: Option<Kind>,
    container: Container,
    options: Options,
    /// The state of the current page after the pieces so far.
    page: PageState,
    /// A buffer that is reused for the next piece.
    spare: Vec<u8>,
}

impl LongMessage {
    /// Returns a reader for a message of `len` bytes in `container`.
    pub fn new(container: Container, len: u64, options: &Options, sizes: Sizes) -> Self {
        let step = (sizes.context / CUTS).max(1);
        let mut outline = Outliner::new(options, step);
        if len > MAX_PARSED_LEN {
            outline.treat_rest_as_text();
        }
        let (kind, page, spare) = (None, PageState::default(), Vec::new());
        Self { outline, len, sizes, kind, container, options: *options, page, spare }
    }

    /// True if the message is too long to be parsed.
    pub fn is_too_long(&self) -> bool {
        self.len > MAX_PARSED_LEN
    }

    /// Reads the next bytes of the message. `is_last` is true if no more bytes follow.
    ///
    /// Returns the number of bytes read. In the next call, pass the unread rest of `bytes` again,
    /// with more bytes after it. The rest has at most about 1 MiB. All calls together take linear
    /// time.
    pub fn push(&mut self, bytes: &[u8], is_last: bool) -> usize {
        let mut skip = 0;
        if let (None, Container::Web(format)) = (&self.kind, self.container) {
            let (record, content) = web::describe_long_record(format, bytes, &self.options);
            skip = record.body;
            self.outline.read_envelope(bytes.get(..skip).unwrap_or_default());
            self.outline.start_body(&content);
            self.kind = Some(Kind::Record(record));
        }
        if self.kind.is_none() && self.container == Container::Html {
            if bytes.len() < Head::LEN && !is_last {
                return 0;
            }
            let is_raw = self.is_too_long();
            self.kind = Some(Kind::Page(LongPage::new(bytes, is_raw)));
            let label = if is_raw { None } else { html::declared_charset(bytes) };
            let charset = walk::charset_label(label.unwrap_or_default(), &self.options);
            let content = Content { kind: MediaType::Html, charset, ..Content::default() };
            self.outline.start_body(&content);
        }
        if self.kind.is_none() {
            let Some((start, header)) = message_and_header_start(self.container, bytes, is_last)
            else {
                return 0;
            };
            self.outline.read_envelope(bytes.get(..header).unwrap_or_default());
            let (is_quoted, is_raw) = (is_mailbox(self.container), self.is_too_long());
            let message = walk::LongMessage { start, header, is_quoted, is_raw };
            self.kind = Some(Kind::Message(message));
            skip = header;
        }
        skip + self.outline.push(bytes.get(skip..).unwrap_or_default(), is_last)
    }

    /// Returns the pieces of the message, in order. Call this after the whole message was read.
    pub fn pieces(&self) -> Vec<Piece> {
        let Sizes { piece, whole, context, coded } = self.sizes;
        if let Some(Kind::Record(record)) = &self.kind
            && (record.is_encoded || record.kind.is_none())
        {
            return self.first_piece_and_skipped_rest(if record.is_encoded { coded } else { 0 });
        }
        let mut pieces = Vec::new();
        let mut start = 0;
        let mut end_at = |start: &mut u64, end: u64| {
            if *start < end {
                pieces.push(Piece {
                    range: *start..end,
                    context: *start..end,
                    leaf: None,
                    next: None,
                    is_skipped: false,
                });
                *start = end;
            }
        };
        let mut cut = Vec::<Piece>::new();
        for (index, leaf) in self.outline.leaves.iter().enumerate() {
            if leaf.end - leaf.start <= whole {
                if leaf.end - start >= piece {
                    end_at(&mut start, leaf.end);
                }
                continue;
            }
            end_at(&mut start, leaf.start);
            while start < leaf.end {
                let end = leaf.first_cut_at_or_after(start + piece);
                // The rest would be too short for a piece.
                let end = if leaf.end - end < context { leaf.end } else { end };
                let before = leaf.last_cut_at_or_before(start.saturating_sub(context));
                let after = leaf.first_cut_at_or_after(end + context);
                if let Some(last) = cut.last_mut().filter(|last| last.leaf == Some(index)) {
                    last.next = Some((before, start));
                }
                let (range, context) = (start..end, before..after);
                let leaf = Some(index);
                cut.push(Piece { range, context, leaf, next: None, is_skipped: false });
                start = end;
            }
        }
        end_at(&mut start, self.len);
        pieces.append(&mut cut);
        pieces.sort_by_key(|piece| piece.range.start);
        pieces
    }

    /// Returns a piece with the first `first_len` bytes, if `first_len` is not 0, and then pieces
    /// for the rest of the message. Only the pieces of the rest are marked as skipped.
    fn first_piece_and_skipped_rest(&self, first_len: u64) -> Vec<Piece> {
        let (mut pieces, mut start) = (Vec::new(), 0);
        while start < self.len {
            let is_skipped = start >= first_len;
            let len = if is_skipped { self.sizes.piece } else { first_len };
            let range = start..self.len.min(start + len);
            start = range.end;
            let context = range.clone();
            pieces.push(Piece { range, context, leaf: None, next: None, is_skipped });
        }
        pieces
    }

    /// Passes the documents of a piece to `sink`, like [`documents`](crate::documents) for a whole
    /// message. `bytes` are the bytes of the piece's context, and `base` is the offset of the
    /// message in the file. Call this for all pieces, in order. In these documents, the number of
    /// the message is its offset, because the number of earlier messages is unknown.
    pub fn documents(
        &mut self,
        piece: &Piece,
        bytes: &[u8],
        base: u64,
        options: &Options,
        sink: &mut dyn FnMut(&Document<'_>) -> ControlFlow<()>,
    ) -> Tally {
        if piece.is_skipped {
            return Tally::default();
        }
        let mut text = self.text_with_fillers(&piece.context, bytes);
        let leaf = piece.leaf.and_then(|leaf| self.outline.leaves.get(leaf));
        let mut long = LongPiece {
            cut: leaf.map(|leaf| to_usize(leaf.start)),
            is_resumed: leaf.is_some_and(|leaf| leaf.start < piece.context.start),
            next: piece.next.map(|(from, start)| (to_usize(from), to_usize(start))),
            is_last: piece.range.end >= self.len,
            page: core::mem::take(&mut self.page),
            is_in_cut: false,
        };
        let tally = match &self.kind {
            Some(Kind::Message(message)) => {
                piece_documents(&text, *message, base, options, &mut long, sink)
            }
            Some(Kind::Record(record)) => {
                if record.is_encoded {
                    // The filler for the rest would be read as part of it.
                    text.text.truncate(bytes.len());
                }
                record_documents(&text, record, base, options, &mut long, sink)
            }
            Some(Kind::Page(page)) => page_documents(&text, page, base, options, &mut long, sink),
            None => Tally::default(),
        };
        self.page = long.page;
        self.spare = text.text;
        tally
    }

    /// Returns a text that consists of the headers and delimiters of the message, and the bodies in
    /// `context`, whose bytes are `context_bytes`. Blank lines replace the other bodies.
    fn text_with_fillers(&mut self, context: &Range<u64>, context_bytes: &[u8]) -> Decoded {
        let mut out = Elided { text: core::mem::take(&mut self.spare), map: MapBuilder::new() };
        out.text.clear();
        let (mut frame, mut at) = (&self.outline.frame[..], 0);
        for leaf in &self.outline.leaves {
            let (before, after) = frame.split_at(to_usize(leaf.start - at).min(frame.len()));
            out.push_bytes(before, at);
            (frame, at) = (after, leaf.end);
            out.push_leaf(leaf, context, context_bytes);
        }
        out.push_bytes(frame, at);
        Decoded { text: out.text, map: out.map.finish() }
    }
}

impl Leaf {
    /// Returns the first possible cut at or after offset `at`, or the end of the body if there is
    /// none.
    fn first_cut_at_or_after(&self, at: u64) -> u64 {
        let next = self.cuts.partition_point(|&cut| cut < at);
        self.cuts.get(next).copied().unwrap_or(self.end)
    }

    /// Returns the last possible cut at or before offset `at`, or the start of the body if there is
    /// none.
    fn last_cut_at_or_before(&self, at: u64) -> u64 {
        let next = self.cuts.partition_point(|&cut| cut <= at);
        next.checked_sub(1).map_or(self.start, |last| self.cuts[last])
    }
}

/// Converts an offset or length to `usize`. If it doesn't fit, returns `usize::MAX`.
fn to_usize(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// The filler for a body that is left out: a blank line, which has no meaning in any encoding. It
/// has two bytes for charsets with two bytes per character.
const FILLER: &[u8] = b"\n\n";

/// A builder for a copy of a message in which some bodies are replaced by a short filler.
struct Elided {
    text: Vec<u8>,
    map: MapBuilder,
}

impl Elided {
    /// Appends bytes that are at offset `at` of the message.
    fn push_bytes(&mut self, bytes: &[u8], at: u64) {
        self.text.extend_from_slice(bytes);
        self.map.push_copied(to_usize(at), bytes.len());
    }

    /// Appends a filler that replaces `range` of the message, if the range is not empty.
    fn push_filler(&mut self, range: Range<u64>) {
        if range.start < range.end {
            self.text.extend_from_slice(FILLER);
            self.map
                .push_replaced(Span::new(to_usize(range.start), to_usize(range.end)), FILLER.len());
        }
    }

    /// Appends the part of a body that is in `context`, and fillers for the rest.
    fn push_leaf(&mut self, leaf: &Leaf, context: &Range<u64>, bytes: &[u8]) {
        let (start, end) = (leaf.start.max(context.start), leaf.end.min(context.end));
        if start >= end {
            return self.push_filler(leaf.start..leaf.end);
        }
        let mut from = leaf.start;
        if from < start {
            // The context may start within the part of the start that is needed.
            let len = leaf.head.len().min(to_usize(start - from));
            self.push_bytes(leaf.head.get(..len).unwrap_or_default(), from);
            from += len as u64;
        }
        self.push_filler(from..start);
        let (first, last) = (to_usize(start - context.start), to_usize(end - context.start));
        self.push_bytes(bytes.get(first..last).unwrap_or_default(), start);
        self.push_filler(end..leaf.end);
    }
}
