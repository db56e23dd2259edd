//! The rules `scheme.mistyped-colon` and `scheme.blank-before-slashes`: a mistyped `://`.

use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Reported};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

pub(crate) static MISTYPED_COLON: Reported = Reported::with_fix(
    Meta::new(
        "scheme.mistyped-colon",
        Level::Error,
        On::NearMiss(NearMiss::ColonMistyped),
        "the `://` after the scheme is mistyped",
    )
    .source(1738, "2.1")
    .what("A scheme is followed by `.//`, `,//`, `:://` or `//:` instead of `://`, and then by a host.")
    .why("Without exactly one colon before the slashes, no program finds a URL here.")
    .advice("write `://`")
    .texts("See https.//www.host.dom/a.", "See https://www.host.dom/a.")
    .typo(),
    Applicability::Safe,
    make_fix,
)
.with_spot(separator_span);

pub(crate) static BLANK_BEFORE_SLASHES: Reported = Reported::with_fix(
    Meta::new(
        "scheme.blank-before-slashes",
        Level::Error,
        On::NearMiss(NearMiss::BlankBeforeSlashes),
        "there is a space between the scheme and `//`",
    )
    .source(1738, "3.1")
    .what("A scheme and its colon are followed by a space, and then by two slashes and a host.")
    .why("Every program ends the URL at the space.")
    .advice("remove the space")
    .texts("See https: //www.host.dom/a now.", "See https://www.host.dom/a now.")
    .typo(),
    Applicability::Safe,
    make_fix,
)
.with_spot(separator_span);

/// Returns the span in the URL between the scheme and the host, where `://` is expected.
fn separator_span(cx: &Context<'_>) -> Span {
    let start = cx.url.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let len = cx.url[start..].iter().take_while(|b| !b.is_ascii_alphanumeric()).count();
    Span::new(start, start + len)
}

fn make_fix(_: &Context<'_>, spot: Span) -> Option<Fix> {
    Fix::safe(Edit::replace(spot, b"://"))
}
