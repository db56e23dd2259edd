//! The ways to take the hyphens at line breaks.
//!
//! RFC 1738's Appendix: "no whitespace should be introduced after a hyphen", since a hyphen there
//! "may or may not be part of the URL". Nobody can know, so every reading is given.

use crate::Input;
use crate::candidate::Candidate;
use crate::rejoin::{self, Memo};

/// How many hyphens are taken both ways; with four there are sixteen readings.
const MAX_HYPHENS: usize = 4;

/// All readings of `candidate`, its URL first, then by the number of hyphens taken the other way,
/// then by their positions.
pub(crate) fn all(candidate: &Candidate<'_>) -> Vec<Vec<u8>> {
    if candidate.meant().is_some() {
        return vec![candidate.url().into_owned()];
    }
    let hyphens: Vec<usize> = candidate
        .seams()
        .iter()
        .enumerate()
        .filter(|(_, seam)| seam.hyphen)
        .map(|(at, _)| at)
        .take(MAX_HYPHENS)
        .collect();
    let mut sets: Vec<u32> = (0..1_u32 << hyphens.len()).collect();
    // By size, then lexicographically by position: the set of the first hyphens comes first.
    sets.sort_by_key(|set| (set.count_ones(), set.reverse_bits() ^ u32::MAX));
    sets.into_iter()
        .map(|set| {
            let other = |seam: usize| {
                hyphens.iter().position(|&h| h == seam).is_some_and(|bit| set & (1 << bit) != 0)
            };
            assemble(candidate, other)
        })
        .collect()
}

/// Drops the hyphens that the text nearby shows to be no part of the URL.
pub(crate) fn prefer(input: &Input<'_>, candidate: &mut Candidate<'_>, memo: &mut Memo) {
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
        if rejoin::hyphen_dropped_by_twin(input, &head, tail, gap.start, memo) {
            candidate.seams_mut()[at].gap.start -= 1;
            head.pop();
        }
    }
}

/// The URL with the hyphens of the seams chosen by `other` taken the other way.
fn assemble(candidate: &Candidate<'_>, other: impl Fn(usize) -> bool) -> Vec<u8> {
    let mut url = Vec::with_capacity(candidate.span.len());
    let mut from = candidate.span.start;
    for (at, seam) in candidate.seams().iter().enumerate() {
        url.extend_from_slice(&candidate.text[from..seam.gap.start]);
        if other(at) {
            if candidate.drops_hyphen(seam) {
                url.push(b'-');
            } else {
                url.pop();
            }
        }
        from = seam.gap.end;
    }
    url.extend_from_slice(&candidate.text[from..candidate.span.end]);
    url
}
