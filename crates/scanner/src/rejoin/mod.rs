//! Decides whether a bare URL that reaches the end of its line continues on the next one.
//!
//! White space ends a bare URL, and a line break is white space. But mail programs, gateways and
//! formatters break long URLs too. RFC 1738 (Appendix) recommends the wrapper against this; in text
//! without wrappers only evidence helps. [`decide`] weighs it for one break:
//!
//! - *certain*: a soft break of `format=flowed` with `DelSp` says that the two lines are one word,
//!   or the joined URL occurs unbroken nearby (a *twin*).
//! - *likely*: the weights of the features in [`evidence`] add up to the threshold.
//!
//! A wrong join is worse than a missed one, because it destroys a good URL. All evidence comes from
//! at most 64 KiB on either side of the break, so a text gives the same joins whether it is scanned
//! whole, in pieces or as a stream. The work for one break is bounded, so the total time is linear.
//!
//! The modules call the URL up to the break the *head*, and the first word of the next line, which
//! may continue the URL, the *token* or *tail*.

mod broken_host;
mod completion;
mod early_reject;
mod ends;
mod evidence;
mod items;
mod layout;
pub(crate) mod learning;
mod line_start;
mod nearby_urls;
mod site;
mod suffix;
mod tail;
#[cfg(test)]
mod tests;

use crate::candidate::{Candidate, Pieces, SplitUrl};
use crate::extent::known::KnownExtent;
use crate::extent::opener;
use crate::extent::{self, ExtentRules};
use crate::options::Engine;
use crate::scheme::anchor;
use crate::text::blank::{line_break_len_at, trim_blanks_at_end};
use crate::text::comment::comment_leader;
use crate::text::line;
use crate::text::line::{line_before, width_in_columns};
use crate::text::quote::Margin;
use crate::text::undecoded;
use crate::{Grade, Input, JoinEvidence, JoinEvidenceSet, JoinKind, Rejoin};
use ends::Ends;
use evidence::{BreakContext, Evidence, Feature, THRESHOLD, TWIN_THRESHOLD, may_have_twin};
use layout::LineMetrics;
use memchr::memmem;
use nearby_urls::NearbyUrls;
use site::{BreakLines, NextLine};
use tail::Tail;
use urlsift_core::BreakKind;

pub(crate) use site::{BreakSite, Continuation};

/// Results and buffers that are kept between the decisions about breaks in one text. They make the
/// decisions faster, but don't change them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    /// True for the reference engine, which uses no cache.
    is_reference: bool,
    /// True if all evidence is gathered, even where it can't change the decision.
    gathers_all_evidence: bool,
    nearby: NearbyUrls,
    metrics: LineMetrics,
    /// The long extent that was followed last.
    extent: Option<KnownExtent>,
    /// A buffer for the URL that is being read.
    pieces: Pieces,
}

impl Cache {
    /// Returns an empty cache. For the reference engine it stays empty, and all evidence is always
    /// gathered.
    pub(crate) fn new(engine: Engine) -> Self {
        Self { is_reference: engine == Engine::Reference, ..Self::default() }
    }

    /// True if breaks may be rejected early, before all evidence is gathered.
    pub(crate) const fn is_quick(&self) -> bool {
        !self.is_reference && !self.gathers_all_evidence
    }

    /// Returns the same as [`extent::extent_end_and_marks`]. Uses the last long extent if it
    /// contains byte `from`.
    #[inline(always)]
    pub(crate) fn cached_extent_end(
        &mut self,
        text: &[u8],
        from: usize,
        limit: usize,
        rules: ExtentRules<'_>,
    ) -> (usize, bool) {
        if self.is_reference {
            return extent::extent_end_and_marks(text, from, limit, rules);
        }
        KnownExtent::url_end(&mut self.extent, text, from, limit, rules)
    }

    /// Takes the buffer for the pieces of a broken URL out of the cache. Give it back with
    /// [`Self::keep_pieces`].
    pub(crate) fn take_pieces(&mut self) -> Pieces {
        std::mem::take(&mut self.pieces)
    }

    /// Puts the buffer for the pieces of a broken URL back into the cache.
    pub(crate) fn keep_pieces(&mut self, pieces: Pieces) {
        self.pieces = pieces;
    }

    /// Keeps the allocation of a candidate that is no longer needed, so that the next broken URL
    /// can reuse it.
    pub(crate) fn keep_split(&mut self, split: Option<Box<SplitUrl>>) {
        if split.is_some() {
            self.pieces.split = split;
        }
    }

    /// Returns the part of the cache that stays valid when text is appended after the first `len`
    /// bytes.
    pub(crate) fn after_appending(self, len: usize) -> Self {
        let nearby = self.nearby.after_appending(len);
        Self { nearby, extent: None, ..self }
    }

    /// Adapts the cache after the first `by` bytes of the text were removed.
    pub(crate) fn after_removing(self, by: usize) -> Self {
        let nearby = self.nearby.after_removing(by);
        Self { nearby, metrics: LineMetrics::default(), extent: None, ..self }
    }
}

/// Decides whether a bare URL continues after a line break. Returns where it continues and for
/// which reason, or `None` if it ends at the break.
#[inline(always)]
pub(crate) fn decide(site: &BreakSite<'_>, cache: &mut Cache) -> Option<Continuation> {
    if cache.is_reference {
        return decide_with_cache(site, &mut Cache::new(Engine::Reference));
    }
    decide_with_cache(site, cache)
}

/// Returns the same as [`decide`], but uses `cache` even if the engine is the reference.
#[inline(always)]
pub(crate) fn decide_with_cache(site: &BreakSite<'_>, cache: &mut Cache) -> Option<Continuation> {
    // This check is inlined, because it already decides most breaks.
    let margin = early_reject::margin_unless_url_ends(site, cache.is_quick())?;
    decide_by_evidence(site, margin, cache)
}

/// Returns the same as [`decide`] for a break at which the URL doesn't clearly end. `margin` is the
/// next line's quote marks and indentation.
#[inline(never)]
fn decide_by_evidence(
    site: &BreakSite<'_>,
    margin: Margin,
    cache: &mut Cache,
) -> Option<Continuation> {
    let (resume, verdict) = gather_evidence(site, margin, cache)?;
    Some(match verdict {
        Verdict::UndecodedSoftBreak => Continuation::after_undecoded_soft_break(resume),
        Verdict::Flowed => Continuation::by_kind(resume, JoinKind::Flowed, Grade::Certain),
        Verdict::Twin => Continuation::by_kind(resume, JoinKind::Twin, Grade::Certain),
        Verdict::Weighed(evidence) if evidence.weight() < THRESHOLD => return None,
        Verdict::Weighed(evidence) => {
            let is_full = evidence.has(Feature::Filled);
            let kind = if is_full { JoinKind::WrapColumn } else { JoinKind::Continuation };
            Continuation::likely(resume, kind, evidence.for_join())
        }
    })
}

/// True if a URL with the scheme at `colon` can still start there, although a line break comes
/// right before or right after its `//`.
pub(crate) fn may_start_despite_break(text: &[u8], colon: usize, level: Rejoin) -> bool {
    let rest = text.get(colon + 1..).unwrap_or_default();
    if rest.first() != Some(&b'/') {
        return level >= Rejoin::Likely && anchor::slashes_on_next_line(text, colon).is_some();
    }
    let Some(after) = rest.strip_prefix(b"//").filter(|_| level > Rejoin::Off) else {
        return false;
    };
    line_break_len_at(after, 0) > 0
        || level >= Rejoin::Likely
            && after.first() == Some(&b'=')
            && undecoded::starts_after_soft_break(text, colon + 1 + b"//=".len())
}

/// Returns where a URL that is broken between its scheme's colon and its slashes continues on the
/// next line. Returns `None` if it isn't broken there. `end` is the end of the URL on its first
/// line.
pub(crate) fn continuation_before_slashes(
    text: &[u8],
    end: usize,
    level: Rejoin,
) -> Option<Continuation> {
    let head = text.get(..end)?;
    let scheme = head.strip_suffix(b"=").unwrap_or(head);
    let colon = scheme.len().checked_sub(1).filter(|at| scheme[*at] == b':')?;
    let resume = anchor::slashes_on_next_line(text, colon).filter(|_| level >= Rejoin::Likely)?;
    if scheme.len() < end {
        return Some(Continuation::after_undecoded_soft_break(resume));
    }
    let evidence = JoinEvidenceSet::EMPTY.with(JoinEvidence::SplitScheme);
    Some(Continuation::likely(resume, JoinKind::Continuation, evidence))
}

/// The evidence, found at a break, that the URL continues after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// A soft break that is inside a word (`DelSp`).
    Flowed,
    /// The joined URL occurs unbroken nearby.
    Twin,
    /// A soft break of quoted-printable that was not decoded.
    UndecodedSoftBreak,
    /// Only these features of the text, whose weights are added up.
    Weighed(Evidence),
}

/// Gathers the evidence at a break. Returns the offset at which the URL would continue, and the
/// evidence. Returns `None` if the URL can't continue. `margin` is the next line's quote marks and
/// indentation.
#[inline(never)]
fn gather_evidence(
    site: &BreakSite<'_>,
    margin: Margin,
    cache: &mut Cache,
) -> Option<(usize, Verdict)> {
    let text = site.input.text();
    let head = site.joined_so_far;
    let soft = site.soft_break();
    let may_be_encoded = site.may_be_undecoded_soft_break();
    let scheme_only = head.ends_with(b"://") || (may_be_encoded && head.ends_with(b"://="));
    let start = site.break_at + line_break_len_at(text, site.break_at);
    let gap = text.get(site.url.end..site.break_at)?;
    if soft == Some(BreakKind::SoftDelSp) {
        // The one space that the sender added is dropped. A second space is the author's and
        // separates words.
        return (gap == b" ").then_some((start + margin.len, Verdict::Flowed));
    }
    if !early_reject::has_slashes(head) {
        return None;
    }
    let next = NextLine::new(text, start, margin);
    let is_chain = site.is_chain();
    let is_comment =
        !comment_leader(next.text).is_empty() || site.is_in_block_comment(margin, next.text);
    let is_quick = cache.is_quick() && !is_comment && !may_be_encoded;
    let promising = match is_quick.then(|| Tail::new(next.text, None)) {
        Some(tail) if !tail.may_close() => Some(promising_ends(head, tail, is_chain)?),
        _ => None,
    };
    let may_be_rest = may_be_encoded && ends::continues_after_soft_break(next.text);
    let is_soft_break = may_be_rest && {
        let line = line_before(text, site.break_at);
        site.is_undecoded_soft_break(site.break_at - line.len())
    };
    // Page furniture ends the URL, even inside brackets. A comment leader only looks like
    // furniture.
    let is_rest = scheme_only || ends::rest_resembles_furniture(head, next.text) || is_soft_break;
    if !is_rest && !is_comment && tail::is_furniture(next.text, Some(b'(')) {
        return None;
    }
    let lines = BreakLines::around(text, site, next)?;
    let before = text.get(lines.text_start..site.url.start).unwrap_or_default();
    let opener = match promising {
        Some(_) => None,
        None => site.opener().or_else(|| opener::last_open_on_line(before)),
    };
    if lines.next.is_empty() {
        return None;
    }
    let tail = promising.map_or_else(|| Tail::new(lines.next, opener), |(ends, _)| ends.tail);
    // The opener only matters if the token ends with a bracket.
    let is_judged = !is_comment && !tail.token.ends_with(b")");
    if tail.core.is_empty() || (!is_rest && !is_judged && tail::is_furniture(lines.next, opener)) {
        return None;
    }

    if is_soft_break
        || (may_be_encoded && !may_be_rest && site.is_undecoded_soft_break(lines.start))
    {
        // Without quote marks, a blank at the start of the next line is part of the encoded text,
        // so the URL ends before it.
        let is_flush = lines.next_is_flush && (margin.marks > 0 || margin.len == 0);
        return is_flush.then_some((lines.resume, Verdict::UndecodedSoftBreak));
    }

    let (ends, evidence) = if let Some(promising) = promising {
        promising
    } else {
        // The bracket must be right before the URL: inside a sentence in brackets, a URL and the
        // sentence may end anywhere.
        let is_opened =
            before.is_empty() || opener.is_some_and(|opener| before.ends_with(&[opener]));
        let closes = tail.closes
            && is_opened
            && opener.is_none_or(|opener| opener::closing_offset(head, opener).is_none());
        let closes = closes || tail.closes_non_ascii_bracket(&text[..site.outer]);
        let ends = Ends::new(head, tail, closes)?;
        (ends, Evidence::from_ends(&ends, is_chain))
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
        is_in_diff: matches!(lines.next, [b'+' | b'-', ..])
            && line::is_in_diff(text, lines.start, lines.text_start),
    };
    let verdict = add_evidence_of_lines(site, cache, &context, &lines, evidence)?;
    Some((lines.resume, verdict))
}

/// Describes the two sides of a break: `head` is the URL up to it, and `tail` the token after it.
/// Returns `None` if the two sides alone rule out a continuation.
///
/// The two sides decide most breaks. The bracket before the URL makes no difference if nothing in
/// the token can close it, and the surrounding lines add little weight.
fn promising_ends<'t>(
    head: &'t [u8],
    tail: Tail<'t>,
    is_chain: bool,
) -> Option<(Ends<'t>, Evidence)> {
    if tail.core.is_empty() {
        return None;
    }
    let ends = Ends::new(head, tail, false)?;
    let evidence = Evidence::from_ends(&ends, is_chain);
    (!evidence.cannot_join(&ends)).then_some((ends, evidence))
}

/// Adds the evidence of the surrounding lines to `evidence`, that of the two sides of the break.
/// The most expensive evidence comes last. Returns `None` if the URL ends at the break, whatever
/// the weights.
fn add_evidence_of_lines(
    site: &BreakSite<'_>,
    cache: &mut Cache,
    context: &BreakContext<'_>,
    lines: &BreakLines<'_>,
    evidence: Evidence,
) -> Option<Verdict> {
    let text = site.input.text();
    if context.next_line_is_separate_item() {
        return None;
    }
    // A host can't end with the hyphen.
    let may_end = !context.ends.host_continues;
    if may_end
        && context.ends.may_divide_word()
        && layout::are_neighbors_padded(text, lines.start, site.break_at)
    {
        return None;
    }
    let mut evidence = context.with_context_features(evidence);
    if !cache.gathers_all_evidence
        && evidence.weight_for_twin() >= TWIN_THRESHOLD
        && may_have_twin(evidence, &context.ends)
    {
        let tail = context.ends.tail;
        let tails = lines.tails_of_further_lines(text, tail);
        if cache.nearby.has_twin(text, site.break_at, site.joined_so_far, tail, tails) {
            return Some(Verdict::Twin);
        }
    }
    if site.level < Rejoin::Likely {
        return None;
    }
    // Computing the layout reads many lines, so do it only if it can change the decision.
    let line = text.get(lines.start..site.break_at)?;
    let width = width_in_columns(trim_blanks_at_end(line));
    if cache.gathers_all_evidence || evidence.weight() + context.max_width_gain(width) >= THRESHOLD
    {
        let layout = cache.metrics.measure_layout(text, lines.start, site.break_at, width);
        context.add_width_features(&mut evidence, width, layout);
        if evidence.weight() >= THRESHOLD
            && (context.breaks_word_midway(evidence, width) || context.is_doubtful(evidence))
        {
            return None;
        }
    }
    Some(Verdict::Weighed(evidence))
}

/// Decides, for each hyphen before a line break in `candidate`, whether it is part of the URL.
/// Drops the hyphen if the same URL occurs nearby in one piece and without the hyphen.
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
        if cache.nearby.is_inserted_hyphen(input.text, &head, tail, gap.start) {
            candidate.seams_mut()[at].gap.start -= 1;
            head.pop();
        }
    }
}

/// True if the hyphen at the end of `head` is not part of the URL, but was inserted when the URL
/// was broken there. The text nearby decides: see [`NearbyUrls::is_inserted_hyphen`].
pub(crate) fn drops_hyphen(
    input: &Input<'_>,
    head: &[u8],
    tail: &[u8],
    at: usize,
    cache: &mut Cache,
) -> bool {
    let text = input.text;
    let is_in_host =
        || memmem::find(head, b"://").is_some_and(|at| !head[at + 3..].contains(&b'/'));
    cache.nearby.is_inserted_hyphen(text, head, tail, at)
        || is_in_host() && layout::are_neighbors_padded(text, at - line_before(text, at).len(), at)
}
