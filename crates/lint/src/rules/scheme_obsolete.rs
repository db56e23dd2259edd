//! `scheme.obsolete`: schemes that are no longer in use.

use crate::context::{Context, Findings};
use crate::rule::{LenientLevel, Meta, On, Rule};
use urlsift_core::{Code, Level, Profile};

static META: Meta = Meta::new("scheme.obsolete", Level::Warning, On::Url, "the scheme is obsolete")
    .source(7595, "5")
    .with_lenient_level(LenientLevel::Info, "Old documents refer to old services.")
    .with_description("The scheme is no longer in use. In most cases, another one has replaced it.")
    .with_reason("No current program supports the scheme.")
    .with_advice("use the scheme that replaced it")
    .with_example_urls("feed://www.host.dom/news.xml", "https://www.host.dom/news.xml");

/// Obsolete schemes with their replacements.
const REPLACEMENTS: [(&str, &str); 11] = [
    ("fax", "`tel:` (RFC 3966)"),
    ("feed", "the http or https URL itself"),
    ("mailserver", "`mailto:`"),
    ("modem", "`tel:` (RFC 3966)"),
    ("prospero", "http or https; Prospero has ended"),
    ("rlogin", "`ssh:`"),
    ("shttp", "`https:` (RFC 9110)"),
    ("snews", "`nntp:` or `news:` over TLS"),
    ("videotex", "none, because the service has ended"),
    ("wais", "http or https; WAIS has ended"),
    ("z39.50", "`z39.50r:` for a record, `z39.50s:` for a session (RFC 2056)"),
];

/// Returns the scheme that replaces the obsolete scheme of this URL. Returns `None` if the scheme
/// is not obsolete.
pub(super) fn replacement_scheme(cx: &Context<'_>) -> Option<&'static str> {
    let scheme = cx.bytes_at(cx.parts.scheme);
    let known = REPLACEMENTS.iter().find(|(old, _)| scheme.eq_ignore_ascii_case(old.as_bytes()));
    known.map(|&(_, instead)| instead)
}

pub(crate) struct Obsolete;

impl Rule for Obsolete {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        // When these profiles were current, the schemes were new.
        if matches!(cx.profile, Profile::Rfc1738 | Profile::Cern1994) {
            return;
        }
        // `scheme.historic` reports the same for schemes that are historic in the registry.
        if cx.reports.iter().any(|report| report.code == Code::SchemeHistoric) {
            return;
        }
        let Some(instead) = replacement_scheme(cx) else { return };
        let mut diagnostic = META.diagnostic_at(cx.to_text_span(cx.parts.scheme));
        diagnostic.help = Some(format!("{}: {instead}", META.advice).into());
        out.push(diagnostic);
    }
}
