//! Finds invisible characters in and next to a URL, for the rules `char.bidi` and
//! `char.zero-width`.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit};
use crate::rule::Meta;
use urlsift_core::Span;

/// The invisible characters that a rule searches for, and the places where it searches.
pub(super) struct Search {
    pub(super) matches: fn(char) -> bool,
    /// True to also search right before the URL.
    pub(super) before: bool,
}

/// True if `c` is a formatting character that changes the direction of text.
pub(super) fn is_bidi(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// True if `c` has no width when it is displayed.
pub(super) fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Searches the URL and the bytes next to it. Adds one diagnostic that marks all characters found,
/// if there are any.
pub(super) fn report_matching_characters(
    meta: &Meta,
    cx: &Context<'_>,
    search: &Search,
    out: &mut Findings,
) {
    let mut found: Vec<(Span, char)> = Vec::new();
    if search.before {
        let from = cx.span.start.saturating_sub(3);
        let before = cx.text.get(from..cx.span.start).unwrap_or_default();
        if let Some(c) =
            before.utf8_chunks().last().and_then(|chunk| chunk.valid().chars().next_back())
            && (search.matches)(c)
        {
            found.push((Span::new(cx.span.start - c.len_utf8(), cx.span.start), c));
        }
    }
    let mut at = 0;
    for chunk in cx.url.utf8_chunks() {
        for (offset, c) in chunk.valid().char_indices().filter(|&(_, c)| (search.matches)(c)) {
            found.push((cx.to_text_span(Span::new(at + offset, at + offset + c.len_utf8())), c));
        }
        at += chunk.valid().len() + chunk.invalid().len();
    }
    let to = (cx.span.end + 4).min(cx.text.len());
    let after = cx.text.get(cx.span.end..to).unwrap_or_default();
    if let Some(c) = after.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next())
        && (search.matches)(c)
    {
        found.push((Span::new(cx.span.end, cx.span.end + c.len_utf8()), c));
    }
    let Some(&(first, c)) = found.first() else { return };
    let mut diagnostic = meta.diagnostic_at(first);
    diagnostic.label = format!("U+{:04X}", u32::from(c)).into();
    for &(span, c) in &found[1..] {
        diagnostic.labels.push(crate::Label { span, text: format!("U+{:04X}", u32::from(c)) });
    }
    let edits = found.iter().map(|&(span, _)| Edit::delete(span)).collect();
    cx.set_text_fix(&mut diagnostic, edits, Applicability::Unsafe, meta.advice.to_owned());
    out.push(diagnostic);
}
