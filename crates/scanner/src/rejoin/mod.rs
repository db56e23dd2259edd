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
//! most 64 KiB on either side of the break, so that a text gives the same joins whole,
//! in pieces and in a stream; and the work for one break is bounded, so that it stays linear.

mod early_reject;
mod ends;
mod evidence;
mod layout;
pub(crate) mod learning;
mod line_start;
mod nearby_urls;
mod site;
mod tail;
#[cfg(test)]
mod tests;

use crate::candidate::{Candidate, Parted, Pieces};
use crate::extent::known::KnownExtent;
use crate::extent::opener;
use crate::extent::{self, ExtentRules};
use crate::options::Engine;
use crate::text::blank::{line_break_at, trim_end};
use crate::text::line;
use crate::text::line::columns;
use crate::text::quote::Margin;
use crate::{Grade, Input, JoinKind, Rejoin};
use ends::Ends;
use evidence::{BreakContext, ENOUGH, Evidence, Feature, WORTH_A_LOOK, may_have_twin};
use layout::LineMetrics;
use nearby_urls::NearbyUrls;
use site::{BreakLines, NextLine};
use tail::Tail;
use urlsift_core::BreakKind;

pub(crate) use site::{BreakSite, Continuation};

/// What is kept of a text between two decisions. It is no evidence, it is only found sooner.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    is_reference: bool,
    /// Whether all evidence is taken, even where it can't tip the scales.
    takes_all: bool,
    nearby: NearbyUrls,
    metrics: LineMetrics,
    /// The long extent that was followed last.
    extent: Option<KnownExtent>,
    /// Room for the URL that is read.
    pieces: Pieces,
}

impl Cache {
    /// For the reference engine nothing is kept, and nothing told early.
    pub(crate) fn new(engine: Engine) -> Self {
        Self { is_reference: engine == Engine::Reference, ..Self::default() }
    }

    /// Whether what can be told early is.
    pub(crate) const fn is_quick(&self) -> bool {
        !self.is_reference && !self.takes_all
    }

    /// [`extent::of_url`], by the long extent that was followed last.
    #[inline(always)]
    pub(crate) fn extent(
        &mut self,
        text: &[u8],
        from: usize,
        limit: usize,
        rules: ExtentRules<'_>,
    ) -> (usize, bool) {
        if self.is_reference {
            return extent::of_url(text, from, limit, rules);
        }
        KnownExtent::of_url(&mut self.extent, text, from, limit, rules)
    }

    /// The room for a URL's pieces, which is to be given back.
    pub(crate) fn take_pieces(&mut self) -> Pieces {
        std::mem::take(&mut self.pieces)
    }

    pub(crate) fn keep_pieces(&mut self, pieces: Pieces) {
        self.pieces = pieces;
    }

    /// Gives the room of a candidate that is no longer looked at to the next one that is broken.
    pub(crate) fn keep_parted(&mut self, parted: Option<Box<Parted>>) {
        if parted.is_some() {
            self.pieces.parted = parted;
        }
    }

    /// What is worth keeping when the text has gone on behind its first `len` bytes.
    pub(crate) fn gone_on(self, len: usize) -> Self {
        let nearby = self.nearby.gone_on(len);
        Self { nearby, extent: None, ..self }
    }

    /// Shifts what is kept when the text has lost its first `by` bytes.
    pub(crate) fn moved(self, by: usize) -> Self {
        let nearby = self.nearby.moved(by);
        Self { nearby, metrics: LineMetrics::default(), extent: None, ..self }
    }
}

/// Whether the URL goes on after the break, and where.
#[inline(always)]
pub(crate) fn decide(site: &BreakSite<'_>, cache: &mut Cache) -> Option<Continuation> {
    if cache.is_reference {
        return decide_closely(site, &mut Cache::new(Engine::Reference));
    }
    decide_closely(site, cache)
}

/// Decides by more than the next line's first bytes.
#[inline(never)]
fn decide_closely(site: &BreakSite<'_>, cache: &mut Cache) -> Option<Continuation> {
    let margin = early_reject::next_margin(site, cache.is_quick())?;
    let (resume, verdict) = judge(site, margin, cache)?;
    let (cut, kind, grade) = match verdict {
        Verdict::UndecodedSoftBreak => return Some(Continuation::undecoded_soft_break(resume)),
        Verdict::Flowed => (0, JoinKind::Flowed, Grade::Certain),
        Verdict::Twin => (0, JoinKind::Twin, Grade::Certain),
        Verdict::Weighed(evidence) if evidence.weight() < ENOUGH => return None,
        Verdict::Weighed(evidence) if evidence.has(Feature::Filled) => {
            (0, JoinKind::WrapColumn, Grade::Likely)
        }
        Verdict::Weighed(_) => (0, JoinKind::Continuation, Grade::Likely),
    };
    Some(Continuation { cut, resume, kind, grade })
}

/// Whether a scheme's `//` that nothing follows on its line can be a URL's beginning all the same.
pub(crate) fn may_start(text: &[u8], colon: usize, level: Rejoin) -> bool {
    let rest = text.get(colon + 1..).unwrap_or_default();
    level > Rejoin::Off && rest.strip_prefix(b"//").is_some_and(|rest| line_break_at(rest, 0) > 0)
}

/// What was found at a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// A soft break of the kind that stands within words.
    Flowed,
    /// The joined URL stands unbroken nearby.
    Twin,
    /// A soft break of quoted-printable that was not decoded.
    UndecodedSoftBreak,
    /// None of these, but this.
    Weighed(Evidence),
}

/// What speaks for a continuation at the place given with it, if the next line has that margin; `None` where there can
/// be none.
#[inline(never)]
fn judge(site: &BreakSite<'_>, margin: Margin, cache: &mut Cache) -> Option<(usize, Verdict)> {
    let text = site.input.text();
    let head = site.joined_so_far;
    let soft = site.soft_break();
    let scheme_only = head.ends_with(b"://");
    let start = site.break_at + line_break_at(text, site.break_at);
    let gap = text.get(site.url.end..site.break_at)?;
    if soft == Some(BreakKind::SoftDelSp) {
        // The one space that the sender added goes; a second one is the author's and parts words.
        return (gap == b" ").then_some((start + margin.len, Verdict::Flowed));
    }
    if !early_reject::has_slashes(head) {
        return None;
    }
    let next = NextLine::new(text, start, margin);
    let is_chain = site.is_chain();
    let is_comment =
        !line::leader(next.text).is_empty() || site.is_in_block_comment(margin, next.text);
    let may_be_encoded = site.may_be_undecoded_soft_break();
    let is_quick = cache.is_quick() && !is_comment && !may_be_encoded;
    let described = match is_quick.then(|| Tail::new(next.text, None)) {
        Some(tail) if !tail.may_close() => Some(promising_ends(head, tail, is_chain)?),
        _ => None,
    };
    // Furniture, whatever opened before the URL; a comment's leader only looks like it.
    if !scheme_only && !is_comment && tail::is_furniture(next.text, Some(b'(')) {
        return None;
    }
    let lines = BreakLines::around(text, site, next)?;
    let before = text.get(lines.text_start..site.url.start).unwrap_or_default();
    let opener = match described {
        Some(_) => None,
        None => site.opener().or_else(|| opener::on_line(before)),
    };
    if lines.next.is_empty() {
        return None;
    }
    let tail = described.map_or_else(|| Tail::new(lines.next, opener), |(ends, _)| ends.tail);
    // What opened before the URL makes a difference only where a bracket closes.
    let is_judged = !is_comment && !tail.token.ends_with(b")");
    if tail.core.is_empty()
        || (!scheme_only && !is_judged && tail::is_furniture(lines.next, opener))
    {
        return None;
    }

    if may_be_encoded && site.is_undecoded_soft_break(lines.start) {
        return lines.next_is_flush.then_some((lines.resume, Verdict::UndecodedSoftBreak));
    }

    let (ends, evidence) = if let Some(described) = described {
        described
    } else {
        // The bracket must stand right before the URL: within a sentence in brackets a URL and the sentence may end
        // anywhere.
        let is_opened =
            before.is_empty() || opener.is_some_and(|opener| before.ends_with(&[opener]));
        let closes = tail.closes
            && is_opened
            && opener.is_none_or(|opener| opener::closes_at(head, opener).is_none());
        let ends = Ends::new(head, tail, closes)?;
        (ends, Evidence::of_ends(&ends, is_chain))
    };
    let context = BreakContext {
        ends,
        is_chain,
        piece: site.url.len(),
        before,
        below: lines.below,
        indents: [text.get(lines.start..site.url.start).unwrap_or_default(), lines.next_indent],
        margin: text.get(lines.start..lines.text_start).unwrap_or_default(),
        is_flush: lines.next_is_flush,
    };
    let verdict = weigh(site, cache, &context, &lines, evidence)?;
    Some((lines.resume, verdict))
}

/// Describes the two ends at a break, if they alone don't rule out that the URL continues.
///
/// They decide most breaks: what opened before the URL makes no difference where nothing can close, and what is around
/// adds little to the weight.
fn promising_ends<'t>(
    head: &'t [u8],
    tail: Tail<'t>,
    is_chain: bool,
) -> Option<(Ends<'t>, Evidence)> {
    if tail.core.is_empty() {
        return None;
    }
    let ends = Ends::new(head, tail, false)?;
    let evidence = Evidence::of_ends(&ends, is_chain);
    (!evidence.is_hopeless(&ends)).then_some((ends, evidence))
}

/// Adds what the lines around the break show to the evidence of its two ends, the most expensive last.
fn weigh(
    site: &BreakSite<'_>,
    cache: &mut Cache,
    context: &BreakContext<'_>,
    lines: &BreakLines<'_>,
    evidence: Evidence,
) -> Option<Verdict> {
    let text = site.input.text();
    if context.is_other_thing() {
        return None;
    }
    if context.ends.may_divide_word() && layout::is_padded(text, lines.start, site.break_at) {
        return None;
    }
    let mut evidence = context.weigh(evidence);
    if !cache.takes_all
        && evidence.weight() >= WORTH_A_LOOK
        && may_have_twin(evidence, &context.ends)
    {
        let tail = context.ends.tail;
        let tails = lines.tails(text, tail);
        if cache.nearby.has_twin(text, site.break_at, site.joined_so_far, tail, tails) {
            return Some(Verdict::Twin);
        }
    }
    if site.level < Rejoin::Likely {
        return None;
    }
    // The layout takes a look at many lines: only where it can still tip the scales.
    let line = text.get(lines.start..site.break_at)?;
    let width = columns(trim_end(line));
    if cache.takes_all || evidence.weight() + context.width_at_most(width) >= ENOUGH {
        let layout = cache.metrics.layout(text, lines.start, site.break_at, width);
        context.weigh_width(&mut evidence, width, layout);
        if evidence.weight() >= ENOUGH && context.breaks_word_midway(evidence, width) {
            return None;
        }
    }
    Some(Verdict::Weighed(evidence))
}

/// Drops the hyphens that the text nearby shows to be no part of the URL.
pub(crate) fn prefer_readings(input: &Input<'_>, candidate: &mut Candidate<'_>, cache: &mut Cache) {
    if !candidate.seams().iter().any(|seam| seam.hyphen) {
        return;
    }
    let mut head = Vec::new();
    let mut from = candidate.span.start;
    for at in 0..candidate.seams().len() {
        let gap = candidate.seams()[at].gap;
        head.extend_from_slice(&candidate.text[from..gap.start]);
        from = gap.end;
        if !candidate.seams()[at].hyphen {
            continue;
        }
        let end = candidate.seams().get(at + 1).map_or(candidate.span.end, |next| next.gap.start);
        let tail = &candidate.text[from..end];
        if cache.nearby.drop_hyphen(input.text, &head, tail, gap.start) {
            candidate.seams_mut()[at].gap.start -= 1;
            head.pop();
        }
    }
}

/// Whether the text nearby shows that the hyphen at the end of `head` was put in where the URL was broken: see
/// [`NearbyUrls::drop_hyphen`].
pub(crate) fn drops_hyphen(
    input: &Input<'_>,
    head: &[u8],
    tail: &[u8],
    at: usize,
    cache: &mut Cache,
) -> bool {
    cache.nearby.drop_hyphen(input.text, head, tail, at)
}
