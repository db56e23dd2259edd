//! What the engine sees at a break, for the example that learns the weights.

use super::evidence::{ENOUGH, WEIGHTS};
use super::site::BreakSite;
use super::{Cache, Verdict, decide_closely, early_reject, judge};
use crate::text::line;
use crate::{Input, Rejoin};
use urlsift_core::Span;

/// What is known of a break at which a bare URL ends its line.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakEvidence {
    /// The names of the features that hold, if these decide, and not a twin or what a format says.
    pub features: Option<Vec<String>>,
    /// Where the URL would go on.
    pub resume: usize,
    /// Whether it is decided that the URL goes on.
    pub goes_on: bool,
}

/// What is known of the break behind the URL at `url`, of which `joined_so_far` is known and that started at `start`;
/// `None` where it is certain that it ends.
#[doc(hidden)]
pub fn break_evidence(
    text: &[u8],
    start: usize,
    url: Span,
    joined_so_far: &[u8],
) -> Option<BreakEvidence> {
    let input = Input::new(text);
    let break_at = line::end_behind(text, url.end)?;
    let site = BreakSite {
        input: &input,
        url,
        break_at,
        outer: start,
        has_bracket: true,
        level: Rejoin::Likely,
        joined_so_far,
        encoding: line::Encoding::Unknown,
    };
    let mut cache = Cache { takes_all: true, ..Cache::default() };
    let margin = early_reject::next_margin(&site, false)?;
    let (resume, verdict) = judge(&site, margin, &mut cache)?;
    // Without `takes_all`, so that a twin has its say.
    let decided_otherwise = matches!(
        judge(&site, margin, &mut Cache::default()),
        Some((_, Verdict::Twin | Verdict::Flowed | Verdict::UndecodedSoftBreak))
    );
    let features = match verdict {
        Verdict::Weighed(evidence) if !decided_otherwise => Some(evidence.names()),
        _ => None,
    };
    let goes_on = decide_closely(&site, &mut Cache::default()).is_some();
    Some(BreakEvidence { features, resume, goes_on })
}

/// The names of the features, their weights and the threshold, as they stand in the table.
#[doc(hidden)]
pub fn break_weights() -> (Vec<(String, i32)>, i32) {
    let weights = WEIGHTS.iter().map(|(feature, weight)| (format!("{feature:?}"), *weight));
    (weights.collect(), ENOUGH)
}
