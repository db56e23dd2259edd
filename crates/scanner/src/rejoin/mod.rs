//! Whether a bare URL that reaches the end of its line goes on on the next one.
//!
//! White space ends a bare URL, and a line break is white space; but mail programs, gateways and
//! formatters break long URLs too. RFC 1738 (Appendix) gives the wrapper as the cure, and texts
//! without it can only be read on evidence. [`decide`] weighs it for one break:
//!
//! - *certain*: a soft break of `format=flowed` with `DelSp` says that the two lines are one word;
//!   or the joined URL stands unbroken nearby (a *twin*).
//! - *likely*: the features of [`evidence`] add up.
//!
//! A wrong join is worse than a missed one: it destroys a good URL. All evidence comes from at
//! most [`WINDOW`] bytes on either side of the break, so that a text gives the same joins whole,
//! in pieces and in a stream; and the work for one break is bounded, so that it stays linear.

mod early_reject;
mod evidence;
mod layout;
mod nearby_urls;
mod soft_break;
mod swar;
mod tail;
#[cfg(test)]
mod tests;
mod uniform_lines;

use crate::read::bare::Pieces;
use crate::text::line;
use crate::text::line::{Margin, blanks_len, break_len, columns, margin, trim_end};
use crate::{Grade, Input, JoinKind, Rejoin};
use evidence::{ENOUGH, Evidence, Feature, Scene, WEIGHTS, WORTH_A_LOOK};
use layout::Ruler;
use nearby_urls::NearbyUrls;
use tail::Tail;
use urlsift_core::{BreakKind, Span};

pub(crate) use early_reject::ends_at_once;
pub(crate) use nearby_urls::hyphen_dropped_by_twin;

/// How far from a break evidence is taken, in bytes on either side.
pub(crate) const WINDOW: usize = 64 * 1024;

/// A line's start is not looked for further away: no line of text is as long.
const LONGEST_LINE: usize = 4096;

/// A twin is looked for over at most so many lines.
const MOST_LINES: usize = 10;

/// A break that a bare URL reaches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    /// The text.
    pub(crate) input: &'a Input<'a>,
    /// The URL's raw extent on the line that ends here, untrimmed. Between it and the break stand
    /// only blanks.
    pub(crate) url: Span,
    /// The offset of the line break's first byte.
    pub(crate) break_at: usize,
    /// The bracket or quote that opened before the URL and is still open, if the caller knows one.
    pub(crate) opener: Option<u8>,
    /// How far to go.
    pub(crate) level: Rejoin,
    /// The URL so far, layout left out: what stands on this line and on those before it.
    pub(crate) joined_so_far: &'a [u8],
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
    /// Behind a soft break of quoted-printable, whose `=` is layout too.
    const fn leftover(resume: usize) -> Self {
        Self { cut: 1, resume, kind: JoinKind::Continuation, grade: Grade::Likely }
    }
}

/// What is kept of a text between two decisions. It is no evidence, it is only found sooner.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {
    nearby: NearbyUrls,
    ruler: Ruler,
    /// The last decision, which is asked for once more where it was to join.
    last: Option<Last>,
    /// Room for the URL that is read.
    pieces: Pieces,
}

impl Memo {
    /// The room for a URL's pieces, which is to be given back.
    pub(crate) fn take_pieces(&mut self) -> Pieces {
        std::mem::take(&mut self.pieces)
    }

    pub(crate) fn keep_pieces(&mut self, pieces: Pieces) {
        self.pieces = pieces;
    }

    /// What is worth keeping when the text has gone on behind its first `len` bytes.
    pub(crate) fn gone_on(self, len: usize) -> Self {
        Self {
            nearby: self.nearby.gone_on(len),
            ruler: self.ruler.gone_on(len),
            pieces: self.pieces,
            ..Self::default()
        }
    }

    /// The same when the text has lost its first `by` bytes.
    pub(crate) fn moved(self, by: usize) -> Self {
        Self { nearby: self.nearby.moved(by), ruler: self.ruler.moved(by), ..self }
    }
}

/// What tells two sites of a text apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Question {
    url: Span,
    len: usize,
    opener: Option<u8>,
}

impl Question {
    fn of(site: &Site<'_>) -> Self {
        Self { url: site.url, len: site.joined_so_far.len(), opener: site.opener }
    }
}

/// A decision that was not made at sight.
#[derive(Clone, Copy, Debug)]
struct Last {
    question: Question,
    decision: Option<Continuation>,
}

/// Whether the URL goes on after the break, and where.
#[inline]
pub(crate) fn decide(site: &Site<'_>, memo: &mut Memo) -> Option<Continuation> {
    if early_reject::ends(site) {
        return None;
    }
    let question = Question::of(site);
    if let Some(last) = memo.last
        && last.question == question
    {
        return last.decision;
    }
    if let Some(resume) = soft_break::resume(site) {
        let decision = Some(Continuation::leftover(resume));
        memo.last = Some(Last { question, decision });
        return decision;
    }
    let decision = decide_closely(site, memo);
    memo.last = Some(Last { question, decision });
    decision
}

/// The same without the first look.
fn decide_closely(site: &Site<'_>, memo: &mut Memo) -> Option<Continuation> {
    let (resume, verdict) = judge(site, memo)?;
    let (cut, kind, grade) = match verdict {
        Verdict::Leftover => return Some(Continuation::leftover(resume)),
        Verdict::Flowed => (0, JoinKind::Flowed, Grade::Certain),
        Verdict::Twin => (0, JoinKind::Twin, Grade::Certain),
        Verdict::Weighed(evidence) if evidence.weight() < ENOUGH => return None,
        Verdict::Weighed(evidence)
            if evidence.has(Feature::Filled) || evidence.has(Feature::SameWidth) =>
        {
            (0, JoinKind::WrapColumn, Grade::Likely)
        }
        Verdict::Weighed(_) => (0, JoinKind::Continuation, Grade::Likely),
    };
    Some(Continuation { cut, resume, kind, grade })
}

/// Whether a scheme's `//` that nothing follows on its line can be a URL's beginning all the same.
pub(crate) fn may_start(text: &[u8], colon: usize, level: Rejoin) -> bool {
    let rest = text.get(colon + 1..).unwrap_or_default();
    level > Rejoin::Off && rest.strip_prefix(b"//").is_some_and(|rest| break_len(rest) > 0)
}

/// What was found at a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// A soft break of the kind that stands within words.
    Flowed,
    /// The joined URL stands unbroken nearby.
    Twin,
    /// A soft break of quoted-printable that was not decoded.
    Leftover,
    /// None of these, but this.
    Weighed(Evidence),
}

/// What speaks for a continuation at the place given with it; `None` where there can be none.
fn judge(site: &Site<'_>, memo: &mut Memo) -> Option<(usize, Verdict)> {
    if site.level == Rejoin::Off {
        return None;
    }
    let text = site.input.text();
    let head = site.joined_so_far;
    let last = *head.last()?;
    let soft = soft(site);
    let scheme_only = head.ends_with(b"://");
    let may_be_prose = soft.is_none() && !scheme_only && !evidence::is_open_end(last);
    let start = site.break_at + break_len(text.get(site.break_at..)?);
    let next = Next::at(text, start);
    if next.text.is_empty()
        || (may_be_prose && tail::is_prose(next.text))
        || (!scheme_only && tail::runs_into_url(head, next.text))
    {
        return None;
    }
    let gap = text.get(site.url.end..site.break_at)?;
    if soft == Some(BreakKind::SoftDelSp) {
        // The one space that the sender added goes; a second one is the author's and parts words.
        return (gap == b" ").then_some((next.start + next.margin.len, Verdict::Flowed));
    }
    if !early_reject::has_slashes(head) {
        return None;
    }
    // Furniture, whatever opened before the URL; a comment's leader only looks like it.
    let is_comment = !line::leader(next.text).is_empty();
    if !scheme_only && !is_comment && tail::is_furniture(next.text, Some(b'(')) {
        return None;
    }
    let lines = Lines::around(text, site, next)?;
    let before = text.get(lines.text_start..site.url.start).unwrap_or_default();
    let opener = site.opener.or_else(|| opened(before));
    if lines.next.is_empty() {
        return None;
    }
    let tail = Tail::new(lines.next, opener);
    // What opened before the URL makes a difference only where a bracket closes.
    let is_judged = !is_comment && !tail.token.ends_with(b")");
    if tail.core.is_empty()
        || (!scheme_only && !is_judged && tail::is_furniture(lines.next, opener))
    {
        return None;
    }

    if site.level == Rejoin::Likely
        && head.ends_with(b"=")
        && !head.ends_with(b"==")
        && gap.is_empty()
        && line::is_quoted_printable(text, lines.start, site.break_at)
    {
        return lines.next_is_flush.then_some((lines.resume, Verdict::Leftover));
    }

    let is_chain = head.len() > site.url.len();
    let scene = Scene {
        head,
        is_chain,
        before,
        opener,
        tail,
        below: lines.below,
        goes_with: lines.margins_agree,
        below_url: lines.next_indent
            >= columns(text.get(lines.start..site.url.start).unwrap_or_default()),
    };
    let mut evidence = scene.weigh();
    if evidence.weight() >= WORTH_A_LOOK
        && !evidence.has(Feature::Punctuated)
        && tail.is_telling()
        && memo.nearby.has_twin(text, site.break_at, head, tail, lines.tails(text, tail))
    {
        return Some((lines.resume, Verdict::Twin));
    }
    if site.level < Rejoin::Likely {
        return None;
    }
    // The layout takes a look at many lines: only where it can still tip the scales.
    let line = text.get(lines.start..site.break_at)?;
    let width = columns(trim_end(line));
    if evidence.weight() + scene.width_at_most(width) >= ENOUGH {
        let joined_width = is_chain
            .then(|| {
                line::lines_before(text, line::above(text, lines.start)?)
                    .next()
                    .map(|line| columns(trim_end(line)))
            })
            .flatten();
        scene.weigh_width(
            &mut evidence,
            width,
            joined_width,
            memo.ruler.layout(text, lines.start, site.break_at, width),
        );
    }
    let stands_alone = WEIGHTS[Feature::StandsAlone as usize].1;
    let is_decisive = (ENOUGH..ENOUGH - stands_alone).contains(&evidence.weight());
    if is_decisive && !scheme_only {
        let alone = memo.nearby.stands_alone(text, site.break_at, head, site.url.start);
        evidence.note(Feature::StandsAlone, alone && !evidence.has(Feature::Closes));
    }
    Some((lines.resume, Verdict::Weighed(evidence)))
}

/// What the format says of the break.
fn soft(site: &Site<'_>) -> Option<BreakKind> {
    let breaks = site.input.breaks;
    let at = breaks.binary_search_by_key(&site.break_at, |known| known.at).ok()?;
    breaks.get(at).map(|known| known.kind)
}

/// The bracket or double quote that was opened last on the line and has not been closed.
fn opened(before: &[u8]) -> Option<u8> {
    const REACH: usize = 256;
    if before.is_empty() {
        return None;
    }
    let reach = &before[before.len().saturating_sub(REACH)..];
    let quotes = memchr::memchr_iter(b'"', reach).count();
    let mut closed = 0usize;
    for &byte in reach.iter().rev() {
        match byte {
            b'"' if quotes % 2 == 1 => return Some(byte),
            b')' | b']' | b'}' => closed += 1,
            b'(' | b'[' | b'{' if closed == 0 => return Some(byte),
            b'(' | b'[' | b'{' => closed -= 1,
            _ => {}
        }
    }
    None
}

/// The line after a break.
#[derive(Clone, Copy, Debug)]
struct Next<'t> {
    /// The offset of its first byte.
    start: usize,
    margin: Margin,
    /// All of it, and what stands after its margin, without the blanks at its end.
    line: &'t [u8],
    text: &'t [u8],
    /// The offset of the line below.
    below: usize,
}

impl<'t> Next<'t> {
    fn at(text: &'t [u8], start: usize) -> Self {
        let (line, below) = line_at(text, start);
        let margin = margin(line);
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
struct Lines<'t> {
    /// Where the line before the break starts, or as far back as is looked at.
    start: usize,
    /// Where its own text starts, past its margin.
    text_start: usize,
    /// Where the next line's own text starts, and that text.
    resume: usize,
    next: &'t [u8],
    /// The columns before it.
    next_indent: usize,
    /// Whether nothing but quote marks stands before it.
    next_is_flush: bool,
    /// Whether the two margins go together.
    margins_agree: bool,
    /// Where the line after the next starts, and its own text.
    after: usize,
    below: &'t [u8],
}

impl<'t> Lines<'t> {
    /// `None` if the next line is quoted deeper, so that it is somebody else's, or if a comment ends.
    fn around(text: &'t [u8], site: &Site<'_>, next: Next<'t>) -> Option<Self> {
        let line = line_before(text, site.break_at);
        let start = site.break_at - line.len();
        let (own, its) = (margin(line), next.margin);
        let lost = its.depth < own.depth;
        if its.depth > own.depth {
            return None;
        }
        // What stands in a comment goes on in a comment.
        let own_text = text.get(start + own.len..site.url.start).unwrap_or_default();
        let leader = line::comment(own_text);
        if !leader.is_empty() && line::leader(next.text) != leader {
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
        let next_indent = columns(next.line.get(..len)?);
        let is_flush = its.len == its.marks || (own.depth > 0 && its.len <= its.marks + 1);
        let margins_agree =
            !lost && (its.len == its.marks || next_indent >= columns(line.get(..own_len)?));
        Some(Self {
            start,
            text_start: start + own_len,
            resume: next.start + len,
            next: trim_end(next.line.get(len..)?),
            next_indent,
            next_is_flush: is_flush,
            margins_agree,
            after: next.below,
            below: trim_end(below.get(margin(below).len..).unwrap_or_default()),
        })
    }

    /// What the URL would be made of if it went on over further lines: behind the token of the next
    /// line, as long as lines hold nothing else, those of the lines below.
    fn tails(&self, text: &'t [u8], first: Tail<'t>) -> impl Iterator<Item = Tail<'t>> {
        let (mut at, mut lone) = (self.after, first.lone);
        std::iter::from_fn(move || {
            if !lone || at >= text.len() {
                return None;
            }
            let (line, after) = line_at(text, at);
            let body = trim_end(line.get(margin(line).len..).unwrap_or_default());
            if body.is_empty() || tail::is_furniture(body, None) {
                return None;
            }
            let tail = Tail::new(body, None);
            (at, lone) = (after, tail.lone);
            Some(tail)
        })
        .take(MOST_LINES - 1)
    }
}

/// The line that ends at byte `end`, cut at the greatest length looked at.
fn line_before(text: &[u8], end: usize) -> &[u8] {
    let floor = end.saturating_sub(LONGEST_LINE);
    let head = text.get(floor..end).unwrap_or_default();
    &head[memchr::memrchr2(b'\n', b'\r', head).map_or(0, |at| at + 1)..]
}

/// The line that starts here, cut at the greatest length looked at, and where the next one starts.
fn line_at(text: &[u8], start: usize) -> (&[u8], usize) {
    let rest = text.get(start..).unwrap_or_default();
    let rest = &rest[..rest.len().min(LONGEST_LINE)];
    let len = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    (&rest[..len], start + len + break_len(&rest[len..]))
}
