//! Headers: what they say of the body, and the fields that are scanned.

use super::{Flow, Layer, Walk};
use crate::content::{Content, Encoding, Type};
use crate::document::{Charset, Decoded, Derived, Dialect, Kind};
use crate::header::{self, Role, Worth};
use crate::{Headers, Message, encoded_word, lanes, mbox};
use core::ops::ControlFlow::Continue;
use core::ops::Range;
use memchr::memchr;

/// What a header says of the body after it.
pub(super) struct Head<'t> {
    content: Content<'t>,
    digest: bool,
    /// Whether it has a subject, as a part has none.
    mail: bool,
    pub(super) body: usize,
    /// See [`header::Fields::is_plain`].
    pub(super) plain: bool,
}

/// A place in a header that is to be scanned, by its offsets in the text.
pub(super) struct Put {
    /// Empty for a stray line.
    name: Range<usize>,
    value: Range<usize>,
    encoded: bool,
}

impl Walk<'_> {
    /// Reads the header at `start`. Nothing is handed over yet, since the message around it may
    /// not be known to its end: what is to be scanned is put by.
    pub(super) fn head<'t>(&mut self, text: &'t [u8], start: usize, default: Type) -> Head<'t> {
        self.put.clear();
        let mut content = Content { kind: default, ..Content::default() };
        let (mut digest, mut mail) = (false, false);
        let (headers, put) = (self.options.headers, &mut self.put);
        let wanted = |first| headers == Headers::All || header::may_have_role(first);
        let (body, plain) = header::walk(text, start, wanted, |field| {
            if field.is_stray() {
                if memchr(b':', field.value()).is_some() {
                    put.push(Put { name: 0..0, value: field.value_at(), encoded: false });
                }
                return;
            }
            let role = header::role(&field);
            match role {
                Role::ContentType => content.set_type(field.value()),
                Role::TransferEncoding => content.set_encoding(field.value()),
                Role::Subject => {
                    mail = true;
                    digest = is_digest(text, field.value_at());
                }
                _ => {}
            }
            let scanned = match headers {
                Headers::None => false,
                Headers::Urls => role == Role::Url || role == Role::Subject,
                Headers::All => !header::is_identifier(field.name()),
            };
            if scanned {
                let Worth { encoded, colon } = header::worth(text, field.value_at());
                if encoded || colon {
                    let (name, value) = (field.named_at(), field.value_at());
                    put.push(Put { name, value, encoded });
                }
            }
        });
        Head { content, digest, mail, body, plain }
    }

    /// A header and the body after it: a message or a part of one.
    pub(super) fn entity(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        default: Type,
        message: Option<&Message<'_>>,
        depth: usize,
    ) -> Flow {
        let Some(text) = layer.text.get(..range.end) else { return Continue(()) };
        let head = self.head(text, range.start, default);
        self.after_head(layer, range, &head, default, message, depth)
    }

    /// As [`Walk::entity`], once the header was read.
    pub(super) fn after_head(
        &mut self,
        layer: &Layer<'_>,
        range: Range<usize>,
        head: &Head<'_>,
        default: Type,
        message: Option<&Message<'_>>,
        depth: usize,
    ) -> Flow {
        if default == Type::Message && head.mail {
            // A digest whose parts lack the empty line before the message: this header is its own.
            let item = mbox::Item { start: range.start, header: range.start, end: range.end };
            return self.message(layer, item, depth + 1);
        }
        if !self.put.is_empty() {
            let put = core::mem::take(&mut self.put);
            let flow = put.iter().try_for_each(|put| self.scanned(layer, put, message));
            self.put = put;
            flow?;
        }
        let content = &head.content;
        let body = head.body..range.end;
        if head.digest && content.kind == Type::Text && content.encoding == Encoding::None {
            return self.digest(layer, body, content, message, depth);
        }
        self.body(layer, body, content, message, depth)
    }

    /// Hands over a field's value, or a stray line.
    fn scanned(&mut self, layer: &Layer<'_>, put: &Put, message: Option<&Message<'_>>) -> Flow {
        let Put { name, value, encoded } = put;
        if name.is_empty() {
            return self.raw_text(layer, value.clone(), Dialect::Plain, message);
        }
        let kind = Kind::Header(layer.slice(name));
        let len = self.part.len();
        if len > 0 {
            self.part.push_str(".0");
        }
        let raw = layer.slice(value);
        let go_on = |walk: &mut Self, inner: &Layer<'_>| {
            walk.emit(inner, inner.whole(), kind, Charset::Utf8, message)
        };
        let flow = if *encoded {
            let text = encoded_word::decode(raw, value.start);
            self.derived(layer, text, &layer.names("rfc2047"), go_on)
        } else if is_folded_url(raw) {
            self.derived(layer, unfolded(raw, value.start), layer.decoded, go_on)
        } else {
            self.emit(layer, value.clone(), kind, Charset::Utf8, message)
        };
        self.part.truncate(len);
        flow
    }
}

/// Whether the subject `text[subject]` says that the message is a digest.
fn is_digest(text: &[u8], subject: Range<usize>) -> bool {
    let Range { start, end } = subject;
    // By the rarest letter; a search for the word would cost more than the subject is long.
    lanes::find_g(text, subject).any(|g| {
        let word = text.get(g.saturating_sub(2).max(start)..(g + 4).min(end));
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
