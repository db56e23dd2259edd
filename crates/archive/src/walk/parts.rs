//! The walk through bodies with several parts: multipart bodies, and digests in plain text.

use super::walker::{Flow, Stage, Walker};
use crate::content::{Content, MediaType};
use crate::digest;
use crate::limit::Limit;
use crate::mbox::MessageRange;
use core::ops::ControlFlow::Continue;
use core::ops::Range;
use memchr::{memchr, memmem};

impl Walker<'_> {
    /// Walks the parts of the multipart body at `range`, and the text around them.
    pub(super) fn walk_multipart(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        content: &Content<'_>,
    ) -> Flow {
        let body = stage.slice(&range);
        let delimiters = Delimiters::new(content.boundary);
        let Some(first) = delimiters.next_delimiter(body, 0) else {
            return self.emit_raw_text(stage, range);
        };
        if stage.depth >= self.options.max_depth {
            self.tally.limits.add(Limit::Nesting, 1);
            return self.emit_raw_text(stage, range);
        }
        let default = match content.kind {
            MediaType::Digest => MediaType::Message,
            _ => MediaType::Text,
        };
        let start = range.start;
        self.emit_text_between_parts(stage, start..start + first.start)?;
        let len = self.part.len();
        let mut at = first;
        let mut number = 0_usize;
        loop {
            let next = delimiters.next_delimiter(body, at.end);
            let end = next.as_ref().map_or(body.len(), |next| next.start);
            if at.closes {
                self.emit_text_between_parts(stage, start + at.end..start + end)?;
            } else {
                self.parts += 1;
                number += 1;
                if self.parts > self.options.max_parts {
                    self.tally.limits.add(Limit::Parts, 1);
                    // The rest of this body is scanned as plain text.
                    return self.emit_raw_text(stage, start + at.end..range.end);
                }
                if len > 0 {
                    self.part.push('.');
                }
                self.part.push_str(&number.to_string());
                let flow = self.walk_entity(
                    &stage.one_level_deeper(),
                    start + at.end..start + end,
                    default,
                );
                self.part.truncate(len);
                flow?;
            }
            match next {
                Some(next) => at = next,
                None => return Continue(()),
            }
        }
    }

    /// Walks a digest in plain text (RFC 1153): its messages, and the text around them.
    pub(super) fn walk_digest(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        content: &Content<'_>,
    ) -> Flow {
        let (start, mut done) = (range.start, range.start);
        if stage.depth < self.options.max_depth {
            for message in digest::digest_messages(stage.slice(&range)) {
                let message = start + message.start..start + message.end;
                self.emit_text(stage, done..message.start, content)?;
                done = message.end;
                self.walk_message(
                    &stage.one_level_deeper(),
                    MessageRange::without_envelope(message),
                )?;
            }
        } else if digest::digest_messages(stage.slice(&range)).next().is_some() {
            self.tally.limits.add(Limit::Nesting, 1);
        }
        self.emit_text(stage, done..range.end, content)
    }
}

/// A delimiter line of a multipart body.
pub(super) struct Delimiter {
    /// The offset of the line's first byte.
    start: usize,
    /// The offset after the line's line break.
    end: usize,
    /// True if it is the last delimiter of its boundary (`--boundary--`).
    closes: bool,
}

/// A search for the delimiter lines (`--boundary`) of a multipart body.
pub(super) struct Delimiters<'b> {
    finder: memmem::Finder<'b>,
}

impl<'b> Delimiters<'b> {
    pub(super) fn new(boundary: &'b [u8]) -> Self {
        Self { finder: memmem::Finder::new(boundary) }
    }

    /// Returns the first delimiter line in `body` at or after offset `from`, or `None` if there is
    /// none.
    pub(super) fn next_delimiter(&self, body: &[u8], from: usize) -> Option<Delimiter> {
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
            let line = body.get(start..).unwrap_or_default();
            if let Some((len, closes)) = parse_delimiter(line, boundary) {
                return Some(Delimiter { start, end: start + len, closes });
            }
        }
        None
    }
}

/// Parses the delimiter line at the start of `text`. Returns its length including the line break,
/// and true if it is the last delimiter of the boundary (`--boundary--`). Returns `None` if `text`
/// starts with no delimiter of this boundary.
pub(crate) fn parse_delimiter(text: &[u8], boundary: &[u8]) -> Option<(usize, bool)> {
    let rest = text.strip_prefix(b"--")?.strip_prefix(boundary)?;
    let closes = rest.starts_with(b"--");
    let tail = rest.get(if closes { 2 } else { 0 }..).unwrap_or_default();
    let eol = memchr(b'\n', tail);
    let line = tail.get(..eol.unwrap_or(tail.len())).unwrap_or_default();
    // If the line has more characters, it is the delimiter of another boundary that starts with
    // this one.
    let used = text.len() - tail.len() + eol.map_or(tail.len(), |eol| eol + 1);
    line.trim_ascii().is_empty().then_some((used, closes))
}
