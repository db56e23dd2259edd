//! The state of a walk, and its basic steps: emitting a document and continuing with a decoded
//! text.

use crate::decode::derived::Decoded;
use crate::decode::layer::Layer;
use crate::decode::maps::Maps;
use crate::dialect::Dialect;
use crate::document::{Document, DocumentKind, Origin, Sink, Tags};
use crate::html::OpenMarkup;
use crate::limit::LimitCounts;
use crate::message::Message;
use crate::notation::defang;
use crate::opaque::OpaqueBlocks;
use crate::options::Options;
use crate::web::WebPage;
use core::ops::ControlFlow::{self, Continue};
use core::ops::Range;
use memchr::{memchr, memchr2_iter};
use urlsift_core::{Breaks, Charset, Span};

/// The result of a walk through a file, or a unit of it: see [`documents`](crate::documents).
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, documents};
/// let raw = b"From: joe@host.dom\n\nHello\n";
/// let tally = documents(raw, Container::Message, 0, &Options::default(), &mut |_| ControlFlow::Break(()));
/// assert_eq!((tally.messages, tally.stopped), (1, true));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// The number of messages and articles. Messages within other messages are not counted.
    pub messages: u64,
    /// The number of times that each limit was reached.
    pub limits: LimitCounts,
    /// True if the sink stopped the walk.
    pub stopped: bool,
}

/// A text at some stage of decoding, with its map to the raw bytes of the unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage<'t> {
    pub text: &'t [u8],
    /// The maps from offsets in `text` to offsets in the unit.
    pub maps: Maps<'t>,
    /// The layers that were decoded so far, outermost first.
    pub decoded: &'t [Layer],
    /// The innermost message that contains the text.
    pub message: Option<&'t Message<'t>>,
    /// The record of a web archive that contains the text.
    pub web: Option<&'t WebPage<'t>>,
    /// The name of the item that contains the text: see [`Origin::item`].
    pub item: &'t [u8],
    /// The base URLs for links in the text: see [`Origin::bases`].
    pub bases: &'t [&'t [u8]],
    /// The quotations in the text of an HTML page: see [`Origin::quotations`].
    pub quotations: &'t [Range<usize>],
    /// The number of messages and parts that contain the text.
    pub depth: usize,
}

impl<'t> Stage<'t> {
    /// Returns the stage for the text of a unit, before anything in it is decoded.
    pub(super) const fn for_unit(text: &'t [u8], maps: Maps<'t>) -> Self {
        Self {
            text,
            maps,
            decoded: &[],
            message: None,
            web: None,
            item: b"",
            bases: &[],
            quotations: &[],
            depth: 0,
        }
    }

    /// Returns the range of the stage's whole text.
    pub(super) fn whole_range(&self) -> Range<usize> {
        0..self.text.len()
    }

    /// Returns the stage's text at `range`, or an empty text if the range is out of bounds.
    pub(super) fn slice(&self, range: &Range<usize>) -> &'t [u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Returns the stage for the same text, one level of nesting deeper.
    pub(super) const fn one_level_deeper(&self) -> Self {
        Self { depth: self.depth + 1, ..*self }
    }

    /// Returns the offset in the unit from which the byte at offset `at` of the text was decoded.
    pub(super) fn unit_offset_of(&self, at: usize) -> usize {
        self.maps.to_unit_span(Span::new(at, at + 1)).start
    }

    /// Returns a list of the layers that were decoded so far, followed by `layer`.
    pub(super) fn layers_with(&self, layer: Layer) -> Vec<Layer> {
        [self.decoded, &[layer]].concat()
    }
}

/// A header field or stray line that will be scanned, by its byte offsets in the text.
pub(super) struct ScannedField {
    /// The name of the field; empty for a stray line.
    pub name: Range<usize>,
    pub value: Range<usize>,
    /// True if the value contains encoded words.
    pub encoded: bool,
    /// True for a `Content-Type` of which only the URL of the external body is scanned.
    pub external: bool,
}

/// A walk through one unit. It decodes the unit's messages, parts and pages, and sends their
/// documents to the sink.
pub(super) struct Walker<'w> {
    pub options: &'w Options,
    /// The offset of the unit in the file.
    pub base: u64,
    pub sink: &'w mut Sink<'w>,
    pub tally: Tally,
    pub breaks: Breaks,
    /// The number of the current part, such as `1.2`. It is empty at the top level of a message.
    pub part: String,
    /// The number of parts so far of the current message that is not inside another one.
    pub parts: usize,
    /// True if ` at ` means `@` in the current message.
    pub is_obscured: bool,
    /// The number of messages so far, including messages within other messages.
    pub messages: u64,
    /// The number of HTML pages so far.
    pub pages: u64,
    /// The number of the current HTML page; `None` outside of pages.
    pub page: Option<u64>,
    /// True outside of the message on a page of a mail archive: see [`Origin::is_chrome`].
    pub is_chrome: bool,
    /// The fields of the current header that will be scanned.
    pub scanned: Vec<ScannedField>,
    /// The piece of a long message, page or record that is being walked; `None` if the whole unit
    /// is in memory.
    pub long: Option<&'w mut LongPiece>,
    /// The buffer of a text that is no longer used, for the next decoded text. It is reused because
    /// the first access to new memory pages takes as much time as decoding into them.
    pub spare: Vec<u8>,
}

/// One piece of a long message, page or record: see [`crate::long`].
#[derive(Debug)]
pub(crate) struct LongPiece {
    /// The offset in the unit of the body of which only a piece is in memory; `None` if all bodies
    /// are complete.
    pub cut: Option<usize>,
    /// True if the start of the incomplete body is in an earlier piece.
    pub is_resumed: bool,
    /// The offset in the unit from which the next piece of that body is read, and the offset at
    /// which that piece itself starts.
    pub next: Option<(usize, usize)>,
    /// True if this is the last piece.
    pub is_last: bool,
    /// The state of the page at the end of the previous piece.
    pub page: PageState,
    /// True while the incomplete body is walked.
    pub is_in_cut: bool,
}

/// The facts about an HTML page at the end of one piece that are needed to read the next piece.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageState {
    /// The charset that the page declares; empty if it declares none.
    pub charset: Vec<u8>,
    /// The base URL of the page's links; `None` if the page sets none.
    pub base: Option<Vec<u8>>,
    /// The offset in the unit at which the next piece continues.
    pub place: usize,
    /// The markup that is still open at `place`.
    pub open: OpenMarkup,
}

/// Returns the number of the current part for [`Origin::part`]. It is empty outside of messages. At
/// the top level of a message, it is `0` for the header and `1` for the body.
pub(super) fn document_part_number<'p>(
    part: &'p str,
    stage: &Stage<'_>,
    kind: DocumentKind<'_>,
) -> &'p str {
    match (stage.message, kind) {
        (None, _) => "",
        (Some(_), DocumentKind::Header(_)) if part.is_empty() => "0",
        (Some(_), _) if part.is_empty() => "1",
        _ => part,
    }
}

/// The breaks of a document until they are set.
const NO_BREAKS: &Breaks = &Breaks::new();

/// The properties that all documents of a part or page have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'f> {
    pub base: u64,
    pub part: &'f str,
    pub page: Option<u64>,
    pub is_chrome: bool,
}

impl<'f> Frame<'f> {
    /// Sends the document for the stage's text at `range` to `sink`, unless the range is empty.
    pub(super) fn emit_document(
        self,
        stage: &Stage<'f>,
        range: Range<usize>,
        kind: DocumentKind<'f>,
        charset: Charset,
        sink: &mut Sink<'_>,
    ) -> Flow {
        if stage.slice(&range).is_empty() {
            return Continue(());
        }
        sink(&self.build_document_or_empty(stage, range, kind, charset))
    }

    /// Returns the document for the stage's text at `range`, which may be empty.
    fn build_document_or_empty(
        self,
        stage: &Stage<'f>,
        range: Range<usize>,
        kind: DocumentKind<'f>,
        charset: Charset,
    ) -> Document<'f> {
        let Self { base, part, page, is_chrome } = self;
        let Stage { message, web, item, decoded, bases, quotations, .. } = *stage;
        Document {
            text: stage.slice(&range),
            breaks: NO_BREAKS,
            kind,
            charset,
            origin: Origin {
                base,
                message,
                web,
                item,
                part,
                page,
                is_chrome,
                quotations,
                decoded,
                bases,
            },
            source: stage.text,
            maps: stage.maps,
            shift: range.start,
            opaque: OpaqueBlocks::default(),
            tags: None,
            after: &[],
        }
    }
}

/// Returns `breaks` with their offsets moved from the line ends of `text` to those of `made`, a
/// decoded form of `text` with the same lines.
fn move_breaks(breaks: &Breaks, text: &[u8], made: &[u8]) -> Breaks {
    let mut out = Breaks::new();
    if breaks.is_empty() {
        return out;
    }
    let mut places = memchr2_iter(b'\r', b'\n', text).zip(memchr2_iter(b'\r', b'\n', made));
    for one in breaks.iter() {
        if let Some((_, at)) = places.find(|&(at, _)| at == one.at) {
            out.push(at, one.kind);
        }
    }
    out
}

pub(super) type Flow = ControlFlow<()>;

impl<'w> Walker<'w> {
    pub(super) fn new(base: u64, options: &'w Options, sink: &'w mut Sink<'_>) -> Self {
        Self {
            options,
            base,
            sink,
            tally: Tally::default(),
            breaks: Breaks::new(),
            part: String::new(),
            parts: 0,
            is_obscured: false,
            messages: 0,
            pages: 0,
            page: None,
            is_chrome: false,
            scanned: Vec::new(),
            long: None,
            spare: Vec::new(),
        }
    }
}

impl Walker<'_> {
    /// Sends the text at `range` of the stage to the sink as one document, unless it is empty.
    pub(super) fn emit_document(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        kind: DocumentKind<'_>,
        charset: Charset,
    ) -> Flow {
        self.emit_document_with_tags(stage, range, kind, charset, None)
    }

    /// Does the same as [`Walker::emit_document`]. If the document is the text of a page, `tags`
    /// contains the documents for the page's tags.
    pub(super) fn emit_document_with_tags(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        kind: DocumentKind<'_>,
        charset: Charset,
        tags: Option<&dyn Tags>,
    ) -> Flow {
        if self.options.refang
            && matches!(kind, DocumentKind::Text(_))
            && stage.decoded.last() != Some(&Layer::Defang)
            && let Some(made) =
                defang::refang_text(stage.slice(&range), range.start, &mut self.spare)
        {
            self.breaks = move_breaks(&self.breaks, stage.slice(&range), &made.text);
            return self.with_decoded_text(
                stage,
                made,
                &stage.layers_with(Layer::Defang),
                |walker, inner| {
                    walker.emit_document_with_tags(inner, inner.whole_range(), kind, charset, tags)
                },
            );
        }
        let frame = Frame {
            base: self.base,
            part: document_part_number(&self.part, stage, kind),
            page: self.page,
            is_chrome: self.is_chrome,
        };
        if stage.slice(&range).is_empty() {
            return Continue(());
        }
        let mut document = frame.build_document_or_empty(stage, range, kind, charset);
        document.breaks = &self.breaks;
        document.tags = tags;
        (self.sink)(&document)
    }

    /// Sends the document that marks the start of a message to the sink, if [`Options::starts`] is
    /// set. `outer` is the stage of the text that contains the message.
    pub(super) fn emit_message_start(&mut self, outer: &Stage<'_>, message: &Message<'_>) -> Flow {
        if !self.options.starts {
            return Continue(());
        }
        let part = document_part_number(&self.part, outer, DocumentKind::Message);
        let frame = Frame { base: self.base, part, page: self.page, is_chrome: false };
        let stage = Stage { message: Some(message), ..*outer };
        let start =
            frame.build_document_or_empty(&stage, 0..0, DocumentKind::Message, Charset::Utf8);
        (self.sink)(&start)
    }

    /// Calls `continue_with` with the stage of `made`, a text that was decoded from the current
    /// one. `decoded` lists all layers that were decoded to get `made`.
    pub(super) fn with_decoded_text(
        &mut self,
        stage: &Stage<'_>,
        made: Decoded,
        decoded: &[Layer],
        continue_with: impl FnOnce(&mut Self, &Stage<'_>) -> Flow,
    ) -> Flow {
        let maps = stage.maps.with_inner_map(&made.map);
        let flow = continue_with(self, &Stage { text: &made.text, maps, decoded, ..*stage });
        self.keep_spare_buffer(made.text);
        flow
    }

    /// Keeps `text`, a buffer that is no longer used, for the next decoded text. Drops it if the
    /// buffer kept so far is larger.
    pub(super) fn keep_spare_buffer(&mut self, text: Vec<u8>) {
        if text.capacity() > self.spare.capacity() {
            self.spare = text;
        }
    }

    /// Sends the text at `range` to the sink as plain text, without decoding it.
    pub(super) fn emit_raw_text(&mut self, stage: &Stage<'_>, range: Range<usize>) -> Flow {
        self.emit_document(stage, range, DocumentKind::Text(Dialect::Plain), Charset::Utf8)
    }

    /// Sends the text between two parts or records to the sink as plain text. A text without a
    /// colon contains no URL and is skipped; most such texts have none.
    pub(super) fn emit_text_between_parts(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
    ) -> Flow {
        if memchr(b':', stage.slice(&range)).is_none() {
            return Continue(());
        }
        self.emit_raw_text(stage, range)
    }
}
