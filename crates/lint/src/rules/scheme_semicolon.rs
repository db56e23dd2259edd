//! `scheme.semicolon`: `http;//host`, with a semicolon instead of the colon.

use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Reported};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

pub(crate) static RULE: Reported = Reported::with_fix(
    Meta::new(
        "scheme.semicolon",
        Level::Error,
        On::NearMiss(NearMiss::Semicolon),
        "semicolon instead of a colon after the scheme",
    )
    .source(1738, "2.1")
    .with_description("A scheme is followed by `;//` instead of `://`.")
    .with_reason("Without the colon there is no scheme, and no program finds a URL here.")
    .with_advice("write a colon")
    .as_typo_rule()
    .with_example_texts("See http;//www.host.dom/a.", "See http://www.host.dom/a."),
    Applicability::Safe,
    make_fix,
)
.with_fault_span(spot);

fn spot(cx: &Context<'_>) -> Span {
    let at = cx.url.iter().position(|&b| b == b';').unwrap_or(0);
    Span::new(at, (at + 1).min(cx.url.len()))
}

fn make_fix(_: &Context<'_>, spot: Span) -> Option<Fix> {
    Fix::safe_fix(Edit::replace(spot, b":"))
}
