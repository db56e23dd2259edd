//! `wrapper.missing-prefix`: `<http://host/>` without `URL:`.

use crate::context::{Context, Findings};
use crate::dialect::{Dialect, Markup};
use crate::edit::{Applicability, Edit};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::Form;

static META: Meta = Meta::new(
    "wrapper.missing-prefix",
    Level::Info,
    On::Url,
    "`URL:` is missing after the angle bracket",
)
.source(1738, "Appendix")
.with_description("A URL is in angle brackets without the prefix `URL:`. The rule is off unless selected, because RFC 3986 no longer recommends the prefix.")
.with_reason("RFC 1738 recommends the prefix, which distinguishes a URL in brackets from a mail address or a tag.")
.with_advice("write `URL:` after the `<`")
.with_example_texts("See <http://www.host.dom/a>.", "See <URL:http://www.host.dom/a>.")
.fix(Applicability::Safe)
.off_by_default();

pub(crate) struct MissingPrefix;

impl Rule for MissingPrefix {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        // In markup, the brackets are part of the syntax.
        if cx.form != Form::Bracketed || cx.dialect != Dialect::Text(Markup::Plain) {
            return;
        }
        let mut diagnostic = META.diagnostic_at(Span::new(cx.whole.start, cx.span.start));
        let edits = vec![Edit::insert(cx.span.start, b"URL:")];
        let help = format!("{}: <URL:{}>", META.advice, cx.masked_url());
        cx.set_text_fix(&mut diagnostic, edits, Applicability::Safe, help);
        out.push(diagnostic);
    }
}
