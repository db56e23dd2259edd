//! `mailto.slashes`: `mailto://joe@host`, with slashes that don't belong there.

use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Reported};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

pub(crate) static RULE: Reported = Reported::with_fix(
    Meta::new(
        "mailto.slashes",
        Level::Error,
        On::NearMiss(NearMiss::MailtoSlashes),
        "`//` is not allowed after `mailto:`",
    )
    .source(6068, "2")
    .with_description("`mailto:` is followed by `//`.")
    .with_reason("A mailto URL contains an address, not a host. Mail programs read the slashes as part of the address.")
    .with_advice("remove the slashes")
    .with_example_texts("Write to mailto://joe@host.dom today.", "Write to mailto:joe@host.dom today.")
    .with_other_rules(&["mailto.addr-spec"]),
    Applicability::Safe,
    make_fix,
)
.with_fault_span(spot);

fn spot(cx: &Context<'_>) -> Span {
    let start = (cx.parts.scheme.end + 1).min(cx.url.len());
    let run = cx.url[start..].iter().take_while(|&&b| b == b'/').count();
    Span::new(start, start + run)
}

fn make_fix(_: &Context<'_>, spot: Span) -> Option<Fix> {
    Fix::safe_fix(Edit::delete(spot))
}
