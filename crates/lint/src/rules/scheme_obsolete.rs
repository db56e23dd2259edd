//! `scheme.obsolete`: schemes that something else has replaced.

use crate::context::{Context, Findings};
use crate::rule::{Meta, On, Rule, Usually};
use urlsift_core::{Code, Level, Profile};

static META: Meta =
    Meta::new("scheme.obsolete", Level::Warning, On::Url, "another scheme has replaced this one")
        .source(7595, "5")
        .usually(Usually::Remark, "Old documents name old services.")
        .what("The scheme is of no use any more, and another has taken its place.")
        .why("No current program follows it.")
        .advice("use what replaced it")
        .urls("feed://www.host.dom/news.xml", "https://www.host.dom/news.xml");

/// A scheme, and what to use instead.
const REPLACED: [(&str, &str); 11] = [
    ("fax", "`tel:` (RFC 3966)"),
    ("feed", "the http or https URL itself"),
    ("mailserver", "`mailto:`"),
    ("modem", "`tel:` (RFC 3966)"),
    ("prospero", "http or https; Prospero has ended"),
    ("rlogin", "`ssh:`"),
    ("shttp", "`https:` (RFC 9110)"),
    ("snews", "`nntp:` or `news:` over TLS"),
    ("videotex", "nothing: the service has ended"),
    ("wais", "http or https; WAIS has ended"),
    ("z39.50", "`z39.50r:` for a record, `z39.50s:` for a session (RFC 2056)"),
];

/// What replaced the scheme of this URL.
pub(super) fn instead_of(cx: &Context<'_>) -> Option<&'static str> {
    let scheme = cx.bytes(cx.parts.scheme);
    let known = REPLACED.iter().find(|(old, _)| scheme.eq_ignore_ascii_case(old.as_bytes()));
    known.map(|&(_, instead)| instead)
}

pub(crate) struct Obsolete;

impl Rule for Obsolete {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        // To documents of their own time these schemes are new.
        if matches!(cx.profile, Profile::Rfc1738 | Profile::Cern1994) {
            return;
        }
        // Of a scheme that the registry calls historic, `scheme.historic` says the same.
        if cx.reports.iter().any(|report| report.code == Code::SchemeHistoric) {
            return;
        }
        let Some(instead) = instead_of(cx) else { return };
        let mut diagnostic = META.at(cx.locate(cx.parts.scheme));
        diagnostic.help = Some(format!("{}: {instead}", META.advice).into());
        out.push(diagnostic);
    }
}
