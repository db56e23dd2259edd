//! Applies fixes to a text.
//!
//! Fixes of one pass must not touch each other. If two do, the later one waits for the next pass,
//! after the text has been linted again. [`apply_until_stable`] repeats until a pass changes
//! nothing.

use crate::diagnostic::Diagnostic;
use crate::edit::{Applicability, Edit, Fix};
use urlsift_core::{Secrets, Span};

/// The number of passes after which fixes are assumed to contradict each other. Two or three passes
/// are usually enough; only many adjacent fixes, each of which waits for the previous one, need
/// more.
const MAX_PASSES: usize = 64;

/// A text after fixes were applied to it, with the edits that were made. It is the result of
/// [`apply_once`] and [`apply_until_stable`].
///
/// ```
/// use urlsift_lint::{Dialect, Markup};
/// use urlsift_lint::{Applicability, Config, Linter, apply};
/// let linter = Linter::new(Config::default());
/// let lint = |text: &[u8]| linter.lint(text, Dialect::Text(Markup::Plain)).diagnostics;
/// let applied = apply::apply_until_stable(b"At http:/www.host.dom/ and http:\\\\www.host.dom/", Applicability::Safe, lint);
/// assert_eq!(applied.text, b"At http://www.host.dom/ and http://www.host.dom/");
/// assert_eq!((applied.fixes, applied.settled), (2, true));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// The text with the fixes applied.
    pub text: Vec<u8>,
    /// The edits that turn the given text into [`Applied::text`], in order, neither overlapping nor
    /// adjacent.
    pub edits: Vec<Edit>,
    /// The number of applied fixes.
    pub fixes: usize,
    /// True if another pass would change nothing. It is false only if rules contradict each other.
    pub settled: bool,
}

/// Applies the fixes of `diagnostics` to `text` in one pass. Returns `None` if the text doesn't
/// change.
///
/// Only fixes with at least the applicability `min_applicability` are applied. A fix is skipped if
/// it overlaps or touches an earlier one, if it has an edit beyond the end of `text`, or if its
/// edits are out of order.
///
/// Takes time linear in the text and *n* log *n* in the number of fixes.
///
/// ```
/// use urlsift_lint::{Applicability, Config, apply, lint};
/// let text = b"At http:/www.host.dom/ now.";
/// let found = lint(text, &Config::default());
/// let applied = apply::apply_once(text, &found, Applicability::Safe).unwrap();
/// assert_eq!(applied.text, b"At http://www.host.dom/ now.");
/// assert!(apply::apply_once(text, &[], Applicability::Safe).is_none());
/// ```
pub fn apply_once(
    text: &[u8],
    diagnostics: &[Diagnostic],
    min_applicability: Applicability,
) -> Option<Applied> {
    let mut fixes: Vec<&Fix> = diagnostics
        .iter()
        .filter_map(|diagnostic| diagnostic.fix.as_ref())
        .filter(|fix| {
            fix.applicability >= min_applicability
                && is_ordered_and_in_bounds(&fix.edits, text.len())
        })
        .collect();
    fixes.sort_by_key(|fix| fix.edits.first().map(|edit| edit.span));
    let mut edits: Vec<&Edit> = Vec::new();
    let mut count = 0;
    for fix in fixes {
        let (Some(first), last) = (fix.edits.first(), edits.last()) else { continue };
        // Touching counts as overlapping, because two insertions at the same offset have no order.
        if last.is_some_and(|last| first.span.start <= last.span.end) {
            continue;
        }
        edits.extend(&fix.edits);
        count += 1;
    }
    if count == 0 {
        return None;
    }
    let fixed = apply_edits(text, edits.iter().copied());
    let edits = || edits.into_iter().cloned().collect();
    (fixed != text).then(|| Applied {
        edits: compose_edits(Vec::new(), text, edits()),
        text: fixed,
        fixes: count,
        settled: false,
    })
}

/// Lints a text and applies the fixes, again and again, until nothing is left to fix.
///
/// `lint` must return the diagnostics of the text that it gets. It is called at most 64 times. Only
/// fixes with at least the applicability `min_applicability` are applied.
///
/// ```
/// use urlsift_lint::{Applicability, Config, apply, lint};
/// let config = Config::default();
/// let applied = apply::apply_until_stable(b"http:/www.host.dom/", Applicability::Safe, |text| lint(text, &config));
/// assert_eq!(applied.text, b"http://www.host.dom/");
/// ```
pub fn apply_until_stable(
    text: &[u8],
    min_applicability: Applicability,
    mut lint: impl FnMut(&[u8]) -> Vec<Diagnostic>,
) -> Applied {
    let mut done = Applied { text: text.to_vec(), edits: Vec::new(), fixes: 0, settled: false };
    for _ in 0..MAX_PASSES {
        let diagnostics = lint(&done.text);
        let Some(pass) = apply_once(&done.text, &diagnostics, min_applicability) else {
            done.settled = true;
            return done;
        };
        done.edits = compose_edits(done.edits, &done.text, pass.edits);
        done.text = pass.text;
        done.fixes += pass.fixes;
    }
    done
}

/// Combines two lists of edits that are applied one after the other into a single list with the
/// same effect.
///
/// `middle` is the text after `first` was applied, to which `second` refers. Each list is in order,
/// and its edits don't overlap. Edits that touch each other become one edit.
///
/// Takes linear time in the number of edits and the bytes that they replace.
fn compose_edits(first: Vec<Edit>, middle: &[u8], second: Vec<Edit>) -> Vec<Edit> {
    let mut out = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    // Offsets in `middle` exceed those in the first text by `added - removed`.
    let (mut added, mut removed) = (0, 0);
    loop {
        let start_of_first = first.peek().map(|edit| edit.span.start + added - removed);
        let start_of_second = second.peek().map(|edit| edit.span.start);
        let Some(start) = start_of_first.into_iter().chain(start_of_second).min() else {
            return out;
        };
        // A cluster of edits that touch: its span in `middle`, and its start in the first text.
        let (mut end, old_start) = (start, start + removed - added);
        let mut new = Vec::new();
        let mut copied = start;
        loop {
            if let Some(edit) = first.next_if(|edit| edit.span.start + added - removed <= end) {
                end = end.max(edit.span.start + added - removed + edit.text.len());
                (added, removed) = (added + edit.text.len(), removed + edit.span.len());
            } else if let Some(edit) = second.next_if(|edit| edit.span.start <= end) {
                end = end.max(edit.span.end);
                new.extend_from_slice(&middle[copied..edit.span.start]);
                new.extend_from_slice(&edit.text);
                copied = edit.span.end;
            } else {
                break;
            }
        }
        new.extend_from_slice(&middle[copied..end]);
        out.push(Edit::replace(Span::new(old_start, end + removed - added), new));
    }
}

/// Returns `text` with all `edits` applied. The edits must be in order and must not overlap.
pub(crate) fn apply_edits<'e>(text: &[u8], edits: impl IntoIterator<Item = &'e Edit>) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 64);
    push_edited(&mut out, text, edits);
    out
}

/// Appends `text` with all `edits` applied to `out`. The edits must be in order and must not
/// overlap.
pub(crate) fn push_edited<'e>(
    out: &mut Vec<u8>,
    text: &[u8],
    edits: impl IntoIterator<Item = &'e Edit>,
) {
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(text.get(at..edit.span.start).unwrap_or_default());
        out.extend_from_slice(&edit.text);
        at = edit.span.end;
    }
    out.extend_from_slice(text.get(at..).unwrap_or_default());
}

/// Returns a part of `text` after `edits` were applied. `part` is its span before the edits. The
/// edits must be in order, must not overlap, and must be inside `part`.
///
/// ```
/// use urlsift_core::Span;
/// use urlsift_lint::{Edit, apply};
/// let edits = [Edit::insert(8, b"/")];
/// let fixed = apply::edited_part(b"At http:/host.dom/ now.", Span::new(3, 18), &edits);
/// assert_eq!(fixed, b"http://host.dom/");
/// ```
pub fn edited_part(text: &[u8], part: Span, edits: &[Edit]) -> Vec<u8> {
    let within = edits.iter().map(|edit| {
        let span = Span::new(edit.span.start - part.start, edit.span.end - part.start);
        Edit::replace(span, edit.text.clone())
    });
    let within: Vec<Edit> = within.collect();
    apply_edits(text.get(part.range()).unwrap_or_default(), &within)
}

/// Maps spans of a text to the text after `edits` were applied. Spans and edits must each be in
/// order and must not overlap.
///
/// If an edit replaces a part of a span, the inserted text becomes part of the span. Takes linear
/// time.
pub(crate) fn spans_after_edits<'e>(
    spans: impl IntoIterator<Item = Span> + 'e,
    edits: &'e [Edit],
) -> impl Iterator<Item = Span> + 'e {
    let mut ahead = edits;
    let (mut added, mut removed) = (0, 0);
    spans.into_iter().map(move |span| {
        while let Some((edit, rest)) = ahead.split_first()
            && edit.span.end <= span.start
        {
            (added, removed, ahead) = (added + edit.text.len(), removed + edit.span.len(), rest);
        }
        let within = || ahead.iter().take_while(|edit| edit.span.start < span.end);
        let start = within().map(|edit| edit.span.start).fold(span.start, usize::min);
        let end = within().map(|edit| edit.span.end).fold(span.end, usize::max);
        let resized = |len: usize, edit: &Edit| len + edit.text.len() - edit.span.len();
        let then = start + added - removed;
        Span::new(then, then + within().fold(end - start, resized))
    })
}

/// Returns the edits that overlap or touch the bytes in `from..to`. `edits` must be in order and
/// must not overlap.
fn edits_touching(edits: &[Edit], from: usize, to: usize) -> &[Edit] {
    let first = edits.partition_point(|edit| edit.span.end < from);
    let end = edits.partition_point(|edit| edit.span.start <= to);
    &edits[first..end.max(first)]
}

/// Returns the edits that are completely inside the bytes `from..to`. `edits` must be in order and
/// must not overlap.
fn edits_within(edits: &[Edit], from: usize, to: usize) -> &[Edit] {
    let first = edits.partition_point(|edit| edit.span.start < from);
    let end = edits.partition_point(|edit| edit.span.end <= to);
    &edits[first..end.max(first)]
}

/// The number of bytes around a password that are searched to check that it is still recognized.
const MARGIN: usize = 256;
/// The maximum length of a password for this check, in bytes.
const MAX_PASSWORD_LEN: usize = 1024;

/// True if every secret near the edits is still recognized as a secret, and so masked, after
/// `edits` are applied to `text`. `secrets` are the spans of the secrets, and `hides` the kinds to
/// recognize.
///
/// Secrets that the edits delete are ignored. Returns false if a secret is longer than
/// [`MAX_PASSWORD_LEN`].
pub(crate) fn keeps_secrets_recognizable(
    text: &[u8],
    hides: Secrets,
    secrets: &[Span],
    edits: &[Edit],
) -> bool {
    let (Some(first), Some(last)) = (edits.first(), edits.last()) else { return true };
    let from = secrets.partition_point(|secret| secret.end < first.span.start);
    let near = secrets[from..].iter().take_while(|secret| secret.start <= last.span.end + 1);
    let stays = |secret: &Span| {
        let touching = edits_touching(edits, secret.start.saturating_sub(1), secret.end);
        !touching.is_empty() && !spans_after_edits([*secret], touching).all(Span::is_empty)
    };
    let staying: Vec<Span> = near.copied().filter(stays).collect();
    let (Some(first), Some(last)) = (staying.first(), staying.last()) else { return true };
    if staying.iter().any(|secret| secret.len() > MAX_PASSWORD_LEN) {
        return false;
    }
    let from = first.start.saturating_sub(MARGIN);
    let to = last.end.saturating_add(MARGIN).min(text.len());
    let inside = edits_within(edits, from, to);
    let found = hides.in_text(&edited_part(text, Span::new(from, to), inside));
    spans_after_edits(staying, inside).all(|then| {
        let known = found.partition_point(|known| from + known.end < then.end);
        found.get(known).is_some_and(|known| from + known.start <= then.start)
    })
}

/// True if the edits are in order, don't overlap, and don't exceed a text of `len` bytes.
fn is_ordered_and_in_bounds(edits: &[Edit], len: usize) -> bool {
    edits.last().is_some_and(|last| last.span.end <= len)
        && edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::Level;

    fn fault(edits: &[(usize, usize, &'static str)], applicability: Applicability) -> Diagnostic {
        let edit =
            |&(a, b, text): &(_, _, &'static str)| Edit::replace(Span::new(a, b), text.as_bytes());
        let edits = edits.iter().map(edit).collect();
        let mut diagnostic = Diagnostic::new("x.y", Level::Warning, Span::new(0, 1));
        diagnostic.fix = Some(Fix { applicability, edits });
        diagnostic
    }

    #[test]
    fn edits_of_several_passes_are_composed() {
        let text = b"0123456789";
        let edit =
            |start, end, new: &'static str| Edit::replace(Span::new(start, end), new.as_bytes());
        let first = vec![edit(1, 3, "abc"), edit(5, 5, "d"), edit(8, 9, "")];
        let middle = apply_edits(text, &first);
        assert_eq!(middle, b"0abc34d5679");
        // Within an edit, right after one, over two of them, and apart from all.
        let second = vec![edit(0, 0, "x"), edit(2, 3, "B"), edit(4, 4, "y"), edit(6, 10, "z")];
        let new = apply_edits(&middle, &second);
        let both = compose_edits(first, &middle, second);
        assert_eq!(both, [edit(0, 0, "x"), edit(1, 3, "aBcy"), edit(5, 9, "z")]);
        assert_eq!(apply_edits(text, &both), new);
    }

    #[test]
    fn spans_move_with_edits() {
        let edits = [
            Edit::insert(2, b"__"),
            Edit::replace(Span::new(4, 6), b"x"),
            Edit::replace(Span::new(7, 12), b""),
            Edit::insert(20, b"y"),
        ];
        let spans =
            [(1, 3), (3, 5), (5, 8), (8, 9), (12, 13), (18, 22)].map(|(a, b)| Span::new(a, b));
        let moved: Vec<_> = spans_after_edits(spans, &edits).map(Span::range).collect();
        assert_eq!(moved, [1..5, 5..7, 6..8, 8..8, 8..9, 14..19]);
    }

    #[test]
    fn fixes_keep_passwords_hidden() {
        let text = b"At ftp://joe:secret@host.dom/ now.";
        let secret = Span::new(13, 19);
        let keeps =
            |edits: &[Edit]| keeps_secrets_recognizable(text, Secrets::Passwords, &[secret], edits);
        assert!(keeps(&[Edit::replace(Span::new(14, 15), b"%45")]));
        assert!(keeps(&[Edit::replace(Span::new(12, 19), b"")]));
        assert!(keeps(&[Edit::insert(28, b"/"), Edit::insert(33, b"!")]));
        assert!(!keeps(&[Edit::replace(Span::new(12, 13), b" ")]));
        assert!(!keeps(&[Edit::replace(Span::new(12, 15), b" "), Edit::insert(33, b"!")]));
        // Long passwords are not checked.
        let text = [&b"ftp://joe:"[..], &[b'a'; MAX_PASSWORD_LEN + 1], b"@host.dom/"].concat();
        let secret = Span::new(10, 10 + MAX_PASSWORD_LEN + 1);
        assert!(!keeps_secrets_recognizable(
            &text,
            Secrets::All,
            &[secret],
            &[Edit::replace(Span::new(14, 15), b"%45")]
        ));
        assert!(keeps_secrets_recognizable(
            &text,
            Secrets::All,
            &[secret],
            &[Edit::replace(secret, b"")]
        ));
    }

    #[test]
    fn touching_fixes_wait() {
        let faults = [
            fault(&[(0, 1, "A"), (4, 5, "E")], Applicability::Safe),
            fault(&[(2, 3, "C")], Applicability::Safe),
            fault(&[(5, 5, "!")], Applicability::Safe),
            fault(&[(6, 7, "G")], Applicability::Unsafe),
        ];
        let done = apply_once(b"abcdefg", &faults, Applicability::Safe).unwrap();
        assert_eq!((done.text.as_slice(), done.fixes), (&b"AbcdEfg"[..], 1));
        assert_eq!(
            apply_once(b"abcdefg", &faults, Applicability::Unsafe).unwrap().text,
            b"AbcdEfG"
        );
    }

    #[test]
    fn malformed_fix_is_skipped() {
        let faults = [
            fault(&[(9, 12, "")], Applicability::Safe),
            fault(&[(3, 4, ""), (1, 2, "")], Applicability::Safe),
            fault(&[(1, 2, "")], Applicability::Display),
        ];
        assert_eq!(apply_once(b"abcdefg", &faults, Applicability::Unsafe), None);
    }

    #[test]
    fn contradicting_rules_do_not_hang() {
        let flip = |text: &[u8]| {
            let to = if text == b"a" { "b" } else { "a" };
            vec![fault(&[(0, 1, to)], Applicability::Safe)]
        };
        assert!(!apply_until_stable(b"a", Applicability::Safe, flip).settled);
    }
}
