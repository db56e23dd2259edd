//! `scheme.no-colon`: `http//host`, without the colon.

use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Reported};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

pub(crate) static RULE: Reported = Reported::with_fix(
    Meta::new(
        "scheme.no-colon",
        Level::Error,
        On::NearMiss(NearMiss::NoColon),
        "missing colon after the scheme",
    )
    .source(1738, "2.1")
    .with_description("A scheme is followed by two slashes without a colon between them.")
    .with_reason("Without the colon there is no scheme, and no program finds a URL here.")
    .with_advice("write a colon after the scheme")
    .as_typo_rule()
    .with_example_texts("See http//www.host.dom/a.", "See http://www.host.dom/a."),
    Applicability::Safe,
    make_fix,
)
.with_fault_span(spot);

fn spot(cx: &Context<'_>) -> Span {
    let at = count_slashes(cx);
    Span::new(at, (at + 2).min(cx.url.len()))
}

fn count_slashes(cx: &Context<'_>) -> usize {
    cx.url.iter().position(|&b| b == b'/').unwrap_or(cx.url.len())
}

fn make_fix(cx: &Context<'_>, _: Span) -> Option<Fix> {
    Fix::safe_fix(Edit::insert(count_slashes(cx), b":"))
}
