//! `scheme.backslashes`: `http:\\host`, with backslashes instead of slashes.

use crate::context::Context;
use crate::dialect::{Dialect, Markup};
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Reported};
use crate::verbatim;
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

pub(crate) static RULE: Reported = Reported::with_fix(
    Meta::new(
        "scheme.backslashes",
        Level::Error,
        On::NearMiss(NearMiss::Backslashes),
        "backslashes instead of slashes after the scheme",
    )
    .source(1738, "3.1")
    .with_description("A scheme is followed by backslashes.")
    .with_reason("URLs use slashes on every operating system. Some browsers correct backslashes, but other programs find no URL at all.")
    .with_advice("write slashes")
    .with_example_texts("See http:\\\\www.host.dom/a.", "See http://www.host.dom/a.")
    .with_other_rules(&["char.unencoded", "ciss.slashes"]),
    Applicability::Safe,
    make_fix,
)
.with_fault_span(spot)
.with_exclusion(is_literal_in_text);

/// True if the URL is a literal in double backquotes in a plain text.
fn is_literal_in_text(cx: &Context<'_>) -> bool {
    cx.dialect == Dialect::Text(Markup::Plain)
        && cx.text[..cx.whole.start].ends_with(b"``")
        && verbatim::is_literal(cx.text, cx.whole)
}

fn spot(cx: &Context<'_>) -> Span {
    let start = (cx.parts.scheme.end + 1).min(cx.url.len());
    let run = cx.url[start..].iter().take_while(|b| matches!(b, b'/' | b'\\')).count();
    Span::new(start, start + run)
}

fn make_fix(cx: &Context<'_>, spot: Span) -> Option<Fix> {
    // Backslashes in the path are mistakes of the same author.
    let end = cx.parts.query.map_or(cx.url.len(), |query| query.start - 1);
    let rest = cx.url.get(spot.end..end)?;
    let path = rest.iter().enumerate().filter(|&(_, &b)| b == b'\\').map(|(at, _)| spot.end + at);
    let mut edits = vec![Edit::replace(spot, b"//")];
    edits.extend(path.map(|at| Edit::replace(Span::new(at, at + 1), b"/")));
    // More than two backslashes are escaped in a string, or show how to deceive a program.
    let applicability = if spot.len() <= 2 { Applicability::Safe } else { Applicability::Unsafe };
    Some(Fix { applicability, edits: edits.into() })
}
