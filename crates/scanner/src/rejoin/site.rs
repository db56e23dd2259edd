//! A break that a URL reaches, and the lines on both sides of it.

use super::line_start::starts_other_thing;
use super::tail::{self, Tail};
use crate::extent::opener;
use crate::text::blank::{blanks_len, trim_end};
use crate::text::line::{self, Encoding, line_at, line_before};
use crate::text::quote::{Margin, margin};
use crate::{Grade, Input, JoinKind, Rejoin};
use urlsift_core::{BreakKind, Span};

/// How far from a break evidence is taken, in bytes on either side.
pub(crate) const WINDOW: usize = 64 * 1024;

/// A twin is looked for over at most so many lines.
const MAX_TWIN_LINES: usize = 10;

/// A break that a bare URL reaches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BreakSite<'a> {
    /// The text.
    pub(crate) input: &'a Input<'a>,
    /// The URL's raw extent on the line that ends here, untrimmed. Between it and the break stand
    /// only blanks.
    pub(crate) url: Span,
    /// The offset of the line break's first byte.
    pub(crate) break_at: usize,
    /// Where the URL starts, or its prefix if it has one.
    pub(crate) outer: usize,
    /// Whether a round bracket may stand in the URL so far.
    pub(crate) has_bracket: bool,
    /// How far to go.
    pub(crate) level: Rejoin,
    /// The URL so far, layout left out: what stands on this line and on those before it.
    pub(crate) joined_so_far: &'a [u8],
    /// What the breaks before this one tell.
    pub(crate) encoding: Encoding,
}

impl BreakSite<'_> {
    /// The bracket or quote that opened before the URL and is still open.
    pub(super) fn opener(&self) -> Option<u8> {
        let text = self.input.text;
        // On further lines nothing tells what opened right before the URL.
        let opened = if self.is_chain() { opener::right_before(text, self.outer) } else { None };
        opened.or_else(|| opener::before(text, self.outer, self.joined_so_far, self.has_bracket))
    }

    /// Whether this may be a soft break of quoted-printable that was not decoded: its `=` is layout then.
    pub(super) fn may_be_undecoded_soft_break(&self) -> bool {
        // (Blanks behind it were added on the way, but this is no place to begin with.)
        self.level == Rejoin::Likely
            && (self.url.end == self.break_at || self.encoding == Encoding::QuotedPrintable)
            && line::may_break_softly(self.joined_so_far, self.encoding)
    }

    /// Whether it is one, if it may be and its line starts at that byte.
    pub(super) fn is_undecoded_soft_break(&self, start: usize) -> bool {
        self.encoding == Encoding::QuotedPrintable
            || line::is_quoted_printable(self.input.text, start, self.break_at)
    }

    /// Whether the URL and the next line, whose margin and own text are given, stand in one block comment.
    #[inline(always)]
    pub(super) fn is_in_block_comment(&self, margin: Margin, next: &[u8]) -> bool {
        let may_go_on = margin.len > 0 && next.starts_with(b"* ");
        // Prose ends the URL there, too.
        may_go_on && !tail::is_prose(&next[b"* ".len()..]) && {
            let text = self.input.text;
            let start = self.break_at - line_before(text, self.break_at).len();
            line::is_in_block_comment(text, start, self.break_at)
        }
    }

    /// Whether the URL came over a break before.
    pub(super) fn is_chain(&self) -> bool {
        self.joined_so_far.len() > self.url.len()
    }

    /// What the format says of the break.
    #[inline(always)]
    pub(super) fn soft_break(&self) -> Option<BreakKind> {
        let breaks = &self.input.breaks;
        if breaks.is_empty() { None } else { breaks.kind(self.break_at) }
    }
}

/// Where a URL goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Continuation {
    /// How many bytes at the end of the URL's extent are layout too: the `=` of a soft break of
    /// quoted-printable that was not decoded, else none.
    pub(crate) cut: usize,
    /// The offset on the next line, past quote marks and indentation.
    pub(crate) resume: usize,
    /// On what evidence.
    pub(crate) kind: JoinKind,
    /// How sure.
    pub(crate) grade: Grade,
}

impl Continuation {
    /// Behind a backslash that is no part of the URL.
    pub(crate) const fn escape(resume: usize) -> Self {
        Self { cut: 0, resume, kind: JoinKind::Escape, grade: Grade::Certain }
    }

    /// Behind a soft break of quoted-printable, whose `=` is layout too.
    pub(super) const fn undecoded_soft_break(resume: usize) -> Self {
        Self { cut: 1, resume, kind: JoinKind::Continuation, grade: Grade::Likely }
    }
}

/// The line after a break.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextLine<'t> {
    /// The offset of its first byte.
    pub(super) start: usize,
    pub(super) margin: Margin,
    /// All of it, and what stands after its margin, without the blanks at its end.
    pub(super) line: &'t [u8],
    pub(super) text: &'t [u8],
    /// The offset of the line below.
    pub(super) below: usize,
}

impl<'t> NextLine<'t> {
    /// The line that starts here with that margin.
    pub(super) fn new(text: &'t [u8], start: usize, margin: Margin) -> Self {
        let (line, below) = line_at(text, start);
        Self {
            start,
            margin,
            line,
            text: trim_end(line.get(margin.len..).unwrap_or_default()),
            below,
        }
    }
}

/// The lines on both sides of a break.
#[derive(Clone, Copy, Debug)]
pub(super) struct BreakLines<'t> {
    /// Where the line before the break starts, or as far back as is looked at.
    pub(super) start: usize,
    /// Where its own text starts, past its margin.
    pub(super) text_start: usize,
    /// Where the next line's own text starts, and that text.
    pub(super) resume: usize,
    pub(super) next: &'t [u8],
    /// What stands before it.
    pub(super) next_indent: &'t [u8],
    /// Whether nothing but quote marks stands before it.
    pub(super) next_is_flush: bool,
    /// Where the line after the next starts, and its own text.
    pub(super) after: usize,
    pub(super) below: &'t [u8],
    /// Whether a comment's leader may stand before that text.
    is_comment: bool,
}

impl<'t> BreakLines<'t> {
    /// `None` if the next line is quoted deeper or otherwise, so that it is somebody else's, or if a comment ends.
    pub(super) fn around(text: &'t [u8], site: &BreakSite<'_>, next: NextLine<'t>) -> Option<Self> {
        let line = line_before(text, site.break_at);
        let start = site.break_at - line.len();
        let (own, its) = (margin(line), next.margin);
        if its.depth > own.depth && !lost_its_marks(text, start, its.depth, site.is_chain())
            || !marks_go_together(&line[..own.marks], &next.line[..its.marks])
        {
            return None;
        }
        // What stands in a comment goes on in a comment.
        let own_text = text.get(start + own.len..site.url.start).unwrap_or_default();
        let is_block = site.is_in_block_comment(next.margin, next.text);
        let leader = if is_block { b"*" } else { line::comment(own_text) };
        if !is_block && !leader.is_empty() && line::leader(next.text) != leader {
            return None;
        }
        // (To compare with nothing costs a third of a microsecond where the processor masks its
        // loads: nothing has no address.)
        let past = |line: &[u8], margin: usize| {
            let rest = line.get(margin..).unwrap_or_default();
            let has_leader = !leader.is_empty() && rest.starts_with(leader);
            let margin = if has_leader { margin + leader.len() } else { margin };
            margin + blanks_len(line.get(margin..).unwrap_or_default())
        };
        let own_len = past(line, own.len);
        let len = past(next.line, its.len);
        let (below, _) = line_at(text, next.below);
        // A continuation stands under its line's text, or deeper, or at the margin, where a machine
        // that knows nothing of indentation puts it.
        let next_indent = next.line.get(..len)?;
        let is_flush = its.len == its.marks || (own.depth > 0 && its.len <= its.marks + 1);
        Some(Self {
            start,
            text_start: start + own_len,
            resume: next.start + len,
            next: trim_end(next.line.get(len..)?),
            next_indent,
            next_is_flush: is_flush,
            after: next.below,
            below: trim_end(below.get(past(below, margin(below).len)..).unwrap_or_default()),
            is_comment: !leader.is_empty(),
        })
    }

    /// Whether the URL may go on behind the token of the next line, too. Most go on over no further line.
    fn may_go_on(&self, first: Tail<'_>) -> bool {
        first.lone && (self.is_comment || !ends_url(self.below))
    }

    /// What the URL would be made of if it went on over further lines: behind the token of the next
    /// line, as long as lines hold nothing else, those of the lines below.
    pub(super) fn tails(&self, text: &'t [u8], first: Tail<'t>) -> impl Iterator<Item = Tail<'t>> {
        let (mut at, mut lone) = (self.after, self.may_go_on(first));
        std::iter::from_fn(move || {
            if !lone || at >= text.len() {
                return None;
            }
            let (line, after) = line_at(text, at);
            let body = trim_end(line.get(margin(line).len..).unwrap_or_default());
            if ends_url(body) || tail::is_furniture(body, None) {
                return None;
            }
            let tail = Tail::new(body, None);
            (at, lone) = (after, tail.lone);
            Some(tail)
        })
        .take(MAX_TWIN_LINES - 1)
    }
}

/// Whether a URL has ended before a line of that text.
fn ends_url(body: &[u8]) -> bool {
    body.is_empty() || starts_other_thing(body)
}

/// Whether the line that starts here has lost quote marks: the one above has as many as the next one. Where a URL
/// came over breaks before, the marks may be lost on all its lines.
pub(super) fn lost_its_marks(text: &[u8], start: usize, next_depth: usize, is_chain: bool) -> bool {
    line::above(text, start).is_some_and(|end| {
        let mut above = line::lines_before(text, end).take(if is_chain { MOST_LOST } else { 1 });
        above.any(|line| margin(&text[line.range()]).depth == next_depth)
    })
}

/// No more lines are looked at for the marks that were lost.
const MOST_LOST: usize = 3;

/// Whether the marks of one line are those of the other, or fewer of them.
fn marks_go_together(a: &[u8], b: &[u8]) -> bool {
    let mut a = a.iter().filter(|byte| !matches!(byte, b' ' | b'\t'));
    let mut b = b.iter().filter(|byte| !matches!(byte, b' ' | b'\t'));
    loop {
        match (a.next(), b.next()) {
            (Some(a), Some(b)) if a != b => return false,
            (Some(_), Some(_)) => {}
            _ => return true,
        }
    }
}
