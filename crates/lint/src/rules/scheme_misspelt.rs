//! `scheme.misspelt`: `htttp://host`: a scheme nearly spelt right.

use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Reported};
use urlsift_core::{Level, Span};
use urlsift_scanner::{NearMiss, meant_scheme};

pub(crate) static RULE: Reported = Reported::mended(
    Meta::new(
        "scheme.misspelt",
        Level::Error,
        On::NearMiss(NearMiss::MisspeltScheme),
        "the scheme is misspelt",
    )
    .source(1738, "2.1")
    .what("The scheme is no known one, but within one keystroke of one.")
    .why("No program knows the scheme that stands there.")
    .advice("correct the scheme")
    .texts("See htttp://www.host.dom/a.", "See http://www.host.dom/a."),
    Applicability::Unsafe,
    mend,
)
.pointing(spot);

fn spot(cx: &Context<'_>) -> Span {
    cx.parts.scheme
}

fn mend(cx: &Context<'_>, spot: Span) -> Option<Fix> {
    let meant = meant_scheme(cx.bytes(spot))?;
    Fix::risky(Edit::replace(spot, meant))
}
