//! `scheme.misspelt`: `htttp://host`: a scheme nearly spelt right.

use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, Reported};
use urlsift_core::{Code, Span};
use urlsift_scanner::meant_scheme;

pub(crate) static RULE: Reported = Reported::mended(
    Meta::of(Code::SchemeMisspelt)
    .what("The scheme is no known one, but within one keystroke of one, or what is left of http or https.")
    .why("No program knows the scheme that stands there.")
    .advice("correct the scheme")
    .typo()
    .texts("See htttp://www.host.dom/a.", "See http://www.host.dom/a."),
    Applicability::Unsafe,
    mend,
)
.pointing(spot)
.unless(|cx| cx.byte_before(cx.span.start) == Some(b'\\'));

fn spot(cx: &Context<'_>) -> Span {
    cx.parts.scheme
}

fn mend(cx: &Context<'_>, spot: Span) -> Option<Fix> {
    let meant = meant_scheme(cx.bytes(spot))?;
    Fix::risky(Edit::replace(spot, meant))
}
