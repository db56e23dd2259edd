//! Finds characters that cannot be seen, in and around a URL: what two rules share.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit};
use crate::rule::Meta;
use urlsift_core::Span;

/// Which characters, and where.
pub(super) struct Unseen {
    pub(super) is: fn(char) -> bool,
    /// Whether one right before the URL counts too.
    pub(super) before: bool,
}

pub(super) fn is_bidi(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

pub(super) fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

pub(super) fn beside(meta: &Meta, cx: &Context<'_>, unseen: &Unseen, out: &mut Findings) {
    let mut places: Vec<(Span, char)> = Vec::new();
    if unseen.before {
        let from = cx.span.start.saturating_sub(3);
        let before = cx.text.get(from..cx.span.start).unwrap_or_default();
        if let Some(c) =
            before.utf8_chunks().last().and_then(|chunk| chunk.valid().chars().next_back())
            && (unseen.is)(c)
        {
            places.push((Span::new(cx.span.start - c.len_utf8(), cx.span.start), c));
        }
    }
    let mut at = 0;
    for chunk in cx.url.utf8_chunks() {
        for (offset, c) in chunk.valid().char_indices().filter(|&(_, c)| (unseen.is)(c)) {
            places.push((cx.locate(Span::new(at + offset, at + offset + c.len_utf8())), c));
        }
        at += chunk.valid().len() + chunk.invalid().len();
    }
    let to = (cx.span.end + 4).min(cx.text.len());
    let after = cx.text.get(cx.span.end..to).unwrap_or_default();
    if let Some(c) = after.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next())
        && (unseen.is)(c)
    {
        places.push((Span::new(cx.span.end, cx.span.end + c.len_utf8()), c));
    }
    let Some(&(first, c)) = places.first() else { return };
    let mut diagnostic = meta.at(first);
    diagnostic.label = format!("U+{:04X}", u32::from(c)).into();
    for &(span, c) in &places[1..] {
        diagnostic.labels.push(crate::Label { span, text: format!("U+{:04X}", u32::from(c)) });
    }
    let edits = places.iter().map(|&(span, _)| Edit::delete(span)).collect();
    cx.mend_text(&mut diagnostic, edits, Applicability::Unsafe, meta.advice.to_owned());
    out.push(diagnostic);
}
