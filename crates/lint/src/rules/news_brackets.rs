//! `news.brackets`: `news:<id@host>`, a Message-ID with its brackets.

use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, Reported};
use urlsift_core::{Code, Span};

pub(crate) static RULE: Reported = Reported::with_fix(
    Meta::from_code(Code::NewsBrackets)
        .with_description("`news:` is followed by a Message-ID in angle brackets.")
        .with_reason("The brackets are not part of the Message-ID, and other programs end the URL at the `<`.")
        .with_advice("remove the angle brackets")
        .with_example_texts("See news:<123@host.dom> there.", "See news:123@host.dom there.")
        .with_other_rules(&["news.article", "char.unsafe", "news.wildmat"]),
    Applicability::Safe,
    make_fix,
)
.with_fault_span(spot);

fn spot(cx: &Context<'_>) -> Span {
    let at = cx.url.iter().position(|&b| b == b'<').unwrap_or(0);
    Span::new(at, (at + 1).min(cx.url.len()))
}

fn make_fix(cx: &Context<'_>, spot: Span) -> Option<Fix> {
    let close = cx.url.iter().rposition(|&b| b == b'>')?;
    // The brackets of a URL after `news:` stay.
    let inner = cx.url.get(spot.end..close)?;
    if memchr::memmem::find(inner, b"://").is_some() {
        return None;
    }
    let edits = vec![Edit::delete(spot), Edit::delete(Span::new(close, close + 1))];
    Some(Fix { applicability: Applicability::Safe, edits: edits.into() })
}
