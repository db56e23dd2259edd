//! The walk through one piece of a long message, from which the other pieces are left out.

use super::messages::page_header;
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

/// The properties of a long message that are needed to walk its pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LongMessage {
    /// The offset of the message, after the line that separates it from the one before.
    pub start: usize,
    /// The offset of its header, after the `From ` line.
    pub header: usize,
    /// True if the message is in a mailbox, where lines that begin with `From ` are quoted.
    pub is_quoted: bool,
    /// True if the message is too long to be parsed.
    pub is_raw: bool,
}

/// The properties of a long HTML file that are needed to walk its pieces.
#[derive(Clone, Debug)]
pub(crate) struct LongPage {
    /// The header of the message that the page shows, if it shows one.
    header: Option<Vec<u8>>,
    /// True if the page is too long to be parsed.
    is_raw: bool,
}

impl LongPage {
    /// Returns how to read the page that starts with `start`.
    pub(crate) fn new(start: &[u8], is_raw: bool) -> Self {
        Self { header: page_header(start), is_raw }
    }
}

/// The properties of a long web archive record that are needed to walk its pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LongRecord {
    pub format: WebFormat,
    /// The offset of its body.
    pub body: usize,
    /// The type of its body; `None` if it is not scanned.
    pub kind: Option<MediaType>,
    /// True if the body has an HTTP coding, so that it can only be read from its start.
    pub is_coded: bool,
}

/// Emits the documents of a piece of a page, like [`piece_documents`] for messages.
pub(crate) fn page_documents(
    text: &Decoded,
    page: &LongPage,
    base: u64,
    options: &Options,
    piece: &mut LongPiece,
    sink: &mut Sink<'_>,
) -> Tally {
    walked(text, base, options, piece, sink, |walker, stage| {
        let whole = stage.whole();
        walker.marking_cut(stage, &whole.clone(), |walker| match &page.header {
            _ if page.is_raw => walker.raw_text(stage, whole),
            header => walker.page_file(stage, header.as_deref()),
        })
    })
}

/// Emits the documents of a piece of a record, like [`piece_documents`] for messages.
pub(crate) fn record_documents(
    text: &Decoded,
    record: &LongRecord,
    base: u64,
    options: &Options,
    piece: &mut LongPiece,
    sink: &mut Sink<'_>,
) -> Tally {
    walked(text, base, options, piece, sink, |walker, stage| walker.web_piece(stage, record))
}

/// Emits the documents of a piece of a message. `text` is the message without the parts that are
/// left out, and its map leads to the unit, which starts at offset `base` of the file.
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
    walked(text, base, &options, piece, sink, |walker, stage| {
        let text = stage.text;
        let range = MessageRange { start: message.start, header: message.header, end: text.len() };
        let marks =
            if message.is_quoted && !message.is_raw { mbox::first_marks(text) } else { Vec::new() };
        if message.is_quoted {
            walker.is_obscured = pipermail::is_obscured(stage.slice(&(0..message.header)));
        }
        if marks.is_empty() {
            walker.top_message(stage, range)
        } else {
            walker.unquoted(stage, range, &marks)
        }
    })
}

/// Calls `walk` with a walker for a piece of a long item. `text` is the part of the item that is in
/// memory, and its map leads to the unit.
fn walked(
    text: &Decoded,
    base: u64,
    options: &Options,
    piece: &mut LongPiece,
    sink: &mut Sink<'_>,
    walk: impl FnOnce(&mut Walker<'_>, &Stage<'_>) -> Flow,
) -> Tally {
    let identity = Maps::identity();
    let stage = Stage::outermost(&text.text, identity.and(&text.map));
    let mut hand_over = |document: &Document<'_>| sink(document);
    let mut walker = Walker::new(base, options, &mut hand_over);
    walker.long = Some(piece);
    let flow = walk(&mut walker, &stage);
    walker.tally.stopped = flow.is_break();
    walker.tally
}

impl Walker<'_> {
    /// True if the body at `range` is the incomplete one.
    pub(super) fn is_cut(&self, stage: &Stage<'_>, range: &Range<usize>) -> bool {
        let Some(cut) = self.long.as_ref().and_then(|piece| piece.cut) else { return false };
        stage.maps.source(Span::new(range.start, range.start)).start == cut
    }

    /// Walks a body, with `is_in_cut` set if it is the incomplete one.
    pub(super) fn marking_cut(
        &mut self,
        stage: &Stage<'_>,
        range: &Range<usize>,
        continue_with: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        let is_cut = self.is_cut(stage, range);
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

    /// Returns the piece if the current body is the incomplete one.
    pub(super) fn cut_piece(&mut self) -> Option<&mut LongPiece> {
        self.long.as_deref_mut().filter(|piece| piece.is_in_cut)
    }
}
