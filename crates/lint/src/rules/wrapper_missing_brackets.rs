//! `wrapper.missing-brackets`: `URL:http://host/` without `<` and `>`.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit};
use crate::rule::{LenientLevel, Meta, On, Rule};
use urlsift_core::Level;
use urlsift_scanner::Form;

static META: Meta = Meta::new(
    "wrapper.missing-brackets",
    Level::Info,
    On::Url,
    "`URL:` precedes the URL, but there are no angle brackets",
)
.source(1738, "Appendix")
.with_lenient_level(LenientLevel::Off, "Fields and keys named `url:` look the same.")
        .with_description("`URL:` precedes a URL that is not in angle brackets.")
.with_reason("`URL:` marks the start of a URL and the brackets mark its end. Without brackets, programs have to guess the end, and the URL can't be wrapped over several lines.")
.with_advice("put `URL:` and the URL in angle brackets, or remove `URL:`")
.with_example_texts("See URL:http://www.host.dom/a for that.", "See <URL:http://www.host.dom/a> for that.")
.fix(Applicability::Unsafe);

pub(crate) struct MissingBrackets;

impl Rule for MissingBrackets {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        if cx.form != Form::Prefixed || cx.is_in_code() {
            return;
        }
        let mut diagnostic = META.diagnostic_at(cx.whole);
        let edits = vec![Edit::insert(cx.whole.start, b"<"), Edit::insert(cx.span.end, b">")];
        let help = format!("{}: <URL:{}>", META.advice, cx.masked_url());
        cx.set_text_fix(&mut diagnostic, edits, Applicability::Unsafe, help);
        out.push(diagnostic);
    }
}
