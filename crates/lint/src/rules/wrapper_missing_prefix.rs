//! `wrapper.missing-prefix`: `<http://host/>`, as most people write it.

use crate::context::{Context, Findings};
use crate::dialect::Dialect;
use crate::edit::{Applicability, Edit};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::Form;

static META: Meta = Meta::new(
    "wrapper.missing-prefix",
    Level::Info,
    On::Url,
    "the wrapper lacks its prefix `URL:`",
)
.source(1738, "Appendix")
.what("A URL stands in angle brackets without the prefix `URL:`. Off unless selected: RFC 3986 no longer recommends the prefix.")
.why("RFC 1738 recommends the prefix, so that a URL in brackets is told from a mail address or a tag.")
.advice("put `URL:` after the bracket")
.texts("See <http://www.host.dom/a>.", "See <URL:http://www.host.dom/a>.")
.fix(Applicability::Safe)
.off();

pub(crate) struct MissingPrefix;

impl Rule for MissingPrefix {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        // In markup the brackets are the markup's own.
        if cx.form != Form::Bracketed || cx.dialect != Dialect::Plain {
            return;
        }
        let mut diagnostic = META.at(Span::new(cx.whole.start, cx.span.start));
        let edits = vec![Edit::insert(cx.span.start, b"URL:")];
        let help = format!("{}: <URL:{}>", META.advice, cx.shown());
        cx.mend_text(&mut diagnostic, edits, Applicability::Safe, help);
        out.push(diagnostic);
    }
}
