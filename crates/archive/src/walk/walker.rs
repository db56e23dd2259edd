//! The state of a walk, and what every step of it does: hand over a document, go on with a derived
//! text.

use crate::decode::derived::Decoded;
use crate::decode::layer::Layer;
use crate::decode::maps::Maps;
use crate::dialect::Dialect;
use crate::document::{Document, DocumentKind, Origin, Sink, Tags};
use crate::html::Open;
use crate::limit::LimitCounts;
use crate::message::Message;
use crate::notation::defang;
use crate::opaque::OpaqueBlocks;
use crate::options::Options;
use crate::web::WebPage;
use core::ops::ControlFlow::{self, Continue};
use core::ops::Range;
use memchr::{memchr, memchr2_iter};
use urlsift_core::Breaks;
use urlsift_core::Charset;

/// What a walk has seen.
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
    /// Messages and articles, those within other messages not counted.
    pub messages: u64,
    /// How often each limit was reached.
    pub limits: LimitCounts,
    /// Whether the sink ended the walk.
    pub stopped: bool,
}

/// A text on the way in, and how it leads back to the raw bytes of the unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage<'t> {
    pub text: &'t [u8],
    pub maps: Maps<'t>,
    /// What was undone so far, outermost first.
    pub decoded: &'t [Layer],
    /// The innermost message that the text stands in.
    pub message: Option<&'t Message<'t>>,
    /// The record of a web archive that it stands in.
    pub web: Option<&'t WebPage<'t>>,
    /// What links in it are relative to: see [`Origin::bases`].
    pub bases: &'t [&'t [u8]],
    /// How deep messages and parts nest around it.
    pub depth: usize,
}

impl<'t> Stage<'t> {
    /// A text that lies in nothing.
    pub(super) const fn outermost(text: &'t [u8], maps: Maps<'t>) -> Self {
        Self { text, maps, decoded: &[], message: None, web: None, bases: &[], depth: 0 }
    }

    pub(super) fn whole(&self) -> Range<usize> {
        0..self.text.len()
    }

    pub(super) fn slice(&self, range: &Range<usize>) -> &'t [u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// This text, one level of nesting deeper.
    pub(super) const fn deeper(&self) -> Self {
        Self { depth: self.depth + 1, ..*self }
    }

    /// What is undone here, and `layer` after it.
    pub(super) fn and(&self, layer: Layer) -> Vec<Layer> {
        [self.decoded, &[layer]].concat()
    }
}

/// A field or stray line of a header that is to be scanned, by its offsets in the text.
pub(super) struct ScannedField {
    /// Empty for a stray line.
    pub name: Range<usize>,
    pub value: Range<usize>,
    /// Whether the value holds encoded words.
    pub encoded: bool,
}

/// A walk through one unit.
pub(super) struct Walker<'w> {
    pub options: &'w Options,
    pub base: u64,
    pub sink: &'w mut Sink<'w>,
    pub tally: Tally,
    pub breaks: Breaks,
    /// The number of the part at hand, empty at a message's top.
    pub part: String,
    /// How many parts of the top message were met.
    pub parts: usize,
    /// Whether ` at ` stands for `@` in the message at hand.
    pub is_obscured: bool,
    /// How many messages were met, those within others counted.
    pub messages: u64,
    /// How many HTML pages were met, and the number of the one at hand.
    pub pages: u64,
    pub page: Option<u64>,
    /// What of the header at hand is to be scanned.
    pub scanned: Vec<ScannedField>,
    /// The piece of a long message that is walked, if it is no more.
    pub long: Option<&'w mut LongPiece>,
    /// The memory of a text that was done with: fresh pages cost as much as decoding into them.
    pub spare: Vec<u8>,
}

/// A piece of a long message: see [`crate::long`].
#[derive(Debug)]
pub(crate) struct LongPiece {
    /// Where the body starts in the unit of which not all is there, if there is one.
    pub cut: Option<usize>,
    /// Whether its start is not there.
    pub is_resumed: bool,
    /// Where the next piece of that body is read from on in the unit, and where that piece itself starts.
    pub next: Option<(usize, usize)>,
    /// Whether nothing comes behind the piece.
    pub is_last: bool,
    /// What the pieces of a page before say of the rest of it.
    pub page: PageSoFar,
    /// Whether the body at hand is that one.
    pub is_in_cut: bool,
}

/// What must be known of a page to read on in another piece of a long message.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageSoFar {
    /// The charset that it names.
    pub charset: Vec<u8>,
    /// What its links are relative to.
    pub base: Option<Vec<u8>>,
    /// Where the next piece goes on in the unit.
    pub place: usize,
    /// What stands open there.
    pub open: Open,
}

/// The number that documents tell of the part at hand.
pub(super) fn part_of<'p>(part: &'p str, stage: &Stage<'_>, kind: DocumentKind<'_>) -> &'p str {
    match (stage.message, kind) {
        (None, _) => "",
        (Some(_), DocumentKind::Header(_)) if part.is_empty() => "0",
        (Some(_), _) if part.is_empty() => "1",
        _ => part,
    }
}

const NO_BREAKS: &Breaks = &Breaks::new();

/// What is said of documents beside their text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'f> {
    pub base: u64,
    pub part: &'f str,
    pub page: Option<u64>,
}

impl<'f> Frame<'f> {
    /// A document of a piece of text, unless that is empty.
    pub(super) fn document(
        self,
        stage: &Stage<'f>,
        range: Range<usize>,
        kind: DocumentKind<'f>,
        charset: Charset,
    ) -> Option<Document<'f>> {
        let document = self.of_any(stage, range, kind, charset);
        (!document.text.is_empty()).then_some(document)
    }

    /// A document of a piece of text.
    fn of_any(
        self,
        stage: &Stage<'f>,
        range: Range<usize>,
        kind: DocumentKind<'f>,
        charset: Charset,
    ) -> Document<'f> {
        let Self { base, part, page } = self;
        let Stage { message, web, decoded, bases, .. } = *stage;
        Document {
            text: stage.slice(&range),
            breaks: NO_BREAKS,
            kind,
            charset,
            origin: Origin { base, message, web, part, page, decoded, bases },
            maps: stage.maps,
            shift: range.start,
            opaque: OpaqueBlocks::default(),
            tags: None,
        }
    }
}

/// Breaks of a text as those of one made from it that has the same lines.
fn moved(breaks: &Breaks, text: &[u8], made: &[u8]) -> Breaks {
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
            scanned: Vec::new(),
            long: None,
            spare: Vec::new(),
        }
    }
}

impl Walker<'_> {
    /// Hands over one document.
    pub(super) fn emit(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        kind: DocumentKind<'_>,
        charset: Charset,
    ) -> Flow {
        self.emit_with(stage, range, kind, charset, None)
    }

    /// Hands over one document, the text of a page with what its tags hold.
    pub(super) fn emit_with(
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
            && let Some(made) = defang::decode(stage.slice(&range), range.start, &mut self.spare)
        {
            self.breaks = moved(&self.breaks, stage.slice(&range), &made.text);
            return self.derived(stage, made, &stage.and(Layer::Defang), |walker, inner| {
                walker.emit_with(inner, inner.whole(), kind, charset, tags)
            });
        }
        let frame =
            Frame { base: self.base, part: part_of(&self.part, stage, kind), page: self.page };
        let Some(mut document) = frame.document(stage, range, kind, charset) else {
            return Continue(());
        };
        document.breaks = &self.breaks;
        document.tags = tags;
        (self.sink)(&document)
    }

    /// Tells that a message starts in the text of `around`.
    pub(super) fn start(&mut self, around: &Stage<'_>, message: &Message<'_>) -> Flow {
        if !self.options.starts {
            return Continue(());
        }
        let part = part_of(&self.part, around, DocumentKind::Message);
        let frame = Frame { base: self.base, part, page: self.page };
        let stage = Stage { message: Some(message), ..*around };
        let start = frame.of_any(&stage, 0..0, DocumentKind::Message, Charset::Utf8);
        (self.sink)(&start)
    }

    /// Goes on with a text that was made from the one at hand, where `decoded` names what was
    /// undone in it.
    pub(super) fn derived(
        &mut self,
        stage: &Stage<'_>,
        made: Decoded,
        decoded: &[Layer],
        go_on: impl FnOnce(&mut Self, &Stage<'_>) -> Flow,
    ) -> Flow {
        let maps = stage.maps.and(&made.map);
        let flow = go_on(self, &Stage { text: &made.text, maps, decoded, ..*stage });
        self.keep(made.text);
        flow
    }

    /// Keeps the memory of a text that was done with.
    pub(super) fn keep(&mut self, text: Vec<u8>) {
        if text.capacity() > self.spare.capacity() {
            self.spare = text;
        }
    }

    /// Hands over text as it stands.
    pub(super) fn raw_text(&mut self, stage: &Stage<'_>, range: Range<usize>) -> Flow {
        self.emit(stage, range, DocumentKind::Text(Dialect::Plain), Charset::Utf8)
    }

    /// Hands over text between parts, which mostly says nothing.
    pub(super) fn filling(&mut self, stage: &Stage<'_>, range: Range<usize>) -> Flow {
        if memchr(b':', stage.slice(&range)).is_none() {
            return Continue(());
        }
        self.raw_text(stage, range)
    }
}
