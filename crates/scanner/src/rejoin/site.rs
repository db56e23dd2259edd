//! A line break that a URL reaches, and the lines on both sides of it.

use super::line_start::starts_separate_item;
use super::tail::{self, Tail};
use crate::extent::opener;
use crate::text::blank::{leading_blanks_len, trim_blanks_at_end};
use crate::text::comment::comment_leader;
use crate::text::line::{self, line_at, line_before};
use crate::text::quote::{Margin, margin_of};
use crate::text::undecoded::{self, Encoding};
use crate::{Grade, Input, JoinEvidence, JoinEvidenceSet, JoinKind, Rejoin};
use urlsift_core::{BreakKind, Span};

/// The number of bytes before and after a break in which evidence is gathered.
pub(crate) const WINDOW: usize = 64 * 1024;

/// The maximum number of lines that are joined to look for a twin (the joined URL, unbroken
/// nearby).
const MAX_TWIN_LINES: usize = 10;

/// A line break at which a bare URL may end or continue, with what is known about the URL so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BreakSite<'a> {
    pub(crate) input: &'a Input<'a>,
    /// The URL's raw extent on the line that ends here, untrimmed. Only blanks are between it and
    /// the break.
    pub(crate) url: Span,
    /// The offset of the line break's first byte.
    pub(crate) break_at: usize,
    /// The offset at which the URL starts, or its prefix if it has one.
    pub(crate) outer: usize,
    /// True if the URL so far may contain a round bracket or `*`.
    pub(crate) has_mark: bool,
    /// The evidence that is required to join.
    pub(crate) level: Rejoin,
    /// The URL so far without layout: its parts on this line and on those before it.
    pub(crate) joined_so_far: &'a [u8],
    /// The text's encoding, as the earlier breaks in this URL show it.
    pub(crate) encoding: Encoding,
}

impl BreakSite<'_> {
    /// Returns the bracket or quote that opened before the URL and is still open at the break, or
    /// `None` if there is none.
    pub(super) fn opener(&self) -> Option<u8> {
        let text = self.input.text;
        // Only for a URL that continues from an earlier line: the current line doesn't contain its
        // opener.
        let opened =
            if self.is_chain() { opener::opener_right_before(text, self.outer) } else { None };
        opened
            .or_else(|| opener::opener_of_url(text, self.outer, self.joined_so_far, self.has_mark))
    }

    /// True if this may be a soft break of quoted-printable that was not decoded. This is a fast
    /// check with false positives, after which [`Self::is_undecoded_soft_break`] decides. The `=`
    /// before a soft break is not part of the URL.
    pub(super) fn may_be_undecoded_soft_break(&self) -> bool {
        // Blanks after the `=` were added in transit, but they are no reason to assume the
        // encoding.
        self.level == Rejoin::Likely
            && (self.url.end == self.break_at || self.encoding == Encoding::QuotedPrintable)
            && undecoded::may_break_softly(self.joined_so_far, self.encoding)
    }

    /// True if this is a soft break of quoted-printable that was not decoded. Call it only if
    /// [`Self::may_be_undecoded_soft_break`] returns true. `start` is the start of the line that
    /// the break ends.
    pub(super) fn is_undecoded_soft_break(&self, start: usize) -> bool {
        self.encoding == Encoding::QuotedPrintable
            || undecoded::is_soft_break(self.input.text, self.joined_so_far, start, self.break_at)
    }

    /// True if the URL and the next line are in the same block comment. `margin` is the next line's
    /// margin, and `next` its text.
    #[inline(always)]
    pub(super) fn is_in_block_comment(&self, margin: Margin, next: &[u8]) -> bool {
        let may_continue = margin.len > 0 && next.starts_with(b"* ");
        // Prose ends the URL in comments, too.
        may_continue && !tail::is_prose(&next[b"* ".len()..]) && {
            let text = self.input.text;
            let start = self.break_at - line_before(text, self.break_at).len();
            line::is_in_block_comment(text, start, self.break_at)
        }
    }

    /// True if the URL already continued over an earlier break.
    pub(super) fn is_chain(&self) -> bool {
        self.joined_so_far.len() > self.url.len()
    }

    /// Returns the kind of this break according to the text's format (`format=flowed`), or `None`
    /// if the format defines none.
    #[inline(always)]
    pub(super) fn soft_break(&self) -> Option<BreakKind> {
        let breaks = &self.input.breaks;
        if breaks.is_empty() { None } else { breaks.kind_at(self.break_at) }
    }
}

/// The offset at which a URL continues after a break, and the reason to join it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Continuation {
    /// The number of bytes at the end of the URL's extent that are layout too: 1 for the `=` of an
    /// undecoded soft break of quoted-printable, else 0.
    pub(crate) cut: usize,
    /// The offset of the rest of the URL on the next line, after quote marks and indentation.
    pub(crate) resume: usize,
    /// The kind of evidence for the join.
    pub(crate) kind: JoinKind,
    /// The confidence that the join is correct.
    pub(crate) grade: Grade,
    /// Why the URL was continued after the break. Empty if the kind alone explains the join.
    pub(crate) evidence: JoinEvidenceSet,
}

impl Continuation {
    /// Returns a continuation at byte `resume` that its kind alone explains.
    pub(super) const fn by_kind(resume: usize, kind: JoinKind, grade: Grade) -> Self {
        Self { cut: 0, resume, kind, grade, evidence: JoinEvidenceSet::EMPTY }
    }

    /// Returns a likely continuation at byte `resume`, because of `evidence`.
    pub(super) const fn likely(resume: usize, kind: JoinKind, evidence: JoinEvidenceSet) -> Self {
        Self { cut: 0, resume, kind, grade: Grade::Likely, evidence }
    }

    /// Returns a continuation at byte `resume`, after a backslash that is not part of the URL.
    pub(crate) const fn after_escape(resume: usize) -> Self {
        Self::by_kind(resume, JoinKind::Escape, Grade::Certain)
    }

    /// Returns a continuation at byte `resume`, after a fold that is marked by a backslash.
    pub(crate) const fn after_fold(resume: usize) -> Self {
        Self::by_kind(resume, JoinKind::Continuation, Grade::Certain)
    }

    /// Returns a continuation at byte `resume`, after terminal codes that only format the text.
    pub(crate) const fn after_terminal_codes(resume: usize) -> Self {
        Self::by_kind(resume, JoinKind::Ansi, Grade::Certain)
    }

    /// Returns a continuation at byte `resume`, after a soft break of quoted-printable that was not
    /// decoded. The `=` before the break is dropped too.
    pub(crate) const fn after_undecoded_soft_break(resume: usize) -> Self {
        let evidence = JoinEvidenceSet::EMPTY.with(JoinEvidence::QuotedPrintable);
        Self { cut: 1, ..Self::likely(resume, JoinKind::Continuation, evidence) }
    }
}

/// The line after a break, split into margin and text.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextLine<'t> {
    /// The offset of the line's first byte.
    pub(super) start: usize,
    pub(super) margin: Margin,
    /// The whole line.
    pub(super) line: &'t [u8],
    /// The line without its margin and trailing blanks.
    pub(super) text: &'t [u8],
    /// The offset of the line below.
    pub(super) below: usize,
}

impl<'t> NextLine<'t> {
    /// Returns the line that starts at byte `start`. `margin` is its quote marks and indentation.
    pub(super) fn new(text: &'t [u8], start: usize, margin: Margin) -> Self {
        let (line, below) = line_at(text, start);
        Self {
            start,
            margin,
            line,
            text: trim_blanks_at_end(line.get(margin.len..).unwrap_or_default()),
            below,
        }
    }
}

/// The lines before and after a break, and the line below them.
#[derive(Clone, Copy, Debug)]
pub(super) struct BreakLines<'t> {
    /// The start of the line before the break, or the earliest byte that is read.
    pub(super) start: usize,
    /// The start of that line's text, after its margin.
    pub(super) text_start: usize,
    /// The offset of the next line's text, after its margin.
    pub(super) resume: usize,
    /// The text of the next line, without its margin.
    pub(super) next: &'t [u8],
    /// The next line up to its text.
    pub(super) next_indent: &'t [u8],
    /// True if only quote marks precede the next line's text.
    pub(super) next_is_flush: bool,
    /// The start of the line after the next one.
    pub(super) after: usize,
    /// The text of the line after the next one.
    pub(super) below: &'t [u8],
    /// True if the lines are in a comment, so that a comment leader may precede the text.
    is_comment: bool,
}

impl<'t> BreakLines<'t> {
    /// Reads the lines around the break. Returns `None` if a comment ends at the break. Also
    /// returns `None` if the next line has other quote marks or more of them, because then somebody
    /// else wrote it.
    pub(super) fn around(text: &'t [u8], site: &BreakSite<'_>, next: NextLine<'t>) -> Option<Self> {
        let line = line_before(text, site.break_at);
        let start = site.break_at - line.len();
        let (own, its) = (margin_of(line), next.margin);
        if its.depth > own.depth && !lost_its_marks(text, start, its.depth, site.is_chain())
            || !marks_are_compatible(&line[..own.marks], &next.line[..its.marks])
        {
            return None;
        }
        // A URL in a comment continues in a comment.
        let own_text = text.get(start + own.len..site.url.start).unwrap_or_default();
        let is_block = site.is_in_block_comment(next.margin, next.text);
        let leader = if is_block { b"*" } else { line::trailing_comment_leader(own_text) };
        if !is_block && !leader.is_empty() && comment_leader(next.text) != leader {
            return None;
        }
        // Don't compare with an empty leader: it has no address, so the comparison costs a third of
        // a microsecond on processors that mask loads.
        let past = |line: &[u8], margin: usize| {
            let rest = line.get(margin..).unwrap_or_default();
            let has_leader = !leader.is_empty() && rest.starts_with(leader);
            let margin = if has_leader { margin + leader.len() } else { margin };
            margin + leading_blanks_len(line.get(margin..).unwrap_or_default())
        };
        let own_len = past(line, own.len);
        let len = past(next.line, its.len);
        let (below, _) = line_at(text, next.below);
        // A continuation starts below its line's text, or further right, or at the margin, where
        // software that ignores indentation puts it.
        let next_indent = next.line.get(..len)?;
        let is_flush = its.len == its.marks || (own.depth > 0 && its.len <= its.marks + 1);
        Some(Self {
            start,
            text_start: start + own_len,
            resume: next.start + len,
            next: trim_blanks_at_end(next.line.get(len..)?),
            next_indent,
            next_is_flush: is_flush,
            after: next.below,
            below: trim_blanks_at_end(
                below.get(past(below, margin_of(below).len)..).unwrap_or_default(),
            ),
            is_comment: !leader.is_empty(),
        })
    }

    /// True if the URL may continue beyond the next line, on the line below it. `first` is the next
    /// line's token.
    fn may_continue_below(&self, first: Tail<'_>) -> bool {
        first.is_alone && (self.is_comment || !line_ends_url(self.below))
    }

    /// Returns the tokens with which the URL may continue on the lines below the next one, in
    /// order. It stops at a line with more than one token. `first` is the next line's token.
    pub(super) fn tails_of_further_lines(
        &self,
        text: &'t [u8],
        first: Tail<'t>,
    ) -> impl Iterator<Item = Tail<'t>> {
        let (mut at, mut is_alone) = (self.after, self.may_continue_below(first));
        std::iter::from_fn(move || {
            if !is_alone || at >= text.len() {
                return None;
            }
            let (line, after) = line_at(text, at);
            let body = trim_blanks_at_end(line.get(margin_of(line).len..).unwrap_or_default());
            if line_ends_url(body) || tail::is_furniture(body, None) {
                return None;
            }
            let tail = Tail::new(body, None);
            (at, is_alone) = (after, tail.is_alone);
            Some(tail)
        })
        .take(MAX_TWIN_LINES - 1)
    }
}

/// True if a URL can't continue on a line with the text `body`.
fn line_ends_url(body: &[u8]) -> bool {
    body.is_empty() || starts_separate_item(body)
}

/// True if the line that starts at byte `start` has probably lost its quote marks. The line above
/// it then has `next_depth` quote marks, as many as the next line.
///
/// If the URL continued over earlier breaks (`is_chain`), all of its lines may have lost their
/// marks.
pub(super) fn lost_its_marks(text: &[u8], start: usize, next_depth: usize, is_chain: bool) -> bool {
    line::line_end_above(text, start).is_some_and(|end| {
        let mut above =
            line::lines_before(text, end).take(if is_chain { MAX_LOST_LINES } else { 1 });
        above.any(|line| margin_of(&text[line.range()]).depth == next_depth)
    })
}

/// The maximum number of consecutive lines that may have lost their quote marks.
const MAX_LOST_LINES: usize = 3;

/// True if one of the quote marks `a` and `b` starts with the other. Blanks are ignored.
fn marks_are_compatible(a: &[u8], b: &[u8]) -> bool {
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
