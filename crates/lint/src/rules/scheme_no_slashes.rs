//! `scheme.no-slashes`: `http:host`, without the slashes.

use super::fixes::fix_slashes;
use super::names::is_document_name;
use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Reported};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

pub(crate) static RULE: Reported = Reported::with_fix(
    Meta::new(
        "scheme.no-slashes",
        Level::Error,
        On::NearMiss(NearMiss::NoSlashes),
        "missing `//` after the colon",
    )
    .source(1738, "3.1")
    .with_description("A scheme that requires a host is followed by the host without `//`. A name that ends in `.html`, `.htm` or `.php`, as in `http:index.html`, isn't read as a host.")
    .with_reason("In a link on a page with the same scheme, browsers read the host as a path on the page's own host. Other programs find no URL at all.")
    .with_advice("write `//` after the colon")
    .with_example_texts("See http:www.host.dom/a now.", "See http://www.host.dom/a now.")
    .with_other_rules(&["ciss.slashes"]),
    Applicability::Safe,
    make_fix,
)
.with_fault_span(spot)
.with_exclusion(|cx| is_document_name(cx.host()));

fn spot(cx: &Context<'_>) -> Span {
    let at = cx.parts.scheme.end;
    Span::new(at, (at + 1).min(cx.url.len()))
}

fn make_fix(cx: &Context<'_>, spot: Span) -> Option<Fix> {
    // `http:\host` has a backslash instead of the slashes.
    let rest = cx.url.get(spot.end..).unwrap_or_default();
    let run = rest.iter().take_while(|&&b| b == b'\\').count();
    fix_slashes(cx, Edit::replace(Span::new(spot.end, spot.end + run), b"//"))
}
