//! `news.brackets`: `news:<id@host>`: the Message-ID with its brackets.

use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, Reported};
use urlsift_core::{Code, Span};

pub(crate) static RULE: Reported = Reported::mended(
    Meta::of(Code::NewsBrackets)
        .what("`news:` is followed by a Message-ID in angle brackets.")
        .why("The brackets are no part of the Message-ID, and end the URL for every other program.")
        .advice("leave the brackets out")
        .texts("See news:<123@host.dom> there.", "See news:123@host.dom there.")
        .beside(&["news.article", "char.unsafe", "news.wildmat"]),
    Applicability::Safe,
    mend,
)
.pointing(spot);

fn spot(cx: &Context<'_>) -> Span {
    let at = cx.url.iter().position(|&b| b == b'<').unwrap_or(0);
    Span::new(at, (at + 1).min(cx.url.len()))
}

fn mend(cx: &Context<'_>, spot: Span) -> Option<Fix> {
    let close = cx.url.iter().rposition(|&b| b == b'>')?;
    // A wrapper that stands behind `news:` by chance keeps its brackets.
    let inner = cx.url.get(spot.end..close)?;
    if memchr::memmem::find(inner, b"://").is_some() {
        return None;
    }
    let edits = vec![Edit::delete(spot), Edit::delete(Span::new(close, close + 1))];
    Some(Fix { applicability: Applicability::Safe, edits: edits.into() })
}
