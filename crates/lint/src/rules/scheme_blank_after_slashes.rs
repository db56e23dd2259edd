//! `scheme.blank-after-slashes`: `http:// host`, with a space before the host.

use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Reported};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

pub(crate) static RULE: Reported = Reported::with_fix(
    Meta::new(
        "scheme.blank-after-slashes",
        Level::Error,
        On::NearMiss(NearMiss::BlankAfterSlashes),
        "there is a space between `//` and the host",
    )
    .source(1738, "2.2")
    .with_description("`//` is followed by a space, and then by what looks like a host.")
    .with_reason("Every program ends the URL at the space, and finds no host in it.")
    .with_advice("remove the space")
    .as_typo_rule()
    .with_example_texts("See http:// www.host.dom/a now.", "See http://www.host.dom/a now."),
    Applicability::Unsafe,
    make_fix,
)
.with_fault_span(spot);

fn spot(cx: &Context<'_>) -> Span {
    let start = cx.url.windows(3).position(|three| three == b"://").map_or(0, |at| at + 3);
    let rest = &cx.url[start.min(cx.url.len())..];
    Span::new(start, start + rest.iter().take_while(|b| b.is_ascii_whitespace()).count())
}

fn make_fix(_: &Context<'_>, spot: Span) -> Option<Fix> {
    Fix::unsafe_fix(Edit::delete(spot))
}
