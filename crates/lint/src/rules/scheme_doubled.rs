//! `scheme.doubled`: `http://http://host`: the scheme stands there twice.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

static META: Meta =
    Meta::new("scheme.doubled", Level::Error, On::Candidate, "the scheme is doubled")
        .source(1738, "3.1")
        .what("A scheme and its slashes are followed by a scheme and its slashes.")
        .why("The second scheme is taken for the host: `http://http//...` asks a host called http.")
        .advice("leave one of them out")
        .texts("See http://http://www.host.dom/a.", "See http://www.host.dom/a.")
        .beside(&["host.single-label", "port.empty"])
        .fix(Applicability::Safe);

pub(crate) struct Doubled;

impl Rule for Doubled {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        // In a wrapper it is a candidate like any other, whose host is called `http`.
        let doubled = if let Some(miss) = cx.near_miss {
            miss == NearMiss::DoubledScheme
        } else {
            let host = cx.parts.host.map(|host| cx.bytes(host)).unwrap_or_default();
            cx.parts.port.is_some_and(Span::is_empty)
                && cx.bytes(cx.parts.path).starts_with(b"//")
                && SCHEMES.iter().any(|known| host.eq_ignore_ascii_case(known.as_bytes()))
        };
        // In code it is an example, of just this perhaps.
        if !doubled || cx.is_in_code() {
            return;
        }
        let span = spot(cx);
        let mut diagnostic = META.at(cx.locate(span));
        cx.mend(&mut diagnostic, mend(cx, span), META.advice);
        out.push(diagnostic);
    }
}

/// What nobody calls a host.
const SCHEMES: [&str; 6] = ["http", "https", "ftp", "gopher", "telnet", "file"];

fn spot(cx: &Context<'_>) -> Span {
    let start = cx.url.windows(3).position(|three| three == b"://").map_or(0, |at| at + 3);
    let rest = &cx.url[start.min(cx.url.len())..];
    let len = rest.iter().position(|&b| b == b'/').unwrap_or(rest.len());
    let slashes = rest[len..].iter().take_while(|&&b| b == b'/').count();
    Span::new(start, start + len + slashes)
}

fn mend(cx: &Context<'_>, spot: Span) -> Option<Fix> {
    let first = Span::new(0, spot.start);
    let (outer, inner) = (cx.bytes(first), cx.bytes(spot));
    // The inner one is what was pasted, whole. Where the two differ, a person knows better.
    if outer.eq_ignore_ascii_case(inner) {
        Fix::safe(Edit::delete(first))
    } else {
        Fix::risky(Edit::delete(first))
    }
}
