//! Carries fixes out.
//!
//! Fixes of one pass must not touch each other: of two that do, the later one waits for the next
//! pass, when the text has been linted again. [`to_fixpoint`] repeats until a pass changes nothing.

use crate::diagnostic::Diagnostic;
use crate::edit::{Applicability, Edit, Fix};

/// After so many passes without coming to rest, the fixes are held to contradict each other.
/// The rules settle in two or three.
const MOST_PASSES: usize = 16;

/// What came of applying fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The text with the fixes made.
    pub text: Vec<u8>,
    /// The number of fixes made.
    pub fixes: usize,
    /// Whether a further pass would change nothing. `false` only for rules that contradict each other.
    pub settled: bool,
}

/// Makes the fixes of `diagnostics` that are at least as trustworthy as `least`, leaving out those
/// that touch an earlier one. `None` if there is nothing to make.
///
/// Linear in the text, *n* log *n* in the fixes. Edits beyond the end of `text`, or out of order
/// within their fix, are left out with the rest of their fix.
pub fn once(text: &[u8], diagnostics: &[Diagnostic], least: Applicability) -> Option<Applied> {
    let mut fixes: Vec<&Fix> = diagnostics
        .iter()
        .filter_map(|diagnostic| diagnostic.fix.as_ref())
        .filter(|fix| fix.applicability >= least && well_formed(&fix.edits, text.len()))
        .collect();
    fixes.sort_by_key(|fix| fix.edits.first().map(|edit| edit.span));
    let mut edits: Vec<&Edit> = Vec::new();
    let mut made = 0;
    for fix in fixes {
        let (Some(first), last) = (fix.edits.first(), edits.last()) else { continue };
        // Touching counts as overlapping: two insertions at one place have no order.
        if last.is_some_and(|last| first.span.start <= last.span.end) {
            continue;
        }
        edits.extend(&fix.edits);
        made += 1;
    }
    if made == 0 {
        return None;
    }
    let mended = patched(text, edits);
    (mended != text).then_some(Applied { text: mended, fixes: made, settled: false })
}

/// Lints and mends in turn until nothing is left to mend. `lint` is called once more than there
/// are passes, at most 17 times.
pub fn to_fixpoint(
    text: &[u8],
    least: Applicability,
    mut lint: impl FnMut(&[u8]) -> Vec<Diagnostic>,
) -> Applied {
    let mut done = Applied { text: text.to_vec(), fixes: 0, settled: false };
    for _ in 0..MOST_PASSES {
        let diagnostics = lint(&done.text);
        let Some(pass) = once(&done.text, &diagnostics, least) else {
            done.settled = true;
            return done;
        };
        done.text = pass.text;
        done.fixes += pass.fixes;
    }
    done
}

/// `text` with `edits` made, which are in order and do not overlap.
pub(crate) fn patched<'e>(text: &[u8], edits: impl IntoIterator<Item = &'e Edit>) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 64);
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(text.get(at..edit.span.start).unwrap_or_default());
        out.extend_from_slice(&edit.text);
        at = edit.span.end;
    }
    out.extend_from_slice(text.get(at..).unwrap_or_default());
    out
}

fn well_formed(edits: &[Edit], len: usize) -> bool {
    edits.last().is_some_and(|last| last.span.end <= len)
        && edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::{Level, Span};

    fn fault(edits: &[(usize, usize, &str)], applicability: Applicability) -> Diagnostic {
        let edits = edits.iter().map(|&(a, b, t)| Edit::replace(Span::new(a, b), t)).collect();
        let mut diagnostic = Diagnostic::new("x.y", Level::Warning, Span::new(0, 1));
        diagnostic.fix = Some(Fix { applicability, edits });
        diagnostic
    }

    #[test]
    fn touching_fixes_wait() {
        let faults = [
            fault(&[(0, 1, "A"), (4, 5, "E")], Applicability::Safe),
            fault(&[(2, 3, "C")], Applicability::Safe),
            fault(&[(5, 5, "!")], Applicability::Safe),
            fault(&[(6, 7, "G")], Applicability::Unsafe),
        ];
        let done = once(b"abcdefg", &faults, Applicability::Safe).unwrap();
        assert_eq!((done.text.as_slice(), done.fixes), (&b"AbcdEfg"[..], 1));
        assert_eq!(once(b"abcdefg", &faults, Applicability::Unsafe).unwrap().text, b"AbcdEfG");
    }

    #[test]
    fn a_bad_fix_is_left_out() {
        let faults = [
            fault(&[(9, 12, "")], Applicability::Safe),
            fault(&[(3, 4, ""), (1, 2, "")], Applicability::Safe),
            fault(&[(1, 2, "")], Applicability::Display),
        ];
        assert_eq!(once(b"abcdefg", &faults, Applicability::Unsafe), None);
    }

    #[test]
    fn contradicting_rules_do_not_hang() {
        let flip = |text: &[u8]| {
            let to = if text == b"a" { "b" } else { "a" };
            vec![fault(&[(0, 1, to)], Applicability::Safe)]
        };
        assert!(!to_fixpoint(b"a", Applicability::Safe, flip).settled);
    }
}
