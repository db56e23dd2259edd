//! Access to the evidence at a break, for the example `learn_joins`, which learns the weights.

use super::evidence::{THRESHOLD, WEIGHTS};
use super::site::BreakSite;
use super::{
    Cache, Verdict, continuation_before_slashes, decide_with_cache, early_reject, gather_evidence,
};
use crate::text::line;
use crate::text::undecoded;
use crate::{Input, Rejoin};
use urlsift_core::Span;

/// The evidence at a line break right after a bare URL, from which the weights of the features are
/// learned; see [`break_evidence`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakEvidence {
    /// The names of the features present. `None` if the weights don't decide: the joined URL occurs
    /// unbroken nearby, or the format of the text defines the break.
    pub features: Option<Vec<String>>,
    /// The offset at which the URL would continue.
    pub resume: usize,
    /// True if the decision is that the URL continues.
    pub is_joined: bool,
}

/// Returns the evidence at the break after `url`, or `None` if it is certain that the URL ends
/// there. `url` is the span of the URL's part on this line, `joined_so_far` the whole URL up to the
/// break, and `start` the offset of the URL's first byte.
///
/// A scanner doesn't need this. The example `learn_joins` calls it for breaks in labeled texts, and
/// learns the weights of the features from the results.
///
/// ```
/// use urlsift_core::Span;
/// use urlsift_scanner::{break_evidence, break_weights};
/// let text = b"http://host.dom/a/\nb/c.html\n";
/// let evidence = break_evidence(text, 0, Span::new(0, 18), &text[..18]).unwrap();
/// assert_eq!(evidence.resume, 19);
/// let features = evidence.features.unwrap();
/// let (weights, threshold) = break_weights();
/// let of = |name: &String| weights.iter().find(|(known, _)| known == name).unwrap().1;
/// let sum: i32 = features.iter().map(of).sum();
/// assert_eq!(evidence.is_joined, sum >= threshold);
/// ```
pub fn break_evidence(
    text: &[u8],
    start: usize,
    url: Span,
    joined_so_far: &[u8],
) -> Option<BreakEvidence> {
    let input = Input::new(text);
    if let Some(next) = continuation_before_slashes(text, url.end, Rejoin::Likely) {
        return Some(BreakEvidence { features: None, resume: next.resume, is_joined: true });
    }
    let break_at = line::line_end_after_blanks(text, url.end)?;
    let site = BreakSite {
        input: &input,
        url,
        break_at,
        outer: start,
        has_mark: true,
        level: Rejoin::Likely,
        joined_so_far,
        encoding: undecoded::Encoding::Unknown,
    };
    let mut cache = Cache { gathers_all_evidence: true, ..Cache::default() };
    let margin = early_reject::margin_unless_url_ends(&site, false)?;
    let (resume, verdict) = gather_evidence(&site, margin, &mut cache)?;
    // Without `gathers_all_evidence`, so that a twin decides where there is one.
    let decided_otherwise = matches!(
        gather_evidence(&site, margin, &mut Cache::default()),
        Some((_, Verdict::Twin | Verdict::Flowed | Verdict::UndecodedSoftBreak))
    );
    let features = match verdict {
        Verdict::Weighed(evidence) if !decided_otherwise => Some(evidence.names()),
        _ => None,
    };
    let is_joined = decide_with_cache(&site, &mut Cache::default()).is_some();
    Some(BreakEvidence { features, resume, is_joined })
}

/// Returns the name and weight of each feature in [`BreakEvidence`], and the sum of weights that is
/// required to join a URL.
pub fn break_weights() -> (Vec<(String, i32)>, i32) {
    let weights = WEIGHTS.iter().map(|(feature, weight)| (format!("{feature:?}"), *weight));
    (weights.collect(), THRESHOLD)
}
