//! Bodies: transfer encodings, charsets and HTML undone where they hide text.

use super::parts::Delimiters;
use super::{Flow, Layer, Walk};
use crate::content::{Content, Encoding, Type};
use crate::decode::{base64, charset, flowed, quoted_printable};
use crate::document::{Charset, Decoded, Dialect, Kind};
use crate::html::{self, Piece};
use crate::{Message, mbox};
use core::ops::ControlFlow::{self, Continue};
use core::ops::Range;
use memchr::memchr;

type Decode = fn(&[u8], usize) -> Decoded;

impl Walk<'_> {
    /// A body, its transfer encoding undone where it hides text.
    pub(super) fn body(
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
            Encoding::Base64 => {
                let memory = core::mem::take(&mut self.spare);
                (base64::decode(raw, range.start, memory), "base64")
            }
            Encoding::QuotedPrintable => {
                if memchr(b'=', raw).is_none() {
                    return self.decoded_body(layer, range, content, message, depth);
                }
                let memory = core::mem::take(&mut self.spare);
                (quoted_printable::decode(raw, range.start, memory), "quoted-printable")
            }
        };
        self.derived(layer, decoded, &layer.names(name), |walk, inner| {
            walk.decoded_body(inner, inner.whole(), content, message, depth)
        })
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
    pub(super) fn text(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        content: &Content<'_>,
        message: Option<&Message<'_>>,
    ) -> Flow {
        let coding = charset::coding(content.charset);
        if let Some((text, name)) = charset::decode(layer.slice(&range), coding, range.start) {
            return self.derived(layer, text, &layer.names(name), |walk, inner| {
                walk.readable(inner, inner.whole(), content, Charset::Utf8, message)
            });
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
    pub(super) fn html(
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
        if let Some((text, name)) = charset::decode(raw, coding, range.start) {
            return self.derived(layer, text, &layer.names(name), |walk, inner| {
                walk.markup(inner, inner.whole(), Charset::Utf8, message)
            });
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
        self.page = Some(self.pages);
        self.pages += 1;
        let flow = self.page_documents(layer, range, charset, message);
        self.page = None;
        flow
    }

    fn page_documents(
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
            // The text as it stands, or where it holds references, what they stand for.
            let (inside, kind, decode): (_, _, Option<Decode>) = match piece {
                Piece::Comment(inside) | Piece::Broken(inside) => {
                    if memchr(b':', layer.slice(&place(inside.clone()))).is_none() {
                        return Continue(());
                    }
                    (inside, Kind::Text(Dialect::Html), None)
                }
                Piece::Source(name, inside) => (inside, Kind::Mention(name), None),
                Piece::Mention(name, inside) => {
                    let coded = memchr(b'&', layer.slice(&place(inside.clone()))).is_some();
                    (inside, Kind::Mention(name), coded.then_some(html::mention))
                }
                Piece::Attribute(name, inside) => {
                    let coded = html::is_coded(layer.slice(&place(inside.clone())));
                    (inside, Kind::Attribute(name), coded.then_some(html::attribute_value))
                }
            };
            let range = place(inside);
            let Some(decode) = decode else {
                return self.emit(layer, range, kind, charset, message);
            };
            let text = decode(layer.slice(&range), range.start);
            self.derived(layer, text, &names, |walk, inner| {
                walk.emit(inner, inner.whole(), kind, charset, message)
            })
        });
        match taken {
            Continue(shown) => {
                self.breaks = breaks;
                let flow = self.derived(layer, shown, &names, |walk, inner| {
                    let kind = Kind::Text(Dialect::Plain);
                    walk.emit(inner, inner.whole(), kind, charset, message)
                });
                self.breaks.clear();
                flow
            }
            ControlFlow::Break(()) => ControlFlow::Break(()),
        }
    }
}
