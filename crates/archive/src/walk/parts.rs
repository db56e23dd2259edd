//! Bodies of several parts: multipart, and digests in plain text.

use super::{Flow, Layer, Walk};
use crate::content::{Content, Type};
use crate::document::Dialect;
use crate::{Message, digest, mbox};
use core::ops::ControlFlow::Continue;
use core::ops::Range;
use memchr::{memchr, memmem};

impl Walk<'_> {
    /// The parts of a multipart body, and the text around them.
    pub(super) fn multipart(
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
    pub(super) fn digest(
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
pub(super) struct Delimiter {
    /// Its first byte.
    start: usize,
    /// One past its line break.
    end: usize,
    /// Whether it is the last (`--boundary--`).
    closes: bool,
}

/// Finds the delimiter lines of one boundary.
pub(super) struct Delimiters<'b> {
    finder: memmem::Finder<'b>,
}

impl<'b> Delimiters<'b> {
    pub(super) fn new(boundary: &'b [u8]) -> Self {
        Self { finder: memmem::Finder::new(boundary) }
    }

    /// The first delimiter line in `body` at or after `from`.
    pub(super) fn next(&self, body: &[u8], from: usize) -> Option<Delimiter> {
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
