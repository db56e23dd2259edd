//! The walk through one piece of a long message, HTML file or web archive record. Only that piece
//! and the headers that are needed to read it are in memory.

use super::messages::rebuild_page_header;
use super::walker::{Flow, LongPiece, Stage, Tally, Walker};
use crate::content::MediaType;
use crate::decode::derived::Decoded;
use crate::decode::maps::Maps;
use crate::document::{Document, Sink};
use crate::mbox::{self, MessageRange};
use crate::options::Options;
use crate::pipermail;
use crate::web::WebFormat;
use core::ops::Range;
use urlsift_core::Span;

/// The facts about a message too long for memory that are needed to read it piece by piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LongMessage {
    /// The offset of the message in the unit, after the line that separates it from the previous
    /// message.
    pub start: usize,
    /// The offset of the message's header, after the `From ` line.
    pub header: usize,
    /// True if the message is in a mailbox, where lines that begin with `From ` are quoted.
    pub is_quoted: bool,
    /// True if the message is too long to be parsed. It is then scanned as plain text.
    pub is_raw: bool,
}

/// The facts about an HTML file too long for memory that are needed to read it piece by piece.
#[derive(Clone, Debug)]
pub(crate) struct LongPage {
    /// The header of the message that the page shows; `None` if it shows no message.
    header: Option<Vec<u8>>,
    /// True if the page is too long to be parsed. It is then scanned as plain text.
    is_raw: bool,
}

impl LongPage {
    /// Determines the facts about a page from `start`, its first bytes. `is_raw` is true if the
    /// page is too long to be parsed.
    pub(crate) fn new(start: &[u8], is_raw: bool) -> Self {
        Self { header: rebuild_page_header(start), is_raw }
    }
}

/// The facts about a web archive record too long for memory that are needed to read it piece by
/// piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LongRecord {
    /// The format of the archive.
    pub format: WebFormat,
    /// The offset of the record's body.
    pub body: usize,
    /// The media type of the body; `None` if the body is not scanned.
    pub kind: Option<MediaType>,
    /// True if the body has an HTTP coding. It can then only be decoded from its start.
    pub is_encoded: bool,
}

/// Sends the documents of one piece of a long HTML file to `sink`. The other parameters are those
/// of [`piece_documents`].
pub(crate) fn page_documents(
    text: &Decoded,
    page: &LongPage,
    base: u64,
    options: &Options,
    piece: &mut LongPiece,
    sink: &mut Sink<'_>,
) -> Tally {
    walk_long_piece(text, base, options, piece, sink, |walker, stage| {
        let whole = stage.whole_range();
        walker.with_cut_marked(stage, &whole.clone(), |walker| match &page.header {
            _ if page.is_raw => walker.emit_raw_text(stage, whole),
            header => walker.walk_page_file(stage, header.as_deref()),
        })
    })
}

/// Sends the documents of one piece of a long web archive record to `sink`. The other parameters
/// are those of [`piece_documents`].
pub(crate) fn record_documents(
    text: &Decoded,
    record: &LongRecord,
    base: u64,
    options: &Options,
    piece: &mut LongPiece,
    sink: &mut Sink<'_>,
) -> Tally {
    walk_long_piece(text, base, options, piece, sink, |walker, stage| {
        walker.walk_record_piece(stage, record)
    })
}

/// Sends the documents of one piece of a long message to `sink`.
///
/// `text` consists of the parts of the message that are in memory, and its map leads to offsets in
/// the unit. The unit starts at offset `base` of the file.
pub(crate) fn piece_documents(
    text: &Decoded,
    message: LongMessage,
    base: u64,
    options: &Options,
    piece: &mut LongPiece,
    sink: &mut Sink<'_>,
) -> Tally {
    let mut options = *options;
    if !message.is_raw {
        options.max_message = usize::MAX;
    }
    walk_long_piece(text, base, &options, piece, sink, |walker, stage| {
        let text = stage.text;
        let range = MessageRange { start: message.start, header: message.header, end: text.len() };
        let marks = if message.is_quoted && !message.is_raw {
            mbox::quoted_from_offsets(text)
        } else {
            Vec::new()
        };
        if message.is_quoted {
            walker.is_obscured = pipermail::has_obscured_address(stage.slice(&(0..message.header)));
        }
        if marks.is_empty() {
            walker.walk_top_message(stage, range)
        } else {
            walker.walk_message_without_from_quotes(stage, range, &marks)
        }
    })
}

/// Calls `walk` with a walker for one piece of a long message, page or record, and returns the
/// tally of the walk.
///
/// `text` consists of the parts of the item that are in memory, and its map leads to offsets in the
/// unit.
fn walk_long_piece(
    text: &Decoded,
    base: u64,
    options: &Options,
    piece: &mut LongPiece,
    sink: &mut Sink<'_>,
    walk: impl FnOnce(&mut Walker<'_>, &Stage<'_>) -> Flow,
) -> Tally {
    let identity = Maps::identity();
    let stage = Stage::for_unit(&text.text, identity.with_inner_map(&text.map));
    let mut forward = |document: &Document<'_>| sink(document);
    let mut walker = Walker::new(base, options, &mut forward);
    walker.long = Some(piece);
    let flow = walk(&mut walker, &stage);
    walker.tally.stopped = flow.is_break();
    walker.tally
}

impl Walker<'_> {
    /// True if only a piece of the body at `range` of the stage's text is in memory.
    pub(super) fn is_cut_body(&self, stage: &Stage<'_>, range: &Range<usize>) -> bool {
        let Some(cut) = self.long.as_ref().and_then(|piece| piece.cut) else { return false };
        stage.maps.to_unit_span(Span::new(range.start, range.start)).start == cut
    }

    /// Calls `continue_with` to walk the body at `range`. During the call, [`LongPiece::is_in_cut`]
    /// is true if only a piece of that body is in memory.
    pub(super) fn with_cut_marked(
        &mut self,
        stage: &Stage<'_>,
        range: &Range<usize>,
        continue_with: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        let is_cut = self.is_cut_body(stage, range);
        let mark = |walker: &mut Self, is_cut| {
            if let Some(piece) = &mut walker.long {
                piece.is_in_cut = is_cut;
            }
        };
        if is_cut {
            mark(self, true);
        }
        let flow = continue_with(self);
        if is_cut {
            mark(self, false);
        }
        flow
    }

    /// Returns the current piece of a long message, if only a piece of the current body is in
    /// memory. Returns `None` if the whole body is.
    pub(super) fn piece_of_cut_body(&mut self) -> Option<&mut LongPiece> {
        self.long.as_deref_mut().filter(|piece| piece.is_in_cut)
    }
}
