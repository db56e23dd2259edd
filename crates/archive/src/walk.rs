//! The walk through a file: containers, messages, parts, and the documents in them.

use crate::content::{Content, Encoding, Type};
use crate::decode::{base64, charset, flowed, quoted_printable};
use crate::document::{Charset, Decoded, Derived, Dialect, Document, Kind, Origin};
use crate::header::{self, Field, Fields, Role};
use crate::html::{self, Piece};
use crate::{Container, Headers, Message, Options, batch, digest, encoded_word, mbox};
use core::cell::OnceCell;
use core::ops::ControlFlow::{self, Continue};
use core::ops::Range;
use memchr::{memchr, memchr2_iter, memmem};
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
/// [`safe_cut`](crate::safe_cut)); `base` is where it starts in the file. A document comes before
/// those whose bytes all stand later in the same message; URLs found in them are in file order
/// once they are sorted by start within each message.
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

impl Layer<'_> {
    fn slice(&self, range: &Range<usize>) -> &[u8] {
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
            origin: Origin { base: self.base, message, part, decoded: layer.decoded },
            map: layer.map,
            shift: range.start,
            opaque: OnceCell::new(),
        };
        (self.sink)(&document)
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

    fn mailbox(&mut self, layer: &Layer<'_>, container: Container) -> Flow {
        let mut messages = mbox::Walk::new(layer.text, container == Container::Mboxcl);
        let mut quoted = Vec::new();
        while let Some(item) = messages.next(&mut quoted) {
            if quoted.is_empty() || item.end - item.start > self.options.max_message {
                self.top_message(layer, item)?;
            } else {
                self.unquoted(layer, item, &quoted)?;
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
        let Decoded { text, map } = text.finish();
        let map = layer.lead_on(map);
        let inner = Layer { text: &text, map: &map, decoded: layer.decoded };
        let header = item.header - item.start;
        self.top_message(&inner, mbox::Item { start: 0, header, end: text.len() })
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

    fn message(&mut self, layer: &Layer<'_>, item: mbox::Item, depth: usize) -> Flow {
        let whole = Span::new(item.start, item.end);
        let message = Message {
            header: layer.slice(&(item.header..item.end)),
            span: FileSpan::based(self.base, layer.map.source(whole)),
        };
        if whole.len() > self.options.max_message {
            return self.raw_text(layer, whole.range(), Dialect::Plain, Some(&message));
        }
        let part = core::mem::take(&mut self.part);
        let flow = self.entity(layer, item.header..item.end, Type::Text, Some(&message), depth);
        self.part = part;
        flow
    }

    /// A header and what it says of the body after it: a message or a part of one.
    fn entity(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        default: Type,
        message: Option<&Message<'_>>,
        depth: usize,
    ) -> Flow {
        let Some(text) = layer.text.get(..range.end) else { return Continue(()) };
        let mut content = Content { kind: default, ..Content::default() };
        let mut fields = Fields::new(text, range.start);
        let mut digest = false;
        let mut mail = false;
        for field in fields.by_ref() {
            let role = header::role(&field);
            if field.name.is_empty() {
                self.filling(layer, field.at..field.at + field.value.len(), message)?;
                continue;
            }
            if role == Role::Other && self.options.headers != Headers::All {
                continue;
            }
            match role {
                Role::ContentType => content.set_type(field.value),
                Role::TransferEncoding => content.set_encoding(field.value),
                Role::Subject => digest = is_digest(field.value),
                _ => {}
            }
            mail |= role == Role::Subject;
            let scanned = match self.options.headers {
                Headers::None => false,
                Headers::Urls => role == Role::Url || role == Role::Subject,
                Headers::All => !header::is_identifier(field.name),
            };
            if scanned {
                self.field(layer, field, message)?;
            }
        }
        let body = fields.body()..range.end;
        if default == Type::Message && mail {
            // A digest whose parts lack the empty line before the message.
            let item = mbox::Item { start: range.start, header: range.start, end: range.end };
            return self.message(layer, item, depth + 1);
        }
        if digest && content.kind == Type::Text && content.encoding == Encoding::None {
            return self.digest(layer, body, &content, message, depth);
        }
        self.body(layer, body, &content, message, depth)
    }

    /// The value of a header field.
    fn field(
        &mut self,
        layer: &Layer<'_>,
        field: Field<'_>,
        message: Option<&Message<'_>>,
    ) -> Flow {
        let kind = Kind::Header(field.name);
        let encoded = encoded_word::is_encoded(field.value);
        if !encoded && !header::may_hold_a_url(field.value) {
            return Continue(());
        }
        let len = self.part.len();
        if len > 0 {
            self.part.push_str(".0");
        }
        let flow = if encoded || is_folded_url(field.value) {
            let (Decoded { text, map }, name) = if encoded {
                (encoded_word::decode(field.value, field.at), "rfc2047")
            } else {
                (unfolded(field.value, field.at), "unfolded")
            };
            let map = layer.lead_on(map);
            let names = layer.names(name);
            let inner = Layer {
                text: &text,
                map: &map,
                decoded: if encoded { &names } else { layer.decoded },
            };
            self.emit(&inner, 0..text.len(), kind, Charset::Utf8, message)
        } else {
            let range = field.at..field.at + field.value.len();
            self.emit(layer, range, kind, Charset::Utf8, message)
        };
        self.part.truncate(len);
        flow
    }

    /// A body, its transfer encoding undone where it hides text.
    fn body(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        content: &Content<'_>,
        message: Option<&Message<'_>>,
        depth: usize,
    ) -> Flow {
        let raw = layer.slice(&range);
        let composite = matches!(content.kind, Type::Multipart | Type::Digest)
            && content.encoding != Encoding::None;
        let (decoded, name) = match content.encoding {
            // RFC 2045 §6.4: a composite type has no encoding of its own; those that say so lie.
            _ if composite && Delimiters::new(content.boundary).next(raw, 0).is_some() => {
                return self.decoded_body(layer, range, content, message, depth);
            }
            Encoding::None => return self.decoded_body(layer, range, content, message, depth),
            Encoding::Uuencode => return self.raw_text(layer, range, Dialect::Plain, message),
            Encoding::Base64 if content.kind == Type::Other => {
                // Nothing to read in a picture; but a part that is no base64 is not lost.
                return if base64::hides_everything(raw) {
                    Continue(())
                } else {
                    self.raw_text(layer, range, Dialect::Plain, message)
                };
            }
            Encoding::Base64 => (base64::decode(raw, range.start), "base64"),
            Encoding::QuotedPrintable => {
                if memchr(b'=', raw).is_none() {
                    return self.decoded_body(layer, range, content, message, depth);
                }
                (quoted_printable::decode(raw, range.start), "quoted-printable")
            }
        };
        let Decoded { text, map } = decoded;
        let map = layer.lead_on(map);
        let names = layer.names(name);
        let inner = Layer { text: &text, map: &map, decoded: &names };
        self.decoded_body(&inner, 0..text.len(), content, message, depth)
    }

    fn decoded_body(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        content: &Content<'_>,
        message: Option<&Message<'_>>,
        depth: usize,
    ) -> Flow {
        match content.kind {
            Type::Multipart | Type::Digest => self.multipart(layer, range, content, message, depth),
            Type::Message if depth < self.options.max_depth => {
                let item = mbox::Item { start: range.start, header: range.start, end: range.end };
                self.message(layer, item, depth + 1)
            }
            Type::Html => self.html(layer, range, content, message),
            _ => self.text(layer, range, content, message),
        }
    }

    /// A text part: its charset undone where it hides ASCII, its soft breaks marked.
    fn text(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        content: &Content<'_>,
        message: Option<&Message<'_>>,
    ) -> Flow {
        let coding = charset::coding(content.charset);
        if let Some((Decoded { text, map }, name)) =
            charset::decode(layer.slice(&range), coding, range.start)
        {
            let map = layer.lead_on(map);
            let names = layer.names(name);
            let inner = Layer { text: &text, map: &map, decoded: &names };
            return self.readable(&inner, 0..text.len(), content, Charset::Utf8, message);
        }
        let charset = match coding {
            charset::Coding::InPlace(charset) => charset,
            _ => Charset::Utf8,
        };
        self.readable(layer, range, content, charset, message)
    }

    fn readable(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        content: &Content<'_>,
        charset: Charset,
        message: Option<&Message<'_>>,
    ) -> Flow {
        let dialect =
            if content.kind == Type::Markdown { Dialect::Markdown } else { Dialect::Plain };
        if content.flowed && content.kind == Type::Text {
            let mut found = core::mem::take(&mut self.breaks);
            flowed::breaks(layer.slice(&range), content.del_sp, &mut found);
            self.breaks = found;
        }
        let flow = self.emit(layer, range, Kind::Text(dialect), charset, message);
        self.breaks.clear();
        flow
    }

    /// An HTML part or file: its charset undone where it hides ASCII, then taken apart.
    fn html(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        content: &Content<'_>,
        message: Option<&Message<'_>>,
    ) -> Flow {
        let raw = layer.slice(&range);
        let label = match content.charset {
            b"" => html::declared_charset(raw).unwrap_or_default(),
            label => label,
        };
        let coding = charset::coding(label);
        if let Some((Decoded { text, map }, name)) = charset::decode(raw, coding, range.start) {
            let map = layer.lead_on(map);
            let names = layer.names(name);
            let inner = Layer { text: &text, map: &map, decoded: &names };
            return self.markup(&inner, 0..text.len(), Charset::Utf8, message);
        }
        let charset = match coding {
            charset::Coding::InPlace(charset) => charset,
            _ => Charset::Utf8,
        };
        self.markup(layer, range, charset, message)
    }

    /// HTML in a charset that can be read: attributes and comments as they come, then the text.
    fn markup(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        charset: Charset,
        message: Option<&Message<'_>>,
    ) -> Flow {
        let html = layer.slice(&range);
        let names = layer.names("html");
        let mut breaks = Vec::new();
        let taken = html::take_apart(html, range.start, &mut breaks, |piece| {
            let place = |piece: Range<usize>| range.start + piece.start..range.start + piece.end;
            match piece {
                Piece::Comment(inside) | Piece::Broken(inside) => {
                    let kind = Kind::Text(Dialect::Html);
                    match memchr(b':', layer.slice(&place(inside.clone()))) {
                        Some(_) => self.emit(layer, place(inside), kind, charset, message),
                        None => Continue(()),
                    }
                }
                Piece::Source(name, range) => {
                    self.emit(layer, place(range), Kind::Mention(name), charset, message)
                }
                Piece::Mention(name, value) => {
                    let kind = Kind::Mention(name);
                    let coded = html.get(value.clone()).unwrap_or_default();
                    if memchr(b'&', coded).is_none() {
                        return self.emit(layer, place(value), kind, charset, message);
                    }
                    let Decoded { text, map } = html::mention(coded, range.start + value.start);
                    let map = layer.lead_on(map);
                    let inner = Layer { text: &text, map: &map, decoded: &names };
                    self.emit(&inner, 0..text.len(), kind, charset, message)
                }
                Piece::Attribute(name, value) => {
                    let kind = Kind::Attribute(name);
                    let coded = html.get(value.clone()).unwrap_or_default();
                    if !html::is_coded(coded) {
                        return self.emit(layer, place(value), kind, charset, message);
                    }
                    let Decoded { text, map } =
                        html::attribute_value(coded, range.start + value.start);
                    let map = layer.lead_on(map);
                    let inner = Layer { text: &text, map: &map, decoded: &names };
                    self.emit(&inner, 0..text.len(), kind, charset, message)
                }
            }
        });
        let Decoded { text, map } = match taken {
            Continue(decoded) => decoded,
            ControlFlow::Break(()) => return ControlFlow::Break(()),
        };
        let map = layer.lead_on(map);
        let inner = Layer { text: &text, map: &map, decoded: &names };
        self.breaks = breaks;
        let flow = self.emit(&inner, 0..text.len(), Kind::Text(Dialect::Plain), charset, message);
        self.breaks.clear();
        flow
    }

    /// The parts of a multipart body, and the text around them.
    fn multipart(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        content: &Content<'_>,
        message: Option<&Message<'_>>,
        depth: usize,
    ) -> Flow {
        let body = layer.slice(&range);
        let delimiters = Delimiters::new(content.boundary);
        let first = if depth < self.options.max_depth { delimiters.next(body, 0) } else { None };
        let Some(first) = first else {
            return self.raw_text(layer, range, Dialect::Plain, message);
        };
        let default = if content.kind == Type::Digest { Type::Message } else { Type::Text };
        let start = range.start;
        self.filling(layer, start..start + first.start, message)?;
        let len = self.part.len();
        let mut at = first;
        let mut number = 0_usize;
        loop {
            let next = delimiters.next(body, at.end);
            let end = next.as_ref().map_or(body.len(), |next| next.start);
            if at.closes {
                self.filling(layer, start + at.end..start + end, message)?;
            } else {
                self.parts += 1;
                number += 1;
                if self.parts > self.options.max_parts {
                    // What is left of this body, as it stands.
                    let rest = start + at.end..range.end;
                    return self.raw_text(layer, rest, Dialect::Plain, message);
                }
                if len > 0 {
                    self.part.push('.');
                }
                self.part.push_str(&number.to_string());
                let range = start + at.end..start + end;
                let flow = self.entity(layer, range, default, message, depth + 1);
                self.part.truncate(len);
                flow?;
            }
            match next {
                Some(next) => at = next,
                None => return Continue(()),
            }
        }
    }

    /// A digest in plain text (RFC 1153): each of its messages by itself, and what is around them.
    fn digest(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        content: &Content<'_>,
        message: Option<&Message<'_>>,
        depth: usize,
    ) -> Flow {
        let (start, mut done) = (range.start, range.start);
        if depth < self.options.max_depth {
            for item in digest::messages(layer.slice(&range)) {
                self.text(layer, done..start + item.start, content, message)?;
                done = start + item.end;
                let at = start + item.start;
                self.message(layer, mbox::Item { start: at, header: at, end: done }, depth + 1)?;
            }
        }
        self.text(layer, done..range.end, content, message)
    }
}

/// A delimiter line of a multipart body.
struct Delimiter {
    /// Its first byte.
    start: usize,
    /// One past its line break.
    end: usize,
    /// Whether it is the last (`--boundary--`).
    closes: bool,
}

/// Finds the delimiter lines of one boundary.
struct Delimiters<'b> {
    finder: memmem::Finder<'b>,
}

impl<'b> Delimiters<'b> {
    fn new(boundary: &'b [u8]) -> Self {
        Self { finder: memmem::Finder::new(boundary) }
    }

    /// The first delimiter line in `body` at or after `from`.
    fn next(&self, body: &[u8], from: usize) -> Option<Delimiter> {
        let boundary = self.finder.needle();
        if boundary.is_empty() {
            return None;
        }
        for at in self.finder.find_iter(body.get(from..)?) {
            let at = from + at;
            let Some(start) = at.checked_sub(2) else { continue };
            let dashes = start >= from && body.get(start..at) == Some(b"--");
            let line_start = start == 0 || body.get(start - 1) == Some(&b'\n');
            if !(dashes && line_start) {
                continue;
            }
            let rest = body.get(at + boundary.len()..).unwrap_or_default();
            let closes = rest.starts_with(b"--");
            let tail = rest.get(if closes { 2 } else { 0 }..).unwrap_or_default();
            let eol = memchr(b'\n', tail);
            let line = tail.get(..eol.unwrap_or(tail.len())).unwrap_or_default();
            // Anything else means that the boundary is but the start of another one.
            if line.trim_ascii().is_empty() {
                let used = rest.len() - tail.len() + eol.map_or(tail.len(), |eol| eol + 1);
                return Some(Delimiter { start, end: at + boundary.len() + used, closes });
            }
        }
        None
    }
}

/// Whether a subject says that the message is a digest.
fn is_digest(subject: &[u8]) -> bool {
    // By the rarest letter; a search for the word would cost more than the subject is long.
    memchr2_iter(b'g', b'G', subject).any(|g| {
        let word = subject.get(g.saturating_sub(2)..g + 4);
        word.is_some_and(|word| word.eq_ignore_ascii_case(b"digest"))
    })
}

/// Whether a field's value is one URL folded over lines, without brackets that would say so.
fn is_folded_url(value: &[u8]) -> bool {
    if memchr(b'\n', value).is_none() {
        return false;
    }
    let value = value.trim_ascii();
    value.first() != Some(&b'<')
        && value
            .split(|&b| b == b'\n')
            .all(|line| !line.trim_ascii().iter().any(|b| matches!(b, b' ' | b'\t' | b'<' | b',')))
}

/// The value without any white space (RFC 2557 §4.4.2 folds URLs so).
fn unfolded(value: &[u8], base: usize) -> Decoded {
    let mut out = Derived::new(value.len(), base);
    let mut at = 0;
    while at < value.len() {
        let rest = value.get(at..).unwrap_or_default();
        let len = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        out.copy(value, at, at + len);
        at += len + 1;
    }
    out.finish()
}
