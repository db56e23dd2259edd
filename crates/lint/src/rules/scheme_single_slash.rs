//! `scheme.single-slash`: `http:/host`, with one slash instead of two.

use super::fixes::fix_slashes;
use super::names::is_document_name;
use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Reported};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

pub(crate) static RULE: Reported = Reported::with_fix(
    Meta::new(
        "scheme.single-slash",
        Level::Error,
        On::NearMiss(NearMiss::SingleSlash),
        "one slash after the colon instead of two",
    )
    .source(1738, "3.1")
    .with_description("A scheme that requires a host is followed by only one slash. A name that ends in `.html`, `.htm` or `.php`, as in `http:/index.html`, isn't read as a host.")
    .with_reason("In the address bar, browsers add the missing slash. In a link on a page with the same scheme, they read the rest as a path on the page's own host. Other programs find no URL at all.")
    .with_advice("write two slashes")
    .as_typo_rule()
    .with_example_texts("See http:/www.host.dom/a.", "See http://www.host.dom/a.")
    .with_other_rules(&["ciss.slashes"]),
    Applicability::Safe,
    make_fix,
)
.with_fault_span(spot)
.with_exclusion(|cx| is_on_unix_socket(cx) || is_document_name(cx.host()));

/// True if the URL is an argument of `curl --unix-socket`, which needs no host.
fn is_on_unix_socket(cx: &Context<'_>) -> bool {
    /// The number of bytes before the URL that are searched.
    const MARGIN: usize = 256;
    let before = &cx.text[cx.span.start.saturating_sub(MARGIN)..cx.span.start];
    let line = memchr::memrchr(b'\n', before).map_or(before, |end| &before[end + 1..]);
    memchr::memmem::find(line, b"--unix-socket").is_some()
}

fn spot(cx: &Context<'_>) -> Span {
    let colon = cx.parts.scheme.end;
    Span::new(colon, (colon + 2).min(cx.url.len()))
}

fn make_fix(cx: &Context<'_>, spot: Span) -> Option<Fix> {
    (!cx.url.is_empty()).then(|| fix_slashes(cx, Edit::insert(spot.end, b"/"))).flatten()
}
