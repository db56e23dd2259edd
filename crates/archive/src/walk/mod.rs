//! The walk through a file: containers, messages, parts, and the documents in them.

mod body;
mod head;
mod parts;

use self::head::Put;
use crate::content::{Content, Type};
use crate::document::{Charset, Decoded, Derived, Dialect, Document, Kind, Origin};
use crate::{Container, Message, Options, batch, mbox};
use core::cell::OnceCell;
use core::ops::ControlFlow::{self, Continue};
use core::ops::Range;
use memchr::memchr;
use urlsift_core::{Break, FileSpan, Span, SpanMap};

/// What a walk has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Messages and articles, those within other messages not counted.
    pub messages: u64,
    /// Whether the sink ended the walk.
    pub stopped: bool,
}

/// Hands every document of `raw` to `sink`, which may end the walk.
///
/// `raw` is a file, or a range of one that starts at a message (see [`split`](crate::split) and
/// [`safe_cut`](crate::safe_cut)); `base` is where it starts in the file.
///
/// Documents come in file order: none starts before the one before it ends, but for those of one
/// HTML page ([`Origin::page`]). Of a page come its attributes, comments and mentions in order, and
/// then the text around them. So what is found in documents without a page is in file order as it
/// comes; what is found in the documents of a page, which come one right after the other, is merged
/// by place once a document of another page, or of none, shows that the page is at its end.
///
/// No input is an error: what is broken, nests too deep, or is too long is handed over as the raw
/// text it is. Time is linear in `raw` (times [`Options::max_depth`] at most), memory in the
/// longest encoded part. A message in a 7-bit or 8-bit encoding and a superset of US-ASCII is
/// neither copied nor allocated for.
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
    let map = SpanMap::identity();
    let layer = Layer { text: raw, map: &map, decoded: &[] };
    let mut walk = Walk {
        options,
        base,
        sink,
        tally: Tally::default(),
        breaks: Vec::new(),
        part: String::new(),
        parts: 0,
        pages: 0,
        page: None,
        put: Vec::new(),
        spare: Vec::new(),
    };
    let flow = match container {
        Container::Text(dialect) => walk.raw_text(&layer, 0..raw.len(), dialect, None),
        Container::Html => walk.html(&layer, 0..raw.len(), &Content::default(), None),
        Container::Utf16 => {
            let content = Content { charset: b"utf-16", ..Content::default() };
            walk.text(&layer, 0..raw.len(), &content, None)
        }
        Container::Mbox | Container::Mboxcl => walk.mailbox(&layer, container),
        Container::Message => {
            let item = mbox::Item { start: 0, header: 0, end: raw.len() };
            walk.top_message(&layer, item)
        }
        Container::Rnews => walk.items(&layer, batch::rnews(raw)),
        Container::Babyl => walk.items(&layer, batch::babyl(raw)),
        Container::Index => Continue(()),
    };
    walk.tally.stopped = flow.is_break();
    walk.tally
}

/// A text on the way in, and how it leads back to the raw bytes.
#[derive(Clone, Copy)]
struct Layer<'t> {
    text: &'t [u8],
    map: &'t SpanMap,
    decoded: &'t [&'static str],
}

impl<'t> Layer<'t> {
    fn whole(&self) -> Range<usize> {
        0..self.text.len()
    }

    fn slice(&self, range: &Range<usize>) -> &'t [u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The names of what was undone, one more than here.
    fn names(&self, name: &'static str) -> Vec<&'static str> {
        let mut names = self.decoded.to_vec();
        names.push(name);
        names
    }

    /// A map to this layer's text, led on to the raw bytes.
    fn lead_on(&self, map: SpanMap) -> SpanMap {
        if self.map.is_identity() { map } else { map.over(self.map) }
    }
}

struct Walk<'w> {
    options: &'w Options,
    base: u64,
    sink: &'w mut dyn FnMut(&Document<'_>) -> ControlFlow<()>,
    tally: Tally,
    breaks: Vec<Break>,
    /// The number of the part at hand, empty at a message's top.
    part: String,
    /// How many parts of the top message were met.
    parts: usize,
    /// How many HTML pages were met, and the number of the one at hand.
    pages: u64,
    page: Option<u64>,
    /// What of the header at hand is to be scanned.
    put: Vec<Put>,
    /// The memory of a text that was done with: fresh pages cost as much as decoding into them.
    spare: Vec<u8>,
}

type Flow = ControlFlow<()>;

impl Walk<'_> {
    /// Hands over one document.
    fn emit(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        kind: Kind<'_>,
        charset: Charset,
        message: Option<&Message<'_>>,
    ) -> Flow {
        let Some(text) = layer.text.get(range.clone()) else { return Continue(()) };
        if text.is_empty() {
            return Continue(());
        }
        let part = match (message, kind) {
            (None, _) => "",
            (Some(_), Kind::Header(_)) if self.part.is_empty() => "0",
            (Some(_), _) if self.part.is_empty() => "1",
            _ => &self.part,
        };
        let document = Document {
            text,
            breaks: &self.breaks,
            kind,
            charset,
            origin: Origin {
                base: self.base,
                message,
                part,
                page: self.page,
                decoded: layer.decoded,
            },
            map: layer.map,
            shift: range.start,
            opaque: OnceCell::new(),
        };
        (self.sink)(&document)
    }

    /// Goes on with a text that was made from the one at hand, where `decoded` names what was
    /// undone in it.
    fn derived(
        &mut self,
        layer: &Layer<'_>,
        made: Decoded,
        decoded: &[&'static str],
        go_on: impl FnOnce(&mut Self, &Layer<'_>) -> Flow,
    ) -> Flow {
        let map = layer.lead_on(made.map);
        let flow = go_on(self, &Layer { text: &made.text, map: &map, decoded });
        if made.text.capacity() > self.spare.capacity() {
            self.spare = made.text;
        }
        flow
    }

    /// Text as it stands.
    fn raw_text(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        dialect: Dialect,
        message: Option<&Message<'_>>,
    ) -> Flow {
        self.emit(layer, range, Kind::Text(dialect), Charset::Utf8, message)
    }

    /// Text between parts, which mostly says nothing.
    fn filling(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        message: Option<&Message<'_>>,
    ) -> Flow {
        if memchr(b':', layer.slice(&range)).is_none() {
            return Continue(());
        }
        self.raw_text(layer, range, Dialect::Plain, message)
    }

    /// The header comes first: it tells where the body starts, and only there the next `From ` line
    /// must be searched for.
    fn mailbox(&mut self, layer: &Layer<'_>, container: Container) -> Flow {
        let mut messages = mbox::Walk::new(layer.text, container == Container::Mboxcl);
        let mut quoted = Vec::new();
        while let Some(header) = messages.header() {
            let head = self.head(layer.text, header, Type::Text);
            let item = if head.plain {
                messages.next_beyond(head.body, &mut quoted)
            } else {
                messages.next(&mut quoted)
            };
            let Some(item) = item else { break };
            let long = item.end - item.start > self.options.max_message;
            if !(quoted.is_empty() || long) {
                self.unquoted(layer, item, &quoted)?;
            } else if long || !head.plain {
                self.top_message(layer, item)?;
            } else {
                self.tally.messages += 1;
                self.parts = 0;
                let message = self.message_at(layer, item);
                let range = item.header..item.end;
                self.after_head(layer, range, &head, Type::Text, Some(&message), 0)?;
            }
        }
        Continue(())
    }

    /// A message with the first mark of its `>From ` lines taken off (mboxrd; in mboxo a mark that
    /// the author wrote is lost, which moves no URL).
    fn unquoted(&mut self, layer: &Layer<'_>, item: mbox::Item, quoted: &[usize]) -> Flow {
        let mut text = Derived::new(item.end - item.start, 0);
        let mut from = item.start;
        for &mark in quoted {
            text.copy(layer.text, from, mark);
            from = mark + 1;
        }
        text.copy(layer.text, from, item.end);
        let header = item.header - item.start;
        self.derived(layer, text.finish(), layer.decoded, |walk, inner| {
            walk.top_message(inner, mbox::Item { start: 0, header, end: inner.text.len() })
        })
    }

    fn items(&mut self, layer: &Layer<'_>, items: impl Iterator<Item = mbox::Item>) -> Flow {
        for item in items {
            self.top_message(layer, item)?;
        }
        Continue(())
    }

    fn top_message(&mut self, layer: &Layer<'_>, item: mbox::Item) -> Flow {
        self.tally.messages += 1;
        self.parts = 0;
        self.message(layer, item, 0)
    }

    fn message_at<'l>(&self, layer: &Layer<'l>, item: mbox::Item) -> Message<'l> {
        let whole = Span::new(item.start, item.end);
        Message {
            header: layer.text.get(item.header..item.end).unwrap_or_default(),
            span: FileSpan::based(self.base, layer.map.source(whole)),
        }
    }

    fn message(&mut self, layer: &Layer<'_>, item: mbox::Item, depth: usize) -> Flow {
        let message = self.message_at(layer, item);
        if item.end - item.start > self.options.max_message {
            return self.raw_text(layer, item.start..item.end, Dialect::Plain, Some(&message));
        }
        let part = core::mem::take(&mut self.part);
        let flow = self.entity(layer, item.header..item.end, Type::Text, Some(&message), depth);
        self.part = part;
        flow
    }
}
