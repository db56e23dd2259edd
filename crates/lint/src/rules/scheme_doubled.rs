//! `scheme.doubled`: `http://http://host`: the scheme stands there twice.

use crate::rule::{Mending, Meta, On, Reported};
use crate::{Applicability, Context, Edit};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

pub(crate) static RULE: Reported = Reported::mended(
    Meta::new(
        "scheme.doubled",
        Level::Error,
        On::NearMiss(NearMiss::DoubledScheme),
        "the scheme is doubled",
    )
    .source(1738, "3.1")
    .what("A scheme and its slashes are followed by a scheme and its slashes.")
    .why("The second scheme is taken for the host: `http://http//...` asks a host called http.")
    .advice("leave one of them out")
    .texts("See http://http://www.host.dom/a.", "See http://www.host.dom/a.")
    .beside(&["host.single-label", "port.empty"]),
    Applicability::Safe,
    mend,
)
.pointing(spot);

fn spot(cx: &Context<'_>) -> Span {
    let start = cx.url.windows(3).position(|three| three == b"://").map_or(0, |at| at + 3);
    let rest = &cx.url[start.min(cx.url.len())..];
    let len = rest.iter().position(|&b| b == b'/').unwrap_or(rest.len());
    let slashes = rest[len..].iter().take_while(|&&b| b == b'/').count();
    Span::new(start, start + len + slashes)
}

fn mend(cx: &Context<'_>, spot: Span) -> Option<Mending> {
    let first = Span::new(0, spot.start);
    let (outer, inner) = (cx.bytes(first), cx.bytes(spot));
    // The inner one is what was pasted, whole. Where the two differ, a person knows better.
    if outer.eq_ignore_ascii_case(inner) {
        Mending::safe(Edit::delete(first))
    } else {
        Mending::risky(Edit::delete(first))
    }
}
