//! The outline of a long message: its headers and delimiters, and the offsets of the bodies between
//! them.
//!
//! The outline is found in one pass, by the same rules as in [`crate::walk`]: delimiters of outer
//! bodies take precedence over those of inner ones, and a delimiter also ends a header.

use super::cuts::Cuts;
use crate::content::{Content, Encoding, MediaType};
use crate::options::Options;
use crate::walk::{EntityHeader, parse_delimiter};
use memchr::memmem;
use std::sync::LazyLock;

/// The maximum total length of the headers and delimiters of a message, in bytes. If there are
/// more, the rest of the message is read as one text, because each piece is read with the whole
/// outline.
const MAX_FRAME_LEN: usize = 16 << 20;
/// The number of bytes that must follow a header before it is known to be complete.
const SLACK: usize = 2048;
/// The maximum length of a delimiter line, in bytes.
const MAX_DELIMITER_LEN: usize = 4096;

/// Finds the starts of possible delimiter lines.
static DASHES: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("\n--"));

/// A body without parts: text, or data that is skipped.
#[derive(Debug)]
pub(super) struct Leaf {
    pub start: u64,
    pub end: u64,
    /// The offsets at which the body can be cut, in order.
    pub cuts: Vec<u64>,
    /// The start of the body, if it is needed to decode the rest.
    pub head: Vec<u8>,
}

/// A multipart body that contains the current offset.
#[derive(Debug)]
struct Open {
    boundary: Vec<u8>,
    /// The media type of parts whose header gives none.
    default: MediaType,
    /// The nesting depth of the body.
    depth: usize,
}

/// The part of the message that contains the current offset.
#[derive(Debug)]
enum State {
    /// The header of a part, or of the message.
    Header { default: MediaType, depth: usize },
    /// A body.
    Body(Box<Body>),
}

#[derive(Debug)]
struct Body {
    start: u64,
    cuts: Cuts,
    keeps_head: bool,
    head: Vec<u8>,
}

/// A builder for the outline of a long message: its headers and delimiters, and the offsets of its
/// bodies. The message is read in chunks.
#[derive(Debug)]
pub(super) struct Outliner {
    max_depth: usize,
    max_parts: usize,
    step: u64,
    open: Vec<Open>,
    parts: usize,
    state: State,
    /// The current offset in the message.
    at: u64,
    /// True if a line starts at the current offset.
    is_line_start: bool,
    /// The headers and delimiters of the message, without the bodies between them.
    pub frame: Vec<u8>,
    /// The bodies between the headers and delimiters of `frame`, in order.
    pub leaves: Vec<Leaf>,
}

/// The result of the search for a delimiter line of a multipart body.
enum Found {
    /// A delimiter of the open body with this index, its range, and true if it is the body's last
    /// one.
    Delimiter { open: usize, start: usize, end: usize, closes: bool },
    /// There is no delimiter before this offset.
    None(usize),
}

impl Outliner {
    /// Returns a builder for an empty outline. `min_cut_distance` is the minimum distance between
    /// the offsets at which bodies can be cut, in bytes.
    pub(super) fn new(options: &Options, min_cut_distance: u64) -> Self {
        Self {
            max_depth: options.max_depth,
            max_parts: options.max_parts,
            step: min_cut_distance,
            open: Vec::new(),
            parts: 0,
            state: State::Header { default: MediaType::Text, depth: 0 },
            at: 0,
            is_line_start: true,
            frame: Vec::new(),
            leaves: Vec::new(),
        }
    }

    /// Makes the outline treat everything after the header as one text.
    pub(super) fn treat_rest_as_text(&mut self) {
        self.max_depth = 0;
    }

    /// Reads the lines before the first header, such as the `From ` line of a mailbox.
    pub(super) fn read_envelope(&mut self, line: &[u8]) {
        self.add_to_frame(line);
    }

    /// Makes the outline treat the rest as a body with the properties `content`.
    pub(super) fn start_body(&mut self, content: &Content<'_>) {
        self.state = State::Body(Box::new(Body::new(content, self.at, self.step)));
    }

    /// Reads the next bytes of the message. `is_last` is true if no more bytes follow. Returns the
    /// number of bytes read. In the next call, pass the unread rest of `bytes` again, with more
    /// bytes after it.
    pub(super) fn push(&mut self, bytes: &[u8], is_last: bool) -> usize {
        let mut done = 0;
        while done < bytes.len() {
            let rest = bytes.get(done..).unwrap_or_default();
            let taken = match self.state {
                State::Header { default, depth } => self.read_header(rest, is_last, default, depth),
                State::Body(_) => Some(self.read_body(rest, is_last)).filter(|&taken| taken > 0),
            };
            let Some(taken) = taken else { break };
            done += taken;
        }
        if is_last {
            self.end_body();
        }
        done
    }

    /// Adds `bytes` to the frame, and moves the current offset to their end. `bytes` must start at
    /// the current offset, and be a header, a delimiter or the envelope.
    fn add_to_frame(&mut self, bytes: &[u8]) {
        self.frame.extend_from_slice(bytes);
        self.advance_past(bytes);
    }

    /// Moves the current offset to the end of `bytes`. `bytes` must start at the current offset.
    fn advance_past(&mut self, bytes: &[u8]) {
        self.at += bytes.len() as u64;
        if let Some(&byte) = bytes.last() {
            self.is_line_start = byte == b'\n';
        }
    }

    /// Reads the header at the start of `bytes`, which must start at the current offset. Returns
    /// its length in bytes, or `None` if it may continue after `bytes`. `default` is the media type
    /// of a body whose header gives none, and `depth` is the nesting depth. `is_last` is true if no
    /// more bytes follow.
    fn read_header(
        &mut self,
        bytes: &[u8],
        is_last: bool,
        default: MediaType,
        depth: usize,
    ) -> Option<usize> {
        let (limit, is_limited) = match self.find_delimiter(bytes, is_last) {
            Found::Delimiter { start, .. } => (start, true),
            Found::None(_) => (bytes.len(), is_last),
        };
        let header = bytes.get(..limit).unwrap_or_default();
        let parsed = EntityHeader::read(header, default);
        if !is_limited && parsed.end + SLACK > limit {
            return None;
        }
        let end = parsed.end.min(limit);
        let content = parsed.content;
        if default == MediaType::Message && parsed.is_mail {
            // The header belongs to the message, so it is read again as the message's header.
            self.state = State::Header { default: MediaType::Text, depth: depth + 1 };
            return Some(0);
        }
        let default = match content.kind {
            MediaType::Digest => MediaType::Message,
            _ => MediaType::Text,
        };
        let may_nest = depth < self.max_depth;
        let is_multipart = matches!(content.kind, MediaType::Multipart | MediaType::Digest);
        if is_multipart && may_nest && !content.boundary.is_empty() {
            let boundary = content.boundary.to_vec();
            self.open.push(Open { boundary, default, depth });
        }
        if content.kind == MediaType::Message && content.encoding == Encoding::None && may_nest {
            self.state = State::Header { default: MediaType::Text, depth: depth + 1 };
        } else {
            let start = self.at + end as u64;
            self.state = State::Body(Box::new(Body::new(&content, start, self.step)));
        }
        self.add_to_frame(bytes.get(..end).unwrap_or_default());
        Some(end)
    }

    /// Reads the part of the current body that is in `bytes`, and the delimiter after it if `bytes`
    /// contains it. `bytes` must start at the current offset. Returns the number of bytes read.
    /// `is_last` is true if no more bytes follow.
    fn read_body(&mut self, bytes: &[u8], is_last: bool) -> usize {
        let found = if self.frame.len() > MAX_FRAME_LEN {
            Found::None(bytes.len())
        } else {
            self.find_delimiter(bytes, is_last)
        };
        let (start, delimiter) = match found {
            Found::None(to) => (to, None),
            Found::Delimiter { open, start, end, closes } => (start, Some((open, end, closes))),
        };
        let text = bytes.get(..start).unwrap_or_default();
        if let State::Body(body) = &mut self.state {
            body.push(text);
        }
        self.advance_past(text);
        let Some((open, end, closes)) = delimiter else { return start };
        self.end_body();
        self.add_to_frame(bytes.get(start..end).unwrap_or_default());
        self.open.truncate(open + 1);
        if !closes {
            self.parts += 1;
            if let Some(open) = self.open.last().filter(|_| self.parts <= self.max_parts) {
                self.state = State::Header { default: open.default, depth: open.depth + 1 };
                return end;
            }
            // There are too many parts, so the rest of this body is text.
            self.open.pop();
        }
        self.state = State::Body(Box::new(Body::new(&Content::default(), self.at, self.step)));
        end
    }

    /// Ends the current body at the current offset.
    fn end_body(&mut self) {
        let State::Body(body) = &mut self.state else { return };
        let Body { start, cuts, head, keeps_head } =
            core::mem::replace(&mut **body, Body::new(&Content::default(), self.at, self.step));
        let end = self.at;
        if start < end {
            let cuts: Vec<u64> = cuts.finish().into_iter().filter(|&cut| cut < end).collect();
            let first = cuts.first().map_or(0, |first| usize::try_from(first - start).unwrap_or(0));
            let mut head = head;
            head.truncate(first);
            head.shrink_to_fit();
            let head = if keeps_head { head } else { Vec::new() };
            self.leaves.push(Leaf { start, end, cuts, head });
        }
    }

    /// Returns the first delimiter of any open multipart body in `bytes`. `bytes` must start at the
    /// current offset. `is_last` is true if no more bytes follow.
    fn find_delimiter(&self, bytes: &[u8], is_last: bool) -> Found {
        if self.open.is_empty() {
            return Found::None(bytes.len());
        }
        let first = (self.is_line_start && bytes.starts_with(b"--")).then_some(0);
        // A single byte may be the start of a delimiter.
        let short = bytes.len() < 2 && self.is_line_start;
        if short && !is_last {
            return Found::None(0);
        }
        for start in first.into_iter().chain(DASHES.find_iter(bytes).map(|at| at + 1)) {
            let line = bytes.get(start..).unwrap_or_default();
            let end = memchr::memchr(
                b'\n',
                line.get(..MAX_DELIMITER_LEN.min(line.len())).unwrap_or_default(),
            );
            if end.is_none() && !is_last && line.len() < MAX_DELIMITER_LEN {
                return Found::None(start);
            }
            let line = line
                .get(..end.map_or(line.len().min(MAX_DELIMITER_LEN), |end| end + 1))
                .unwrap_or_default();
            for (open, of) in self.open.iter().enumerate() {
                if let Some((len, closes)) = parse_delimiter(line, &of.boundary) {
                    return Found::Delimiter { open, start, end: start + len, closes };
                }
            }
        }
        // The last bytes may be the start of a delimiter.
        let keep = usize::from(!is_last && bytes.ends_with(b"\n-"));
        Found::None(bytes.len() - keep)
    }
}

impl Body {
    fn new(content: &Content<'_>, start: u64, step: u64) -> Self {
        let keeps_head = super::cuts::needs_start_to_decode(content);
        Self { start, cuts: Cuts::new(content, start, step), keeps_head, head: Vec::new() }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.cuts.search_chunk(bytes);
        if self.keeps_head && self.cuts.cuts_so_far().is_empty() {
            self.head.extend_from_slice(bytes);
        } else if self.keeps_head {
            let first = self.cuts.cuts_so_far().first().copied().unwrap_or(self.start);
            let missing =
                usize::try_from(first - self.start).unwrap_or(0).saturating_sub(self.head.len());
            self.head.extend_from_slice(bytes.get(..missing.min(bytes.len())).unwrap_or_default());
        }
    }
}
