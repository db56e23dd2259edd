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
    .with_description("A scheme is followed by `.//`, `,//`, `:://` or `//:` instead of `://`, and then by a host.")
    .with_reason("Without exactly one colon before the slashes, no program finds a URL here.")
    .with_advice("write `://`")
    .with_example_texts("See https.//www.host.dom/a.", "See https://www.host.dom/a.")
    .as_typo_rule(),
    Applicability::Safe,
    make_fix,
)
.with_fault_span(separator_span);

pub(crate) static BLANK_BEFORE_SLASHES: Reported = Reported::with_fix(
    Meta::new(
        "scheme.blank-before-slashes",
        Level::Error,
        On::NearMiss(NearMiss::BlankBeforeSlashes),
        "there is a space between the scheme and `//`",
    )
    .source(1738, "3.1")
    .with_description(
        "A scheme and its colon are followed by a space, and then by two slashes and a host.",
    )
    .with_reason("Every program ends the URL at the space.")
    .with_advice("remove the space")
    .with_example_texts("See https: //www.host.dom/a now.", "See https://www.host.dom/a now.")
    .as_typo_rule(),
    Applicability::Safe,
    make_fix,
)
.with_fault_span(separator_span)
.with_exclusion(is_command);

/// True for a command called `http` or `https` and its argument, as in `` `https ://host` ``.
fn is_command(cx: &Context<'_>) -> bool {
    let before = &cx.text[..cx.span.start];
    let scheme = cx.url.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    cx.url[scheme..].starts_with(b" ") && (before.ends_with(b"`") || before.ends_with(b"$ "))
}

/// Returns the span in the URL between the scheme and the host, where `://` is expected.
fn separator_span(cx: &Context<'_>) -> Span {
    let start = cx.url.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let len = cx.url[start..].iter().take_while(|b| !b.is_ascii_alphanumeric()).count();
    Span::new(start, start + len)
}

fn make_fix(_: &Context<'_>, spot: Span) -> Option<Fix> {
    Fix::safe_fix(Edit::replace(spot, b"://"))
}
