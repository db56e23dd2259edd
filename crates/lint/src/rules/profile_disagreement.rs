//! `profile.disagreement`: a URL that one standard accepts and another rejects.

use crate::context::{Context, Findings};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Profile, parse_reference};

static META: Meta = Meta::new(
    "profile.disagreement",
    Level::Info,
    On::Url,
    "another profile rejects this URL",
)
.source(3986, "Appendix D")
.with_description("The URL is valid in the current profile, but not in one of the others (rfc1738, rfc3986 and web). The rule is off unless selected, because it reports one URL in ten.")
.with_reason("Older or stricter programs may not follow the URL.")
.with_advice("if old or strict programs have to follow the URL, write it so that every profile accepts it")
.with_example_urls("http://www.host.dom/~joe/", "http://www.host.dom/%7Ejoe/")
.with_other_rules(&["escape.needless"])
.off_by_default();

pub(crate) struct Disagreement;

impl Rule for Disagreement {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        if !cx.valid {
            return;
        }
        let others = [Profile::Rfc1738, Profile::Rfc3986, Profile::Web];
        let mut first = None;
        let mut notes = Vec::new();
        for profile in others.into_iter().filter(|&profile| profile != cx.profile) {
            if let Err(violation) = parse_reference(cx.url, profile) {
                first = first.or(Some(violation.span));
                let code = violation.code;
                notes.push(format!("{profile} rejects it: {} ({code})", code.message()));
            }
        }
        let Some(span) = first else { return };
        let mut diagnostic = META.diagnostic_at(cx.to_text_span(span));
        diagnostic.notes = notes;
        diagnostic.help = Some(META.advice.into());
        out.push(diagnostic);
    }
}
