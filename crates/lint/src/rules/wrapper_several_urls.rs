//! `wrapper.several-urls`: `<URL:http://a.dom/ http://b.dom/>`.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::Form;

static META: Meta = Meta::new(
    "wrapper.several-urls",
    Level::Warning,
    On::Url,
    "several URLs share one pair of angle brackets",
)
.source(1738, "Appendix")
.with_description("One pair of angle brackets contains several URLs.")
.with_reason("White space inside `<URL:...>` is ignored, so a program that follows RFC 1738 to the letter reads them as one long URL.")
.with_advice("put each URL in its own pair of brackets")
.with_example_texts(
    "See <URL:http://www.host.dom/a http://www.host.dom/b>.",
    "See <URL:http://www.host.dom/a> <URL:http://www.host.dom/b>.",
)
.fix(Applicability::Unsafe);

pub(crate) struct SeveralUrls;

impl Rule for SeveralUrls {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        let Some((Form::Wrapped, last, whole)) = cx.previous else { return };
        if cx.form != Form::Wrapped || whole != cx.whole || last.end > cx.span.start {
            return;
        }
        let mut diagnostic = META.diagnostic_at(cx.span);
        diagnostic.labels.push(crate::Label { span: last, text: "the previous URL".to_owned() });
        let edits = vec![Edit::replace(Span::new(last.end, cx.span.start), b"> <URL:")];
        let help = format!("{}: <URL:{}>", META.advice, cx.masked_url());
        cx.set_text_fix(&mut diagnostic, edits, Applicability::Unsafe, help);
        out.push(diagnostic);
    }
}
