//! `scheme.obsolete`: schemes that something else has replaced.

use crate::rule::Meta;
use crate::{Context, Findings, On, Rule};
use urlsift_core::Level;

static META: Meta =
    Meta::new("scheme.obsolete", Level::Warning, On::Url, "another scheme has replaced this one")
        .source(7595, "5")
        .what("The scheme is of no use any more, and another has taken its place.")
        .why("No current program follows it.")
        .advice("use what replaced it")
        .urls("shttp://www.host.dom/", "https://www.host.dom/");

/// A scheme, and what to use instead. Those that core calls historic are its own.
const REPLACED: [(&str, &str); 7] = [
    ("fax", "`tel:` (RFC 3966)"),
    ("feed", "the http or https URL itself"),
    ("modem", "`tel:` (RFC 3966)"),
    ("rlogin", "`ssh:`"),
    ("shttp", "`https:` (RFC 9110)"),
    ("videotex", "nothing: the service has ended"),
    ("z39.50", "`z39.50r:` for a record, `z39.50s:` for a session (RFC 2056)"),
];

pub(crate) struct Obsolete;

impl Rule for Obsolete {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        let scheme = cx.bytes(cx.parts.scheme);
        let known = REPLACED.iter().find(|(old, _)| scheme.eq_ignore_ascii_case(old.as_bytes()));
        let Some((_, instead)) = known else { return };
        let mut diagnostic = META.at(cx.locate(cx.parts.scheme));
        diagnostic.help = Some(format!("{}: {instead}", META.advice));
        out.push(diagnostic);
    }
}
