//! `scheme.single-slash`: `http:/host`: one slash where there should be two.

use super::mending::trust_host;
use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Reported};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

pub(crate) static RULE: Reported = Reported::mended(
    Meta::new(
        "scheme.single-slash",
        Level::Error,
        On::NearMiss(NearMiss::SingleSlash),
        "there is one slash after the colon where two are needed",
    )
    .source(1738, "3.1")
    .what("A scheme that names a host is followed by one slash only.")
    .why("Browsers mend it in their address bar; as a link it becomes a path on the page's own host, and other programs find no URL at all.")
    .advice("write two slashes")
    .typo()
    .texts("See http:/www.host.dom/a.", "See http://www.host.dom/a.")
    .beside(&["ciss.slashes"]),
    Applicability::Safe,
    mend,
)
.pointing(spot);

fn spot(cx: &Context<'_>) -> Span {
    let colon = cx.parts.scheme.end;
    Span::new(colon, (colon + 2).min(cx.url.len()))
}

fn mend(cx: &Context<'_>, spot: Span) -> Option<Fix> {
    (!cx.url.is_empty()).then(|| trust_host(cx, Edit::insert(spot.end, b"/"))).flatten()
}
