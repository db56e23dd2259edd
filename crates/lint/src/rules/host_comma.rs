//! The rule `host.comma`: `http://www,host.com/`, with a comma instead of a dot.

use super::names::is_top_level_domain;
use crate::context::{Context, Findings};
use crate::edit::{Edit, Fix};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::dotted_host_len;

pub(super) static META: Meta =
    Meta::new("host.comma", Level::Error, On::Url, "comma instead of a dot in the host")
        .source(1738, "3.1")
        .with_description(
            "There is a comma after `www`, or between a name and its top-level domain.",
        )
        .with_reason("The current grammar allows a comma, but no such host exists.")
        .with_advice("write a dot")
        .with_example_texts("See http://www,host.com/a.", "See http://www.host.com/a.")
        .fix(crate::edit::Applicability::Unsafe);

pub(crate) struct Comma;

impl Rule for Comma {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        let Some(host) = cx.parts.host else { return };
        let bytes = cx.bytes_at(host);
        let Some(at) = memchr::memchr(b',', bytes) else { return };
        let (before, after) = (&bytes[..at], &bytes[at + 1..]);
        let is_www = before.eq_ignore_ascii_case(b"www") && dotted_host_len(after) == after.len();
        let is_name = !before.is_empty() && !before.contains(&b'.') && is_top_level_domain(after);
        if !is_www && !is_name {
            return;
        }
        let comma = Span::new(host.start + at, host.start + at + 1);
        let mut diagnostic = META.diagnostic_at(cx.to_text_span(comma));
        cx.set_fix(&mut diagnostic, Fix::unsafe_fix(Edit::replace(comma, b".")), META.advice);
        out.push(diagnostic);
    }
}
