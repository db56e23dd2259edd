//! `wrapper.missing-scheme`: `<URL:host.dom/path>`, without a scheme.

use crate::context::Context;
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Reported};
use urlsift_core::{Level, Span};
use urlsift_scanner::{Form, NearMiss};

pub(crate) static RULE: Reported = Reported::with_fix(
    Meta::new(
        "wrapper.missing-scheme",
        Level::Error,
        On::NearMiss(NearMiss::MissingScheme),
        "the scheme is missing after `URL:`",
    )
    .source(1738, "Appendix")
    .with_description("`<URL:` is followed by a host or a path instead of a scheme.")
    .with_reason("`URL:` announces a complete URL. Without a scheme, programs don't know how to reach the resource.")
    .with_advice("write the scheme after `URL:`")
    .with_example_texts("See <URL:www.host.dom/a>.", "See <URL:http://www.host.dom/a>."),
    Applicability::Unsafe,
    make_fix,
)
.with_fault_span(spot);

fn spot(cx: &Context<'_>) -> Span {
    let len = cx.url.iter().position(|&b| b == b'/').unwrap_or(cx.url.len());
    Span::new(0, len)
}

fn make_fix(cx: &Context<'_>, _: Span) -> Option<Fix> {
    let slashes = cx.url.iter().take_while(|&&b| b == b'/').count().min(2);
    let rest = cx.url.get(slashes..)?;
    let url = Form::Schemeless.href(rest);
    let scheme = url.strip_suffix(rest)?.to_vec();
    Fix::unsafe_fix(Edit::replace(Span::new(0, slashes), scheme))
}
